// The job behind every ended call: claims pending results, computes them, writes each once. Never touches calls; a result that
// fails is tried again with growing pauses and in the end says that it is unavailable.
import type { Clock, Timer } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { computeResult, givenUp } from './compute.ts';
import type { ComputeParts, Computed } from './compute.ts';
import { claimDueResults, nextDueAt, postponeResult, readSource, reopenResult, writeResult } from './store.ts';
import type { ClaimedResult } from './store.ts';

export interface ResultWorkerParts extends ComputeParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** All in ms but `attempts` and `parallel`. */
export interface ResultWorkerLimits {
  /** How long a claim lasts; longer than the longest computation. */
  readonly leaseMs: number;
  /** How often is looked for jobs that no notification told of, at the latest. */
  readonly pollMs: number;
  /** Attempts of one job, crashes included, before it is unavailable. */
  readonly attempts: number;
  /** The pause after the first failed attempt; it doubles each time. */
  readonly pauseMs: number;
  /** Jobs at the same time. */
  readonly parallel: number;
  /** How long after an attempt the next one may begin that a sync asks for. */
  readonly retryPauseMs: number;
}

export const RESULT_LIMITS: ResultWorkerLimits = {
  leaseMs: 60_000,
  pollMs: 5_000,
  attempts: 3,
  pauseMs: 1_000,
  parallel: 8,
  retryPauseMs: 3_000,
};

/**
 * Asks for another attempt at a failed extraction (`unavailable` or `invalid`); dials nobody.
 * One that is asked for a moment after the last one ended begins when the pause is over.
 * @returns whether one was granted: not while one is owed, and not for a call without a recipient's words
 */
export function requestRetry(database: Database, callId: string, clock: Clock): Promise<boolean> {
  return reopenResult(database, callId, clock.now());
}

/** Works from `start` until it is disposed of; any number of them can work on one database. */
export class ResultWorker implements AsyncDisposable {
  readonly #parts: ResultWorkerParts;
  readonly #limits: ResultWorkerLimits;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #listening: AsyncDisposable | null = null;
  #round: Promise<void> | null = null;
  #isAskedAgain = false;
  #timer: Timer | null = null;

  constructor(parts: ResultWorkerParts, limits: ResultWorkerLimits = RESULT_LIMITS) {
    this.#parts = parts;
    this.#limits = limits;
  }

  /** @throws {Fault} when the database cannot be reached */
  async start(): Promise<void> {
    const wake = (): void => this.wake();
    this.#listening = await this.#parts.database.listen('results_due', wake, wake);
    this.wake();
  }

  /** Looks for due jobs now. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#round !== null) {
      this.#isAskedAgain = true;
      return;
    }
    this.#timer?.cancel();
    this.#round = this.#workOff().finally(() => {
      this.#round = null;
      if (this.#isAskedAgain) {
        this.#isAskedAgain = false;
        this.wake();
      }
    });
  }

  /** Stops claiming and gives running computations up; what was claimed comes back to others when its lease has passed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#timer?.cancel();
    await this.#listening?.[Symbol.asyncDispose]();
    await this.#round;
    await Promise.all(this.#running);
  }

  async #workOff(): Promise<void> {
    let waitMs = this.#limits.pollMs;
    try {
      while (!this.#stop.signal.aborted && this.#running.size < this.#limits.parallel) {
        const free = this.#limits.parallel - this.#running.size;
        const now = this.#parts.clock.now();
        const leaseUntil = new Date(now.getTime() + this.#limits.leaseMs);
        const claimed = await claimDueResults(this.#parts.database, now, leaseUntil, free);
        for (const each of claimed) this.#begin(each);
        if (claimed.length < free) break;
      }
      const due = await nextDueAt(this.#parts.database);
      if (due !== null) waitMs = Math.min(waitMs, Math.max(10, due.getTime() - this.#parts.clock.now().getTime()));
    } catch (error) {
      this.#parts.log.error({ err: error }, 'results could not be claimed');
    }
    if (!this.#stop.signal.aborted) this.#timer = this.#parts.clock.after(waitMs, () => this.wake());
  }

  #begin(claimed: ClaimedResult): void {
    const work = this.#work(claimed).catch((error: unknown) => {
      this.#parts.log.error({ err: error, call_id: claimed.call_id }, 'result could not be written');
    });
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
      this.wake();
    });
  }

  async #work(claimed: ClaimedResult): Promise<void> {
    const { database, clock, log } = this.#parts;
    const source = await readSource(database, claimed.call_id);
    if (source === null) return this.#postpone(claimed); // not ended: dispatch owes the job in the transaction that ends it
    let computed: Computed;
    try {
      // Attempts that ended in a crash count: a job that kills its worker is not tried for ever.
      computed =
        claimed.attempts > this.#limits.attempts
          ? givenUp(source)
          : await computeResult(this.#parts, source, this.#stop.signal);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      const isLast = claimed.attempts >= this.#limits.attempts || (error instanceof Fault && error.retry === 'never');
      log.warn({ call_id: claimed.call_id, attempts: claimed.attempts, reason: messageOf(error) }, 'extraction failed');
      if (!isLast) return this.#postpone(claimed);
      computed = givenUp(source);
    }
    const retryNotBefore = new Date(clock.now().getTime() + this.#limits.retryPauseMs);
    const isWritten = await writeResult(database, claimed.call_id, { ...computed, retryNotBefore });
    const { status } = computed.publication;
    if (isWritten) log.info({ call_id: claimed.call_id, status, attempts: claimed.attempts }, 'result written');
  }

  async #postpone(claimed: ClaimedResult): Promise<void> {
    const pauseMs = this.#limits.pauseMs * 2 ** Math.min(claimed.attempts - 1, 10);
    await postponeResult(this.#parts.database, claimed.call_id, new Date(this.#parts.clock.now().getTime() + pauseMs));
  }
}
