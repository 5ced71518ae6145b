// Operators' words as values: each parser names the option and what is wanted when a word does not fit.
import { UUID } from '../contract/compile.ts';
import { UsageError } from './command.ts';

export function uuidOf(name: string, value: string | undefined): string {
  if (value === undefined || !UUID.test(value)) throw new UsageError(`${name} must be an id (a UUID)`);
  return value.toLowerCase();
}

/** @param most length limit in code points, as the database holds it */
export function textOf(name: string, value: string | undefined, most: number): string {
  const length = [...(value ?? '')].length;
  if (value === undefined || length < 1 || length > most)
    throw new UsageError(`${name} must have 1 to ${most} characters`);
  return value;
}

export function wholeOf(name: string, value: string | undefined, least: number, most: number): number {
  const parsed = /^[+-]?[0-9]{1,10}$/.test(value ?? '') ? Number(value) : Number.NaN;
  if (!(parsed >= least && parsed <= most))
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`);
  return parsed;
}

export function choiceOf<const Choice extends string>(
  name: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${name} must be one of ${choices.join(', ')}`);
  return found;
}

/** `never`, or a moment such as 2027-01-31 or 2027-01-31T12:00:00Z. */
export function momentOf(name: string, value: string): Date | null {
  if (value === 'never') return null;
  const moment = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9:]+))?$/.test(value)
    ? new Date(value)
    : new Date(Number.NaN);
  // `Date` takes 30 February for 2 March.
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  const isOfCalendar = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
  if (Number.isNaN(moment.getTime()) || !isOfCalendar)
    throw new UsageError(`${name} must be a moment such as 2027-01-31T12:00:00Z, or never`);
  return moment;
}
