// A clock that stands still until a test moves it, and chance from a printed seed: what time and luck do becomes repeatable.
import type { Chance, Clock, Timer } from '../../src/platform/clock.ts';

/** Fires what is due, in order, each at its own time, while it is moved. */
export class MovedClock implements Clock {
  #nowMs = 0;
  readonly #startedAt = Date.UTC(2026, 0, 1);
  #waiting: { dueMs: number; fire: () => void }[] = [];

  now(): Date {
    return new Date(this.#startedAt + this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): Timer {
    const entry = { dueMs: this.#nowMs + delayMs, fire };
    this.#waiting.push(entry);
    return {
      cancel: () => {
        this.#waiting = this.#waiting.filter((each) => each !== entry);
      },
    };
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Moves on by `ms`. @param lateMs how late each timer fires, as on a busy machine */
  move(ms: number, lateMs = 0): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#waiting.filter((each) => each.dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs + lateMs);
      next.fire();
    }
    this.#nowMs = Math.max(this.#nowMs, endMs);
  }
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class SeededChance implements Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  integer(limit: number): number {
    return Math.floor(this.#fraction() * limit);
  }

  bytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.integer(256)));
  }

  uuid(): string {
    const hex = this.bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
