// Key presses: what is sent, and that each is heard once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { DigitReceiver, isKey, pressFrames } from './dtmf.ts';
import type { RtpPacket } from './rtp.ts';

/** The packets of `keys` as a sender puts them on the line, silence frames left out. */
function packetsOf(keys: string): RtpPacket[] {
  let timestamp = 2 ** 32 - 1_000; // wraps on the way
  let sequence = 65_530;
  const packets: RtpPacket[] = [];
  for (const key of keys) {
    const pressedAt = timestamp;
    for (const frame of pressFrames(key)) {
      if (frame !== null) packets.push({ ...frame, payloadType: 96, sequence, timestamp: pressedAt, ssrc: 1 });
      sequence = (sequence + 1) & 0xffff;
      timestamp = (timestamp + 160) >>> 0;
    }
  }
  return packets;
}

function heard(packets: readonly RtpPacket[], receiver = new DigitReceiver()): string {
  return packets.map((packet) => receiver.receive(packet) ?? '').join('');
}

test('A press is five growing packets, the last one sent three times, then a pause', () => {
  const frames = pressFrames('#').map(
    (frame) => frame && `${frame.hasMarker ? 'M ' : ''}${frame.payload.toString('hex')}`,
  );
  assert.deepEqual(frames, [
    'M 0b0a00a0',
    '0b0a0140',
    '0b0a01e0',
    '0b0a0280',
    '0b8a0320',
    '0b8a0320',
    '0b8a0320',
    null,
    null,
    null,
  ]);
});

test('Every key is heard once, in order, repeated keys as often as they were pressed', () => {
  assert.equal(heard(packetsOf('0123456789*#ABCD1111')), '0123456789*#ABCD1111');
});

test('A key is heard once whichever of its packets are lost, as long as one arrives', () => {
  for (let lost = 0; lost < 2 ** 7 - 1; lost += 1) {
    const [first, second, third] = ['4', '4', '2'].map((_, press) => packetsOf('442').slice(press * 7, press * 7 + 7));
    const holed = (second ?? []).filter((_, index) => (lost & (1 << index)) === 0);
    assert.equal(heard([...(first ?? []), ...holed, ...(third ?? [])]), '442', `lost ${lost.toString(2)}`);
  }
});

test('Duplicates and latecomers press nothing', () => {
  const packets = packetsOf('95');
  const last = packets.slice(4, 7);
  assert.equal(heard([...packets.flatMap((packet) => [packet, packet]), ...last]), '95');
});

test('A press longer than the duration field is one press, and the same key pressed again is two', () => {
  const receiver = new DigitReceiver();
  const payload = Buffer.from('0502ffff', 'hex');
  const packet = { hasMarker: true, payloadType: 96, sequence: 1, timestamp: 1_000, ssrc: 1, payload };
  assert.equal(receiver.receive(packet), '5');
  assert.equal(receiver.receive({ ...packet, hasMarker: false, timestamp: 1_000 + 0xffff }), null);
  assert.equal(receiver.receive({ ...packet, hasMarker: true, timestamp: 1_000 + 2 * 0xffff }), '5');
});

test('A new source, or a clock that began anew, is heard', () => {
  const receiver = new DigitReceiver();
  const packet = {
    hasMarker: true,
    payloadType: 96,
    sequence: 1,
    timestamp: 900_000,
    ssrc: 1,
    payload: Buffer.alloc(4),
  };
  assert.equal(receiver.receive(packet), '0');
  assert.equal(receiver.receive({ ...packet, timestamp: 100 }), '0');
  assert.equal(receiver.receive({ ...packet, ssrc: 2, timestamp: 50 }), '0');
});

test('Other events and malformed payloads press nothing', () => {
  const receiver = new DigitReceiver();
  const packet = { hasMarker: true, payloadType: 96, sequence: 1, timestamp: 0, ssrc: 1 };
  for (const hex of ['', '01', '010a00', '100a00a0', 'ffffffff']) {
    assert.equal(receiver.receive({ ...packet, payload: Buffer.from(hex, 'hex') }), null);
  }
  const chance = new SeededChance(3);
  for (let round = 0; round < 5_000; round += 1) {
    const digit = receiver.receive({
      ...packet,
      timestamp: chance.integer(2 ** 32),
      payload: chance.bytes(chance.integer(8)),
    });
    assert.ok(digit === null || isKey(digit));
  }
});

test('What is not a key cannot be pressed', () => {
  for (const wrong of ['', 'E', 'a', '12', ' ']) assert.throws(() => pressFrames(wrong), RangeError);
});
