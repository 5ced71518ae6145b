// Holds up to `capacity` calls: claims them, keeps their leases, passes cancel and stop on, and sees that every call it took ends
// with an outcome or in recovery. Never runs a call whose claim is not committed, never runs one twice.
import type { Chance, Clock, Timer } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Dispatch } from './advance.ts';
import { Desk } from './desk.ts';
import { claimNext } from './queue.ts';
import type { CallRunner, ClaimedCall } from './runner.ts';
import { renewLeases, renewUnstarted } from './store.ts';
import { within } from '../platform/clock.ts';

/** Notifications wake the worker within milliseconds; this is the net below them. */
const POLL_MS = 1_000;
/** A runner ends a call by itself: the longest ring and the goodbye after the limit fit in here with room to spare. */
const OVERRUN_MS = 15 * 60_000;
/** From `stop` to the end of a call: a goodbye and a hang-up with all its timers (SIP: 32 s). */
const STOP_GRACE_MS = 35_000;

export interface WorkerParts {
  readonly database: Database;
  readonly dispatch: Dispatch;
  readonly runner: CallRunner;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Logger;
  /** Calls at the same time. */
  readonly capacity: number;
  /** How long running calls may go on after `asyncDispose` before they are ended. */
  readonly drainMs: number;
  /** How long they may then take to end; left out: a goodbye and all timers of a hang-up. */
  readonly stopGraceMs?: number;
}

interface Running {
  readonly desk: Desk;
  /** Never rejects. */
  readonly done: Promise<void>;
}

export class Worker implements AsyncDisposable {
  readonly id: string;
  readonly #parts: WorkerParts;
  readonly #running = new Map<string, Running>();
  readonly #listening: AsyncDisposable[] = [];
  #unsure: ClaimedCall | null = null;
  #state: 'idle' | 'taking' | 'draining' = 'idle';
  #isWoken = false;
  #claiming: Promise<void> | null = null;
  #renewing: Promise<void> | null = null;
  #poll: Timer | null = null;
  #renewal: Timer | null = null;
  #drained: Promise<void> | null = null;

  constructor(parts: WorkerParts) {
    this.id = parts.chance.uuid();
    this.#parts = parts;
  }

  /** Calls that this worker holds now. */
  get load(): number {
    return this.#running.size;
  }

  /**
   * Begins to take calls.
   * @throws {Fault} when the database cannot be reached; later outages are waited out
   */
  async start(): Promise<void> {
    const { database } = this.#parts;
    const wake = (): void => this.#wake();
    const renew = (): void => void this.#renew();
    this.#listening.push(await database.listen('calls_queued', wake, wake));
    this.#listening.push(
      await database.listen('call_changed', (callId) => this.#running.get(callId)?.desk.askForCancel(), renew),
    );
    this.#state = 'taking';
    this.#keepPolling();
    this.#keepRenewing();
    this.#wake();
  }

  /** Takes no more calls, lets those that run go on for `drainMs`, then ends them. Bounded; repeated calls wait for the first. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async #drain(): Promise<void> {
    this.#state = 'draining';
    this.#poll?.cancel();
    await this.#claiming;
    if (this.#running.size > 0) this.#parts.log.info({ calls: this.#running.size }, 'waiting for running calls');
    await this.#settledWithin(this.#parts.drainMs);
    for (const { desk } of this.#running.values()) desk.askForStop();
    await this.#settledWithin(this.#parts.stopGraceMs ?? STOP_GRACE_MS);
    for (const { desk } of this.#running.values()) {
      this.#parts.log.error({ call_id: desk.call.id }, 'call did not end in time; recovery takes over');
      desk.abandon();
    }
    this.#renewal?.cancel();
    await this.#renewing;
    for (const listening of this.#listening) await listening[Symbol.asyncDispose]();
  }

  async #settledWithin(limitMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    const settled = Promise.all([...this.#running.values()].map((running) => running.done));
    await within(this.#parts.clock, limitMs, settled, () => undefined);
  }

  #keepPolling(): void {
    if (this.#state !== 'taking') return;
    this.#poll = this.#parts.clock.after(POLL_MS, () => {
      this.#wake();
      this.#keepPolling();
    });
  }

  #wake(): void {
    this.#isWoken = true;
    if (this.#state !== 'taking' || this.#claiming !== null) return;
    this.#claiming = this.#take().finally(() => {
      this.#claiming = null;
      if (this.#isWoken && this.#hasRoom()) this.#wake();
    });
  }

  #hasRoom(): boolean {
    return this.#state === 'taking' && this.#running.size < this.#parts.capacity;
  }

  /** Takes calls while there are some and there is room. Never rejects: an outage ends the round, the poll begins another. */
  async #take(): Promise<void> {
    const { database, dispatch, runner, log } = this.#parts;
    try {
      if (this.#unsure !== null) await this.#settleUnsure(this.#unsure);
      while (this.#hasRoom()) {
        this.#isWoken = false;
        const claim = await claimNext({ database, dispatch, runner, workerId: this.id });
        if (claim.kind === 'none') break;
        if (claim.kind === 'claimed') this.#begin(claim.call);
        if (claim.kind === 'unsure') {
          this.#unsure = claim.call;
          throw claim.cause;
        }
      }
    } catch (error) {
      this.#isWoken = false;
      log.warn({ worker_id: this.id, reason: messageOf(error) }, 'no call could be claimed');
    }
  }

  /** A claim whose commit was never confirmed was never run here: it is run now if it is in the database. */
  async #settleUnsure(call: ClaimedCall): Promise<void> {
    const { database, dispatch } = this.#parts;
    const held = await renewUnstarted(database, this.id, call, dispatch.settings.leaseMs);
    this.#unsure = null;
    if (held !== null) this.#begin(call, held.is_cancel_requested);
  }

  #begin(call: ClaimedCall, isCancelled = false): void {
    const desk = new Desk(call, this.#parts);
    if (isCancelled) desk.askForCancel();
    const done = this.#run(desk).finally(() => {
      this.#running.delete(call.id);
      this.#wake();
    });
    this.#running.set(call.id, { desk, done });
  }

  /** One call from claim to outcome. Never rejects. */
  async #run(desk: Desk): Promise<void> {
    const { runner, clock, log } = this.#parts;
    const { call } = desk;
    let overrun: Timer | null = null;
    const tooLong = new Promise<string>((resolve) => {
      const giveUp = (): void => resolve('the runner did not end in time');
      overrun = clock.after(call.maxDurationSeconds * 1_000 + OVERRUN_MS, () => {
        desk.askForStop();
        overrun = clock.after(STOP_GRACE_MS, giveUp);
      });
    });
    try {
      // Cancelled before anything was sent: there is no call to hang up.
      if (desk.cancel.aborted) await desk.report({ kind: 'hang_up_confirmed' });
      const how = desk.cancel.aborted ? 'cancelled' : await Promise.race([this.#runToEnd(desk, runner), tooLong]);
      await desk.close(`no outcome is known: ${how}`);
    } catch (error) {
      log.error({ call_id: call.id, reason: messageOf(error) }, 'outcome of a call could not be written');
    } finally {
      (overrun as Timer | null)?.cancel(); // set by the promise's executor, which has run
    }
  }

  async #runToEnd(desk: Desk, runner: CallRunner): Promise<string> {
    try {
      await runner.run(desk.call, desk);
      return 'the runner is done';
    } catch (error) {
      this.#parts.log.error({ call_id: desk.call.id, reason: messageOf(error) }, 'runner of a call failed');
      return 'the runner failed';
    }
  }

  #keepRenewing(): void {
    this.#renewal = this.#parts.clock.after(this.#parts.dispatch.settings.leaseMs / 3, () => {
      void this.#renew();
      this.#keepRenewing();
    });
  }

  /** Renews all leases in one statement, one at a time; its answer also tells of cancel requests and lost claims. */
  #renew(): Promise<void> {
    this.#renewing ??= this.#renewNow().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewNow(): Promise<void> {
    const { database, dispatch, log } = this.#parts;
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    try {
      for (const held of await renewLeases(database, this.id, ids, dispatch.settings.leaseMs)) {
        const desk = this.#running.get(held.id)?.desk;
        if (desk === undefined) continue;
        if (held.claim_number !== desk.call.claimNumber) desk.lose();
        else if (held.is_cancel_requested) desk.askForCancel();
      }
    } catch (error) {
      log.warn({ worker_id: this.id, reason: messageOf(error) }, 'leases could not be renewed');
    }
  }
}
