// Descriptions of other people, as tables; and that no bytes break the reader.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { buildAnswer, buildOffer, mayBeSentTo, readDescription } from './sdp.ts';
import type { RemoteDescription } from './sdp.ts';

const LOCAL = { host: '192.0.2.1', audioPort: 20_000, textPort: 20_002, sessionId: '77', version: 1 };

/** @param lines the m-lines and what follows them */
const sdp = (lines: readonly string[], session: readonly string[] = ['c=IN IP4 198.51.100.9']) =>
  ['v=0', 'o=- 1 1 IN IP4 198.51.100.9', 's=-', ...session, 't=0 0', ...lines, ''].join('\r\n');

function understood(text: string): RemoteDescription {
  const remote = readDescription(text);
  if ('because' in remote) assert.fail(remote.because);
  return remote;
}

const AUDIO = ['m=audio 4000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16'];
const TEXT = ['m=text 4002 RTP/AVP 96 97', 'a=rtpmap:96 red/1000', 'a=rtpmap:97 t140/1000', 'a=fmtp:96 97/97/97'];

test('Our offer is understood by ourselves', () => {
  const { audio, text } = understood(buildOffer(LOCAL));
  assert.deepEqual(audio, {
    kind: 'audio',
    host: '192.0.2.1',
    port: 20_000,
    direction: 'sendrecv',
    law: 'PCMU',
    audioType: 0,
    eventType: 96,
  });
  assert.deepEqual(text?.format, { textType: 98, redType: 100, generations: 2, charactersPerSecond: 1_280 });
});

test('Our offer numbers text as the examples of RFC 4103 do, as far ends with fixed numbers answer', () => {
  const lines = buildOffer(LOCAL).split('\r\n');
  for (const line of ['m=text 20002 RTP/AVP 100 98', 'a=rtpmap:98 t140/1000', 'a=rtpmap:100 red/1000']) {
    assert.ok(lines.includes(line), line);
  }
});

test('Our answer has the streams of the offer in its order, with its payload numbers', () => {
  const offer = sdp([...TEXT, 'm=video 4004 RTP/AVP 31', ...AUDIO, 'm=audio 4006 RTP/AVP 0']);
  const lines = buildAnswer(LOCAL, understood(offer)).split('\r\n');
  assert.deepEqual(
    lines.filter((line) => line.startsWith('m=')),
    ['m=text 20002 RTP/AVP 96 97', 'm=video 0 RTP/AVP 31', 'm=audio 20000 RTP/AVP 0 101', 'm=audio 0 RTP/AVP 0'],
  );
  assert.ok(lines.includes('a=fmtp:96 97/97/97'));
  assert.ok(lines.includes('c=IN IP4 192.0.2.1'));
});

interface Row {
  readonly what: string;
  readonly sdp: string;
  /** `law type event`, or null. */
  readonly audio: string | null;
  /** `text red generations rate`, or null. */
  readonly text: string | null;
}

const ROWS: readonly Row[] = [
  { what: 'audio and text', sdp: sdp([...AUDIO, ...TEXT]), audio: 'PCMU 0 101', text: '97 96 2 30' },
  { what: 'no text line', sdp: sdp(AUDIO), audio: 'PCMU 0 101', text: null },
  { what: 'text declined', sdp: sdp([...AUDIO, 'm=text 0 RTP/AVP 98']), audio: 'PCMU 0 101', text: null },
  { what: 'audio declined', sdp: sdp(['m=audio 0 RTP/AVP 0', ...TEXT]), audio: null, text: '97 96 2 30' },
  { what: 'A-law alone, no events', sdp: sdp(['m=audio 4000 RTP/AVP 8']), audio: 'PCMA 8 null', text: null },
  { what: 'the far end prefers A-law', sdp: sdp(['m=audio 4000 RTP/AVP 8 0']), audio: 'PCMA 8 null', text: null },
  {
    what: 'a dynamic number for µ-law',
    sdp: sdp(['m=audio 4000 RTP/AVP 111', 'a=rtpmap:111 pcmu/8000']),
    audio: 'PCMU 111 null',
    text: null,
  },
  {
    what: 'codecs that we lack come first',
    sdp: sdp(['m=audio 4000 RTP/AVP 9 18 8', 'a=rtpmap:9 G722/8000']),
    audio: 'PCMA 8 null',
    text: null,
  },
  {
    what: 'plain text without redundancy',
    sdp: sdp(['m=text 4002 RTP/AVP 98', 'a=rtpmap:98 t140/1000']),
    audio: null,
    text: '98 null 0 30',
  },
  { what: 'a rate of its own', sdp: sdp([...TEXT, 'a=fmtp:97 cps=12']), audio: null, text: '97 96 2 12' },
  { what: 'a rate of nonsense', sdp: sdp([...TEXT, 'a=fmtp:97 cps=0']), audio: null, text: '97 96 2 30' },
  { what: 'a rate beyond reason', sdp: sdp([...TEXT, 'a=fmtp:97 cps=999999']), audio: null, text: '97 96 2 10000' },
  { what: 'one generation', sdp: sdp(TEXT.with(3, 'a=fmtp:96 97/97')), audio: null, text: '97 96 1 30' },
  {
    what: 'four generations: we send two',
    sdp: sdp(TEXT.with(3, 'a=fmtp:96 97/97/97/97/97')),
    audio: null,
    text: '97 96 2 30',
  },
  { what: 'redundancy without parameters', sdp: sdp(TEXT.slice(0, 3)), audio: null, text: '97 96 2 30' },
  {
    what: 'redundancy of something else',
    sdp: sdp(TEXT.with(3, 'a=fmtp:96 100/100')),
    audio: null,
    text: '97 null 0 30',
  },
];

for (const row of ROWS) {
  test(`Read: ${row.what}`, () => {
    const { audio, text } = understood(row.sdp);
    assert.equal(audio && `${audio.law} ${audio.audioType} ${audio.eventType}`, row.audio);
    const format = text?.format;
    assert.equal(
      format ? `${format.textType} ${format.redType} ${format.generations} ${format.charactersPerSecond}` : null,
      row.text,
    );
  });
}

test('An address of the media line wins over the address of the session', () => {
  const [line, ...attributes] = AUDIO;
  const { audio, text } = understood(sdp([line ?? '', 'c=IN IP4 203.0.113.5', ...attributes, ...TEXT]));
  assert.equal(audio?.host, '203.0.113.5');
  assert.equal(text?.host, '198.51.100.9');
  assert.equal(understood(sdp([line ?? '', 'c=IN IP4 203.0.113.5'], [])).audio?.host, '203.0.113.5');
});

for (const [theirs, ours, isSentTo] of [
  ['sendrecv', 'sendrecv', true],
  ['sendonly', 'recvonly', false],
  ['recvonly', 'sendonly', true],
  ['inactive', 'inactive', false],
] as const) {
  test(`A stream that is ${theirs} for them is ${ours} for us, stated by session or by line`, () => {
    const session = ['c=IN IP4 198.51.100.9', `a=${theirs}`];
    for (const remote of [understood(sdp([...AUDIO, `a=${theirs}`])), understood(sdp(AUDIO, session))]) {
      assert.equal(remote.audio?.direction, theirs);
      assert.equal(remote.audio && mayBeSentTo(remote.audio), isSentTo);
      assert.ok(buildAnswer(LOCAL, remote).includes(`a=${ours}\r\n`));
    }
  });
}

test('The address 0.0.0.0 is a hold: nothing is sent there', () => {
  const { audio } = understood(sdp(AUDIO, ['c=IN IP4 0.0.0.0']));
  assert.equal(audio && mayBeSentTo(audio), false);
});

for (const [what, text] of [
  ['nothing', ''],
  ['no media', sdp([])],
  ['everything declined', sdp(['m=audio 0 RTP/AVP 0', 'm=text 0 RTP/AVP 98'])],
  ['no codec in common', sdp(['m=audio 4000 RTP/AVP 9 18'])],
  ['secured media', sdp(['m=audio 4000 RTP/SAVP 0'])],
  ['IPv6', sdp(AUDIO, ['c=IN IP6 2001:db8::1'])],
  ['a host name', sdp(AUDIO, ['c=IN IP4 media.example'])],
  ['no address', sdp(AUDIO, [])],
  ['a port out of range', sdp(['m=audio 70000 RTP/AVP 0'])],
  ['too many lines', sdp(Array<string>(17).fill('m=audio 4000 RTP/AVP 0'))],
  ['too long', sdp([...AUDIO, `a=${'x'.repeat(20_000)}`])],
  ['a page of HTML', '<!doctype html><title>no</title>'],
] as const) {
  test(`Refused with a sentence: ${what}`, () => {
    const remote = readDescription(text);
    assert.ok('because' in remote && remote.because.length > 5);
  });
}

test('No description makes the reader or the answer throw', () => {
  const chance = new SeededChance(17);
  const good = sdp([...AUDIO, ...TEXT, 'a=sendonly']);
  for (let round = 0; round < 3_000; round += 1) {
    const bytes = Buffer.from(good);
    for (let change = chance.integer(8); change >= 0; change -= 1)
      bytes[chance.integer(bytes.length)] = chance.integer(256);
    const lines = bytes.toString().split('\r\n');
    const text = [...lines.slice(0, chance.integer(lines.length)), ...lines.slice(chance.integer(lines.length))].join(
      '\r\n',
    );
    const remote = readDescription(text);
    if ('because' in remote) continue;
    assert.ok(buildAnswer(LOCAL, remote).split('\r\nm=').length - 1 === remote.streams.length);
  }
});
