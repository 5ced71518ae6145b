import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { foundWorkspace } from '../account/setup.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { changePlan, creditMinutes } from './credit.ts';
import { settle, settleHold } from './settle.ts';
import type { HoldRow } from './store.ts';
import { appendEntries, auditLedger, changeAccount, lockBalance, readBalance, upsertPlans } from './store.ts';

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
  await upsertPlans(db.database, [
    { name: 'free', maxCallSeconds: 180, includedMinutes: 10, isMetered: true },
    { name: 'pro', maxCallSeconds: 600, includedMinutes: 4, isMetered: true },
    { name: 'operator', maxCallSeconds: 3600, includedMinutes: 0, isMetered: false },
  ]);
});
after(() => db[Symbol.asyncDispose]());

const november = new Date('2026-11-20T12:00:00Z');
const december = new Date('2026-12-01T00:00:00Z');

async function openWorkspace(plan: 'free' | 'pro' | 'operator'): Promise<string> {
  const founding = { workspaceName: 'W', ownerName: null, plan, projectName: 'P', assistantName: 'A', keyName: 'k' };
  const clock = { ...systemClock, now: () => november };
  const founded = await foundWorkspace({ database: db.database, clock, chance: systemChance }, founding);
  return founded.workspaceId;
}

/** Holds minutes the way admission does. */
async function hold(workspaceId: string, included: number, prepaid: number, unmetered = 0): Promise<string> {
  const callId = systemChance.uuid();
  await db.database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO holds (call_id, workspace_id, minutes, included_minutes, included_month, prepaid_minutes, is_metered, created_at)
       SELECT $1, $2, $3, $4, included_month, $5, $6, $7 FROM minute_accounts WHERE workspace_id = $2`,
      [callId, workspaceId, included + prepaid + unmetered, included, prepaid, unmetered === 0, november],
    );
    await changeAccount(tx, workspaceId, {
      included: -included,
      prepaid: -prepaid,
      held: included + prepaid + unmetered,
    });
    const entries = [
      { kind: 'hold', from: 'included', to: 'held', minutes: included, note: null },
      { kind: 'hold', from: 'prepaid', to: 'held', minutes: prepaid, note: null },
      { kind: 'hold', from: 'unmetered', to: 'held', minutes: unmetered, note: null },
    ] as const;
    await appendEntries(
      tx,
      workspaceId,
      callId,
      entries.filter((entry) => entry.minutes > 0),
      november,
    );
  });
  return callId;
}

const settleCall = (callId: string, used: number, now = november) =>
  db.database.transaction((tx) => settleHold(tx, callId, used, now));
const assertBooksRight = async () =>
  assert.deepEqual(await auditLedger(db.database), { sum: 0, unbalanced: 0, held_without_hold: 0 });

const heldOf = (change: Partial<HoldRow>): HoldRow => ({
  workspace_id: 'w',
  minutes: 5,
  included_minutes: 3,
  prepaid_minutes: 2,
  is_metered: true,
  settled_at: null,
  is_current_month: true,
  ...change,
});

for (const [what, row, used, expected] of [
  ['nothing used: all goes back', heldOf({}), 0, [0, 3, 2]],
  ['included minutes are used first', heldOf({}), 2, [2, 1, 2]],
  ['then prepaid ones', heldOf({}), 4, [4, 0, 1]],
  ['never more than was held', heldOf({}), 9, [5, 0, 0]],
  ['a started minute counts', heldOf({}), 0.2, [1, 2, 2]],
  ['a negative time is none', heldOf({}), -3, [0, 3, 2]],
  ['included minutes of a month that is over do not come back', heldOf({ is_current_month: false }), 1, [1, 0, 2]],
  [
    'an unmetered hold gives nothing back',
    heldOf({ is_metered: false, included_minutes: 0, prepaid_minutes: 0 }),
    2,
    [2, 0, 0],
  ],
] as const) {
  test(`settling: ${what}`, () => {
    const settlement = settle(row, used);
    assert.deepEqual([settlement.usedMinutes, settlement.backToIncluded, settlement.backToPrepaid], expected);
    assert.equal(
      settlement.entries.reduce((sum, entry) => sum + entry.minutes, 0),
      row.minutes,
      'every held minute goes somewhere',
    );
    assert.ok(settlement.entries.every((entry) => entry.from === 'held' && entry.minutes > 0));
  });
}

test('a hold is settled once, however often it is asked for', async () => {
  const workspace = await openWorkspace('free');
  const call = await hold(workspace, 3, 0);
  assert.deepEqual([await settleCall(call, 2), await settleCall(call, 3)], [2, 0]);
  assert.equal((await readBalance(db.database, workspace))?.included_minutes, 8);
  await assertBooksRight();
});

test('settling a call without a hold charges nothing', async () => {
  assert.equal(await settleCall(systemChance.uuid(), 3), 0);
});

test('a new month expires what is left and grants the allowance, once', async () => {
  const workspace = await openWorkspace('free');
  await settleCall(await hold(workspace, 4, 0), 4);
  const roll = () => db.database.transaction((tx) => lockBalance(tx, workspace, december));
  assert.equal((await roll())?.included_minutes, 10);
  assert.equal((await roll())?.included_minutes, 10);
  await assertBooksRight();
});

test('a hold that outlives its month does not add its minutes to the next one', async () => {
  const workspace = await openWorkspace('free');
  const call = await hold(workspace, 4, 0);
  await db.database.transaction((tx) => lockBalance(tx, workspace, december));
  await settleCall(call, 1, december);
  const balance = await readBalance(db.database, workspace);
  assert.deepEqual([balance?.included_minutes, balance?.held_minutes], [10, 0]);
  await assertBooksRight();
});

test('credit is added and taken back, never below zero', async () => {
  const workspace = await openWorkspace('free');
  const credit = (minutes: number) =>
    db.database.transaction((tx) => creditMinutes(tx, workspace, minutes, 'test', november));
  assert.equal((await credit(7))?.prepaid_minutes, 7);
  assert.equal((await credit(-2))?.prepaid_minutes, 5);
  await assert.rejects(credit(-6), RangeError);
  assert.equal((await readBalance(db.database, workspace))?.prepaid_minutes, 5);
  await assertBooksRight();
});

test('changing the plan expires the old allowance and grants the new one', async () => {
  const workspace = await openWorkspace('free');
  const change = (plan: string) => db.database.transaction((tx) => changePlan(tx, workspace, plan, november));
  assert.equal((await change('pro'))?.included_minutes, 4);
  assert.equal((await change('operator'))?.included_minutes, 0);
  await assertBooksRight();
});

test('ledger entries cannot be changed or removed', async () => {
  await openWorkspace('free');
  await assert.rejects(db.database.query('UPDATE ledger_entries SET minutes = minutes + 1'), /append-only/);
  await assert.rejects(db.database.query('DELETE FROM ledger_entries'), /append-only/);
});

test('an unmetered hold is written down and charged to nobody', async () => {
  const workspace = await openWorkspace('operator');
  assert.equal(await settleCall(await hold(workspace, 0, 0, 60), 3), 3);
  const balance = await readBalance(db.database, workspace);
  assert.deepEqual([balance?.included_minutes, balance?.prepaid_minutes, balance?.held_minutes], [0, 0, 0]);
  await assertBooksRight();
});
