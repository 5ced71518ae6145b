import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createCaller, queueCalls } from '../../test/support/queued-calls.ts';
import { until } from '../../test/support/until.ts';
import type { Founded } from '../account/setup.ts';
import type { LookUp } from '../line/line.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import type { Clock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { Dispatch } from './advance.ts';
import type { CallRow } from './call-row.ts';
import { claimNext } from './queue.ts';
import { Caretaker, keepContact } from './recovery.ts';
import type { ClaimedCall } from './runner.ts';
import { readNextDeadline } from './store.ts';
import { Worker } from './worker.ts';

const LEASE_MS = 300;
const LOOKUPS = 3;
const log = createLogger('silent');
let db: TestDatabase;
let caller: Founded;
let dispatch: Dispatch;
beforeEach(async () => {
  db = await createTestDatabase();
  caller = await createCaller(db.database);
  dispatch = new Dispatch({
    database: db.database,
    settings: { leaseMs: LEASE_MS, recovery: { lookups: LOOKUPS, withinMs: 700 } },
    log,
  });
});
afterEach(() => db[Symbol.asyncDispose]());

const unknown = async (): Promise<LookUp> => ({ kind: 'unknown' });
function startCaretaker(lookUp: () => Promise<LookUp> = unknown, clock: Clock = systemClock): Caretaker {
  const caretaker = new Caretaker({ database: db.database, dispatch, lookUp, clock, log });
  caretaker.start();
  return caretaker;
}

async function claimed(): Promise<ClaimedCall> {
  await queueCalls(db.database, caller);
  const taken = await claimNext({
    database: db.database,
    dispatch,
    runner: { prepare: (call) => ({ carrier: 'sip', reference: `${call.id}@errand` }) },
    workerId: systemChance.uuid(),
  });
  assert.ok(taken.kind === 'claimed');
  return taken.call;
}

const readCall = async (id: string): Promise<CallRow> => {
  const [row] = await db.database.query<CallRow>('SELECT * FROM calls WHERE id = $1', [id]);
  assert.ok(row !== undefined);
  return row;
};
const withCode = (id: string, code: CallRow['error_code']) =>
  until(`call says ${code}`, async () => (await readCall(id)).error_code === code);
const eventsOf = async (id: string): Promise<string[]> =>
  (
    await db.database.query<{ event: string }>('SELECT event FROM call_events WHERE call_id = $1 ORDER BY number', [id])
  ).map((row) => row.event);

test('after kill -9 of its worker a call is looked up, then left to an operator, and never run again', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const script = fileURLToPath(new URL('../../test/support/hanging-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [script, db.url, String(LEASE_MS)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    assert.equal(line, `acknowledged ${id}`);
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  const reruns: string[] = [];
  await using worker = new Worker({
    database: db.database,
    dispatch,
    clock: systemClock,
    chance: systemChance,
    log,
    capacity: 5,
    drainMs: 0,
    runner: {
      prepare: (call) => ({ carrier: 'sip', reference: call.id }),
      run: async (call, desk) => {
        reruns.push(call.id);
        await desk.report({ kind: 'refused', code: 'no_answer', because: 'rang' });
      },
    },
  });
  await worker.start();
  await using stack = new AsyncDisposableStack();
  stack.use(startCaretaker());
  await withCode(id, 'submission_unconfirmed');
  assert.deepEqual([(await readCall(id)).stage, (await readCall(id)).state], ['reconciling', 'dialing']);
  await withCode(id, 'reconciliation_required');
  const [other = ''] = await queueCalls(db.database, caller);
  await withCode(other, 'no_answer');
  assert.deepEqual(reruns, [other], 'the worker takes calls, but not this one');
  const row = await readCall(id);
  assert.deepEqual([row.stage, row.state, row.lookups, row.deadline_at], ['reconciling', 'dialing', LOOKUPS, null]);
  const looks = Array.from({ length: LOOKUPS }, () => 'looked_up');
  assert.deepEqual(await eventsOf(id), ['dispatched', 'acknowledged', 'lease_expired', ...looks]);
  const [hold] = await db.database.query(`SELECT settled_at FROM holds WHERE call_id = $1`, [id]);
  assert.deepEqual(hold, { settled_at: null });
});

test('any number of caretakers count each deadline once', async () => {
  const [late = ''] = await queueCalls(db.database, caller, { queueLimitMs: 1 });
  await until('the queue limit has passed', async () => {
    const rows = await db.database.query(`SELECT 1 FROM calls WHERE id = $1 AND deadline_at < clock_timestamp()`, [
      late,
    ]);
    return rows.length === 1;
  });
  await using stack = new AsyncDisposableStack();
  for (let each = 0; each < 3; each += 1) stack.use(startCaretaker());
  await withCode(late, 'queue_expired');
  const call = await claimed();
  await withCode(call.id, 'reconciliation_required');
  assert.deepEqual(await eventsOf(late), ['queue_expired']);
  const looks = Array.from({ length: LOOKUPS }, () => 'looked_up');
  assert.deepEqual(await eventsOf(call.id), ['dispatched', 'lease_expired', ...looks]);
});

test('certainty that nothing was placed fails the call, or confirms its cancel', async () => {
  const failed = await claimed();
  const cancelled = await claimed();
  await dispatch.advance(cancelled.id, { kind: 'cancel_requested' });
  await using stack = new AsyncDisposableStack();
  stack.use(startCaretaker(async () => ({ kind: 'not_placed', because: 'the carrier has no such call' })));
  await withCode(failed.id, 'submission_failed');
  await until('call is cancelled', async () => (await readCall(cancelled.id)).stage === 'cancelled');
  assert.deepEqual(await eventsOf(cancelled.id), ['dispatched', 'cancel_requested', 'lease_expired', 'looked_up']);
});

test('a look-up that fails or never answers has found nothing', async () => {
  const call = await claimed();
  let asked = 0;
  const lookUp = (): Promise<LookUp> => {
    asked += 1;
    return asked === 1 ? Promise.reject(new Error('no route')) : new Promise<LookUp>(() => undefined);
  };
  // Waits of ten seconds are over at once.
  const hasty: Clock = {
    ...systemClock,
    after: (ms, fire) => systemClock.after(ms >= 10_000 ? 0 : ms, fire),
  };
  await using stack = new AsyncDisposableStack();
  stack.use(startCaretaker(lookUp, hasty));
  await withCode(call.id, 'reconciliation_required');
  assert.equal(asked, LOOKUPS);
});

test('a look-up that takes long keeps no other call waiting', async () => {
  const slow = await claimed();
  const answer = Promise.withResolvers<LookUp>();
  const asked = Promise.withResolvers<void>();
  await using stack = new AsyncDisposableStack();
  stack.use(
    startCaretaker(() => {
      asked.resolve();
      return answer.promise;
    }),
  );
  await asked.promise;
  const [late = ''] = await queueCalls(db.database, caller, { queueLimitMs: 20 });
  await withCode(late, 'queue_expired');
  assert.equal((await readCall(slow.id)).lookups, 0);
  answer.resolve({ kind: 'not_placed', because: 'the carrier has no such call' });
  await withCode(slow.id, 'submission_failed');
});

test('a caretaker lives through cut connections', async () => {
  await using stack = new AsyncDisposableStack();
  stack.use(startCaretaker());
  const call = await claimed();
  const knife = await db.database.connect();
  await knife.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await knife.release();
  await until('call is in recovery', async () => {
    try {
      return (await readCall(call.id)).error_code === 'reconciliation_required';
    } catch {
      return false; // the test's own connection was cut as well
    }
  });
});

test('where nothing is open there is no next deadline, so the database is left in peace', async () => {
  await using empty = await createTestDatabase();
  const { delay_ms } = await readNextDeadline(empty.database);
  assert.equal(delay_ms, null);
});

test('leases are judged only after a whole lease of unbroken contact with the database', () => {
  const leaseMs = 5_000;
  const seen = (monotonicMs: number, wallMs = monotonicMs) => ({ monotonicMs, now: new Date(wallMs) });
  const first = keepContact(null, seen(100), leaseMs);
  assert.equal(first.sinceMs, 100);
  const table: readonly (readonly [name: string, next: ReturnType<typeof seen>, sinceMs: number])[] = [
    ['a pass after a pause', seen(1_100), 100],
    ['a pass after half a lease', seen(2_600), 100],
    ['a process that was stopped for long', seen(60_100), 60_100],
    ['a machine that slept: only the database’s clock went on', seen(1_100, 3_600_000), 1_100],
  ];
  for (const [name, next, sinceMs] of table) assert.equal(keepContact(first, next, leaseMs).sinceMs, sinceMs, name);
});
