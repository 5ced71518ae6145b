// Every status, and what is published with it: one table, with real validation.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { leavesOf } from '../answers/leaves.ts';
import { ResultSchemas } from '../answers/result-schema/result-schemas.ts';
import { systemClock } from '../platform/clock.ts';
import type { Claim } from './evidence.ts';
import { candidateOf, publicationOf, unavailable } from './publish.ts';
import type { Publication } from './publish.ts';

const schemas = new ResultSchemas(systemClock);
after(() => schemas[Symbol.asyncDispose]());

type Schema = Readonly<Record<string, unknown>>;
type Answers = readonly (readonly [path: string, value: Claim['value']])[];

async function publish(schema: Schema, answers: Answers, dropped: readonly string[] = []): Promise<Publication> {
  const leaves = leavesOf(schema);
  const claims = answers.map(([path, value]) => ({ path, value, sequence: 2, quote: 'said' }));
  const evidence = claims.map(({ path, sequence, quote }) => ({ path, sequence, quote }));
  const candidate = candidateOf(leaves, {
    claims,
    evidence,
    dropped,
    issues: dropped.map((path) => `${path}: dropped`),
  });
  if (candidate.value === undefined) return publicationOf(candidate, null);
  const validated = await schemas.validate(schema, candidate.value);
  return publicationOf(candidate, validated.ok ? [] : validated.issues);
}

const shop = {
  type: 'object',
  required: ['open', 'price'],
  additionalProperties: false,
  properties: { open: { type: 'boolean' }, price: { type: 'number' }, note: { type: 'string' } },
};
const loose = { type: 'object', properties: { open: { type: 'boolean' }, price: { type: 'number' } } };
const nullable = { ...shop, properties: { ...shop.properties, price: { type: ['number', 'null'] } } };

interface Row {
  readonly of: string;
  readonly schema: Schema;
  readonly answers: Answers;
  readonly dropped?: readonly string[];
  readonly expected: Pick<Publication, 'status' | 'result' | 'result_schema_valid' | 'missing_fields'>;
}

const rows: readonly Row[] = [
  {
    of: 'everything that is required is complete',
    schema: shop,
    answers: [
      ['/open', true],
      ['/price', 5],
    ],
    expected: { status: 'complete', result: { open: true, price: 5 }, result_schema_valid: true, missing_fields: [] },
  },
  {
    of: 'a dropped optional answer is complete and tells it',
    schema: shop,
    answers: [
      ['/open', true],
      ['/price', 5],
    ],
    dropped: ['/note'],
    expected: {
      status: 'complete',
      result: { open: true, price: 5 },
      result_schema_valid: true,
      missing_fields: ['/note'],
    },
  },
  {
    of: 'less than is required is incomplete and withheld',
    schema: shop,
    answers: [['/open', true]],
    expected: { status: 'incomplete', result: null, result_schema_valid: null, missing_fields: ['/price'] },
  },
  {
    of: 'what validates without the missing is incomplete and published',
    schema: loose,
    answers: [['/open', false]],
    expected: { status: 'incomplete', result: { open: false }, result_schema_valid: true, missing_fields: ['/price'] },
  },
  {
    of: 'a required nullable answer that is missing is null, and still missing',
    schema: nullable,
    answers: [['/open', true]],
    expected: {
      status: 'incomplete',
      result: { open: true, price: null },
      result_schema_valid: true,
      missing_fields: ['/price'],
    },
  },
  {
    of: 'nothing at all is incomplete',
    schema: shop,
    answers: [],
    expected: { status: 'incomplete', result: null, result_schema_valid: null, missing_fields: ['/open', '/price'] },
  },
  {
    of: 'a value of the wrong kind is invalid and withheld',
    schema: shop,
    answers: [
      ['/open', 'yes'],
      ['/price', 5],
    ],
    expected: { status: 'invalid', result: null, result_schema_valid: false, missing_fields: [] },
  },
  {
    of: 'a scalar root is the result',
    schema: { type: 'boolean' },
    answers: [['', true]],
    expected: { status: 'complete', result: true, result_schema_valid: true, missing_fields: [] },
  },
  {
    of: 'a nullable root without an answer is a valid null that is incomplete',
    schema: { type: ['boolean', 'null'] },
    answers: [],
    expected: { status: 'incomplete', result: null, result_schema_valid: true, missing_fields: [''] },
  },
  {
    of: 'a scalar root without an answer is incomplete',
    schema: { type: 'boolean' },
    answers: [],
    expected: { status: 'incomplete', result: null, result_schema_valid: null, missing_fields: [''] },
  },
  {
    of: 'a list root is the result',
    schema: { type: 'array', items: { type: 'string' } },
    answers: [['', ['a', 'b']]],
    expected: { status: 'complete', result: ['a', 'b'], result_schema_valid: true, missing_fields: [] },
  },
  {
    of: 'items of a list root are put together',
    schema: { type: 'array', items: { type: 'string' } },
    answers: [
      ['/0', 'a'],
      ['/2', 'c'],
    ],
    expected: { status: 'complete', result: ['a', 'c'], result_schema_valid: true, missing_fields: [] },
  },
  {
    of: 'nested objects and escaped names are built',
    schema: {
      type: 'object',
      required: ['a/b'],
      properties: { 'a/b': { type: 'object', required: ['c~d'], properties: { 'c~d': { type: 'integer' } } } },
    },
    answers: [['/a~1b/c~0d', 3]],
    expected: { status: 'complete', result: { 'a/b': { 'c~d': 3 } }, result_schema_valid: true, missing_fields: [] },
  },
  {
    of: 'records of a list are put together without gaps',
    schema: {
      type: 'object',
      properties: {
        slots: { type: 'array', items: { type: 'object', required: ['day'], properties: { day: { type: 'string' } } } },
      },
    },
    answers: [
      ['/slots/1/day', 'Monday'],
      ['/slots/4/day', 'Friday'],
    ],
    expected: {
      status: 'complete',
      result: { slots: [{ day: 'Monday' }, { day: 'Friday' }] },
      result_schema_valid: true,
      missing_fields: [],
    },
  },
  {
    of: 'the name __proto__ is a name',
    schema: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Schema,
    answers: [['/__proto__', 'x']],
    expected: {
      status: 'complete',
      result: JSON.parse('{"__proto__":"x"}') as Publication['result'],
      result_schema_valid: true,
      missing_fields: [],
    },
  },
];

describe('Publishing', () => {
  for (const row of rows) {
    it(row.of, async () => {
      const published = await publish(row.schema, row.answers, row.dropped);
      const { status, result, result_schema_valid, missing_fields } = published;
      assert.deepEqual({ status, result, result_schema_valid, missing_fields }, row.expected);
    });
  }

  it('closes gaps in the evidence as in the answers', async () => {
    const schema = {
      type: 'object',
      properties: { slots: { type: 'array', items: { type: 'object', properties: { day: { type: 'string' } } } } },
    };
    const published = await publish(schema, [['/slots/3/day', 'Monday']]);
    assert.deepEqual(
      published.evidence.map((each) => each.path),
      ['/slots/0/day'],
    );
  });

  it('is unavailable with everything missing where extraction could not run', () => {
    const published = unavailable(leavesOf(shop), 'the call was never answered');
    assert.deepEqual(published, {
      status: 'unavailable',
      result: null,
      result_schema_valid: null,
      missing_fields: ['/open', '/price'],
      evidence: [],
      issues: ['the call was never answered'],
    });
  });

  it('names at most 20 issues', async () => {
    const dropped = Array.from({ length: 60 }, (_, index) => `/x${index}`);
    assert.equal((await publish(shop, [['/open', true]], dropped)).issues.length, 20);
  });
});
