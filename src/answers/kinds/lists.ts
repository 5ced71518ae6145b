// Several answers in one turn: "Monday, Tuesday and Friday", "Monday to Friday", "all of them". Pure.
import type { JsonScalar, JsonValue, Leaf } from '../leaf.ts';
import { sentencesOf } from '../words.ts';
import type { Found } from '../words.ts';
import { weekdayNumber } from './dates.ts';

type ReadOne = (item: Leaf, part: string) => Found<JsonValue> | 'nothing' | null;
/** Null: this kind is not found inside sentences, the text is split instead. */
type ReadAll = (item: Leaf, text: string) => readonly Found<JsonScalar>[] | null;

const ITEM_LIMIT = 50;
const NONE =
  /^\W*(?:no|none|nothing|nope|not any|none of (?:them|those|these)|there are none|we have none|no,? none)\W*$/i;
const ALL =
  /(?<![\p{L}])(?:all of (?:them|those|these|the above)|every (?:single )?(?:one|day)(?: of (?:them|those))?|all (?:seven|three|four|five|two|six)(?: days)?|all week|everything|daily|seven days a week|both(?: of them)?)(?![\p{L}])/iu;
const EXCEPT = /(?<![\p{L}])(?:except|but not|apart from|other than|excluding)(?![\p{L}])/iu;

export function listIn(leaf: Leaf, text: string, readOne: ReadOne, readAll: ReadAll): Found<JsonValue> | null {
  const { item } = leaf;
  if (item === null) return null;
  const whole = wholeOf(text);
  if (whole === null) return null;
  if (NONE.test(text)) return fits(leaf, []) ? { ...whole, value: [] } : null;
  const values =
    item.choices.length > 0 && item.kind === 'choice'
      ? chosen(item, text, readAll)
      : read(item, text, readOne, readAll);
  if (values === null || values.length === 0) return null;
  const distinct = [...new Set(values)];
  return fits(leaf, distinct) ? { ...whole, value: distinct } : null;
}

function fits(leaf: Leaf, values: readonly JsonValue[]): boolean {
  return values.length >= (leaf.minItems ?? 0) && values.length <= Math.min(leaf.maxItems ?? ITEM_LIMIT, ITEM_LIMIT);
}

function chosen(item: Leaf, text: string, readAll: ReadAll): readonly JsonScalar[] | null {
  const cut = EXCEPT.exec(text);
  const [said, excluded] =
    cut === null ? [text, ''] : [text.slice(0, cut.index), text.slice(cut.index + cut[0].length)];
  const without = new Set((excluded === '' ? [] : (readAll(item, excluded) ?? [])).map((found) => found.value));
  const values = item.choices.map((choice) => choice.value);
  if (ALL.test(said)) {
    const isPair = /(?<![\p{L}])both(?![\p{L}])/iu.test(said);
    return isPair && values.length !== 2 ? null : values.filter((value) => !without.has(value));
  }
  const group = weekdayGroup(said, values);
  if (group !== null) return group.filter((value) => !without.has(value));
  const found = readAll(item, said) ?? [];
  const named = new Set<JsonScalar>();
  for (const [index, each] of found.entries()) {
    const next = found[index + 1];
    const isRange =
      next !== undefined && /^\s*(?:to|through|thru|till|until|-|–)\s*$/i.test(said.slice(each.end, next.start));
    const [from, to] = [values.indexOf(each.value), next === undefined ? -1 : values.indexOf(next.value)];
    if (isRange && from > to) return null;
    for (const value of isRange ? values.slice(from, to + 1) : [each.value]) named.add(value);
  }
  return values.filter((value) => named.has(value) && !without.has(value));
}

/** "weekdays", "weekends" and "every day but Sunday", where the choices are days. */
function weekdayGroup(text: string, values: readonly JsonScalar[]): readonly JsonScalar[] | null {
  const days = values.map((value) => weekdayNumber(String(value).toLowerCase()));
  if (days.some((day) => day === null)) return null;
  const isWeekend = (day: number | null): boolean => day === 0 || day === 6;
  const hasWeekdays = /(?<![\p{L}])(?:week ?days|during the week)(?![\p{L}])/iu.test(text);
  const hasWeekend = /(?<![\p{L}])(?:weekends?|the weekend)(?![\p{L}])/iu.test(text);
  if (!hasWeekdays && !hasWeekend) return null;
  return values.filter((_, index) => (isWeekend(days[index] ?? null) ? hasWeekend : hasWeekdays));
}

function read(item: Leaf, text: string, readOne: ReadOne, readAll: ReadAll): readonly JsonScalar[] | null {
  const all = readAll(item, text);
  if (all !== null) return all.map((found) => found.value);
  const values: JsonScalar[] = [];
  for (const part of text.split(/[,;\n\u2028]|(?<![\p{L}])(?:and|or|also|plus|as well as)(?![\p{L}])|\.(?=\s|$)/iu)) {
    const trimmed = part.replace(LIST_LEAD, '').trim();
    if (!/[\p{L}\p{N}]/u.test(trimmed)) continue;
    const found = readOne(item, trimmed);
    if (found === 'nothing' || found === null) continue;
    if (typeof found.value === 'object') return null;
    values.push(found.value);
  }
  return values.slice(0, ITEM_LIMIT);
}

const LIST_LEAD =
  /^\s*(?:(?:yes|well|um|uh|so|okay|sure|we have|we've got|there(?:'s| is| are)|it's|that(?:'s| is)|i'd say|they are|those are|you need|we offer|we accept|we take|we sell|we serve|please bring|bring)[\s,:]+)+/i;

function wholeOf(text: string): { readonly start: number; readonly end: number } | null {
  const sentences = sentencesOf(text);
  const [first, last] = [sentences[0], sentences.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}
