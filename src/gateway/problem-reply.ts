// Every error as a problem record with its headers. The one place where the door decides what a failure is called in public; the
// words of a failed create always say whether a call can exist.
import type { FastifyError, FastifyReply } from 'fastify';
import { PROBLEM_CONTENT_TYPE, problemOf } from '../contract/problem-detail.ts';
import type { ProblemDetail } from '../contract/problem-detail.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { Refusal } from '../contract/refusal.ts';
import { Fault } from '../platform/errors.ts';
import { sendJson } from './json-reply.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import type { UpstreamCode } from './upstream-failure.ts';

export interface Told {
  readonly problem: ProblemDetail;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What to answer.
 * @param cause a code of the table, with the detail as `about`; or whatever was thrown, with `about` saying whether it was a
 *   create that failed
 */
export function problemFor(cause: ProblemCode, about: string, headers?: Readonly<Record<string, string>>): Told;
export function problemFor(cause: unknown, about: boolean): Told;
export function problemFor(
  cause: unknown,
  about: string | boolean,
  headers: Readonly<Record<string, string>> = {},
): Told {
  if (typeof about === 'string') return { problem: problemOf(cause as ProblemCode, about), headers }; // by the first overload
  if (cause instanceof Refusal) {
    const { code, detail, details } = cause;
    return { problem: problemOf(code, detail, details.actionUrl), headers: headersOf(cause) };
  }
  if (isUnreadable(cause)) {
    const code = cause.statusCode === 413 ? 'payload_too_large' : 'bad_request';
    return { problem: problemOf(code, cause.message), headers: {} };
  }
  const { code, retry } = failureOf(cause);
  return {
    problem: problemOf(code, `${FAILURES[code]} ${about ? CALL_EXISTS[retry] : STATE_STANDS[retry]}`),
    headers: {},
  };
}

/** Sends the record; a reply that was begun already is left alone. */
export function sendProblem(reply: FastifyReply, { problem, headers }: Told): FastifyReply {
  if (reply.sent) return reply;
  return sendJson(reply.code(problem.status).headers(headers), problem, PROBLEM_CONTENT_TYPE);
}

function headersOf(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (refusal.code === 'rate_limit_exceeded') {
    headers['retry-after'] = String(Math.max(1, Math.ceil(refusal.details.retryAfterSeconds ?? 1)));
  }
  if (UNAUTHORIZED.has(refusal.code)) headers['www-authenticate'] = 'Bearer';
  return headers;
}

const UNAUTHORIZED: ReadonlySet<ProblemCode> = new Set([
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'invalid_onboarding_token',
]);

/** What the HTTP framework finds wrong with a request on its own: JSON that is none, a body above its limit. */
function isUnreadable(cause: unknown): cause is FastifyError & { readonly statusCode: number } {
  if (!(cause instanceof Error) || !('code' in cause) || !('statusCode' in cause)) return false;
  const { code, statusCode } = cause;
  return String(code).startsWith('FST_ERR_CTP_') && typeof statusCode === 'number' && statusCode < 500;
}

/** A `Fault` in process means that the store does not answer; anything unexpected is a failure of the calling service. */
function failureOf(cause: unknown): { readonly code: UpstreamCode; readonly retry: 'safe' | 'never' } {
  if (cause instanceof UpstreamFailure) return cause;
  if (cause instanceof Fault) return { code: 'control_plane_unavailable', retry: cause.retry };
  return { code: 'control_plane_error', retry: 'never' };
}

const FAILURES: Readonly<Record<UpstreamCode, string>> = {
  control_plane_error: 'The calling service failed.',
  invalid_control_plane_response: 'The calling service gave an answer that is not of the contract.',
  control_plane_unavailable: 'The calling service cannot be reached or did not answer in time.',
};

const CALL_EXISTS = {
  safe: 'No call was created. Send the same request with the same Idempotency-Key again later.',
  never:
    'A call may exist. Send the same content with the same Idempotency-Key again: that finds the call, or makes it once. Never use a new key to recover.',
} as const;

const STATE_STANDS = {
  safe: 'Nothing was changed. The request may be sent again.',
  never: 'It is not known whether the request was carried out. It may be sent again: that changes nothing twice.',
} as const;
