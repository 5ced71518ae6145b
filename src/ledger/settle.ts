// Ends the hold of a call: what was used is charged, the rest goes back to where it came from. Never charges above the hold,
// never settles twice.
import type { Queryable } from '../platform/database.ts';
import { appendEntries, changeAccount, closeHold, lockHold } from './store.ts';
import type { HoldRow, NewEntry } from './store.ts';

/** What each account gets back and pays for one settled hold, whole minutes. */
export interface Settlement {
  readonly usedMinutes: number;
  readonly backToIncluded: number;
  readonly backToPrepaid: number;
  readonly entries: readonly NewEntry[];
}

/**
 * Settles the hold of a call inside the transaction that ends the call.
 * @param usedMinutes answered time, rounded up; charged up to the hold, included minutes first
 * @returns the minutes charged; 0 when there is no open hold
 */
export async function settleHold(tx: Queryable, callId: string, usedMinutes: number, now: Date): Promise<number> {
  const hold = await lockHold(tx, callId);
  if (hold === null || hold.settled_at !== null) return 0;
  const settlement = settle(hold, usedMinutes);
  await changeAccount(tx, hold.workspace_id, {
    included: settlement.backToIncluded,
    prepaid: settlement.backToPrepaid,
    held: -hold.minutes,
  });
  await appendEntries(tx, hold.workspace_id, callId, settlement.entries, now);
  await closeHold(tx, callId, settlement.usedMinutes, now);
  return settlement.usedMinutes;
}

/** Decides a settlement; pure. Included minutes of a month that is over expire instead of coming back. */
export function settle(hold: HoldRow, usedMinutes: number): Settlement {
  const used = Math.min(Math.max(Math.ceil(usedMinutes), 0), hold.minutes);
  if (!hold.is_metered) {
    return {
      usedMinutes: used,
      backToIncluded: 0,
      backToPrepaid: 0,
      entries: entriesOf([charge(used), release('unmetered', hold.minutes - used)]),
    };
  }
  const usedIncluded = Math.min(used, hold.included_minutes);
  const leftIncluded = hold.included_minutes - usedIncluded;
  const leftPrepaid = hold.prepaid_minutes - (used - usedIncluded);
  const isSameMonth = hold.is_current_month;
  return {
    usedMinutes: used,
    backToIncluded: isSameMonth ? leftIncluded : 0,
    backToPrepaid: leftPrepaid,
    entries: entriesOf([
      charge(used),
      release(isSameMonth ? 'included' : 'expired', leftIncluded),
      release('prepaid', leftPrepaid),
    ]),
  };
}

const charge = (minutes: number): NewEntry => ({ kind: 'charge', from: 'held', to: 'used', minutes, note: null });
const release = (to: NewEntry['to'], minutes: number): NewEntry => ({
  kind: 'release',
  from: 'held',
  to,
  minutes,
  note: null,
});
const entriesOf = (entries: readonly NewEntry[]): NewEntry[] => entries.filter((entry) => entry.minutes > 0);
