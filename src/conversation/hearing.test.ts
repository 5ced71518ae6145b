// What is typed arrives as turns, whatever the order of line ends, erasures and losses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hearing, KEYS_LIMIT, TURN_LIMIT } from './hearing.ts';

const HEARD: readonly (readonly [string, string, readonly string[]])[] = [
  ['plain text', 'Yes, we are.', ['Yes, we are.']],
  ['a line separator', 'Yes.\u2028', ['Yes.']],
  ['CR LF', 'Yes.\r\n', ['Yes.']],
  ['lines in a row are one turn', 'Yes.\u2028Until five.\r\nBye', ['Yes. Until five. Bye']],
  ['backspace takes back a character', 'Mondax\by', ['Monday']],
  ['backspace takes back a character of two UTF-16 units', 'a😀\bb', ['ab']],
  ['backspace takes back a letter with its accent', 'cafe\u0301\be', ['cafe']],
  ['backspace takes back a new line', 'Mon\u2028\bday', ['Monday']],
  ['backspace at the start takes back nothing', '\b\bHi', ['Hi']],
  ['a loss stays readable', 'We are \ufffd\ufffdn', ['We are \ufffd\ufffdn']],
  ['codes that are no text are dropped', '\ufeffa\u0000b\u0007c\u001bd\u009b', ['abcd']],
  ['a lone surrogate becomes a loss', 'a\ud800b', ['a\ufffdb']],
  ['a tab is a blank', 'a\tb', ['a b']],
  ['blanks alone are no turn', '  \u2028 \r\n', []],
  ['nothing is no turn', '', []],
];

for (const [name, typed, turns] of HEARD) {
  test(`hears ${name}`, () => {
    const hearing = new Hearing();
    const whole = hearing.hear(typed);
    assert.deepEqual([...whole, ...hearing.takeText()], turns);
    assert.equal(hearing.isActive, false);
    assert.deepEqual(hearing.takeText(), []);
  });
}

test('says what to wait for', () => {
  const hearing = new Hearing();
  assert.equal(hearing.waitsForText, 'nothing');
  hearing.hear('Yes');
  assert.equal(hearing.waitsForText, 'line');
  hearing.hear('\r');
  assert.equal(hearing.waitsForText, 'more_lines');
  hearing.hear('\n');
  assert.equal(hearing.waitsForText, 'more_lines');
  hearing.hear('\b\b\b\b');
  assert.equal(hearing.waitsForText, 'nothing');
});

test('a turn of endless text is cut at the limit and loses nothing', () => {
  const hearing = new Hearing();
  const typed = 'abcdefghi '.repeat(1000).trim();
  const turns = [...hearing.hear(typed), ...hearing.takeText()];
  assert.equal(turns.length, 3);
  for (const turn of turns) assert.ok(Array.from(turn).length <= TURN_LIMIT);
  assert.equal(turns.join('').replaceAll(' ', ''), typed.replaceAll(' ', ''));
});

test('keys are one turn until a hash or the limit', () => {
  const hearing = new Hearing();
  assert.deepEqual(hearing.press('1'), []);
  assert.deepEqual(hearing.press('2'), []);
  assert.equal(hearing.isActive, true);
  assert.deepEqual(hearing.takeKeys(), ['[keypad] 12']);
  assert.deepEqual(hearing.press('#'), ['[keypad] #']);
  for (let pressed = 1; pressed < KEYS_LIMIT; pressed += 1) assert.deepEqual(hearing.press('0'), []);
  assert.deepEqual(hearing.press('0'), [`[keypad] ${'0'.repeat(KEYS_LIMIT)}`]);
  assert.deepEqual(hearing.takeKeys(), []);
});
