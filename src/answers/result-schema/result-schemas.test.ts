import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '../../platform/clock.ts';
import { ResultSchemas } from './result-schemas.ts';

const schemas = new ResultSchemas(systemClock);
after(() => schemas[Symbol.asyncDispose]());

const D7 = 'http://json-schema.org/draft-07/schema#';
const nest = (levels: number): object => (levels === 0 ? {} : { not: nest(levels - 1) });
const objects = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'object', required: ['a'], properties: { a: objects(levels - 1) } };
const wide = (count: number): object => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, {}])),
});

const ACCEPTED: readonly (readonly [string, object])[] = [
  ['an empty schema', {}],
  ['a scalar root', { type: 'boolean' }],
  ['an array root', { type: 'array', items: { type: 'string' } }],
  ['unknown keywords and formats', { type: 'string', format: 'phone-number', 'x-note': 1 }],
  ['local references', { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } }],
  ['a reference to the root, guarded', { type: 'object', properties: { child: { $ref: '#' } } }],
  ['an anchor', { $defs: { a: { $anchor: 'here', type: 'string' } }, $ref: '#here' }],
  ['an escaped pointer', { $defs: { 'a/b': {} }, $ref: '#/$defs/a~1b' }],
  ['a percent-encoded pointer', { $defs: { 'a b': {} }, $ref: '#/$defs/a%20b' }],
  ['a root $id, whoever else uses it', { $id: 'https://example.com/s', type: 'string' }],
  ['draft-07 by name', { $schema: D7, definitions: { a: {} }, $ref: '#/definitions/a' }],
  ['2020-12 by name', { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] }],
  ['a reference that is only data', { const: { $ref: 'http://example.com/x' } }],
  ['a property that is called $ref', { properties: { $ref: { type: 'string' } } }],
  ['a property that is called __proto__', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{2}\\d+$' }],
  ['a pattern that would run for ever elsewhere', { type: 'string', pattern: '^(a+)+$' }],
  ['31 levels below the root', nest(31)],
  ['objects in objects, 31 levels below the root', objects(31)],
  ['999 properties', wide(999)],
  ['a nullable type', { type: ['string', 'null'] }],
];

for (const [what, schema] of ACCEPTED) {
  test(`accepted: ${what}`, async () => assert.deepEqual(await schemas.check(schema), { ok: true }));
}

const REFUSED: readonly (readonly [string, unknown, string, RegExp])[] = [
  ['not an object', 'string', '', /object/],
  ['an array', [], '', /object/],
  ['a wrong type', { type: 'strng' }, '/type', /boolean/],
  [
    'a wrong type deep inside',
    { properties: { a: { items: { type: 'int' } } } },
    '/properties/a/items/type',
    /allowed/,
  ],
  ['a negative bound', { minLength: -1 }, '/minLength', />= 0/],
  ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#' }, '/$schema', /2020-12/],
  ['a remote reference', { properties: { a: { $ref: 'https://example.com/a' } } }, '/properties/a/$ref', /within/],
  ['a relative file', { $ref: 'other.json' }, '/$ref', /within/],
  ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref', /in this document/],
  ['a reference to something that is no schema', { title: 'x', $ref: '#/title' }, '/$ref', /in this document/],
  ['an inner $id', { $defs: { a: { $id: 'https://example.com/a' } } }, '/$defs/a/$id', /\$id/],
  ['a look-ahead', { properties: { a: { pattern: '^(?=a)' } } }, '/properties/a/pattern', /look-around/],
  ['a back-reference', { patternProperties: { '(a)\\1': {} } }, '/patternProperties/(a)\\1', /look-around/],
  ['a broken pattern', { pattern: '(' }, '/pattern', /regular expression/],
  ['33 levels', nest(32), '/not'.repeat(32), /32 levels/],
  ['objects in objects, 33 levels', objects(32), '/properties/a'.repeat(32), /32 levels/],
  ['a value of more than 64 levels', { const: JSON.parse('['.repeat(64) + ']'.repeat(64)) }, '', /64 levels/],
  ['1,001 subschemas', wide(1_001), '/properties/p999', /1000 subschemas/],
  ['more than 64 KiB', { description: 'x'.repeat(65_536) }, '', /64 KiB/],
  ['a schema that is only itself', { $ref: '#' }, '', /without end/],
];

for (const [what, schema, pointer, wanted] of REFUSED) {
  test(`refused, naming the place: ${what}`, async () => {
    const checked = await schemas.check(schema);
    assert.equal(checked.ok, false);
    if (checked.ok) return;
    assert.equal(checked.pointer, pointer);
    assert.match(checked.wanted, wanted);
  });
}

test('nesting of any depth is refused without recursion into it', async () => {
  let deep: object = {};
  for (let level = 0; level < 100_000; level++) deep = { not: deep };
  const checked = await schemas.check(deep);
  assert.equal(checked.ok, false);
});

test('each pattern is checked by its own engine', async () => {
  const schema = { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } };
  assert.deepEqual(await schemas.validate(schema, { a: 'aa', b: 'bb' }), { ok: true });
  const wrong = await schemas.validate(schema, { a: 'bb', b: 'aa' });
  assert.equal(wrong.ok, false);
  assert.equal(wrong.ok ? 0 : wrong.issues.length, 2);
});

test('the two dialects keep their differences', async () => {
  const items = { items: [{ type: 'string' }] };
  assert.deepEqual(await schemas.validate({ $schema: D7, ...items }, ['a', 1]), { ok: true });
  assert.equal((await schemas.validate({ $schema: D7, ...items }, [1])).ok, false);
  const checked = await schemas.check(items);
  assert.equal(checked.ok ? '' : checked.pointer, '/items');
});

test('issues name the place in the value and are bounded', async () => {
  const validated = await schemas.validate(
    { type: 'array', items: { type: 'string' } },
    Array.from({ length: 100 }, () => 1),
  );
  assert.equal(validated.ok ? 0 : validated.issues.length, 20);
  assert.match(validated.ok ? '' : (validated.issues[0] ?? ''), /^\/0 must be string/);
});

test('a job that overruns costs its thread and not the next job', async () => {
  await using impatient = new ResultSchemas(systemClock, 1);
  const hurried = await impatient.check({ type: 'string', title: 'no thread starts in a millisecond' });
  assert.deepEqual(hurried, { ok: false, pointer: '', wanted: 'a simpler schema: this one takes too long to compile' });
  assert.deepEqual(await schemas.check({ type: 'string', title: 'next' }), { ok: true });
});

test('a remembered verdict needs no thread', async () => {
  const remembering = new ResultSchemas(systemClock);
  const schema = { type: 'string', title: 'remembered' };
  await remembering.check(schema);
  await remembering[Symbol.asyncDispose]();
  assert.deepEqual(await remembering.check({ type: 'string', title: 'remembered' }), { ok: true });
  await assert.rejects(remembering.check({ type: 'string', title: 'new' }), /stopping|wait/);
});
