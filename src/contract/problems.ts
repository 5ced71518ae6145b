// The one list of what the API can refuse, held equal to docs/errors.md by a test. A new code is added here first.

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Whether sending the same request again can help without anything else changing; null where that depends. */
  readonly retryable: boolean | null;
}

const row = (status: number, title: string, retryable: boolean | null): ProblemRow => ({ status, title, retryable });

/** Every problem code of the public API: HTTP status, title, and whether the same request may be sent again. */
export const PROBLEMS = {
  missing_idempotency_key: row(400, 'Idempotency-Key is missing', false),
  phone_code_incorrect: row(400, 'The code is not the one that was sent', false),
  phone_code_expired: row(400, 'The code is no longer valid', false),
  invalid_api_key: row(401, 'API key is not valid', false),
  api_key_revoked: row(401, 'API key was revoked', false),
  api_key_expired: row(401, 'API key has expired', false),
  invalid_onboarding_token: row(401, 'Onboarding token is not valid', false),
  insufficient_credits: row(402, 'No minutes left', false),
  insufficient_credits_for_call: row(402, 'Not enough minutes for this call', false),
  live_calls_disabled: row(403, 'Live calls are switched off', false),
  agent_project_inactive: row(403, 'Project is inactive', false),
  call_not_found: row(404, 'No such call', false),
  not_found: row(404, 'No such route', false),
  method_not_allowed: row(405, 'Method is not allowed here', false),
  idempotency_conflict: row(409, 'Idempotency-Key was used with other content', false),
  managed_agent_unavailable: row(409, 'Assistant is not set up or not active', false),
  account_login_required: row(409, 'An account with this e-mail exists', false),
  onboarding_key_revoked: row(409, 'The key of this signup was revoked', false),
  phone_not_verified: row(409, 'Phone number is not verified yet', false),
  payload_too_large: row(413, 'Body is too large', false),
  invalid_call: row(422, 'Call request is not valid', false),
  call_purpose_blocked: row(422, 'Purpose of the call is not allowed', false),
  rate_limit_exceeded: row(429, 'Too many requests', true),
  control_plane_error: row(502, 'Calling service failed', true),
  invalid_control_plane_response: row(502, 'Calling service answered out of contract', true),
  control_plane_unavailable: row(503, 'Calling service cannot be reached', true),
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;
