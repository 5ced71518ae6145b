import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { Refusal } from '../contract/refusal.ts';
import { upsertPlans } from '../ledger/store.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { createApiKey } from './api-key.ts';
import { authenticate } from './keys.ts';
import { foundWorkspace } from './setup.ts';
import { expireKey, insertKey, revokeKey } from './store.ts';

let db: TestDatabase;
const now = new Date('2026-11-20T12:00:00Z');
const founding = {
  workspaceName: 'Home',
  ownerName: 'Ada',
  plan: 'free',
  projectName: 'Errands',
  assistantName: 'Errand',
  keyName: 'owner',
} as const;

before(async () => {
  db = await createTestDatabase();
  await upsertPlans(db.database, [{ name: 'free', maxCallSeconds: 180, includedMinutes: 10, isMetered: true }]);
});
after(() => db[Symbol.asyncDispose]());

async function keyWith(change: (keyId: string) => Promise<unknown>): Promise<string> {
  const founded = await foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding);
  await change(founded.apiKeyId);
  return founded.apiKey;
}

const refusedWith = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code;

test('a good key tells its project and workspace', async () => {
  const founded = await foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding);
  const holder = await authenticate(db.database, founded.apiKey, now);
  assert.deepEqual(holder, { apiKeyId: founded.apiKeyId, projectId: founded.projectId, workspaceId: founded.workspaceId });
});

test('no key, a malformed key and an unknown key are all invalid_api_key', async () => {
  for (const token of [null, '', 'Bearer', 'erk_short', createApiKey(systemChance).key]) {
    await assert.rejects(authenticate(db.database, token, now), refusedWith('invalid_api_key'));
  }
});

test('a revoked key is api_key_revoked, even when it has expired too', async () => {
  const key = await keyWith(async (id) => {
    await revokeKey(db.database, id, now);
    await expireKey(db.database, id, new Date('2020-01-01T00:00:00Z'));
  });
  await assert.rejects(authenticate(db.database, key, now), refusedWith('api_key_revoked'));
});

test('a key is api_key_expired from the very moment of its expiry', async () => {
  const key = await keyWith((id) => expireKey(db.database, id, now));
  await authenticate(db.database, key, new Date(now.getTime() - 1));
  await assert.rejects(authenticate(db.database, key, now), refusedWith('api_key_expired'));
});

test('a workspace whose founding fails in its last step does not exist', async () => {
  const failed = foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding, async () => {
    throw new Error('disk full');
  });
  await assert.rejects(failed, /disk full/);
  const orphans = await db.database.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM workspaces w WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.workspace_id = w.id)',
  );
  assert.equal(orphans[0]?.n, 0);
});

test('no row holds a key in the clear', async () => {
  const { key, digest } = createApiKey(systemChance);
  const founded = await foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding);
  const row = { id: systemChance.uuid(), projectId: founded.projectId, name: 'second', digest, expiresAt: null };
  await insertKey(db.database, row, now);
  const rows = await db.database.query<{ text: string }>('SELECT api_keys::text AS text FROM api_keys');
  assert.ok(rows.every(({ text }) => !text.includes(key.slice(4, 40))));
});
