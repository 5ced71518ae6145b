import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createCaller, queueCalls } from '../../test/support/queued-calls.ts';
import { until } from '../../test/support/until.ts';
import type { Founded } from '../account/setup.ts';
import { auditLedger } from '../ledger/store.ts';
import { createLogger } from '../platform/log.ts';
import { Dispatch } from './advance.ts';
import type { CallEvent, WorkerEvent } from './call-event.ts';
import type { CallRow } from './call-row.ts';
import { claimNext } from './queue.ts';
import type { ClaimedCall } from './runner.ts';

let db: TestDatabase;
let caller: Founded;
let dispatch: Dispatch;
before(async () => {
  db = await createTestDatabase();
  caller = await createCaller(db.database);
  dispatch = new Dispatch({
    database: db.database,
    settings: { leaseMs: 60_000, recovery: { lookups: 3, withinMs: 70_000 } },
    log: createLogger('silent'),
  });
});
after(() => db[Symbol.asyncDispose]());

const WORKER = '019d0000-0000-7000-8000-0000000000aa';
const claim = () =>
  claimNext({
    database: db.database,
    dispatch,
    runner: { prepare: (call) => ({ carrier: 'sip', reference: `${call.id}@errand` }) },
    workerId: WORKER,
  });

/** A call that a worker holds; admitted ten minutes ago, so that its news can be old. */
async function claimed(maxDurationSeconds = 180): Promise<ClaimedCall> {
  await queueCalls(db.database, caller, { ageMs: 600_000, maxDurationSeconds });
  const taken = await claim();
  assert.equal(taken.kind, 'claimed');
  return taken.call;
}

const tell = (call: ClaimedCall, event: WorkerEvent, ageMs = 0) =>
  dispatch.advance(call.id, event, { claimNumber: call.claimNumber, ageMs });
const ended = { kind: 'ended', code: null, because: 'recipient hung up' } as const;

const readCall = async (id: string): Promise<CallRow> => {
  const [row] = await db.database.query<CallRow>('SELECT * FROM calls WHERE id = $1', [id]);
  assert.ok(row !== undefined);
  return row;
};
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await db.database.query<{ event: string }>('SELECT event FROM call_events WHERE call_id = $1 ORDER BY number', [id])
  ).map((row) => row.event);
const usedMinutes = async (id: string): Promise<number | null | undefined> =>
  (
    await db.database.query<{ used_minutes: number | null }>('SELECT used_minutes FROM holds WHERE call_id = $1', [id])
  )[0]?.used_minutes;
const pendingResults = async (id: string): Promise<number> =>
  (
    await db.database.query(`SELECT 1 FROM results WHERE call_id = $1 AND status = 'pending' AND due_at IS NOT NULL`, [
      id,
    ])
  ).length;
const assertBooksRight = async () =>
  assert.deepEqual(await auditLedger(db.database), { sum: 0, unbalanced: 0, held_without_hold: 0 });

test('a call from dial to end: every step is in its row and its log', async () => {
  const call = await claimed();
  for (const event of [{ kind: 'acknowledged' }, { kind: 'ringing' }, { kind: 'answered' }] as const)
    await tell(call, event);
  const talking = await readCall(call.id);
  assert.deepEqual([talking.stage, talking.state, talking.worker_id], ['running', 'in_progress', WORKER]);
  assert.ok(talking.started_at !== null && talking.answered_at !== null && talking.completed_at === null);
  assert.equal(await pendingResults(call.id), 0);
  await tell(call, ended);
  const done = await readCall(call.id);
  assert.deepEqual([done.stage, done.state, done.error_code, done.lease_until], ['completed', 'completed', null, null]);
  assert.ok(done.completed_at !== null);
  assert.deepEqual(await eventsOf(call.id), ['dispatched', 'acknowledged', 'ringing', 'answered', 'ended']);
  assert.equal(await pendingResults(call.id), 1);
  await assertBooksRight();
});

test('cancels and ends that race leave one outcome, one result, one settlement', async () => {
  for (let round = 0; round < 10; round += 1) {
    const call = await claimed();
    await tell(call, { kind: 'answered' }, 30_000);
    const [cancelOne, cancelTwo, endOne, endTwo] = await Promise.all([
      dispatch.advance(call.id, { kind: 'cancel_requested' }),
      dispatch.advance(call.id, { kind: 'cancel_requested' }),
      tell(call, ended),
      tell(call, ended),
    ]);
    assert.ok(Number(cancelOne.isApplied) + Number(cancelTwo.isApplied) <= 1);
    assert.equal(Number(endOne.isApplied) + Number(endTwo.isApplied), 1);
    assert.equal((await readCall(call.id)).stage, 'completed', 'the natural end is the confirmed outcome');
    assert.equal(await pendingResults(call.id), 1);
    assert.equal(await usedMinutes(call.id), 1);
  }
  await assertBooksRight();
});

test('a cancel that races the claim either keeps the call from being dialed or reaches its worker', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [id = ''] = await queueCalls(db.database, caller);
    const [cancel, taken] = await Promise.all([dispatch.advance(id, { kind: 'cancel_requested' }), claim()]);
    assert.ok(cancel.isApplied);
    const row = await readCall(id);
    if (taken.kind === 'claimed') assert.deepEqual([row.stage, row.claim_number], ['cancel_requested', 1]);
    else assert.deepEqual([row.stage, row.state, row.leg, row.claim_number], ['cancelled', 'cancelled', null, 0]);
  }
});

test('cancel before dispatch cancels at once, gives the minutes back and owes a result; again changes nothing', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const first = await dispatch.advance(id, { kind: 'cancel_requested' });
  assert.deepEqual([first.call.stage, first.call.state, first.call.error_code], ['cancelled', 'cancelled', null]);
  assert.equal(await usedMinutes(id), 0);
  assert.equal(await pendingResults(id), 1);
  const again = await dispatch.advance(id, { kind: 'cancel_requested' });
  assert.ok(!again.isApplied);
  assert.deepEqual(await eventsOf(id), ['cancel_requested']);
  await assertBooksRight();
});

test('news with a stale claim changes nothing and says so', async () => {
  const call = await claimed();
  for (const claimNumber of [0, 2]) {
    const stale = await dispatch.advance(call.id, ended, { claimNumber, ageMs: 0 });
    assert.deepEqual([stale.isApplied, stale.isClaimCurrent], [false, false]);
  }
  assert.equal((await readCall(call.id)).stage, 'submitting');
  await db.database.query(`UPDATE calls SET lease_until = clock_timestamp() WHERE id = $1`, [call.id]);
  assert.ok((await dispatch.advance(call.id, { kind: 'lease_expired' })).isApplied);
  const late = await tell(call, { kind: 'answered' });
  assert.deepEqual([late.isApplied, late.isClaimCurrent], [false, false]);
  assert.equal((await readCall(call.id)).error_code, 'submission_unconfirmed');
});

test('late and repeated news is no sign of a lost claim', async () => {
  const call = await claimed();
  await tell(call, { kind: 'answered' });
  for (const event of [{ kind: 'ringing' }, { kind: 'acknowledged' }, { kind: 'answered' }] as const) {
    const repeated = await tell(call, event);
    assert.deepEqual([repeated.isApplied, repeated.isClaimCurrent], [false, true]);
  }
  await tell(call, ended);
  const afterEnd = await tell(call, ended);
  assert.deepEqual([afterEnd.isApplied, afterEnd.isClaimCurrent], [false, true]);
});

test('an expiry is believed only when its time has come under the lock', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  assert.ok(!(await dispatch.advance(id, { kind: 'queue_expired' })).isApplied);
  await db.database.query(`UPDATE calls SET deadline_at = clock_timestamp() WHERE id = $1`, [id]);
  const expired = await dispatch.advance(id, { kind: 'queue_expired' });
  assert.deepEqual([expired.call.stage, expired.call.error_code], ['failed', 'queue_expired']);

  const call = await claimed();
  assert.ok(!(await dispatch.advance(call.id, { kind: 'lease_expired' })).isApplied);
  await tell(call, { kind: 'unacknowledged', because: 'mute' });
  const early = await dispatch.advance(call.id, { kind: 'looked_up', found: 'unknown', because: 'cannot tell' });
  assert.ok(!early.isApplied);
  assert.equal((await readCall(call.id)).lookups, 0);
});

test('answered time is charged by when things happened, not by when the database heard of them', async () => {
  const table: readonly (readonly [
    name: string,
    news: readonly (readonly [event: CallEvent, ageMs: number])[],
    used: number,
  ])[] = [
    [
      'a second',
      [
        [{ kind: 'answered' }, 1_000],
        [ended, 0],
      ],
      1,
    ],
    [
      'a minute and a bit',
      [
        [{ kind: 'answered' }, 61_000],
        [ended, 0],
      ],
      2,
    ],
    [
      'an end heard of two minutes later',
      [
        [{ kind: 'answered' }, 150_000],
        [ended, 120_000],
      ],
      1,
    ],
    [
      'longer than the hold',
      [
        [{ kind: 'answered' }, 400_000],
        [ended, 0],
      ],
      3,
    ],
    ['busy', [[{ kind: 'refused', code: 'destination_busy', because: '486' }, 0]], 0],
    [
      'cancelled while it rang',
      [
        [{ kind: 'ringing' }, 90_000],
        [{ kind: 'cancel_requested' }, 0],
        [{ kind: 'hang_up_confirmed' }, 0],
      ],
      0,
    ],
    [
      'cancelled after the answer',
      [
        [{ kind: 'answered' }, 90_000],
        [{ kind: 'cancel_requested' }, 0],
        [{ kind: 'hang_up_confirmed' }, 0],
      ],
      2,
    ],
  ];
  for (const [name, news, used] of table) {
    const call = await claimed();
    for (const [event, ageMs] of news) {
      if (event.kind === 'cancel_requested') await dispatch.advance(call.id, event);
      else await tell(call, event as WorkerEvent, ageMs); // the table holds nothing else
    }
    assert.equal(await usedMinutes(call.id), used, name);
  }
  await assertBooksRight();
});

test('a call in recovery keeps its hold until an operator decides, and is then not charged', async () => {
  const call = await claimed();
  await tell(call, { kind: 'answered' }, 100_000);
  await tell(call, { kind: 'unacknowledged', because: 'the runner failed' });
  await db.database.query(`UPDATE calls SET lease_until = clock_timestamp() WHERE id = $1`, [call.id]);
  await dispatch.advance(call.id, { kind: 'lease_expired' });
  assert.equal(await usedMinutes(call.id), null);
  const decide = { kind: 'operator_resolved', outcome: 'completed', because: 'asked the recipient' } as const;
  assert.ok(!(await dispatch.advance(call.id, decide)).isApplied, 'not while look-ups are left');
  for (let made = 0; made < 3; made += 1) {
    await db.database.query(`UPDATE calls SET deadline_at = clock_timestamp() WHERE id = $1`, [call.id]);
    await dispatch.advance(call.id, { kind: 'looked_up', found: 'unknown', because: 'cannot tell' });
  }
  const paused = await readCall(call.id);
  assert.deepEqual(
    [paused.stage, paused.error_code, paused.deadline_at],
    ['reconciling', 'reconciliation_required', null],
  );
  const resolved = await dispatch.advance(call.id, decide);
  assert.deepEqual([resolved.call.stage, resolved.call.error_code], ['completed', 'operator_resolved']);
  assert.equal(await usedMinutes(call.id), 0);
  await assertBooksRight();
});

test('a cancel request tells the worker, an end tells the results, when they are committed', async () => {
  const heard: string[] = [];
  await using listening = new AsyncDisposableStack();
  const missed = (): void => assert.fail('the connection was lost');
  listening.use(await db.database.listen('call_changed', (id) => heard.push(`changed ${id}`), missed));
  listening.use(await db.database.listen('results_due', () => heard.push('due'), missed));
  const call = await claimed();
  await dispatch.advance(call.id, { kind: 'cancel_requested' });
  await until('the worker was told', () => heard.includes(`changed ${call.id}`));
  assert.ok(!heard.includes('due'));
  await tell(call, { kind: 'hang_up_confirmed' });
  await until('the results were told', () => heard.includes('due'));
});

test('a call that is not there is an error', async () => {
  await assert.rejects(dispatch.advance(WORKER, { kind: 'cancel_requested' }), /there is no call/);
});
