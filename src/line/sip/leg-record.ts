// The record of a SIP leg: plain JSON, enough for another process to hang the call up or to take it over. Made before the
// first packet; holds no password and nothing that was said.
import type { LegRecord } from '../line.ts';
import type { Challenge } from './digest.ts';
import type { Dialog } from './dialog.ts';

export interface SipLegRecord extends LegRecord {
  /** The Call-ID is the `reference`. */
  readonly version: 1;
  /** Grows with each process that takes the leg over; part of every branch, so that two never share one. */
  readonly epoch: number;
  /** Request URI of the INVITE. */
  readonly requestUri: string;
  /** From and To without tags, our Contact, and P-Asserted-Identity if the trunk wants it. */
  readonly from: string;
  readonly to: string;
  readonly contact: string;
  readonly assertedIdentity: string | null;
  readonly localTag: string;
  /** CSeq of the INVITE in flight, or of the one that was answered. */
  readonly inviteCSeq: number;
  /** The whole top Via of that INVITE: a CANCEL must repeat it. */
  readonly inviteVia: string;
  /** Random parts of branches and client nonces. */
  readonly branchSeed: string;
  readonly cnonceSeed: string;
  /** How many branches were used. */
  readonly branches: number;
  /** The challenges that were answered, one a realm. */
  readonly challenges: readonly Challenge[];
  /** Origin of our SDP: `o=- <id> <version>`. */
  readonly offer: string | null;
  readonly answer: string | null;
  /** Set by the first tag of the far end; `isAnswered` by the 2xx. */
  readonly dialog: Dialog | null;
  readonly isAnswered: boolean;
  /** The ACK of the 2xx as it was sent. */
  readonly lastAck: string | null;
}

/** Reads a record that was saved; null when it is none of ours. */
export function readSipLegRecord(record: LegRecord): SipLegRecord | null {
  const isOurs =
    record.carrier === 'sip' &&
    record['version'] === 1 &&
    typeof record['requestUri'] === 'string' &&
    typeof record['inviteVia'] === 'string' &&
    typeof record['localTag'] === 'string';
  // The line itself wrote it; the version says which shape.
  return isOurs ? (record as SipLegRecord) : null;
}
