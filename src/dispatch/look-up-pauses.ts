// When a dial of unknown outcome is looked up: a bounded number of times, the first soon, with growing pauses.

/** Look-ups and the time over which they are spread. */
export interface LookUpSchedule {
  /** At least 1. */
  readonly lookups: number;
  /** From the doubt to the last look-up. */
  readonly withinMs: number;
}

// Pauses double up to this many look-ups; more of them grow slower, so that the first pause never shrinks to nothing.
const DOUBLING_LOOKUPS = 8;

/**
 * The pause before the next look-up.
 * @param made how many look-ups were made, from 0 to `lookups` - 1
 * @returns milliseconds, at least 1; each pause is longer than the one before and all of them sum up to `withinMs`
 */
export function pauseBeforeLookUp(schedule: LookUpSchedule, made: number): number {
  const growth = schedule.lookups <= DOUBLING_LOOKUPS ? 2 : 2 ** (DOUBLING_LOOKUPS / schedule.lookups);
  const firstMs = (schedule.withinMs * (growth - 1)) / (growth ** schedule.lookups - 1);
  return Math.max(1, Math.round(firstMs * growth ** made));
}
