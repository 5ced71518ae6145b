import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBorneOut } from './borne-out.ts';

const TABLE: readonly (readonly [isBorneOut: boolean, sentence: string, quote: string, question: string])[] = [
  [true, 'A ticket costs twenty euros.', 'A ticket is twenty euros.', 'How much is a ticket?'],
  [true, 'A ticket costs 20 euros.', 'A ticket is twenty euros.', 'How much is a ticket?'],
  [true, 'They are open on Saturday.', 'yes, we are', 'Are you open on Saturday?'],
  [true, 'They are not open on Saturday.', 'No, we are not.', 'Are you open on Saturday?'],
  [true, 'The shop opens at 9.', 'We open at nine.', 'When does the shop open?'],
  [true, 'Maria said that parking is free.', 'Maria here. Parking is free.', 'Hello?'],
  [false, 'They were very rude and it costs 999.', 'twenty euros', 'How much is a ticket?'],
  [false, 'They were very rude.', 'twenty euros', 'How much is a ticket?'],
  [false, 'A ticket costs 30 euros.', 'A ticket is twenty euros.', 'How much is a ticket?'],
  [false, 'They are open on Saturday.', 'No, we are not.', 'Are you open on Saturday?'],
  [false, 'They are not open on Saturday.', 'Yes, we are.', 'Are you open on Saturday?'],
  [false, 'They promised a table for Friday to Mr Smith.', 'Yes, a table is free.', 'Is a table free?'],
  [false, 'The appointment was booked with Dr Jones.', 'The appointment is free.', 'Is the appointment free?'],
  [false, 'The errand was a complete success.', 'Yes.', 'Are you open?'],
];
for (const [expected, sentence, quote, question] of TABLE) {
  test(`"${sentence}" is ${expected ? '' : 'not '}borne out by "${quote}"`, () => {
    assert.equal(isBorneOut(sentence, quote, question), expected);
  });
}
