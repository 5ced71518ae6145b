// Codes and references: dictated sign by sign ("A as in alpha, double B, seven, dash, nine"), or typed in one word. A code is
// read whole or not at all: a part of one is a wrong one. Pure, linear in the text.
import { tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { digitWordsAt } from './numbers.ts';

/** Fewer signs than this in a row may be chance: "a b", "I, one". */
const LEAST_SIGNS = 3;

const LETTER_WORDS: ReadonlyMap<string, string> = new Map(
  (
    'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo ' +
    'sierra tango uniform victor whiskey whisky xray yankee zulu'
  )
    .split(' ')
    .map((word) => [word, word.charAt(0)]),
);
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['slash', '/'],
  ['underscore', '_'],
]);

/** Every run of dictated signs, in capitals. */
export function dictatedCodesIn(text: string): readonly Found<string>[] {
  const tokens = tokensOf(text);
  const runs: Found<string>[] = [];
  for (let index = 0; index < tokens.length;) {
    const run = runAt(text, tokens, index);
    const [first, last] = [tokens[index], tokens[run.to - 1]];
    if (run.count >= LEAST_SIGNS && first !== undefined && last !== undefined) {
      runs.push({ value: run.value.toUpperCase(), start: first.start, end: last.end });
    }
    index = Math.max(run.to, index + 1);
  }
  return runs;
}

/** The one dictated code; null for none, and for several. */
export function dictatedCodeIn(text: string): Found<string> | null {
  const runs = dictatedCodesIn(text);
  return runs.length === 1 ? (runs[0] ?? null) : null;
}

/** The one word with a digit in it, as typed; null for none, and for several. */
export function typedCodeIn(text: string): Found<string> | null {
  const typed = [
    ...text.matchAll(/(?<![\p{L}\p{N}])(?=[A-Za-z-]{0,20}\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+){0,8}(?![\p{L}\p{N}])/gu),
  ].filter((match) => match[0].length >= LEAST_SIGNS);
  const [only] = typed;
  if (typed.length !== 1 || only === undefined) return null;
  return { value: only[0], start: only.index, end: only.index + only[0].length };
}

function runAt(
  text: string,
  tokens: readonly Token[],
  from: number,
): { readonly value: string; readonly count: number; readonly to: number } {
  let value = '';
  let count = 0;
  let to = from;
  for (let index = from; index < tokens.length;) {
    const word = tokens[index]?.word ?? '';
    const sign = SIGNS.get(word);
    if (count > 0 && (sign !== undefined || word === 'and' || word === 'then')) {
      if (signsAt(tokens, index + 1) === null) break;
      value += sign ?? '';
      index += 1;
      continue;
    }
    const piece = signsAt(tokens, index);
    if (piece === null || isWithinWord(text, tokens[index])) break;
    value += piece.value;
    count += piece.count;
    index = afterExample(tokens, piece.to, piece.value);
    to = index;
  }
  return { value, count, to };
}

/** One letter, digit or number of the code at a place. */
function signsAt(
  tokens: readonly Token[],
  at: number,
): { readonly value: string; readonly count: number; readonly to: number } | null {
  const word = tokens[at]?.word ?? '';
  const times = word === 'double' ? 2 : word === 'triple' ? 3 : 1;
  if (times > 1) {
    const repeated = signsAt(tokens, at + 1);
    return repeated === null || repeated.value.length !== 1
      ? null
      : { value: repeated.value.repeat(times), count: times, to: repeated.to };
  }
  if (/^\p{L}$/u.test(word)) return { value: word, count: 1, to: at + 1 };
  const letter = LETTER_WORDS.get(word);
  if (letter !== undefined) return { value: letter, count: 1, to: at + 1 };
  if (/^\d+$/.test(word)) return { value: word, count: word.length, to: at + 1 };
  const token = tokens[at];
  const digits = token === undefined ? '' : digitWordsAt([token], 0).digits;
  return digits.length === 1 ? { value: digits, count: 1, to: at + 1 } : null;
}

/** "A as in alpha", "B for Bravo": the example is no part of the code. */
function afterExample(tokens: readonly Token[], at: number, letter: string): number {
  const [first, second, third] = [0, 1, 2].map((step) => tokens[at + step]?.word ?? '');
  if (first === 'as' && second === 'in' && third?.startsWith(letter) === true) return at + 3;
  const isExample = (first === 'for' || first === 'like') && second?.startsWith(letter) === true && second.length > 1;
  return isExample ? at + 2 : at;
}

/** Whether a token is a part of a word of letters and digits: that one is typed, not dictated. */
function isWithinWord(text: string, token: Token | undefined): boolean {
  if (token === undefined) return false;
  const before = text.slice(Math.max(0, token.start - 2), token.start);
  const after = text.slice(token.end, token.end + 2);
  return /[\p{L}\p{N}]-?$/u.test(before) || /^-?[\p{L}\p{N}]/u.test(after);
}
