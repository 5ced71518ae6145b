// Dates as they are said and typed, relative ones counted from the day of the call. What could be two days is none. Pure.
import type { Leaf, UnderstandContext } from '../leaf.ts';
import { tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { numbersIn, ordinalAt, smallNumberAt } from './numbers.ts';

/** A calendar day; month 1 to 12. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const DAY_MS = 86_400_000;

interface Reading {
  /** Days that it can mean; one is a date, more is doubt. */
  readonly days: readonly Day[];
  readonly to: number;
  readonly weekday?: number;
}

/**
 * The dates in a text, left to right.
 * @param leaf a date of birth needs its year; other dates without a year are the next such day
 */
export function datesIn(leaf: Leaf, text: string, context: UnderstandContext): readonly Found<Day>[] {
  const tokens = tokensOf(text);
  const today = dayOf(context);
  const isPast = /\b(?:birth|born|dob|birthday|last|previous|past|since|issued|purchased|bought)\b/i.test(
    [leaf.name, leaf.title, leaf.description].join(' '),
  );
  const readings: (Reading & { readonly start: number; readonly end: number })[] = [];
  for (let index = 0; index < tokens.length;) {
    const reading = readingAt(tokens, index, today, isPast);
    const first = tokens[index];
    const last = tokens[(reading?.to ?? 0) - 1];
    if (reading === null || first === undefined || last === undefined) {
      index += 1;
      continue;
    }
    readings.push({ ...reading, start: first.start, end: last.end });
    index = reading.to;
  }
  return joined(text, readings).flatMap((reading) => {
    const [only] = reading.days;
    return only !== undefined && reading.days.length === 1
      ? [{ value: only, start: reading.start, end: reading.end }]
      : [];
  });
}

/** RFC 3339 full-date. */
export function isoDate(day: Day): string {
  return `${String(day.year).padStart(4, '0')}-${String(day.month).padStart(2, '0')}-${String(day.day).padStart(2, '0')}`;
}

/** The day on which the call takes place, at the recipient's place where that is known. */
export function dayOf(context: UnderstandContext): Day {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: context.timezone ?? 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(context.now);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
  return { year: part('year'), month: part('month'), day: part('day') };
}

/** "Tuesday, March 3rd": a weekday next to a date confirms it or makes it doubtful. */
function joined<R extends Reading & { readonly start: number; readonly end: number }>(
  text: string,
  readings: readonly R[],
): readonly R[] {
  const result: R[] = [];
  for (const reading of readings) {
    const previous = result.at(-1);
    const isNext =
      previous !== undefined && /^[\s,]*(?:on |the |that's |that is )*$/i.test(text.slice(previous.end, reading.start));
    if (previous === undefined || !isNext || (previous.weekday === undefined) === (reading.weekday === undefined)) {
      result.push(reading);
      continue;
    }
    const [weekday, date] = previous.weekday === undefined ? [reading.weekday, previous] : [previous.weekday, reading];
    const days = date.days.filter((day) => weekdayOf(day) === weekday);
    result[result.length - 1] = { ...date, days, start: previous.start, end: reading.end };
  }
  return result;
}

function readingAt(tokens: readonly Token[], index: number, today: Day, isPast: boolean): Reading | null {
  const word = tokens[index]?.word ?? '';
  return (
    typedAt(word, index, today, isPast) ??
    monthFirstAt(tokens, index, today, isPast) ??
    dayFirstAt(tokens, index, today, isPast) ??
    relativeAt(tokens, index, today) ??
    weekdayAt(tokens, index, today)
  );
}

/** `2026-11-20`, `3/4`, `3/4/2027`, `13.4.2027`. */
function typedAt(word: string, index: number, today: Day, isPast: boolean): Reading | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  if (iso !== null) return one(Number(iso[1]), Number(iso[2]), Number(iso[3]), index + 1);
  const slashed = /^(\d{1,2})([/.])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(word);
  if (slashed === null || (slashed[2] === '.' && slashed[4] === undefined)) return null;
  const [first, second] = [Number(slashed[1]), Number(slashed[3])];
  // en-US: the month comes first, unless it cannot be one or dots say that the day does
  const isDayFirst = first > 12 || slashed[2] === '.';
  const [month, day] = isDayFirst ? [second, first] : [first, second];
  if (slashed[4] === undefined) return withoutYear(month, day, index + 1, today, isPast);
  const year = slashed[4].length === 2 ? 2000 + Number(slashed[4]) : Number(slashed[4]);
  return one(year, month, day, index + 1);
}

/** "March 3rd", "March the third, 2027", "mar 3". */
function monthFirstAt(tokens: readonly Token[], index: number, today: Day, isPast: boolean): Reading | null {
  const month = monthOf(tokens[index]?.word ?? '');
  if (month === null) return null;
  const at = tokens[index + 1]?.word === 'the' ? index + 2 : index + 1;
  const day = dayNumberAt(tokens, at);
  if (day === null) return null;
  return withYear(tokens, day.to, month, day.value, today, isPast);
}

/** "the third of March", "3 March 2027", "the 15th". */
function dayFirstAt(tokens: readonly Token[], index: number, today: Day, isPast: boolean): Reading | null {
  const hasThe = tokens[index]?.word === 'the';
  const at = hasThe ? index + 1 : index;
  const day = dayNumberAt(tokens, at);
  if (day === null || day.value < 1 || day.value > 31) return null;
  const monthAt = tokens[day.to]?.word === 'of' ? day.to + 1 : day.to;
  const month = monthOf(tokens[monthAt]?.word ?? '');
  if (month !== null) return withYear(tokens, monthAt + 1, month, day.value, today, isPast);
  const isOrdinal = ordinalAt(tokens, at) !== null;
  const after = tokens[day.to]?.word ?? 'at';
  if (!/^(?:at|in|on|around|from|between|is|would|works|please|if|or|and|then|morning|afternoon|evening)$/.test(after))
    return null;
  if (!isOrdinal || isPast || (!hasThe && !/\d/.test(tokens[at]?.word ?? ''))) return null;
  return { days: [nextDayOfMonth(today, day.value)].filter((each) => each !== null), to: day.to };
}

function relativeAt(tokens: readonly Token[], index: number, today: Day): Reading | null {
  const [first = '', second = '', third = '', fourth = ''] = [0, 1, 2, 3].map(
    (step) => tokens[index + step]?.word ?? '',
  );
  if (first === 'the' && second === 'day' && third === 'after' && fourth === 'tomorrow')
    return from(today, 2, index + 4);
  if (first === 'day' && second === 'after' && third === 'tomorrow') return from(today, 2, index + 3);
  if (first === 'today' || first === 'tonight') return from(today, 0, index + 1);
  if (first === 'tomorrow') return from(today, 1, index + 1);
  if (first === 'yesterday') return from(today, -1, index + 1);
  const weeks = first === 'a' ? { value: 1, to: index + 1 } : smallOrTyped(tokens, index);
  const isWeeksFrom =
    weeks !== null && /^weeks?$/.test(tokens[weeks.to]?.word ?? '') && tokens[weeks.to + 1]?.word === 'from';
  if (isWeeksFrom) {
    const start = tokens[weeks.to + 2]?.word ?? '';
    const day = weekdayNumber(start);
    if (start === 'today' || start === 'now') return from(today, 7 * weeks.value, weeks.to + 3);
    if (start === 'tomorrow') return from(today, 7 * weeks.value + 1, weeks.to + 3);
    const ahead = day === null ? 0 : (day - weekdayOf(today) + 7) % 7;
    return ahead === 0 ? { days: [], to: weeks.to + 3 } : from(today, ahead + 7 * weeks.value, weeks.to + 3);
  }
  if (first !== 'in') return null;
  const count = second === 'a' ? { value: 1, to: index + 2 } : smallOrTyped(tokens, index + 1);
  const unit = count === null ? '' : (tokens[count.to]?.word ?? '');
  if (count === null) return null;
  if (/^days?$/.test(unit)) return from(today, count.value, count.to + 1);
  if (/^weeks?$/.test(unit)) return from(today, 7 * count.value, count.to + 1);
  return null;
}

/** "Tuesday", "this Friday", "next Tuesday", "Saturdays" (which is no date). */
function weekdayAt(tokens: readonly Token[], index: number, today: Day): Reading | null {
  const first = tokens[index]?.word ?? '';
  const hasQualifier = /^(?:next|this|coming|on)$/.test(first);
  const weekday = weekdayNumber(tokens[hasQualifier ? index + 1 : index]?.word ?? '');
  if (weekday === null) return null;
  const to = hasQualifier ? index + 2 : index + 1;
  const before = tokens[index - 1]?.word ?? '';
  if (/^(?:last|previous|past|before|after|since|until|till|every|than)$/.test(before)) return { days: [], to };
  const isNextWeek = tokens[to]?.word === 'next' && tokens[to + 1]?.word === 'week';
  const wasNextWeek = tokens
    .slice(Math.max(0, index - 2), index + 1)
    .some((token, at, all) => token.word === 'week' && all[at - 1]?.word === 'next');
  if (isNextWeek || wasNextWeek) {
    const fromMonday = (weekday + 6) % 7;
    const toNextMonday = 7 - ((weekdayOf(today) + 6) % 7);
    return { days: [plus(today, toNextMonday + fromMonday)], to: isNextWeek ? to + 2 : to, weekday };
  }
  const ahead = (weekday - weekdayOf(today) + 7) % 7;
  if (first === 'next') {
    const mondayBased = (weekdayOf(today) + 6) % 7;
    const isWeekAfter = ahead === 0 || mondayBased + ahead >= 7;
    const days = isWeekAfter ? [ahead === 0 ? 7 : ahead] : ahead <= 2 ? [ahead + 7] : [ahead, ahead + 7];
    return { days: days.map((count) => plus(today, count)), to, weekday };
  }
  // On a Tuesday, "Tuesday" is today to one and next week to another.
  const days = ahead === 0 ? [plus(today, 0), plus(today, 7)] : [plus(today, ahead)];
  return { days: first === 'this' && ahead === 0 ? [today] : days, to, weekday };
}

/** 0 is Sunday; short forms of three to five letters count, plurals do not: "Saturdays" is no date. */
export function weekdayNumber(word: string): number | null {
  const index = WEEKDAYS.findIndex((day) => day === word || (/^.{3,5}$/.test(word) && day.startsWith(word)));
  return index < 0 ? null : index;
}

function withYear(
  tokens: readonly Token[],
  at: number,
  month: number,
  day: number,
  today: Day,
  isPast: boolean,
): Reading | null {
  const word = tokens[at]?.word ?? '';
  if (/^(?:19|20)\d{2}$/.test(word)) return one(Number(word), month, day, at + 1);
  const century = smallNumberAt(tokens, at);
  if (century !== null && (century.value === 19 || century.value === 20)) {
    const rest = smallNumberAt(tokens, century.to);
    if (rest !== null && rest.value >= 10) return one(century.value * 100 + rest.value, month, day, rest.to);
  }
  const spoken = numbersIn(tokens.slice(at)).find((number) => number.from === 0);
  if (spoken !== undefined && spoken.value >= 1900 && spoken.value < 2100)
    return one(spoken.value, month, day, at + spoken.to);
  return withoutYear(month, day, at, today, isPast);
}

function withoutYear(month: number, day: number, to: number, today: Day, isPast: boolean): Reading | null {
  if (!isDay(2000, month, day)) return { days: [], to };
  if (isPast) return { days: [], to }; // which year is not said
  const years = [0, 1, 2, 3, 4].map((ahead) => today.year + ahead);
  const next = years
    .map((year) => ({ year, month, day }))
    .find((each) => isDay(each.year, month, day) && compare(each, today) >= 0);
  return { days: next === undefined ? [] : [next], to };
}

function nextDayOfMonth(today: Day, day: number): Day | null {
  for (let ahead = 0; ahead < 3; ahead += 1) {
    const month = ((today.month - 1 + ahead) % 12) + 1;
    const year = today.year + Math.floor((today.month - 1 + ahead) / 12);
    const each = { year, month, day };
    if (isDay(year, month, day) && compare(each, today) >= 0) return each;
  }
  return null;
}

function dayNumberAt(tokens: readonly Token[], index: number): { readonly value: number; readonly to: number } | null {
  return ordinalAt(tokens, index) ?? smallOrTyped(tokens, index);
}

function smallOrTyped(tokens: readonly Token[], index: number): { readonly value: number; readonly to: number } | null {
  const word = tokens[index]?.word ?? '';
  return /^\d{1,2}$/.test(word) ? { value: Number(word), to: index + 1 } : smallNumberAt(tokens, index);
}

function monthOf(word: string): number | null {
  const index = MONTHS.findIndex(
    (month) => month === word || (word.length >= 3 && word.length <= 4 && month.startsWith(word)),
  );
  return index < 0 ? null : index + 1;
}

function one(year: number, month: number, day: number, to: number): Reading {
  return { days: isDay(year, month, day) ? [{ year, month, day }] : [], to };
}

function from(today: Day, days: number, to: number): Reading {
  return { days: [plus(today, days)], to };
}

function plus(day: Day, days: number): Day {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day) + days * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function weekdayOf(day: Day): number {
  return new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function compare(left: Day, right: Day): number {
  return left.year - right.year || left.month - right.month || left.day - right.day;
}
