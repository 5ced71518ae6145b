// Purpose screening as admission needs it: rules that always run, and a judge where a language model is configured. The judge
// never sees a protected value; how many it is asked about at once is bounded.
import { Fault } from '../platform/errors.ts';

/** What is screened: every string that the caller wrote. */
export interface ScreenedTask {
  readonly objective: string;
  readonly context: unknown;
  readonly constraints: readonly string[];
  readonly successCriteria: readonly string[];
  readonly resultSchema: unknown;
  /** For whom the call would be placed, where that is known. */
  readonly callerName: string | null;
}

export type Screening = { readonly allowed: true } | { readonly allowed: false; readonly category: string };

export type ScreenByRules = (task: ScreenedTask) => Screening;

/** @throws {Fault} when it cannot answer within its own deadline */
export type Judge = (task: ScreenedTask, signal: AbortSignal) => Promise<Screening>;

/** Judgements at the same time, and requests that may wait for one. */
const JUDGED_AT_ONCE = 16;
const WAITING_FOR_JUDGE = 64;

/** Asks a judge, a bounded number of tasks at a time. */
export class Court {
  readonly #judge: Judge;
  readonly #stop = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** @throws {Fault} when the judge cannot answer, or too many wait for it already */
  async hear(task: ScreenedTask): Promise<Screening> {
    if (this.#busy >= JUDGED_AT_ONCE) await this.#turn();
    else this.#busy += 1;
    try {
      return await this.#judge(task, this.#stop.signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }

  /** Ends what is being asked; who waits finds the judge gone. */
  close(): void {
    this.#stop.abort();
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= WAITING_FOR_JUDGE) {
      throw new Fault('too many tasks wait for the purpose judge', { blame: 'us', retry: 'safe' });
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
