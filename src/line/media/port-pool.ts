// The even UDP ports of a range, one a stream (RTP; the odd one above it stays free for RTCP). Bounded by the range.
import type { Chance, Clock } from '../../platform/clock.ts';

/** A port rests after use, so that the last packets of one call do not reach the next. */
const REST_MS = 2_000;

export class PortPool {
  readonly #clock: Clock;
  /** In the order of their use; a port that rests is never in front of one that is free. */
  readonly #free: { readonly port: number; readonly fromMs: number }[] = [];

  /**
   * @param firstPort lowest port of the range
   * @param lastPort highest port of the range; a pair needs the odd one too
   * @param chance where in the range to begin: two processes on one range then seldom meet
   */
  constructor(firstPort: number, lastPort: number, clock: Clock, chance: Chance) {
    this.#clock = clock;
    const ports: number[] = [];
    for (let port = firstPort + (firstPort % 2); port + 1 <= lastPort; port += 2) ports.push(port);
    const start = ports.length === 0 ? 0 : chance.integer(ports.length);
    for (const port of [...ports.slice(start), ...ports.slice(0, start)]) {
      this.#free.push({ port, fromMs: Number.NEGATIVE_INFINITY });
    }
  }

  /** @returns the port that has been free longest; null when all are used or resting */
  take(): number | null {
    const first = this.#free[0];
    if (first === undefined || first.fromMs > this.#clock.monotonicMs()) return null;
    this.#free.shift();
    return first.port;
  }

  /** Gives a port back, to be used again after a rest. */
  release(port: number): void {
    this.#free.push({ port, fromMs: this.#clock.monotonicMs() + REST_MS });
  }
}
