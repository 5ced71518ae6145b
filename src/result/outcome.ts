// How a call ended, in sentences that claim no more than the call's own record holds. Pure.
import type { CallState, ExecutionErrorCode } from '../contract/call.ts';
import { isAutomatic } from './interview.ts';
import type { TranscriptTurn } from './transcript.ts';

export interface EndedCall {
  readonly state: Extract<CallState, 'completed' | 'failed' | 'cancelled'>;
  readonly errorCode: string | null;
  readonly isStarted: boolean;
  readonly isAnswered: boolean;
}

const FAILURES: Readonly<Partial<Record<ExecutionErrorCode, string>>> = {
  destination_busy: 'The call was not answered: the line was busy.',
  no_answer: 'The call was not answered: nobody picked up.',
  destination_rejected: 'The call was not answered: the other side declined it.',
  destination_unreachable: 'The call could not be connected: the number does not exist or cannot be reached.',
  carrier_rejected: 'The call could not be connected: the carrier refused it.',
  carrier_unavailable: 'The call was not placed: the carrier could not be reached.',
  submission_failed: 'The call was not placed: it is confirmed that the dial did not go out.',
  permission_revoked: 'The call was not placed: the permission to call was withdrawn before the dial.',
  insufficient_credits: 'The call was not placed: the minutes were used up before the dial.',
  queue_expired: 'The call was not placed: it waited longer than the queue limit.',
  operator_resolved: 'An operator closed this call; whether it was answered is not known.',
};

/** One to three sentences. Never says that the errand succeeded. */
export function outcomeOf(call: EndedCall, turns: readonly TranscriptTurn[]): string {
  if (!call.isAnswered) return unansweredOutcome(call);
  const note = soleNote(call, turns);
  if (note !== null) return note;
  const heard = turns.filter((turn) => turn.speaker === 'recipient');
  const isMachine = heard.some((turn) => isAutomatic(turn.text));
  const who = isMachine
    ? 'The call was answered, as it seems by a voicemail or an automatic system.'
    : 'The call was answered.';
  const silent = heard.length === 0 ? ' No words of the recipient were received.' : '';
  return `${who}${silent}${ending(call)}`;
}

/** Why nobody could say a word, where the transcript of an interrupted call holds that alone. */
function soleNote(call: EndedCall, turns: readonly TranscriptTurn[]): string | null {
  const [only] = turns;
  const isAlone = call.errorCode === 'call_interrupted' && turns.length === 1;
  return isAlone && only?.speaker === 'system' ? only.text : null;
}

function unansweredOutcome(call: EndedCall): string {
  if (call.state === 'cancelled') {
    return call.isStarted
      ? 'The call was cancelled before anybody answered.'
      : 'The call was cancelled before it was placed.';
  }
  // as: an unknown code finds nothing
  const known = FAILURES[call.errorCode as ExecutionErrorCode];
  if (known !== undefined) return known;
  return call.state === 'completed' ? 'The call is closed; an answer was not recorded.' : 'The call was not answered.';
}

function ending(call: EndedCall): string {
  if (call.state === 'cancelled') return ' It was cancelled while it was going on.';
  if (call.errorCode === 'duration_limit_reached') return ' It was ended by the duration limit.';
  if (call.errorCode === 'call_interrupted')
    return ' It was cut short on our side or by the network, so it may be incomplete.';
  if (call.errorCode === 'operator_resolved') return ' An operator closed it.';
  return call.state === 'failed' ? ' It ended with a failure.' : '';
}
