// What a refused create is told: one sentence about what is wrong, one about what now, and always whether a call can exist.
import { Refusal } from '../contract/refusal.ts';
import { refuseKey } from '../account/keys.ts';
import type { AdmissionOutcome, AdmissionStatus } from './store.ts';

const NOTHING = 'No call was created.';

export const IDEMPOTENCY_KEY_LIMIT = 200;

export const missingIdempotencyKey = (): Refusal =>
  new Refusal(
    'missing_idempotency_key',
    `Send an Idempotency-Key header of 1 to ${IDEMPOTENCY_KEY_LIMIT} characters, one for each intended call. ${NOTHING}`,
  );

export const longIdempotencyKey = (): Refusal =>
  invalidCall(`Header "Idempotency-Key" is not valid. Wanted: 1 to ${IDEMPOTENCY_KEY_LIMIT} characters.`);

export const invalidCall = (sentence: string): Refusal => new Refusal('invalid_call', `${sentence} ${NOTHING}`);

export const bodyTooLarge = (limitBytes: number): Refusal =>
  new Refusal('payload_too_large', `A body may have at most ${limitBytes} bytes. ${NOTHING}`);

/** The refusal for each outcome that is neither a new call nor a replay. */
export function refusalOf(
  status: Exclude<AdmissionStatus, 'admitted' | 'replay'>,
  outcome: AdmissionOutcome,
  billingUrl: string,
): Refusal {
  switch (status) {
    case 'invalid_api_key':
    case 'api_key_revoked':
    case 'api_key_expired':
      return refuseKey(status);
    case 'idempotency_conflict':
      return new Refusal(
        status,
        'This Idempotency-Key belongs to a call with other content, which exists and was not changed. No other call was ' +
          'created. Find out which content is meant; another call needs another key.',
      );
    case 'rate_limit_exceeded': {
      const retryAfterSeconds = Math.max(1, outcome.retry_after_seconds ?? 1);
      return new Refusal(
        status,
        `This API key has used up its new calls for now. Send the same request again in ${seconds(retryAfterSeconds)}. ${NOTHING}`,
        { retryAfterSeconds },
      );
    }
    case 'live_calls_disabled':
      return new Refusal(status, `The operator has switched live calls off. Nothing was looked at. ${NOTHING}`);
    case 'agent_project_inactive':
      return new Refusal(status, `The project of this API key is inactive. ${NOTHING}`);
    case 'managed_agent_unavailable':
      return new Refusal(
        status,
        `The assistant of this project is not set up or not active: finish its set-up or switch it on. ${NOTHING}`,
      );
    case 'insufficient_credits':
      return new Refusal(status, `No minutes are left. ${NOTHING} Nothing was charged.`, { actionUrl: billingUrl });
    case 'insufficient_credits_for_call':
      return new Refusal(status, `${shortage(outcome)} ${NOTHING} Nothing was charged.`, { actionUrl: billingUrl });
    case 'call_purpose_blocked':
      return new Refusal(
        status,
        `The purpose of this call is not allowed: no pranks, nuisance, harassment or threats. Do not send it again. ${NOTHING}`,
      );
    case 'purpose_unknown':
      return new Refusal(
        'control_plane_error',
        `The purpose of the call could not be screened, so nothing was admitted. ${NOTHING} Send the same request again later.`,
      );
  }
}

function shortage(outcome: AdmissionOutcome): string {
  const { remaining_minutes: remaining, required_minutes: required, ceiling_seconds: ceiling } = outcome;
  const needs = `The requested limit needs ${minutes(required ?? 0)}`;
  if (remaining === null) return `${needs}; calls of this plan last at most ${seconds(ceiling ?? 0)}.`;
  const has = `${minutes(remaining)} ${remaining === 1 ? 'remains' : 'remain'}`;
  return `${needs}, ${has}, and calls of this plan last at most ${seconds(ceiling ?? 0)}.`;
}

const minutes = (count: number): string => `${count} ${count === 1 ? 'minute' : 'minutes'}`;
const seconds = (count: number): string => `${count} ${count === 1 ? 'second' : 'seconds'}`;
