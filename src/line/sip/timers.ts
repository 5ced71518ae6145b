// The times of RFC 3261, table 4, for an unreliable transport. One place, so that a test can shorten all of them together.

export interface SipTimes {
  /** Round-trip estimate: first retransmission, ms. */
  readonly t1Ms: number;
  /** Longest pause between retransmissions other than the INVITE's, ms. */
  readonly t2Ms: number;
  /** How long a message can stay in the network, ms. */
  readonly t4Ms: number;
}

export const DEFAULT_TIMES: SipTimes = { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 };

/** Timers B, F, H, J, L and M: how long a transaction tries, or waits for stragglers. 32 s by default. */
export function lifetimeMs(times: SipTimes): number {
  return 64 * times.t1Ms;
}

/** Timer D of RFC 3261: at least 32 s on UDP; as T1 is set here, the same as the others. */
export function timerDMs(times: SipTimes): number {
  return lifetimeMs(times);
}
