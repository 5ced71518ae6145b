// The shape of an operator's command, and how its words are parsed and its answer printed. Knows no command itself.
import { parseArgs } from 'node:util';
import type { Dispatch } from '../dispatch/advance.ts';
import type { Database } from '../platform/database.ts';
import type { Chance, Clock } from '../platform/clock.ts';

/** Wrong words on the command line; printed with the command's help, exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The words are right and what they ask for cannot be done as things stand; printed alone, exit status 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

export interface Option {
  readonly means: string;
  /** How the value is shown in help, e.g. `NAME`. */
  readonly value: string;
  readonly isRequired?: boolean;
}

export interface AdminTools {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly dispatch: Dispatch;
}

/** The named values of one invocation; a missing required one never gets here. */
export interface Words {
  /** The positional words, as many as the command names. */
  readonly operands: readonly string[];
  readonly option: (name: string) => string | undefined;
}

/** A record is printed as `name: value` lines, an array of them as a table; with --json as JSON. */
export type Answer = object | readonly object[];

export interface Command {
  /** e.g. `key create`. */
  readonly name: string;
  readonly means: string;
  /** Positional words, e.g. `PROJECT`. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  run(tools: AdminTools, words: Words): Promise<Answer>;
}

/** @throws {UsageError} naming the word that is wrong */
export function parseWords(
  command: Command,
  args: readonly string[],
): Words & { readonly isJson: boolean; readonly isHelp: boolean } {
  const known: Record<string, { readonly type: 'string' }> = {};
  for (const name of Object.keys(command.options)) known[name] = { type: 'string' };
  const parsed = parseStrictly(args, known);
  const isHelp = parsed.values['help'] === true;
  const option = (name: string): string | undefined => {
    const value = parsed.values[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (!isHelp) {
    if (parsed.positionals.length !== command.operands.length) {
      const wanted = command.operands.length === 0 ? 'no further word' : command.operands.join(' ');
      throw new UsageError(`${command.name} takes ${wanted}; ${parsed.positionals.length} given`);
    }
    for (const [name, { isRequired }] of Object.entries(command.options)) {
      if (isRequired === true && option(name) === undefined) throw new UsageError(`${command.name} needs --${name}`);
    }
  }
  return { operands: parsed.positionals, option, isJson: parsed.values['json'] === true, isHelp };
}

function parseStrictly(
  args: readonly string[],
  known: Record<string, { readonly type: 'string' }>,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      strict: true,
      options: { ...known, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const usage = ['errand admin', command.name, ...command.operands].join(' ');
  const options = Object.entries(command.options).map(([name, option]) => [
    `--${name} ${option.value}`,
    option.isRequired === true ? `${option.means} (required)` : option.means,
  ]);
  const all = [...options, ['--json', 'print JSON'], ['--help', 'print this']];
  const width = Math.max(...all.map(([left]) => left?.length ?? 0));
  return [
    usage,
    '',
    `  ${command.means}`,
    '',
    ...all.map(([left, right]) => `  ${(left ?? '').padEnd(width)}  ${right}`),
    '',
  ].join('\n');
}

/** An answer for people: a table for many, lines for one. */
export function printable(answer: Answer): string {
  if (!Array.isArray(answer)) {
    const entries = Object.entries(answer);
    const width = Math.max(0, ...entries.map(([name]) => name.length));
    return `${entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n')}\n`;
  }
  const rows = answer.map((row: object) => Object.entries(row));
  const [first] = rows;
  if (first === undefined) return 'none\n';
  const lines = [first.map(([name]) => name), ...rows.map((row) => row.map(([, value]) => cell(value)))];
  const widths = first.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  return `${padded.map((line) => line.trimEnd()).join('\n')}\n`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
