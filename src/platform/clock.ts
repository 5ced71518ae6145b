// Time and chance. The only file that asks the machine for either, so that a test or a simulation can hold both.
import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';

/** A running timer; `cancel` is safe to call after it has fired. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall time. */
  now(): Date;
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonicMs(): number;
  /** Calls `fire` once after at least `delayMs`; an uncancelled timer does not keep the process alive. */
  after(delayMs: number, fire: () => void): Timer;
}

export interface Chance {
  /** A UUIDv7: sortable by time of making. */
  uuid(): string;
  /** `size` random bytes fit for secrets. */
  bytes(size: number): Buffer;
  /** A whole number from 0 up to, not including, `limit` (at most 2^48). */
  integer(limit: number): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  after: (delayMs, fire) => {
    const timer = setTimeout(fire, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

export const systemChance: Chance = {
  uuid: () => randomUUIDv7(),
  bytes: (size) => randomBytes(size),
  integer: (limit) => randomInt(limit),
};

/**
 * Waits for real time and, unlike a clock's timer, keeps the process alive meanwhile: for polling another process.
 * @throws the signal's reason when it is aborted first
 */
export async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await setTimeoutPromise(delayMs, undefined, signal === undefined ? {} : { signal });
}

/**
 * Waits for `work`, but no longer than `limitMs`.
 * @param late gives the answer in its place, or throws; what `work` comes to afterwards is dropped
 */
export async function within<T, Late>(
  clock: Clock,
  limitMs: number,
  work: Promise<T>,
  late: () => Late,
): Promise<T | Late> {
  const limit = Promise.withResolvers<void>();
  const timer = clock.after(limitMs, limit.resolve);
  try {
    return await Promise.race([work, limit.promise.then(late)]);
  } finally {
    timer.cancel();
  }
}
