// One of several named values: by its name, by words of its description, by its place in the list. Between two, neither. Pure.
import type { Choice, JsonScalar, Leaf } from '../leaf.ts';
import { wordsOf } from '../names.ts';
import { contentStems, folded, stemOf, tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { numbersIn } from './numbers.ts';
import { yesOrNo } from './yes-no.ts';

/** Different words for the same thing, by stem. */
const SAME: readonly (readonly string[])[] = [
  ['phone', 'telephone', 'call', 'mobile', 'cell'],
  ['email', 'e mail', 'mail'],
  ['sms', 'text', 'text message'],
  ['in person', 'on site', 'onsite', 'face to face', 'visit'],
  ['takeaway', 'take away', 'takeout', 'take out', 'to go'],
  ['dine in', 'eat in', 'eat here'],
  ['pickup', 'pick up', 'collect', 'collection'],
  ['credit card', 'card'],
  ['sold out', 'out of stock', 'none left'],
  ['video', 'video call', 'zoom', 'online'],
  ['mon', 'monday', 'mondays'],
  ['tue', 'tues', 'tuesday', 'tuesdays'],
  ['wed', 'wednesday', 'wednesdays'],
  ['thu', 'thur', 'thurs', 'thursday', 'thursdays'],
  ['fri', 'friday', 'fridays'],
  ['sat', 'saturday', 'saturdays'],
  ['sun', 'sunday', 'sundays'],
];
const NOT_YET = /(?<![\p{L}])(?:almost|nearly|not quite|hopefully|soon)\s+(?:\p{L}+\s+)?$/iu;
const LATER = /(?<![\p{L}])(?:will be|'ll be|going to be)\s+(?:\p{L}+\s+)?$/iu;
const WHEN_LATER = /^\W*(?:tomorrow|later|soon|next|by|in|on|tonight)(?![\p{L}])/iu;
const NEGATION =
  /(?<![\p{L}'])(?:not|no|never|without|except|neither|nor|rather than|instead of|\p{L}+n't)\s+(?:\p{L}+\s+){0,2}$/iu;

interface Match extends Found<JsonScalar> {
  readonly length: number;
}

/** @returns every choice that the text names and does not rule out, left to right, each once */
export function choicesIn(leaf: Leaf, text: string): readonly Found<JsonScalar>[] {
  const tokens = tokensOf(text);
  const named = withoutCovered(
    leaf.choices.flatMap((choice) => phraseMatches(phrasesOf(leaf, choice), choice, tokens)),
  );
  const kept = named.filter((match) => !isRuledOut(text, match));
  if (named.length > 0) return once(kept);
  const numeric = leaf.choices.filter((choice) => typeof choice.value === 'number');
  if (numeric.length > 0) {
    const numbers = numbersIn(tokens).filter((number) => !number.isOrdinal);
    return once(numbers.filter((number) => numeric.some((choice) => choice.value === number.value)));
  }
  const byWord = wordMatches(leaf, tokens).filter((match) => !isRuledOut(text, match));
  return byWord.length > 0 ? once(byWord) : once(fuzzyMatches(leaf, tokens));
}

/** "Not by phone", "almost ready", "it will be ready tomorrow". */
function isRuledOut(text: string, match: Match): boolean {
  const before = folded(text.slice(Math.max(0, match.start - 80), match.start));
  const isLater = LATER.test(before) && WHEN_LATER.test(text.slice(match.end));
  return NEGATION.test(before) || NOT_YET.test(before) || isLater;
}

/** The one choice that the text means. @returns null where it names none or leaves two open */
export function choiceIn(leaf: Leaf, text: string): Found<JsonScalar> | null {
  const found = choicesIn(leaf, text);
  const [only] = found;
  if (only !== undefined) {
    const isOpen = /(?<![\p{L}])(?:maybe|perhaps|either|possibly|depends)(?![\p{L}])/iu.test(text);
    return found.length === 1 && !isOpen ? only : null;
  }
  return positionIn(leaf, text) ?? spokenYesNo(leaf, text);
}

/** "the first one", "number two", "option 3", "the last". */
function positionIn(leaf: Leaf, text: string): Found<JsonScalar> | null {
  const tokens = tokensOf(text);
  const last = tokens.findIndex((token, index) => token.word === 'last' && tokens[index - 1]?.word === 'the');
  const numbers = numbersIn(tokens).filter((number) => {
    const before = tokens[number.from - 1]?.word ?? '';
    return number.isOrdinal || /^(?:option|number|choice|#)$/.test(before);
  });
  const [only, second] = numbers;
  const lastToken = tokens[last];
  if (lastToken !== undefined && only === undefined) {
    const choice = leaf.choices.at(-1);
    return choice === undefined ? null : { value: choice.value, start: lastToken.start, end: lastToken.end };
  }
  if (only === undefined || second !== undefined || lastToken !== undefined) return null;
  const isAboutDate = tokens.some((token) =>
    /^(?:january|february|march|april|june|july|august|september|october|november|december)$/.test(token.word),
  );
  const choice = leaf.choices[only.value - 1];
  return choice === undefined || isAboutDate ? null : { value: choice.value, start: only.start, end: only.end };
}

/** Choices that are themselves yes and no, or one choice that is confirmed or not. */
function spokenYesNo(leaf: Leaf, text: string): Found<JsonScalar> | null {
  const said = yesOrNo(leaf, text);
  if (said === null) return null;
  const wanted = said.value ? /^(?:yes|true|y|ok)$/i : /^(?:no|false|n)$/i;
  const choice = leaf.choices.find((each) => wanted.test(String(each.value)));
  const [only] = leaf.choices;
  if (choice !== undefined) return { ...said, value: choice.value };
  return leaf.choices.length === 1 && only !== undefined && said.value ? { ...said, value: only.value } : null;
}

/** The value that stands for "I don't know", where the schema has one. */
export function unknownChoice(leaf: Leaf): Choice | null {
  return (
    leaf.choices.find((choice) =>
      /^(?:unknown|not[ _-]?sure|unsure|don'?t[ _-]?know|undecided)$/i.test(String(choice.value)),
    ) ?? null
  );
}

function phrasesOf(leaf: Leaf, choice: Choice): readonly string[] {
  const value = String(choice.value);
  const own = [
    value,
    wordsOf(value),
    choice.label,
    ...alternativesIn(choice.description),
    ...meaningIn(leaf.description, value),
  ];
  const plain = own.map(normalized).filter((phrase) => phrase !== '');
  const same = SAME.filter((group) => plain.some((phrase) => group.includes(phrase))).flat();
  return [...new Set([...plain, ...same])];
}

/** "by telephone, or mobile" -> its parts: short ones are other names of the choice. */
function alternativesIn(description: string | null): readonly string[] {
  if (description === null) return [];
  return description
    .split(/[,;/()]|\bor\b/i)
    .filter((part) => part.trim() !== '' && part.trim().split(/\s+/).length <= 4);
}

/** `dine_in = eat here; takeaway: to go` in the leaf's own description. */
function meaningIn(description: string | null, value: string): readonly string[] {
  if (description === null) return [];
  const at = description.toLowerCase().indexOf(value.toLowerCase());
  if (at < 0) return [];
  const after = /^["'`]?\s*(?:=|:|means|\(|–|-)\s*([^;,.)\n]+)/.exec(description.slice(at + value.length));
  return after?.[1] === undefined ? [] : alternativesIn(after[1]);
}

function normalized(phrase: string): string {
  return tokensOf(phrase)
    .map((token) => token.word)
    .join(' ');
}

const GAP_LIMIT = 2; // words between the words of a choice: "we accept it in part" names "accepted in part"

function phraseMatches(phrases: readonly string[], choice: Choice, tokens: readonly Token[]): readonly Match[] {
  const said = tokens.map((token) => comparable(token.word));
  return phrases.flatMap((phrase) => {
    const words = phrase.split(' ').map(comparable);
    const matches: Match[] = [];
    for (let index = 0; index < tokens.length; index += 1) {
      const end = endOfPhrase(words, said, index);
      const first = tokens[index];
      const last = end === null ? undefined : tokens[end];
      if (first !== undefined && last !== undefined && !isBareNo(words, tokens, index)) {
        matches.push({ value: choice.value, start: first.start, end: last.end, length: words.length });
      }
    }
    return matches;
  });
}

/** The last token of a phrase that begins at `index`; null where it does not. */
function endOfPhrase(words: readonly string[], said: readonly string[], index: number): number | null {
  let at = index;
  for (const [step, word] of words.entries()) {
    const limit = step === 0 ? at : at + GAP_LIMIT;
    while (at < limit && said[at] !== word) at += 1;
    if (said[at] !== word) return null;
    at += 1;
  }
  return at - 1;
}

function comparable(word: string): string {
  return word.endsWith("n't") || word === 'cannot' ? 'not' : stemOf(word);
}

/** "no" and "one" are also small words: as a choice they count only where they stand for themselves. */
function isBareNo(words: readonly string[], tokens: readonly Token[], index: number): boolean {
  const [word] = words;
  if (words.length !== 1 || (word !== 'no' && word !== 'yes')) return false;
  return index > 0 || tokens.length > 6;
}

/** "dark red" is not also "red". */
function withoutCovered(matches: readonly Match[]): readonly Match[] {
  return matches.filter(
    (match) =>
      !matches.some((other) => other.length > match.length && other.start <= match.start && match.end <= other.end),
  );
}

/** A word that belongs to one choice alone: "in the morning" for "morning appointment". */
function wordMatches(leaf: Leaf, tokens: readonly Token[]): readonly Match[] {
  const owners = new Map<string, Set<JsonScalar>>();
  for (const choice of leaf.choices) {
    for (const stem of contentStems([wordsOf(String(choice.value)), choice.label, choice.description])) {
      owners.set(stem, (owners.get(stem) ?? new Set()).add(choice.value));
    }
  }
  return tokens.flatMap((token) => {
    const values = [...(owners.get(stemOf(token.word)) ?? [])];
    const [value] = values;
    return values.length === 1 && value !== undefined ? [{ value, start: token.start, end: token.end, length: 1 }] : [];
  });
}

/** A slip of the keyboard: one letter in a word of five, two in one of eight; only when one choice alone is that near. */
function fuzzyMatches(leaf: Leaf, tokens: readonly Token[]): readonly Match[] {
  const matches: Match[] = [];
  for (const choice of leaf.choices) {
    for (const stem of contentStems([wordsOf(String(choice.value)), choice.label])) {
      const limit = stem.length >= 8 ? 2 : stem.length >= 5 ? 1 : 0;
      if (limit === 0) continue;
      for (const token of tokens) {
        const said = stemOf(token.word);
        if (Math.abs(said.length - stem.length) <= limit && said[0] === stem[0] && editDistance(said, stem) <= limit) {
          matches.push({ value: choice.value, start: token.start, end: token.end, length: 1 });
        }
      }
    }
  }
  return matches;
}

/** Letters to add, drop, change or swap; for short words only. */
export function editDistance(left: string, right: string): number {
  const rows: number[][] = Array.from({ length: left.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let column = 0; column <= right.length; column += 1) rows[0]?.splice(column, 1, column);
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const change = at(row - 1, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, change);
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwap) best = Math.min(best, at(row - 2, column - 2) + 1);
      rows[row]?.splice(column, 1, best);
    }
  }
  return at(left.length, right.length);
}

function once<F extends Found<JsonScalar>>(found: readonly F[]): readonly F[] {
  const sorted = [...found].sort((left, right) => left.start - right.start);
  return sorted.filter((each, index) => sorted.findIndex((other) => other.value === each.value) === index);
}
