// A phone line: places one call, carries text, digits and audio both ways, hangs up. Conversation and dispatch know lines
// by this interface alone; SIP is behind it, other carriers later.
import type { ExecutionErrorCode } from '../contract/call.ts';

/**
 * Enough to hang a leg up, or to take it over, from another process: written before the first packet leaves and whenever it
 * changes. Plain JSON; its inside belongs to the carrier that made it.
 */
export interface LegRecord {
  readonly carrier: 'sip';
  /** The carrier's name for the call, derived from the call id (SIP: Call-ID). */
  readonly reference: string;
  readonly [field: string]: unknown;
}

export interface DialRequest {
  /** Our call id, a UUID; the carrier reference is derived from it. */
  readonly callId: string;
  /** E.164. */
  readonly to: string;
  /** Name shown to the recipient where the carrier allows it. */
  readonly callerName: string | null;
}

/** Why a dial led to no conversation; one of the `failed` codes. */
export interface Verdict {
  readonly code: Extract<
    ExecutionErrorCode,
    | 'destination_busy'
    | 'no_answer'
    | 'destination_rejected'
    | 'destination_unreachable'
    | 'carrier_rejected'
    | 'carrier_unavailable'
    | 'submission_failed'
  >;
  /** What the carrier said, for the log and the operator, e.g. `486 Busy Here; Q.850 17`. */
  readonly because: string;
}

/** What the answered leg can carry. */
export interface LegMedia {
  /** Whether real-time text was agreed. */
  readonly hasText: boolean;
  /** The agreed audio codec; null when audio was declined. */
  readonly audio: 'PCMU' | 'PCMA' | null;
  /** Whether RFC 4733 digits were agreed. */
  readonly hasDigits: boolean;
}

export type EndedBy = 'recipient' | 'us' | 'network';

/** What a leg tells, in order. After `refused` or `ended` nothing follows. */
export type LegEvent =
  /** The carrier acknowledged the call (any provisional answer). */
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'ringing' }
  | { readonly kind: 'answered'; readonly media: LegMedia }
  /** A final answer other than success, or certainty that nothing left the house. */
  | { readonly kind: 'refused'; readonly verdict: Verdict }
  /** No word from the carrier within the acknowledgement limit: the call may exist. Later events may still come. */
  | { readonly kind: 'unacknowledged' }
  /** No word within the whole transaction's life; nothing more is sent. The call may exist. Nothing follows. */
  | { readonly kind: 'given_up' }
  /** Real-time text as it arrives: T.140 with redundancy resolved; U+2028 ends a line, U+0008 erases, U+FFFD marks loss. */
  | { readonly kind: 'text'; readonly text: string }
  /** One key press of the recipient: 0-9 * # A-D. */
  | { readonly kind: 'digit'; readonly digit: string }
  /** The answered call is over. */
  | { readonly kind: 'ended'; readonly by: EndedBy; readonly because: string }
  /** The leg record changed and must be saved. */
  | { readonly kind: 'record'; readonly record: LegRecord };

/** `confirmed`: the far end acknowledged; `unconfirmed`: nobody answered the hang-up within its timers. */
export type HangUp = 'confirmed' | 'unconfirmed';

/** One call on a line. Every method is safe to call at any moment and at most slow, never wrong. */
export interface Leg {
  readonly record: LegRecord;
  /**
   * Types `text` on the real-time text stream, at the far end's pace.
   * @returns when the last character has left, or at once when the leg has no text or is over
   */
  sendText(text: string, signal?: AbortSignal): Promise<void>;
  /** Presses keys (0-9 * # A-D), each about 100 ms with a pause of 100 ms. @returns when the last one has been sent */
  sendDigits(digits: string, signal?: AbortSignal): Promise<void>;
  /**
   * Ends the call whatever its stage: CANCEL before the answer, BYE after it (also when the answer crosses the CANCEL).
   * The last event still comes: `ended` if `answered` was told; otherwise `refused`, with a `because` that begins with `487`
   * where our hang-up was the reason, or `given_up` when nobody confirmed it. Repeated calls return the first one's promise.
   */
  hangUp(): Promise<HangUp>;
}

export type LookUp =
  /** The carrier cannot tell. */
  | { readonly kind: 'unknown' }
  /** The carrier is sure that no call was placed, or that it ended before an answer. */
  | { readonly kind: 'not_placed'; readonly because: string };

export interface Line extends AsyncDisposable {
  /** Makes the record of a leg that is about to be dialled. Sends nothing, waits for nothing. */
  prepare(request: DialRequest): LegRecord;
  /** Dials, once. `heard` is called for every event, never before `dial` has returned. */
  dial(record: LegRecord, heard: (event: LegEvent) => void): Leg;
  /** Asks what became of a leg whose worker is gone. Bounded in time; never dials, never rings anybody. */
  lookUp(record: LegRecord): Promise<LookUp>;
}
