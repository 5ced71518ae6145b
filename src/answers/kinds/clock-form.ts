// Dates and times of day in the form that a schema accepts. Pure.
import type { Leaf, UnderstandContext } from '../leaf.ts';
import { isoDate } from './dates.ts';
import type { Day } from './dates.ts';
import { matcherOf } from './free-text.ts';
import type { TimeOfDay } from './times.ts';

/**
 * A time of day as text.
 * `format: time` means RFC 3339 full-time, which has an offset: the recipient's where the time zone is known, else `Z` stands
 * for "not said". Without a format it is `HH:MM`, or the form that the pattern accepts. @returns null where none fits
 */
export function timeText(leaf: Leaf, time: TimeOfDay, context: UnderstandContext): string | null {
  const [hour, minute] = [pad(time.hour), pad(time.minute)];
  const plain = `${hour}:${minute}`;
  if (leaf.format === 'time') return fitted(leaf, [`${plain}:00${offsetAt(context)}`]);
  if (leaf.format === 'iso-time') return fitted(leaf, [`${plain}:00`]);
  const hour12 = time.hour % 12 === 0 ? 12 : time.hour % 12;
  const half = time.hour < 12 ? 'AM' : 'PM';
  return fitted(leaf, [
    plain,
    `${plain}:00`,
    `${time.hour}:${minute}`,
    `${hour12}:${minute} ${half}`,
    `${pad(hour12)}:${minute} ${half}`,
    `${hour12}:${minute}${half}`,
    `${hour12}:${minute} ${half.toLowerCase()}`,
    `${plain}:00${offsetAt(context)}`,
    `${hour}${minute}`,
  ]);
}

/** RFC 3339 full-date, or the form that the pattern accepts. */
export function dateText(leaf: Leaf, day: Day): string | null {
  const [year, month, date] = [String(day.year), pad(day.month), pad(day.day)];
  return fitted(leaf, [
    isoDate(day),
    `${month}/${date}/${year}`,
    `${day.month}/${day.day}/${year}`,
    `${date}.${month}.${year}`,
    `${year}/${month}/${date}`,
    `${year}${month}${date}`,
  ]);
}

/** RFC 3339 date-time; without the format also without offset and seconds, as the pattern accepts. */
export function dateTimeText(leaf: Leaf, day: Day, time: TimeOfDay, context: UnderstandContext): string | null {
  const plain = `${isoDate(day)}T${pad(time.hour)}:${pad(time.minute)}`;
  const full = `${plain}:00${offsetAt(context, day, time)}`;
  if (leaf.format === 'date-time') return fitted(leaf, [full]);
  return fitted(leaf, [full, `${plain}:00`, plain, plain.replace('T', ' ')]);
}

function fitted(leaf: Leaf, forms: readonly string[]): string | null {
  const fits = leaf.pattern === null ? null : matcherOf(leaf.pattern);
  return fits === null ? (forms[0] ?? null) : (forms.find(fits) ?? null);
}

/** `+01:00` at that place and time; `Z` where the place is not known. */
function offsetAt(context: UnderstandContext, day?: Day, time?: TimeOfDay): string {
  if (context.timezone === undefined || context.timezone === 'UTC') return 'Z';
  const at =
    day === undefined
      ? context.now
      : new Date(Date.UTC(day.year, day.month - 1, day.day, time?.hour ?? 12, time?.minute ?? 0));
  const name = new Intl.DateTimeFormat('en-US', { timeZone: context.timezone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value;
  return /[+-]\d{2}:\d{2}$/.exec(name ?? '')?.[0] ?? 'Z';
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
