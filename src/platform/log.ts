// One JSON line an event on standard error: a constant message in words, ids as fields, `reason` for the message of what went
// wrong, `err` for an error whose stack matters. Never a key, a full number, or what was said.
import { pino } from 'pino';
import type { Logger } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Writes to standard error, so that standard output stays for people and scripts. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  );
}

/** Causes of causes that are told. */
const CAUSES_LIMIT = 5;

export interface DescribedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

/**
 * An error as the logs have it: name, message, code, stack and the chain of causes. Nothing else of it: other members may quote
 * what must not be logged, as PostgreSQL's `detail` quotes whole rows.
 */
export function describeError(thrown: unknown, depth = 0): DescribedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined || depth >= CAUSES_LIMIT ? {} : { cause: describeError(cause, depth + 1) }),
  };
}
