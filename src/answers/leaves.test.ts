// The leaves of schemas as people write them, and of hostile ones: kinds, pointers, what is required and what is nullable.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Leaf } from './leaf.ts';
import { LEAF_LIMIT, leavesOf } from './leaves.ts';

/** `/a:boolean!` required, `?` nullable, `[x,y]` choices, `<kind>` items, `|kind` another reading. */
function shown(schema: unknown): string {
  return leavesOf(schema).map(shownLeaf).join(' ');
}

function shownLeaf(leaf: Leaf): string {
  const choices = leaf.choices.length === 0 ? '' : `[${leaf.choices.map((choice) => String(choice.value)).join()}]`;
  const item = leaf.item === null ? '' : `<${leaf.item.kind}>`;
  const others = leaf.alternatives.map((other) => `|${other.kind}`).join('');
  return `${leaf.pointer}:${leaf.kind}${leaf.isRequired ? '!' : ''}${leaf.isNullable ? '?' : ''}${choices}${item}${others}`;
}

const rows: readonly (readonly [guarantee: string, schema: unknown, leaves: string])[] = [
  ['a scalar root', { type: 'boolean' }, ':boolean!'],
  ['a list root', { type: 'array', items: { type: 'string' } }, ':list!<text>'],
  ['a root that allows anything', true, ':text!'],
  ['a root that allows nothing', false, ''],
  ['a root that only allows null', { type: 'null' }, ''],
  [
    'required and optional ones',
    { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'number' } } },
    '/a:integer! /b:number',
  ],
  [
    'no `required` at all: every one is asked for',
    { type: 'object', properties: { a: { type: 'integer' } } },
    '/a:integer!',
  ],
  [
    'an empty `required`: none is',
    { type: 'object', required: [], properties: { a: { type: 'integer' } } },
    '/a:integer',
  ],
  [
    'required only within an optional parent',
    {
      type: 'object',
      required: [],
      properties: { p: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
    },
    '/p/a:text',
  ],
  [
    'names that need escaping',
    { type: 'object', properties: { 'a/b': { type: 'object', properties: { 'c~d': { type: 'boolean' } } } } },
    '/a~1b/c~0d:boolean!',
  ],
  ['null in the type', { type: ['string', 'null'] }, ':text!?'],
  ['null in a union', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, ':integer!?'],
  ['null in an enum', { enum: ['a', 'b', null] }, ':choice!?[a,b]'],
  ['null in an enum that the type excludes', { type: 'string', enum: ['a', null] }, ':choice![a]'],
  ['a const', { const: 5 }, ':choice![5]'],
  ['a const boolean', { const: true }, ':boolean![true]'],
  ['an enum of both booleans', { enum: [true, false] }, ':boolean!'],
  ['a union of constants', { oneOf: [{ const: 'a', title: 'Alpha' }, { const: 'b' }] }, ':choice![a,b]'],
  ['a union of kinds, the most specific first', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, ':integer!|text'],
  [
    'local references',
    { $defs: { t: { type: 'string', format: 'date' } }, type: 'object', properties: { a: { $ref: '#/$defs/t' } } },
    '/a:date!',
  ],
  [
    'draft-07 definitions',
    { definitions: { t: { type: 'boolean' } }, type: 'object', properties: { a: { $ref: '#/definitions/t' } } },
    '/a:boolean!',
  ],
  [
    'anchors',
    { $defs: { t: { $anchor: 'x', type: 'boolean' } }, type: 'object', properties: { a: { $ref: '#x' } } },
    '/a:boolean!',
  ],
  [
    'references that leave the document or lead nowhere',
    {
      type: 'object',
      properties: { a: { $ref: 'https://example.com' }, b: { $ref: '#/nowhere' }, c: { type: 'boolean' } },
    },
    '/c:boolean!',
  ],
  [
    'allOf, merged',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
        { properties: { a: { type: 'integer' }, b: { type: 'boolean' } } },
      ],
    },
    '/a:integer! /b:boolean',
  ],
  [
    'branches of objects, together',
    {
      type: 'object',
      oneOf: [
        { properties: { k: { const: 'x' }, a: { type: 'string' } }, required: ['k', 'a'] },
        { properties: { k: { const: 'y' } }, required: ['k'] },
      ],
    },
    '/k:choice![x,y] /a:text',
  ],
  [
    'recursion, once',
    {
      $defs: { n: { type: 'object', properties: { v: { type: 'string' }, next: { $ref: '#/$defs/n' } } } },
      $ref: '#/$defs/n',
    },
    '/v:text!',
  ],
  [
    'a list of records: the first',
    { type: 'array', items: { type: 'object', properties: { day: { type: 'string', format: 'date' } } } },
    '/0/day:date!',
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1 },
    '/0:number! /1:text',
  ],
  [
    'a draft-07 tuple',
    { type: 'array', items: [{ type: 'number' }, { type: 'boolean' }], minItems: 2 },
    '/0:number! /1:boolean!',
  ],
  ['lists of choices', { type: 'array', items: { enum: ['a', 'b'] } }, ':list!<choice>'],
  ['maps and free-form objects: nothing', { type: 'object', additionalProperties: { type: 'string' } }, ''],
  [
    'formats',
    {
      type: 'object',
      properties: {
        a: { type: 'string', format: 'time' },
        b: { type: 'string', format: 'date-time' },
        c: { type: 'string', format: 'email' },
        d: { type: 'string', format: 'uri' },
      },
    },
    '/a:time! /b:date_time! /c:email! /d:uri!',
  ],
  [
    'patterns of times and dates',
    {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: String.raw`^\d{2}:\d{2}$` },
        b: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}$` },
        c: { type: 'string', pattern: '^[A-Z]+$' },
      },
    },
    '/a:time! /b:date! /c:text!',
  ],
  [
    'names that say what they hold',
    {
      type: 'object',
      properties: {
        closing_time: { type: 'string' },
        contactName: { type: 'string' },
        phone_number: { type: 'string' },
        email: { type: 'string' },
        date_of_birth: { type: 'string' },
      },
    },
    '/closing_time:time! /contactName:name! /phone_number:phone! /email:email! /date_of_birth:date!',
  ],
  [
    'the name __proto__',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"boolean"}}}'),
    '/__proto__:boolean!',
  ],
  ['what is no schema', [1, 2], ''],
];

describe('The leaves of', () => {
  for (const [guarantee, schema, leaves] of rows) {
    it(guarantee, () => {
      assert.equal(shown(schema), leaves);
    });
  }
});

describe('However large or twisted a schema is', () => {
  it(`it has at most ${LEAF_LIMIT} leaves`, () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'string' }]));
    assert.equal(leavesOf({ type: 'object', properties }).length, LEAF_LIMIT);
  });

  it('definitions that refer to each other twice are walked within a bound', () => {
    const defs: Record<string, unknown> = { d30: { type: 'string' } };
    for (let index = 0; index < 30; index += 1) {
      const next = { $ref: `#/$defs/d${index + 1}` };
      defs[`d${index}`] =
        index % 2 === 0 ? { anyOf: [next, next] } : { type: 'object', properties: { a: next, b: next } };
    }
    const started = performance.now();
    const leaves = leavesOf({ $defs: defs, $ref: '#/$defs/d0' });
    assert.ok(leaves.length <= LEAF_LIMIT);
    assert.ok(performance.now() - started < 2000);
  });

  it('never throws on random JSON', () => {
    let seed = 11;
    const next = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    const keywords = [
      'type',
      'properties',
      'items',
      'anyOf',
      'allOf',
      '$ref',
      'enum',
      'const',
      'required',
      'pattern',
      'format',
      'prefixItems',
    ];
    const scalars = [
      'object',
      'array',
      'string',
      null,
      5,
      true,
      '#',
      '#/properties/type',
      '(',
      'date',
      ['string', 'null'],
    ];
    const random = (depth: number): unknown => {
      const kind = depth > 4 ? 0 : next(3);
      if (kind === 0) return scalars[next(scalars.length)];
      if (kind === 1) return Array.from({ length: next(4) }, () => random(depth + 1));
      return Object.fromEntries(
        Array.from({ length: next(5) }, () => [keywords[next(keywords.length)] ?? '', random(depth + 1)]),
      );
    };
    for (let round = 0; round < 3000; round += 1) leavesOf(random(0));
  });
});
