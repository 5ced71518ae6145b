// One leaf's value in words that are meant to answer it. Finds the value and its place, or nothing; what else the words do
// (hold, refuse, take back) is decided in understand.ts. Pure.
import type { JsonScalar, JsonValue, Leaf, UnderstandContext } from './leaf.ts';
import { contentStems, stemOf, tokensOf } from './words.ts';
import type { Found } from './words.ts';
import { choiceIn, choicesIn } from './kinds/choices.ts';
import { dateText, dateTimeText, timeText } from './kinds/clock-form.ts';
import { datesIn } from './kinds/dates.ts';
import { codeIn, freeTextIn, matcherOf, nameIn } from './kinds/free-text.ts';
import { amountsFor, isInexact } from './kinds/amounts.ts';
import { dictatedCodeIn, typedCodeIn } from './kinds/codes.ts';
import { emailIn, phoneIn, uriIn } from './kinds/spelled.ts';
import { isSpan, timesIn } from './kinds/times.ts';
import { listIn } from './kinds/lists.ts';
import { yesOrNo } from './kinds/yes-no.ts';

const KEYPAD = /^\[keypad\]\s*([0-9*#A-D]+)$/;

/** @returns the value with its place in the text; `nothing` for a clear "there is nothing to say"; null in doubt */
export function valueIn(leaf: Leaf, text: string, context: UnderstandContext): Found<JsonValue> | 'nothing' | null {
  for (const reading of [leaf, ...leaf.alternatives]) {
    const found = oneReading(reading, text, context);
    if (found !== null) return found;
  }
  return null;
}

function oneReading(leaf: Leaf, text: string, context: UnderstandContext): Found<JsonValue> | 'nothing' | null {
  const keys = KEYPAD.exec(text.trim())?.[1]?.replace(/(?<=.)#$/, ''); // the pound key ends an entry
  if (keys !== undefined) return keyed(leaf, keys, text);
  switch (leaf.kind) {
    case 'boolean':
      return yesOrNo(leaf, text);
    case 'integer':
    case 'number':
      return numberIn(leaf, text);
    case 'choice':
      return choiceIn(leaf, text);
    case 'date':
      return texts(theOne(leaf, text, datesIn(leaf, text, context)), (day) => dateText(leaf, day));
    case 'time':
      return texts(theOne(leaf, text, timesIn(leaf, text)), (time) => timeText(leaf, time, context));
    case 'date_time':
      return dateTimeIn(leaf, text, context);
    case 'email':
      return fitting(leaf, emailIn(text));
    case 'phone':
      return phoneFor(leaf, text);
    case 'uri':
      return fitting(leaf, uriIn(text));
    case 'name':
      return leaf.pattern === null ? fitting(leaf, nameIn(text)) : codeIn(leaf.pattern, text);
    case 'text':
      return textIn(leaf, text);
    case 'list':
      return listIn(
        leaf,
        text,
        (item, part) => valueIn(item, part, context),
        (item, whole) => allIn(item, whole, context),
      );
  }
}

/** Every value of an item's kind that the text holds, for lists of what is found inside sentences. */
function allIn(item: Leaf, text: string, context: UnderstandContext): readonly Found<JsonScalar>[] | null {
  switch (item.kind) {
    case 'choice':
      return choicesIn(item, text);
    case 'date':
      return datesIn(item, text, context).flatMap((found) => definite(texts(found, (day) => dateText(item, day))));
    case 'time':
      return timesIn(item, text).flatMap((found) => definite(texts(found, (time) => timeText(item, time, context))));
    case 'integer':
    case 'number':
      return amountsFor(item, text).filter((found) => isWithin(item, found.value));
    case 'boolean':
    case 'date_time':
    case 'email':
    case 'phone':
    case 'uri':
    case 'name':
    case 'text':
    case 'list':
      return null;
  }
}

function definite<T>(found: Found<T> | null): readonly Found<T>[] {
  return found === null ? [] : [found];
}

function keyed(leaf: Leaf, keys: string, text: string): Found<JsonScalar> | null {
  const place = { start: text.indexOf('['), end: text.trimEnd().length };
  const number = /^\d{1,15}$/.test(keys) ? Number(keys) : null;
  if (number === null) return null;
  if (leaf.kind === 'boolean') return number === 1 || number === 2 ? { value: number === 1, ...place } : null;
  if (leaf.kind === 'choice') {
    const numeric = leaf.choices.find((choice) => choice.value === number || choice.value === keys);
    const choice = numeric ?? leaf.choices[number - 1];
    return choice === undefined ? null : { value: choice.value, ...place };
  }
  if (leaf.kind === 'integer' || leaf.kind === 'number')
    return isWithin(leaf, number) ? { value: number, ...place } : null;
  if (leaf.kind === 'phone')
    return phoneFor(leaf, keys) === null ? null : { value: phoneFor(leaf, keys)?.value ?? keys, ...place };
  if (leaf.kind !== 'text' || leaf.pattern === null) return null;
  return matcherOf(leaf.pattern)?.(keys) === true ? { value: keys, ...place } : null;
}

function numberIn(leaf: Leaf, text: string): Found<number> | null {
  const candidates = amountsFor(leaf, text);
  const found = theOne(leaf, text, candidates);
  if (found === null || isInexact(text, found.start)) return null;
  const isPercent = /^\s*(?:%|percent)/i.test(text.slice(found.end));
  const value = isPercent && leaf.maximum !== null && leaf.maximum <= 1 ? found.value / 100 : found.value;
  return isWithin(leaf, value) ? { ...found, value } : null;
}

function isWithin(leaf: Leaf, value: number): boolean {
  if (!Number.isFinite(value) || (leaf.kind === 'integer' && !Number.isInteger(value))) return false;
  if (value < (leaf.minimum ?? -Infinity) || value > (leaf.maximum ?? Infinity)) return false;
  if (value <= (leaf.exclusiveMinimum ?? -Infinity) || value >= (leaf.exclusiveMaximum ?? Infinity)) return false;
  if (leaf.multipleOf === null || leaf.multipleOf <= 0) return true;
  const steps = value / leaf.multipleOf;
  return Math.abs(steps - Math.round(steps)) < 1e-9;
}

/**
 * The one candidate that answers the leaf: the only one, or the only one whose clause names what the leaf is about, or the
 * right end of a span. Two that could both be meant are none.
 */
function theOne<V>(leaf: Leaf, text: string, found: readonly Found<V>[]): Found<V> | null {
  const distinct = found.filter((each, index) => found.findIndex((other) => isSame(other.value, each.value)) === index);
  const [first, second] = distinct;
  if (first === undefined || second === undefined) return first ?? null;
  const topic = contentStems([leaf.name, leaf.title]);
  const named = distinct.filter((each) => {
    const clause = clauseAround(text, each, distinct);
    return tokensOf(clause).some((token) => topic.has(stemOf(token.word)));
  });
  const [only] = named;
  if (named.length === 1 && only !== undefined && distinct.length <= 4) return only;
  if (distinct.length === 2 && isSpan(text, first, second)) {
    const words = [leaf.name, leaf.title, leaf.description].join(' ').toLowerCase();
    const isEnd = /\b(?:clos\w*|end\w*|until|till|latest|last|finish\w*)\b/.test(words);
    const isStart = /\b(?:open\w*|start\w*|begin\w*|from|earliest|first)\b/.test(words);
    if (isEnd !== isStart) return isEnd ? second : first;
  }
  return null;
}

/** The words that belong to a candidate: from the one before it (or the start) to the one after it, at a comma or "and". */
function clauseAround<V>(text: string, each: Found<V>, all: readonly Found<V>[]): string {
  const before = Math.max(0, ...all.filter((other) => other.end <= each.start).map((other) => other.end));
  const after = Math.min(text.length, ...all.filter((other) => other.start >= each.end).map((other) => other.start));
  const head = text.slice(before, each.start);
  const tail = text.slice(each.end, after);
  const cut = /[,.;]|(?<![\p{L}])(?:and|but)(?![\p{L}])/iu.exec(tail);
  return head + text.slice(each.start, each.end) + (cut === null ? tail : tail.slice(0, cut.index));
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));
}

function dateTimeIn(leaf: Leaf, text: string, context: UnderstandContext): Found<string> | null {
  const typed = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/i.exec(text);
  if (typed !== null && !Number.isNaN(Date.parse(typed[0]))) {
    return { value: typed[0].replace(' ', 'T'), start: typed.index, end: typed.index + typed[0].length };
  }
  const day = theOne(leaf, text, datesIn(leaf, text, context));
  if (day === null) return null;
  const withoutDay = text.slice(0, day.start) + ' '.repeat(day.end - day.start) + text.slice(day.end);
  const time = theOne(leaf, text, timesIn(leaf, withoutDay));
  if (time === null) return null;
  const value = dateTimeText(leaf, day.value, time.value, context);
  if (value === null) return null;
  return { value, start: Math.min(day.start, time.start), end: Math.max(day.end, time.end) };
}

function phoneFor(leaf: Leaf, text: string): Found<string> | null {
  const found = phoneIn(text);
  if (found === null || leaf.pattern === null) return found;
  const fits = matcherOf(leaf.pattern);
  const national = found.value.startsWith('+1') ? found.value.slice(2) : found.value;
  const dashed = `${national.slice(0, 3)}-${national.slice(3, 6)}-${national.slice(6)}`;
  const bracketed = `(${national.slice(0, 3)}) ${national.slice(3, 6)}-${national.slice(6)}`;
  const value = [found.value, national, dashed, bracketed, found.value.slice(1)].find((form) => fits?.(form) === true);
  return value === undefined ? null : { ...found, value };
}

function textIn(leaf: Leaf, text: string): Found<string> | 'nothing' | null {
  if (leaf.pattern !== null) return fitting({ ...leaf, pattern: null }, codeIn(leaf.pattern, text));
  const isCode =
    /\b(?:code|ref|reference|confirmation number|booking number|order number|tracking number|serial|plate|zip|postcode|postal code|id|identifier)\b/i.test(
      [leaf.name, leaf.title].join(' '),
    );
  const code = isCode ? (dictatedCodeIn(text) ?? typedCodeIn(text)) : null;
  return code === null ? freeTextIn(leaf, text) : fitting(leaf, code);
}

function fitting(leaf: Leaf, found: Found<string> | null): Found<string> | null {
  if (found === null) return null;
  const length = Array.from(found.value).length;
  if (length < (leaf.minLength ?? 0) || length > (leaf.maxLength ?? Infinity)) return null;
  return leaf.pattern === null || matcherOf(leaf.pattern)?.(found.value) !== false ? found : null;
}

function texts<V>(found: Found<V> | null, form: (value: V) => string | null): Found<string> | null {
  if (found === null) return null;
  const value = form(found.value);
  return value === null ? null : { ...found, value };
}
