// The hall against a real database: who may see what, what each record says in each stage, and the order of its refusals.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { found, openAdmission } from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { MovedClock } from '../../test/support/moved-clock.ts';
import { createCaller, queueCalls } from '../../test/support/queued-calls.ts';
import type { Founded } from '../account/setup.ts';
import { expireKey, revokeKey } from '../account/store.ts';
import type { Admission } from '../admission/admission.ts';
import { compile } from '../contract/compile.ts';
import { CallView } from '../contract/call.ts';
import { Refusal } from '../contract/refusal.ts';
import { Dispatch } from '../dispatch/advance.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import type { SqlValue } from '../platform/database.ts';
import { createLogger } from '../platform/log.ts';
import { ControlPlaneService } from './service.ts';
import type { ControlPlaneParts } from './service.ts';

let db: TestDatabase;
let admission: Admission;
let caller: Founded;

before(async () => {
  db = await createTestDatabase();
  admission = await openAdmission(db.database, systemClock);
  caller = await createCaller(db.database);
});
after(async () => {
  await admission[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const check = compile(CallView);

function hall(parts: Partial<ControlPlaneParts> = {}): ControlPlaneService {
  const settings = { leaseMs: 1000, recovery: { lookups: 3, withinMs: 1000 } };
  const dispatch = new Dispatch({ database: db.database, settings, log: createLogger('silent') });
  const retryResult = (): Promise<never> => assert.fail('nothing was to be retried');
  return new ControlPlaneService({
    database: db.database,
    clock: systemClock,
    log: createLogger('silent'),
    admission,
    dispatch,
    retryResult,
    readsPerMinute: 1200,
    ...parts,
  });
}

const asking = (callId: string, token: string | null = caller.apiKey) => ({ token, requestId: 'r', callId });
const refused = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

async function queuedCall(): Promise<string> {
  const [id] = await queueCalls(db.database, caller);
  assert.ok(id !== undefined);
  return id;
}

async function run(text: string, values: readonly SqlValue[]): Promise<void> {
  await db.database.query(text, values);
}

/** An answered call that has ended, with two turns and a result row. */
async function endedCall(result: {
  status: string;
  summary?: string;
  result?: unknown;
  valid?: boolean;
}): Promise<string> {
  const id = await queuedCall();
  await run(
    `UPDATE calls SET stage = 'completed', state = 'completed', deadline_at = NULL, leg = '{}', claim_number = 1,
            started_at = '2026-11-20T12:00:01.5Z', answered_at = '2026-11-20T12:00:02Z',
            completed_at = '2026-11-20T12:01:00.007Z' WHERE id = $1`,
    [id],
  );
  await run(
    `INSERT INTO transcript_segments (call_id, sequence, speaker, text, at)
     VALUES ($1, 2, 'recipient', 'Yes, we are.', now()), ($1, 1, 'assistant', 'Are you open?', now())`,
    [id],
  );
  await run(
    `INSERT INTO results (call_id, project_id, status, due_at, summary, result, result_schema_valid, missing_fields, evidence, issues)
     VALUES ($1, $2, $3, CASE WHEN $3 = 'pending' THEN now() END, $4, $5, $6, '["/note"]',
             '[{"path": "", "sequence": 2, "quote": "Yes"}]', '["one issue"]')`,
    [
      id,
      caller.projectId,
      result.status,
      result.summary ?? null,
      'result' in result ? JSON.stringify(result.result) : null,
      result.valid ?? null,
    ],
  );
  return id;
}

test('a fresh admission answers with exactly the record that a read gives a moment later', async () => {
  const service = hall();
  const body = { to: '+15550100101', objective: 'Ask. 😀', result_schema: { type: 'string' } };
  const request = {
    token: (await found(db.database, systemClock)).apiKey,
    requestId: 'r',
    idempotencyKey: 'fresh',
    body: { text: JSON.stringify(body) },
  };
  const created = await service.createCall(request);
  assert.equal(created.isReplay, false);
  assert.ok(check(created.call).ok);
  assert.deepEqual(await service.getCall(asking(created.call.id, request.token)), created.call);
  assert.deepEqual(await service.createCall(request), { call: created.call, isReplay: true });
  const { id, task_id, created_at, ...rest } = created.call;
  assert.notEqual(id, task_id);
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, {
    execution: { stage: 'queued', error_code: null },
    state: 'queued',
    to: body.to,
    objective: body.objective,
    caller_identity: { name: 'Ada Lovelace' },
    summary: null,
    transcript: [],
    result: null,
    result_schema_valid: null,
    result_extraction: { status: 'pending', missing_fields: [], evidence: [], issues: [] },
    started_at: null,
    completed_at: null,
  });
});

test('a replay shows the call as it stands now', async () => {
  const service = hall();
  const { apiKey } = await found(db.database, systemClock);
  const text = JSON.stringify({ to: '+15550100101', objective: 'Ask.', result_schema: {} });
  const request = { token: apiKey, requestId: 'r', idempotencyKey: 'again', body: { text } };
  const { call } = await service.createCall(request);
  await service.cancelCall(asking(call.id, apiKey));
  const replay = await service.createCall(request);
  assert.deepEqual([replay.isReplay, replay.call.id, replay.call.state], [true, call.id, 'cancelled']);
});

test('a complete call has summary, result and evidence, and no transcript', async () => {
  const id = await endedCall({ status: 'complete', summary: 'They are open.', result: true, valid: true });
  const view = await hall().getCall(asking(id));
  assert.ok(check(view).ok);
  assert.equal(view.summary, 'They are open.');
  assert.deepEqual(view.transcript, []);
  assert.deepEqual([view.result, view.result_schema_valid], [true, true]);
  assert.deepEqual(view.result_extraction, {
    status: 'complete',
    missing_fields: ['/note'],
    evidence: [{ path: '', sequence: 2, quote: 'Yes' }],
    issues: ['one issue'],
  });
  assert.deepEqual([view.started_at, view.completed_at], ['2026-11-20T12:00:01.500Z', '2026-11-20T12:01:00.007Z']);
});

test('an ended call without a summary has its transcript, in the order of its sequence', async () => {
  for (const status of ['pending', 'unavailable']) {
    const view = await hall().getCall(asking(await endedCall({ status })));
    assert.equal(view.summary, null);
    assert.deepEqual(view.transcript, [
      { sequence: 1, speaker: 'assistant', text: 'Are you open?' },
      { sequence: 2, speaker: 'recipient', text: 'Yes, we are.' },
    ]);
    assert.equal(view.result_extraction?.status, status);
  }
});

test('a running call shows no transcript, whatever was said already', async () => {
  const id = await queuedCall();
  await run(`UPDATE calls SET stage = 'running', state = 'in_progress', leg = '{}', claim_number = 1 WHERE id = $1`, [
    id,
  ]);
  await run(
    `INSERT INTO transcript_segments (call_id, sequence, speaker, text, at) VALUES ($1, 1, 'assistant', 'Hi', now())`,
    [id],
  );
  const view = await hall().getCall(asking(id));
  assert.deepEqual([view.state, view.transcript], ['in_progress', []]);
  assert.deepEqual(view.result_extraction, { status: 'pending', missing_fields: [], evidence: [], issues: [] });
});

test('a result that is null in JSON and valid is told from one that is withheld', async () => {
  const nothing = await hall().getCall(
    asking(await endedCall({ status: 'incomplete', summary: 's', result: null, valid: true })),
  );
  assert.deepEqual([nothing.result, nothing.result_schema_valid], [null, true]);
  const withheld = await hall().getCall(asking(await endedCall({ status: 'incomplete', summary: 's' })));
  assert.deepEqual([withheld.result, withheld.result_schema_valid], [null, null]);
});

test('answers with names like __proto__ come through as they are', async () => {
  const result: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x"}');
  const view = await hall().getCall(asking(await endedCall({ status: 'complete', summary: 's', result, valid: true })));
  assert.equal(JSON.stringify(view.result), JSON.stringify(result));
});

test('a call of another project, of the same workspace or not, is as unknown as one that never was', async () => {
  const id = await queuedCall();
  const stranger = await createCaller(db.database);
  const details = new Set<string>();
  for (const callId of [id, systemChance.uuid(), id.toUpperCase()]) {
    for (const method of ['getCall', 'syncCall', 'cancelCall'] as const) {
      await assert.rejects(hall()[method](asking(callId, stranger.apiKey)), (error: unknown) => {
        assert.ok(error instanceof Refusal);
        details.add(`${error.code} ${error.detail}`);
        return true;
      });
    }
  }
  assert.equal(details.size, 1);
  assert.match([...details].join(), /^call_not_found /);
  assert.equal((await hall().getCall(asking(id))).state, 'queued'); // the stranger's cancel did nothing
  assert.equal((await hall().getCall(asking(id.toUpperCase()))).id, id);
});

test('the key is judged before the id, and the id before the call', async () => {
  for (const callId of [
    '7',
    '',
    'x'.repeat(5000),
    '\0',
    `${systemChance.uuid()} `,
    `urn:uuid:${systemChance.uuid()}`,
  ]) {
    await assert.rejects(hall().getCall(asking(callId, null)), refused('invalid_api_key'));
    await assert.rejects(hall().getCall(asking(callId)), refused('invalid_call'));
  }
});

test('a revoked and an expired key read nothing', async () => {
  const id = await queuedCall();
  const { apiKey, apiKeyId } = await createCaller(db.database);
  await expireKey(db.database, apiKeyId, new Date('2020-01-01T00:00:00Z'));
  await assert.rejects(hall().getCall(asking(id, apiKey)), refused('api_key_expired'));
  await revokeKey(db.database, apiKeyId, systemClock.now());
  await assert.rejects(hall().getCall(asking(id, apiKey)), refused('api_key_revoked'));
});

test('reads, syncs and cancels of a key share one limit; the refusal says when to come back', async () => {
  const clock = new MovedClock();
  const service = hall({ clock, readsPerMinute: 3 });
  const id = await queuedCall();
  await service.getCall(asking(id));
  await service.syncCall(asking(id));
  await assert.rejects(service.getCall(asking('no id')), refused('invalid_call')); // counts: the limit comes first
  clock.move(20_500);
  for (const method of ['getCall', 'syncCall', 'cancelCall'] as const) {
    await assert.rejects(service[method](asking(id)), (error: unknown) => {
      assert.ok(error instanceof Refusal && error.code === 'rate_limit_exceeded');
      assert.equal(error.details.retryAfterSeconds, 40);
      return true;
    });
  }
  await assert.rejects(service.getCall(asking(id, null)), refused('invalid_api_key'));
  clock.move(39_500);
  assert.equal((await service.getCall(asking(id))).state, 'queued');
});

test('a sync of a call under way, paused, pending, complete or incomplete changes nothing and retries nothing', async () => {
  const paused = await queuedCall();
  await run(
    `UPDATE calls SET stage = 'reconciling', error_code = 'reconciliation_required', leg = '{}', claim_number = 1, deadline_at = NULL WHERE id = $1`,
    [paused],
  );
  const ids = [
    await queuedCall(),
    paused,
    await endedCall({ status: 'pending' }),
    await endedCall({ status: 'complete', summary: 's', result: 1, valid: true }),
    await endedCall({ status: 'incomplete', summary: 's' }),
  ];
  for (const id of ids) assert.deepEqual(await hall().syncCall(asking(id)), await hall().getCall(asking(id)));
  const [row] = await db.database.query<{ deadline_at: Date | null }>('SELECT deadline_at FROM calls WHERE id = $1', [
    paused,
  ]);
  assert.equal(row?.deadline_at, null);
});

test('a sync of a call whose extraction failed asks for another, and shows what stands after it', async () => {
  for (const [status, valid] of [
    ['unavailable', undefined],
    ['invalid', false],
  ] as const) {
    const id = await endedCall({ status, summary: 's', ...(valid === undefined ? {} : { valid }) });
    const asked: string[] = [];
    const service = hall({
      retryResult: async (callId) => {
        asked.push(callId);
        await run(`UPDATE results SET status = 'pending', due_at = now() WHERE call_id = $1`, [callId]);
      },
    });
    const view = await service.syncCall(asking(id));
    assert.deepEqual(asked, [id]);
    assert.deepEqual([view.state, view.result_extraction?.status], ['completed', 'pending']);
  }
});

test('a cancel before dispatch ends the call at once; another one finds it so', async () => {
  const id = await queuedCall();
  const first = await hall().cancelCall(asking(id));
  assert.deepEqual([first.state, first.execution], ['cancelled', { stage: 'cancelled', error_code: null }]);
  assert.ok(first.completed_at !== null);
  assert.equal(first.started_at, null);
  assert.deepEqual(await hall().cancelCall(asking(id)), await hall().getCall(asking(id)));
});

test('a cancel of a running call asks for its end and claims no more', async () => {
  const id = await queuedCall();
  await run(
    `UPDATE calls SET stage = 'running', state = 'ringing', leg = '{}', claim_number = 1, started_at = now(),
            deadline_at = NULL, worker_id = id, lease_until = now() + interval '1 minute' WHERE id = $1`,
    [id],
  );
  const view = await hall().cancelCall(asking(id));
  assert.deepEqual([view.state, view.execution?.stage, view.completed_at], ['ringing', 'cancel_requested', null]);
});

test('a cancel of an ended call leaves it as it is', async () => {
  const id = await endedCall({ status: 'complete', summary: 's', result: 1, valid: true });
  assert.equal((await hall().cancelCall(asking(id))).state, 'completed');
});

test('many cancels at once end the call once', async () => {
  const id = await queuedCall();
  const service = hall();
  const views = await Promise.all(Array.from({ length: 8 }, () => service.cancelCall(asking(id))));
  assert.deepEqual(new Set(views.map(({ state }) => state)), new Set(['cancelled']));
  const [row] = await db.database.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM call_events WHERE call_id = $1 AND stage = 'cancelled'`,
    [id],
  );
  assert.equal(row?.n, 1);
});

test('ready asks the store', async () => {
  await hall().ready();
});
