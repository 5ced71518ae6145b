import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { buildMessage, headerOf, headerValues, makeRequest, makeResponse, parseMessage } from './message.ts';
import type { SipMessage } from './message.ts';

const INVITE = [
  'INVITE sip:+15550100199@trunk.example SIP/2.0',
  'Via: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa.1;rport',
  'Max-Forwards: 70',
  'From: "Ada" <sip:+15550100100@trunk.example>;tag=one',
  'To: <sip:+15550100199@trunk.example>',
  'Call-ID: 0190@errand',
  'CSeq: 1 INVITE',
  'Content-Length: 4',
  '',
  'v=0\n',
];

function read(lines: readonly string[], end = '\r\n'): SipMessage {
  const parsed = parseMessage(Buffer.from(lines.join(end)));
  assert.ok('message' in parsed, JSON.stringify(parsed));
  return parsed.message;
}

function faultOf(bytes: Buffer): string {
  const parsed = parseMessage(bytes);
  assert.ok('fault' in parsed, 'it was read');
  return parsed.fault;
}

test('a request is read with its essentials', () => {
  const message = read(INVITE);
  assert.ok(message.kind === 'request');
  assert.equal(message.method, 'INVITE');
  assert.equal(message.uri, 'sip:+15550100199@trunk.example');
  assert.equal(message.callId, '0190@errand');
  assert.deepEqual(message.cseq, { number: 1, method: 'INVITE' });
  assert.equal(message.fromTag, 'one');
  assert.equal(message.toTag, '');
  assert.equal(message.via.port, 5070);
  assert.equal(message.body, 'v=0\n');
});

test('bare line feeds, empty lines in front and trailing bytes are tolerated', () => {
  assert.equal(read(INVITE, '\n').body, 'v=0\n');
  assert.equal(read(['', '', ...INVITE]).callId, '0190@errand');
  const long = parseMessage(Buffer.from(`${INVITE.join('\r\n')}and more`));
  assert.ok('message' in long && long.message.body === 'v=0\n');
});

test('compact names, any case and folded lines read like the long form', () => {
  const message = read([
    'SIP/2.0 200 All is well',
    'v: SIP/2.0/UDP a.example:5060;branch=z9hG4bKx,',
    '   SIP/2.0/UDP b.example;branch=z9hG4bKy',
    'V: SIP/2.0/TCP c.example;branch=z9hG4bKz',
    'f: <sip:a@b>;tag=1',
    't:',
    '\t<sip:c@d>;tag=2',
    'i: x',
    'CSEQ: 7 INVITE',
    'm: <sip:e@f>',
    'L: 0',
    '',
    '',
  ]);
  assert.ok(message.kind === 'response');
  assert.equal(message.status, 200);
  assert.equal(message.reason, 'All is well');
  assert.equal(message.toTag, '2');
  assert.equal(headerValues(message, 'via').length, 3);
  assert.equal(headerOf(message, 'contact'), '<sip:e@f>');
});

const without = (name: string): Buffer => Buffer.from(INVITE.filter((line) => !line.startsWith(name)).join('\r\n'));
const withLine = (line: string, instead: string): Buffer =>
  Buffer.from(INVITE.map((each) => (each.startsWith(line) ? instead : each)).join('\r\n'));

const FAULTS: readonly [string, Buffer, RegExp][] = [
  ['nothing', Buffer.alloc(0), /keep-alive/],
  ['a keep-alive', Buffer.from('\r\n\r\n'), /keep-alive/],
  ['no end of the head', Buffer.from('INVITE sip:a SIP/2.0\r\nVia: x'), /no empty line/],
  ['binary', Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x0a, 0x0a]), /.+/],
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), /Via/],
  ['no Via', without('Via'), /Via/],
  ['no Call-ID', without('Call-ID'), /Call-ID/],
  ['no CSeq', without('CSeq'), /CSeq/],
  ['no From', without('From'), /From/],
  ['two Call-IDs', withLine('Max-Forwards', 'Call-ID: other'), /Call-ID/],
  ['a CSeq of another method', withLine('CSeq', 'CSeq: 1 BYE'), /BYE/],
  ['a CSeq above 2^31', withLine('CSeq', 'CSeq: 2147483648 INVITE'), /CSeq/],
  ['a negative length', withLine('Content-Length', 'Content-Length: -1'), /Content-Length/],
  ['two lengths', withLine('Max-Forwards', 'Content-Length: 3'), /Content-Length/],
  ['a body cut short', withLine('Content-Length', 'Content-Length: 5'), /4 bytes/],
  ['a control character', withLine('Max-Forwards', 'Subject: a\u0000b'), /control/],
  ['a carriage return in a value', withLine('Max-Forwards', 'Subject: a\rVia: b'), /control/],
  ['a header without a name', withLine('Max-Forwards', ': 70'), /name/],
  ['a very long line', withLine('Max-Forwards', `Subject: ${'a'.repeat(9_000)}`), /line of/],
  ['a head without end', Buffer.from(`INVITE sip:a SIP/2.0\r\n${'Subject: a\r\n'.repeat(5_000)}`), /empty line/],
  ['too many headers', withLine('Max-Forwards', 'S: a\r\n'.repeat(300).trim()), /header lines/],
  ['another version', withLine('INVITE', 'INVITE sip:a@b SIP/3.0'), /request line/],
  ['a status of two digits', withLine('INVITE', 'SIP/2.0 20 OK'), /status/],
];

for (const [what, bytes, fault] of FAULTS) {
  test(`${what} is no message, and says why`, () => assert.match(faultOf(bytes), fault));
}

test('a head that is not UTF-8 is read all the same', () => {
  const bytes = Buffer.from(INVITE.join('\r\n').replace('Ada', 'Andr\u00e9'), 'latin1');
  const parsed = parseMessage(bytes);
  assert.ok('message' in parsed && parsed.message.fromTag === 'one');
});

test('what is written is read back the same', () => {
  const message = read(INVITE);
  const again = parseMessage(buildMessage(message));
  assert.ok('message' in again);
  const headers = message.headers.filter((each) => each.name !== 'content-length');
  assert.deepEqual(
    again.message.headers.filter((each) => each.name !== 'content-length'),
    headers,
  );
  assert.equal(again.message.body, message.body);
});

test('a header value with a line end is refused when a message is written', () => {
  const message = read(INVITE);
  for (const value of ['a\r\nVia: b', 'a\nb', 'a\rb', 'a\u0000b']) {
    const hostile = { ...message, headers: [...message.headers, { name: 'subject', value }] };
    assert.throws(() => buildMessage(hostile), RangeError);
  }
});

test('a response copies what the standard wants, and tags To once', () => {
  const request = read(INVITE);
  assert.ok(request.kind === 'request');
  const ringing = makeResponse(request, { status: 180, reason: 'Ringing', toTag: 'two' });
  assert.equal(headerOf(ringing, 'to'), '<sip:+15550100199@trunk.example>;tag=two');
  assert.equal(makeResponse(request, { status: 100, reason: 'Trying', toTag: 'two' }).toTag, '');
  const inDialog = makeRequest('BYE', 'sip:a@b', [
    ...request.headers.filter((each) => !['to', 'cseq', 'content-length'].includes(each.name)),
    { name: 'to', value: '<sip:a@b>;tag=three' },
    { name: 'cseq', value: '2 BYE' },
  ]);
  assert.equal(makeResponse(inDialog, { status: 200, reason: 'OK', toTag: 'two' }).toTag, 'three');
});

test('no bytes make the parser throw, and what it reads it can write', () => {
  const seed = 20_260;
  const chance = new SeededChance(seed);
  const valid = Buffer.from(INVITE.join('\r\n'));
  const spice = Buffer.from('\r\n\t ;,:<>"\\=@[]\u0000\u00ff');
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.from(valid);
    for (let changes = 1 + chance.integer(6); changes > 0; changes--) {
      bytes[chance.integer(bytes.length)] = spice[chance.integer(spice.length)] ?? 0;
    }
    const cut = bytes.subarray(0, chance.integer(4) === 0 ? chance.integer(bytes.length) : bytes.length);
    const parsed = parseMessage(cut);
    if ('message' in parsed) assert.ok(buildMessage(parsed.message).length > 0, `seed ${seed}, round ${round}`);
  }
});
