import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { Refusal } from '../contract/refusal.ts';
import { upsertPlans } from '../ledger/store.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { createApiKey } from './api-key.ts';
import { authenticate } from './keys.ts';
import { foundWorkspace } from './setup.ts';
import { foundOwner } from './owner.ts';
import { expireKey, hasWorkspaces, insertKey, revokeKey } from './store.ts';

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

/** Whatever was asked with a bad key, its answer says that no call came of it. */
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code && error.detail.includes('No call was created.');

test('a good key tells its project and workspace', async () => {
  const founded = await foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding);
  const holder = await authenticate(db.database, founded.apiKey, now);
  assert.deepEqual(holder, {
    apiKeyId: founded.apiKeyId,
    projectId: founded.projectId,
    workspaceId: founded.workspaceId,
  });
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

test('the first start makes one owner, however many start at once, and its key works', async () => {
  await using fresh = await createTestDatabase();
  await upsertPlans(fresh.database, [{ name: 'operator', maxCallSeconds: 3600, includedMinutes: 0, isMetered: false }]);
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-owner-'));
  const parts = { database: fresh.database, clock: systemClock, chance: systemChance };
  const files = await Promise.all(Array.from({ length: 5 }, () => foundOwner(parts, folder)));
  assert.deepEqual(new Set(files).size, 1);
  const file = files[0] ?? '';
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const key = (await readFile(file, 'utf8')).trim();
  await authenticate(fresh.database, key, now);
  assert.equal(await foundOwner(parts, folder), file);
  assert.equal((await readFile(file, 'utf8')).trim(), key, 'a later start keeps the key');
  await rm(folder, { recursive: true });
  assert.equal(await foundOwner(parts, folder), null, 'without the file nobody is told a key');
});

test('a workspace whose key cannot be written does not exist', async () => {
  await using fresh = await createTestDatabase();
  await upsertPlans(fresh.database, [{ name: 'operator', maxCallSeconds: 3600, includedMinutes: 0, isMetered: false }]);
  const parts = { database: fresh.database, clock: systemClock, chance: systemChance };
  await assert.rejects(foundOwner(parts, '/nonexistent/folder'), /ENOENT/);
  assert.equal(await hasWorkspaces(fresh.database), false);
});

test('no row holds a key in the clear', async () => {
  const { key, digest } = createApiKey(systemChance);
  const founded = await foundWorkspace({ database: db.database, clock: systemClock, chance: systemChance }, founding);
  const row = { id: systemChance.uuid(), projectId: founded.projectId, name: 'second', digest, expiresAt: null };
  await insertKey(db.database, row, now);
  const rows = await db.database.query<{ text: string }>('SELECT api_keys::text AS text FROM api_keys');
  assert.ok(rows.every(({ text }) => !text.includes(key.slice(4, 40))));
});
