// What is asked for a leaf: one table, and what holds for every question.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Leaf } from './leaf.ts';
import { leavesOf } from './leaves.ts';
import { questionFor } from './question.ts';

function leafOf(name: string, schema: unknown): Leaf {
  const [leaf] = leavesOf(name === '' ? schema : { type: 'object', properties: { [name]: schema } });
  assert.ok(leaf !== undefined);
  return leaf;
}

const rows: readonly (readonly [name: string, schema: unknown, question: string])[] = [
  ['open', { type: 'boolean', description: 'Are you open on Saturdays?' }, 'Are you open on Saturdays?'],
  ['x', { type: 'boolean', title: 'Do you take walk-ins' }, 'Do you take walk-ins?'],
  [
    'isOpen',
    { type: 'boolean', description: 'Whether the clinic is open on Saturday.' },
    'Is the clinic open on Saturday?',
  ],
  ['is_open', { type: 'boolean', description: 'True if the shop is open on Sundays' }, 'Is the shop open on Sundays?'],
  ['insurance', { type: 'boolean', description: 'Whether they accept Blue Cross' }, 'Do they accept Blue Cross?'],
  ['open_saturday', { type: 'boolean' }, 'Are you open Saturday?'],
  ['open_on_saturday', { type: 'boolean' }, 'Are you open on Saturday?'],
  ['open', { type: 'boolean' }, 'Is it open?'],
  ['table_available', { type: 'boolean' }, 'Is the table available?'],
  ['ok', { type: 'boolean', title: 'Walk-ins accepted' }, 'Are the walk-ins accepted?'],
  ['hasParking', { type: 'boolean' }, 'Do you have parking?'],
  [
    'access',
    { type: 'boolean', description: 'Wheelchair access at the entrance' },
    'About wheelchair access at the entrance: yes or no?',
  ],
  [
    'closing_time',
    { type: 'string', description: 'Closing time on Saturday in HH:MM (24-hour)' },
    'What is the closing time on Saturday?',
  ],
  ['closingTime', { type: 'string', format: 'time' }, 'What is the closing time?'],
  ['price', { type: 'number', description: 'Price in US dollars' }, 'What is the price in US dollars?'],
  ['number_of_rooms', { type: 'integer' }, 'How many rooms?'],
  ['guests', { type: 'integer' }, 'How many guests?'],
  ['seats_left', { type: 'integer' }, 'How many seats are left?'],
  ['opens', { type: 'string', description: 'When the shop opens' }, 'Could you tell me when the shop opens?'],
  ['opens', { type: 'string', description: 'When does the shop open?' }, 'When does the shop open?'],
  ['contact', { enum: ['phone', 'email', 'in_person'] }, 'What is the contact: phone, email or in person?'],
  [
    'contact',
    { enum: ['phone', 'email'], description: 'Which way do you prefer?' },
    'Which way do you prefer: phone or email?',
  ],
  ['paid', { enum: ['cash', 'card'], description: 'Do you take cash or card?' }, 'Do you take cash or card?'],
  [
    'lunch',
    { enum: ['open', 'shut'], description: 'Whether they work over lunch' },
    'Could you tell me whether they work over lunch: open or shut?',
  ],
  ['status', { const: 'confirmed' }, 'About status: is it confirmed?'],
  [
    'open_days',
    { type: 'array', items: { enum: ['mon', 'tue'] } },
    'What are the open days? You can name several: Monday or Tuesday.',
  ],
  ['note', { type: ['string', 'null'] }, 'Is there anything else I should pass on?'],
  ['', { type: 'boolean', description: 'Is it raining?' }, 'Is it raining?'],
  ['', { type: 'string', description: 'the name of the manager' }, 'What is the name of the manager?'],
  ['menu', { type: 'string', description: 'Please describe the menu.' }, 'Could you please describe the menu?'],
  ['n', { const: 5, description: 'How many are there?' }, 'How many are there: is it 5?'],
  ['size', { enum: ['S', 'M', 'Large'] }, 'What is the size: S, M or Large?'],
  ['', { type: 'string' }, 'What is your answer?'],
  ['', { type: 'boolean' }, 'What is your answer, yes or no?'],
];

describe('The question', () => {
  for (const [name, schema, question] of rows) {
    it(`for ${name || 'the root'} ${JSON.stringify(schema)} is ${JSON.stringify(question)}`, () => {
      assert.equal(questionFor(leafOf(name, schema), 1), question);
    });
  }

  it('names the objects that it stands in', () => {
    const [leaf] = leavesOf({
      type: 'object',
      properties: { homeAddress: { type: 'object', properties: { street: { type: 'string' } } } },
    });
    assert.ok(leaf !== undefined);
    assert.equal(questionFor(leaf, 1), 'About the home address: what is the street?');
  });

  it('is asked again in other words, with the form that is understood', () => {
    for (const [name, schema, form] of [
      ['open', { type: 'boolean' }, /yes or no/],
      ['size', { type: 'integer', minimum: 1, maximum: 9 }, /whole number from 1 to 9/],
      ['day', { type: 'string', format: 'date' }, /month and the day/],
      ['time', { type: 'string', format: 'time' }, /morning or afternoon/],
      ['way', { enum: ['phone', 'email'] }, /one of these: phone or email/],
    ] as const) {
      const leaf = leafOf(name, schema);
      assert.match(questionFor(leaf, 2), form);
      assert.notEqual(questionFor(leaf, 2), questionFor(leaf, 1));
    }
  });

  it('says no mark of a protected value', () => {
    const mark = '[REDACTED:patient_name]';
    for (const schema of [
      { type: 'boolean', description: `Is ${mark} open on Saturday?` },
      { type: 'boolean', title: `${mark} is ready` },
      { type: 'string', title: `What ${mark} costs` },
      {
        type: 'object',
        title: mark,
        properties: { at: { type: 'string', format: 'time', title: `Time for ${mark}` } },
      },
      {
        oneOf: [
          { const: 'a', title: `With ${mark}` },
          { const: 'b', title: 'Without' },
        ],
      },
    ]) {
      for (const attempt of [1, 2] as const) {
        const question = questionFor(leafOf('some_value', schema), attempt);
        assert.doesNotMatch(question, /redacted|patient|[[\]]/i);
        assert.match(question, /private detail/);
      }
    }
  });

  it('stays short, in one line and without machine talk, whatever the schema says', () => {
    const long = 'x'.repeat(5000);
    for (const schema of [
      { type: 'string', description: long },
      { type: 'string', description: 'a\n\nb\u2028c' },
      { enum: Array.from({ length: 150 }, (_, index) => `${long.slice(0, 300)}${index}`) },
      { type: 'boolean', title: '{{template}} <b>x</b>' },
      { type: 'string', description: 'ISO 8601 date (YYYY-MM-DD), null if unknown' },
      { type: 'string', title: '   ' },
    ]) {
      for (const attempt of [1, 2] as const) {
        const question = questionFor(leafOf('some_value', schema), attempt);
        assert.ok(question.length > 0 && Array.from(question).length <= 600, question.slice(0, 100));
        assert.doesNotMatch(question, /[\n\r\u2028]|YYYY|ISO|[{}<>]/);
      }
    }
  });
});
