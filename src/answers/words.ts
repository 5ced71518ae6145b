// Spoken or typed words with their places, so that every reading can be quoted word for word. Pure, linear in the text.

/** A word, a number with its separators, or one sign that is spoken (`$ % @ # + &`). Places are UTF-16 offsets. */
export interface Token {
  /** Lower case, NFC, straight apostrophes. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** One reading of a stretch of the text. */
export interface Found<Value> {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

/** Longer texts than a transcript segment are not read; the rest is silence. */
export const TEXT_LIMIT = 4000;

const TOKEN = /\d[\d.,:/]*\d|\d{4}-\d{2}-\d{2}|\d|\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*|[$€£%@#+&*]/gu;
const ISO_DATE = /\d{4}-\d{2}-\d{2}/g;

export function tokensOf(text: string): readonly Token[] {
  const dates = [...text.matchAll(ISO_DATE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const start = match.index;
    const date = dates.find((each) => each.start <= start && start < each.end);
    if (date !== undefined) {
      if (date.start === start) tokens.push({ word: text.slice(date.start, date.end), ...date });
      continue;
    }
    tokens.push({ word: folded(match[0]), start, end: start + match[0].length });
  }
  return tokens;
}

/** Case, composition and apostrophes evened out; lengths may change. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('’', "'").replaceAll('‘', "'");
}

/** Sentences with their places; abbreviations with dots ("9 a.m.") do not end one. */
export function sentencesOf(text: string): readonly Found<string>[] {
  const sentences: Found<string>[] = [];
  let start = 0;
  const stop = /(?:[!?]+|\.(?!\d))(?=\s+|$)|[\n\u2028;]+/g;
  for (const match of text.matchAll(stop)) {
    const end = match.index + match[0].length;
    const before = text.slice(start, end);
    const isAbbreviation = /(?:^|[\s\d])(?:[ap]\.?m|dr|mr|mrs|ms|st|no|approx|e\.g|i\.e)\.$/i.test(before);
    const goesOn = /^\s*\p{Ll}/u.test(text.slice(end));
    if (isAbbreviation && (goesOn || !/[ap]\.?m\.$/i.test(before))) continue;
    push(start, end);
    start = end;
  }
  push(start, text.length);
  return sentences;

  function push(from: number, to: number): void {
    const value = text.slice(from, to);
    const lead = value.length - value.trimStart().length;
    const trimmed = value.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) {
      sentences.push({ value: trimmed, start: from + lead, end: from + lead + trimmed.length });
    }
  }
}

const QUOTE_LIMIT = 240; // UTF-16 units; enough for a sentence, short enough to read beside an answer

/** The longest quote: of a long answer its beginning stands for all of it. Evidence takes no longer ones. */
const LONGEST_QUOTE = 900;

/** The sentence (or, where that is long, the stretch of words) around a place: a substring of the text, whole words. */
export function quoteAround(text: string, start: number, end: number): string {
  const sentences = sentencesOf(text);
  const first = sentences.find((sentence) => sentence.end > start);
  const last = sentences.findLast((sentence) => sentence.start < end);
  if (first === undefined || last === undefined) return text.slice(start, end).trim();
  const whole = text.slice(Math.min(first.start, start), Math.max(last.end, end)).trim();
  if (whole.length <= QUOTE_LIMIT) return whole;
  const spare = Math.max(0, Math.floor((QUOTE_LIMIT - (end - start)) / 2));
  let from = Math.max(first.start, start - spare);
  let to = Math.min(last.end, end + spare);
  while (from > first.start && from < start && /[^\s]/.test(text.charAt(from - 1))) from += 1;
  while (to < last.end && to > end && /[^\s]/.test(text.charAt(to))) to -= 1;
  const quote = text.slice(Math.min(from, start), Math.max(to, end)).trim();
  if (quote.length <= LONGEST_QUOTE) return quote;
  const cut = quote.slice(0, LONGEST_QUOTE);
  return cut.slice(0, Math.max(cut.search(/\s\S*$/), 1)).trim();
}

const STOP_WORDS = new Set(
  (
    'a an the of for to in on at by with from and or is are was were be been do does did can could will would shall should may might ' +
    'has have had it its there this that these those we you they he she i your our their his her my what which who when where why how ' +
    'whether if any some per as about please tell me us them not no yes true false number date time value whole hour minute format ' +
    'answer asked ask one'
  ).split(' '),
);

/** Cut to a stem that joins "opens", "opening", "opened", "open"; crude, and only ever compared with another stem. */
export function stemOf(word: string): string {
  const plain = word.replace(/'s$/, '');
  const cut = plain.length > 4 ? plain.replace(/(?:ings?|ed|es|s|e)$/, '') : plain.replace(/s$/, '');
  return cut.length >= 3 ? cut.replace(/([b-df-hj-np-tv-z])\1$/, '$1') : plain;
}

/** Stems of the words that carry meaning. */
export function contentStems(texts: readonly (string | null)[]): ReadonlySet<string> {
  const stems = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const { word } of tokensOf(text)) {
      if (/^\p{L}{2,}/u.test(word) && !STOP_WORDS.has(word)) stems.add(stemOf(word));
    }
  }
  return stems;
}
