import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { EXECUTION_ERROR_CODES, STAGES } from '../contract/call.ts';
import type { Stage } from '../contract/call.ts';
import type { CallEvent } from './call-event.ts';
import type { CallRow, Changeable, Changes } from './call-row.ts';
import { isOpen } from './call-row.ts';
import { CHART, EVENT_KINDS, next, printChart } from './chart.ts';
import type { EventKind } from './chart.ts';
import { pauseBeforeLookUp } from './look-up-pauses.ts';
import { RULES } from './rules.ts';
import type { Moment } from './rules.ts';

const T0 = new Date('2026-11-20T12:00:00Z');
const at = (seconds: number): Date => new Date(T0.getTime() + seconds * 1_000);
const moment = (seconds: number): Moment => ({
  now: at(seconds),
  happenedAt: at(seconds),
  leaseMs: 5_000,
  recovery: { lookups: 3, withinMs: 70_000 },
});
const leg = { carrier: 'sip', reference: 'ref@errand' } as const;

const queued: CallRow = {
  id: '019d0000-0000-7000-8000-000000000000',
  project_id: 'p',
  workspace_id: 'w',
  to_number: '+15550100101',
  caller_name: null,
  max_duration_seconds: 180,
  created_at: T0,
  stage: 'queued',
  state: 'queued',
  error_code: null,
  claim_number: 0,
  worker_id: null,
  lease_until: null,
  deadline_at: at(900),
  lookups: 0,
  cancel_requested_at: null,
  leg: null,
  started_at: null,
  answered_at: null,
  completed_at: null,
};
const held = { claim_number: 1, worker_id: 'worker', lease_until: at(15), deadline_at: null, leg } as const;
const released = { worker_id: null, lease_until: null, claim_number: 2 } as const;
const over = { completed_at: at(9), worker_id: null, lease_until: null, deadline_at: null } as const;
const rowWith = (changes: Changes): CallRow => ({ ...queued, ...held, started_at: at(1), ...changes });
const answered = { state: 'in_progress', answered_at: at(5) } as const;

/** A typical call of each stage; none of the open ones is answered. */
const ROWS: Readonly<Record<Stage, CallRow>> = {
  queued,
  submitting: rowWith({ stage: 'submitting', state: 'queued', started_at: null }),
  reconciling: rowWith({
    stage: 'reconciling',
    state: 'dialing',
    error_code: 'submission_unconfirmed',
    deadline_at: at(30),
  }),
  running: rowWith({ stage: 'running', state: 'ringing' }),
  cancel_requested: rowWith({ stage: 'cancel_requested', state: 'dialing', cancel_requested_at: at(4) }),
  cancelled: rowWith({ stage: 'cancelled', state: 'cancelled', ...over }),
  failed: rowWith({ stage: 'failed', state: 'failed', error_code: 'no_answer', ...over }),
  completed: rowWith({ stage: 'completed', state: 'completed', answered_at: at(5), ...over }),
};

const EVENTS: Readonly<Record<EventKind, CallEvent>> = {
  dispatched: { kind: 'dispatched', workerId: 'worker', leg },
  withdrawn: { kind: 'withdrawn', code: 'permission_revoked', because: 'switched off' },
  queue_expired: { kind: 'queue_expired' },
  acknowledged: { kind: 'acknowledged' },
  ringing: { kind: 'ringing' },
  answered: { kind: 'answered' },
  refused: { kind: 'refused', code: 'destination_busy', because: '486' },
  ended: { kind: 'ended', code: null, because: 'recipient hung up' },
  unacknowledged: { kind: 'unacknowledged', because: 'mute' },
  leg_changed: { kind: 'leg_changed', record: { ...leg, tag: 'x' } },
  cancel_requested: { kind: 'cancel_requested' },
  hang_up_confirmed: { kind: 'hang_up_confirmed' },
  hang_up_unconfirmed: { kind: 'hang_up_unconfirmed' },
  lease_expired: { kind: 'lease_expired' },
  looked_up: { kind: 'looked_up', found: 'unknown', because: 'cannot tell' },
  operator_resolved: { kind: 'operator_resolved', outcome: 'failed', because: 'asked the recipient' },
};

/** `stage/state error` after the event; `-` where it is ignored; `=` where stage, state and error stay and more changes. */
function outcome(row: CallRow, event: CallEvent, seconds = 10): string {
  const decision = next(row, event, moment(seconds));
  if (decision.kind === 'ignored') return '-';
  const after = { ...row, ...decision.changes };
  if (after.stage === row.stage && after.state === row.state && after.error_code === row.error_code) return '=';
  return `${after.stage}/${after.state}${after.error_code === null ? '' : ` ${after.error_code}`}`;
}

const CANCELLED = 'cancelled/cancelled';
const BUSY = 'failed/failed destination_busy';
const DONE = 'completed/completed';
const NO = '-';

/** Every cell for the typical calls, terminal stages aside: queued, submitting, reconciling, running, cancel_requested. */
const CELLS: Readonly<Record<EventKind, readonly [string, string, string, string, string]>> = {
  dispatched: ['submitting/queued', NO, NO, NO, NO],
  withdrawn: ['failed/failed permission_revoked', NO, NO, NO, NO],
  queue_expired: ['failed/failed queue_expired', NO, NO, NO, NO],
  acknowledged: [NO, 'running/dialing', 'running/dialing', NO, NO],
  ringing: [NO, 'running/ringing', 'running/ringing', NO, 'cancel_requested/ringing'],
  answered: [NO, 'running/in_progress', 'running/in_progress', 'running/in_progress', 'cancel_requested/in_progress'],
  refused: [NO, BUSY, BUSY, BUSY, BUSY],
  ended: [NO, DONE, DONE, DONE, DONE],
  unacknowledged: [
    NO,
    'reconciling/queued submission_unconfirmed',
    NO,
    'reconciling/ringing submission_unconfirmed',
    'cancel_requested/dialing cancellation_unconfirmed',
  ],
  leg_changed: [NO, '=', '=', '=', '='],
  cancel_requested: [
    CANCELLED,
    'cancel_requested/queued',
    'cancel_requested/dialing cancellation_unconfirmed',
    'cancel_requested/ringing',
    NO,
  ],
  hang_up_confirmed: [NO, CANCELLED, CANCELLED, CANCELLED, CANCELLED],
  hang_up_unconfirmed: [
    NO,
    'reconciling/queued submission_unconfirmed',
    NO,
    'reconciling/ringing submission_unconfirmed',
    'cancel_requested/dialing cancellation_unconfirmed',
  ],
  lease_expired: [
    NO,
    'reconciling/queued submission_unconfirmed',
    '=',
    'reconciling/ringing submission_unconfirmed',
    'cancel_requested/dialing cancellation_unconfirmed',
  ],
  looked_up: [NO, NO, '=', NO, '='],
  operator_resolved: [NO, NO, NO, NO, NO],
};

describe('the chart', () => {
  const open = ['queued', 'submitting', 'reconciling', 'running', 'cancel_requested'] as const;
  for (const kind of EVENT_KINDS) {
    test(`does with ${kind} what its table says in every stage`, () => {
      assert.deepEqual(
        open.map((stage) => outcome(ROWS[stage], EVENTS[kind])),
        CELLS[kind],
      );
      for (const stage of ['cancelled', 'failed', 'completed'] as const) {
        assert.equal(outcome(ROWS[stage], EVENTS[kind]), '-', `${stage} never changes`);
      }
    });
  }

  test('covers every cell, and uses every rule', () => {
    const used = new Set(STAGES.flatMap((stage) => EVENT_KINDS.map((kind) => CHART[stage][kind])));
    assert.equal(STAGES.length * EVENT_KINDS.length, 8 * 16);
    assert.deepEqual([...used].toSorted(), Object.keys(RULES).toSorted());
  });

  test('is the page docs/call-chart.md', () => {
    assert.equal(
      readFileSync(new URL('../../docs/call-chart.md', import.meta.url), 'utf8'),
      printChart(),
      'run: npm run chart',
    );
  });
});

const look = (found: 'unknown' | 'not_placed'): CallEvent => ({ kind: 'looked_up', found, because: 'b' });
const resolve = (outcome: 'completed' | 'failed'): CallEvent => ({ kind: 'operator_resolved', outcome, because: 'b' });
const paused = { error_code: 'reconciliation_required', deadline_at: null, ...released } as const;
const doubted = { error_code: 'submission_unconfirmed', deadline_at: at(8), ...released } as const;

/** What depends on more than the stage. */
const CASES: readonly (readonly [name: string, row: CallRow, event: CallEvent, expected: string])[] = [
  ['a state never moves back', rowWith({ stage: 'running', ...answered }), EVENTS.ringing, '-'],
  ['a late answer ends the doubt', { ...ROWS.reconciling, ...answered }, EVENTS.acknowledged, 'running/in_progress'],
  ['a late answer ends even a pause', { ...ROWS.reconciling, ...paused }, EVENTS.answered, 'running/in_progress'],
  ['a natural end beats a cancel', { ...ROWS.cancel_requested, ...answered }, EVENTS.ended, DONE],
  [
    'a confirmed hang-up after the answer cancels',
    { ...ROWS.cancel_requested, ...answered },
    EVENTS.hang_up_confirmed,
    CANCELLED,
  ],
  [
    'a hang-up that nobody asked for cut an answered call short',
    rowWith({ stage: 'running', ...answered }),
    EVENTS.hang_up_confirmed,
    'completed/completed call_interrupted',
  ],
  [
    'a refusal after the answer cut the call short',
    rowWith({ stage: 'running', ...answered }),
    EVENTS.refused,
    'completed/completed call_interrupted',
  ],
  [
    'a cancel without a worker stays in doubt',
    { ...ROWS.reconciling, ...doubted },
    EVENTS.cancel_requested,
    'cancel_requested/dialing cancellation_unconfirmed',
  ],
  [
    'a cancel does not end a pause',
    { ...ROWS.reconciling, ...paused },
    EVENTS.cancel_requested,
    'cancel_requested/dialing reconciliation_required',
  ],
  [
    'a paused cancel is not restarted by doubt',
    { ...ROWS.cancel_requested, ...paused },
    EVENTS.hang_up_unconfirmed,
    '-',
  ],
  [
    'a lost worker does not restart a pause',
    { ...ROWS.cancel_requested, ...paused, ...held },
    EVENTS.lease_expired,
    '=',
  ],
  ['nothing placed fails', { ...ROWS.reconciling, ...doubted }, look('not_placed'), 'failed/failed submission_failed'],
  [
    'nothing placed confirms a cancel',
    { ...ROWS.cancel_requested, ...doubted, error_code: 'cancellation_unconfirmed' },
    look('not_placed'),
    CANCELLED,
  ],
  ['a worker that holds the call knows better than a look-up', ROWS.reconciling, look('not_placed'), '='],
  ['an answered call was placed', { ...ROWS.reconciling, ...doubted, ...answered }, look('not_placed'), '='],
  [
    'the last look-up pauses recovery',
    { ...ROWS.reconciling, ...doubted, lookups: 2 },
    look('unknown'),
    'reconciling/dialing reconciliation_required',
  ],
  [
    'the last look-up pauses a cancel',
    { ...ROWS.cancel_requested, ...doubted, lookups: 2 },
    look('unknown'),
    'cancel_requested/dialing reconciliation_required',
  ],
  ['a pause is not looked up', { ...ROWS.reconciling, ...paused }, look('not_placed'), '-'],
  [
    'an operator fails a paused call',
    { ...ROWS.reconciling, ...paused },
    resolve('failed'),
    'failed/failed operator_resolved',
  ],
  [
    'an operator completes a paused cancel',
    { ...ROWS.cancel_requested, ...paused },
    resolve('completed'),
    'completed/completed operator_resolved',
  ],
  ['an operator does not overrule a worker', { ...ROWS.reconciling, ...paused, ...held }, resolve('failed'), '-'],
  ['an operator waits for the look-ups', { ...ROWS.reconciling, ...doubted }, resolve('failed'), '-'],
];

for (const [name, row, event, expected] of CASES) {
  test(name, () => assert.equal(outcome(row, event), expected));
}

test('charges answered time, rounded up to the minute, and nothing without an answer', () => {
  const used = (row: CallRow, event: CallEvent, seconds: number): number | null => {
    const decision = next(row, event, moment(seconds));
    return decision.kind === 'applied' ? decision.owes.usedMinutes : null;
  };
  const talking = rowWith({ stage: 'running', ...answered });
  const cancelled = { ...ROWS.cancel_requested, ...answered };
  const table = [
    [talking, EVENTS.ended, 5 + 1, 1],
    [talking, EVENTS.ended, 5 + 60, 1],
    [talking, EVENTS.ended, 5 + 60.001, 2],
    [talking, EVENTS.ended, 5 + 180, 3],
    [cancelled, EVENTS.ended, 5 + 61, 2],
    [cancelled, EVENTS.hang_up_confirmed, 5 + 61, 2],
    [ROWS.running, EVENTS.ended, 100, 0],
    [ROWS.running, EVENTS.refused, 100, 0],
    [ROWS.cancel_requested, EVENTS.hang_up_confirmed, 100, 0],
    [queued, EVENTS.cancel_requested, 100, 0],
    [queued, EVENTS.withdrawn, 100, 0],
    [queued, EVENTS.queue_expired, 1_000, 0],
    [{ ...ROWS.reconciling, ...doubted }, look('not_placed'), 100, 0],
    [{ ...ROWS.reconciling, ...paused, ...answered }, resolve('completed'), 9_000, 0],
    [talking, EVENTS.lease_expired, 100, null],
    [talking, EVENTS.cancel_requested, 100, null],
  ] as const;
  for (const [row, event, seconds, expected] of table) {
    assert.equal(used(row, event, seconds), expected, `${row.stage} ${event.kind} after ${seconds} s`);
  }
});

test('look-ups are bounded, begin soon, take growing pauses and fill the time given', () => {
  for (const schedule of [
    { lookups: 1, withinMs: 1_000 },
    { lookups: 8, withinMs: 600_000 },
    { lookups: 100, withinMs: 600_000 },
  ]) {
    const pauses = Array.from({ length: schedule.lookups }, (_, made) => pauseBeforeLookUp(schedule, made));
    const sum = pauses.reduce((total, pause) => total + pause, 0);
    assert.ok(Math.abs(sum - schedule.withinMs) <= schedule.lookups, `${sum} of ${schedule.withinMs}`);
    assert.deepEqual(
      pauses,
      pauses.toSorted((one, other) => one - other),
    );
    assert.ok(schedule.lookups === 1 || (pauses[0] ?? 0) < schedule.withinMs / 100);
  }
});

const FROM_ANYWHERE: ReadonlySet<EventKind> = new Set([
  'dispatched',
  'withdrawn',
  'queue_expired',
  'cancel_requested',
  'looked_up',
  'operator_resolved',
]);

test('no sequence of events moves a state back, reopens a call, leaves it unwatched or dials twice', () => {
  const seed = 20_261_120;
  const random = seededRandom(seed);
  const order = ['queued', 'dialing', 'ringing', 'in_progress', 'terminal'];
  const rank = (row: CallRow): number => (isOpen(row) ? order.indexOf(row.state) : 4);
  const choices: CallEvent[] = [
    ...Object.values(EVENTS),
    look('not_placed'),
    resolve('completed'),
    { kind: 'ended', code: 'duration_limit_reached', because: 'limit' },
  ];
  for (let walk = 0; walk < 3_000; walk += 1) {
    let row: CallRow = queued;
    let dispatches = 0;
    const story: string[] = [];
    for (let step = 1; step < 40; step += 1) {
      const event = choices[Math.floor(random() * choices.length)] ?? EVENTS.ended;
      // Nobody but a holder has a worker's claim, or a lease that can pass.
      if (row.stage !== 'queued' && row.worker_id === null && !FROM_ANYWHERE.has(event.kind)) continue;
      story.push(event.kind);
      const decision = next(row, event, moment(step * 10));
      if (decision.kind === 'ignored') continue;
      const after: CallRow = { ...row, ...decision.changes };
      const told = `seed ${seed}, walk ${walk}: ${story.join(' ')}`;
      assert.ok(isOpen(row), `a terminal call changed; ${told}`);
      assert.ok(rank(after) >= rank(row), `state moved back; ${told}`);
      assert.ok(after.stage !== 'queued' || row.stage === 'queued', `back to queued; ${told}`);
      assert.ok(after.claim_number >= row.claim_number, `claim number fell; ${told}`);
      assert.equal(decision.owes.usedMinutes !== null, !isOpen(after), `owed result; ${told}`);
      assertWhole(after, told);
      if (event.kind === 'dispatched') dispatches += 1;
      row = after;
    }
    assert.ok(dispatches <= 1, `dispatched ${dispatches} times; ${story.join(' ')}`);
  }
});

/** The CHECKs of the table, so that no rule writes what the database refuses. */
function assertWhole(row: Changeable, told: string): void {
  const isTerminal = row.completed_at !== null;
  assert.equal(['completed', 'failed', 'cancelled'].includes(row.stage), isTerminal, told);
  assert.ok(!isTerminal || row.stage === row.state, told);
  assert.equal(row.lease_until === null, row.worker_id === null, told);
  assert.ok(!isTerminal || (row.lease_until === null && row.deadline_at === null), told);
  assert.ok(
    isTerminal || row.lease_until !== null || row.deadline_at !== null || row.error_code === 'reconciliation_required',
    `nobody watches the call; ${told}`,
  );
  assert.ok(row.stage !== 'failed' || row.error_code !== null, told);
  assert.ok(row.stage !== 'completed' || row.error_code !== null || row.answered_at !== null, told);
  assert.ok(row.error_code === null || row.error_code in EXECUTION_ERROR_CODES, told);
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
