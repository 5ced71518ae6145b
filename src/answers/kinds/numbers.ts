// Numbers as they are said and typed: digits, words, decimals, fractions, ordinals. Pure.
import type { Found, Token } from '../words.ts';

const UNITS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index]),
);
const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, (index + 2) * 10]),
);
const ORDINALS: ReadonlyMap<string, number> = new Map([
  ...'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'
    .split(' ')
    .map((word, index): [string, number] => [word, index + 1]),
  ['twentieth', 20],
  ['thirtieth', 30],
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['grand', 1000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
]);

/** A number where it stands, with what follows it. */
export interface SpokenNumber extends Found<number> {
  /** Index of its first token and of the token after its last one. */
  readonly from: number;
  readonly to: number;
  readonly isOrdinal: boolean;
}

/** Digits with separators as a number: `1,200.50`, `12.5`; null for clocks, dates and fractions. */
export function numberOfDigits(word: string): number | null {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return Number(word.replaceAll(',', ''));
  if (/^\d{1,15}(?:\.\d{1,10})?$/.test(word)) return Number(word);
  return null;
}

/** 0 to 99 in words at a token ("forty five"), with where it ends; null where none begins. */
export function smallNumberAt(
  tokens: readonly Token[],
  index: number,
): { readonly value: number; readonly to: number } | null {
  const word = tokens[index]?.word ?? '';
  const tens = TENS.get(word);
  if (tens !== undefined) {
    const unit = UNITS.get(tokens[index + 1]?.word ?? '');
    return unit !== undefined && unit > 0 && unit < 10
      ? { value: tens + unit, to: index + 2 }
      : { value: tens, to: index + 1 };
  }
  const unit = UNITS.get(word);
  return unit === undefined ? null : { value: unit, to: index + 1 };
}

/** "third", "twenty first", `3rd`; null where none begins. */
export function ordinalAt(
  tokens: readonly Token[],
  index: number,
): { readonly value: number; readonly to: number } | null {
  const word = tokens[index]?.word ?? '';
  const next = tokens[index + 1];
  if (
    /^\d{1,3}$/.test(word) &&
    next !== undefined &&
    next.start === tokens[index]?.end &&
    /^(?:st|nd|rd|th)$/.test(next.word)
  ) {
    return { value: Number(word), to: index + 2 };
  }
  const tens = TENS.get(word);
  const unit = ORDINALS.get(next?.word ?? '');
  if (tens !== undefined && unit !== undefined && unit < 10) return { value: tens + unit, to: index + 2 };
  const plain = ORDINALS.get(word);
  return plain === undefined ? null : { value: plain, to: index + 1 };
}

/** Every number of the text, ordinals included, left to right; clocks, dates and fractions in digits are not numbers. */
export function numbersIn(tokens: readonly Token[]): readonly SpokenNumber[] {
  const numbers: SpokenNumber[] = [];
  for (let index = 0; index < tokens.length;) {
    const ordinal = ordinalAt(tokens, index);
    const found = ordinal ?? cardinalAt(tokens, index);
    if (found === null) {
      index += 1;
      continue;
    }
    const first = tokens[index];
    const last = tokens[found.to - 1];
    if (first !== undefined && last !== undefined) {
      numbers.push({
        value: found.value,
        start: first.start,
        end: last.end,
        from: index,
        to: found.to,
        isOrdinal: ordinal !== null,
      });
    }
    index = found.to;
  }
  return numbers;
}

function cardinalAt(tokens: readonly Token[], index: number): { readonly value: number; readonly to: number } | null {
  const word = tokens[index]?.word ?? '';
  const next = tokens[index + 1]?.word ?? '';
  if (word === 'minus' || word === 'negative') {
    const positive = cardinalAt(tokens, index + 1);
    return positive === null ? null : { value: -positive.value, to: positive.to };
  }
  if (word === 'half' && (next === 'a' || next === 'an') && tokens[index + 2]?.word === 'dozen')
    return { value: 6, to: index + 3 };
  if (word === 'half') return { value: 0.5, to: index + 1 };
  if ((word === 'a' || word === 'one') && next === 'half') return { value: 0.5, to: index + 2 };
  if ((word === 'a' || word === 'one') && next === 'quarter') return { value: 0.25, to: index + 2 };
  if (word === '1/2') return { value: 0.5, to: index + 1 };
  if (word === 'dozen' || (word === 'a' && next === 'dozen')) return { value: 12, to: index + (word === 'a' ? 2 : 1) };
  if (word === 'a' && next === 'couple') return { value: 2, to: index + 2 };
  if (word === 'pair' || (word === 'a' && next === 'pair')) return { value: 2, to: index + (word === 'a' ? 2 : 1) };
  const digits = numberOfDigits(word);
  if (digits !== null) return withScale(tokens, { value: digits, to: index + 1 });
  const isHundredOfOne = word === 'a' && SCALES.has(next);
  if (isHundredOfOne) return wordsAt(tokens, index + 1, 1);
  return smallNumberAt(tokens, index) === null ? null : wordsAt(tokens, index, 0);
}

/** "3 hundred", "2 million", "2 and a half". */
function withScale(tokens: readonly Token[], found: { readonly value: number; readonly to: number }) {
  const scale = SCALES.get(tokens[found.to]?.word ?? '');
  if (scale !== undefined) return { value: found.value * scale, to: found.to + 1 };
  return withFraction(tokens, found);
}

function withFraction(tokens: readonly Token[], found: { readonly value: number; readonly to: number }) {
  const [first, second, third] = [0, 1, 2].map((step) => tokens[found.to + step]?.word ?? '');
  if (first === 'and' && second === 'a' && (third === 'half' || third === 'quarter')) {
    return { value: found.value + (third === 'half' ? 0.5 : 0.25), to: found.to + 3 };
  }
  return found;
}

/** "two hundred and five", "twelve point five", "three thousand four hundred". */
function wordsAt(
  tokens: readonly Token[],
  index: number,
  hundredOfOne: 0 | 1,
): { readonly value: number; readonly to: number } {
  let total = 0;
  let group = hundredOfOne;
  let at = index;
  let hasSmall = false;
  for (;;) {
    const word = tokens[at]?.word ?? '';
    const scale = SCALES.get(word);
    if (scale === 100 && group > 0) {
      group *= 100;
      hasSmall = false;
      at += 1;
    } else if (scale !== undefined && scale > 100 && group > 0) {
      total += group * scale;
      group = 0;
      hasSmall = false;
      at += 1;
    } else if (word === 'and' && at > index && !hasSmall && smallNumberAt(tokens, at + 1) !== null) {
      at += 1;
    } else {
      const small = hasSmall ? null : smallNumberAt(tokens, at);
      if (small === null) break;
      group += small.value;
      hasSmall = true;
      at = small.to;
    }
  }
  const whole = total + group;
  if (tokens[at]?.word === 'point') {
    const decimals = digitWordsAt(tokens, at + 1);
    if (decimals.digits !== '') return { value: Number(`${whole}.${decimals.digits}`), to: decimals.to };
  }
  return withFraction(tokens, { value: whole, to: at });
}

/** A run of single digits, in words or figures: "oh five five", "double two". */
export function digitWordsAt(
  tokens: readonly Token[],
  index: number,
): { readonly digits: string; readonly to: number } {
  let digits = '';
  let at = index;
  for (;;) {
    const word = tokens[at]?.word ?? '';
    const times = word === 'double' ? 2 : word === 'triple' ? 3 : 1;
    const digit = oneDigit(tokens[times === 1 ? at : at + 1]?.word ?? '');
    if (digit !== null) {
      digits += digit.repeat(times);
      at += times === 1 ? 1 : 2;
      continue;
    }
    const small = times === 1 && digits === '' ? smallNumberAt(tokens, at) : null;
    if (small !== null) return { digits: String(small.value), to: small.to };
    return { digits, to: at };
  }
}

/** One digit in a word or a figure; longer figures are taken as they stand. */
export function oneDigit(word: string): string | null {
  if (/^\d+$/.test(word)) return word;
  if (word === 'oh' || word === 'o') return '0';
  const unit = UNITS.get(word);
  return unit !== undefined && unit < 10 ? String(unit) : null;
}
