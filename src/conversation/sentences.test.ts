// A stream is cut where sentences end, wherever the pieces of the stream end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SentenceCutter } from './sentences.ts';

const CUT: readonly (readonly [string, readonly string[]])[] = [
  ['Hello there. How are you?', ['Hello there.', 'How are you?']],
  ['It costs $3.50 at 9 a.m. or so. OK!', ['It costs $3.50 at 9 a.m. or so.', 'OK!']],
  ['Ask Dr. Smith, e.g. today. Thanks.', ['Ask Dr. Smith, e.g. today.', 'Thanks.']],
  ['He said "Yes." Then he left.', ['He said "Yes."', 'Then he left.']],
  ['Really?! Well...  I see', ['Really?!', 'Well...', 'I see']],
  ['First\nsecond\n\n', ['First', 'second']],
  ['你好。再见。', ['你好。', '再见。']],
  ['   ', []],
  ['', []],
];

for (const [text, sentences] of CUT) {
  for (const size of [1, 3, 1000]) {
    test(`cuts ${JSON.stringify(text)} in pieces of ${size}`, () => {
      const cutter = new SentenceCutter();
      const cut: string[] = [];
      for (let start = 0; start < text.length; start += size) cut.push(...cutter.push(text.slice(start, start + size)));
      assert.deepEqual([...cut, ...cutter.end()], sentences);
    });
  }
}

test('a sentence is given as soon as it is whole', () => {
  const cutter = new SentenceCutter();
  assert.deepEqual(cutter.push('Hello.'), []);
  assert.deepEqual(cutter.push(' W'), ['Hello.']);
});

test('text without an end is cut between words and loses none', () => {
  const cutter = new SentenceCutter();
  const text = 'word '.repeat(1000).trim();
  const cut = [...cutter.push(text), ...cutter.end()];
  assert.equal(cut.join(' '), text);
  for (const part of cut) assert.ok(part.length <= 500);
  assert.equal(new SentenceCutter().push('x'.repeat(5000)).join('').length, 4500);
});
