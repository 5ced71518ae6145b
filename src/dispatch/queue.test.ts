import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { createCaller, queueCalls } from '../../test/support/queued-calls.ts';
import type { Founded } from '../account/setup.ts';
import { auditLedger } from '../ledger/store.ts';
import { systemChance } from '../platform/clock.ts';
import type { SqlValue } from '../platform/database.ts';
import { createLogger } from '../platform/log.ts';
import { Dispatch } from './advance.ts';
import { claimNext } from './queue.ts';
import type { Claim } from './queue.ts';
import type { CallRunner } from './runner.ts';

let db: TestDatabase;
let dispatch: Dispatch;
beforeEach(async () => {
  db = await createTestDatabase();
  dispatch = new Dispatch({
    database: db.database,
    settings: { leaseMs: 60_000, recovery: { lookups: 3, withinMs: 70_000 } },
    log: createLogger('silent'),
  });
});
afterEach(() => db[Symbol.asyncDispose]());

const prepare: CallRunner['prepare'] = (call) => ({ carrier: 'sip', reference: `${call.id}@errand` });
const claim = (workerId = systemChance.uuid(), runner = { prepare }): Promise<Claim> =>
  claimNext({ database: db.database, dispatch, runner, workerId });
const claimedId = async (): Promise<string | null> => {
  const taken = await claim();
  return taken.kind === 'claimed' ? taken.call.id : null;
};

test('10,000 queued calls of one project do not delay the first call of another', async () => {
  const busy = await createCaller(db.database);
  const other = await createCaller(db.database);
  const [first = ''] = await queueCalls(db.database, busy, { count: 10_000 });
  assert.equal(await claimedId(), first, 'the oldest call of a project goes first');
  const [wanted = ''] = await queueCalls(db.database, other);
  const startedMs = performance.now();
  assert.equal(await claimedId(), wanted);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < 500, `claiming took ${tookMs} ms`);
});

test('projects take turns, each with its oldest call', async () => {
  const callers = [await createCaller(db.database), await createCaller(db.database), await createCaller(db.database)];
  const queues: string[][] = [];
  for (const caller of callers) queues.push(await queueCalls(db.database, caller, { count: 3 }));
  for (let turn = 0; turn < 3; turn += 1) {
    const served = [await claimedId(), await claimedId(), await claimedId()];
    assert.deepEqual(new Set(served), new Set(queues.map((queue) => queue[turn])), `turn ${turn}`);
  }
  assert.equal(await claimedId(), null);
});

test('eight workers that claim at once never get the same call', async () => {
  const callers = [await createCaller(db.database), await createCaller(db.database)];
  const queued: string[] = [];
  for (const caller of callers) queued.push(...(await queueCalls(db.database, caller, { count: 40 })));
  const taken: string[] = [];
  const work = async (workerId: string): Promise<void> => {
    for (let next = await claim(workerId); next.kind !== 'none'; next = await claim(workerId)) {
      if (next.kind === 'claimed') taken.push(next.call.id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, () => work(systemChance.uuid())));
  // A worker may find nothing while others hold the last calls; those are taken by then.
  assert.deepEqual(taken.toSorted(), queued.toSorted());
  const rows = await db.database.query(`SELECT 1 FROM calls WHERE stage = 'submitting' AND claim_number = 1`);
  assert.equal(rows.length, 80);
});

test('a claim writes the intent to dial before anybody can dial, and hands over what the runner needs', async () => {
  const caller = await createCaller(db.database);
  const [id = ''] = await queueCalls(db.database, caller);
  const workerId = systemChance.uuid();
  const taken = await claim(workerId);
  assert.ok(taken.kind === 'claimed');
  assert.deepEqual(taken.call, {
    id,
    projectId: caller.projectId,
    to: '+15550100101',
    callerName: 'Ada Lovelace',
    assistantName: 'Errand',
    openingLine: null,
    maxDurationSeconds: 180,
    claimNumber: 1,
    leg: { carrier: 'sip', reference: `${id}@errand` },
    brief: {
      objective: 'Ask whether they are open.',
      context: null,
      constraints: [],
      successCriteria: [],
      resultSchema: { type: 'boolean' },
    },
  });
  const [row] = await db.database.query<Record<string, unknown>>(
    `SELECT stage, state, worker_id, leg, deadline_at, lease_until > clock_timestamp() AS is_leased FROM calls WHERE id = $1`,
    [id],
  );
  assert.deepEqual(row, {
    stage: 'submitting',
    state: 'queued',
    worker_id: workerId,
    leg: taken.call.leg,
    deadline_at: null,
    is_leased: true,
  });
});

const WITHDRAWALS: readonly (readonly [name: string, sql: string, of: keyof Founded | null, code: string])[] = [
  [
    'live calls are switched off',
    `UPDATE switches SET is_on = false WHERE name = 'live_calls'`,
    null,
    'permission_revoked',
  ],
  ['the project is inactive', `UPDATE projects SET is_active = false WHERE id = $1`, 'projectId', 'permission_revoked'],
  ['the key was revoked', `UPDATE api_keys SET revoked_at = now() WHERE id = $1`, 'apiKeyId', 'permission_revoked'],
  ['the key has expired', `UPDATE api_keys SET expires_at = now() WHERE id = $1`, 'apiKeyId', 'permission_revoked'],
  [
    'the assistant has no name',
    `UPDATE assistants SET name = NULL WHERE project_id = $1`,
    'projectId',
    'permission_revoked',
  ],
  [
    'the assistant is inactive',
    `UPDATE assistants SET is_active = false WHERE project_id = $1`,
    'projectId',
    'permission_revoked',
  ],
  [
    'the minutes are gone',
    `UPDATE holds SET settled_at = now(), used_minutes = 0 WHERE workspace_id = $1`,
    'workspaceId',
    'insufficient_credits',
  ],
];
for (const [name, sql, of, code] of WITHDRAWALS) {
  test(`a call is not dialed when ${name}`, async () => {
    const caller = await createCaller(db.database);
    const [id = ''] = await queueCalls(db.database, caller);
    const values: SqlValue[] = of === null ? [] : [caller[of]];
    await db.database.query(sql, values);
    assert.deepEqual(await claim(), { kind: 'withdrawn', callId: id });
    const rows = await db.database.query(
      `SELECT c.stage, c.state, c.error_code, c.leg, r.status FROM calls c JOIN results r ON r.call_id = c.id WHERE c.id = $1`,
      [id],
    );
    assert.deepEqual(rows, [{ stage: 'failed', state: 'failed', error_code: code, leg: null, status: 'pending' }]);
    assert.deepEqual(await claim(), { kind: 'none' });
    if (code === 'permission_revoked') {
      assert.deepEqual(await auditLedger(db.database), { sum: 0, unbalanced: 0, held_without_hold: 0 });
    }
  });
}

test('a call that cannot be prepared ends, and does not keep those behind it waiting', async () => {
  const caller = await createCaller(db.database);
  const [broken = '', fine = ''] = await queueCalls(db.database, caller, { count: 2 });
  const runner: Pick<CallRunner, 'prepare'> = {
    prepare(call) {
      if (call.id === broken) throw new Error('no such number plan');
      return prepare(call);
    },
  };
  assert.equal((await claim(systemChance.uuid(), runner)).kind, 'withdrawn');
  const next = await claim(systemChance.uuid(), runner);
  assert.equal(next.kind === 'claimed' && next.call.id, fine);
  const [row] = await db.database.query(`SELECT stage, error_code FROM calls WHERE id = $1`, [broken]);
  assert.deepEqual(row, { stage: 'failed', error_code: 'carrier_unavailable' });
});
