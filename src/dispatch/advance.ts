// The only writer of a call's stage and state: locks the row, believes or does not, asks the chart, and writes the row, its log
// and what is owed in one transaction. Never dials, never waits for anything but the database.
import { settleHold } from '../ledger/settle.ts';
import type { Database, Queryable } from '../platform/database.ts';
import type { Logger } from '../platform/log.ts';
import type { CallEvent, OtherEvent, WorkerEvent } from './call-event.ts';
import type { CallRow } from './call-row.ts';
import { isOpen } from './call-row.ts';
import { next } from './chart.ts';
import type { LookUpSchedule } from './look-up-pauses.ts';
import { insertEvent, lockCall, notifyCallChanged, oweResult, updateCall } from './store.ts';
import type { LockedCall } from './store.ts';

/** Characters of a `because` that are kept. */
const BECAUSE_LIMIT = 500;

export interface DispatchSettings {
  /** How long a claim lasts without renewal. */
  readonly leaseMs: number;
  readonly recovery: LookUpSchedule;
}

/** What makes a worker's news believable. */
export interface News {
  readonly claimNumber: number;
  /** How long ago it happened, on the worker's own clock: news may have waited for the database. */
  readonly ageMs: number;
}

export interface Advanced {
  readonly isApplied: boolean;
  /** For a worker's news: whether its claim is still the call's. Otherwise true. */
  readonly isClaimCurrent: boolean;
  /** Why nothing changed; null when something did. */
  readonly ignoredBecause: string | null;
  /** The call as it stands after the event. */
  readonly call: CallRow;
}

export class Dispatch {
  readonly settings: DispatchSettings;
  readonly #database: Database;
  readonly #log: Logger;

  constructor(parts: { readonly database: Database; readonly settings: DispatchSettings; readonly log: Logger }) {
    this.#database = parts.database;
    this.settings = parts.settings;
    this.#log = parts.log;
  }

  /**
   * Tells a call what happened, in a transaction of its own. Safe to repeat: what is known already is ignored.
   * @throws {Fault} when the database cannot be reached; the event may then have been written
   * @throws {Error} when there is no such call
   */
  advance(callId: string, event: OtherEvent): Promise<Advanced>;
  advance(callId: string, event: WorkerEvent, news: News): Promise<Advanced>;
  async advance(callId: string, event: CallEvent, news: News | null = null): Promise<Advanced> {
    const advanced = await this.#database.transaction(async (tx) => {
      const locked = await lockCall(tx, callId);
      if (locked === null) throw new Error(`there is no call ${callId}`);
      return this.advanceLocked(tx, locked, event, news);
    });
    if (advanced.isApplied) this.logChange(advanced.call, event);
    return advanced;
  }

  /** The same inside a transaction that holds the call's lock; the caller logs the change once it has committed. */
  async advanceLocked(
    tx: Queryable,
    { row, now }: LockedCall,
    event: CallEvent,
    news: News | null = null,
  ): Promise<Advanced> {
    const doubt = doubtOf(row, event, news, now);
    if (doubt !== null) {
      return { isApplied: false, isClaimCurrent: doubt.isClaimCurrent, ignoredBecause: doubt.because, call: row };
    }
    const happenedAt = momentOf(row, now, news?.ageMs ?? 0);
    const decision = next(row, event, { now, happenedAt, ...this.settings });
    if (decision.kind === 'ignored') {
      return { isApplied: false, isClaimCurrent: true, ignoredBecause: decision.because, call: row };
    }
    const call: CallRow = { ...row, ...decision.changes };
    await updateCall(tx, row.id, call);
    await insertEvent(tx, row.id, {
      event: event.kind,
      at: happenedAt,
      row: call,
      because: decision.because?.slice(0, BECAUSE_LIMIT) ?? null,
    });
    if (decision.owes.isWorkerCalled) await notifyCallChanged(tx, row.id);
    if (decision.owes.usedMinutes !== null) {
      await oweResult(tx, call, now);
      await settleHold(tx, row.id, decision.owes.usedMinutes, now);
    }
    return { isApplied: true, isClaimCurrent: true, ignoredBecause: null, call };
  }

  /** One line a change; a new leg record moves neither stage nor state, so only `debug` tells of it. */
  logChange(call: CallRow, event: CallEvent): void {
    const { id, project_id, stage, state, error_code, claim_number } = call;
    const level = event.kind === 'leg_changed' ? 'debug' : 'info';
    this.#log[level](
      { call_id: id, project_id, event: event.kind, stage, state, error_code, claim_number },
      'call advanced',
    );
  }
}

/** Why an event is not believed; null when it is. */
function doubtOf(
  row: CallRow,
  event: CallEvent,
  news: News | null,
  now: Date,
): { readonly isClaimCurrent: boolean; readonly because: string } | null {
  const tooEarly = (because: string) => ({ isClaimCurrent: true, because });
  const hasPassed = (moment: Date | null): boolean => moment !== null && moment.getTime() <= now.getTime();
  switch (event.kind) {
    case 'queue_expired':
      return row.stage === 'queued' && !hasPassed(row.deadline_at) ? tooEarly('the queue limit has not passed') : null;
    case 'lease_expired':
      return isOpen(row) && !hasPassed(row.lease_until) ? tooEarly('no lease has passed') : null;
    case 'looked_up':
      return isOpen(row) && !hasPassed(row.deadline_at) ? tooEarly('no look-up is due') : null;
    case 'dispatched':
    case 'withdrawn':
    case 'cancel_requested':
    case 'operator_resolved':
      return null;
    case 'acknowledged':
    case 'ringing':
    case 'answered':
    case 'refused':
    case 'unacknowledged':
    case 'ended':
    case 'hang_up_confirmed':
    case 'hang_up_unconfirmed':
    case 'leg_changed':
      return news?.claimNumber === row.claim_number
        ? null
        : { isClaimCurrent: false, because: 'the claim of this news is stale' };
  }
}

/** When it happened: never before what happened earlier, never in the future. */
function momentOf(row: CallRow, now: Date, ageMs: number): Date {
  const earliestMs = Math.max(
    row.created_at.getTime(),
    row.started_at?.getTime() ?? 0,
    row.answered_at?.getTime() ?? 0,
  );
  const happenedMs = now.getTime() - Math.max(0, Math.round(ageMs));
  return new Date(Math.min(Math.max(happenedMs, earliestMs), Math.max(now.getTime(), earliestMs)));
}
