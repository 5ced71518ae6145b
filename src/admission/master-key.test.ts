import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemChance } from '../platform/clock.ts';
import { deriveKeys, openMasterKey } from './master-key.ts';

async function folder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'errand-master-key-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const open = (dataDir: string, configured: Buffer | null = null): Promise<Buffer> =>
  openMasterKey({ configured, dataDir, chance: systemChance });

test('the first start makes a key that only its owner can read, and later starts find it', async () => {
  await using data = await folder();
  const dataDir = join(data.path, 'made', 'on-demand');
  const first = await open(dataDir);
  assert.equal(first.length, 32);
  assert.deepEqual(await open(dataDir), first);
  assert.equal((await stat(join(dataDir, 'master-key'))).mode & 0o777, 0o600);
});

test('many first starts at once end with one key and no leftovers', async () => {
  await using data = await folder();
  const keys = await Promise.all(Array.from({ length: 20 }, () => open(data.path)));
  assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
  assert.deepEqual(await readdir(data.path), ['master-key']);
});

test('a configured key is used and nothing is written', async () => {
  await using data = await folder();
  const configured = Buffer.alloc(32, 9);
  assert.equal(await open(data.path, configured), configured);
  assert.deepEqual(await readdir(data.path), []);
});

test('a damaged key file stops the start with its path and without its content', async () => {
  await using data = await folder();
  for (const content of ['', 'c2hvcnQ=', 'not base64 at all!']) {
    await writeFile(join(data.path, 'master-key'), content);
    await assert.rejects(open(data.path), (error: Error) => {
      assert.match(error.message, /master-key does not hold 32 bytes/);
      assert.equal(content !== '' && error.message.includes(content), false);
      return true;
    });
    assert.equal(await readFile(join(data.path, 'master-key'), 'latin1'), content);
  }
});

test('each purpose has a key of its own, and the fingerprint is none of them', () => {
  const keys = deriveKeys(Buffer.alloc(32, 3));
  const exported = [keys.wrapping, keys.payload, keys.idempotency].map((key) => key.export().toString('hex'));
  assert.equal(new Set(exported).size, 3);
  assert.equal(keys.fingerprint.length, 16);
  for (const key of exported) assert.equal(key.includes(keys.fingerprint.toString('hex')), false);
  assert.deepEqual(deriveKeys(Buffer.alloc(32, 3)).fingerprint, keys.fingerprint);
  assert.notDeepEqual(deriveKeys(Buffer.alloc(32, 4)).fingerprint, keys.fingerprint);
  assert.throws(() => deriveKeys(Buffer.alloc(31)), RangeError);
});
