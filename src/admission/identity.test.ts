import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, idempotencyDigest, payloadDigest } from './identity.ts';
import { deriveKeys } from './master-key.ts';

const keys = deriveKeys(Buffer.alloc(32, 1));
const others = deriveKeys(Buffer.alloc(32, 2));

test('the example of RFC 8785, section 3.2.2, comes out byte for byte', () => {
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
  assert.equal(canonicalJson(JSON.parse(input)), expected);
});

test('members are sorted by UTF-16 code units, as in RFC 8785, section 3.2.3', () => {
  const input = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
  const names = Object.values(JSON.parse(canonicalJson(JSON.parse(input))) as Record<string, string>);
  const canonical = canonicalJson(JSON.parse(input));
  const inOrder = [
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ];
  const places = inOrder.map((name) => canonical.indexOf(`"${name}"`));
  assert.equal(names.length, inOrder.length);
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  );
});

// RFC 8785, appendix B: the bits of a double and how it is printed.
const NUMBERS: readonly (readonly [bits: string, printed: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

test('numbers are printed as in RFC 8785, appendix B', () => {
  for (const [bits, printed] of NUMBERS) {
    assert.equal(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE()), printed, bits);
  }
});

test('what has no canonical form is an error and never an empty text', () => {
  for (const value of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    undefined,
    1n,
    [undefined],
    { a: Symbol.iterator },
  ]) {
    assert.throws(() => canonicalJson(value), TypeError);
  }
});

test('member order and white space do not matter to a payload, any other change does', () => {
  const digest = (text: string): string => payloadDigest(keys, JSON.parse(text)).toString('hex');
  const one = digest('{"to":"+14155550123","context":{"b":[1,2],"a":"x"}}');
  assert.equal(digest('{ "context" : {"a":"x", "b":[1.0,2e0]},\n"to":"+14155550123" }'), one);
  const changed = [
    '{"to":"+14155550124","context":{"b":[1,2],"a":"x"}}',
    '{"to":"+14155550123","context":{"b":[2,1],"a":"x"}}',
    '{"to":"+14155550123","context":{"b":[1,"2"],"a":"x"}}',
    '{"to":"+14155550123","context":{"b":[1,2],"a":"x "}}',
    '{"to":"+14155550123","context":{"b":[1,2],"a":"x"},"constraints":[]}',
    '{"to":"+14155550123","context":{"b":[1,2],"a":"x","__proto__":1}}',
    '{"to":"+14155550123","context":{"b":[1,2],"a":null}}',
  ];
  assert.equal(new Set([one, ...changed.map(digest)]).size, changed.length + 1);
});

test('a digest says nothing without the master key, and an Idempotency-Key belongs to its project', () => {
  const project = '019a9d4e-0000-7000-8000-000000000001';
  const other = '019a9d4e-0000-7000-8000-000000000002';
  assert.equal(idempotencyDigest(keys, project, 'k').length, 32);
  assert.deepEqual(idempotencyDigest(keys, project, 'k'), idempotencyDigest(keys, project, 'k'));
  assert.notDeepEqual(idempotencyDigest(keys, project, 'k'), idempotencyDigest(keys, other, 'k'));
  assert.notDeepEqual(idempotencyDigest(keys, project, 'k'), idempotencyDigest(keys, project, 'K'));
  assert.notDeepEqual(idempotencyDigest(keys, project, 'k'), idempotencyDigest(others, project, 'k'));
  assert.notDeepEqual(payloadDigest(keys, {}), payloadDigest(others, {}));
});
