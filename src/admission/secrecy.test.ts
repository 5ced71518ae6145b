// Planted secrets: what is written anywhere by admitting, replaying and refusing, and in what the logger prints.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { BODY, found, HeldClock, openAdmission, requestOf } from '../../test/support/admitting.ts';
import { createTestDatabase } from '../../test/support/database.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../contract/refusal.ts';
import type { ScreenedTask } from './screening.ts';
import { deriveKeys } from './master-key.ts';
import { unseal } from './sealing.ts';

const SECRETS = { member_number: 'QX-77-190021', street: 'Kopernikova "7"', case_number: '48151623' } as const;
const IDEMPOTENCY_KEY = 'idem-zebra-5521';
const MASTER_KEY = Buffer.from('master-key-of-thirty-two-bytes!!');

const PLANTED = {
  ...BODY,
  objective: `Ask whether ${SECRETS.member_number} is still a member at ${SECRETS.street}.`,
  context: { [`about ${SECRETS.street}`]: [{ number: 48151623, note: `x${SECRETS.member_number}x` }] },
  constraints: [`Never mention ${SECRETS.case_number}`],
  success_criteria: [SECRETS.member_number],
  protected_context: SECRETS,
  result_schema: {
    type: 'object',
    properties: { ok: { type: 'boolean', description: `Is ${SECRETS.street} right?` } },
  },
};

/** Every value of every column of every table, as text; bytes as they are, without the hexadecimal in between. */
async function everyByte(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  assert.ok(tables.length > 10);
  let text = '';
  for (const { name } of tables) {
    const rows = await database.query<object>(`SELECT * FROM ${name}`);
    for (const row of rows) {
      for (const value of Object.values(row)) {
        text += Buffer.isBuffer(value) ? value.toString('latin1') : `${JSON.stringify(value)}\n${String(value)}\n`;
      }
    }
  }
  return text;
}

function assertFree(text: string, where: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    const forms = [
      secret,
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64').replaceAll('=', ''),
    ];
    for (const form of forms) assert.equal(text.includes(form), false, `${where} holds ${form}`);
  }
}

test('a protected value is in no column of any table, in no log line and in no error, and can still be unsealed', async () => {
  await using store = await createTestDatabase();
  const { database } = store;
  const clock = new HeldClock();
  let logged = '';
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk: Buffer, _, done) => {
        logged += chunk.toString();
        done();
      },
    }),
  );
  const heard: string[] = [];
  const listening = await database.listen(
    'calls_queued',
    (payload) => heard.push(payload),
    () => undefined,
  );
  const asked: ScreenedTask[] = [];
  await using admission = await openAdmission(database, clock, {
    log,
    masterKey: MASTER_KEY,
    judge: async (task) => {
      asked.push(task);
      if (asked.length === 2) throw new Error('the vendor is away');
      return { allowed: true };
    },
  });
  const account = await found(database, clock);
  const create = (key: string, fields: Record<string, unknown> = {}) =>
    admission.createCall(requestOf(account.apiKey, key, { ...PLANTED, ...fields }));

  const admitted = await create(IDEMPOTENCY_KEY);
  assert.equal(admitted.kind, 'new');
  assert.equal((await create(IDEMPOTENCY_KEY)).kind, 'replay');
  const refusals: string[] = [];
  for (const [key, fields] of [
    ['judge', { objective: `Once more ${SECRETS.member_number}` }],
    [IDEMPOTENCY_KEY, { to: '+14155550199' }],
    ['schema', { result_schema: { const: SECRETS.member_number } }],
    ['prank', { objective: `A prank on ${SECRETS.member_number}` }],
    ['limit', { limits: { max_duration_seconds: SECRETS.case_number } }],
  ] as const) {
    await create(key, fields).then(
      () => assert.fail(`${key} was admitted`),
      (error: unknown) => {
        assert.ok(error instanceof Refusal);
        refusals.push(`${error.message} ${error.detail} ${error.stack}`);
      },
    );
  }

  const secrets = [...Object.values(SECRETS), IDEMPOTENCY_KEY, account.apiKey, MASTER_KEY.toString('latin1')];
  const stored = await everyByte(database);
  assert.ok(stored.includes('[REDACTED:member_number]') && stored.includes(account.projectId));
  assertFree(stored, 'the database', secrets);
  assert.ok(logged.includes('purpose judge cannot answer'));
  assertFree(logged, 'the log', secrets);
  assertFree(refusals.join('\n'), 'a refusal', secrets);
  assertFree(heard.join('\n'), 'a notification', secrets);
  assert.ok(asked.length >= 2);
  assertFree(JSON.stringify(asked), 'what the judge was asked', secrets);
  const objective = admitted.kind === 'new' ? admitted.call.objective : '';
  assert.equal(objective, 'Ask whether [REDACTED:member_number] is still a member at [REDACTED:street].');

  const [task] = await database.query<{ id: string; sealed_protected: Buffer }>(
    'SELECT id, sealed_protected FROM tasks WHERE sealed_protected IS NOT NULL',
  );
  assert.ok(task);
  assert.deepEqual({ ...unseal(deriveKeys(MASTER_KEY), task.id, task.sealed_protected) }, SECRETS);
  await listening[Symbol.asyncDispose]();
});

test('an admission that the database refuses tells in its error nothing of what was sent', async () => {
  await using store = await createTestDatabase();
  const { database } = store;
  const clock = new HeldClock();
  await using admission = await openAdmission(database, clock, { masterKey: MASTER_KEY });
  const account = await found(database, clock);
  await database.query(`ALTER TABLE calls ADD CONSTRAINT planted CHECK (to_number <> '+14155550123')`);
  await admission.createCall(requestOf(account.apiKey, IDEMPOTENCY_KEY, PLANTED)).then(
    () => assert.fail('admitted'),
    (error: unknown) => {
      let text = '';
      for (let each = error; each instanceof Error; each = each.cause) {
        text += `${each.message} ${each.stack} ${JSON.stringify(each)}`;
      }
      assert.match(text, /23514/);
      assertFree(text, 'the error', [...Object.values(SECRETS), '14155550123', 'REDACTED']);
    },
  );
});
