// The lanes alone, on a real database: bounds, deadlines, and what a failed batch means to each request in it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { HeldClock } from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import type { Queryable } from '../platform/database.ts';
import { openDatabase } from '../platform/database.ts';
import { Fault } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { BATCH_LIMIT, BATCH_LIMIT_BYTES, LANE_LIMITS, Lanes } from './lanes.ts';
import type { LaneLimits, LaneParts } from './lanes.ts';

const store = await createTestDatabase(false);
after(() => store[Symbol.asyncDispose]());

type Run = LaneParts<string, string>['run'];

function openLanes(run: Run, limits: Partial<LaneLimits> = {}, sizeOf: (row: string) => number = () => 1) {
  return Lanes.open<string, string>({
    database: store.database,
    clock: new HeldClock(),
    log: createLogger('silent'),
    limits: { ...LANE_LIMITS, lanes: 1, ...limits },
    sizeOf,
    run,
  });
}

/** Answers each row with itself, once the gate is open. */
function gated(): { readonly run: Run; readonly batches: string[][]; readonly open: () => void } {
  const gate = Promise.withResolvers<void>();
  const batches: string[][] = [];
  const run: Run = async (connection: Queryable, rows) => {
    batches.push([...rows]);
    await gate.promise;
    await connection.query('SELECT 1');
    return rows;
  };
  return { run, batches, open: gate.resolve };
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Fault, String(error));
    return error;
  }
  assert.fail('no fault');
}

test('a lone request goes at once, and what arrives while it is in flight forms the next batch, in order', async () => {
  const { run, batches, open } = gated();
  await using lanes = await openLanes(run);
  const lone = lanes.submit('lone');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  assert.deepEqual(batches, [['lone']]);
  const others = ['a', 'b', 'c'].map((row) => lanes.submit(row));
  open();
  assert.equal(await lone, 'lone');
  assert.deepEqual(await Promise.all(others), ['a', 'b', 'c']);
  assert.deepEqual(batches, [['lone'], ['a', 'b', 'c']]);
});

test('a batch is bounded by number and by bytes, and one row above the bytes still goes', async () => {
  const { run, batches, open } = gated();
  await using lanes = await openLanes(run, {}, (row) => (row === 'large' ? BATCH_LIMIT_BYTES : 1));
  open();
  const rows = [...Array.from({ length: BATCH_LIMIT + 5 }, (_, index) => `${index}`), 'large', 'last'];
  assert.deepEqual(await Promise.all(rows.map((row) => lanes.submit(row))), rows);
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [BATCH_LIMIT, 5, 1, 1],
  );
});

test('one request more than may wait is turned away safely, and the others are served', async () => {
  const { run, open } = gated();
  await using lanes = await openLanes(run, { waiting: 3 });
  const inFlight = lanes.submit('in flight');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = ['a', 'b', 'c'].map((row) => lanes.submit(row));
  const fault = await faultOf(lanes.submit('too many'));
  assert.equal(fault.retry, 'safe');
  assert.match(fault.message, /nothing was admitted: too many creates are waiting/);
  open();
  assert.deepEqual(await Promise.all([inFlight, ...waiting]), ['in flight', 'a', 'b', 'c']);
});

test('a request that waits too long for a lane is turned away safely', async () => {
  const { run, open } = gated();
  await using lanes = await openLanes(run, { waitMs: 50 });
  const inFlight = lanes.submit('in flight');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const fault = await faultOf(lanes.submit('late'));
  assert.equal(fault.retry, 'safe');
  open();
  assert.equal(await inFlight, 'in flight');
  assert.equal(await lanes.submit('after'), 'after');
});

test('a batch that does not come back in time may exist, and its lane is replaced', async () => {
  await using lanes = await openLanes(
    async (connection, rows) => {
      if (rows.includes('stuck')) await connection.query('SELECT pg_sleep(60)');
      return rows;
    },
    { flightMs: 100 },
  );
  const fault = await faultOf(lanes.submit('stuck'));
  assert.equal(fault.retry, 'never');
  assert.equal(await lanes.submit('next'), 'next');
});

test('what one request does to its batch is not the loss of the others', async () => {
  await using lanes = await openLanes(async (connection, rows) => {
    for (const row of rows) await connection.query('SELECT $1::integer', [row]);
    return rows;
  });
  const settled = await Promise.allSettled(['1', 'secret 7', '3'].map((row) => lanes.submit(row)));
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const fault = settled[1]?.status === 'rejected' ? (settled[1].reason as unknown) : null;
  assert.ok(fault instanceof Fault && fault.cause instanceof Error);
  assert.equal(fault.retry, 'safe');
  assert.match(fault.message, /22P02/);
  assert.doesNotMatch(`${fault.message} ${fault.cause.message} ${JSON.stringify(fault)}`, /secret/);
});

test('a fault after the answer of the server counts as perhaps committed', async () => {
  await using lanes = await openLanes(async () => {
    throw new TypeError('cannot read the answer');
  });
  assert.equal((await faultOf(lanes.submit('a'))).retry, 'never');
});

test('idle lanes whose connections were cut are replaced without a request noticing', async () => {
  await using lanes = await openLanes(async (connection, rows) => {
    await connection.query('SELECT 1');
    return rows;
  });
  for (let round = 0; round < 5; round++) {
    await store.database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const outcome = await Promise.allSettled([lanes.submit('a')]);
    // The news of the cut may come after the request left; then it is reported as what it is.
    if (outcome[0].status === 'rejected') assert.equal((outcome[0].reason as Fault).retry, 'never');
    assert.equal(await lanes.submit('b'), 'b');
  }
});

test('stopping turns away what waits and finishes what is in flight', async () => {
  const { run, open } = gated();
  await using lanes = await openLanes(run);
  const inFlight = lanes.submit('in flight');
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = faultOf(lanes.submit('waiting'));
  const closed = lanes[Symbol.asyncDispose]();
  assert.equal((await waiting).retry, 'safe');
  assert.equal((await faultOf(lanes.submit('late'))).retry, 'safe');
  open();
  assert.equal(await inFlight, 'in flight');
  await closed;
});

test('without a database no lane opens, and the fault says that nothing was sent', async () => {
  await using nowhere = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    poolSize: 1,
    statementTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
    onBackgroundError: () => undefined,
  });
  const opening = Lanes.open<string, string>({
    database: nowhere,
    clock: new HeldClock(),
    log: createLogger('silent'),
    limits: LANE_LIMITS,
    sizeOf: () => 1,
    run: async (_, rows) => rows,
  });
  assert.equal((await faultOf(opening)).retry, 'safe');
});
