// Client transactions of SIP over UDP: one request, its retransmissions, and what came of it. Pure: (state, event) gives the
// next state and what to do; the user agent sends, keeps the timers and matches responses. RFC 3261 section 17.1, with the
// `accepted` state of RFC 6026, so that every repeated or forked 2xx still reaches the one who must acknowledge it.
import { headerOf, makeRequest, linesOf, type SipRequest, type SipResponse } from './message.ts';
import { lifetimeMs, timerDMs, type SipTimes } from './timers.ts';

export type ClientTimer =
  /** INVITE: send again. */
  | 'A'
  /** INVITE: give up. */
  | 'B'
  /** INVITE: forget a refusal whose ACK may be lost. */
  | 'D'
  /** Others: send again. */
  | 'E'
  /** Others: give up. */
  | 'F'
  /** Others: forget the final response. */
  | 'K'
  /** INVITE: forget a 2xx that may be repeated. */
  | 'M'
  /** INVITE: the network refused the only datagram; whoever is there after all has this long to answer. Ours, not of the RFC. */
  | 'refused';

export interface ClientState {
  readonly request: SipRequest;
  readonly phase: 'calling' | 'proceeding' | 'completed' | 'accepted' | 'over';
  /** How often the request was sent. */
  readonly sent: number;
  /** The next pause before a retransmission, ms. */
  readonly pauseMs: number;
  /** The ACK of a refused INVITE, sent again with every repetition of the refusal. */
  readonly ack: SipRequest | null;
}

export type ClientEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'response'; readonly response: SipResponse }
  | { readonly kind: 'timer'; readonly timer: ClientTimer }
  /** The machine would not send: the datagram has not left. */
  | { readonly kind: 'unsendable'; readonly because: string }
  /** The far machine says that nobody listens there (ICMP); which datagram it means is not said. */
  | { readonly kind: 'refused_by_network'; readonly because: string };

/** What the owner of the request is told. */
export type ClientNews =
  | { readonly kind: 'response'; readonly response: SipResponse }
  /** Nobody answered within the lifetime; the request may have arrived. */
  | { readonly kind: 'timed_out' }
  /** The request has surely reached nobody. */
  | { readonly kind: 'not_sent'; readonly because: string };

export type ClientAction =
  | { readonly kind: 'send'; readonly request: SipRequest }
  | { readonly kind: 'arm'; readonly timer: ClientTimer; readonly delayMs: number }
  | { readonly kind: 'disarm'; readonly timer: ClientTimer }
  | { readonly kind: 'tell'; readonly news: ClientNews };

/** When `state.phase` is `over`, the transaction is to be forgotten with all its timers. */
export interface ClientStep {
  readonly state: ClientState;
  readonly actions: readonly ClientAction[];
}

/** @param request with its Via; any method but ACK, which has no transaction of its own */
export function newClientTransaction(request: SipRequest, times: SipTimes): ClientState {
  return { request, phase: 'calling', sent: 0, pauseMs: times.t1Ms, ack: null };
}

/** The next state, and what to do in this order. Total: an event that means nothing in a state changes nothing. */
export function nextClient(state: ClientState, event: ClientEvent, times: SipTimes): ClientStep {
  if (state.phase === 'over') return { state, actions: [] };
  const isInvite = state.request.method === 'INVITE';
  switch (event.kind) {
    case 'started':
      return start(state, isInvite, times);
    case 'response':
      return isInvite ? inviteResponse(state, event.response, times) : otherResponse(state, event.response, times);
    case 'timer':
      return timer(state, event.timer, times);
    case 'unsendable':
      return unsendable(state, event.because);
    case 'refused_by_network':
      return refused(state, times);
  }
}

function start(state: ClientState, isInvite: boolean, times: SipTimes): ClientStep {
  if (state.sent > 0) return { state, actions: [] };
  return {
    state: { ...state, sent: 1, pauseMs: isInvite ? 2 * times.t1Ms : Math.min(2 * times.t1Ms, times.t2Ms) },
    actions: [
      { kind: 'arm', timer: isInvite ? 'A' : 'E', delayMs: times.t1Ms },
      { kind: 'arm', timer: isInvite ? 'B' : 'F', delayMs: lifetimeMs(times) },
      { kind: 'send', request: state.request },
    ],
  };
}

const stopCalling: readonly ClientAction[] = [
  { kind: 'disarm', timer: 'A' },
  { kind: 'disarm', timer: 'B' },
  { kind: 'disarm', timer: 'refused' },
];

function inviteResponse(state: ClientState, response: SipResponse, times: SipTimes): ClientStep {
  const tell: ClientAction = { kind: 'tell', news: { kind: 'response', response } };
  const isOpen = state.phase === 'calling' || state.phase === 'proceeding';
  if (response.status < 200) {
    if (!isOpen) return { state, actions: [] };
    return { state: { ...state, phase: 'proceeding' }, actions: [...stopCalling, tell] };
  }
  if (response.status < 300) {
    if (state.phase === 'accepted') return { state, actions: [tell] };
    if (!isOpen) return { state, actions: [] };
    return {
      state: { ...state, phase: 'accepted' },
      actions: [...stopCalling, { kind: 'arm', timer: 'M', delayMs: lifetimeMs(times) }, tell],
    };
  }
  if (state.phase === 'completed' && state.ack !== null) {
    return { state, actions: [{ kind: 'send', request: state.ack }] };
  }
  if (!isOpen) return { state, actions: [] };
  const ack = ackOfRefusal(state.request, response);
  return {
    state: { ...state, phase: 'completed', ack },
    actions: [
      ...stopCalling,
      { kind: 'send', request: ack },
      { kind: 'arm', timer: 'D', delayMs: timerDMs(times) },
      tell,
    ],
  };
}

/** The ACK of a final response other than 2xx (RFC 3261 section 17.1.1.3): the INVITE's own Via and Route, the response's To. */
function ackOfRefusal(invite: SipRequest, response: SipResponse): SipRequest {
  const from = headerOf(invite, 'from') ?? '';
  return makeRequest('ACK', invite.uri, [
    { name: 'via', value: linesOf(invite, 'via')[0] ?? '' },
    { name: 'max-forwards', value: '70' },
    ...linesOf(invite, 'route').map((value) => ({ name: 'route', value })),
    { name: 'from', value: from },
    { name: 'to', value: headerOf(response, 'to') ?? headerOf(invite, 'to') ?? '' },
    { name: 'call-id', value: invite.callId },
    { name: 'cseq', value: `${invite.cseq.number} ACK` },
  ]);
}

function otherResponse(state: ClientState, response: SipResponse, times: SipTimes): ClientStep {
  if (state.phase !== 'calling' && state.phase !== 'proceeding') return { state, actions: [] };
  const tell: ClientAction = { kind: 'tell', news: { kind: 'response', response } };
  if (response.status < 200) return { state: { ...state, phase: 'proceeding', pauseMs: times.t2Ms }, actions: [tell] };
  return {
    state: { ...state, phase: 'completed' },
    actions: [
      { kind: 'disarm', timer: 'E' },
      { kind: 'disarm', timer: 'F' },
      { kind: 'arm', timer: 'K', delayMs: times.t4Ms },
      tell,
    ],
  };
}

function timer(state: ClientState, timer: ClientTimer, times: SipTimes): ClientStep {
  const isWaiting = state.phase === 'calling' || state.phase === 'proceeding';
  switch (timer) {
    case 'A':
      if (state.phase !== 'calling') return { state, actions: [] };
      return again(state, 'A', 2 * state.pauseMs);
    case 'E':
      if (!isWaiting) return { state, actions: [] };
      return again(state, 'E', Math.min(2 * state.pauseMs, times.t2Ms));
    case 'B':
    case 'F':
      if (timer === 'B' ? state.phase !== 'calling' : !isWaiting) return { state, actions: [] };
      return { state: { ...state, phase: 'over' }, actions: [{ kind: 'tell', news: { kind: 'timed_out' } }] };
    case 'refused':
      if (state.phase !== 'calling') return { state, actions: [] };
      return unsendable(state, 'nobody listens at the address (ICMP port unreachable)');
    case 'D':
    case 'K':
    case 'M':
      return { state: { ...state, phase: 'over' }, actions: [] };
  }
}

function again(state: ClientState, timer: 'A' | 'E', nextPauseMs: number): ClientStep {
  return {
    state: { ...state, sent: state.sent + 1, pauseMs: nextPauseMs },
    actions: [
      { kind: 'arm', timer, delayMs: state.pauseMs },
      { kind: 'send', request: state.request },
    ],
  };
}

/** Only the first datagram's failure is certainty: a retransmission that cannot leave says nothing about those before it. */
function unsendable(state: ClientState, because: string): ClientStep {
  if (state.phase !== 'calling' || state.sent > 1) return { state, actions: [] };
  return { state: { ...state, phase: 'over' }, actions: [{ kind: 'tell', news: { kind: 'not_sent', because } }] };
}

/**
 * An ICMP error names no datagram. It is taken for the INVITE's only while the INVITE was sent once; it is then not sent
 * again, and if the error was another's, T1 is time for a provisional answer to arrive and set it right.
 */
function refused(state: ClientState, times: SipTimes): ClientStep {
  if (state.phase !== 'calling' || state.sent !== 1 || state.request.method !== 'INVITE') return { state, actions: [] };
  return {
    state,
    actions: [
      { kind: 'disarm', timer: 'A' },
      { kind: 'arm', timer: 'refused', delayMs: times.t1Ms },
    ],
  };
}
