import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { systemClock } from './clock.ts';
import { holdAlone } from './sole-holder.ts';

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db[Symbol.asyncDispose]());

/** A clock on which waiting takes no time. */
const hasty = {
  ...systemClock,
  after: (_delayMs: number, fire: () => void) => systemClock.after(0, fire),
  monotonicMs: () => systemClock.monotonicMs() * 1_000,
};
const hold = (name: string, lost: (because: string) => void = () => undefined) =>
  holdAlone({ database: db.database, clock: hasty, name, lost });

test('one at a time, and the next one when it is let go', async () => {
  const first = await hold('a folder');
  assert.ok(first !== null);
  assert.equal(await hold('a folder'), null);
  await first[Symbol.asyncDispose]();
  const second = await hold('a folder');
  assert.ok(second !== null);
  await second[Symbol.asyncDispose]();
});

test('names do not exclude each other', async () => {
  await using one = await hold('one');
  await using two = await hold('two');
  assert.ok(one !== null && two !== null);
});

const holders = () =>
  db.database.query<{ pid: number }>(
    `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
const cut = (pid: number | undefined) => db.database.query('SELECT pg_terminate_backend($1)', [pid ?? 0]);

test('a hold survives the loss of its connection when nobody else wants it', async () => {
  const first = await hold('kept', () => assert.fail('lost'));
  const [before] = await holders();
  await cut(before?.pid);
  const isRegained = async () => (await holders()).some(({ pid }) => pid !== before?.pid);
  while (!(await isRegained())); // bounded by the runner's own deadline
  assert.equal(await hold('kept'), null);
  await first?.[Symbol.asyncDispose]();
});

test('a holder whose name was taken meanwhile is told so, once', async () => {
  const told: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = await hold('taken', (because) => {
    told.push(because);
    resolve();
  });
  const rival = await db.database.connect();
  // The rival waits in the server's queue for the lock, so it gets it the moment the connection is cut.
  const waiting = rival.query(`SELECT pg_advisory_lock(hashtextextended('taken', 0))`);
  const isWaiting = async () =>
    (await db.database.query(`SELECT 1 AS one FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length > 0;
  while (!(await isWaiting()));
  const [holder] = await holders();
  await cut(holder?.pid);
  await waiting;
  await promise;
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /another process/);
  await rival.release();
  await first?.[Symbol.asyncDispose]();
});
