// What a final answer to an INVITE means: one verdict for every status from 300 to 699 and every Q.850 cause. A table and a
// pure function; whether the answer confirms our own CANCEL is decided before it is asked for a verdict.
import type { Verdict } from '../line.ts';
import { q850Cause } from './header.ts';
import { headerValues, type SipResponse } from './message.ts';

type Code = Verdict['code'];
/** Congestion: the carrier had no room. Nothing was dialled unless it already rang. */
type Meaning = Code | 'congestion';

/** Statuses that say it all themselves; a cause beside them is not asked. */
const CERTAIN: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [401, 'carrier_rejected'], // our credentials were refused
  [407, 'carrier_rejected'],
  [486, 'destination_busy'],
  [600, 'destination_busy'],
  [603, 'destination_rejected'],
  [604, 'destination_unreachable'],
  [607, 'destination_rejected'], // RFC 8197: unwanted
  [608, 'carrier_rejected'], // RFC 8688: an intermediary's doing
]);

/** Statuses that gateways use for many things: a Q.850 cause beside them knows better. */
const LIKELY: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [404, 'destination_unreachable'],
  [408, 'no_answer'],
  [410, 'destination_unreachable'],
  [430, 'destination_unreachable'],
  [433, 'destination_rejected'], // RFC 5079: takes no anonymous calls
  [480, 'no_answer'],
  [482, 'destination_unreachable'],
  [483, 'destination_unreachable'],
  [484, 'destination_unreachable'],
  [485, 'destination_unreachable'],
  [487, 'no_answer'], // not after a CANCEL of ours: somebody on the way gave up
  [502, 'destination_unreachable'],
  [503, 'congestion'],
  [504, 'congestion'],
  [606, 'carrier_rejected'],
]);

/** ITU-T Q.850 (10/18) table 1; causes that say nothing (16, 31, 127 and their like) are left out. */
const CAUSES: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [1, 'destination_unreachable'], // unallocated number
  [2, 'destination_unreachable'], // no route to transit network
  [3, 'destination_unreachable'], // no route to destination
  [5, 'destination_unreachable'], // misdialled prefix
  [17, 'destination_busy'],
  [18, 'no_answer'], // no user responding
  [19, 'no_answer'],
  [20, 'destination_unreachable'], // subscriber absent
  [21, 'destination_rejected'],
  [22, 'destination_unreachable'], // number changed
  [23, 'destination_unreachable'], // redirected
  [25, 'destination_unreachable'], // exchange routing error
  [27, 'destination_unreachable'], // destination out of order
  [28, 'destination_unreachable'], // invalid number format
  [29, 'carrier_rejected'], // facility rejected
  [34, 'congestion'], // no circuit
  [38, 'congestion'], // network out of order
  [41, 'congestion'], // temporary failure
  [42, 'congestion'], // switching equipment
  [44, 'congestion'], // requested channel not available
  [47, 'congestion'], // resource unavailable
  [50, 'carrier_rejected'], // facility not subscribed
  [52, 'carrier_rejected'], // outgoing calls barred
  [55, 'carrier_rejected'], // incoming calls barred within the group
  [57, 'carrier_rejected'], // bearer not authorized
  [58, 'carrier_rejected'],
  [63, 'carrier_rejected'],
  [65, 'carrier_rejected'],
  [69, 'carrier_rejected'],
  [79, 'carrier_rejected'],
  [87, 'destination_rejected'], // not a member of the group
  [88, 'destination_unreachable'], // incompatible destination
]);

/** The status class decides what no table names. */
function byClass(status: number): Meaning {
  if (status < 400) return 'destination_unreachable'; // it moved, and no second number is ever dialled
  return status < 600 ? 'carrier_rejected' : 'destination_rejected';
}

// A reason phrase is the far end's text: enough of it for an operator.
const MAX_REASON_CHARACTERS = 80;

/**
 * The verdict on a final answer other than success.
 * @param response status 300 to 699
 * @param hasRung whether the far end was heard ringing: then something was dialled, whatever the status says
 */
export function verdictOf(response: SipResponse, hasRung: boolean): Verdict {
  const cause = q850Cause(headerValues(response, 'reason'));
  const meaning =
    CERTAIN.get(response.status) ??
    (cause === null ? undefined : CAUSES.get(cause)) ??
    LIKELY.get(response.status) ??
    byClass(response.status);
  const unavailable: Code = hasRung ? 'carrier_rejected' : 'carrier_unavailable';
  return {
    code: meaning === 'congestion' ? unavailable : meaning,
    because: `${response.status} ${plain(response.reason)}${cause === null ? '' : `; Q.850 ${cause}`}`,
  };
}

/** Text of the far end made fit for one log line. */
function plain(text: string): string {
  return text.replace(/[^\u0020-\u007e]/g, '?').slice(0, MAX_REASON_CHARACTERS);
}
