// The media of one call: RTP sockets, what the SDP agreed, audio frames, digits and real-time text both ways. SIP carries
// the SDP and knows nothing of RTP; this file knows nothing of SIP.
import type { LegMedia } from '../line.ts';

/** What a media session tells; called from its sockets, never before `start` and never after `close`. */
export interface MediaListener {
  /** Real-time text as `LegEvent` `text` describes it: redundancy resolved, U+FFFD where some was lost. */
  readonly heardText: (text: string) => void;
  /** One key press: 0-9 * # A-D. */
  readonly heardDigit: (digit: string) => void;
}

/** What came of an SDP from the far end. A refused one leaves the session as it was. */
export type Agreement =
  | { readonly kind: 'agreed'; readonly media: LegMedia }
  /** Not SDP, or nothing in common. The sentence is for the log. */
  | { readonly kind: 'refused'; readonly because: string };

export type AnswerToOffer =
  | { readonly kind: 'agreed'; readonly media: LegMedia; readonly sdp: string }
  | { readonly kind: 'refused'; readonly because: string };

/** Packets since the session was opened. */
export interface MediaCounts {
  readonly audioSent: number;
  readonly audioReceived: number;
  readonly textSent: number;
  readonly textReceived: number;
  /** Not RTP, of a stranger, or of a payload type that was not agreed. */
  readonly ignored: number;
}

export interface MediaSession {
  /** Our SDP as it stands: the offer first, then what was agreed. The version in its `o=` line grows with every change. */
  readonly localSdp: string;
  /** What is agreed now; null before the first agreement. */
  readonly agreed: LegMedia | null;
  readonly counts: MediaCounts;
  /**
   * Takes the far end's answer to `localSdp`; again after a re-INVITE or a forked early answer.
   * @param sdp as it came, any bytes
   * @param signallingHost IPv4 address that the SIP message came from: media from there is accepted too (NAT)
   */
  acceptAnswer(sdp: string, signallingHost?: string): Agreement;
  /** Takes the far end's offer (INVITE, re-INVITE, UPDATE) and gives our answer with its payload numbers and direction. */
  acceptOffer(sdp: string, signallingHost?: string): AnswerToOffer;
  /** The call is answered: silence frames, text and digits flow from now on. Repeated calls do nothing. */
  start(): void;
  /**
   * Types on the real-time text stream, at the far end's pace; calls queue up.
   * @returns when the last character has left; at once when no text was agreed or the session is not running; when
   *   `signal` aborts (the rest is dropped); never rejects
   */
  sendText(text: string, signal?: AbortSignal): Promise<void>;
  /**
   * Presses keys, 100 ms each with pauses of 100 ms; other characters than 0-9 * # A-D are left out; calls queue up.
   * @returns when the last one has been sent; otherwise as `sendText`
   */
  sendDigits(digits: string, signal?: AbortSignal): Promise<void>;
  /** Stops everything, closes the sockets, gives the ports back; pending sends resolve. Repeated calls do nothing. */
  close(): Promise<void>;
}

/** All media of a process: one pool of ports, one pacer. */
export interface Media extends AsyncDisposable {
  /**
   * Binds the sockets of one call.
   * @throws {Fault} `blame: 'us', retry: 'safe'` when no port of the range is free: nothing has left the house
   */
  open(listener: MediaListener): Promise<MediaSession>;
}
