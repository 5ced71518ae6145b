// Server transactions of SIP over UDP: one request of the far end, its repetitions, and our answers. Pure, like
// client-transaction.ts. RFC 3261 section 17.2 with RFC 6026; the repetition of a 2xx until its ACK (section 13.3.1.4) is
// here too, because it lives exactly as long as the `accepted` state.
import type { SipRequest, SipResponse } from './message.ts';
import { lifetimeMs, type SipTimes } from './timers.ts';

export type ServerTimer =
  /** INVITE: send the final answer again. */
  | 'G'
  /** INVITE: the ACK of a refusal never came. */
  | 'H'
  /** INVITE: absorb repeated ACKs. */
  | 'I'
  /** Others: absorb repeated requests. */
  | 'J'
  /** INVITE: absorb repeated requests after a 2xx; also the end of waiting for its ACK. */
  | 'L';

export interface ServerState {
  readonly request: SipRequest;
  readonly phase: 'trying' | 'proceeding' | 'completed' | 'accepted' | 'confirmed' | 'over';
  /** The last answer, sent again when the request is repeated. */
  readonly last: SipResponse | null;
  readonly pauseMs: number;
  /** Whether the ACK of a 2xx has come. */
  readonly isAcknowledged: boolean;
}

export type ServerEvent =
  /** Our answer. */
  | { readonly kind: 'respond'; readonly response: SipResponse }
  /** The request came again. */
  | { readonly kind: 'repeated' }
  /** The ACK came: of a refusal by its branch, of a 2xx by its dialog. */
  | { readonly kind: 'ack' }
  | { readonly kind: 'timer'; readonly timer: ServerTimer };

export type ServerAction =
  | { readonly kind: 'send'; readonly response: SipResponse }
  | { readonly kind: 'arm'; readonly timer: ServerTimer; readonly delayMs: number }
  | { readonly kind: 'disarm'; readonly timer: ServerTimer }
  /** The 2xx was never acknowledged: the call must be ended with BYE (RFC 3261 section 13.3.1.4). */
  | { readonly kind: 'tell_unacknowledged' };

/** When `state.phase` is `over`, the transaction is to be forgotten with all its timers. */
export interface ServerStep {
  readonly state: ServerState;
  readonly actions: readonly ServerAction[];
}

/** A request that has just come and was not answered, RFC 3261 section 17.2. */
export function newServerTransaction(request: SipRequest): ServerState {
  return { request, phase: 'trying', last: null, pauseMs: 0, isAcknowledged: false };
}

/** Total: an event that means nothing in a state changes nothing. After a final answer no other is sent. */
export function nextServer(state: ServerState, event: ServerEvent, times: SipTimes): ServerStep {
  switch (event.kind) {
    case 'respond':
      return respond(state, event.response, times);
    case 'repeated':
      // In `accepted` the timer repeats the 2xx (RFC 6026 section 7.1); a repetition that crosses it asks for nothing.
      if (state.last === null || state.phase === 'accepted' || state.phase === 'confirmed')
        return { state, actions: [] };
      return state.phase === 'over'
        ? { state, actions: [] }
        : { state, actions: [{ kind: 'send', response: state.last }] };
    case 'ack':
      return acknowledged(state, times);
    case 'timer':
      return timer(state, event.timer, times);
  }
}

function respond(state: ServerState, response: SipResponse, times: SipTimes): ServerStep {
  if (state.phase !== 'trying' && state.phase !== 'proceeding') return { state, actions: [] };
  const send: ServerAction = { kind: 'send', response };
  if (response.status < 200) return { state: { ...state, phase: 'proceeding', last: response }, actions: [send] };
  if (state.request.method !== 'INVITE') {
    return {
      state: { ...state, phase: 'completed', last: response },
      actions: [{ kind: 'arm', timer: 'J', delayMs: lifetimeMs(times) }, send],
    };
  }
  return {
    state: {
      ...state,
      phase: response.status < 300 ? 'accepted' : 'completed',
      last: response,
      pauseMs: Math.min(2 * times.t1Ms, times.t2Ms),
    },
    actions: [
      { kind: 'arm', timer: 'G', delayMs: times.t1Ms },
      { kind: 'arm', timer: response.status < 300 ? 'L' : 'H', delayMs: lifetimeMs(times) },
      send,
    ],
  };
}

function acknowledged(state: ServerState, times: SipTimes): ServerStep {
  if (state.phase === 'accepted') {
    return { state: { ...state, isAcknowledged: true }, actions: [{ kind: 'disarm', timer: 'G' }] };
  }
  if (state.phase !== 'completed' || state.request.method !== 'INVITE') return { state, actions: [] };
  return {
    state: { ...state, phase: 'confirmed', isAcknowledged: true },
    actions: [
      { kind: 'disarm', timer: 'G' },
      { kind: 'disarm', timer: 'H' },
      { kind: 'arm', timer: 'I', delayMs: times.t4Ms },
    ],
  };
}

function timer(state: ServerState, timer: ServerTimer, times: SipTimes): ServerStep {
  if (timer === 'G') {
    if ((state.phase !== 'accepted' && state.phase !== 'completed') || state.isAcknowledged || state.last === null) {
      return { state, actions: [] };
    }
    return {
      state: { ...state, pauseMs: Math.min(2 * state.pauseMs, times.t2Ms) },
      actions: [
        { kind: 'arm', timer: 'G', delayMs: state.pauseMs },
        { kind: 'send', response: state.last },
      ],
    };
  }
  const isUnacknowledged = timer === 'L' && state.phase === 'accepted' && !state.isAcknowledged;
  return { state: { ...state, phase: 'over' }, actions: isUnacknowledged ? [{ kind: 'tell_unacknowledged' }] : [] };
}
