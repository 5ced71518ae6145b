// The body check of POST /v1/calls: every limit from both sides, every refusal by its pointer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldFaultDetail, NESTING_LIMIT, parseCallCreation } from './check-call-creation.ts';

const LEAST = { to: '+15550100101', objective: 'Ask when they open.', result_schema: { type: 'string' } };
const MOST = {
  ...LEAST,
  to: '+123456789012345',
  context: { account: { id: 7 }, list: [1, null, 'x'] },
  protected_context: { member_id: 'A-1' },
  constraints: ['Be brief.'],
  success_criteria: [''],
  limits: { max_duration_seconds: 30 },
};

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const named = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name_${index}`, 'value']));

const ACCEPTED: readonly (readonly [string, unknown])[] = [
  ['only the required fields', LEAST],
  ['every field', MOST],
  ['the shortest number', { ...LEAST, to: '+12345678' }],
  ['an objective of 4000 code points outside the BMP', { ...LEAST, objective: '😀'.repeat(4000) }],
  ['50 constraints of 500 characters', { ...LEAST, constraints: Array.from({ length: 50 }, () => 'é'.repeat(500)) }],
  ['empty lists and objects', { ...LEAST, constraints: [], success_criteria: [], context: {}, limits: {} }],
  ['20 protected values', { ...LEAST, protected_context: named(20) }],
  ['a protected value of 2000 characters', { ...LEAST, protected_context: { note: 'x'.repeat(2000) } }],
  ['a protected name of 64 characters', { ...LEAST, protected_context: { [`n${'_'.repeat(63)}`]: 'x' } }],
  ['a duration of 3600', { ...LEAST, limits: { max_duration_seconds: 3600 } }],
  ['nesting at the limit', { ...LEAST, context: { deep: nested(NESTING_LIMIT - 2) } }],
  ['a member named __proto__ in context', JSON.parse('{"context":{"__proto__":{"a":1}}}')],
  ['a paired surrogate written as escapes', { ...LEAST, objective: '\ud83d\ude00' }],
].map(([name, body]) => [String(name), { ...LEAST, ...(body as object) }]);

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ['null', null, ''],
  ['an array', [], ''],
  ['a string', 'x', ''],
  ['no number', { objective: 'x', result_schema: {} }, '/to'],
  ['no objective', { to: '+15550100101', result_schema: {} }, '/objective'],
  ['no result schema', { to: '+15550100101', objective: 'x' }, '/result_schema'],
  ['an unknown field', { ...LEAST, simulate: true }, '/simulate'],
  ['an unknown field with a slash', { ...LEAST, 'a/b~c': 1 }, '/a~1b~0c'],
  [
    'caller_identity, which is not the caller’s to choose',
    { ...LEAST, caller_identity: { name: 'x' } },
    '/caller_identity',
  ],
  ['a number without plus', { ...LEAST, to: '15550100101' }, '/to'],
  ['a number that begins with 0', { ...LEAST, to: '+05550100101' }, '/to'],
  ['a number of 7 digits', { ...LEAST, to: '+1234567' }, '/to'],
  ['a number of 16 digits', { ...LEAST, to: '+1234567890123456' }, '/to'],
  ['a number with a line feed after it', { ...LEAST, to: '+15550100101\n' }, '/to'],
  ['a number in other digits', { ...LEAST, to: '+1٥٥٥0100101' }, '/to'],
  ['a number that is no string', { ...LEAST, to: 15_550_100_101 }, '/to'],
  ['an empty objective', { ...LEAST, objective: '' }, '/objective'],
  ['an objective of 4001 characters', { ...LEAST, objective: 'x'.repeat(4001) }, '/objective'],
  ['a null objective', { ...LEAST, objective: null }, '/objective'],
  ['context as an array', { ...LEAST, context: [] }, '/context'],
  ['context as null', { ...LEAST, context: null }, '/context'],
  ['51 constraints', { ...LEAST, constraints: Array.from({ length: 51 }, () => 'x') }, '/constraints'],
  ['a constraint of 501 characters', { ...LEAST, constraints: ['x', 'y'.repeat(501)] }, '/constraints/1'],
  ['a constraint that is a number', { ...LEAST, constraints: [1] }, '/constraints/0'],
  ['criteria as a string', { ...LEAST, success_criteria: 'x' }, '/success_criteria'],
  ['a long criterion', { ...LEAST, success_criteria: ['x'.repeat(501)] }, '/success_criteria/0'],
  ['a schema that is true', { ...LEAST, result_schema: true }, '/result_schema'],
  ['a schema in a string', { ...LEAST, result_schema: '{}' }, '/result_schema'],
  ['an unknown limit', { ...LEAST, limits: { max_cost: 1 } }, '/limits/max_cost'],
  ['a duration of 29', { ...LEAST, limits: { max_duration_seconds: 29 } }, '/limits/max_duration_seconds'],
  ['a duration of 3601', { ...LEAST, limits: { max_duration_seconds: 3601 } }, '/limits/max_duration_seconds'],
  ['a broken duration', { ...LEAST, limits: { max_duration_seconds: 60.5 } }, '/limits/max_duration_seconds'],
  ['a duration in a string', { ...LEAST, limits: { max_duration_seconds: '60' } }, '/limits/max_duration_seconds'],
  ['21 protected values', { ...LEAST, protected_context: named(21) }, '/protected_context'],
  ['a protected number', { ...LEAST, protected_context: { id: 1 } }, '/protected_context/id'],
  ['an empty protected value', { ...LEAST, protected_context: { id: '' } }, '/protected_context/id'],
  [
    'a protected value of 2001 characters',
    { ...LEAST, protected_context: { id: 'x'.repeat(2001) } },
    '/protected_context/id',
  ],
  ['a protected name in capitals', { ...LEAST, protected_context: { Id: 'x' } }, '/protected_context/Id'],
  [
    'a protected name of 65 characters',
    { ...LEAST, protected_context: { [`n${'_'.repeat(64)}`]: 'x' } },
    `/protected_context/n${'_'.repeat(64)}`,
  ],
  ['a forbidden name', { ...LEAST, protected_context: { ok: 'x', card_pin: '1234' } }, '/protected_context/card_pin'],
  ['a NUL in the objective', { ...LEAST, objective: 'a\0b' }, '/objective'],
  ['a NUL deep in context', { ...LEAST, context: { list: ['x', { note: 'a\0' }] } }, '/context/list/1/note'],
  ['a NUL in a name', { ...LEAST, context: { 'a\0': 1 } }, '/context/a\0'],
  ['a lone high surrogate', { ...LEAST, constraints: ['\ud800'] }, '/constraints/0'],
  [
    'a lone low surrogate in a protected value',
    { ...LEAST, protected_context: { id: 'x\udc00' } },
    '/protected_context/id',
  ],
  ['a lone surrogate in the schema', { ...LEAST, result_schema: { title: '\udfff' } }, '/result_schema/title'],
  [
    'nesting beyond the limit',
    { ...LEAST, context: { deep: nested(NESTING_LIMIT - 1) } },
    `/context/deep${'/0'.repeat(NESTING_LIMIT - 2)}`,
  ],
];

for (const [name, body] of ACCEPTED) {
  test(`accepts ${name}`, () => {
    const parsed = parseCallCreation(JSON.stringify(body));
    assert.ok(parsed.ok, JSON.stringify(parsed));
    assert.deepEqual(parsed.json, body);
  });
}

for (const [name, body, pointer] of REFUSED) {
  test(`refuses ${name} and names ${pointer === '' ? 'the body' : 'the field'}`, () => {
    const parsed = parseCallCreation(JSON.stringify(body));
    assert.ok(!parsed.ok);
    assert.equal(parsed.pointer, pointer);
    assert.ok(parsed.wanted.length > 0 && !parsed.wanted.includes('contract'), parsed.wanted);
  });
}

test('the protected values count as UTF-8 bytes together: 16384 pass, 16385 do not', () => {
  const values = (last: string): string =>
    JSON.stringify({
      ...LEAST,
      protected_context: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [name, 'é'.repeat(2000)]).concat([['last', last]]),
      ),
    });
  assert.equal(parseCallCreation(values('x'.repeat(384))).ok, true);
  const above = parseCallCreation(values('x'.repeat(385)));
  assert.ok(!above.ok);
  assert.equal(above.pointer, '/protected_context');
});

test('text that is not JSON is refused, and so is a number that no double can hold', () => {
  for (const text of ['', '{', "{'to':1}", 'undefined', '{"to":"\u0000"}', '\ufeff{}']) {
    assert.deepEqual(parseCallCreation(text), { ok: false, pointer: '', wanted: 'JSON' }, text);
  }
  const infinite = parseCallCreation(JSON.stringify({ ...LEAST, context: { x: 1 } }).replace('{"x":1}', '{"x":1e999}'));
  assert.ok(!infinite.ok);
  assert.equal(infinite.pointer, '/context/x');
});

test('of two members with one name the last one counts', () => {
  const text = JSON.stringify(LEAST).replace('{', '{"objective":"first",');
  const parsed = parseCallCreation(text);
  assert.ok(parsed.ok);
  assert.equal(parsed.body.objective, LEAST.objective);
});

test('a body of the size limit that is nothing but brackets is refused without a crash', () => {
  const parsed = parseCallCreation(`{"context":${'['.repeat(130_000)}${']'.repeat(130_000)}}`);
  assert.ok(!parsed.ok);
  assert.match(parsed.wanted, /levels/);
});

test('a detail never holds a value, cuts endless names and stays printable', () => {
  const parsed = parseCallCreation(JSON.stringify({ ...LEAST, ['x\0'.repeat(5000)]: 'secret-value' }));
  assert.ok(!parsed.ok);
  const detail = fieldFaultDetail(parsed.pointer, parsed.wanted);
  assert.ok(detail.length < 2000);
  assert.ok(!detail.includes('\0') && !detail.includes('secret-value'));
  assert.equal(fieldFaultDetail('', 'JSON'), 'The body is not valid. Wanted: JSON.');
});
