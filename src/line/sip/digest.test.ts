import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeChallenges } from './authorization.ts';
import { answerChallenge, challengesOf, type Challenge } from './digest.ts';
import { makeRequest, makeResponse, type SipResponse } from './message.ts';

const invite = makeRequest('INVITE', 'sip:b@b.example', [
  { name: 'via', value: 'SIP/2.0/UDP a.example;branch=z9hG4bK1' },
  { name: 'from', value: '<sip:a@a.example>;tag=1' },
  { name: 'to', value: '<sip:b@b.example>' },
  { name: 'call-id', value: 'x' },
  { name: 'cseq', value: '1 INVITE' },
]);

function challenged(...values: readonly string[]): SipResponse {
  const headers = values.map((value) => ({ name: 'proxy-authenticate', value }));
  return makeResponse(invite, { status: 407, reason: '', headers });
}

function first(response: SipResponse): Challenge {
  const [challenge] = challengesOf(response);
  assert.ok(challenge !== undefined);
  return challenge;
}

const responseIn = (header: string): string | undefined => /response="([0-9a-f]+)"/.exec(header)?.[1];

test('the answers of RFC 7616 section 3.9.1 come out, MD5 and SHA-256', () => {
  const params =
    'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const expected = {
    MD5: '8ca523f5e9506fed4657c9700eebdbec',
    'SHA-256': '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  };
  for (const [algorithm, response] of Object.entries(expected)) {
    const challenge = first(challenged(`Digest ${params}, algorithm=${algorithm}`));
    const { header } = answerChallenge(
      challenge,
      { user: 'Mufasa', password: 'Circle of Life' },
      { method: 'GET', uri: '/dir/index.html', body: '' },
      'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    );
    assert.equal(responseIn(header.value), response, algorithm);
    assert.equal(header.name, 'proxy-authorization');
    assert.match(header.value, /nc=00000001/);
  }
});

test('the answer of RFC 2617 section 3.5 comes out', () => {
  const challenge = first(
    challenged('Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'),
  );
  const { header } = answerChallenge(
    challenge,
    { user: 'Mufasa', password: 'Circle Of Life' },
    { method: 'GET', uri: '/dir/index.html', body: '' },
    '0a4f113b',
  );
  assert.equal(responseIn(header.value), '6629fae49393a05397450978507c4ef1');
});

test('each use of a nonce counts', () => {
  const challenge = first(challenged('Digest realm="r", nonce="n", qop="auth"'));
  const once = answerChallenge(challenge, CREDENTIALS, BYE, 'cnonce');
  const twice = answerChallenge(once.challenge, CREDENTIALS, BYE, 'cnonce');
  assert.match(twice.header.value, /nc=00000002/);
  assert.notEqual(responseIn(once.header.value), responseIn(twice.header.value));
});

const CREDENTIALS = { user: 'alice', password: 'secret' };
const BYE = { method: 'BYE', uri: 'sip:a@b', body: '' };

const PICKS: readonly [string, readonly string[], string | null][] = [
  [
    'SHA-256 before MD5, wherever it stands',
    ['Digest realm="r", nonce="1"', 'Digest realm="r", nonce="2", algorithm=SHA-256'],
    '2',
  ],
  [
    'SHA-512-256 before SHA-256',
    ['Digest realm="r", nonce="1", algorithm=SHA-512-256', 'Digest realm="r", nonce="2", algorithm=SHA-256'],
    '1',
  ],
  [
    'both in one line',
    ['Digest realm="r", nonce="1", algorithm=MD5, Digest realm="r", nonce="2", algorithm=SHA-256-sess'],
    '2',
  ],
  [
    'what we do not know is passed over',
    ['Basic realm="r"', 'Digest realm="r", nonce="1", algorithm=WHIRLPOOL', 'Digest realm="r", nonce="2"'],
    '2',
  ],
  ['spaces around the signs', ['Digest realm = "r" , nonce = "1" , qop = "auth"'], '1'],
  ['a quality of protection that we do not know', ['Digest realm="r", nonce="1", qop="auth-conf"'], null],
  ['no nonce', ['Digest realm="r"'], null],
  ['nothing', [], null],
];

for (const [what, values, nonce] of PICKS) {
  test(`the challenge that is answered: ${what}`, () => {
    assert.equal(challengesOf(challenged(...values))[0]?.nonce ?? null, nonce);
  });
}

test('an INVITE answers each realm once, and once more when only the nonce was too old', () => {
  const fresh = challenged('Digest realm="r", nonce="1", qop="auth"');
  const stale = challenged('Digest realm="r", nonce="2", qop="auth", stale=TRUE');
  const other = challenged('Digest realm="s", nonce="3", qop="auth"');
  const once = takeChallenges([], fresh, 'stale_only');
  assert.ok(once !== null);
  assert.equal(takeChallenges(once, fresh, 'stale_only'), null, 'the credentials are wrong');
  const again = takeChallenges(once, stale, 'stale_only');
  assert.deepEqual(
    again?.map((each) => each.nonce),
    ['2'],
  );
  assert.equal(takeChallenges(again ?? [], stale, 'stale_only'), null, 'a second stale answer');
  assert.deepEqual(
    takeChallenges(once, other, 'stale_only')?.map((each) => each.nonce),
    ['1', '3'],
  );
  assert.deepEqual(
    takeChallenges(once, fresh, 'always')?.map((each) => each.nonce),
    ['1'],
  );
});

test('quotes in a name cannot leave their string', () => {
  const challenge = first(challenged('Digest realm="a\\"b", nonce="n"'));
  const { header } = answerChallenge(challenge, { user: 'a", uri="x', password: 'p' }, BYE, 'c');
  assert.match(header.value, /^Digest username="a\\", uri=\\"x", realm="a\\"b"/);
});
