// The rules that the chart names: each turns a call and one believed event into changes and what they owe. Pure. `state` only
// moves forward, nothing leads back to `queued`, and no rule ever asks for a dial.
import type { CallState, ExecutionErrorCode } from '../contract/call.ts';
import type { CallEvent } from './call-event.ts';
import { isPaused } from './call-row.ts';
import type { CallRow, Changes } from './call-row.ts';
import { pauseBeforeLookUp } from './look-up-pauses.ts';
import type { LookUpSchedule } from './look-up-pauses.ts';

/** When an event is applied, and under which limits. */
export interface Moment {
  /** The database's time under the lock. */
  readonly now: Date;
  /** When it happened: `now`, or earlier where the news was held up. */
  readonly happenedAt: Date;
  readonly leaseMs: number;
  readonly recovery: LookUpSchedule;
}

/** What has to be done in the same transaction as the changes. */
export interface Owed {
  /** The call is over: its result is due, and its hold is settled with that many used minutes; null while it is open. */
  readonly usedMinutes: number | null;
  /** The worker that holds the call has to hear of a cancel request. */
  readonly isWorkerCalled: boolean;
}

export type Next =
  | { readonly kind: 'applied'; readonly changes: Changes; readonly owes: Owed; readonly because: string | null }
  | { readonly kind: 'ignored'; readonly because: string };

interface Rule {
  readonly means: string;
  decide(row: CallRow, event: CallEvent, moment: Moment): Next;
}

const NOTHING_OWED: Owed = { usedMinutes: null, isWorkerCalled: false };
const ORDER: readonly CallState[] = ['queued', 'dialing', 'ringing', 'in_progress'];
const NEWS_STATE = { acknowledged: 'dialing', ringing: 'ringing', answered: 'in_progress' } as const;

const ignore = (means: string): Rule => ({
  means: `Ignored: ${means}`,
  decide: () => ({ kind: 'ignored', because: means }),
});
const applied = (changes: Changes, because: string | null = null, owes = NOTHING_OWED): Next => ({
  kind: 'applied',
  changes,
  owes,
  because,
});
const ignored = (because: string): Next => ({ kind: 'ignored', because });

const because = (event: CallEvent): string | null => ('because' in event ? event.because : null);
const RELEASED: Changes = { worker_id: null, lease_until: null };

/** Ends the call. Minutes are charged for answered time alone; an outcome nobody witnessed costs nothing. */
function finish(
  row: CallRow,
  moment: Moment,
  end: {
    readonly as: 'completed' | 'failed' | 'cancelled';
    readonly code: ExecutionErrorCode | null;
    readonly because: string | null;
    /** Until when the call was witnessed; null charges nothing. */
    readonly answeredUntil: Date | null;
    readonly changes?: Changes;
  },
): Next {
  const answeredAt = end.changes?.answered_at ?? row.answered_at;
  const usedMinutes =
    answeredAt === null || end.answeredUntil === null
      ? 0
      : Math.ceil(Math.max(0, end.answeredUntil.getTime() - answeredAt.getTime()) / 60_000);
  const changes: Changes = {
    ...end.changes,
    ...RELEASED,
    stage: end.as,
    state: end.as,
    error_code: end.code,
    deadline_at: null,
    completed_at: moment.happenedAt,
  };
  return applied(changes, end.because, { usedMinutes, isWorkerCalled: false });
}

/** What news of the line says about the state; empty when it says nothing new. */
function forwardState(row: CallRow, event: CallEvent, moment: Moment): Changes {
  if (event.kind !== 'acknowledged' && event.kind !== 'ringing' && event.kind !== 'answered') return {};
  const state = NEWS_STATE[event.kind];
  if (ORDER.indexOf(state) <= ORDER.indexOf(row.state)) return {};
  return {
    state,
    ...(row.started_at === null ? { started_at: moment.happenedAt } : {}),
    ...(state === 'in_progress' ? { answered_at: moment.happenedAt } : {}),
  };
}

function firstLookUp(moment: Moment): Changes {
  return { lookups: 0, deadline_at: after(moment.now, pauseBeforeLookUp(moment.recovery, 0)) };
}

/** Stays cancel_requested while nobody has confirmed the hang-up; look-ups begin unless they have begun, or are used up. */
function doubt(row: CallRow, moment: Moment): Changes {
  if (isPaused(row)) return {};
  return { error_code: 'cancellation_unconfirmed', ...(row.deadline_at === null ? firstLookUp(moment) : {}) };
}

const after = (at: Date, delayMs: number): Date => new Date(at.getTime() + delayMs);

export const RULES = {
  over: ignore('the call is over, and a terminal call never changes.'),
  not_dialed_yet: ignore('nothing was dialled yet, so this cannot be news of this call.'),
  dispatched_before: ignore('a worker has written its intent to dial, and nothing leads back.'),
  held_by_worker: ignore('a worker holds the call; there is nothing to look up.'),
  not_under_review: ignore('the call does not wait for an operator.'),
  in_recovery: ignore('its outcome is being looked for already.'),
  asked_before: ignore('the hang-up was asked for before.'),

  dispatch: {
    means: 'A worker takes the call and writes its intent to dial: `submitting`, claim number up by one, lease, leg.',
    decide(row, event, moment) {
      if (event.kind !== 'dispatched') return ignored('not a dispatch');
      return applied({
        stage: 'submitting',
        claim_number: row.claim_number + 1,
        worker_id: event.workerId,
        lease_until: after(moment.now, moment.leaseMs),
        deadline_at: null,
        leg: event.leg,
      });
    },
  },
  withdraw: {
    means: 'Permission, minutes or the line were gone before the dial: `failed` with the code of the event.',
    decide(row, event, moment) {
      if (event.kind !== 'withdrawn') return ignored('not a withdrawal');
      return finish(row, moment, { as: 'failed', code: event.code, because: event.because, answeredUntil: null });
    },
  },
  expire: {
    means: 'Not dispatched within the queue limit: `failed` with `queue_expired`.',
    decide: (row, event, moment) =>
      finish(row, moment, { as: 'failed', code: 'queue_expired', because: because(event), answeredUntil: null }),
  },
  cancel_at_once: {
    means: 'Nothing was dispatched: `cancelled` at once.',
    decide: (row, event, moment) =>
      finish(row, moment, {
        as: 'cancelled',
        code: null,
        because: because(event),
        answeredUntil: null,
        changes: { cancel_requested_at: moment.now },
      }),
  },

  move_forward: {
    means: '`running`, state moved forward, doubts cleared. News of an earlier state is ignored.',
    decide(row, event, moment) {
      const forward = forwardState(row, event, moment);
      if (row.stage === 'running') {
        return Object.keys(forward).length === 0 ? ignored('the state never moves back') : applied(forward);
      }
      return applied({ ...forward, stage: 'running', error_code: null, deadline_at: null, lookups: 0 });
    },
  },
  note_state: {
    means: 'State moved forward; the hang-up is still asked for. News of an earlier state is ignored.',
    decide(row, event, moment) {
      const forward = forwardState(row, event, moment);
      return Object.keys(forward).length === 0 ? ignored('the state never moves back') : applied(forward);
    },
  },
  keep_leg: {
    means: 'The leg record is saved; stage and state stay.',
    decide: (_row, event) => (event.kind === 'leg_changed' ? applied({ leg: event.record }) : ignored('no leg record')),
  },
  fail: {
    means:
      '`failed` with the code of the event, at no charge. A call that was answered before is `completed` with `call_interrupted`.',
    decide(row, event, moment) {
      if (event.kind !== 'refused') return ignored('not a refusal');
      return row.answered_at === null
        ? finish(row, moment, { as: 'failed', code: event.code, because: event.because, answeredUntil: null })
        : finish(row, moment, {
            as: 'completed',
            code: 'call_interrupted',
            because: event.because,
            answeredUntil: moment.happenedAt,
          });
    },
  },
  complete: {
    means:
      '`completed` with the code of the event or none; answered time is charged. A natural end beats a cancel request.',
    decide(row, event, moment) {
      if (event.kind !== 'ended') return ignored('not an end');
      return finish(row, moment, {
        as: 'completed',
        code: event.code,
        because: event.because,
        answeredUntil: moment.happenedAt,
        changes: row.answered_at === null ? witnessedLate(row, moment) : {},
      });
    },
  },

  ask_for_hang_up: {
    means:
      '`cancel_requested`; the worker is called. Under recovery: `cancellation_unconfirmed`, and the look-ups go on; used-up recovery stays paused.',
    decide(row, _event, moment) {
      const asked: Changes = { stage: 'cancel_requested', cancel_requested_at: moment.now };
      const owes: Owed = { usedMinutes: null, isWorkerCalled: true };
      if (isPaused(row)) return applied(asked, null, owes);
      if (row.stage === 'reconciling') return applied({ ...asked, ...doubt(row, moment) }, null, owes);
      return applied({ ...asked, error_code: null, deadline_at: null, lookups: 0 }, null, owes);
    },
  },
  hung_up: {
    means:
      '`cancelled`, and answered time is charged. Nobody asked to cancel an answered call: `completed` with `call_interrupted`.',
    decide(row, event, moment) {
      const isOurs = row.cancel_requested_at === null && row.answered_at !== null;
      return finish(row, moment, {
        as: isOurs ? 'completed' : 'cancelled',
        code: isOurs ? 'call_interrupted' : null,
        because: because(event),
        answeredUntil: moment.happenedAt,
      });
    },
  },
  doubt_hang_up: {
    means: 'Stays `cancel_requested` with `cancellation_unconfirmed`; bounded look-ups begin.',
    decide(row, event, moment) {
      const doubted = doubt(row, moment);
      const isNews = doubted.error_code !== undefined && doubted.error_code !== row.error_code;
      return isNews ? applied(doubted, because(event)) : ignored('the hang-up is in doubt already');
    },
  },

  start_recovery: {
    means: '`reconciling` with `submission_unconfirmed`; bounded look-ups begin, the worker keeps its claim.',
    decide: (_row, event, moment) =>
      applied({ stage: 'reconciling', error_code: 'submission_unconfirmed', ...firstLookUp(moment) }, because(event)),
  },
  release_to_recovery: {
    means: '`reconciling` with `submission_unconfirmed`; the claim is taken from the worker, bounded look-ups begin.',
    decide: (row, _event, moment) =>
      applied({
        ...RELEASED,
        stage: 'reconciling',
        error_code: 'submission_unconfirmed',
        claim_number: row.claim_number + 1,
        ...firstLookUp(moment),
      }),
  },
  release_claim: {
    means: 'The claim is taken from the worker; recovery goes on as it was.',
    decide: (row) => applied({ ...RELEASED, claim_number: row.claim_number + 1 }),
  },
  release_and_doubt: {
    means:
      'The claim is taken from the worker; stays `cancel_requested` with `cancellation_unconfirmed`, bounded look-ups.',
    decide: (row, _event, moment) =>
      applied({ ...RELEASED, claim_number: row.claim_number + 1, ...doubt(row, moment) }),
  },
  count_look_up: {
    means:
      'Certainty that no call was placed, of a call that no worker holds and that was never answered: `failed` with `submission_failed`, or `cancelled` where that was asked. Otherwise one look-up less; after the last: `reconciliation_required`, paused.',
    decide(row, event, moment) {
      if (event.kind !== 'looked_up') return ignored('not a look-up');
      if (isPaused(row)) return ignored('recovery is used up and waits for an operator');
      if (event.found === 'not_placed' && row.answered_at === null && row.lease_until === null) {
        const isCancelled = row.stage === 'cancel_requested';
        return finish(row, moment, {
          as: isCancelled ? 'cancelled' : 'failed',
          code: isCancelled ? null : 'submission_failed',
          because: event.because,
          answeredUntil: null,
        });
      }
      const lookups = row.lookups + 1;
      return lookups >= moment.recovery.lookups
        ? applied({ lookups, deadline_at: null, error_code: 'reconciliation_required' }, event.because)
        : applied(
            { lookups, deadline_at: after(moment.now, pauseBeforeLookUp(moment.recovery, lookups)) },
            event.because,
          );
    },
  },
  resolve: {
    means:
      'An operator decides a paused call that no worker holds: `completed` or `failed`, with `operator_resolved`, at no charge.',
    decide(row, event, moment) {
      if (event.kind !== 'operator_resolved') return ignored('not a decision');
      if (!isPaused(row)) return ignored('automatic recovery is not used up yet');
      if (row.lease_until !== null) return ignored('a worker still holds the call');
      return finish(row, moment, {
        as: event.outcome,
        code: 'operator_resolved',
        because: event.because,
        answeredUntil: null,
      });
    },
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

/** An end without word of the answer: it was answered, but for how long nobody knows, so nothing is charged. */
function witnessedLate(row: CallRow, moment: Moment): Changes {
  return {
    answered_at: moment.happenedAt,
    ...(row.started_at === null ? { started_at: moment.happenedAt } : {}),
  };
}
