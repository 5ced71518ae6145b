// No answer without the recipient's own words: the quote finder against a slower, word-by-word one, and the rules of claims.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leavesOf } from '../answers/leaves.ts';
import { findQuote, verify } from './evidence.ts';
import type { Claim } from './evidence.ts';
import type { TranscriptTurn } from './transcript.ts';

const LEAVES = leavesOf({
  type: 'object',
  required: ['open', 'price', 'days'],
  properties: {
    open: { type: 'boolean' },
    price: { type: 'number' },
    days: { type: 'array', items: { type: 'string' } },
    slots: { type: 'array', items: { type: 'object', properties: { day: { type: 'string' } } } },
  },
});

const turn = (sequence: number, speaker: TranscriptTurn['speaker'], text: string): TranscriptTurn => ({
  sequence,
  speaker,
  text,
  about: null,
});
const claim = (path: string, value: Claim['value'], sequence: number, quote: string): Claim => ({
  path,
  value,
  sequence,
  quote,
});

describe('A quote is found word for word', () => {
  const rows: readonly (readonly [text: string, quote: string, found: string | null])[] = [
    ['Yes, we are open.', 'yes, we are open', 'Yes, we are open'],
    ['Yes,  we\n are open.', 'Yes, we are open.', 'Yes,  we\n are open.'],
    ['Yes we are', '  YES   we ', 'Yes we'],
    ['Café au lait', 'Cafe\u0301 au lait', 'Café au lait'],
    ['Cafe\u0301 au lait', 'café', 'Café'],
    ['We don’t know', "we don't know", 'We don’t know'],
    ['It is $12.50 each', '$12.50', '$12.50'],
    ['[keypad] 1', '[keypad] 1', '[keypad] 1'],
    ['İstanbul is open', 'open', 'open'],
    ['We open now', 'no', null],
    ['Saturday', 'a', null],
    ['It is 125', '12', null],
    ['Yes', 'yes, we are', null],
    ['Yes we are', 'we yes', null],
    ['Yes', '', null],
    ['Yes.', '.', null],
    ['Yes', '   ', null],
    ['', 'yes', null],
    ['Cafe', 'Café', null],
    ['Cafe\u0301s', 'cafe', null],
    ['a '.repeat(600), 'a '.repeat(600), null],
  ];
  for (const [text, quote, found] of rows) {
    it(`${JSON.stringify(quote.slice(0, 30))} in ${JSON.stringify(text.slice(0, 30))}: ${found === null ? 'not found' : 'found'}`, () => {
      assert.equal(findQuote(text, quote), found);
    });
  }

  it('and never otherwise: 20,000 random quotes against a word-by-word search', () => {
    let seed = 7;
    const next = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * limit);
    };
    const words = [
      'yes',
      'Yes',
      'no',
      'now',
      'we',
      'are',
      'é',
      'e\u0301',
      'ope',
      'open',
      '5',
      '55',
      'İ',
      'ß',
      'don’t',
      "don't",
    ];
    const spaces = [' ', '  ', '\n', '\t'];
    const phrase = (most: number): string =>
      Array.from({ length: next(most) }, () => (words[next(words.length)] ?? '') + (spaces[next(4)] ?? '')).join('');
    const wordsOf = (text: string): string[] =>
      text
        .normalize('NFC')
        .toLowerCase()
        .replaceAll('’', "'")
        .split(/\s+/)
        .filter((word) => word !== '');
    let hits = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const [text, quote] = [phrase(9), phrase(4)];
      const [all, wanted] = [wordsOf(text), wordsOf(quote)];
      const isThere = wanted.length > 0 && all.some((_, at) => wanted.every((word, step) => all[at + step] === word));
      const found = findQuote(text, quote);
      // "don't" holds "don" and "t" only as parts; this vocabulary has neither
      assert.equal(found !== null, isThere, JSON.stringify({ text, quote, found }));
      if (found === null) continue;
      hits += 1;
      assert.deepEqual(wordsOf(found), wanted);
      assert.ok(text.normalize('NFC').includes(found));
    }
    assert.ok(hits > 1000, `only ${hits} quotes were there`);
  });
});

describe('Claims', () => {
  const turns = [
    turn(1, 'assistant', 'Are you open? The price is 20 dollars, I assume.'),
    turn(2, 'recipient', 'Yes, we are open.'),
    turn(3, 'recipient', 'It is 25 dollars. Monday and Tuesday.'),
    turn(4, 'system', 'Yes, 30 dollars'),
  ];

  it('are kept with the words as they were said', () => {
    const verified = verify([claim('/open', true, 2, 'yes, WE are')], turns, LEAVES);
    assert.deepEqual(verified.claims, [claim('/open', true, 2, 'Yes, we are')]);
    assert.deepEqual(verified.evidence, [{ path: '/open', sequence: 2, quote: 'Yes, we are' }]);
    assert.deepEqual(verified.dropped, []);
  });

  const refused: readonly (readonly [why: string, claim: Claim])[] = [
    ['from the assistant’s words', claim('/price', 20, 1, '20 dollars')],
    ['from the system’s words', claim('/price', 30, 4, '30 dollars')],
    ['from another turn', claim('/open', true, 3, 'Yes, we are open')],
    ['from a turn that is not there', claim('/open', true, 99, 'Yes')],
    ['from words that were not said', claim('/price', 25, 3, 'it is 26 dollars')],
    ['without a quote', claim('/price', 25, 3, '')],
    ['of null', claim('/price', null, 3, 'It is 25 dollars')],
    ['of an object', claim('/slots/0', { day: 'Monday' }, 3, 'Monday')],
    ['of a list with null', claim('/days', ['Monday', null], 3, 'Monday')],
    ['at no JSON Pointer', claim('price', 25, 3, 'It is 25 dollars')],
  ];
  for (const [why, each] of refused) {
    it(`${why} are dropped, and their path is told`, () => {
      const verified = verify([each], turns, LEAVES);
      assert.deepEqual(verified.claims, []);
      assert.deepEqual(verified.evidence, []);
      assert.deepEqual(verified.dropped, [each.path]);
      assert.equal(verified.issues.length, 1);
    });
  }

  it('for a list give evidence for the list and for each item', () => {
    const verified = verify([claim('/days', ['Monday', 'Tuesday'], 3, 'Monday and Tuesday')], turns, LEAVES);
    assert.deepEqual(
      verified.evidence.map((each) => each.path),
      ['/days', '/days/0', '/days/1'],
    );
  });

  it('that came later win, whatever their order', () => {
    const later = [turn(2, 'recipient', 'Twenty'), turn(5, 'recipient', 'Twenty five')];
    for (const claims of [
      [claim('/price', 20, 2, 'Twenty'), claim('/price', 25, 5, 'Twenty five')],
      [claim('/price', 25, 5, 'Twenty five'), claim('/price', 20, 2, 'Twenty')],
    ]) {
      assert.deepEqual(
        verify(claims, later, LEAVES).claims.map((each) => each.value),
        [25],
      );
    }
  });
});

describe('Retractions', () => {
  const said = [turn(1, 'recipient', 'Yes, we are open.'), turn(2, 'recipient', 'The price is 20 dollars.')];
  const claims = [claim('/open', true, 1, 'Yes, we are open'), claim('/price', 20, 2, 'The price is 20 dollars')];
  const rows: readonly (readonly [text: string, left: readonly string[]])[] = [
    ["Actually forget that, I'm not sure about the price.", ['/open']],
    ['Never mind what I said', ['/open']],
    ['Forget what I said about the price', ['/open']],
    ["Actually, I'm not sure about the price", ['/open']],
    ['Forget about that. We are not sure that we are open.', ['/price']],
    ["I'm not sure about anything", ['/open', '/price']],
    ['Thank you', ['/open', '/price']],
  ];
  for (const [text, left] of rows) {
    it(`${JSON.stringify(text)} leaves ${left.join(' and ')}`, () => {
      const verified = verify(claims, [...said, turn(3, 'recipient', text)], LEAVES);
      assert.deepEqual(
        verified.claims.map((each) => each.path),
        left,
      );
      assert.equal(verified.dropped.length, 2 - left.length);
    });
  }

  it('by the assistant take nothing back', () => {
    assert.equal(verify(claims, [...said, turn(3, 'assistant', 'Forget that')], LEAVES).claims.length, 2);
  });

  it('do not take back what is said after them', () => {
    const turns = [...said, turn(3, 'recipient', 'Forget that, the price is 25 dollars.')];
    const verified = verify([...claims, claim('/price', 25, 3, 'the price is 25 dollars')], turns, LEAVES);
    assert.deepEqual(verified.claims.find((each) => each.path === '/price')?.value, 25);
    assert.equal(verified.claims.length, 2);
  });

  it('in the same turn take back what was said before them', () => {
    const turns = [turn(1, 'recipient', "It is 20 dollars. Actually forget that, I'm not sure.")];
    assert.deepEqual(verify([claim('/price', 20, 1, 'It is 20 dollars')], turns, LEAVES).dropped, ['/price']);
  });
});
