// The errand of the demo: who is called, what they would say, and what is wanted to know.

export const CLINIC = '+15550142200';

/** The front desk of a small clinic, as a program for a phone of the exchange. */
export const FRONT_DESK = {
  behaviour: 'person',
  medium: 'text',
  ring_ms: 900,
  greeting: 'Harbour Street Dental Clinic, Maria speaking.',
  replies: [
    { hears: 'new patients', says: 'Yes, we do take new patients at the moment.' },
    { hears: 'insurance', says: 'We accept it in part: the cleaning is covered, X-rays are not.' },
    { hears: 'earliest|appointment on thursday|what time', says: 'The earliest I have on Thursday is half past nine.' },
    { hears: 'bring|anything else|note', says: 'Please bring a photo ID and be there ten minutes early.' },
    { hears: 'thank|goodbye', says: 'You are welcome. Goodbye!' },
    { hears: 'automated assistant', says: 'Sure, go ahead.' },
  ],
  otherwise: 'Sorry, could you say that again?',
};

export const TASK = {
  to: CLINIC,
  objective: 'Ask the dental clinic about a first visit on Thursday.',
  context: { patient: 'new, wants a cleaning', day: 'Thursday' },
  constraints: ['Do not book anything yet.'],
  success_criteria: ['The earliest time on Thursday is known.'],
  result_schema: {
    type: 'object',
    required: ['takes_new_patients', 'insurance', 'earliest_time'],
    properties: {
      takes_new_patients: { type: 'boolean', description: 'Do you take new patients?' },
      insurance: {
        enum: ['accepted', 'accepted in part', 'not accepted'],
        description: 'Is dental insurance accepted, accepted in part, or not accepted?',
      },
      earliest_time: {
        type: 'string',
        pattern: '^[0-2][0-9]:[0-5][0-9]$',
        description: 'What time is the earliest appointment on Thursday?',
      },
      note: { type: 'string', description: 'Is there anything else the patient should bring or know?' },
    },
  },
  limits: { max_duration_seconds: 120 },
};
