import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestInDialog, takeRequest, type Dialog } from './dialog.ts';
import { parseNameAddress, parseVia, q850Cause, quote, splitValues, unquote } from './header.ts';
import { formatUri, parseUri } from './uri.ts';

test('a list is split outside of quotes and brackets only', () => {
  const value = String.raw`"Doe, \"J\"" <sip:a,b@c>;x=1, <sip:d>,, sip:e`;
  assert.deepEqual(splitValues(value), [String.raw`"Doe, \"J\"" <sip:a,b@c>;x=1`, '<sip:d>', 'sip:e']);
});

test('a name survives quoting and unquoting, and line ends do not', () => {
  for (const name of ['Ada', 'a"b', String.raw`back\slash`, 'Zoë <x>', '']) assert.equal(unquote(quote(name)), name);
  assert.equal(quote('a\r\nVia: b'), '"a Via: b"');
});

const ADDRESSES: readonly [string, { name: string; uri: string; tag?: string } | null][] = [
  ['<sip:a@b>;tag=1', { name: '', uri: 'sip:a@b', tag: '1' }],
  ['sip:a@b;tag=1', { name: '', uri: 'sip:a@b', tag: '1' }],
  ['"A < B" <sip:a@b;lr>;x;tag=2', { name: 'A < B', uri: 'sip:a@b;lr', tag: '2' }],
  ['Ada Lovelace <sip:a@b>', { name: 'Ada Lovelace', uri: 'sip:a@b' }],
  ['<sip:a b>', null],
  ['"open <sip:a@b>', null],
  ['<>', null],
  ['', null],
];

for (const [value, expected] of ADDRESSES) {
  test(`an address: ${value}`, () => {
    const found = parseNameAddress(value);
    const shown = found && { name: found.name, uri: found.uri, tag: found.params.get('tag') };
    assert.deepEqual(shown, expected && { tag: undefined, ...expected });
  });
}

test('a Via is read in every spelling that the grammar allows', () => {
  assert.equal(parseVia('SIP / 2.0 / UDP  a.example : 5070 ;branch=z9hG4bK1')?.port, 5070);
  assert.equal(parseVia('SIP/2.0/TLS [2001:db8::1];branch=x')?.host, '[2001:db8::1]');
  for (const bad of ['SIP/1.0/UDP a', 'UDP a', 'SIP/2.0/UDP', 'SIP/2.0/UDP a:99999', 'SIP/2.0/UDP a b']) {
    assert.equal(parseVia(bad), null, bad);
  }
});

test('the Q.850 cause is found among other reasons', () => {
  assert.equal(q850Cause(['SIP;cause=200;text="x"', 'q.850; cause = 17 ;text="a;cause=1"']), 17);
  for (const values of [[], ['SIP;cause=17'], ['Q.850'], ['Q.850;cause=0'], ['Q.850;cause=128']]) {
    assert.equal(q850Cause(values), null);
  }
});

test('a URI is read and written', () => {
  assert.equal(parseUri('sip:+15550100199;x=1@Trunk.Example:5070;lr?a=b')?.host, 'trunk.example');
  assert.equal(parseUri('sip:a%20b@c')?.user, 'a b');
  assert.equal(formatUri('+1555', 'c', 5070), 'sip:+1555@c:5070');
  assert.equal(parseUri(formatUri('a b@"<>', 'c', null))?.user, 'a b@"<>');
  for (const bad of ['tel:+1555', 'sip:', 'sip:a@', 'sip:a@b:0', 'sip:a@b:70000', 'sip:%zz@b', 'sip:a b@c d']) {
    assert.equal(parseUri(bad), null, bad);
  }
});

const DIALOG: Dialog = {
  callId: 'x',
  localTag: '1',
  remoteTag: '2',
  local: '<sip:a@a>',
  remote: '<sip:b@b>',
  contact: '<sip:a@127.0.0.1>',
  remoteTarget: 'sip:target@t.example',
  routeSet: [],
  localCSeq: 3,
  remoteCSeq: null,
};

test('a request inside a dialog goes along its routes; a strict router gets the URI of its own', () => {
  const parts = { method: 'BYE', via: 'SIP/2.0/UDP a;branch=z9hG4bK1' };
  const routesOf = (dialog: Dialog): string[] =>
    requestInDialog(dialog, parts)
      .request.headers.filter((each) => each.name === 'route')
      .map((each) => each.value);
  const plain = requestInDialog(DIALOG, parts);
  assert.deepEqual(
    [plain.request.uri, plain.hop, plain.request.cseq.number],
    ['sip:target@t.example', 'sip:target@t.example', 4],
  );
  const loose = { ...DIALOG, routeSet: ['<sip:p1.example;lr>', '<sip:p2.example;lr>'] };
  assert.equal(requestInDialog(loose, parts).hop, 'sip:p1.example;lr');
  assert.deepEqual(routesOf(loose), loose.routeSet);
  const strict = { ...DIALOG, routeSet: ['<sip:p1.example>', '<sip:p2.example;lr>'] };
  assert.equal(requestInDialog(strict, parts).request.uri, 'sip:p1.example');
  assert.deepEqual(routesOf(strict), ['<sip:p2.example;lr>', '<sip:target@t.example>']);
});

test('an older request of the far end is out of order; the same number again is not', () => {
  const { request } = requestInDialog({ ...DIALOG, localCSeq: 6 }, { method: 'INFO', via: 'SIP/2.0/UDP a;branch=z' });
  assert.equal(takeRequest({ ...DIALOG, remoteCSeq: 8 }, request), null);
  assert.equal(takeRequest({ ...DIALOG, remoteCSeq: 7 }, request)?.remoteCSeq, 7);
  assert.equal(takeRequest(DIALOG, request)?.remoteCSeq, 7);
});
