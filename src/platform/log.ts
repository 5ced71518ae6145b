// One JSON line an event on standard error: a constant message, ids as fields. Never a key, a full number, or what was said.
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
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  );
}
