import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { testServer } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createDispatching, ENDED, heldRun, LEASE_MS } from '../../test/support/dispatching.ts';
import type { Dispatching, Run } from '../../test/support/dispatching.ts';
import { queueCalls } from '../../test/support/queued-calls.ts';
import { until } from '../../test/support/until.ts';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';
import { Fault } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { Caretaker } from './recovery.ts';

let room: Dispatching;
beforeEach(async () => {
  room = await createDispatching();
});
afterEach(() => room[Symbol.asyncDispose]());

test('connections cut in mid-call lose no news, no word and no order', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const texts = Array.from({ length: 40 }, (_, index) => `turn ${index + 1}\0`);
  const halfway = Promise.withResolvers<void>();
  const cutOften = Promise.withResolvers<void>();
  await using worker = room.createWorker(async (_call, desk) => {
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
    assert.ok(await desk.report(ENDED));
  });
  await worker.start();
  await halfway.promise;
  await using knife = await createKnife(room.db);
  const cutting = (async () => {
    for (let cut = 0; cut < 5; cut += 1) await knife.cut();
    cutOften.resolve();
    for (let cut = 0; cut < 15; cut += 1) await knife.cut();
  })();
  await cutting;
  await until('the call is completed', async () => {
    try {
      return (await room.readCall(id)).stage === 'completed';
    } catch {
      return false; // this connection may have been the one that was cut
    }
  });
  const saved = await room.db.database.query<{ sequence: number; text: string }>(
    `SELECT sequence, text FROM transcript_segments WHERE call_id = $1 ORDER BY sequence`,
    [id],
  );
  assert.deepEqual(
    saved,
    texts.map((text, index) => ({ sequence: index + 1, text: text.replace('\0', '\uFFFD') })),
  );
  const events = await room.db.database.query<{ event: string }>(
    `SELECT event FROM call_events WHERE call_id = $1 ORDER BY number`,
    [id],
  );
  assert.deepEqual(
    events.map((row) => row.event),
    ['dispatched', 'acknowledged', 'answered', 'ended'],
  );
});

test('a database that is away for longer than a lease takes no call from its worker, and charges nobody for it', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  await using stack = new AsyncDisposableStack();
  const lookUp = () => Promise.resolve({ kind: 'unknown' } as const);
  const caretaker = stack.use(
    new Caretaker({
      database: room.db.database,
      dispatch: room.dispatch,
      lookUp,
      clock: systemClock,
      log: createLogger('silent'),
    }),
  );
  caretaker.start();
  const desk = await running.started;
  await using outage = await beginOutage(room.db);
  const texts = Array.from({ length: 5 }, (_, index) => `turn ${index + 1}`);
  const startedMs = performance.now();
  for (const text of texts) await desk.record([{ speaker: 'recipient', text, about: null }]);
  assert.ok(await desk.report(ENDED), 'the call can go on although nothing is written yet');
  const endedMs = performance.now();
  assert.ok(endedMs - startedMs < 2 * 1_000, 'nobody waits for the database');
  await until('three leases have passed', () => performance.now() - startedMs > 3 * LEASE_MS);
  await outage.end();
  running.release();
  await room.inStage(id, 'completed');
  const events = await room.db.database.query(`SELECT event FROM call_events WHERE call_id = $1 ORDER BY number`, [id]);
  assert.deepEqual(events, [{ event: 'dispatched' }, { event: 'answered' }, { event: 'ended' }]);
  const saved = await room.db.database.query(
    `SELECT text FROM transcript_segments WHERE call_id = $1 ORDER BY sequence`,
    [id],
  );
  assert.deepEqual(
    saved,
    texts.map((text) => ({ text })),
  );
  const row = await room.readCall(id);
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
    const [id = ''] = await queueCalls(room.db.database, room.caller);
    const runs: string[] = [];
    const run: Run = async (call, desk) => {
      runs.push(call.id);
      await desk.report({ kind: 'answered' });
      await desk.report(ENDED);
    };
    await using worker = room.createWorker(run, { database: losingOneAnswer(room.db.database, isCommitted) });
    await worker.start();
    await room.inStage(id, 'completed');
    assert.deepEqual(runs, [id]);
  });
}
