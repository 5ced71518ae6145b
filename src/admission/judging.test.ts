// A judge behind the rules: when it is asked, what its word means, and what happens when it has none.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { found, HeldClock, openAdmission, requestOf } from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import { Refusal } from '../contract/refusal.ts';
import { creditMinutes } from '../ledger/credit.ts';
import { Fault } from '../platform/errors.ts';
import { Court } from './screening.ts';
import type { Judge, Screening } from './screening.ts';

const store = await createTestDatabase();
const { database } = store;
const clock = new HeldClock();
after(() => store[Symbol.asyncDispose]());

const TASK = {
  objective: 'Ask.',
  context: null,
  constraints: [],
  successCriteria: [],
  resultSchema: {},
  callerName: null,
};

function scripted(answer: () => Promise<Screening>): { readonly judge: Judge; readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    judge: (task) => {
      asked.push(task.objective);
      return answer();
    },
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error.code;
  }
  return 'admitted';
}

async function callCount(): Promise<number> {
  const [row] = await database.query<{ count: number }>('SELECT count(*)::integer AS count FROM calls');
  return row?.count ?? -1;
}

test('call_purpose_blocked by the judge, and what it allows is admitted', async () => {
  const account = await found(database, clock);
  const blocking = scripted(async () => ({ allowed: false, category: 'scam' }));
  await using strict = await openAdmission(database, clock, { judge: blocking.judge });
  const before = await callCount();
  assert.equal(await codeOf(strict.createCall(requestOf(account.apiKey, 'k'))), 'call_purpose_blocked');
  assert.equal(await callCount(), before);
  await using mild = await openAdmission(database, clock, { judge: async () => ({ allowed: true }) });
  assert.equal((await mild.createCall(requestOf(account.apiKey, 'k'))).kind, 'new');
});

test('control_plane_error when the judge cannot answer: nothing is admitted, and the same key works later', async () => {
  const account = await found(database, clock);
  let isAway = true;
  const { judge } = scripted(async () => {
    if (isAway) throw new Fault('the model is away', { blame: 'vendor', retry: 'safe' });
    return { allowed: true };
  });
  await using admission = await openAdmission(database, clock, { judge });
  const before = await callCount();
  const created = admission.createCall(requestOf(account.apiKey, 'k'));
  await assert.rejects(created, /could not be screened.*No call was created/);
  assert.equal(await codeOf(created), 'control_plane_error');
  assert.equal(await callCount(), before);
  isAway = false;
  assert.equal((await admission.createCall(requestOf(account.apiKey, 'k'))).kind, 'new');
});

test('the judge is asked neither about replays nor about calls that are refused anyway', async () => {
  const account = await found(database, clock, 'prepaid');
  await creditMinutes(database, account.workspaceId, 3, 'test', clock.now());
  const { judge, asked } = scripted(async () => ({ allowed: true }));
  await using admission = await openAdmission(database, clock, { judge });
  const request = requestOf(account.apiKey, 'k');
  await admission.createCall(request);
  assert.equal((await admission.createCall(request)).kind, 'replay');
  const other = (objective: string) => admission.createCall(requestOf(account.apiKey, 'other', { objective }));
  assert.equal(await codeOf(other('Ask.')), 'insufficient_credits');
  await creditMinutes(database, account.workspaceId, 3, 'test', clock.now());
  assert.equal(await codeOf(other('A prank.')), 'call_purpose_blocked');
  assert.equal(asked.length, 1);
});

test('what the judge blocks and cannot answer counts for the rate of the key, once', async () => {
  const account = await found(database, clock);
  const answers: (() => Promise<Screening>)[] = [
    async () => ({ allowed: false, category: 'scam' }),
    () => Promise.reject(new Error('away')),
    async () => ({ allowed: true }),
  ];
  const { judge, asked } = scripted(() => (answers.shift() ?? assert.fail)());
  await using admission = await openAdmission(database, clock, {
    judge,
    policy: { createsPerMinute: 3, queueLimitMs: 900_000 },
  });
  const codes: string[] = [];
  for (let count = 0; count < 5; count++) {
    codes.push(await codeOf(admission.createCall(requestOf(account.apiKey, `k${count}`))));
  }
  assert.deepEqual(codes, [
    'call_purpose_blocked',
    'control_plane_error',
    'admitted',
    'rate_limit_exceeded',
    'rate_limit_exceeded',
  ]);
  assert.equal(asked.length, 3);
});

test('identical requests that are judged at one moment make one call', async () => {
  const account = await found(database, clock);
  await using admission = await openAdmission(database, clock, { judge: async () => ({ allowed: true }) });
  const all = await Promise.all(
    Array.from({ length: 20 }, () => admission.createCall(requestOf(account.apiKey, 'same'))),
  );
  assert.equal(all.filter(({ kind }) => kind === 'new').length, 1);
});

test('a judge is asked a bounded number of tasks at a time, and one too many is not admitted unjudged', async () => {
  const gate = Promise.withResolvers<Screening>();
  let asked = 0;
  const court = new Court(() => {
    asked += 1;
    return gate.promise;
  });
  const hearings = Array.from({ length: 80 }, () => court.hear(TASK));
  await assert.rejects(court.hear(TASK), Fault);
  assert.equal(asked, 16);
  gate.resolve({ allowed: true });
  assert.equal((await Promise.all(hearings)).length, 80);
  assert.equal(asked, 80);
  assert.deepEqual(await court.hear(TASK), { allowed: true });
});

test('stopping ends what the judge is being asked', async () => {
  const court = new Court(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Fault('stopped', { blame: 'us', retry: 'safe' })));
      }),
  );
  const hearing = court.hear(TASK);
  court.close();
  await assert.rejects(hearing, Fault);
});
