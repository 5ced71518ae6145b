// Redundant payloads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { buildRed, parseRed } from './red.ts';

const block = (text: string, timestampOffset: number) => ({
  payloadType: 99,
  timestampOffset,
  data: Buffer.from(text),
});

test('Blocks that were put together are taken apart as they were', () => {
  const blocks = [block('ab', 600), block('', 300), block('cde', 0)];
  const payload = buildRed(blocks);
  assert.equal(payload.toString('hex'), 'e3096002e304b000636162636465');
  assert.deepEqual(parseRed(payload), blocks);
});

test('Offsets beyond 14 bits are cut, blocks beyond 10 bits are a bug', () => {
  assert.equal(parseRed(buildRed([block('a', 99_999), block('b', 0)]))?.[0]?.timestampOffset, 16_383);
  assert.throws(() => buildRed([block('x'.repeat(1_024), 1), block('b', 0)]), RangeError);
  assert.throws(() => buildRed([]), RangeError);
});

for (const [what, hex] of [
  ['nothing', ''],
  ['a header cut', 'e30960'],
  ['no primary header', 'e3096002'],
  ['a block beyond the end', 'e30960ff63616263'],
  ['headers without end', 'ff'.repeat(400)],
] as const) {
  test(`Not a redundant payload: ${what}`, () => {
    assert.equal(parseRed(Buffer.from(hex, 'hex')), null);
  });
}

test('No bytes make the parser throw', () => {
  const chance = new SeededChance(11);
  for (let round = 0; round < 20_000; round += 1) {
    const payload = chance.bytes(chance.integer(40));
    const blocks = parseRed(payload);
    if (blocks !== null) assert.ok(blocks.reduce((sum, each) => sum + each.data.length, 0) < payload.length);
  }
});
