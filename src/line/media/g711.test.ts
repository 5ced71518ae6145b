// Both laws against the tables of the Recommendation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeG711, encodeG711, SILENCE, SILENCE_FRAME } from './g711.ts';
import type { G711Law } from './g711.ts';

/** Decision values of the Recommendation: byte on the line, 16-bit value (tables 1a, 1b, 2a, 2b scaled to 16 bits). */
const VALUES: readonly [G711Law, number, number][] = [
  ['PCMU', 0x80, 32_124],
  ['PCMU', 0x00, -32_124],
  ['PCMU', 0x8f, 16_764],
  ['PCMU', 0xff, 0],
  ['PCMU', 0xfe, 8],
  ['PCMU', 0x7e, -8],
  ['PCMA', 0xaa, 32_256],
  ['PCMA', 0x2a, -32_256],
  ['PCMA', 0xd5, 8],
  ['PCMA', 0x55, -8],
  ['PCMA', 0xd4, 24],
];

for (const [law, byte, value] of VALUES) {
  test(`${law} 0x${byte.toString(16)} is ${value}`, () => {
    assert.equal(decodeG711(law, Buffer.of(byte))[0], value);
    assert.equal(encodeG711(law, Int16Array.of(value))[0], byte);
  });
}

for (const law of ['PCMU', 'PCMA'] as const) {
  test(`${law}: every byte survives the way to PCM and back`, () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const back = encodeG711(law, decodeG711(law, bytes));
    const changed = [...bytes].filter((byte) => back[byte] !== byte);
    assert.deepEqual(changed, law === 'PCMU' ? [0x7f] : []); // µ-law has two zeros; minus zero becomes plus zero
  });

  test(`${law}: every sample is reproduced within its step, and louder never becomes quieter`, () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const decoded = decodeG711(law, encodeG711(law, samples));
    let before = -32_768;
    for (const [index, value] of decoded.entries()) {
      const sample = index - 32_768;
      assert.ok(Math.abs(value - sample) <= (Math.abs(sample) + 256) / 32, `${sample} became ${value}`);
      assert.ok(value >= before, `${sample} became ${value} after ${before}`);
      before = value;
    }
  });

  test(`${law}: a silence frame is 20 ms of the silence byte`, () => {
    assert.deepEqual(SILENCE_FRAME[law], Buffer.alloc(160, SILENCE[law]));
    assert.ok(Math.abs(decodeG711(law, SILENCE_FRAME[law])[0] ?? 99) <= 8);
  });
}
