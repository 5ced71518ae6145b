// The caretaker: sees that every deadline of a call is answered. Queue limits, leases of workers that are gone, bounded look-ups.
// Any number of them may run at once: each of them only proposes, and `advance` believes what is true. Never dials.
import type { LegRecord, LookUp } from '../line/line.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { Dispatch } from './advance.ts';
import type { OtherEvent } from './call-event.ts';
import { readDueLookUps, readExpiredLeases, readExpiredQueued, readNextDeadline } from './store.ts';
import type { DoubtfulCall } from './store.ts';
import { within } from '../platform/clock.ts';

/** Calls that one pass takes of each kind; a full pass is followed by another at once. */
const BATCH_LIMIT = 200;
/** Calls that are looked up at the same time. Look-ups ask others and may be slow, so no pass waits for them. */
const LOOK_UPS_LIMIT = 16;
/** How long the next pass waits at most, and at least. */
const PAUSE_LIMIT_MS = 1_000;
const PAUSE_LEAST_MS = 10;
/** A look-up that takes longer found nothing. */
const LOOK_UP_LIMIT_MS = 10_000;

export interface CaretakerParts {
  readonly database: Database;
  readonly dispatch: Dispatch;
  /** Asks the carrier what became of a leg; never dials. */
  readonly lookUp: (leg: LegRecord) => Promise<LookUp>;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Caretaker implements AsyncDisposable {
  readonly #parts: CaretakerParts;
  readonly #lookUps = new Map<string, Promise<void>>();
  #isClosed = false;
  #isWoken = false;
  #timer: Timer | null = null;
  #passing: Promise<void> | null = null;
  #contact: Contact | null = null;

  constructor(parts: CaretakerParts) {
    this.#parts = parts;
  }

  /** Begins to watch; outages of the database are waited out. */
  start(): void {
    this.#wake();
  }

  /** Ends after the pass and the look-ups that are under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#passing;
    await Promise.all(this.#lookUps.values());
  }

  #wake(): void {
    this.#isWoken = true;
    if (this.#isClosed || this.#passing !== null) return;
    this.#timer?.cancel();
    this.#isWoken = false;
    this.#passing = this.#pass().then((pauseMs) => {
      this.#passing = null;
      if (this.#isClosed) return;
      this.#timer = this.#parts.clock.after(this.#isWoken ? 0 : pauseMs, () => this.#wake());
    });
  }

  /** One round over everything that is due. Never rejects. @returns milliseconds until the next one */
  async #pass(): Promise<number> {
    const { database, log, dispatch, clock } = this.#parts;
    const { leaseMs } = dispatch.settings;
    const pauseLimitMs = Math.min(PAUSE_LIMIT_MS, leaseMs / 2);
    try {
      const { now, delay_ms } = await readNextDeadline(database);
      this.#contact = keepContact(this.#contact, { monotonicMs: clock.monotonicMs(), now }, leaseMs);
      const isLeaseJudged = clock.monotonicMs() - this.#contact.sinceMs >= leaseMs;
      const leases = isLeaseJudged ? await readExpiredLeases(database, BATCH_LIMIT) : [];
      const queued = await readExpiredQueued(database, BATCH_LIMIT);
      let changes = 0;
      for (const id of leases) if (await this.#propose(id, { kind: 'lease_expired' })) changes += 1;
      for (const id of queued) if (await this.#propose(id, { kind: 'queue_expired' })) changes += 1;
      await this.#beginLookUps();
      if (changes > 0) return 0;
      if (this.#lookUps.size > 0) return pauseLimitMs; // the end of each wakes the caretaker
      return Math.min(Math.max(delay_ms ?? pauseLimitMs, PAUSE_LEAST_MS), pauseLimitMs);
    } catch (error) {
      this.#contact = null;
      log.warn({ reason: messageOf(error) }, 'deadlines could not be looked at');
      return pauseLimitMs;
    }
  }

  /** @throws {Fault} alone: a call that cannot be written must not keep the others from their turn */
  async #propose(callId: string, event: OtherEvent): Promise<boolean> {
    try {
      return (await this.#parts.dispatch.advance(callId, event)).isApplied;
    } catch (error) {
      if (error instanceof Fault) throw error;
      const { log } = this.#parts;
      log.error({ call_id: callId, event: event.kind, reason: messageOf(error) }, 'a deadline could not be answered');
      return false;
    }
  }

  async #beginLookUps(): Promise<void> {
    const room = LOOK_UPS_LIMIT - this.#lookUps.size;
    if (room <= 0) return;
    for (const call of await readDueLookUps(this.#parts.database, [...this.#lookUps.keys()], room)) {
      const done = this.#lookUpAndTell(call).finally(() => {
        this.#lookUps.delete(call.id);
        this.#wake();
      });
      this.#lookUps.set(call.id, done);
    }
  }

  /** Never rejects: what cannot be written now is due again. */
  async #lookUpAndTell(call: DoubtfulCall): Promise<void> {
    const found = await this.#lookUp(call.leg);
    const because = found.kind === 'unknown' ? 'the carrier cannot tell' : found.because;
    try {
      await this.#propose(call.id, { kind: 'looked_up', found: found.kind, because });
    } catch (error) {
      this.#parts.log.warn({ call_id: call.id, reason: messageOf(error) }, 'a look-up could not be written');
    }
  }

  /** Never rejects, and ends in time: a look-up that failed found nothing. */
  async #lookUp(leg: LegRecord): Promise<LookUp> {
    const { clock, log, lookUp } = this.#parts;
    try {
      return await within(clock, LOOK_UP_LIMIT_MS, lookUp(leg), (): LookUp => ({ kind: 'unknown' }));
    } catch (error) {
      log.warn({ reference: leg.reference, reason: messageOf(error) }, 'look-up failed');
      return { kind: 'unknown' };
    }
  }
}

/** Since when this process has seen the database without a break, and when it last did, on both clocks. */
export interface Contact {
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly lastNow: Date;
}

/**
 * After a break, workers that live need a moment to renew their leases: an outage of the database, a stopped process or a
 * machine that slept must not look like the death of every worker. So a break longer than a lease, on either clock,
 * starts the contact anew, and leases are judged only after a whole lease of contact.
 */
export function keepContact(
  contact: Contact | null,
  seen: { readonly monotonicMs: number; readonly now: Date },
  leaseMs: number,
): Contact {
  const last = { lastMs: seen.monotonicMs, lastNow: seen.now };
  if (contact === null) return { sinceMs: seen.monotonicMs, ...last };
  const breakMs = Math.max(seen.monotonicMs - contact.lastMs, seen.now.getTime() - contact.lastNow.getTime());
  // A pass pauses up to half a lease by itself.
  return { sinceMs: breakMs > leaseMs ? seen.monotonicMs : contact.sinceMs, ...last };
}
