// Schemas of the public call records, field for field as the interface has them. Knows nothing else.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { nullable } from './nullable.ts';
import { wordOf } from './word-of.ts';

export const DEFAULT_MAX_DURATION_SECONDS = 300;
export const BODY_LIMIT_BYTES = 256 * 1024;

/** An object whose members are not ours to know. */
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });

/** The body of POST /v1/calls. Lengths count Unicode code points. */
export const CallCreation = Type.Object(
  {
    to: Type.String({
      minLength: 9,
      maxLength: 16,
      pattern: '^\\+[1-9][0-9]{7,14}$',
      description: 'Destination in E.164.',
    }),
    objective: Type.String({ minLength: 1, maxLength: 4000, description: 'What the call is to achieve.' }),
    context: Type.Optional(anyObject('Background that can reach the calling model. Not a channel for secrets.')),
    protected_context: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }), Type.String({ minLength: 1, maxLength: 2000 }), {
        maxProperties: 20,
        additionalProperties: false,
        description:
          'Write-only values, stored encrypted and withheld from the voice flow; at most 16384 UTF-8 bytes together. Never passwords, card PINs or one-time codes.',
      }),
    ),
    constraints: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 })),
    success_criteria: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 })),
    result_schema: anyObject('A JSON Schema of the answers wanted; scalar and array roots are possible.'),
    limits: Type.Optional(
      Type.Object(
        {
          max_duration_seconds: Type.Optional(
            Type.Integer({ minimum: 30, maximum: 3600, default: DEFAULT_MAX_DURATION_SECONDS }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        to: '+15550100101',
        objective: 'Ask whether the clinic takes new patients, and which time on Friday is free.',
        context: { patient: 'Ada Lovelace, an adult' },
        constraints: ['Do not book anything.'],
        result_schema: {
          type: 'object',
          properties: {
            takes_new_patients: { type: 'boolean', title: 'Are you taking new patients?' },
            friday_time: { type: 'string', title: 'Which time on Friday is free?' },
          },
          required: ['takes_new_patients'],
        },
        limits: { max_duration_seconds: 120 },
      },
    ],
  },
);
export type CallCreation = Static<typeof CallCreation>;

export const PROTECTED_CONTEXT_LIMIT_BYTES = 16_384;

export const CALL_STATES = ['queued', 'dialing', 'ringing', 'in_progress', 'completed', 'failed', 'cancelled'] as const;
export type CallState = (typeof CALL_STATES)[number];

export const STAGES = [
  'queued',
  'submitting',
  'reconciling',
  'running',
  'cancel_requested',
  'cancelled',
  'failed',
  'completed',
] as const;
export type Stage = (typeof STAGES)[number];

/** Every `execution.error_code`, with its meaning. The one list: the docs are held equal to it. */
export const EXECUTION_ERROR_CODES = {
  submission_unconfirmed: 'The dial may have happened; its acknowledgement is being looked for.',
  cancellation_unconfirmed: 'A hang-up was asked for and is not acknowledged yet.',
  reconciliation_required: 'Automatic recovery is used up; an operator has to look. Never dialled again.',
  duration_limit_reached: 'Answered, and ended by the duration limit.',
  call_interrupted: 'Answered, and cut short by a fault on our side or of the network.',
  destination_busy: 'The line was busy.',
  no_answer: 'It rang and nobody answered.',
  destination_rejected: 'The far end declined the call.',
  destination_unreachable: 'The number does not exist or cannot be reached.',
  carrier_rejected: 'The carrier refused the call.',
  carrier_unavailable: 'The carrier could not be reached before anything could have been dialled.',
  submission_failed: 'It is confirmed that no call was placed.',
  permission_revoked: 'Permission to call was withdrawn before the dial.',
  insufficient_credits: 'The minutes were gone before the dial.',
  queue_expired: 'Not dispatched within the queue limit.',
  operator_resolved: 'An operator decided the outcome.',
} as const;
export type ExecutionErrorCode = keyof typeof EXECUTION_ERROR_CODES;

export const SPEAKERS = ['assistant', 'recipient', 'system', 'unknown'] as const;
export type Speaker = (typeof SPEAKERS)[number];

export const TranscriptSegment = Type.Object({
  sequence: Type.Integer(),
  speaker: wordOf([...SPEAKERS]),
  text: Type.String(),
});
export type TranscriptSegment = Static<typeof TranscriptSegment>;

export const Evidence = Type.Object({
  path: Type.String({ description: 'JSON Pointer of the answer in the result.' }),
  sequence: Type.Integer({ description: 'Transcript segment of the recipient that holds the quote.' }),
  quote: Type.String({ description: "The recipient's own words." }),
});
export type Evidence = Static<typeof Evidence>;

export const EXTRACTION_STATUSES = ['pending', 'complete', 'incomplete', 'unavailable', 'invalid'] as const;
export type ExtractionStatus = (typeof EXTRACTION_STATUSES)[number];

export const ResultExtraction = Type.Object(
  {
    status: wordOf([...EXTRACTION_STATUSES]),
    missing_fields: Type.Array(Type.String({ description: 'JSON Pointer of an answer that is still missing.' })),
    evidence: Type.Array(Evidence),
    issues: Type.Array(Type.String(), { maxItems: 20 }),
  },
  { additionalProperties: true },
);
export type ResultExtraction = Static<typeof ResultExtraction>;

const Moment = Type.String({ format: 'date-time' });

export const Execution = Type.Object({
  stage: wordOf([...STAGES]),
  error_code: nullable(Type.String()),
});
export type Execution = Static<typeof Execution>;

/** The call record that create, get, sync and cancel return. */
export const CallView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  task_id: Type.String({ format: 'uuid' }),
  execution: Type.Optional(nullable(Execution, { default: null })),
  state: wordOf([...CALL_STATES]),
  to: Type.String(),
  objective: Type.String(),
  caller_identity: Type.Optional(Type.Object({ name: nullable(Type.String()) })),
  summary: nullable(Type.String()),
  transcript: Type.Optional(Type.Array(TranscriptSegment)),
  result: Type.Unknown({
    description: 'Extracted JSON under the requested schema; null while unavailable or withheld.',
  }),
  result_schema_valid: nullable(Type.Boolean()),
  result_extraction: Type.Optional(nullable(ResultExtraction, { default: null })),
  created_at: Moment,
  started_at: nullable(Moment),
  completed_at: nullable(Moment),
});
export type CallView = Static<typeof CallView>;
