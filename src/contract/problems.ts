// The one list of what the API can refuse; docs/errors.md is written from it. A new code is added here first.

interface ProblemRow {
  readonly status: number;
  readonly title: string;
  /** Whether sending the same request again can help without anything else changing; null where that depends. */
  readonly retryable: boolean | null;
  /** What the caller does next, for the documents. */
  readonly next: string;
}

const row = (status: number, title: string, retryable: boolean | null, next: string): ProblemRow => ({
  status,
  title,
  retryable,
  next,
});

/** Every problem code of the public API: HTTP status, title, and whether the same request may be sent again. */
export const PROBLEMS = {
  bad_request: row(400, 'Not an HTTP request that can be read', false, 'Mend the request line, headers or framing.'),
  missing_idempotency_key: row(
    400,
    'Idempotency-Key is missing',
    false,
    'Choose one key for this call and send it with every attempt.',
  ),
  phone_code_incorrect: row(
    400,
    'The code is not the one that was sent',
    false,
    'Let the person check the code; five attempts are allowed.',
  ),
  phone_code_expired: row(
    400,
    'The code is no longer valid',
    false,
    'It ran out, was replaced, or had five wrong attempts: offer to send another.',
  ),
  invalid_api_key: row(401, 'API key is not valid', false, 'Send a key of this service, or create one.'),
  api_key_revoked: row(401, 'API key was revoked', false, 'Create a replacement.'),
  api_key_expired: row(401, 'API key has expired', false, 'Create a replacement.'),
  invalid_onboarding_token: row(
    401,
    'Onboarding token is not valid',
    false,
    'Resume the signup with its saved nonce, or log in.',
  ),
  insufficient_credits: row(402, 'No minutes left', false, 'Top up, then send the same request with the same key.'),
  insufficient_credits_for_call: row(
    402,
    'Not enough minutes for this call',
    false,
    'Top up, or ask the person whether a shorter limit will do.',
  ),
  live_calls_disabled: row(403, 'Live calls are switched off', false, 'Wait for the operator.'),
  agent_project_inactive: row(403, 'Project is inactive', false, 'Let the owner activate the project.'),
  call_not_found: row(404, 'No such call', false, 'Check the id; calls of other projects are not visible.'),
  not_found: row(404, 'No such route', false, 'See the OpenAPI document.'),
  method_not_allowed: row(405, 'Method is not allowed here', false, 'Use a method that `Allow` names.'),
  request_timeout: row(408, 'The request did not arrive in time', true, 'Send it again, whole.'),
  idempotency_conflict: row(
    409,
    'Idempotency-Key was used with other content',
    false,
    'Find out why the content changed; never rotate the key by machine.',
  ),
  managed_agent_unavailable: row(
    409,
    'Assistant is not set up or not active',
    false,
    'Let the owner finish or activate the assistant.',
  ),
  account_login_required: row(
    409,
    'An account with this e-mail exists',
    false,
    'Let the person log in and create a key in Settings.',
  ),
  onboarding_key_revoked: row(
    409,
    'The key of this signup was revoked',
    false,
    'Let the person create a replacement in Settings.',
  ),
  phone_not_verified: row(409, 'Phone number is not verified yet', false, 'Verify the code first.'),
  payload_too_large: row(413, 'Body is too large', false, 'Send at most 256 KiB.'),
  invalid_call: row(422, 'Call request is not valid', false, 'Mend the field that `detail` names.'),
  call_purpose_blocked: row(422, 'Purpose of the call is not allowed', false, 'Stop: this call is not placed.'),
  rate_limit_exceeded: row(429, 'Too many requests', true, 'Wait for `Retry-After` seconds.'),
  headers_too_large: row(431, 'Headers are too large', false, 'Send fewer or shorter headers.'),
  control_plane_error: row(
    502,
    'Calling service failed',
    true,
    'Read `detail`; repeat a create with the same key and content only.',
  ),
  invalid_control_plane_response: row(
    502,
    'Calling service answered out of contract',
    true,
    'The outcome is unknown: repeat a create with the same key and content only.',
  ),
  control_plane_unavailable: row(
    503,
    'Calling service cannot be reached',
    true,
    'The outcome is unknown: repeat a create with the same key and content only.',
  ),
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof PROBLEMS;

/** Whether a text is a code of the table. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}
