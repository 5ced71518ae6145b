import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemChance } from '../platform/clock.ts';
import { deriveKeys } from './master-key.ts';
import { seal, unseal } from './sealing.ts';

const keys = deriveKeys(Buffer.alloc(32, 1));
const TASK = '019a9d4e-0000-7000-8000-000000000001';
const OTHER_TASK = '019a9d4e-0000-7000-8000-000000000002';

function sealed(values: Record<string, string>, task = TASK): Buffer {
  const made = seal(keys, systemChance, task, values);
  assert.ok(made);
  return made;
}

test('sealed values open to what they were, and nothing of them can be read before', () => {
  const values = { member_number: 'QX-77 1234', note: '\u{1f511} ключ "quoted"\n', a: 'x', long: 'y'.repeat(2000) };
  const bytes = sealed(values);
  assert.deepEqual({ ...unseal(keys, TASK, bytes) }, values);
  for (const value of ['QX-77 1234', 'ключ', 'yyyy']) assert.equal(bytes.includes(Buffer.from(value)), false);
});

test('no protected values leave no bytes behind', () => {
  assert.equal(seal(keys, systemChance, TASK, {}), null);
});

test('sealing the same twice gives different bytes', () => {
  assert.notDeepEqual(sealed({ a: 'same' }), sealed({ a: 'same' }));
});

test('sealed values open in their own task and under their own master key alone', () => {
  const bytes = sealed({ account: '12345678' });
  assert.throws(() => unseal(keys, OTHER_TASK, bytes), /do not open/);
  assert.throws(() => unseal(deriveKeys(Buffer.alloc(32, 2)), TASK, bytes), /another master key/);
});

test('a value opens under its own name alone', () => {
  const bytes = sealed({ first: '12345678' });
  const at = bytes.indexOf('first');
  Buffer.from('other').copy(bytes, at);
  assert.throws(() => unseal(keys, TASK, bytes), /do not open/);
});

test('a change of any single byte is noticed, and so is every cut', () => {
  const bytes = sealed({ a: 'value', b: 'other' });
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x20, at);
    let opened: unknown = null;
    try {
      opened = unseal(keys, TASK, changed);
    } catch {
      continue;
    }
    // The count of values is not sealed: fewer may open, none that is not true.
    assert.notDeepEqual(opened, { a: 'value', b: 'other' }, `byte ${at}`);
    assert.fail(`byte ${at} was changed and it opened`);
  }
  for (let length = 0; length < bytes.length; length++) {
    assert.throws(() => unseal(keys, TASK, bytes.subarray(0, length)));
  }
});
