// Phones that are there without anybody programming them, so that a newcomer has somebody to call. Data alone.
import { readProgram } from './program.ts';
import type { PhoneProgram } from './program.ts';

/** A clinic's front desk. The first pattern that fits answers, so the narrow ones stand before the broad ones. */
const FRONT_DESK = {
  behaviour: 'person',
  ring_ms: 600,
  greeting: 'Harbour Street Clinic, this is Maria speaking. How can I help you?',
  replies: [
    { hears: 'automated assistant[^?]*$', says: 'Sure, go ahead.' },
    { hears: '(good)?bye\\b|^[^?]*\\bthank(s| you)\\b[^?]*$', says: 'You are welcome. Goodbye!' },
    { hears: 'how are you', says: 'I am fine, thank you. What can I do for you?' },
    { hears: '\\bspell', says: 'Harbour, H A R B O U R, Street.' },

    { hears: 'sunday', says: 'No, we are closed on Sunday.' },
    { hears: '(clos|until|late).*saturday|saturday.*(clos|until|late)', says: 'On Saturday we close at noon.' },
    {
      hears: '(when|what time|how early).*saturday|saturday.*(when|what time|how early)',
      says: 'On Saturday we open at 9 am.',
    },
    { hears: 'saturday', says: 'Yes, on Saturday we are open from 9 am to noon.' },
    { hears: 'weekend', says: 'Yes, on Saturday we are open from 9 am to noon.' },
    { hears: 'holiday', says: 'No, we are closed on public holidays.' },
    { hears: 'lunch', says: 'Yes, we stay open over lunch.' },
    { hears: '(when|what time|how late|until).*(clos|open until)|closing time|how late', says: 'We close at 5 pm.' },
    { hears: '(when|what time|how early).*open|opening time', says: 'We open at 8 am.' },
    {
      hears: 'hours|\\bopen',
      says: 'Yes, we are open Monday to Friday from 8 am to 5 pm, and on Saturday from 9 am to noon.',
    },

    { hears: 'new patient|accepting patients|taking patients', says: 'Yes, we take new patients.' },
    { hears: 'insurance|insured|medicare|medicaid', says: 'Yes, we accept all the usual insurance plans.' },
    {
      hears: 'resched|postpone|move (the|my|an|his|her) appointment',
      says: 'Yes, an appointment can be moved until one day before.',
    },
    { hears: 'cancel', says: 'Yes, you can cancel free of charge until one day before.' },
    { hears: 'walk.?in|without an appointment', says: 'No, we see people by appointment only.' },
    { hears: 'how long|duration|how many minutes', says: 'A visit takes about 45 minutes.' },
    { hears: 'how much|cost|price|fee\\b|fees|charge|dollars', says: 'A check-up is 60 dollars.' },
    { hears: '\\bpay|cash|credit card|card', says: 'You can pay by card or in cash.' },
    { hears: 'which day|what day|what date|day of the week', says: 'The next free day is Tuesday.' },
    {
      hears: 'earliest|soonest|next (free|available)|first available|what time|appointment time|\\bwhen\\b',
      says: 'The next free appointment is at half past nine.',
    },
    { hears: 'bring|prepare', says: 'Please bring a photo ID and your insurance card.' },
    { hears: 'appointment|available|free slot|opening', says: 'Yes, we have free appointments this week.' },

    { hears: 'prescription|refill', says: 'Yes, refills are ready within one day.' },
    { hears: 'result|report', says: 'Yes, the results are ready to be picked up.' },
    { hears: 'doctor|dentist|physician|\\bdr\\b', says: 'Doctor Okafor is in every day.' },
    { hears: 'e-?mail', says: 'Our e-mail address is desk at harbour dot example.' },
    { hears: 'phone number|number to call|call back|fax', says: 'Our number is 555 010 0101.' },
    { hears: 'address|where are you|located|location|street|directions', says: 'Our address is 12 Harbour Street.' },
    { hears: 'parking|park\\b', says: 'Yes, there is parking behind the house.' },
    { hears: 'wheelchair|accessib|elevator|step-free', says: 'Yes, we have step-free access.' },
    { hears: 'spanish|language|interpreter', says: 'Yes, we speak Spanish too.' },
    { hears: '\\bname\\b|who am i|speaking (with|to)|whom', says: 'My name is Maria.' },
    { hears: 'how many', says: 'Two.' },
    { hears: 'anything else|anything more|pass on|should know|any note', says: 'No, that is all.' },
    { hears: '(^|[.!,:;] *)(and )?(is|are|do|does|did|can|could|will|would|have|has|may) |yes or no', says: 'Yes.' },
  ],
  otherwise: 'I am sorry, I do not know that.',
};

/** By number. Voicemail and a menu will have +15550100104 and +15550100105. */
export const READY_MADE: ReadonlyMap<string, PhoneProgram> = new Map([
  ['+15550100101', ready(FRONT_DESK)],
  ['+15550100102', ready({ behaviour: 'busy' })],
  ['+15550100103', ready({ behaviour: 'no_answer' })],
  ['+15550100106', ready({ behaviour: 'reject' })],
  ['+15550100107', ready({ behaviour: 'unreachable' })],
  ['+15550100108', ready({ behaviour: 'silent' })],
]);

/** A number that nobody programmed: nobody picks up. */
export const UNPROGRAMMED = ready({ behaviour: 'no_answer' });

function ready(input: object): PhoneProgram {
  const read = readProgram(input);
  if ('fault' in read) throw new Error(`ready-made phone: ${read.fault.pointer} ${read.fault.because}`);
  return read.program;
}
