// The desk of one running call: its runner's news and segments go out in the order in which they came, each until the database
// has it or the claim is known to be stale. Never reorders, never drops one and writes the next, never speaks for a lost claim.
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Dispatch } from './advance.ts';
import type { WorkerEvent } from './call-event.ts';
import type { CallRow } from './call-row.ts';
import { isOpen } from './call-row.ts';
import type { CallDesk, ClaimedCall, SpokenSegment } from './runner.ts';
import { insertSegments } from './store.ts';

/** News and segments of one call that may wait for the database. A call of an hour writes about as many in all. */
export const OUTBOX_LIMIT = 2_000;
/** How long one of them is tried; after that the call is left to recovery. */
const KEEP_MS = 10 * 60_000;
/** A write that takes longer counts as an outage: the call goes on meanwhile. */
const AWAY_AFTER_MS = 1_000;
const RETRY_START_MS = 25;
const RETRY_LIMIT_MS = 1_000;
/** Tries of a statement that the database refuses rather than misses: a deadlock or a timeout may pass, a bug does not. */
const REFUSED_TRIES = 5;
const SEGMENT_LIMIT_CHARACTERS = 4_000;
const TOO_MANY = `more than ${OUTBOX_LIMIT} writes of one call wait for the database`;

interface DeskParts {
  readonly database: Database;
  readonly dispatch: Dispatch;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Desk implements CallDesk {
  readonly call: ClaimedCall;
  readonly #parts: DeskParts;
  readonly #cancel = new AbortController();
  readonly #stop = new AbortController();
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #sequence = 0;
  /** Resolved while the database is away: who waits for a write then is let go, and the write is kept. */
  #away = Promise.withResolvers<void>();
  #isAway = false;
  /** Why nothing is written any more; null while the desk is open. */
  #closed: 'claim lost' | 'abandoned' | null = null;
  #hasOutcome = false;

  constructor(call: ClaimedCall, parts: DeskParts) {
    this.call = call;
    this.#parts = parts;
  }

  get cancel(): AbortSignal {
    return this.#cancel.signal;
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  report(event: WorkerEvent, happenedMsAgo = 0): Promise<boolean> {
    const startedMs = this.#parts.clock.monotonicMs() - happenedMsAgo;
    const attempt = async (): Promise<boolean> => {
      const ageMs = this.#parts.clock.monotonicMs() - startedMs;
      const { id, claimNumber } = this.call;
      const advanced = await this.#parts.dispatch.advance(id, event, { claimNumber, ageMs });
      if (!advanced.isClaimCurrent) {
        this.lose();
        return false;
      }
      this.#learn(event, advanced.call);
      return true;
    };
    return this.#enqueue(attempt, { isClosed: false, isAway: true });
  }

  record(segments: readonly SpokenSegment[]): Promise<number> {
    const lengths = segments.map((segment) => [...segment.text].length);
    const wrong = lengths.find((length) => length < 1 || length > SEGMENT_LIMIT_CHARACTERS);
    if (wrong !== undefined) {
      return refuse(new RangeError(`a segment has 1 to ${SEGMENT_LIMIT_CHARACTERS} characters, not ${wrong}`));
    }
    if (this.#waiting >= OUTBOX_LIMIT) return refuse(new Error(TOO_MANY)); // before numbers are given: they have no gaps
    const numbered = segments.map((segment) => {
      this.#sequence += 1;
      // PostgreSQL holds every character but NUL.
      return { ...segment, text: segment.text.replaceAll('\0', '\uFFFD'), sequence: this.#sequence };
    });
    const last = this.#sequence;
    if (numbered.length === 0) return Promise.resolve(last);
    const startedMs = this.#parts.clock.monotonicMs();
    const attempt = async (): Promise<number> => {
      const { database, clock } = this.#parts;
      const ageMs = clock.monotonicMs() - startedMs;
      const held = { callId: this.call.id, claimNumber: this.call.claimNumber };
      if (!(await insertSegments(database, held, numbered, ageMs))) this.lose();
      return last;
    };
    return this.#enqueue(attempt, { isClosed: last, isAway: last });
  }

  /** Somebody asked to cancel the call. */
  askForCancel(): void {
    this.#cancel.abort();
  }

  /** The process is stopping and its patience is over. */
  askForStop(): void {
    this.#stop.abort();
  }

  /** The call is somebody else's now: nothing that waits is written, and every report answers false. */
  lose(): void {
    if (this.#closed !== null) return;
    this.#closed = 'claim lost';
    this.#parts.log.warn({ call_id: this.call.id, claim_number: this.call.claimNumber }, 'claim lost');
  }

  /** The process cannot wait any longer: recovery will find the call as it was last written. */
  abandon(): void {
    this.#closed ??= 'abandoned';
  }

  /** Waits until everything is written. A call without an outcome is then handed to recovery: its dial may have happened. */
  async close(because: string): Promise<void> {
    await this.#tail;
    if (this.#hasOutcome) return;
    await this.report({ kind: 'unacknowledged', because });
    await this.#tail;
  }

  #learn(event: WorkerEvent, call: CallRow): void {
    this.#hasOutcome = !isOpen(call) || event.kind === 'unacknowledged' || event.kind === 'hang_up_unconfirmed';
    if (isOpen(call) && call.cancel_requested_at !== null) this.askForCancel();
  }

  /** @returns what the write says, or at once `isAway` when the database is, or `isClosed` when the desk is */
  #enqueue<T>(attempt: () => Promise<T>, otherwise: { readonly isClosed: T; readonly isAway: T }): Promise<T> {
    if (this.#waiting >= OUTBOX_LIMIT) return refuse(new Error(TOO_MANY));
    this.#waiting += 1;
    const written = this.#tail
      .then(() => this.#persist(attempt, otherwise.isClosed))
      .finally(() => {
        this.#waiting -= 1;
      });
    // What could not be written must not be followed by what came after it.
    this.#tail = written.catch((error: unknown) => {
      const { log } = this.#parts;
      log.error(
        { call_id: this.call.id, reason: messageOf(error) },
        'a running call cannot be written; recovery takes over',
      );
      this.abandon();
    });
    const told = Promise.race([written, this.#away.promise.then(() => otherwise.isAway)]);
    told.catch(() => undefined); // a runner that does not wait for it hears of the trouble with its next write
    return told;
  }

  #noteAway(): void {
    this.#isAway = true;
    this.#away.resolve();
  }

  async #persist<T>(attempt: () => Promise<T>, whenClosed: T): Promise<T> {
    const { clock, log } = this.#parts;
    const giveUpMs = clock.monotonicMs() + KEEP_MS;
    let pauseMs = RETRY_START_MS;
    for (let refused = 0; this.#closed === null;) {
      const patience = clock.after(AWAY_AFTER_MS, () => this.#noteAway());
      try {
        const answer = await attempt();
        if (this.#isAway) this.#away = Promise.withResolvers();
        this.#isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof Fault)) refused += 1;
        if (refused >= REFUSED_TRIES || clock.monotonicMs() > giveUpMs) throw error;
        log.warn({ call_id: this.call.id, reason: messageOf(error) }, 'a write of a running call is tried again');
        if (error instanceof Fault) this.#noteAway();
      } finally {
        patience.cancel();
      }
      await new Promise<void>((resolve) => {
        clock.after(pauseMs, resolve);
      });
      pauseMs = Math.min(pauseMs * 2, RETRY_LIMIT_MS);
    }
    return whenClosed;
  }
}

/** A rejection that is no unhandled one where a runner does not wait for its answer. */
function refuse(reason: Error): Promise<never> {
  const refused = Promise.reject(reason);
  refused.catch(() => undefined);
  return refused;
}
