// Times of day as they are said and typed. A time without morning or afternoon is read as the hour people mean in business, or
// not at all. Pure.
import type { Leaf } from '../leaf.ts';
import { tokensOf } from '../words.ts';
import type { Found, Token } from '../words.ts';
import { numberOfDigits, smallNumberAt } from './numbers.ts';

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

type HalfOfDay = 'morning' | 'afternoon' | null;

interface ClockReading {
  readonly hour: number;
  readonly minute: number;
  /** The next token after the reading. */
  readonly to: number;
  /** Written with a leading zero or an hour above 12: no doubt about the half of the day. */
  readonly is24: boolean;
}

/**
 * The times of day in a text.
 * @param leaf its words say whether an early or a late hour is meant ("closing time", "dinner")
 * @returns left to right; times that could be morning or evening are left out, as are those that are only a bound ("after five")
 */
export function timesIn(leaf: Leaf, text: string): readonly Found<TimeOfDay>[] {
  const tokens = tokensOf(text);
  const raw: (Found<ClockReading> & { half: HalfOfDay; from: number })[] = [];
  for (let index = 0; index < tokens.length;) {
    const reading = clockAt(tokens, index, raw.length > 0);
    const first = tokens[index];
    if (reading === null || first === undefined) {
      index += 1;
      continue;
    }
    const marked = halfAfter(tokens, reading.to);
    const end = tokens[marked.to - 1]?.end ?? first.end;
    raw.push({ value: reading, start: first.start, end, half: marked.half, from: index });
    index = marked.to;
  }
  const overall = halfBefore(tokens);
  const cue = cueOf(leaf);
  const found: Found<TimeOfDay>[] = [];
  for (const [index, each] of raw.entries()) {
    const before = tokens[each.from - 1]?.word ?? '';
    if (/^(?:before|after|past|than)$/.test(before)) continue;
    const shared = raw[index + 1]?.half === 'morning' ? 'morning' : null; // "nine to ten a.m."
    const ownCue = cueOfWord(tokens, each.from) ?? cue;
    const time = settled(each.value, each.half ?? overall ?? shared, ownCue);
    if (time !== null) found.push({ value: time, start: each.start, end: each.end });
  }
  return found;
}

/** Two times that are said as a span ("nine to five", "from 9 till 5"): the places of its ends. */
export function isSpan(text: string, first: Found<unknown>, second: Found<unknown>): boolean {
  return /^\s*(?:to|till|til|until|through|-|–|—)\s*$/i.test(text.slice(first.end, second.start));
}

function settled(reading: ClockReading, half: HalfOfDay, cue: HalfOfDay): TimeOfDay | null {
  const { hour, minute } = reading;
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return null;
  if (hour === 24) return { hour: 0, minute: 0 };
  if (half !== null) {
    if (hour > 12) return { hour, minute };
    return { hour: half === 'morning' ? hour % 12 : (hour % 12) + 12, minute };
  }
  if (reading.is24 || hour > 12 || hour === 0) return { hour, minute };
  if (hour === 12) return cue === null ? { hour, minute } : null; // closing at twelve: noon or midnight
  if (cue === 'afternoon') return { hour: hour + 12, minute };
  if (cue === 'morning' && hour >= 5) return { hour, minute };
  if (hour >= 9) return { hour, minute };
  if (hour <= 6) return { hour: hour + 12, minute };
  return null; // seven and eight are breakfast to one and dinner to another
}

function cueOf(leaf: Leaf): HalfOfDay {
  const words = [leaf.name, leaf.title, leaf.description].join(' ').toLowerCase();
  const isLate = /\b(?:clos\w*|shuts?|dinner|supper|evening|night|tonight|afternoon|last entry|until|pm)\b/.test(words);
  const isEarly = /\b(?:open\w*|breakfast|morning|am)\b/.test(words);
  if (isLate === isEarly) return null;
  return isLate ? 'afternoon' : 'morning';
}

/** "we open at 9 and close at 5": the verb right before the time decides for it. */
function cueOfWord(tokens: readonly Token[], index: number): HalfOfDay {
  for (const { word } of tokens.slice(Math.max(0, index - 3), index).toReversed()) {
    if (/^(?:clos\w*|shuts?|until|till|til)$/.test(word)) return 'afternoon';
    if (/^open\w*$/.test(word)) return 'morning';
  }
  return null;
}

function clockAt(tokens: readonly Token[], index: number, hasEarlier: boolean): ClockReading | null {
  const word = tokens[index]?.word ?? '';
  if (word === 'noon' || word === 'midday') return { hour: 12, minute: 0, to: index + 1, is24: true };
  if (word === 'midnight') return { hour: 0, minute: 0, to: index + 1, is24: true };
  const past = relativeAt(tokens, index);
  if (past !== null) return past;
  const typed = /^(\d{1,2})[:.](\d{2})(?::\d{2})?$/.exec(word);
  if (typed !== null) {
    const isMoney = /^[$€£]$/.test(tokens[index - 1]?.word ?? '');
    const is24 = word.startsWith('0') || Number(typed[1]) > 12;
    return isMoney ? null : { hour: Number(typed[1]), minute: Number(typed[2]), to: index + 1, is24 };
  }
  if (
    /^(?:[01]\d|2[0-3])[0-5]\d$/.test(word) &&
    (/^hours?$/.test(tokens[index + 1]?.word ?? '') || word.startsWith('0'))
  ) {
    const to = /^hours?$/.test(tokens[index + 1]?.word ?? '') ? index + 2 : index + 1;
    return { hour: Number(word.slice(0, 2)), minute: Number(word.slice(2)), to, is24: true };
  }
  return bareHourAt(tokens, index, hasEarlier);
}

/** "half past nine", "quarter to five", "ten past three", "twenty five minutes to six". */
function relativeAt(tokens: readonly Token[], index: number): ClockReading | null {
  const skip = tokens[index]?.word === 'a' ? 1 : 0;
  const word = tokens[index + skip]?.word ?? '';
  const small =
    word === 'half'
      ? { value: 30, to: index + skip + 1 }
      : word === 'quarter'
        ? { value: 15, to: index + skip + 1 }
        : plainNumberAt(tokens, index + skip);
  if (small === null || small.value > 30 || small.value < 1) return null;
  const isBareNumber = word !== 'half' && word !== 'quarter';
  const isTyped = /^\d/.test(word); // "10 to 11" is a span, "ten to eleven" a time
  const hasMinutes = /^minutes?$/.test(tokens[small.to]?.word ?? '');
  const at = hasMinutes ? small.to + 1 : small.to;
  const direction = tokens[at]?.word ?? '';
  const isTo = /^(?:to|till|of|before)$/.test(direction);
  const isPast = direction === 'past' || direction === 'after';
  if (word === 'half' && !isPast) return null;
  if (!isTo && !isPast) return null;
  if (
    isBareNumber &&
    !hasMinutes &&
    isTo &&
    (isTyped || ![5, 10, 20, 25].includes(small.value) || direction !== 'to' || isInSpan(tokens, index))
  )
    return null;
  const hourWord = tokens[at + 1]?.word ?? '';
  const named = hourWord === 'noon' || hourWord === 'midday' ? 12 : hourWord === 'midnight' ? 24 : null;
  const hour = named === null ? plainNumberAt(tokens, at + 1) : { value: named, to: at + 2 };
  if (hour === null || hour.value < 1 || hour.value > 24) return null;
  const minutes = hour.value * 60 + (isTo ? -small.value : small.value);
  const is24 = named !== null || hour.value > 12;
  const wrapped = ((minutes % 1440) + 1440) % 1440;
  // "a quarter to one" is 12:45 whichever half of the day it is
  const total = !is24 && wrapped < 60 ? wrapped + 720 : wrapped;
  return { hour: Math.floor(total / 60), minute: total % 60, to: hour.to, is24 };
}

function isInSpan(tokens: readonly Token[], index: number): boolean {
  return /^(?:from|between|open|opens|are|is)$/.test(tokens[index - 1]?.word ?? '');
}

/** A bare hour, with minutes in words after it: "five", "nine thirty", "nine oh five", "17h30", "5 o'clock". */
function bareHourAt(tokens: readonly Token[], index: number, hasEarlier: boolean): ClockReading | null {
  const hour = plainNumberAt(tokens, index);
  if (hour === null || hour.value > 24 || !Number.isInteger(hour.value)) return null;
  const before = tokens[index - 1]?.word ?? '';
  const isTypedZero = /^0\d$/.test(tokens[index]?.word ?? '');
  if (/^[$€£#]$/.test(before)) return null;
  const next = tokens[hour.to]?.word ?? '';
  if (next === 'h') {
    const minute = plainNumberAt(tokens, hour.to + 1);
    const hasMinute = minute !== null && minute.value < 60;
    return {
      hour: hour.value,
      minute: hasMinute ? minute.value : 0,
      to: hasMinute ? minute.to : hour.to + 1,
      is24: true,
    };
  }
  if (next === 'hundred' && /^hours?$/.test(tokens[hour.to + 1]?.word ?? ''))
    return { hour: hour.value, minute: 0, to: hour.to + 2, is24: true };
  if (/^(?:oh|o)$/.test(next)) {
    const digit = plainNumberAt(tokens, hour.to + 1);
    if (digit !== null && digit.value < 10) return { hour: hour.value, minute: digit.value, to: digit.to, is24: false };
  }
  const minute = smallNumberAt(tokens, hour.to);
  if (minute !== null && minute.value >= 10 && minute.value < 60) {
    return { hour: hour.value, minute: minute.value, to: minute.to, is24: hour.value > 12 };
  }
  if (/^(?:o'clock|oclock)$/.test(next)) return { hour: hour.value, minute: 0, to: hour.to + 1, is24: isTypedZero };
  if (next === 'o' && tokens[hour.to + 1]?.word === 'clock')
    return { hour: hour.value, minute: 0, to: hour.to + 2, is24: isTypedZero };
  const isMarked = halfAfter(tokens, hour.to).half !== null;
  const isIntroduced =
    /^(?:at|by|until|till|til|from|around|about|to|and|between|like|exactly|or|say|make|it's|is|clock)$/.test(before);
  const isAlone =
    index === 0 ||
    tokens
      .slice(0, index)
      .every((token) =>
        /^(?:uh|um|er|well|so|ok|okay|yes|yeah|sure|oh|we|close|open|opens|closes|at|that|would|be|it's|it|is|the|answer)$/.test(
          token.word,
        ),
      );
  const isCounted =
    /^(?:minutes?|mins?|hours?|hrs?|days?|weeks?|people|persons?|dollars?|percent|%|st|nd|rd|th|seats?|tables?|guests?|times?)$/.test(
      next,
    );
  if (isCounted || !(isMarked || isIntroduced || isAlone || hasEarlier)) return null;
  return { hour: hour.value, minute: 0, to: hour.to, is24: isTypedZero };
}

function plainNumberAt(
  tokens: readonly Token[],
  index: number,
): { readonly value: number; readonly to: number } | null {
  const word = tokens[index]?.word ?? '';
  const digits = /^\d{1,2}$/.test(word) ? numberOfDigits(word) : null;
  return digits === null ? smallNumberAt(tokens, index) : { value: digits, to: index + 1 };
}

function halfAfter(tokens: readonly Token[], index: number): { readonly half: HalfOfDay; readonly to: number } {
  const words = [0, 1, 2].map((step) => tokens[index + step]?.word ?? '');
  const [first = '', second = '', third = ''] = words;
  if (first === 'am' || (first === 'a' && second === 'm'))
    return { half: 'morning', to: index + (first === 'am' ? 1 : 2) };
  if (first === 'pm' || (first === 'p' && second === 'm'))
    return { half: 'afternoon', to: index + (first === 'pm' ? 1 : 2) };
  const skip = /^(?:o'clock|oclock)$/.test(first) ? 1 : 0;
  if (skip === 1) {
    const after = halfAfter(tokens, index + 1);
    return after.half === null ? { half: null, to: index + 1 } : after;
  }
  if (first === 'in' && second === 'the') {
    if (third === 'morning') return { half: 'morning', to: index + 3 };
    if (third === 'afternoon' || third === 'evening') return { half: 'afternoon', to: index + 3 };
  }
  if (first === 'at' && second === 'night') return { half: 'afternoon', to: index + 2 };
  if (first === 'tonight') return { half: 'afternoon', to: index + 1 };
  if (/^(?:this|tomorrow)$/.test(first) && /^(?:morning|afternoon|evening)$/.test(second)) {
    return { half: second === 'morning' ? 'morning' : 'afternoon', to: index + 2 };
  }
  return { half: null, to: index };
}

/** "in the evening, at seven", "tomorrow morning at eight": one half of the day for the whole turn. */
function halfBefore(tokens: readonly Token[]): HalfOfDay {
  const isMorning = tokens.some((token) => token.word === 'morning' || token.word === 'mornings');
  const isLate = tokens.some((token) => /^(?:afternoons?|evenings?|tonight|night|dinner)$/.test(token.word));
  if (isMorning === isLate) return null;
  return isMorning ? 'morning' : 'afternoon';
}
