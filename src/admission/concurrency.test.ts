// Many creates at one moment, in several processes' worth of Admissions on one database: one call a key, no minute sold twice,
// the ledger whole, and a lost connection that neither loses nor doubles.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { found, HeldClock, openAdmission, PLANS, requestOf } from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { Refusal } from '../contract/refusal.ts';
import { changePlan, creditMinutes } from '../ledger/credit.ts';
import { settleHold } from '../ledger/settle.ts';
import { auditLedger } from '../ledger/store.ts';
import { Fault } from '../platform/errors.ts';
import type { Admission, Admitted } from './admission.ts';

const store = await createTestDatabase();
const { database } = store;
const clock = new HeldClock();
const many = { policy: { createsPerMinute: 1_000_000, queueLimitMs: 900_000 } };
const first = await openAdmission(database, clock, many);
const second = await openAdmission(database, clock, many);
const both: readonly Admission[] = [first, second];
after(async () => {
  for (const admission of both) await admission[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const pick = (index: number): Admission => both[index % both.length] ?? first;

function outcomeOf(settled: PromiseSettledResult<Admitted>): string {
  if (settled.status === 'fulfilled') return settled.value.kind;
  if (settled.reason instanceof Refusal) return settled.reason.code;
  if (settled.reason instanceof Fault) return `fault ${settled.reason.retry}`;
  throw settled.reason;
}

function tally(settled: readonly PromiseSettledResult<Admitted>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of settled) counts[outcomeOf(each)] = (counts[outcomeOf(each)] ?? 0) + 1;
  return counts;
}

function idsOf(settled: readonly PromiseSettledResult<Admitted>[]): Set<string> {
  const ids = new Set<string>();
  for (const each of settled) {
    if (each.status === 'rejected') continue;
    ids.add(each.value.kind === 'new' ? each.value.call.id : each.value.callId);
  }
  return ids;
}

async function callsOf(projectId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM tasks t JOIN calls c ON c.task_id = t.id JOIN holds h ON h.call_id = c.id
      WHERE t.project_id = $1`,
    [projectId],
  );
  return row?.count ?? -1;
}

const WHOLE = { sum: 0, unbalanced: 0, held_without_hold: 0 };

test('forty identical requests at one moment, over two Admissions of two lanes each, make one call that all of them get', async () => {
  const account = await found(database, clock);
  for (let round = 0; round < 10; round++) {
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => pick(index).createCall(requestOf(account.apiKey, `round ${round}`))),
    );
    assert.deepEqual(tally(settled), { new: 1, replay: 39 });
    assert.equal(idsOf(settled).size, 1);
  }
  assert.equal(await callsOf(account.projectId), 10);
});

test('forty identical requests in one batch make one call too', async () => {
  const account = await found(database, clock);
  await using one = await openAdmission(database, clock, { ...many, lanes: { lanes: 1 } });
  const settled = await Promise.allSettled(
    Array.from({ length: 40 }, () => one.createCall(requestOf(account.apiKey, 'same'))),
  );
  assert.deepEqual(tally(settled), { new: 1, replay: 39 });
  assert.equal(idsOf(settled).size, 1);
});

test('of conflicting requests at one moment one content wins, its twins get its call and the others a conflict', async () => {
  const account = await found(database, clock);
  for (let round = 0; round < 10; round++) {
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        pick(index >> 1).createCall(requestOf(account.apiKey, `conflict ${round}`, { objective: `Ask ${index % 2}.` })),
      ),
    );
    assert.deepEqual(tally(settled), { new: 1, replay: 19, idempotency_conflict: 20 });
    assert.equal(idsOf(settled).size, 1);
  }
});

test('the last minutes are never sold twice', async () => {
  const account = await found(database, clock, 'prepaid');
  await creditMinutes(database, account.workspaceId, 50, 'test', clock.now());
  const settled = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      pick(index).createCall(requestOf(account.apiKey, `m${index}`, { limits: { max_duration_seconds: 60 } })),
    ),
  );
  assert.deepEqual(tally(settled), { new: 50, insufficient_credits: 150 });
  assert.equal(await callsOf(account.projectId), 50);
  assert.deepEqual(await auditLedger(database), WHOLE);
});

test('a request that does not fit leaves the minutes to one behind it that does', async () => {
  const account = await found(database, clock, 'prepaid');
  await creditMinutes(database, account.workspaceId, 3, 'test', clock.now());
  await using one = await openAdmission(database, clock, { ...many, lanes: { lanes: 1 } });
  // Known from now on, the key needs no look-up: the others arrive together.
  await one.createCall(requestOf(account.apiKey, 'first', { limits: { max_duration_seconds: 60 } }));
  const settled = await Promise.allSettled(
    [180, 60, 120, 60, 60].map((seconds, index) =>
      one.createCall(requestOf(account.apiKey, `fit${index}`, { limits: { max_duration_seconds: seconds } })),
    ),
  );
  assert.deepEqual(settled.map(outcomeOf), [
    'insufficient_credits_for_call',
    'new',
    'insufficient_credits_for_call',
    'new',
    'insufficient_credits',
  ]);
});

test('the rate of a key holds over all Admissions together', async () => {
  const account = await found(database, clock);
  const strict = await Promise.all(
    [0, 1].map(() => openAdmission(database, clock, { policy: { createsPerMinute: 30, queueLimitMs: 900_000 } })),
  );
  const settled = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      (strict[index % 2] ?? first).createCall(requestOf(account.apiKey, `r${index}`)),
    ),
  );
  assert.deepEqual(tally(settled), { new: 30, rate_limit_exceeded: 70 });
  for (const admission of strict) await admission[Symbol.asyncDispose]();
});

test('a new month under a crowd is begun once', async () => {
  clock.moveTo('2026-07-31T12:00:00.000Z');
  const account = await found(database, clock, 'free');
  clock.moveTo('2026-08-01T00:00:01.000Z');
  const settled = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      pick(index).createCall(requestOf(account.apiKey, `m${index}`, { limits: { max_duration_seconds: 60 } })),
    ),
  );
  assert.deepEqual(tally(settled), { new: 10, insufficient_credits: 30 });
  const [row] = await database.query<{ grants: number }>(
    `SELECT count(*)::integer AS grants FROM ledger_entries WHERE workspace_id = $1 AND kind = 'grant'`,
    [account.workspaceId],
  );
  assert.equal(row?.grants, 2);
  assert.deepEqual(await auditLedger(database), WHOLE);
});

test('hundreds of random acts leave a ledger that sums to zero and holds that match', async (t) => {
  const seed = Number(process.hrtime.bigint() % 1_000_000_007n);
  t.diagnostic(`seed ${seed}`);
  let state = seed;
  const random = (limit: number): number => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % limit;
  };
  const accounts = [
    await found(database, clock, 'free'),
    await found(database, clock, 'prepaid'),
    await found(database, clock, 'pro'),
    await found(database, clock, 'operator'),
  ];
  const open: string[] = [];
  const act = async (number: number): Promise<void> => {
    const account = accounts[random(accounts.length)];
    assert.ok(account);
    const kind = random(10);
    const seconds = 30 + random(600);
    if (kind < 6) {
      const request = requestOf(account.apiKey, `act ${number}`, { limits: { max_duration_seconds: seconds } });
      const [settled] = await Promise.allSettled([pick(number).createCall(request)]);
      if (settled.status === 'fulfilled' && settled.value.kind === 'new') open.push(settled.value.call.id);
      else assert.match(outcomeOf(settled), /^insufficient_credits/);
      return;
    }
    const callId = open.splice(random(open.length + 1), 1)[0];
    const plan = PLANS[random(PLANS.length)]?.name ?? 'free';
    const minutes = 1 + random(20);
    await database.transaction(async (tx) => {
      if (kind < 8 && callId !== undefined) await settleHold(tx, callId, random(12), clock.now());
      else if (kind < 9) await creditMinutes(tx, account.workspaceId, minutes, 'top up', clock.now());
      else await changePlan(tx, account.workspaceId, plan, clock.now());
    });
    if (number % 97 === 0) clock.move(20 * 86_400_000);
  };
  for (let number = 0; number < 600; number += 12) {
    await Promise.all(Array.from({ length: 12 }, (_, index) => act(number + index)));
    assert.deepEqual(await auditLedger(database), WHOLE, `seed ${seed}`);
  }
  assert.ok(open.length > 0);
});

/** Waits until as many backends as wanted stand in the admission function behind a lock. */
async function waitForBlocked(count: number): Promise<number[]> {
  const deadlineMs = performance.now() + 10_000;
  while (performance.now() < deadlineMs) {
    const rows = await database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%admit_calls%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`,
    );
    if (rows.length >= count) return rows.map(({ pid }) => pid);
  }
  assert.fail(`never saw ${count} blocked admissions`);
}

test('a connection that is cut in mid-batch loses nothing and doubles nothing: the same keys find out', async () => {
  const account = await found(database, clock);
  await using one = await openAdmission(database, clock, { ...many, lanes: { lanes: 1 } });
  await one.createCall(requestOf(account.apiKey, 'first'));
  const holder = await database.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM minute_accounts WHERE workspace_id = $1 FOR UPDATE', [account.workspaceId]);
  const requests = Array.from({ length: 20 }, (_, index) => requestOf(account.apiKey, `cut ${index}`));
  const inFlight = Promise.allSettled(requests.map((request) => one.createCall(request)));
  const [pid] = await waitForBlocked(1);
  const behind = Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => one.createCall(requestOf(account.apiKey, `behind ${index}`))),
  );
  assert.ok(pid !== undefined);
  await database.query('SELECT pg_terminate_backend($1)', [pid]);
  assert.deepEqual(tally(await inFlight), { 'fault never': 20 });
  await holder.query('COMMIT');
  await holder.release();
  assert.deepEqual(tally(await behind), { new: 20 });
  const again = await Promise.allSettled(requests.map((request) => one.createCall(request)));
  assert.deepEqual(tally(again), { new: 20 });
  assert.equal(await callsOf(account.projectId), 41);
  assert.deepEqual(await auditLedger(database), WHOLE);
});

test('under connections that are cut at random, retries with the same keys end with one call each', async () => {
  const account = await found(database, clock);
  const cut = (): Promise<object[]> =>
    database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%admit_calls%' AND pid <> pg_backend_pid()
        ORDER BY state = 'active' DESC, random() LIMIT 1`,
    );
  const faults = { safe: 0, never: 0 };
  const insist = async (index: number): Promise<string> => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const [settled] = await Promise.allSettled([
        pick(index).createCall(requestOf(account.apiKey, `insist ${index}`)),
        attempt === 0 && index % 5 === 0 ? cut() : null,
      ]);
      if (settled.status === 'fulfilled') return [...idsOf([settled])].join();
      assert.ok(settled.reason instanceof Fault, String(settled.reason));
      faults[settled.reason.retry] += 1;
    }
    assert.fail('never admitted');
  };
  const ids: string[] = [];
  for (let round = 0; round < 8; round++) {
    ids.push(...(await Promise.all(Array.from({ length: 25 }, (_, index) => insist(round * 25 + index)))));
  }
  assert.equal(new Set(ids).size, 200);
  assert.equal(await callsOf(account.projectId), 200);
  assert.ok(faults.never > 0, 'no connection was cut in flight');
  assert.deepEqual(await auditLedger(database), WHOLE);
});

test('a create among thousands of calls and accounts touches no more of the store than the first one did', async () => {
  await using fresh = await createTestDatabase();
  const account = await found(fresh.database, clock);
  const connection = await fresh.database.connect();
  const [key] = await connection.query<{ digest: string }>(`SELECT digest::text FROM api_keys WHERE id = $1`, [
    account.apiKeyId,
  ]);
  // On one connection, whose plan was made while the tables were empty.
  const touched = async (name: string): Promise<number> => {
    const rows = await connection.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) SELECT * FROM admit_calls(now(), true, 1000000, 900000,
         ARRAY['${account.workspaceId}'::uuid], ARRAY['${key?.digest}'::bytea], '{1}', '{1}', '{0}', ARRAY[sha256('${name}')],
         ARRAY[sha256('${name}')], ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()], '{+14155550123}', '{60}', '{0}', '{0}',
         '{2}', '{}'::text::bytea)`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    return Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? assert.fail(plan));
  };
  await touched('warm');
  const first = await touched('first');
  const id = `lpad(to_hex(n), 32, '0')::uuid`;
  for (const statement of [
    `INSERT INTO tasks SELECT ${id}, '${account.projectId}', sha256(int8send(n)), sha256(int8send(n)), '{}', null, now()`,
    `INSERT INTO calls SELECT ${id}, ${id}, '${account.projectId}', '${account.workspaceId}', '${account.apiKeyId}', '+14155550123', null, 60,
       'queued', 'queued', null, 0, null, null, now(), 0, null, null, now(), null, null, null`,
    `INSERT INTO workspaces SELECT ${id}, 'w', null, now()`,
    `INSERT INTO minute_accounts SELECT ${id}, 'free', 0, '2026-01-01', 0, 0`,
    `INSERT INTO projects SELECT ${id}, ${id}, 'p', true, now()`,
    `INSERT INTO assistants SELECT ${id}, 'a', null, 'en', true`,
    `INSERT INTO api_keys SELECT ${id}, ${id}, 'k', sha256(int8send(n)), now()`,
    `INSERT INTO key_windows SELECT ${id}, now(), 1`,
  ]) {
    await connection.query(`${statement} FROM generate_series(1, 5000) AS n`);
  }
  const later = await touched('later');
  assert.ok(later < first * 1.5 + 20, `${first} pages at first, ${later} later`);
  await connection.release();
});
