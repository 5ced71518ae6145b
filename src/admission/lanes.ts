// Adaptive group admission: a lane is one connection with one batch in flight; requests that arrive meanwhile form the next
// batch. No timer ever holds a request back. A request whose batch was lost in flight is never sent again: it may have become
// a call, and only its own sender can find out, by its Idempotency-Key.
import type { Clock, Timer } from '../platform/clock.ts';
import type { Database, DedicatedConnection, Queryable } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';

/** One fsync for up to that many requests: beyond 64 a batch costs each of them more waiting than it saves. */
export const BATCH_LIMIT = 64;
/** A body has at most 256 KiB, so a batch of large ones is cut by their sum. */
export const BATCH_LIMIT_BYTES = 4 * 1024 * 1024;

const RECONNECT_START_MS = 20;
const RECONNECT_LIMIT_MS = 1_000;
const SWEEP_MS = 100;

export interface LaneLimits {
  readonly lanes: number;
  /** Requests that wait for a lane; one more is turned away. */
  readonly waiting: number;
  /** How long one may wait for a lane, ms. */
  readonly waitMs: number;
  /** How long a batch may be in flight, ms; then its connection is given up. */
  readonly flightMs: number;
}

export const LANE_LIMITS: LaneLimits = { lanes: 2, waiting: 2_048, waitMs: 4_000, flightMs: 8_000 };

export interface LaneParts<Row, Outcome> {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: LaneLimits;
  readonly sizeOf: (row: Row) => number;
  /** Runs a batch in one transaction; one outcome a row, in order. */
  readonly run: (connection: Queryable, rows: readonly Row[]) => Promise<readonly Outcome[]>;
}

interface Waiting<Row, Outcome> {
  readonly row: Row;
  readonly sinceMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class Lanes<Row, Outcome> implements AsyncDisposable {
  readonly #parts: LaneParts<Row, Outcome>;
  readonly #free: DedicatedConnection[] = [];
  readonly #open = new Set<DedicatedConnection>();
  readonly #work = new Set<Promise<void>>();
  #queue: Waiting<Row, Outcome>[] = [];
  #isPumpDue = false;
  #isClosed = false;
  #sweep: Timer | null = null;
  #pauses = new Set<Timer>();

  private constructor(parts: LaneParts<Row, Outcome>) {
    this.#parts = parts;
  }

  /** Opens every lane. @throws {Fault} when the database cannot be reached */
  static async open<Row, Outcome>(parts: LaneParts<Row, Outcome>): Promise<Lanes<Row, Outcome>> {
    const lanes = new Lanes(parts);
    try {
      for (let count = 0; count < parts.limits.lanes; count++) await lanes.#connect();
    } catch (error) {
      await lanes[Symbol.asyncDispose]();
      throw error;
    }
    return lanes;
  }

  /**
   * Hands a request to the next batch.
   * @throws {Fault} `safe`: it never left (too many wait, no lane in time, or the server refused it whole); `never`: its
   *   batch was lost in flight and may have been committed
   */
  submit(row: Row): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(notTaken('the service is stopping'));
      if (this.#queue.length >= this.#parts.limits.waiting) return reject(notTaken('too many creates are waiting'));
      this.#queue.push({ row, sinceMs: this.#parts.clock.monotonicMs(), resolve, reject });
      this.#pumpSoon();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#sweep?.cancel();
    for (const pause of this.#pauses) pause.cancel();
    for (const waiting of this.#queue.splice(0)) waiting.reject(notTaken('the service is stopping'));
    await Promise.all(this.#work);
    await Promise.all([...this.#open].map((connection) => connection.release()));
  }

  /** After the requests that came in with the same reading of the sockets have queued up too. */
  #pumpSoon(): void {
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    setImmediate(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#queue.length > 0) {
      const connection = this.#free.pop();
      if (connection === undefined) break;
      const flight = this.#fly(connection, this.#nextBatch());
      this.#work.add(flight);
      void flight.finally(() => this.#work.delete(flight));
    }
    if (this.#queue.length > 0 && this.#sweep === null && !this.#isClosed) {
      this.#sweep = this.#parts.clock.after(SWEEP_MS, () => this.#turnAwayLate());
    }
  }

  #nextBatch(): Waiting<Row, Outcome>[] {
    let count = 0;
    let bytes = 0;
    for (const { row } of this.#queue) {
      bytes += this.#parts.sizeOf(row);
      if (count > 0 && (count >= BATCH_LIMIT || bytes > BATCH_LIMIT_BYTES)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** One batch, from its start to the answers; then the lane is free, or it is replaced. Never rejects. */
  async #fly(connection: DedicatedConnection, batch: readonly Waiting<Row, Outcome>[]): Promise<void> {
    try {
      await this.#run(connection, batch);
    } catch (error) {
      const fault = new Fault('the database was lost while calls were being admitted', {
        blame: 'us',
        retry: 'never',
        cause: error,
      });
      for (const { reject } of batch) reject(fault); // a promise that was settled before stays as it was
      this.#replace(connection);
      return;
    }
    if (this.#open.has(connection)) this.#free.push(connection);
    this.#pump();
  }

  /** @throws {Fault} when the connection cannot be relied on any more */
  async #run(connection: DedicatedConnection, batch: readonly Waiting<Row, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.#within(connection, batch);
      for (const [index, outcome] of outcomes.entries()) batch[index]?.resolve(outcome);
    } catch (error) {
      if (error instanceof Fault || codeOf(error) === null) throw error;
      // The server said no and rolled back: nothing of the batch was admitted. What one request did to it must not be the
      // others' loss, so each goes alone.
      if (batch.length > 1 && isOfOneRow(error)) {
        for (const waiting of batch) await this.#run(connection, [waiting]);
        return;
      }
      const fault = notTaken(`the database refused an admission (${codeOf(error)})`, withoutData(error));
      for (const { reject } of batch) reject(fault);
    }
  }

  #within(connection: DedicatedConnection, batch: readonly Waiting<Row, Outcome>[]): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      const { clock, limits, run } = this.#parts;
      const deadline = clock.after(limits.flightMs, () => {
        reject(new Fault('the database did not answer in time', { blame: 'us', retry: 'never' }));
      });
      run(
        connection,
        batch.map(({ row }) => row),
      )
        .then(resolve, reject)
        .finally(() => deadline.cancel());
    });
  }

  async #connect(): Promise<void> {
    const connection = await this.#parts.database.connect();
    if (this.#isClosed) return connection.release();
    this.#open.add(connection);
    this.#free.push(connection);
    void connection.ended.then(() => this.#replace(connection));
    this.#pump();
  }

  /** Gives a connection up, once, and opens another. */
  #replace(connection: DedicatedConnection): void {
    if (!this.#open.delete(connection)) return;
    const at = this.#free.indexOf(connection);
    if (at >= 0) this.#free.splice(at, 1);
    connection.release().catch(() => undefined); // it is lost anyway
    this.#reconnect(RECONNECT_START_MS);
  }

  #reconnect(pauseMs: number): void {
    if (this.#isClosed) return;
    const attempt = this.#connect().catch((error: unknown) => {
      this.#parts.log.warn({ reason: messageOf(error) }, 'admission lane cannot connect');
      if (this.#isClosed) return;
      const pause = this.#parts.clock.after(pauseMs, () => {
        this.#pauses.delete(pause);
        this.#reconnect(Math.min(pauseMs * 2, RECONNECT_LIMIT_MS));
      });
      this.#pauses.add(pause);
    });
    this.#work.add(attempt);
    void attempt.finally(() => this.#work.delete(attempt));
  }

  /** Runs only while something waits. */
  #turnAwayLate(): void {
    this.#sweep = null;
    const oldestMs = this.#parts.clock.monotonicMs() - this.#parts.limits.waitMs;
    const firstInTime = this.#queue.findIndex(({ sinceMs }) => sinceMs > oldestMs);
    const late = this.#queue.splice(0, firstInTime < 0 ? this.#queue.length : firstInTime);
    for (const { reject } of late) reject(notTaken('no connection to the database was free in time'));
    this.#pump();
  }
}

function notTaken(because: string, cause?: unknown): Fault {
  return new Fault(`nothing was admitted: ${because}`, { blame: 'us', retry: 'safe', cause });
}

/** Classes of SQLSTATE that one row of a batch can cause: data, constraints, and a lost race (deadlock, serialization). */
function isOfOneRow(error: unknown): boolean {
  return /^(22|23|40)/.test(codeOf(error) ?? '');
}

/** The SQLSTATE: only with one did the server itself say that the statement failed. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null;
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}

/** The server's error tells in `detail` and `where` what the row held: that goes into no log. */
function withoutData(error: unknown): Error {
  return new Error(`SQLSTATE ${codeOf(error)}`);
}
