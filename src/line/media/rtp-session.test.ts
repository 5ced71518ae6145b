// Sessions on real sockets: against each other, and against a bare socket that plays the far end packet by packet.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket } from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { systemChance, systemClock } from '../../platform/clock.ts';
import { Fault } from '../../platform/errors.ts';
import { createMedia } from './media.ts';
import type { Media, MediaSession } from './media-session.ts';
import { buildRtp, parseRtp, sequenceDistance, timestampDistance } from './rtp.ts';
import type { RtpPacket } from './rtp.ts';

const HOST = '127.0.0.1';

function mediaOn(firstPort = 20_000, lastPort = 29_999): Media {
  return createMedia({
    host: HOST,
    firstPort,
    lastPort,
    clock: systemClock,
    chance: systemChance,
    onError: (error) => {
      throw error;
    },
  });
}

/** What a session told, and a way to wait for it. */
class Ear {
  readonly #changes = new EventEmitter();
  text = '';
  digits = '';
  readonly listener = {
    heardText: (text: string) => this.#hear(() => (this.text += text)),
    heardDigit: (digit: string) => this.#hear(() => (this.digits += digit)),
  };

  #hear(change: () => void): void {
    change();
    this.#changes.emit('change');
  }

  async until(isTrue: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    while (!isTrue()) await once(this.#changes, 'change', { signal });
  }
}

async function connected(media: Media): Promise<{ near: MediaSession; far: MediaSession; nearEar: Ear; farEar: Ear }> {
  const [nearEar, farEar] = [new Ear(), new Ear()];
  const near = await media.open(nearEar.listener);
  const far = await media.open(farEar.listener);
  const answer = far.acceptOffer(near.localSdp);
  assert.ok(answer.kind === 'agreed');
  assert.deepEqual(near.acceptAnswer(answer.sdp), {
    kind: 'agreed',
    media: { hasText: true, audio: 'PCMU', hasDigits: true },
  });
  return { near, far, nearEar, farEar };
}

/** A far end of one bare socket: the SDP that it answers with, the packets that come. */
class BareEnd implements AsyncDisposable {
  readonly socket: Socket;
  readonly packets: RtpPacket[] = [];
  readonly from: RemoteInfo[] = [];
  readonly #changes = new EventEmitter();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('message', (bytes, from) => {
      const packet = parseRtp(bytes);
      assert.ok(packet);
      this.packets.push(packet);
      this.from.push(from);
      this.#changes.emit('change');
    });
  }

  static async open(host = HOST): Promise<BareEnd> {
    const socket = createSocket('udp4');
    socket.bind(0, host);
    await once(socket, 'listening');
    return new BareEnd(socket);
  }

  get port(): number {
    return this.socket.address().port;
  }

  sdp(kind: 'audio' | 'text', direction = 'sendrecv'): string {
    const [audioPort, textPort] = kind === 'audio' ? [this.port, 0] : [0, this.port];
    return [
      'v=0',
      `o=- 1 1 IN IP4 ${HOST}`,
      's=-',
      `c=IN IP4 ${HOST}`,
      't=0 0',
      `m=audio ${audioPort} RTP/AVP 8 96`,
      'a=rtpmap:96 telephone-event/8000',
      `a=${direction}`,
      `m=text ${textPort} RTP/AVP 98`,
      'a=rtpmap:98 t140/1000',
      '',
    ].join('\r\n');
  }

  type(text: string, sequence: number, to: number, ssrc = 5): Promise<void> {
    const bytes = buildRtp({
      hasMarker: true,
      payloadType: 98,
      sequence,
      timestamp: 0,
      ssrc,
      payload: Buffer.from(text),
    });
    return new Promise((resolve, reject) => {
      this.socket.send(bytes, to, HOST, (error) => (error ? reject(error) : resolve()));
    });
  }

  async until(count: number): Promise<void> {
    const signal = AbortSignal.timeout(5_000);
    while (this.packets.length < count) await once(this.#changes, 'change', { signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}

function portOf(sdp: string, kind: 'audio' | 'text'): number {
  return Number(new RegExp(`m=${kind} ([0-9]+)`).exec(sdp)?.[1]);
}

test('Text and digits travel both ways at once, and silence flows meanwhile', async () => {
  await using media = mediaOn();
  const { near, far, nearEar, farEar } = await connected(media);
  far.start();
  near.start();
  await Promise.all([
    near.sendText('Are you open on Sunday? 😀\u2028'),
    far.sendText('No, we are not.\u2028'),
    near.sendDigits('1x#'),
    far.sendDigits('A'),
  ]);
  await farEar.until(() => farEar.text.endsWith('\u2028') && farEar.digits.length === 2);
  await nearEar.until(() => nearEar.text.endsWith('\u2028') && nearEar.digits.length === 1);
  assert.equal(farEar.text, 'Are you open on Sunday? 😀\u2028');
  assert.equal(farEar.digits, '1#');
  assert.equal(nearEar.text, 'No, we are not.\u2028');
  assert.equal(nearEar.digits, 'A');
  assert.ok(near.counts.audioReceived > 10);
  assert.equal(near.counts.ignored, 0);
});

test('Words that overtake the answer are not lost, and nothing is told or sent before the start', async () => {
  await using media = mediaOn();
  const { near, far, nearEar, farEar } = await connected(media);
  await near.sendText('too early');
  far.start();
  await far.sendText('Hello, ');
  await far.sendText('front desk.');
  assert.equal(nearEar.text, '');
  near.start();
  await nearEar.until(() => nearEar.text === 'Hello, front desk.');
  assert.equal(farEar.text, '');
});

test('Audio is one silence packet every 20 ms, numbered and stamped without a gap, key presses in their place', async () => {
  await using media = mediaOn();
  await using end = await BareEnd.open();
  const session = await media.open(new Ear().listener);
  assert.equal(session.acceptAnswer(end.sdp('audio')).kind, 'agreed');
  session.start();
  await end.until(5);
  await session.sendDigits('7');
  await end.until(end.packets.length + 3);
  const { packets } = end;
  for (const [index, packet] of packets.slice(1).entries()) {
    assert.equal(sequenceDistance(packets[index]?.sequence ?? 0, packet.sequence), 1);
  }
  const start = packets[0]?.timestamp ?? 0;
  for (const [index, packet] of packets.entries()) {
    if (packet.payloadType === 96) continue;
    assert.equal(timestampDistance(start, packet.timestamp), index * 160);
    assert.equal(packet.hasMarker, index === 0);
    assert.deepEqual(packet.payload, Buffer.alloc(160, 0xd5));
  }
  const events = packets.filter((packet) => packet.payloadType === 96);
  assert.equal(events.length, 7);
  assert.equal(new Set(events.map((packet) => packet.timestamp)).size, 1);
  assert.equal(
    timestampDistance(start, events[0]?.timestamp ?? 0),
    packets.findIndex((each) => each.payloadType === 96) * 160,
  );
});

test('Another host is never heard, whatever it sends', async () => {
  await using media = mediaOn();
  await using end = await BareEnd.open();
  await using stranger = await BareEnd.open('127.0.0.2');
  const ear = new Ear();
  const session = await media.open(ear.listener);
  session.acceptAnswer(end.sdp('text'));
  session.start();
  const port = portOf(session.localSdp, 'text');
  await stranger.type('evil', 1, port);
  await end.type('good', 1, port);
  await ear.until(() => ear.text.length >= 4);
  assert.equal(ear.text, 'good');
  assert.equal(session.counts.ignored, 1);
});

test('The host that the signalling came from may send too', async () => {
  await using media = mediaOn();
  await using end = await BareEnd.open();
  await using natted = await BareEnd.open('127.0.0.2');
  const ear = new Ear();
  const session = await media.open(ear.listener);
  session.acceptAnswer(end.sdp('text'), '127.0.0.2');
  session.start();
  await natted.type('hi', 1, portOf(session.localSdp, 'text'));
  await ear.until(() => ear.text === 'hi');
  await session.sendText('there');
  await natted.until(1);
});

test('The first good packet decides where we send, and another port cannot take a live stream over', async () => {
  await using media = mediaOn();
  await using signalled = await BareEnd.open();
  await using real = await BareEnd.open();
  const ear = new Ear();
  const session = await media.open(ear.listener);
  session.acceptAnswer(signalled.sdp('text'));
  session.start();
  const port = portOf(session.localSdp, 'text');
  await real.type('a', 1, port);
  await ear.until(() => ear.text === 'a');
  await signalled.type('X', 1, port, 6);
  await real.type('b', 2, port);
  await ear.until(() => ear.text.length >= 2);
  assert.equal(ear.text, 'ab');
  const before = signalled.packets.length;
  await session.sendText('answer');
  await real.until(1);
  assert.equal(signalled.packets.length, before);
});

test('A far end on hold hears nothing until it resumes, and the version of our SDP grows with each change', async () => {
  await using media = mediaOn();
  await using end = await BareEnd.open();
  const session = await media.open(new Ear().listener);
  session.acceptAnswer(end.sdp('audio'));
  session.start();
  await end.until(3);
  const versionOf = (sdp: string) => Number(/o=errand [0-9]+ ([0-9]+)/.exec(sdp)?.[1]);
  const held = session.acceptOffer(end.sdp('audio', 'sendonly'));
  assert.ok(held.kind === 'agreed' && held.sdp.includes('a=recvonly'));
  const counted = session.counts.audioSent;
  await using other = await BareEnd.open();
  const resumed = session.acceptOffer(other.sdp('audio'));
  assert.ok(resumed.kind === 'agreed');
  assert.deepEqual([versionOf(held.sdp), versionOf(resumed.sdp)], [2, 3]);
  assert.equal(session.acceptOffer(other.sdp('audio')).kind, 'agreed');
  assert.equal(versionOf(session.localSdp), 3, 'a repeated offer changes nothing');
  await other.until(2);
  assert.ok(session.counts.audioSent >= counted + 2);
});

test('An SDP that does not fit is refused and leaves the session as it was', async () => {
  await using media = mediaOn();
  const { near } = await connected(media);
  const before = near.localSdp;
  assert.equal(near.acceptAnswer('nonsense').kind, 'refused');
  assert.equal(near.acceptOffer('v=0').kind, 'refused');
  assert.equal(near.localSdp, before);
  assert.equal(near.agreed?.hasText, true);
});

test('Without text or digits agreed, sending returns at once', async () => {
  await using media = mediaOn();
  await using end = await BareEnd.open();
  const session = await media.open(new Ear().listener);
  session.acceptAnswer(end.sdp('text'));
  session.start();
  assert.deepEqual(session.agreed, { hasText: true, audio: null, hasDigits: false });
  await session.sendDigits('123');
  session.acceptAnswer(end.sdp('audio'));
  await session.sendText('nobody reads this');
  assert.equal(session.counts.textSent, 0);
});

test('Closing lets everybody go on who waits, and frees the ports', async () => {
  await using media = mediaOn();
  const { near, far } = await connected(media);
  near.start();
  const waiting = Promise.all([near.sendDigits('0123456789'), near.sendText('x'.repeat(15_000))]);
  const port = portOf(near.localSdp, 'audio');
  await Promise.all([near.close(), near.close(), waiting]);
  await near.sendText('over');
  await near.sendDigits('5');
  const socket = createSocket('udp4');
  socket.bind(port, HOST);
  await once(socket, 'listening');
  socket.close();
  await far.close();
});

/** A socket on an even port: one that a pool would give out. */
async function blockEvenPort(): Promise<BareEnd> {
  for (;;) {
    const end = await BareEnd.open();
    if (end.port % 2 === 0) return end;
    await end[Symbol.asyncDispose]();
  }
}

test('Ports that others hold are passed over, and a used-up range is our fault and safe to retry', async () => {
  await using blocker = await blockEvenPort();
  await using wide = mediaOn(blocker.port, Math.min(blocker.port + 21, 65_535));
  const sessions = await Promise.all([1, 2, 3].map(() => wide.open(new Ear().listener)));
  assert.ok(sessions.every((session) => portOf(session.localSdp, 'audio') !== blocker.port));
  await using tiny = mediaOn(blocker.port, blocker.port + 1);
  await assert.rejects(
    tiny.open(new Ear().listener),
    (error: unknown) => error instanceof Fault && error.retry === 'safe',
  );
});
