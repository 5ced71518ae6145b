// One wheel paces every stream: four slots of 5 ms make a frame of 20 ms, and each slot is due at a multiple counted from the
// start, so that lateness of a timer never adds up (setInterval runs 2 % slow; a timer a call is worse).
import type { Clock, Timer } from '../../platform/clock.ts';

export const FRAME_MS = 20;
const SLOT_MS = 5;
const SLOTS = FRAME_MS / SLOT_MS;
/** A process that was stopped for longer skips frames in place of sending them in a burst. */
const CATCH_UP_FRAMES = 5;

/** @param frames how many frames have passed since the last call: 1, or more after a long stop of the process */
export type OnFrame = (frames: number) => void;

interface Member {
  readonly onFrame: OnFrame;
  /** Number of the slot, counted from the start, at which it is due next. */
  dueSlot: number;
}

export interface Pacing {
  stop(): void;
}

export class Pacer implements Disposable {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #slots: Set<Member>[] = Array.from({ length: SLOTS }, () => new Set());
  #startMs = 0;
  #nextSlot = 0;
  #timer: Timer | null = null;

  /** @param onError told when a member throws; the others go on */
  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Calls `onFrame` every 20 ms from the next slot on, in the emptiest of the four slots. */
  add(onFrame: OnFrame): Pacing {
    if (this.#timer === null) {
      this.#startMs = this.#clock.monotonicMs();
      this.#nextSlot = 0;
    }
    const offset = [...this.#slots.keys()].reduce(
      (best, each) => (this.#sizeAfter(each) < this.#sizeAfter(best) ? each : best),
      0,
    );
    const member: Member = { onFrame, dueSlot: this.#nextSlot + offset };
    const slot = this.#slots[member.dueSlot % SLOTS];
    slot?.add(member);
    this.#arm();
    return {
      stop: () => {
        slot?.delete(member);
        this.#arm();
      },
    };
  }

  [Symbol.dispose](): void {
    for (const slot of this.#slots) slot.clear();
    this.#arm();
  }

  #sizeAfter(offset: number): number {
    return this.#slots[(this.#nextSlot + offset) % SLOTS]?.size ?? 0;
  }

  /** Sleeps until the next slot that has members; nobody there: no timer at all. */
  #arm(): void {
    this.#timer?.cancel();
    this.#timer = null;
    const wait = [...this.#slots.keys()].find((offset) => this.#sizeAfter(offset) > 0);
    if (wait === undefined) return;
    const dueMs = this.#startMs + (this.#nextSlot + wait) * SLOT_MS;
    this.#timer = this.#clock.after(Math.max(0, dueMs - this.#clock.monotonicMs()), () => this.#turn());
  }

  #turn(): void {
    const nowSlot = Math.floor((this.#clock.monotonicMs() - this.#startMs) / SLOT_MS);
    const earliest = nowSlot - CATCH_UP_FRAMES * SLOTS;
    if (this.#nextSlot < earliest) this.#nextSlot = earliest;
    while (this.#nextSlot <= nowSlot) {
      const slotNumber = this.#nextSlot;
      this.#nextSlot += 1;
      for (const member of this.#slots[slotNumber % SLOTS] ?? []) this.#run(member, slotNumber);
    }
    this.#arm();
  }

  #run(member: Member, slotNumber: number): void {
    if (slotNumber < member.dueSlot) return;
    const frames = 1 + Math.floor((slotNumber - member.dueSlot) / SLOTS);
    member.dueSlot = slotNumber + SLOTS;
    try {
      member.onFrame(frames);
    } catch (error) {
      this.#onError(error);
    }
  }
}
