// The number that a leaf asks for: prices, durations in the leaf's unit, counts; never the number of something else. Pure.
import type { Leaf } from '../leaf.ts';
import { contentStems, tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { numbersIn } from './numbers.ts';
import type { SpokenNumber } from './numbers.ts';

const DURATION_SECONDS: ReadonlyMap<string, number> = new Map([
  ['second', 1],
  ['sec', 1],
  ['minute', 60],
  ['min', 60],
  ['hour', 3600],
  ['hr', 3600],
  ['day', 86_400],
  ['week', 604_800],
]);
const MONEY = /^(?:\$|€|£|usd|eur|gbp|dollars?|bucks?|euros?|pounds?|quid)$/;
const MONEY_STEMS = [
  'price',
  'pric',
  'cost',
  'fee',
  'charg',
  'usd',
  'dollar',
  'eur',
  'euro',
  'pound',
  'amount',
  'rat',
  'total',
  'deposit',
  'copay',
  'rent',
  'pay',
  'bill',
];
const INEXACT =
  /^(?:than|from|starting|starts|over|under|above|below|least|most|up|almost|nearly|between|minimum|maximum|max|min)$/;
const NO_COUNT_BEFORE_ONE = new Set([
  'the',
  'this',
  'that',
  'which',
  'no',
  'any',
  'every',
  'first',
  'last',
  'next',
  'second',
  'third',
  'other',
  'another',
  'only',
  'some',
]);

/** The candidates for a number or integer leaf, converted to its unit, bounds not yet checked. */
export function amountsFor(leaf: Leaf, text: string): readonly Found<number>[] {
  const unit = durationUnitOf(leaf);
  const tokens = tokensOf(unit === null ? text : withSpokenOnes(text));
  const words = [leaf.name, leaf.title, leaf.description];
  const stems = contentStems(words);
  const isMoney =
    MONEY_STEMS.some((stem) => stems.has(stem)) || words.some((each) => each !== null && /[$€£]/.test(each));
  if (isMoney && isOtherCurrency(words.join(' '), text)) return [];
  const takesOrdinals = words.some(
    (each) => each !== null && /\b(?:floor|level|rank|position|place|queue|grade|storey)\b/i.test(each),
  );
  const takesPercent =
    leaf.maximum === 1 || words.some((each) => each !== null && /%|\b(?:percent\w*|rate|share|discount)\b/i.test(each));
  const found: Found<number>[] = [];
  const numbers = numbersIn(tokens);
  for (let index = 0; index < numbers.length; index += 1) {
    const number = numbers[index];
    if (number === undefined) continue;
    const next = numbers[index + 1];
    // "1.200" is a thousand two hundred to some and one point two to others
    if (isMoney && /^\d{1,3}\.\d{3}$/.test(tokens[number.from]?.word ?? '')) return [];
    const isApart = next !== undefined && /[,;]/.test(text.slice(number.end, next.start)); // "80, 95" are two
    const price = isMoney ? priceAt(tokens, number, isApart ? undefined : next) : null;
    if (price !== null) {
      found.push(price);
      index += price.took - 1;
      continue;
    }
    const amount = amountAt(tokens, number, next, unit);
    if (amount === null || isNotACount(tokens, number, isMoney)) continue;
    if (number.isOrdinal && !takesOrdinals && tokens.length > number.to - number.from) continue;
    if (!takesPercent && /^(?:percent|%)$/.test(tokens[number.to]?.word ?? '')) continue;
    found.push(amount);
    index += amount.took - 1;
  }
  if (found.length > 0) return found;
  return nothingAt(text, isMoney);
}

/** "none", "free": a plain zero. */
function nothingAt(text: string, isMoney: boolean): readonly Found<number>[] {
  const zero = isMoney
    ? /\b(?:free(?: of charge)?(?=[\s.!]*$)|no (?:charge|cost|fee)|nothing|on the house)\b/i
    : /^\W*(?:none|nil|nobody|no one|not (?:a single one|any)|we have none|there are none)(?:,? (?:left|at all|available|today|right now|sorry|i'm afraid))*\W*$/i;
  const match = zero.exec(text);
  return match === null ? [] : [{ value: 0, start: match.index, end: match.index + match[0].length }];
}

const CURRENCIES: readonly RegExp[] = [
  /\$|\b(?:usd|dollars?|bucks?|cents?)\b/i,
  /€|\b(?:eur|euros?)\b/i,
  /£|\b(?:gbp|pounds?|quid|pence)\b/i,
];

/** Sixty euros are no answer in dollars. */
function isOtherCurrency(asked: string, said: string): boolean {
  const wanted = CURRENCIES.filter((currency) => currency.test(asked));
  const given = CURRENCIES.filter((currency) => currency.test(said));
  return wanted.length > 0 && given.some((currency) => !wanted.includes(currency));
}

function isNotACount(tokens: readonly Token[], number: SpokenNumber, isMoney: boolean): boolean {
  const before = tokens[number.from - 1]?.word ?? '';
  const after = tokens[number.to]?.word ?? '';
  if (number.value === 1 && number.to - number.from === 1 && NO_COUNT_BEFORE_ONE.has(before)) return true;
  if (number.value === 1 && /^(?:question|thing|moment|second|sec|minute|more|of)$/.test(after)) return true;
  if (/^(?:am|pm|o'clock|oclock|percent|%)$/.test(after)) return after !== 'percent' && after !== '%';
  return isMoney && /^(?:people|persons?|guests?|times?|minutes?|hours?|days?|weeks?|years?|nights?)$/.test(after);
}

/** Whether the number is only a bound of the answer: "more than five", "at least two", "five or six". */
export function isInexact(text: string, start: number): boolean {
  const before = tokensOf(text.slice(0, start))
    .slice(-3)
    .map((token) => token.word);
  const last = before.at(-1) ?? '';
  const skip = last === 'a' || last === 'of' || last === 'to' || last === 'at' ? (before.at(-2) ?? '') : last;
  return INEXACT.test(skip) || INEXACT.test(last);
}

type Amount = Found<number> & { readonly took: number };

/** "$12.50", "12 dollars and 50 cents", "twelve fifty"; null where no price is said at this number. */
function priceAt(tokens: readonly Token[], number: SpokenNumber, next: SpokenNumber | undefined): Amount | null {
  const before = tokens[number.from - 1];
  const after = tokens[number.to]?.word ?? '';
  const start = before !== undefined && MONEY.test(before.word) ? before.start : number.start;
  if (/^cents?$|^pence$/.test(after))
    return { value: number.value / 100, start, end: tokens[number.to]?.end ?? number.end, took: 1 };
  const isPrefixOfNext = /^[$€£]$/.test(after) && next !== undefined && next.from === number.to + 1;
  if (MONEY.test(after) && !isPrefixOfNext) {
    const end = tokens[number.to]?.end ?? number.end;
    const gap = tokens[number.to + 1]?.word === 'and' ? 2 : 1;
    const hasCents = next !== undefined && next.from === number.to + gap && isCents(tokens, next);
    if (!hasCents) return { value: number.value, start, end, took: 1 };
    return { value: round(number.value + next.value / 100), start, end: next.end, took: 2 };
  }
  const isPair =
    next !== undefined && next.from === number.to && Number.isInteger(number.value) && Number.isInteger(next.value);
  if (!isPair || next.value < 5 || next.value > 99 || number.value < 1 || number.value > 99) return null;
  if (number.value < 10 && next.value < 95) return null; // "two fifty" is 2.50 to one and 250 to another
  return { value: round(number.value + next.value / 100), start, end: next.end, took: 2 };
}

/** "twelve dollars and fifty cents", "twelve dollars fifty", but not "twelve dollars 2 hours". */
function isCents(tokens: readonly Token[], number: SpokenNumber): boolean {
  if (!Number.isInteger(number.value) || number.value > 99 || number.isOrdinal) return false;
  const after = tokens[number.to]?.word;
  return after === undefined ? number.value >= 10 : /^(?:cents?|pence)$/.test(after);
}

function amountAt(
  tokens: readonly Token[],
  number: SpokenNumber,
  next: SpokenNumber | undefined,
  unit: number | null,
): Amount | null {
  let at = number.to;
  let value = number.value;
  let end = number.end;
  let took = 1;
  if (number.value === 0.5 && /^an?$/.test(tokens[at]?.word ?? '')) at += 1; // half an hour
  const said = DURATION_SECONDS.get((tokens[at]?.word ?? '').replace(/s$/, ''));
  if (said === undefined || unit === null) return { value, start: number.start, end, took };
  value *= said;
  end = tokens[at]?.end ?? end;
  const gap = tokens[at + 1]?.word === 'and' ? 2 : 1;
  if (next !== undefined && next.from === at + gap) {
    const second = DURATION_SECONDS.get((tokens[next.to]?.word ?? '').replace(/s$/, ''));
    if (next.value === 0.5 && second === undefined) {
      value += said / 2; // "an hour and a half"
      took = 2;
      end = next.end;
    } else if (second !== undefined && second < said) {
      value += next.value * second;
      took = 2;
      end = tokens[next.to]?.end ?? next.end;
    }
  }
  return { value: round(value / unit), start: number.start, end, took };
}

/** "an hour" has no number word; it is read as one of that unit before the search. */
function withSpokenOnes(text: string): string {
  return text.replace(/\b(?<!half )(an?)(?= (?:hour|minute|day|week)\b)/gi, (article) =>
    article.length === 2 ? '1 ' : '1',
  );
}

function durationUnitOf(leaf: Leaf): number | null {
  for (const text of [leaf.name, leaf.title, leaf.description]) {
    if (text === null) continue;
    for (const { word } of tokensOf(text)) {
      const unit = DURATION_SECONDS.get(word.replace(/s$/, ''));
      if (unit !== undefined && word !== 'second') return unit;
    }
  }
  return null;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
