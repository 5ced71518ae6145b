// What is spelled or dictated: names letter by letter, e-mail and web addresses with "at" and "dot", phone numbers in words. Pure.
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { digitWordsAt } from './numbers.ts';

const EMAIL = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9-]+)+/;
const EMAIL_WHOLE =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['dot', '.'],
  ['point', '.'],
  ['period', '.'],
  ['underscore', '_'],
  ['dash', '-'],
  ['hyphen', '-'],
  ['minus', '-'],
  ['plus', '+'],
  ['slash', '/'],
]);
const BEFORE_ADDRESS = new Set(
  "is it its it's email mail address to use my our the that's that be would at yes sure okay ok so um uh well you can reach me us send write website site".split(
    ' ',
  ),
);

/** An e-mail address, typed or dictated; null where none is whole. */
export function emailIn(text: string): Found<string> | null {
  const typed = EMAIL.exec(text);
  if (typed !== null) {
    const value = typed[0].replace(/^\.+|\.+$/g, '');
    return EMAIL_WHOLE.test(value) ? { value, start: typed.index, end: typed.index + typed[0].length } : null;
  }
  const tokens = tokensOf(text);
  const found: Found<string>[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.word !== 'at' && token.word !== '@') continue;
    const domain = dictatedForward(tokens, index + 1);
    const local = dictatedBackward(text, tokens, index - 1);
    if (domain === null || local === null) continue;
    const value = `${local.value}@${domain.value}`;
    if (EMAIL_WHOLE.test(value)) found.push({ value, start: local.start, end: domain.end });
  }
  const [only] = found;
  return found.length === 1 && only !== undefined ? only : null;
}

/** A web address, typed or dictated; `https://` is put before one that was said without. */
export function uriIn(text: string): Found<string> | null {
  const typed = /\b(?:https?:\/\/[^\s<>"]+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s<>"]*)?)/i.exec(text);
  if (typed !== null) {
    const said = typed[0].replace(/[.,;:!?)]+$/, '');
    const value = /^https?:/i.test(said) ? said : `https://${said}`;
    return URL.canParse(value) ? { value, start: typed.index, end: typed.index + said.length } : null;
  }
  const tokens = tokensOf(text);
  const dot = tokens.findIndex((token) => token.word === 'dot');
  if (dot < 1) return null;
  let first = dot - 1;
  while (first > 0 && isLetter(tokens[first]) && isLetter(tokens[first - 1])) first -= 1;
  const domain = dictatedForward(tokens, first);
  const start = tokens[first]?.start;
  if (domain === null || start === undefined) return null;
  const value = `https://${domain.value}`;
  return /\.[a-z]{2,}$/.test(domain.value) && URL.canParse(value) ? { value, start, end: domain.end } : null;
}

/** "example dot co dot uk": pieces up to the one after the last dot. */
function dictatedForward(
  tokens: readonly Token[],
  from: number,
): { readonly value: string; readonly end: number } | null {
  let lastDot = -1;
  for (let index = from; index < tokens.length && index < from + 40; index += 1) {
    const word = tokens[index]?.word ?? '';
    if (word === 'dot' || word === 'point') lastDot = index;
    else if (lastDot >= 0 && index > lastDot + 1 && !isLetter(tokens[index])) break;
  }
  if (lastDot < 0) {
    const whole = tokens.slice(from, from + 1).find((token) => /\./.test(token.word));
    return whole === undefined ? null : { value: whole.word, end: whole.end };
  }
  const wanted = tokens
    .slice(from, lastDot + 1)
    .map(pieceOf)
    .join('');
  let to = lastDot + 1;
  let top = pieceOf(tokens[to]);
  while (isLetter(tokens[to]) && isLetter(tokens[to + 1])) {
    to += 1;
    top += pieceOf(tokens[to]);
  }
  const end = tokens[to]?.end;
  return end === undefined ? null : { value: `${wanted}${top}`, end };
}

function dictatedBackward(
  text: string,
  tokens: readonly Token[],
  from: number,
): { readonly value: string; readonly start: number } | null {
  let first = from;
  let words = 0;
  while (first >= 0) {
    const word = tokens[first]?.word ?? '';
    const next = tokens[first + 1];
    const isEnd = BEFORE_ADDRESS.has(word) && !isLetter(tokens[first]);
    const isBreak =
      first < from &&
      next !== undefined &&
      /[,.;:!?]\s/.test(text.slice(tokens[first]?.end ?? 0, next.start)) &&
      !isLetter(tokens[first]);
    if (isEnd || isBreak) break;
    // Two whole words in a row are a sentence, not an address, unless a sign joins them.
    const isWhole = !SIGNS.has(word) && !isLetter(tokens[first]) && !/\d/.test(word);
    words = SIGNS.has(word) ? 0 : words + (isWhole ? 1 : 0);
    if (words > 1) break;
    first -= 1;
  }
  const start = tokens[first + 1]?.start;
  const value = tokens
    .slice(first + 1, from + 1)
    .map(pieceOf)
    .join('');
  return start === undefined || value === '' ? null : { value, start };
}

function pieceOf(token: Token | undefined): string {
  if (token === undefined) return '';
  const sign = SIGNS.get(token.word);
  if (sign !== undefined) return sign;
  const digit = digitWordsAt([token], 0);
  return digit.digits !== '' && token.word !== 'o' ? digit.digits : token.word.replaceAll("'", '');
}

function isLetter(token: Token | undefined): boolean {
  return token !== undefined && /^\p{L}$/u.test(token.word);
}

/** A phone number in digits or words. @returns E.164; US where no country is said; null for what cannot be a number */
export function phoneIn(text: string): Found<string> | null {
  const typed = /\+?\(?\d[\d\s().-]{5,}\d/.exec(text);
  if (typed !== null) return phoneOf(typed[0], typed.index, typed.index + typed[0].length);
  const tokens = tokensOf(text);
  let best: Found<string> | null = null;
  for (let index = 0; index < tokens.length;) {
    const start = index;
    let digits = tokens[index]?.word === 'plus' ? '+' : '';
    if (digits !== '') index += 1;
    for (;;) {
      const run = digitWordsAt(tokens, index);
      const isHundred = run.digits !== '' && tokens[run.to]?.word === 'hundred';
      if (run.digits === '') break;
      digits += isHundred ? `${run.digits}00` : run.digits;
      index = isHundred ? run.to + 1 : run.to;
    }
    const [first, last] = [tokens[start], tokens[index - 1]];
    if (index === start || first === undefined || last === undefined) {
      index = start + 1;
      continue;
    }
    const found = phoneOf(digits, first.start, last.end);
    if (found !== null && best !== null) return null;
    best ??= found;
  }
  return best;
}

function phoneOf(said: string, start: number, end: number): Found<string> | null {
  const parsed = parsePhoneNumberFromString(said, 'US');
  return parsed?.isPossible() === true ? { value: parsed.number, start, end } : null;
}

/** Letters spelled one by one, "S as in Sam" and "double t" included; null where fewer than two are. */
export function spelledIn(text: string): Found<string> | null {
  const tokens = tokensOf(text);
  let best: Found<string> | null = null;
  for (let index = 0; index < tokens.length; index += 1) {
    const run = spelledAt(tokens, index);
    if (run === null) continue;
    if (best === null || run.value.length > best.value.length) best = run;
    index = run.to - 1;
  }
  return best;
}

function spelledAt(tokens: readonly Token[], from: number): (Found<string> & { readonly to: number }) | null {
  let letters = '';
  let index = from;
  let count = 0;
  for (;;) {
    const word = tokens[index]?.word ?? '';
    const isDouble = (word === 'double' || word === 'triple') && isLetter(tokens[index + 1]);
    const letter = isDouble ? (tokens[index + 1]?.word ?? '') : word;
    const isDigit = count > 0 && /^\d$/.test(letter);
    if (!/^\p{L}$/u.test(letter) && !isDigit) break;
    letters += letter.repeat(word === 'double' ? 2 : word === 'triple' ? 3 : 1);
    count += 1;
    index += isDouble ? 2 : 1;
    const [first, second, third] = [0, 1, 2].map((step) => tokens[index + step]?.word ?? '');
    const isAsIn = first === 'as' && second === 'in' && third?.startsWith(letter) === true;
    const isFor = (first === 'for' || first === 'like') && second?.startsWith(letter) === true && second.length > 1;
    if (isAsIn) index += 3;
    else if (isFor) index += 2;
  }
  const [first, last] = [tokens[from], tokens[index - 1]];
  if (count < 2 || first === undefined || last === undefined) return null;
  // "I a m" is not spelled, and neither is "a I"; two letters need more than chance
  if (count === 2 && letters.length === 2 && /^(?:ia|ai|am|pm)$/.test(letters)) return null;
  return { value: letters, start: first.start, end: last.end, to: index };
}
