// The objective is said as it can be said: rewritten only where that is safe, else in the client's words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purposeOf } from './purpose.ts';

const SAID: readonly (readonly [string, string])[] = [
  ['Ask whether they are open on Saturday', 'I am calling to ask whether you are open on Saturday.'],
  [
    'Ask them if they take walk-ins and what their hours are.',
    'I am calling to ask if you take walk-ins and what your hours are.',
  ],
  ['Ask the clinic whether they accept new patients', 'I am calling to ask whether you accept new patients.'],
  ["find out when they're open", "I am calling to find out when you're open."],
  [
    'Please call the clinic and ask whether they have a slot on Monday.',
    'I am calling to ask whether you have a slot on Monday.',
  ],
  ['Call Bella Italia to book a table for two at 7 pm.', 'I am calling to book a table for two at 7 pm.'],
  ['Book a table for two', 'I am calling to book a table for two.'],
  ['Confirm the appointment of Jane Roe', 'I am calling to confirm the appointment of Jane Roe.'],
  ['You are calling to confirm the delivery.', 'I am calling to confirm the delivery.'],
  ['Opening hours on Saturday', 'The reason for my call: Opening hours on Saturday.'],
  ['Are you open on Saturday?', 'The reason for my call: Are you open on Saturday.'],
  [
    'Ask whether the rooms are ready and if they have towels',
    'I am calling to ask whether the rooms are ready and if they have towels.',
  ],
  [
    'I want to know if my order is ready',
    'This is the request in my client\'s own words: "I want to know if my order is ready"',
  ],
  [
    'Ask whether we can bring our dog',
    'This is the request in my client\'s own words: "Ask whether we can bring our dog"',
  ],
  ['Ask about the order [REDACTED:order_number].', 'I am calling to ask about the order (a private detail).'],
  ['  \n ', 'I have a few questions.'],
  ['Check\n\tthe **price** of `milk`', 'I am calling to check the price of milk.'],
];

for (const [objective, statement] of SAID) {
  test(`says ${JSON.stringify(objective)}`, () => assert.equal(purposeOf(objective), statement));
}

test('a long objective is said as far as a listener can take it in', () => {
  const sentence = 'Ask about the opening hours of the main building and of the annex on public holidays. ';
  const whole = purposeOf(sentence.repeat(40));
  assert.ok(whole.length <= 360 && whole.endsWith('.'), whole);
  const words = purposeOf('word '.repeat(800));
  assert.ok(words.length <= 360 && words.endsWith('...'), words);
  assert.ok(purposeOf('x'.repeat(4000)).length <= 360);
});

test('no redaction mark is ever said', () => {
  for (const objective of [
    '[REDACTED:a]',
    'Tell them [REDACTED:a_b] and [REDACTED:c9]',
    `${'x'.repeat(310)} [REDACTED:name]`,
  ]) {
    assert.doesNotMatch(purposeOf(objective), /REDACTED|\[|\]/);
  }
});
