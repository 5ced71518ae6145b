import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallCreation } from '../contract/call.ts';
import { redact } from './redaction.ts';
import type { StoredBrief } from './redaction.ts';

const schema = { type: 'object', properties: { open: { type: 'boolean' } } };

function request(fields: Partial<CallCreation>): CallCreation {
  return { to: '+14155550123', objective: 'Ask.', result_schema: schema, ...fields };
}

function brief(fields: Partial<CallCreation>): StoredBrief {
  const redaction = redact(request(fields));
  assert.ok(redaction.ok);
  return redaction.brief;
}

const TEXTS: readonly (readonly [text: string, values: Record<string, string>, stored: string])[] = [
  ['My number is AB-1234.', { member: 'AB-1234' }, 'My number is [REDACTED:member].'],
  ['AB-1234AB-1234', { member: 'AB-1234' }, '[REDACTED:member][REDACTED:member]'],
  ['ab-1234', { member: 'AB-1234' }, 'ab-1234'],
  ['code 123', { code: '123' }, 'code 123'],
  ['code 1234', { code: '1234' }, 'code [REDACTED:code]'],
  // Four code points, eight UTF-16 units, and three of them.
  ['😀😁😂😃 and 😀😁😂', { face: '😀😁😂😃' }, '[REDACTED:face] and 😀😁😂'],
  ['😀😁😂', { face: '😀😁😂' }, '😀😁😂'],
  // The longest names the place, whatever their order.
  ['12345678', { short: '1234', long: '12345678' }, '[REDACTED:long]'],
  ['12345678 1234', { long: '12345678', short: '1234' }, '[REDACTED:long] [REDACTED:short]'],
  // Overlapping occurrences leave no part of either.
  ['abcdefgh', { one: 'abcde', two: 'defgh' }, '[REDACTED:one]'],
  ['aaaaaa', { letters: 'aaaa' }, '[REDACTED:letters]'],
  ['x".*+?^${}()|[]\\y', { odd: '".*+?^${}()|[]\\' }, 'x[REDACTED:odd]y'],
  ['two\nlines', { lines: 'two\nlines' }, '[REDACTED:lines]'],
  ['nothing here', { member: 'AB-1234' }, 'nothing here'],
];

test('every exact occurrence of a value of four code points or more is marked in a text', () => {
  for (const [text, values, stored] of TEXTS) {
    assert.equal(brief({ objective: text, protected_context: values }).objective, stored, text);
  }
});

test('constraints, success criteria and context are redacted at every depth, names of members too', () => {
  const stored = brief({
    protected_context: { policy: 'ZX-900', case_number: '4711' },
    constraints: ['Never say ZX-900', 'Be kind'],
    success_criteria: ['They confirm ZX-900'],
    context: {
      'file ZX-900': {
        list: ['a', 'ZX-900', { deep: 'x4711y' }],
        n: 47110,
        exact: 4711,
        price: 1.5,
        yes: true,
        no: null,
      },
    },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(stored)), {
    objective: 'Ask.',
    constraints: ['Never say [REDACTED:policy]', 'Be kind'],
    success_criteria: ['They confirm [REDACTED:policy]'],
    context: {
      'file [REDACTED:policy]': {
        list: ['a', '[REDACTED:policy]', { deep: 'x[REDACTED:case_number]y' }],
        n: '[REDACTED:case_number]0',
        exact: '[REDACTED:case_number]',
        price: 1.5,
        yes: true,
        no: null,
      },
    },
    result_schema: schema,
  });
});

test('a boolean that spells a protected value becomes its mark', () => {
  assert.deepEqual(
    { ...(brief({ protected_context: { v: 'true' }, context: { a: true } }).context as object) },
    {
      a: '[REDACTED:v]',
    },
  );
});

test('names that redact to the same keep their members apart', () => {
  const stored = brief({ protected_context: { v: 'aaaa' }, context: { aaaa: 1, aaaaa: 2 } });
  assert.deepEqual({ ...(stored.context as object) }, { '[REDACTED:v]': 1, '[REDACTED:v] (2)': 2 });
});

test('a member called __proto__ stays a member', () => {
  const context = JSON.parse('{"__proto__":{"a":"AB-1234"}}') as Record<string, unknown>;
  const stored = brief({ protected_context: { v: 'AB-1234' }, context });
  assert.equal(JSON.stringify(stored.context), '{"__proto__":{"a":"[REDACTED:v]"}}');
});

test('annotations of a result schema are redacted, default and examples at every depth', () => {
  const stored = brief({
    protected_context: { v: 'AB-1234' },
    result_schema: {
      title: 'About AB-1234',
      $comment: 'AB-1234',
      properties: {
        title: { type: 'string', description: 'Whose is AB-1234?', default: { a: ['AB-1234'] }, examples: ['AB-1234'] },
      },
      $defs: { x: { anyOf: [{ description: 'AB-1234' }] } },
    },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(stored.result_schema)), {
    title: 'About [REDACTED:v]',
    $comment: '[REDACTED:v]',
    properties: {
      title: {
        type: 'string',
        description: 'Whose is [REDACTED:v]?',
        default: { a: ['[REDACTED:v]'] },
        examples: ['[REDACTED:v]'],
      },
    },
    $defs: { x: { anyOf: [{ description: '[REDACTED:v]' }] } },
  });
});

const REFUSED: readonly (readonly [schema: Record<string, unknown>, pointer: string])[] = [
  [{ const: 'AB-1234' }, '/result_schema/const'],
  [{ enum: ['a', 'AB-1234'] }, '/result_schema/enum/1'],
  [{ pattern: '^AB-1234$' }, '/result_schema/pattern'],
  [{ properties: { 'x AB-1234': {} } }, '/result_schema/properties/x [REDACTED:v]'],
  [{ properties: { 'a/b': { const: { title: 'AB-1234' } } } }, '/result_schema/properties/a~1b/const/title'],
  [{ required: ['AB-1234'] }, '/result_schema/required/0'],
  [{ 'x-AB-1234': 1 }, '/result_schema/x-[REDACTED:v]'],
  [{ allOf: [{}, { items: { format: 'AB-1234' } }] }, '/result_schema/allOf/1/items/format'],
  [{ properties: { default: { const: 'AB-1234' } } }, '/result_schema/properties/default/const'],
  [{ 'x-vendor': { deep: ['AB-1234'] } }, '/result_schema/x-vendor/deep/0'],
];

test('a protected value in any other part of a schema is refused with a pointer that does not repeat it', () => {
  for (const [result_schema, pointer] of REFUSED) {
    assert.deepEqual(redact(request({ protected_context: { v: 'AB-1234' }, result_schema })), { ok: false, pointer });
  }
});

test('a number in a schema counts by how it is written', () => {
  const redaction = redact(request({ protected_context: { v: '1234' }, result_schema: { maximum: 1234 } }));
  assert.deepEqual(redaction, { ok: false, pointer: '/result_schema/maximum' });
});

test('without protected values a request is stored as it came', () => {
  const context = { a: 1 };
  assert.equal(brief({ context }).context, context);
  assert.deepEqual(brief({}), {
    objective: 'Ask.',
    context: null,
    constraints: [],
    success_criteria: [],
    result_schema: schema,
  });
});

test('no protected value survives anywhere in a stored brief, whatever the texts', (t) => {
  const seed = Number(process.hrtime.bigint() % 1_000_000_007n);
  t.diagnostic(`seed ${seed}`);
  let state = seed;
  const random = (limit: number): number => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % limit;
  };
  const word = (length: number): string => Array.from({ length }, () => 'ab"\\é😀'.at(random(4)) ?? 'a').join('');
  for (let round = 0; round < 400; round++) {
    const values = Object.fromEntries(['p', 'q', 'r'].map((name) => [name, word(4 + random(4))]));
    const text = word(random(40));
    const stored = brief({
      objective: `${text}.`,
      context: { [text]: [text, { [`k${text}`]: text }] },
      constraints: [text],
      protected_context: values,
    });
    const parts = [stored.objective, ...stored.constraints, ...stringsOf(stored.context)];
    for (const part of parts) {
      const bare = part.replaceAll(/\[REDACTED:[pqr]\]/g, '\u0000');
      for (const value of Object.values(values)) assert.equal(bare.includes(value), false, `seed ${seed}`);
    }
  }
});

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value), ...Object.values(value).flatMap(stringsOf)];
}
