import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemChance } from '../platform/clock.ts';
import { createApiKey, digestOfApiKey } from './api-key.ts';

test('a key is erk_, 43 base62 digits and a checksum of 6', () => {
  const { key } = createApiKey(systemChance);
  assert.match(key, /^erk_[0-9A-Za-z]{49}$/);
});

test('the digest of a key is what was stored for it', () => {
  const { key, digest } = createApiKey(systemChance);
  assert.deepEqual(digestOfApiKey(key), digest);
  assert.equal(digest.length, 32);
});

test('a mistyped key is known to be wrong without asking the database', () => {
  const { key } = createApiKey(systemChance);
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'A' ? 'B' : 'A';
    assert.equal(digestOfApiKey(key.slice(0, at) + other + key.slice(at + 1)), null, `digit ${at}`);
  }
  for (const text of ['', 'erk_', key.slice(1), `${key}A`, ` ${key}`, key.toUpperCase()])
    assert.equal(digestOfApiKey(text), null, text);
});

test('the smallest and the largest secret have the full length', () => {
  for (const fill of [0, 255]) {
    const { key, digest } = createApiKey({ ...systemChance, bytes: (size) => Buffer.alloc(size, fill) });
    assert.equal(key.length, 53);
    assert.deepEqual(digestOfApiKey(key), digest);
  }
});
