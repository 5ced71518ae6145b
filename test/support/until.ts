// Waits for something that happens elsewhere, with a deadline: for tests that cannot be told.
import { pause } from '../../src/platform/clock.ts';

const STEP_MS = 10;

/**
 * Asks again and again until the answer is neither null, undefined nor false.
 * @param what for the message, e.g. `the call is in recovery`
 * @throws {Error} when that takes longer than `limitMs`
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  limitMs = 15_000,
): Promise<T> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += STEP_MS) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await pause(STEP_MS);
  }
  throw new Error(`waited ${limitMs} ms in vain: ${what}`);
}
