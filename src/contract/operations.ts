// The operations of the public API as data: what the OpenAPI document is built from and the routes are tested against.
import type { TSchema } from 'typebox';
import { CallCreation, CallView } from './call.ts';
import { Health, Readiness } from './health.ts';
import { OnboardingKey, OnboardingStart, OnboardingView, PhoneStatus, PhoneVerify } from './onboarding.ts';
import type { ProblemCode } from './problems.ts';

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post';
  /** With `{call_id}` for the one path parameter there is. */
  readonly path: string;
  readonly tag: 'Calls' | 'Onboarding' | 'Health';
  readonly summary: string;
  readonly description: string;
  readonly auth: 'none' | 'api_key' | 'onboarding_token';
  /** What `Idempotency-Key` is here; null: the header has no meaning. */
  readonly idempotencyKey: 'call' | 'nonce' | null;
  readonly requestBody: TSchema | null;
  readonly success: { readonly status: 200 | 202; readonly body: TSchema; readonly says: string };
  /** Every problem record that can be answered, in the order of the checks. */
  readonly problems: readonly ProblemCode[];
  /** Answers of other content types than problem records. */
  readonly otherErrors: readonly ('validation_422' | 'readiness_503')[];
  /** Whether the gateway of this release serves it. */
  readonly isServed: boolean;
}

const KEY_PROBLEMS = ['invalid_api_key', 'api_key_revoked', 'api_key_expired'] as const;
const HALL_PROBLEMS = [
  'control_plane_error',
  'invalid_control_plane_response',
  'control_plane_unavailable',
] as const satisfies readonly ProblemCode[];

/** What a read, a sync and a cancel can be refused for. */
const CALL_PROBLEMS: readonly ProblemCode[] = [
  ...KEY_PROBLEMS,
  'rate_limit_exceeded',
  'invalid_call',
  'agent_project_inactive',
  'managed_agent_unavailable',
  'call_not_found',
  'method_not_allowed',
  ...HALL_PROBLEMS,
];

const callOperation = {
  tag: 'Calls',
  auth: 'api_key',
  idempotencyKey: null,
  requestBody: null,
  otherErrors: [],
  isServed: true,
} as const;
const onboarding = {
  tag: 'Onboarding',
  idempotencyKey: null,
  requestBody: null,
  otherErrors: [],
  isServed: false,
} as const;
const health = { tag: 'Health', auth: 'none', idempotencyKey: null, requestBody: null, isServed: true } as const;

export const OPERATIONS: readonly Operation[] = [
  {
    ...callOperation,
    id: 'createCall',
    method: 'post',
    path: '/v1/calls',
    summary: 'Place one call',
    description:
      'Durably admits a task and its one call. 202 is no proof that dialing has started. An identical retry with the same `Idempotency-Key` finds the call that exists; after a timeout, a 502 or a 503, that retry is the only safe way on. Members that occur twice in the JSON count once: the last.',
    idempotencyKey: 'call',
    requestBody: CallCreation,
    success: { status: 202, body: CallView, says: 'The call, new or as it stands now.' },
    problems: [
      ...KEY_PROBLEMS,
      'missing_idempotency_key',
      'payload_too_large',
      'invalid_call',
      'idempotency_conflict',
      'rate_limit_exceeded',
      'live_calls_disabled',
      'agent_project_inactive',
      'managed_agent_unavailable',
      'insufficient_credits',
      'insufficient_credits_for_call',
      'call_purpose_blocked',
      'method_not_allowed',
      ...HALL_PROBLEMS,
    ],
  },
  {
    ...callOperation,
    id: 'getCall',
    method: 'get',
    path: '/v1/calls/{call_id}',
    summary: 'Read a call',
    description: 'Saved state only; asks nobody else.',
    success: { status: 200, body: CallView, says: 'The call as it is saved.' },
    problems: CALL_PROBLEMS,
  },
  {
    ...callOperation,
    id: 'syncCall',
    method: 'post',
    path: '/v1/calls/{call_id}/sync',
    summary: 'Refresh a call',
    description:
      'Never dials and never resumes a paused recovery. On a terminal call whose extraction failed, the extraction is tried again. Poll every few seconds within a bounded budget.',
    success: { status: 200, body: CallView, says: 'The call as it stands now.' },
    problems: CALL_PROBLEMS,
  },
  {
    ...callOperation,
    id: 'cancelCall',
    method: 'post',
    path: '/v1/calls/{call_id}/cancel',
    summary: 'Ask to cancel a call',
    description:
      'A call that was not dispatched is cancelled at once. Otherwise the stage is `cancel_requested` until the end is confirmed: 200 is no proof of a hang-up. Send it once.',
    success: { status: 200, body: CallView, says: 'The call as it stands now.' },
    problems: CALL_PROBLEMS,
  },
  {
    ...onboarding,
    id: 'startOnboarding',
    method: 'post',
    path: '/v1/onboarding/start',
    auth: 'none',
    summary: 'Start or resume a signup',
    description:
      'Sends a code by SMS. An identical retry with the same nonce sends no other SMS, and resumes a signup whose token has ended.',
    idempotencyKey: 'nonce',
    requestBody: OnboardingStart,
    success: { status: 200, body: OnboardingView, says: 'The signup, new or resumed.' },
    problems: [
      'missing_idempotency_key',
      'payload_too_large',
      'idempotency_conflict',
      'account_login_required',
      'rate_limit_exceeded',
      'method_not_allowed',
      ...HALL_PROBLEMS,
    ],
    otherErrors: ['validation_422'],
  },
  {
    ...onboarding,
    id: 'resendCode',
    method: 'post',
    path: '/v1/onboarding/resend',
    auth: 'onboarding_token',
    summary: 'Send another code',
    description: "Only at the person's request, and not before `resend_at`. The old code stops working.",
    success: { status: 200, body: PhoneStatus, says: 'The new challenge.' },
    problems: ['invalid_onboarding_token', 'rate_limit_exceeded', 'method_not_allowed', ...HALL_PROBLEMS],
  },
  {
    ...onboarding,
    id: 'verifyPhone',
    method: 'post',
    path: '/v1/onboarding/verify',
    auth: 'onboarding_token',
    summary: 'Verify the phone',
    description: 'Proceed only when `verified` is true.',
    requestBody: PhoneVerify,
    success: { status: 200, body: PhoneStatus, says: 'Whether the phone is verified.' },
    problems: [
      'invalid_onboarding_token',
      'payload_too_large',
      'phone_code_incorrect',
      'phone_code_expired',
      'rate_limit_exceeded',
      'method_not_allowed',
      ...HALL_PROBLEMS,
    ],
    otherErrors: ['validation_422'],
  },
  {
    ...onboarding,
    id: 'completeOnboarding',
    method: 'post',
    path: '/v1/onboarding/complete',
    auth: 'onboarding_token',
    summary: 'Get the API key',
    description: "Retries within the token's life return the same key and make no second one.",
    success: { status: 200, body: OnboardingKey, says: 'The key, its project and workspace.' },
    problems: [
      'invalid_onboarding_token',
      'phone_not_verified',
      'account_login_required',
      'onboarding_key_revoked',
      'rate_limit_exceeded',
      'method_not_allowed',
      ...HALL_PROBLEMS,
    ],
  },
  {
    ...health,
    id: 'health',
    method: 'get',
    path: '/health',
    summary: 'Is the gateway alive?',
    description: 'Asks nobody else.',
    success: { status: 200, body: Health, says: 'It is.' },
    problems: ['method_not_allowed'],
    otherErrors: [],
  },
  {
    ...health,
    id: 'ready',
    method: 'get',
    path: '/health/ready',
    summary: 'Can the gateway reach the control plane?',
    description: 'Says nothing of keys, permissions, minutes or the carrier.',
    success: { status: 200, body: Readiness, says: 'It can.' },
    problems: ['method_not_allowed'],
    otherErrors: ['readiness_503'],
  },
];
