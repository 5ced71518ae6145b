import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestDatabase, testServer } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createCaller, queueCalls } from '../../test/support/queued-calls.ts';
import { until } from '../../test/support/until.ts';
import type { Founded } from '../account/setup.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';
import { Fault } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { Dispatch } from './advance.ts';
import type { CallRow } from './call-row.ts';
import type { CallDesk, CallRunner, ClaimedCall } from './runner.ts';
import { Caretaker } from './recovery.ts';
import { Worker } from './worker.ts';
import type { WorkerParts } from './worker.ts';

const LEASE_MS = 600;
const log = createLogger('silent');
let db: TestDatabase;
let caller: Founded;
let dispatch: Dispatch;
beforeEach(async () => {
  db = await createTestDatabase();
  caller = await createCaller(db.database);
  dispatch = new Dispatch({
    database: db.database,
    settings: { leaseMs: LEASE_MS, recovery: { lookups: 3, withinMs: 700 } },
    log,
  });
});
afterEach(() => db[Symbol.asyncDispose]());

type Run = (call: ClaimedCall, desk: CallDesk) => Promise<void>;
const ended = { kind: 'ended', code: null, because: 'recipient hung up' } as const;

function createWorker(run: Run, parts: Partial<WorkerParts> = {}): Worker {
  const runner: CallRunner = { prepare: (call) => ({ carrier: 'sip', reference: `${call.id}@errand` }), run };
  return new Worker({
    database: db.database,
    dispatch,
    runner,
    clock: systemClock,
    chance: systemChance,
    log,
    capacity: 10,
    drainMs: 5_000,
    ...parts,
  });
}

/** A run that a test can hold in the middle of the call. */
function heldRun() {
  const started = Promise.withResolvers<CallDesk>();
  const release = Promise.withResolvers<void>();
  const run: Run = async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    started.resolve(desk);
    await release.promise;
    await desk.report(ended);
  };
  return { run, started: started.promise, release: () => release.resolve() };
}

const readCall = async (id: string): Promise<CallRow> => {
  const [row] = await db.database.query<CallRow>('SELECT * FROM calls WHERE id = $1', [id]);
  assert.ok(row !== undefined);
  return row;
};
const inStage = (id: string, stage: CallRow['stage']) =>
  until(`call is ${stage}`, async () => (await readCall(id)).stage === stage);
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

test('several workers run each call once, from claim to end', async () => {
  const ids = await queueCalls(db.database, caller, { count: 30 });
  const runs: string[] = [];
  const run: Run = async (call, desk) => {
    runs.push(call.id);
    for (const event of [{ kind: 'acknowledged' }, { kind: 'ringing' }, { kind: 'answered' }] as const) {
      assert.ok(await desk.report(event));
    }
    assert.equal(await desk.record([{ speaker: 'assistant', text: 'Hello.', about: null }]), 1);
    assert.ok(await desk.report(ended));
  };
  await using workers = new AsyncDisposableStack();
  for (let each = 0; each < 4; each += 1) await workers.use(createWorker(run, { capacity: 3 })).start();
  await until('all calls are completed', async () => {
    const rows = await db.database.query(`SELECT 1 FROM calls WHERE stage = 'completed'`);
    return rows.length === ids.length;
  });
  assert.deepEqual(runs.toSorted(), ids);
});

test('a queued call is picked up by its notification, well before the next poll', async () => {
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  const startedMs = performance.now();
  await queueCalls(db.database, caller);
  await running.started;
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < 500, `picked up after ${tookMs} ms`);
  running.release();
});

test('a call whose notification was lost is picked up by the poll', async () => {
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  await queueCalls(db.database, caller, { isNotified: false });
  await running.started;
  running.release();
});

test('a worker never holds more calls than its capacity', async () => {
  let running = 0;
  let most = 0;
  const run: Run = async (_call, desk) => {
    running += 1;
    most = Math.max(most, running);
    await desk.report({ kind: 'answered' });
    await desk.report(ended);
    running -= 1;
  };
  await using worker = createWorker(run, { capacity: 2 });
  await worker.start();
  await queueCalls(db.database, caller, { count: 12 });
  await until('all calls are completed', async () => {
    const rows = await db.database.query(`SELECT 1 FROM calls WHERE stage = 'completed'`);
    return rows.length === 12;
  });
  assert.equal(most, 2);
});

test('a cancel request reaches the running call at once', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const started = Promise.withResolvers<void>();
  await using worker = createWorker(async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    started.resolve();
    await aborted(desk.cancel);
    await desk.report({ kind: 'hang_up_confirmed' });
  });
  await worker.start();
  await started.promise;
  await dispatch.advance(id, { kind: 'cancel_requested' });
  await inStage(id, 'cancelled');
});

test('a cancel request whose notification was lost arrives with the next renewal', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  const desk = await running.started;
  await db.database.query(`UPDATE calls SET stage = 'cancel_requested', cancel_requested_at = now() WHERE id = $1`, [
    id,
  ]);
  await aborted(desk.cancel);
  running.release();
  await inStage(id, 'completed');
});

test('leases are renewed for as long as calls run', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  await running.started;
  const first = (await readCall(id)).lease_until?.getTime() ?? 0;
  await until('the lease was renewed past its first end', async () => {
    const lease = (await readCall(id)).lease_until?.getTime() ?? 0;
    return lease > first + LEASE_MS;
  });
  assert.ok(!(await dispatch.advance(id, { kind: 'lease_expired' })).isApplied);
  running.release();
});

test('a runner that fails leaves its call to recovery, with what was said', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  await using worker = createWorker(async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    await desk.record([{ speaker: 'recipient', text: 'Hello?', about: null }]);
    throw new Error('a bug');
  });
  await worker.start();
  await inStage(id, 'reconciling');
  const row = await readCall(id);
  assert.deepEqual([row.state, row.error_code], ['in_progress', 'submission_unconfirmed']);
  const said = await db.database.query(`SELECT text FROM transcript_segments WHERE call_id = $1`, [id]);
  assert.deepEqual(said, [{ text: 'Hello?' }]);
  await until('the worker is free again', () => worker.load === 0);
});

test('a worker that lost its claim is told so, and writes nothing more', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  const desk = await running.started;
  await db.database.query(
    `UPDATE calls SET claim_number = 2, worker_id = NULL, lease_until = NULL, stage = 'reconciling', deadline_at = now()
      WHERE id = $1`,
    [id],
  );
  assert.equal(await desk.record([{ speaker: 'assistant', text: 'Anything else?', about: null }]), 1);
  assert.equal(await desk.report(ended), false);
  assert.deepEqual(await db.database.query(`SELECT 1 FROM transcript_segments WHERE call_id = $1`, [id]), []);
  assert.equal((await readCall(id)).stage, 'reconciling');
  running.release();
});

test('connections cut in mid-call lose no news, no word and no order', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const texts = Array.from({ length: 40 }, (_, index) => `turn ${index + 1}\0`);
  const halfway = Promise.withResolvers<void>();
  const cutOften = Promise.withResolvers<void>();
  await using worker = createWorker(async (_call, desk) => {
    void desk.report({ kind: 'acknowledged' });
    void desk.report({ kind: 'answered' });
    for (const [index, text] of texts.entries()) {
      const saved = desk.record([{ speaker: index % 2 === 0 ? 'assistant' : 'recipient', text, about: null }]);
      if (index === 10) {
        halfway.resolve();
        await cutOften.promise;
      }
      if (index % 3 === 0) assert.equal(await saved, index + 1);
    }
    assert.ok(await desk.report(ended));
  });
  await worker.start();
  await halfway.promise;
  await using knife = await createKnife(db);
  const cutting = (async () => {
    for (let cut = 0; cut < 5; cut += 1) await knife.cut();
    cutOften.resolve();
    for (let cut = 0; cut < 15; cut += 1) await knife.cut();
  })();
  await cutting;
  await until('the call is completed', async () => {
    try {
      return (await readCall(id)).stage === 'completed';
    } catch {
      return false; // this connection may have been the one that was cut
    }
  });
  const saved = await db.database.query<{ sequence: number; text: string }>(
    `SELECT sequence, text FROM transcript_segments WHERE call_id = $1 ORDER BY sequence`,
    [id],
  );
  assert.deepEqual(
    saved,
    texts.map((text, index) => ({ sequence: index + 1, text: text.replace('\0', '\uFFFD') })),
  );
  const events = await db.database.query<{ event: string }>(
    `SELECT event FROM call_events WHERE call_id = $1 ORDER BY number`,
    [id],
  );
  assert.deepEqual(
    events.map((row) => row.event),
    ['dispatched', 'acknowledged', 'answered', 'ended'],
  );
});

test('a database that is away for longer than a lease takes no call from its worker, and charges nobody for it', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const running = heldRun();
  await using worker = createWorker(running.run);
  await worker.start();
  await using stack = new AsyncDisposableStack();
  const lookUp = () => Promise.resolve({ kind: 'unknown' } as const);
  const caretaker = stack.use(new Caretaker({ database: db.database, dispatch, lookUp, clock: systemClock, log }));
  caretaker.start();
  const desk = await running.started;
  await using outage = await beginOutage(db);
  const texts = Array.from({ length: 5 }, (_, index) => `turn ${index + 1}`);
  const startedMs = performance.now();
  for (const text of texts) await desk.record([{ speaker: 'recipient', text, about: null }]);
  assert.ok(await desk.report(ended), 'the call can go on although nothing is written yet');
  const endedMs = performance.now();
  assert.ok(endedMs - startedMs < 2 * 1_000, 'nobody waits for the database');
  await until('three leases have passed', () => performance.now() - startedMs > 3 * LEASE_MS);
  await outage.end();
  running.release();
  await inStage(id, 'completed');
  const events = await db.database.query(`SELECT event FROM call_events WHERE call_id = $1 ORDER BY number`, [id]);
  assert.deepEqual(events, [{ event: 'dispatched' }, { event: 'answered' }, { event: 'ended' }]);
  const saved = await db.database.query(`SELECT text FROM transcript_segments WHERE call_id = $1 ORDER BY sequence`, [
    id,
  ]);
  assert.deepEqual(
    saved,
    texts.map((text) => ({ text })),
  );
  const row = await readCall(id);
  const talkedMs = (row.completed_at?.getTime() ?? 0) - (row.answered_at?.getTime() ?? 0);
  assert.ok(talkedMs < 3 * LEASE_MS, `the call ended before the outage did, not ${talkedMs} ms after its answer`);
});

/** Nobody can use the test's database until `end`. */
async function beginOutage(target: TestDatabase) {
  const name = new URL(target.url).pathname.slice(1);
  const server = openDatabase({
    url: await testServer(),
    poolSize: 1,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => undefined,
  });
  const end = () => server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
  await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
  return {
    end,
    async [Symbol.asyncDispose]() {
      await end();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Cuts every other connection to the test's database. */
async function createKnife(target: TestDatabase) {
  const connection = await target.database.connect();
  return {
    cut: () =>
      connection.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    [Symbol.asyncDispose]: () => connection.release(),
  };
}

/** A database that commits the next transaction that dispatches a call, and then loses the answer. */
function losingOneAnswer(database: Database, isCommitted: boolean): Database {
  let isLost = false;
  return {
    ...database,
    async transaction(work) {
      let isDispatch = false;
      const lost = new Fault('the connection was lost', { blame: 'us', retry: 'never' });
      const result = await database.transaction(async (tx) => {
        const answer = await work(tx);
        isDispatch =
          !isLost && answer !== null && (answer as { event?: { kind?: string } }).event?.kind === 'dispatched';
        if (isDispatch && !isCommitted) {
          isLost = true;
          throw lost;
        }
        return answer;
      });
      if (!isDispatch) return result;
      isLost = true;
      throw lost;
    },
  };
}

for (const isCommitted of [true, false]) {
  test(`a claim whose commit was never confirmed is run once when it was ${isCommitted ? '' : 'not '}committed`, async () => {
    const [id = ''] = await queueCalls(db.database, caller);
    const runs: string[] = [];
    const run: Run = async (call, desk) => {
      runs.push(call.id);
      await desk.report({ kind: 'answered' });
      await desk.report(ended);
    };
    await using worker = createWorker(run, { database: losingOneAnswer(db.database, isCommitted) });
    await worker.start();
    await inStage(id, 'completed');
    assert.deepEqual(runs, [id]);
  });
}

test('a stopping worker takes no more calls and lets those that run end by themselves', async () => {
  const running = heldRun();
  const worker = createWorker(running.run, { capacity: 1 });
  await worker.start();
  const [first = '', second = ''] = await queueCalls(db.database, caller, { count: 2 });
  const desk = await running.started;
  const stopped = worker[Symbol.asyncDispose]();
  running.release();
  await stopped;
  assert.ok(!desk.stop.aborted);
  assert.equal((await readCall(first)).stage, 'completed');
  assert.equal((await readCall(second)).stage, 'queued');
});

test('a stopping worker ends its calls when its patience is over', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const started = Promise.withResolvers<void>();
  const worker = createWorker(
    async (_call, desk) => {
      await desk.report({ kind: 'answered' });
      started.resolve();
      await aborted(desk.stop);
      await desk.report({ kind: 'ended', code: 'call_interrupted', because: 'the service is stopping' });
    },
    { drainMs: 50 },
  );
  await worker.start();
  await started.promise;
  await worker[Symbol.asyncDispose]();
  const row = await readCall(id);
  assert.deepEqual([row.stage, row.error_code], ['completed', 'call_interrupted']);
});

test('a stopping worker does not wait for a runner that never ends', async () => {
  const [id = ''] = await queueCalls(db.database, caller);
  const started = Promise.withResolvers<void>();
  const worker = createWorker(
    async (_call, desk) => {
      await desk.report({ kind: 'acknowledged' });
      started.resolve();
      await new Promise(() => undefined);
    },
    { drainMs: 10, stopGraceMs: 50 },
  );
  await worker.start();
  await started.promise;
  await worker[Symbol.asyncDispose]();
  assert.equal((await readCall(id)).stage, 'running', 'recovery finds it when the lease has passed');
});
