// Real-time text as pure state: the pace of sending, and reading in spite of losses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { parseRed } from './red.ts';
import type { RtpPacket } from './rtp.ts';
import { TextReceiver, TextSender } from './t140.ts';
import type { TextFormat, TextPacket } from './t140.ts';

const RED: TextFormat = { textType: 99, redType: 98, generations: 2, charactersPerSecond: 1_000 };
const PLAIN: TextFormat = { ...RED, redType: null, generations: 0 };

interface Sent {
  readonly atMs: number;
  readonly packet: TextPacket;
}

/** Asks the sender every 20 ms, as a session does, for `forMs`. */
function collect(sender: TextSender, forMs: number, fromMs = 0): Sent[] {
  const sent: Sent[] = [];
  for (let atMs = fromMs; atMs < fromMs + forMs; atMs += 20) {
    const step = sender.poll(atMs);
    if (step === null) continue;
    sent.push({ atMs, packet: step.packet });
    step.settle();
  }
  return sent;
}

function numbered(sent: readonly Sent[], from = 65_534): RtpPacket[] {
  return sent.map(({ packet }, index) => ({ ...packet, sequence: (from + index) & 0xffff, ssrc: 7 }));
}

const receiver = () => new TextReceiver(new Set([99]), new Set([98]));

function read(packets: readonly RtpPacket[], into = receiver()): string {
  return packets.map((packet) => into.receive(packet, 0)).join('');
}

/** What each block of a redundant packet says, oldest first. */
const blocksOf = (packet: TextPacket) => parseRed(packet.payload)?.map((block) => block.data.toString());

async function typed(text: string, format = RED): Promise<Sent[]> {
  const sender = new TextSender(format, 0);
  collect(sender, 20); // the byte order mark that opens the stream
  const done = sender.outbox.push(text);
  const sent = collect(sender, 20_000, 400).filter(({ packet }) => !packet.payload.includes('\uFEFF'));
  await done;
  return sent;
}

test('A byte order mark opens the stream and keeps it open, and is never heard as text', () => {
  const sent = collect(new TextSender(RED, 0), 25_000);
  assert.deepEqual(
    sent.map(({ atMs }) => atMs),
    [0, 10_000, 20_000],
  );
  assert.deepEqual(
    sent.map(({ packet }) => blocksOf(packet)),
    Array.from({ length: 3 }, () => ['', '', '\uFEFF']),
  );
  assert.equal(read(numbered(sent)), '');
});

test('The first characters after a pause leave at once, even right after a byte order mark', () => {
  const sender = new TextSender(RED, 0);
  assert.ok(sender.poll(0));
  void sender.outbox.push('a');
  const step = sender.poll(1);
  assert.deepEqual(step && blocksOf(step.packet), ['', '', 'a']);
});

test('While there is something to say a packet leaves every 300 ms, and each text travels three times', () => {
  const sender = new TextSender(RED, 0);
  void sender.outbox.push('a');
  const sent = collect(sender, 20);
  void sender.outbox.push('b');
  sent.push(...collect(sender, 9_000, 20));
  assert.deepEqual(
    sent.map(({ atMs, packet }) => [atMs, blocksOf(packet), packet.hasMarker]),
    [
      [0, ['', '', 'a'], true],
      [300, ['', 'a', 'b'], false],
      [600, ['a', 'b', ''], false],
      [900, ['b', '', ''], false],
    ],
  );
  void sender.outbox.push('c');
  assert.equal(sender.poll(9_020)?.packet.hasMarker, true, 'a marker after the pause');
});

test('New text after a pause does not wait for the repetition of what came before', () => {
  const sender = new TextSender(RED, 0);
  void sender.outbox.push('a');
  collect(sender, 620);
  void sender.outbox.push('b');
  assert.deepEqual(blocksOf(sender.poll(620)?.packet ?? assert.fail()), ['', '', 'b']);
});

test('A promise resolves when its last character has left, not before', async () => {
  const sender = new TextSender({ ...RED, charactersPerSecond: 30 }, 0);
  let isDone = false;
  const done = sender.outbox.push('0123456789').then(() => (isDone = true));
  sender.poll(0)?.settle(); // nine characters: 300 ms at 30 a second
  await Promise.resolve();
  assert.equal(isDone, false);
  sender.poll(300)?.settle();
  await done;
});

for (const rate of [1, 3, 10, 30, 100]) {
  test(`At ${rate} characters a second no window of 10 s holds more than ten times as many, and nearly as many leave`, () => {
    const sender = new TextSender({ ...RED, charactersPerSecond: rate }, 0);
    void sender.outbox.push('x'.repeat(rate * 60));
    const sent = collect(sender, 40_000).map(({ atMs, packet }) => ({
      atMs,
      count: blocksOf(packet)?.[2]?.length ?? 0,
    }));
    for (const { atMs } of sent) {
      const window = sent.filter((each) => each.atMs >= atMs && each.atMs <= atMs + 10_000);
      assert.ok(window.reduce((sum, each) => sum + each.count, 0) <= rate * 10);
    }
    assert.ok(sent.reduce((sum, each) => sum + each.count, 0) >= rate * 30);
  });
}

test('No packet is larger than an Ethernet frame, and no character is cut in two', async () => {
  const text = '😀ü你'.repeat(700);
  const sent = await typed(text, { ...RED, charactersPerSecond: 10_000 });
  assert.ok(sent.every(({ packet }) => packet.payload.length < 1_200));
  assert.ok(sent.every(({ packet }) => blocksOf(packet)?.every((block) => !block.includes('\uFFFD'))));
  assert.equal(read(numbered(sent)), text);
});

test('Aborting drops what has not left and resolves at once', async () => {
  const sender = new TextSender({ ...RED, charactersPerSecond: 30 }, 0);
  const abort = new AbortController();
  const done = sender.outbox.push('0123456789abcdef', abort.signal);
  const next = sender.outbox.push('!');
  sender.poll(0)?.settle();
  abort.abort();
  await done;
  assert.deepEqual(blocksOf(sender.poll(300)?.packet ?? assert.fail()), ['', '012345678', '!']);
  await Promise.race([next, Promise.resolve()]);
});

test('More waiting text than the bound is refused', async () => {
  const sender = new TextSender(RED, 0);
  void sender.outbox.push('x'.repeat(20_000));
  await assert.rejects(sender.outbox.push('y'), RangeError);
  sender.outbox.clear();
  const again = sender.outbox.push('y');
  sender.poll(0)?.settle();
  await again;
});

/** A packet for each character. */
function oneByOne(text: string, format = RED): RtpPacket[] {
  const sender = new TextSender(format, 0);
  const sent = [...text].flatMap((character, index) => {
    void sender.outbox.push(character);
    return collect(sender, 20, index * 300);
  });
  return numbered(sent);
}

const SENTENCE = 'Grüezi! We open at 8:00 😀 and close at 17:30.\u2028';

test('Any two packets in a row may be lost and nothing is missing', async () => {
  const packets = numbered(await typed(SENTENCE, { ...RED, charactersPerSecond: 20 }));
  for (let lost = 0; lost < packets.length - 2; lost += 1) {
    const rest = packets.filter((_, index) => index !== lost && index !== lost + 1);
    assert.equal(read(rest), SENTENCE, `lost ${lost} and ${lost + 1}`);
  }
});

test('Packets in any nearby order, and twice, are read once and in order', async () => {
  const chance = new SeededChance(5);
  const packets = numbered(await typed(SENTENCE, { ...PLAIN, charactersPerSecond: 20 }));
  for (let round = 0; round < 200; round += 1) {
    const [first, ...rest] = packets;
    const shuffled = [...rest, ...rest]
      .map((packet, index) => ({ packet, place: (index % rest.length) + chance.integer(6) }))
      .sort((a, b) => a.place - b.place);
    assert.equal(read([first ?? assert.fail(), ...shuffled.map(({ packet }) => packet)]), SENTENCE, `round ${round}`);
  }
});

test('A loss that redundancy cannot mend is marked once, after the time in which it might still come', () => {
  const packets = oneByOne('abcdefgh');
  const into = receiver();
  assert.equal(read(packets.slice(0, 2), into), 'ab');
  assert.equal(into.receive(packets[5] ?? assert.fail(), 1_000), '', 'c is missing, d to f wait');
  assert.equal(into.overdue(1_400), '');
  assert.equal(into.overdue(1_500), '\uFFFDdef');
  assert.equal(read(packets.slice(2, 6), into), '', 'what comes later is not read twice');
  assert.equal(read(packets.slice(6), into), 'gh');
});

test('A packet that was only late fills its gap without a mark', () => {
  const packets = oneByOne('abcd', PLAIN);
  const into = receiver();
  const [a, b, c, d] = packets;
  assert.ok(a && b && c && d);
  assert.equal(read([a, d, c], into), 'a');
  assert.equal(into.receive(b, 100), 'bcd');
  assert.equal(into.overdue(10_000), '');
});

const packetOf = (sequence: number, hex: string, ssrc = 7): RtpPacket => ({
  hasMarker: false,
  payloadType: 99,
  sequence,
  timestamp: 0,
  ssrc,
  payload: Buffer.from(hex, 'hex'),
});

test('A character split across packets is one character; one whose half was lost is one mark', () => {
  assert.equal(read([packetOf(1, '41c3'), packetOf(2, 'bc42')]), 'AüB');
  const into = receiver();
  assert.equal(read([packetOf(1, '41f09f'), packetOf(3, '8042')], into), 'A');
  assert.equal(into.overdue(499), '');
  assert.equal(into.overdue(500), '\uFFFDB');
});

test('A new source is read from its beginning, and what was held of the old one is not lost', () => {
  const into = receiver();
  assert.equal(read([packetOf(1, '41'), packetOf(3, '43')], into), 'A');
  assert.equal(into.receive(packetOf(900, '58', 8), 0), '\uFFFDCX');
});

test('Text whose first packets were lost is recovered from the first that arrives', () => {
  const packets = oneByOne('abc');
  assert.equal(read(packets.slice(2)), 'abc');
});

test('One stray sequence number changes nothing; two in a row are a sender that counts anew', () => {
  const into = receiver();
  assert.equal(read([packetOf(1, '41'), packetOf(30_000, '58'), packetOf(2, '42')], into), 'AB');
  assert.equal(read([packetOf(20_000, '43'), packetOf(20_001, '44')], into), '\uFFFDD');
  assert.equal(into.receive(packetOf(20_002, '45'), 0), 'E');
});

test('No bytes make the receiver throw or hold without bound', () => {
  const chance = new SeededChance(13);
  const into = receiver();
  for (let round = 0; round < 20_000; round += 1) {
    const packet = {
      ...packetOf(chance.integer(400), '', chance.integer(3)),
      payload: chance.bytes(chance.integer(24)),
    };
    const text = into.receive({ ...packet, payloadType: 98 + chance.integer(3) }, round);
    assert.ok(text.length <= 64 * 24);
    into.overdue(round);
  }
});
