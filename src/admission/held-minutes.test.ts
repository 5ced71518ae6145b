// Which minutes a create needs and holds, on a real database: balances, ceilings of plans, the allowance of a month.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  BILLING_URL,
  found,
  foundWithMinutes,
  HeldClock,
  openAdmission,
  refused,
  requestOf,
} from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { creditMinutes } from '../ledger/credit.ts';
import { auditLedger } from '../ledger/store.ts';
import type { NewCall } from './admission.ts';

const store = await createTestDatabase();
const { database } = store;
const clock = new HeldClock();
const admission = await openAdmission(database, clock);
after(async () => {
  await admission[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

let keyCount = 0;

async function create(token: string, key = `key-${++keyCount}`, body: Record<string, unknown> = {}): Promise<NewCall> {
  const admitted = await admission.createCall(requestOf(token, key, body));
  return admitted.kind === 'new' ? admitted.call : assert.fail('replayed');
}

test('insufficient_credits: nothing left, minutes on hold for other calls are not left', async () => {
  const account = await foundWithMinutes(database, clock, 3);
  await create(account.apiKey, 'a', { limits: { max_duration_seconds: 180 } });
  const refusal = await refused(
    admission.createCall(requestOf(account.apiKey, 'b', { limits: { max_duration_seconds: 3600 } })),
    'insufficient_credits',
  );
  assert.equal(refusal.details.actionUrl, BILLING_URL);
  assert.match(refusal.detail, /No call was created\. Nothing was charged/);
  await creditMinutes(database, account.workspaceId, 1, 'recharge', clock.now());
  await create(account.apiKey, 'b', { limits: { max_duration_seconds: 60 } });
});

test('insufficient_credits_for_call: too few minutes, or a limit above the ceiling of the plan', async () => {
  const account = await foundWithMinutes(database, clock, 2);
  const few = await refused(
    admission.createCall(requestOf(account.apiKey, 'a', { limits: { max_duration_seconds: 121 } })),
    'insufficient_credits_for_call',
  );
  assert.match(few.detail, /needs 3 minutes, 2 minutes remain/);
  assert.equal(few.details.actionUrl, BILLING_URL);
  const high = await refused(
    admission.createCall(requestOf(account.apiKey, 'a', { limits: { max_duration_seconds: 181 } })),
    'insufficient_credits_for_call',
  );
  assert.match(high.detail, /at most 180 seconds/);
  const { call_max, held } = await limitsOf(
    await create(account.apiKey, 'a', { limits: { max_duration_seconds: 120 } }),
  );
  assert.deepEqual([call_max, held], [120, 2]);
});

test('a limit that is left out is the smaller of 300 seconds and the ceiling of the plan', async () => {
  for (const [plan, limit, minutes] of [
    ['free', 180, 3],
    ['pro', 300, 5],
    ['operator', 300, 5],
  ] as const) {
    const account = await found(database, clock, plan);
    for (const fields of [{}, { limits: {} }]) {
      const { call_max, held } = await limitsOf(await create(account.apiKey, undefined, fields));
      assert.deepEqual([call_max, held], [limit, minutes], plan);
    }
  }
});

async function limitsOf(call: NewCall): Promise<{ call_max: number; held: number }> {
  const [row] = await database.query<{ call_max: number; held: number }>(
    `SELECT c.max_duration_seconds AS call_max, h.minutes AS held FROM calls c JOIN holds h ON h.call_id = c.id WHERE c.id = $1`,
    [call.id],
  );
  return row ?? assert.fail();
}

test('included minutes are held first, then prepaid ones; an unmetered plan holds without a balance', async () => {
  const account = await found(database, clock, 'free');
  await creditMinutes(database, account.workspaceId, 5, 'test', clock.now());
  for (let count = 0; count < 3; count++) await create(account.apiKey);
  const split = await create(account.apiKey);
  const entries = await entriesOf(split.id);
  assert.deepEqual(entries, [
    { from_account: 'included', minutes: 1 },
    { from_account: 'prepaid', minutes: 2 },
  ]);
  const operator = await found(database, clock, 'operator');
  const free = await create(operator.apiKey, undefined, { limits: { max_duration_seconds: 3600 } });
  assert.deepEqual(await entriesOf(free.id), [{ from_account: 'unmetered', minutes: 60 }]);
  assert.deepEqual(await auditLedger(database), { sum: 0, unbalanced: 0, held_without_hold: 0 });
});

function entriesOf(callId: string): Promise<object[]> {
  return database.query(
    `SELECT from_account, minutes FROM ledger_entries WHERE call_id = $1 AND to_account = 'held' ORDER BY id`,
    [callId],
  );
}

test('a new month renews the allowance at the first create in it, and what was left expires', async () => {
  clock.moveTo('2026-05-31T23:59:00.000Z');
  const account = await found(database, clock, 'free');
  for (let count = 0; count < 3; count++) await create(account.apiKey);
  await refused(admission.createCall(requestOf(account.apiKey, 'late')), 'insufficient_credits_for_call');
  clock.moveTo('2026-06-01T00:00:00.000Z');
  const call = await create(account.apiKey, 'late');
  const rows = await database.query<{ kind: string; minutes: number }>(
    `SELECT kind, minutes FROM ledger_entries WHERE workspace_id = $1 AND kind IN ('grant', 'expire') ORDER BY id`,
    [account.workspaceId],
  );
  assert.deepEqual(
    rows.map(({ kind, minutes }) => [kind, minutes]),
    [
      ['grant', 10],
      ['expire', 1],
      ['grant', 10],
    ],
  );
  const [hold] = await database.query<{ month: string }>(
    `SELECT included_month::text AS month FROM holds WHERE call_id = $1`,
    [call.id],
  );
  assert.equal(hold?.month, '2026-06-01');
  assert.deepEqual(await auditLedger(database), { sum: 0, unbalanced: 0, held_without_hold: 0 });
});
