// Every outcome of a create by its name, on a real database: what is answered, what is counted, and what is written.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  BODY,
  found,
  foundWithMinutes,
  HeldClock,
  openAdmission,
  refused,
  requestOf,
} from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import type { Founded } from '../account/setup.ts';
import { createApiKey } from '../account/api-key.ts';
import {
  expireKey,
  insertKey,
  insertProject,
  revokeKey,
  setProjectActive,
  setSwitch,
  upsertAssistant,
} from '../account/store.ts';
import { changePlan, creditMinutes } from '../ledger/credit.ts';
import { systemChance } from '../platform/clock.ts';
import { Fault } from '../platform/errors.ts';
import type { Admitted, NewCall } from './admission.ts';

const store = await createTestDatabase();
const { database } = store;
const clock = new HeldClock();
const admission = await openAdmission(database, clock);
after(async () => {
  await admission[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

let keyCount = 0;
const freshKey = (): string => `key-${++keyCount}`;

async function create(token: string, key = freshKey(), body: Record<string, unknown> = {}): Promise<NewCall> {
  const admitted = await admission.createCall(requestOf(token, key, body));
  assert.equal(admitted.kind, 'new');
  return admitted.kind === 'new' ? admitted.call : assert.fail();
}

async function countOf(projectId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM calls WHERE project_id = $1`,
    [projectId],
  );
  return row?.count ?? -1;
}

const credited = (minutes: number): Promise<Founded> => foundWithMinutes(database, clock, minutes);

test('admitted: task, call, event, hold and ledger entry are there together', async () => {
  const account = await credited(10);
  const call = await create(account.apiKey, 'the key', {
    limits: { max_duration_seconds: 61 },
    constraints: ['Be brief'],
    success_criteria: ['A yes or no'],
    context: { who: 'Ada' },
  });
  assert.equal(call.to, BODY.to);
  assert.equal(call.callerName, 'Ada Lovelace');
  assert.deepEqual(call.createdAt, clock.now());
  const [row] = await database.query<Record<string, unknown>>(
    `SELECT c.*, t.brief, t.sealed_protected, t.created_at AS task_created_at, h.minutes, h.included_minutes, h.prepaid_minutes,
            h.is_metered, h.settled_at, e.event, e.number, e.stage AS event_stage,
            (SELECT json_agg(json_build_array(l.kind, l.from_account, l.to_account, l.minutes)) FROM ledger_entries l
              WHERE l.call_id = c.id) AS entries
       FROM calls c JOIN tasks t ON t.id = c.task_id JOIN holds h ON h.call_id = c.id JOIN call_events e ON e.call_id = c.id
      WHERE c.id = $1`,
    [call.id],
  );
  assert.ok(row);
  const expected = {
    task_id: call.taskId,
    project_id: account.projectId,
    workspace_id: account.workspaceId,
    api_key_id: account.apiKeyId,
    to_number: BODY.to,
    caller_name: 'Ada Lovelace',
    max_duration_seconds: 61,
    stage: 'queued',
    state: 'queued',
    error_code: null,
    claim_number: 0,
    deadline_at: new Date(clock.now().getTime() + 900_000),
    created_at: clock.now(),
    task_created_at: clock.now(),
    sealed_protected: null,
    minutes: 2,
    included_minutes: 0,
    prepaid_minutes: 2,
    is_metered: true,
    settled_at: null,
    event: 'admitted',
    number: 1,
    event_stage: 'queued',
    entries: [['hold', 'prepaid', 'held', 2]],
    brief: {
      objective: BODY.objective,
      context: { who: 'Ada' },
      constraints: ['Be brief'],
      success_criteria: ['A yes or no'],
      result_schema: BODY.result_schema,
    },
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(row[name], value, name);
  const [balance] = await database.query<Record<string, unknown>>(
    `SELECT prepaid_minutes, held_minutes FROM minute_accounts WHERE workspace_id = $1`,
    [account.workspaceId],
  );
  assert.deepEqual({ ...balance }, { prepaid_minutes: 8, held_minutes: 2 });
});

test('a committed admission rings on calls_queued', async () => {
  const account = await found(database, clock);
  const rung = Promise.withResolvers<unknown>();
  const listening = await database.listen('calls_queued', rung.resolve, () => undefined);
  await create(account.apiKey);
  await rung.promise;
  await listening[Symbol.asyncDispose]();
});

test('invalid_api_key: no token, no key of ours, a checksum that does not fit, an unknown key', async () => {
  const unknown = createApiKey(systemChance).key;
  for (const token of [null, '', 'nonsense', `${unknown.slice(0, -1)}!`, unknown]) {
    await refused(admission.createCall(requestOf(token, null)), 'invalid_api_key');
  }
});

test('api_key_revoked and api_key_expired come before every other fault, also for a key that was good a moment ago', async () => {
  const account = await found(database, clock);
  const other = await found(database, clock);
  await create(account.apiKey);
  await create(other.apiKey);
  await revokeKey(database, account.apiKeyId, clock.now());
  await expireKey(database, other.apiKeyId, clock.now());
  await using fresh = await openAdmission(database, clock);
  for (const each of [admission, fresh]) {
    for (const [token, code] of [
      [account.apiKey, 'api_key_revoked'],
      [other.apiKey, 'api_key_expired'],
    ] as const) {
      await refused(each.createCall(requestOf(token, 'a')), code);
      await refused(each.createCall(requestOf(token, null)), code);
      await refused(each.createCall({ token, idempotencyKey: 'a', body: 'too_large' }), code);
      await refused(each.createCall({ token, idempotencyKey: 'a', body: { text: '{' } }), code);
    }
  }
  await expireKey(database, account.apiKeyId, clock.now());
  await refused(admission.createCall(requestOf(account.apiKey, 'a')), 'api_key_revoked');
});

test('missing_idempotency_key comes before the body; a key of 200 code points is the longest', async () => {
  const { apiKey: token } = await found(database, clock);
  for (const key of [null, '']) {
    const refusal = await refused(
      admission.createCall({ token, idempotencyKey: key, body: { text: 'x' } }),
      'missing_idempotency_key',
    );
    assert.match(refusal.detail, /No call was created/);
  }
  await create(token, '😀'.repeat(200));
  await refused(admission.createCall(requestOf(token, '😀'.repeat(201))), 'invalid_call');
  await refused(admission.createCall({ token, idempotencyKey: 'k'.repeat(201), body: 'too_large' }), 'invalid_call');
});

test('payload_too_large and invalid_call name what is wrong and create nothing', async () => {
  const { apiKey: token, projectId } = await found(database, clock);
  await refused(admission.createCall({ token, idempotencyKey: 'a', body: 'too_large' }), 'payload_too_large');
  await refused(admission.createCall({ token, idempotencyKey: 'a', body: 'not_utf8' }), 'invalid_call');
  const cases = [
    [{ to: '12' }, /"\/to"/],
    [{ extra: 1 }, /"\/extra"/],
    [{ limits: { max_duration_seconds: 29 } }, /"\/limits\/max_duration_seconds"/],
    [{ protected_context: { user_password: 'x' } }, /"\/protected_context\/user_password"/],
    [
      { protected_context: { v: 'AB-1234' }, result_schema: { const: 'AB-1234' } },
      /"\/result_schema\/const".*titles, descriptions/,
    ],
  ] as const;
  for (const [fields, detail] of cases) {
    const refusal = await refused(admission.createCall(requestOf(token, 'a', fields)), 'invalid_call');
    assert.match(refusal.detail, detail);
    assert.match(refusal.detail, /No call was created\.$/);
    assert.equal(refusal.detail.includes('AB-1234'), false);
  }
  assert.equal(await countOf(projectId), 0);
});

test('invalid_call: a result schema that does not pass is named by its pointer in the body', async () => {
  await using strict = await openAdmission(database, clock, {
    checkResultSchema: async () => ({ ok: false, pointer: '/type', wanted: 'a type' }),
  });
  const { apiKey } = await found(database, clock);
  const refusal = await refused(strict.createCall(requestOf(apiKey, 'a')), 'invalid_call');
  assert.match(refusal.detail, /"\/result_schema\/type" is not valid\. Wanted: a type/);
});

test('replay: the same call again, whatever the member order', async () => {
  const account = await found(database, clock);
  const call = await create(account.apiKey, 'k', { context: { a: 1, b: 2 } });
  const body = { context: { b: 2, a: 1 }, result_schema: BODY.result_schema, objective: BODY.objective, to: BODY.to };
  const again = await admission.createCall({
    token: account.apiKey,
    idempotencyKey: 'k',
    body: { text: JSON.stringify(body, null, 2) },
  });
  assert.deepEqual(again, { kind: 'replay', callId: call.id, projectId: account.projectId });
  assert.equal(await countOf(account.projectId), 1);
});

test('idempotency_conflict: any change of the payload, protected values and written-out defaults included', async () => {
  const { apiKey: token, projectId } = await found(database, clock);
  await create(token, 'k', { protected_context: { member: 'AB-1234' } });
  const changes = [
    {},
    { protected_context: { member: 'AB-1235' } },
    { protected_context: { member: 'AB-1234' }, limits: {} },
    { protected_context: { member: 'AB-1234' }, limits: { max_duration_seconds: 300 } },
    { protected_context: { member: 'AB-1234' }, constraints: [] },
    { protected_context: { member: 'AB-1234' }, to: '+14155550124' },
  ];
  for (const change of changes) {
    const refusal = await refused(admission.createCall(requestOf(token, 'k', change)), 'idempotency_conflict');
    assert.match(refusal.detail, /No other call was created/);
  }
  assert.equal(await countOf(projectId), 1);
});

test('a replay comes before every quota and policy: it finds its call when nothing else would be admitted', async () => {
  const account = await credited(3);
  await using frugal = await openAdmission(database, clock, { policy: { createsPerMinute: 1, queueLimitMs: 900_000 } });
  const request = requestOf(account.apiKey, 'k', { limits: { max_duration_seconds: 180 } });
  const first = await frugal.createCall(request);
  await setProjectActive(database, account.projectId, false);
  await upsertAssistant(database, account.projectId, { isActive: false });
  await changePlan(database, account.workspaceId, 'free', clock.now());
  await setSwitch(database, 'live_calls', false, clock.now());
  try {
    assert.deepEqual(await frugal.createCall(request), replayOf(first, account));
    await refused(frugal.createCall(requestOf(account.apiKey, 'k')), 'idempotency_conflict');
    await refused(frugal.createCall(requestOf(account.apiKey, 'other')), 'rate_limit_exceeded');
  } finally {
    await setSwitch(database, 'live_calls', true, clock.now());
  }
});

test('an Idempotency-Key outlives the API key that used it, and belongs to one project', async () => {
  const account = await found(database, clock);
  const first = await admission.createCall(requestOf(account.apiKey, 'k'));
  const rotated = createApiKey(systemChance);
  await insertKey(
    database,
    { id: systemChance.uuid(), projectId: account.projectId, name: 'next', digest: rotated.digest, expiresAt: null },
    clock.now(),
  );
  await revokeKey(database, account.apiKeyId, clock.now());
  assert.deepEqual(await admission.createCall(requestOf(rotated.key, 'k')), replayOf(first, account));

  const projectId = systemChance.uuid();
  await insertProject(database, { id: projectId, workspaceId: account.workspaceId, name: 'other' }, clock.now());
  await upsertAssistant(database, projectId, { name: 'Charles' });
  const other = createApiKey(systemChance);
  await insertKey(
    database,
    { id: systemChance.uuid(), projectId, name: 'k', digest: other.digest, expiresAt: null },
    clock.now(),
  );
  assert.equal((await admission.createCall(requestOf(other.key, 'k'))).kind, 'new');
});

function replayOf(first: Admitted, account: Founded): Admitted {
  assert.equal(first.kind, 'new');
  return { kind: 'replay', callId: first.kind === 'new' ? first.call.id : '', projectId: account.projectId };
}

test('rate_limit_exceeded: a window that begins with its first create, counting refusals and no replays', async () => {
  const account = await found(database, clock);
  await using frugal = await openAdmission(database, clock, { policy: { createsPerMinute: 3, queueLimitMs: 900_000 } });
  await frugal.createCall(requestOf(account.apiKey, 'one'));
  clock.move(20_000);
  await refused(frugal.createCall(requestOf(account.apiKey, 'two', { objective: 'a prank' })), 'call_purpose_blocked');
  await refused(frugal.createCall(requestOf(account.apiKey, 'two', { to: 'x' })), 'invalid_call');
  for (let count = 0; count < 5; count++) await frugal.createCall(requestOf(account.apiKey, 'one'));
  await frugal.createCall(requestOf(account.apiKey, 'three'));
  const refusal = await refused(frugal.createCall(requestOf(account.apiKey, 'four')), 'rate_limit_exceeded');
  assert.equal(refusal.details.retryAfterSeconds, 40);
  assert.match(refusal.detail, /40 seconds\. No call was created/);
  clock.move(39_500);
  const last = await refused(frugal.createCall(requestOf(account.apiKey, 'four')), 'rate_limit_exceeded');
  assert.equal(last.details.retryAfterSeconds, 1);
  clock.move(500);
  await frugal.createCall(requestOf(account.apiKey, 'four'));
});

test('live_calls_disabled, agent_project_inactive, managed_agent_unavailable, in this order', async () => {
  const account = await credited(0);
  await setSwitch(database, 'live_calls', false, clock.now());
  await setProjectActive(database, account.projectId, false);
  await upsertAssistant(database, account.projectId, { isActive: false });
  const request = requestOf(account.apiKey, 'k', { objective: 'a prank' });
  try {
    await refused(admission.createCall(request), 'live_calls_disabled');
  } finally {
    await setSwitch(database, 'live_calls', true, clock.now());
  }
  await refused(admission.createCall(request), 'agent_project_inactive');
  await setProjectActive(database, account.projectId, true);
  await refused(admission.createCall(request), 'managed_agent_unavailable');
  await upsertAssistant(database, account.projectId, { isActive: true, name: null });
  await refused(admission.createCall(request), 'managed_agent_unavailable');
  await database.query(`DELETE FROM assistants WHERE project_id = $1`, [account.projectId]);
  await refused(admission.createCall(request), 'managed_agent_unavailable');
  await upsertAssistant(database, account.projectId, { name: 'Charles' });
  await refused(admission.createCall(request), 'insufficient_credits');
  await creditMinutes(database, account.workspaceId, 3, 'test', clock.now());
  await refused(admission.createCall(request), 'call_purpose_blocked');
  assert.equal(await countOf(account.projectId), 0);
});

test('a refused create uses no Idempotency-Key up: the same request is admitted once the cause is gone', async () => {
  const account = await credited(0);
  const request = requestOf(account.apiKey, 'k');
  await refused(admission.createCall(request), 'insufficient_credits');
  await creditMinutes(database, account.workspaceId, 3, 'recharge', clock.now());
  assert.equal((await admission.createCall(request)).kind, 'new');
});

test('the caller name is frozen when the call is admitted and may be missing', async () => {
  const account = await found(database, clock);
  await database.query(`UPDATE workspaces SET owner_name = NULL WHERE id = $1`, [account.workspaceId]);
  assert.equal((await create(account.apiKey)).callerName, null);
});

test('a database that belongs to another master key is not opened: retries would become new calls', async () => {
  await assert.rejects(openAdmission(database, clock, { masterKey: Buffer.alloc(32, 8) }), /another master key/);
});

test('what a create refuses is decided alike by two Admissions on one database', async () => {
  const account = await credited(3);
  await using second = await openAdmission(database, clock);
  const first = await admission.createCall(requestOf(account.apiKey, 'k'));
  assert.deepEqual(await second.createCall(requestOf(account.apiKey, 'k')), replayOf(first, account));
  await refused(second.createCall(requestOf(account.apiKey, 'other')), 'insufficient_credits');
});

test('a database that is lost before a request was sent is a fault that says so: no call can exist', async () => {
  const account = await found(database, clock);
  await using fresh = await openAdmission(database, clock);
  const holder = await database.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
  const created = fresh.createCall(requestOf(account.apiKey, 'k'));
  const faulted = assert.rejects(created, (error) => error instanceof Fault && error.retry === 'safe');
  let cut = 0;
  while (cut === 0) {
    const rows = await holder.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%FROM api_keys%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`,
    );
    cut = rows.length;
    // Within a transaction the view is a snapshot.
    await holder.query('SELECT pg_stat_clear_snapshot()');
  }
  await faulted;
  await holder.query('ROLLBACK');
  await holder.release();
  assert.equal((await fresh.createCall(requestOf(account.apiKey, 'k'))).kind, 'new');
});
