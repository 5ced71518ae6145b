// One outgoing call, from the INVITE to the end of its dialog. Pure: (state, event) gives the next state and what to do. It
// dials once: the only INVITE after the first is the same one with credentials. Transactions, sockets, timers and media are
// the leg's. Early media is not an answer; CANCEL waits for a provisional answer; a 2xx that crosses it gets ACK and BYE.
import type { HangUp, LegEvent } from '../line.ts';
import { takeChallenges } from './authorization.ts';
import type { ClientNews } from './client-transaction.ts';
import { dialogOfAnswer, isInDialog, takeRequest, type Dialog } from './dialog.ts';
import { formatVia } from './header.ts';
import { makeAck, makeBye, makeCancel, makeInvite, nextBranch, type RequestRules } from './leg-requests.ts';
import type { SipLegRecord } from './leg-record.ts';
import { buildMessage, type SipRequest, type SipResponse } from './message.ts';
import { verdictOf } from './verdict.ts';

export interface CallRules extends RequestRules {
  /** How long it may ring, from the first provisional answer, ms. */
  readonly ringMs: number;
  /** How long the carrier may stay mute, ms. */
  readonly acknowledgeMs: number;
  /** How long a final answer may take after our CANCEL, ms: 64 T1 (RFC 3261 section 9.1). */
  readonly cancelledMs: number;
}

export type CallTimer = 'acknowledge' | 'ring' | 'cancelled';

export type EndWish = 'us' | 'ring_limit';

interface Acknowledgement {
  readonly tag: string;
  readonly request: SipRequest;
  readonly hop: string;
}

export interface CallState {
  readonly record: SipLegRecord;
  readonly phase: 'ready' | 'calling' | 'proceeding' | 'answered' | 'ending' | 'over';
  /** The INVITE in flight; null before the first. */
  readonly invite: SipRequest | null;
  /** The ACK of each 2xx by its To tag, to be sent again when the 2xx is: ours, and those of forks that were ended. */
  readonly acks: readonly Acknowledgement[];
  /** Why we want it to end; null while we do not. */
  readonly wish: EndWish | null;
  readonly isCancelSent: boolean;
  readonly hasRung: boolean;
  /** Whether `answered` was told: not when the answer crossed our CANCEL. */
  readonly isAnswerTold: boolean;
  /** How often our BYE was sent with other credentials. */
  readonly byeRepeats: number;
  /** SDP of a provisional answer, by its To tag: some carriers leave it out of the 2xx. */
  readonly earlySdp: { readonly tag: string; readonly sdp: string } | null;
}

export type CallEvent =
  /** The media is open: dial. */
  | { readonly kind: 'dial'; readonly offer: string }
  /** Nothing can be sent for a reason of ours. */
  | {
      readonly kind: 'undialable';
      readonly code: 'submission_failed' | 'carrier_unavailable';
      readonly because: string;
    }
  | { readonly kind: 'invite_news'; readonly news: ClientNews }
  | { readonly kind: 'bye_news'; readonly news: ClientNews }
  | { readonly kind: 'timer'; readonly timer: CallTimer }
  | { readonly kind: 'hang_up' }
  /** A request of the far end inside the dialog that is in order; BYE ends the call. */
  | { readonly kind: 'request'; readonly request: SipRequest };

export type CallAction =
  | { readonly kind: 'invite'; readonly request: SipRequest }
  | { readonly kind: 'cancel'; readonly request: SipRequest }
  /** @param isOurs false for the BYE of a forked answer, whose fate nobody waits for */
  | { readonly kind: 'bye'; readonly request: SipRequest; readonly hop: string; readonly isOurs: boolean }
  | { readonly kind: 'ack'; readonly request: SipRequest; readonly hop: string }
  | { readonly kind: 'arm'; readonly timer: CallTimer; readonly delayMs: number }
  | { readonly kind: 'disarm'; readonly timer: CallTimer }
  /** The far end answered with this SDP, empty when it sent none; the leg tells `answered` with what it can carry. */
  | { readonly kind: 'answered'; readonly sdp: string }
  | { readonly kind: 'tell'; readonly event: LegEvent }
  /** What became of our hang-up. */
  | { readonly kind: 'hung_up'; readonly how: HangUp };

export interface CallStep {
  readonly state: CallState;
  readonly actions: readonly CallAction[];
}

/** A call of which this process has sent nothing yet; the record is fresh, or what another process left of its dial. */
export function newCall(record: SipLegRecord): CallState {
  return {
    record,
    phase: 'ready',
    invite: null,
    acks: [],
    wish: null,
    isCancelSent: false,
    hasRung: false,
    isAnswerTold: false,
    byeRepeats: 0,
    earlySdp: null,
  };
}

/** The next state, and what to do in this order. Total: an event that means nothing in a phase changes nothing. */
export function nextCall(state: CallState, event: CallEvent, rules: CallRules): CallStep {
  switch (event.kind) {
    case 'dial':
      if (state.phase !== 'ready') return stay(state);
      return invite({ ...state, record: { ...state.record, offer: event.offer } }, rules);
    case 'undialable':
      if (state.phase !== 'ready') return stay(state);
      return over(state, [{ kind: 'refused', verdict: { code: event.code, because: event.because } }], 'confirmed');
    case 'invite_news':
      return inviteNews(state, event.news, rules);
    case 'bye_news':
      return byeNews(state, event.news, rules);
    case 'timer':
      return timer(state, event.timer, rules);
    case 'hang_up':
      return wishToEnd(state, 'us', rules);
    case 'request':
      return request(state, event.request, rules);
  }
}

function stay(state: CallState): CallStep {
  return { state, actions: [] };
}

function tell(event: LegEvent): CallAction {
  return { kind: 'tell', event };
}

function tellRecord(state: CallState): CallAction {
  return tell({ kind: 'record', record: state.record });
}

/** The end of the call for the one who holds it; late 2xx are still taken care of. */
function over(state: CallState, events: readonly LegEvent[], how: HangUp): CallStep {
  return {
    state: { ...state, phase: 'over' },
    actions: [
      { kind: 'disarm', timer: 'acknowledge' },
      { kind: 'disarm', timer: 'ring' },
      { kind: 'disarm', timer: 'cancelled' },
      { kind: 'hung_up', how },
      ...events.map(tell),
    ],
  };
}

// More phones than this answering one call is no call; their 2xx are not acknowledged and time out by themselves.
const MAX_FORKS = 16;
const MAX_BYE_REPEATS = 2;

/** Sends the INVITE that the record describes: the first, or the one with credentials. */
function invite(state: CallState, rules: CallRules): CallStep {
  const made = makeInvite(state.record, rules);
  const next: CallState = { ...state, phase: 'calling', invite: made.request, record: made.record };
  return {
    state: next,
    actions: [
      tellRecord(next),
      { kind: 'arm', timer: 'acknowledge', delayMs: rules.acknowledgeMs },
      { kind: 'invite', request: made.request },
    ],
  };
}

function inviteNews(state: CallState, news: ClientNews, rules: CallRules): CallStep {
  if (news.kind === 'response') {
    const { response } = news;
    if (response.status >= 200 && response.status < 300) return success(state, response, rules);
    if (state.phase !== 'calling' && state.phase !== 'proceeding') return stay(state);
    return response.status < 200 ? provisional(state, response, rules) : refusal(state, response, rules);
  }
  if (state.phase !== 'calling') return stay(state);
  if (news.kind === 'timed_out') return over(state, [{ kind: 'given_up' }], 'unconfirmed');
  const verdict = { code: 'carrier_unavailable' as const, because: news.because };
  return over(state, [{ kind: 'refused', verdict }], 'confirmed');
}

function provisional(state: CallState, response: SipResponse, rules: CallRules): CallStep {
  const { invite } = state;
  if (invite === null) return stay(state);
  const actions: CallAction[] = [];
  let next: CallState = { ...state, phase: 'proceeding' };
  if (state.phase === 'calling') {
    actions.push({ kind: 'disarm', timer: 'acknowledge' }, { kind: 'arm', timer: 'ring', delayMs: rules.ringMs });
    actions.push(tell({ kind: 'acknowledged' }));
  }
  const dialog = state.record.dialog === null ? dialogOfAnswer(invite, response) : null;
  if (dialog !== null) {
    next = { ...next, record: { ...next.record, dialog } };
    actions.push(tellRecord(next));
  }
  if (response.body !== '') next = { ...next, earlySdp: { tag: response.toTag, sdp: response.body } };
  if (response.status === 180 && !state.hasRung) {
    next = { ...next, hasRung: true };
    if (state.wish === null) actions.push(tell({ kind: 'ringing' }));
  }
  if (state.wish === null || state.isCancelSent) return { state: next, actions };
  const cancelled = cancel(next, rules);
  return { state: cancelled.state, actions: [...actions, ...cancelled.actions] };
}

function cancel(state: CallState, rules: CallRules): CallStep {
  if (state.invite === null) return stay(state);
  return {
    state: { ...state, isCancelSent: true },
    actions: [
      { kind: 'disarm', timer: 'ring' },
      { kind: 'arm', timer: 'cancelled', delayMs: rules.cancelledMs },
      { kind: 'cancel', request: makeCancel(state.invite, rules) },
    ],
  };
}

function refusal(state: CallState, response: SipResponse, rules: CallRules): CallStep {
  const isChallenge = response.status === 401 || response.status === 407;
  if (isChallenge && state.wish === null) {
    const again = inviteWithCredentials(state, response, rules);
    if (again !== null) return again;
  }
  // After our CANCEL a 487 confirms it; so does a challenge that we no longer answer: no call was placed.
  if (state.wish !== null && (isChallenge || (state.isCancelSent && response.status === 487))) {
    return endedByUs(state, isChallenge ? 'before the INVITE was accepted' : 'before an answer', 'confirmed', rules);
  }
  return over(state, [{ kind: 'refused', verdict: verdictOf(response, state.hasRung) }], 'confirmed');
}

/** The same INVITE with credentials, a new branch and the next CSeq; null when the challenge cannot be answered (again). */
function inviteWithCredentials(state: CallState, response: SipResponse, rules: CallRules): CallStep | null {
  if (rules.credentials === null) return null;
  const challenges = takeChallenges(state.record.challenges, response, 'stale_only');
  if (challenges === null) return null;
  const { record, branch } = nextBranch(state.record);
  const next: SipLegRecord = {
    ...record,
    challenges,
    inviteVia: formatVia(rules.local, branch),
    inviteCSeq: record.inviteCSeq + 1,
    dialog: null,
  };
  return invite({ ...state, record: next, earlySdp: null }, rules);
}

function success(state: CallState, response: SipResponse, rules: CallRules): CallStep {
  const { invite } = state;
  if (invite === null) return stay(state);
  const before = state.acks.find((each) => each.tag === response.toTag);
  if (before !== undefined) {
    // Our ACK was lost: the same one again.
    return { state, actions: [{ kind: 'ack', request: before.request, hop: before.hop }] };
  }
  const dialog = dialogOfAnswer(invite, response);
  if (dialog === null || state.acks.length >= MAX_FORKS) return stay(state);
  const { record, request, hop } = makeAck(state.record, dialog, invite, rules);
  const acks = [...state.acks, { tag: dialog.remoteTag, request, hop }];
  const acknowledge: CallAction = { kind: 'ack', request, hop };
  if (state.record.isAnswered || state.phase === 'over') {
    // A second phone of a forked call, or an answer after we gave up: acknowledged and ended at once.
    const bye = makeBye(record, dialog, rules);
    return {
      state: { ...state, acks, record: { ...record, branches: bye.record.branches } },
      actions: [acknowledge, { kind: 'bye', request: bye.request, hop: bye.hop, isOurs: false }],
    };
  }
  return answered({ ...state, acks, record }, dialog, response, acknowledge, rules);
}

/** The 2xx that the call goes on with. */
function answered(
  state: CallState,
  dialog: Dialog,
  response: SipResponse,
  acknowledge: CallAction & { readonly kind: 'ack' },
  rules: CallRules,
): CallStep {
  const earlySdp = state.earlySdp?.tag === dialog.remoteTag ? state.earlySdp.sdp : '';
  const record: SipLegRecord = {
    ...state.record,
    dialog,
    isAnswered: true,
    answer: response.body === '' ? earlySdp : response.body,
    lastAck: buildMessage(acknowledge.request).toString('utf8'),
  };
  const next: CallState = { ...state, phase: 'answered', record };
  const actions: CallAction[] = [
    acknowledge,
    { kind: 'disarm', timer: 'acknowledge' },
    { kind: 'disarm', timer: 'ring' },
    { kind: 'disarm', timer: 'cancelled' },
    tellRecord(next),
  ];
  if (state.wish === null) {
    const told = { ...next, isAnswerTold: true };
    return { state: told, actions: [...actions, { kind: 'answered', sdp: record.answer ?? '' }] };
  }
  const ending = sendBye(next, rules);
  return { state: ending.state, actions: [...actions, ...ending.actions] };
}

function sendBye(state: CallState, rules: CallRules): CallStep {
  const { dialog } = state.record;
  if (dialog === null) return stay(state); // never so once it is answered
  const bye = makeBye(state.record, dialog, rules);
  return {
    state: { ...state, phase: 'ending', record: bye.record },
    actions: [{ kind: 'bye', request: bye.request, hop: bye.hop, isOurs: true }],
  };
}

function wishToEnd(state: CallState, wish: EndWish, rules: CallRules): CallStep {
  if (state.phase === 'ending' || state.phase === 'over') return stay(state);
  // Once somebody hangs up, that is the reason, whatever else was on its way.
  const wishing: CallState = { ...state, wish: state.wish === 'us' ? 'us' : wish };
  switch (state.phase) {
    case 'ready':
      return endedByUs(wishing, 'before it was dialled', 'confirmed', rules);
    case 'calling':
      return stay(wishing); // a CANCEL could overtake its INVITE
    case 'proceeding':
      return state.isCancelSent ? stay(wishing) : cancel(wishing, rules);
    case 'answered':
      return sendBye(wishing, rules);
  }
}

function byeNews(state: CallState, news: ClientNews, rules: CallRules): CallStep {
  if (state.phase !== 'ending') return stay(state);
  if (news.kind !== 'response') return endedByUs(state, 'our BYE was not answered', 'unconfirmed', rules);
  const { response } = news;
  if (response.status < 200) return stay(state);
  const again = response.status === 401 || response.status === 407 ? byeWithCredentials(state, response, rules) : null;
  if (again !== null) return again;
  // 481: the far end has no such call any more, which is what we wanted.
  const isGone = response.status < 300 || response.status === 481;
  return endedByUs(state, `${response.status} to our BYE`, isGone ? 'confirmed' : 'unconfirmed', rules);
}

/** The BYE again, with credentials for what its answer asked; null when that was tried often enough. */
function byeWithCredentials(state: CallState, response: SipResponse, rules: CallRules): CallStep | null {
  if (rules.credentials === null || state.byeRepeats >= MAX_BYE_REPEATS) return null;
  const challenges = takeChallenges(state.record.challenges, response, 'always');
  if (challenges === null) return null;
  return sendBye({ ...state, byeRepeats: state.byeRepeats + 1, record: { ...state.record, challenges } }, rules);
}

/**
 * The end that we brought about. A call whose answer was never told was not answered for whoever listens: confirmed, that is
 * a 487, whichever message confirmed it; unconfirmed, it may still exist.
 */
function endedByUs(state: CallState, because: string, how: HangUp, rules: CallRules): CallStep {
  if (state.isAnswerTold) return over(state, [{ kind: 'ended', by: 'us', because }], how);
  if (how === 'unconfirmed') return over(state, [{ kind: 'given_up' }], how);
  const reason =
    state.wish === 'ring_limit'
      ? `not answered within ${rules.ringMs} ms`
      : `487 Request Terminated: hung up ${because}`;
  return over(state, [{ kind: 'refused', verdict: { code: 'no_answer', because: reason } }], how);
}

function timer(state: CallState, timer: CallTimer, rules: CallRules): CallStep {
  switch (timer) {
    case 'acknowledge':
      return state.phase === 'calling' ? { state, actions: [tell({ kind: 'unacknowledged' })] } : stay(state);
    case 'ring':
      return state.phase === 'proceeding' ? wishToEnd(state, 'ring_limit', rules) : stay(state);
    case 'cancelled':
      // Neither 487 nor answer: it may still ring. A late 2xx is ended with BYE, but nobody waits for it any more.
      return state.phase === 'proceeding' ? over(state, [{ kind: 'given_up' }], 'unconfirmed') : stay(state);
  }
}

/** Requests of the far end inside the dialog; what they are answered with is the leg's, except that BYE ends the call here. */
function request(state: CallState, request: SipRequest, rules: CallRules): CallStep {
  const { dialog } = state.record;
  if (dialog === null || !isInDialog(dialog, request)) return stay(state);
  const taken = takeRequest(dialog, request);
  if (taken === null) return stay(state);
  const next: CallState = { ...state, record: { ...state.record, dialog: taken } };
  if (request.method !== 'BYE') {
    return taken.remoteTarget === dialog.remoteTarget ? stay(next) : { state: next, actions: [tellRecord(next)] };
  }
  if (state.phase === 'answered') {
    return over(next, [{ kind: 'ended', by: 'recipient', because: 'BYE of the far end' }], 'confirmed');
  }
  // Both hang up at once: theirs confirms ours.
  if (state.phase === 'ending') return endedByUs(next, 'at the same time as the far end', 'confirmed', rules);
  return stay(next);
}
