// What the rules block and what they let pass, by tables of what callers write; where they look; and what a task may cost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOWED_PURPOSES } from '../../../test/support/allowed-purposes.ts';
import { BLOCKED_PURPOSES } from '../../../test/support/blocked-purposes.ts';
import { NESTING_LIMIT } from '../../contract/check-call-creation.ts';
import type { ScreenedTask } from '../screening.ts';
import { findRule, screenByRules } from './screen.ts';

const TASK: ScreenedTask = {
  objective: 'Ask whether a table for two is free on Friday.',
  context: { guests: ['Ada', 'Charles'], notes: 'They like a quiet corner.' },
  constraints: ['Do not book anything yet.'],
  successCriteria: ['We know whether a table is free.'],
  resultSchema: { type: 'object', properties: { is_free: { type: 'boolean', title: 'Is a table free?' } } },
  callerName: 'Ada Lovelace',
};

function linesOf(lines: string): readonly string[] {
  return lines.split('\n').filter((line) => line !== '');
}

for (const [kind, lines] of Object.entries(BLOCKED_PURPOSES)) {
  test(`blocked: ${kind}`, () => {
    const passed = linesOf(lines).filter((objective) => screenByRules({ ...TASK, objective }).allowed);
    assert.deepEqual(passed, []);
  });
}

for (const [kind, lines] of Object.entries(ALLOWED_PURPOSES)) {
  test(`allowed: ${kind}`, () => {
    const blocked = linesOf(lines).flatMap((line) => {
      const rule = findRule(line);
      return rule === null ? [] : [`${rule.id}: ${line}`];
    });
    assert.deepEqual(blocked, []);
  });
}

test('the tables are large enough to mean something', () => {
  const count = (table: Readonly<Record<string, string>>) => Object.values(table).flatMap(linesOf).length;
  assert.ok(count(BLOCKED_PURPOSES) >= 150);
  assert.ok(count(ALLOWED_PURPOSES) >= 200);
});

test('the category tells what kind of purpose it is', () => {
  for (const category of ['prank', 'nuisance', 'threat', 'scam']) {
    const first = linesOf(BLOCKED_PURPOSES[category] ?? '')[0] ?? '';
    assert.deepEqual(screenByRules({ ...TASK, objective: first }), { allowed: false, category });
  }
});

const PLACES: readonly (readonly [place: string, task: Partial<ScreenedTask>])[] = [
  ['a constraint', { constraints: ['Be brief.', 'Keep it a prank call.'] }],
  ['a success criterion', { successCriteria: ['Prank call him well.'] }],
  ['the context', { context: { a: { b: [{ c: 'Prank call him.' }] } } }],
  ['the name of a member', { context: { make_a_prank_call: true } }],
  ['a title of the schema', { resultSchema: { title: 'Prank call him.' } }],
  [
    'context as deep as a body may be',
    { context: JSON.parse(`${'['.repeat(NESTING_LIMIT)}"Prank call him."${']'.repeat(NESTING_LIMIT)}`) },
  ],
  ['a description deep in the schema', { resultSchema: { properties: { a: { description: 'Prank call him.' } } } }],
  ['an enum of the schema', { resultSchema: { enum: ['yes', 'Prank call him.'] } }],
  ['a second sentence', { objective: 'Ask for Bob. Prank call him.' }],
  ['a second line', { objective: 'Ask for Bob\nPrank call him' }],
  ['the end of the longest objective', { objective: `${'Ask for Bob '.repeat(331)}, then prank call him` }],
  ['one letter a line', { objective: 'p\nr\na\nn\nk' }],
  ['after a harmless mention', { objective: 'We never do a prank; prank call him.' }],
];
for (const [place, task] of PLACES) {
  test(`the rules find it in ${place}`, () => {
    assert.equal(screenByRules(TASK).allowed, true);
    assert.equal(screenByRules({ ...TASK, ...task }).allowed, false);
  });
}

test('however a blocked phrase is split over a long sentence, the pieces overlap it', () => {
  for (let padding = 0; padding < 700; padding += 7) {
    const objective = `${'really '.repeat(200).slice(0, padding)} please prank call my teacher ${'soon '.repeat(60)}`;
    assert.equal(screenByRules({ ...TASK, objective }).allowed, false, String(padding));
  }
});

test('no text is too strange to be read', () => {
  const strange = [
    '',
    ' ',
    '\u0000',
    '\uFFFD',
    '\u200B',
    '🏴‍☠️',
    'İ',
    'ﷺ',
    '(((((',
    '\\',
    '$&',
    '\u0301\u0301',
    '𝓹',
    '1',
    '. . . .',
  ];
  for (const a of strange) for (const b of strange) assert.equal(findRule(`${a}${b}${a} ok`), null, `${a}${b}`);
});

/** Milliseconds of this process's own CPU, so that a busy machine changes little. */
function cpuMsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const LARGEST = 256 * 1024;
const SHAPES: Readonly<Record<string, string>> = {
  'ordinary prose': 'We would like to know what the garden tools are worth and which colours are there. ',
  'letters kept apart': 'a b c d ',
  signs: 'a.b-c_d*e ',
  digits: 'a1b2c3 ',
  'one letter': 'a',
  'one word': 'prank',
  'half a rule': 'tell him say her you will call call ring ',
  conjunctions: "'to the and please just ",
  blanks: ' ',
  marks: 'a\u0301\u0302',
  'another script': 'скажи что бомбочка ',
};
for (const [name, shape] of Object.entries(SHAPES)) {
  test(`the largest task costs a bounded time: ${name}`, () => {
    const notes = shape.repeat(Math.ceil(LARGEST / shape.length)).slice(0, LARGEST);
    screenByRules({ ...TASK, context: { notes: notes.slice(0, 4096) } });
    const cost = cpuMsOf(() => void screenByRules({ ...TASK, context: { notes } }));
    assert.ok(cost < 500, `${cost} ms`);
  });
}

test('an ordinary task costs a fraction of a millisecond', () => {
  for (let count = 0; count < 500; count += 1) screenByRules(TASK);
  const cost = cpuMsOf(() => {
    for (let count = 0; count < 500; count += 1) screenByRules(TASK);
  });
  assert.ok(cost / 500 < 0.5, `${cost / 500} ms`); // measured: 0.04
});
