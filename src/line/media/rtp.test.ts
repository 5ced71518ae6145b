// The RTP parser and the counters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { buildRtp, parseRtp, sequenceDistance, timestampDistance } from './rtp.ts';

const PACKET = { hasMarker: true, payloadType: 99, sequence: 65_535, timestamp: 2 ** 32 - 1, ssrc: 0xdeadbeef };

test('A packet that was built is parsed as it was', () => {
  const payload = Buffer.from('Hallo');
  const bytes = buildRtp({ ...PACKET, payload });
  assert.equal(bytes.toString('hex'), '80e3ffffffffffffdeadbeef48616c6c6f');
  assert.deepEqual(parseRtp(bytes), { ...PACKET, payload });
});

test('Contributing sources, header extension and padding are taken off', () => {
  const bytes = Buffer.from('b200000100000002000000030000000400000005bede00010000000061620002', 'hex');
  assert.equal(parseRtp(bytes)?.payload.toString(), 'ab');
});

const NOT_RTP: readonly [string, string][] = [
  ['nothing', ''],
  ['eleven bytes', '8000000100000002000000'],
  ['version 1', '400000010000000200000003'],
  ['RTCP sender report', '80c80006000000000000000000000000'],
  ['sources beyond the end', '8f0000010000000200000003'],
  ['extension header cut', '90000001000000020000000300'],
  ['extension beyond the end', '900000010000000200000003000000ff'],
  ['padding longer than the packet', 'a000000100000002000000030000ff'],
  ['padding of length 0', 'a0000001000000020000000300'],
];

for (const [what, hex] of NOT_RTP) {
  test(`Not a packet: ${what}`, () => {
    assert.equal(parseRtp(Buffer.from(hex, 'hex')), null);
  });
}

test('No bytes make the parser throw, and what it accepts stays within them', () => {
  const chance = new SeededChance(7);
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = chance.bytes(chance.integer(64));
    if (bytes.length > 0) bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
    const packet = parseRtp(bytes);
    if (packet !== null) assert.ok(packet.payload.length <= bytes.length - 12);
  }
  assert.equal(parseRtp(Buffer.alloc(4_096, 0x80)), null);
});

test('Counters are compared across their wrap', () => {
  assert.equal(sequenceDistance(65_535, 0), 1);
  assert.equal(sequenceDistance(0, 65_535), -1);
  assert.equal(sequenceDistance(10, 32_777), 32_767);
  assert.equal(timestampDistance(2 ** 32 - 160, 0), 160);
  assert.equal(timestampDistance(5, 2 ** 32 - 5), -10);
});
