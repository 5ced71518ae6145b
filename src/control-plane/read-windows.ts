// How often each API key may read: a fixed window a key, anchored at its first request, in memory. Another process has windows
// of its own, so the bound is one process's; it guards the store and is no account of anything.

/** Keys with a window at the same time; beyond it the oldest windows are forgotten. About 100 bytes each. */
export const WINDOWS_LIMIT = 100_000;

const WINDOW_MS = 60_000;

interface Window {
  readonly startedAtMs: number;
  count: number;
}

export class ReadWindows {
  readonly #limit: number;
  readonly #mostWindows: number;
  /** In the order in which the windows began. */
  readonly #windows = new Map<string, Window>();

  /** @param limit requests that a key may make in one minute */
  constructor(limit: number, mostWindows = WINDOWS_LIMIT) {
    this.#limit = limit;
    this.#mostWindows = mostWindows;
  }

  /**
   * Counts one request of a key.
   * @param nowMs monotonic
   * @returns null when it may pass, otherwise the whole seconds, at least 1, after which the window is over
   */
  take(apiKeyId: string, nowMs: number): number | null {
    const window = this.#windows.get(apiKeyId);
    if (window === undefined || nowMs - window.startedAtMs >= WINDOW_MS) {
      this.#windows.delete(apiKeyId); // so that the new one goes to the end
      this.#windows.set(apiKeyId, { startedAtMs: nowMs, count: 1 });
      this.#forgetOldest();
      return null;
    }
    if (window.count < this.#limit) {
      window.count += 1;
      return null;
    }
    return Math.max(1, Math.ceil((window.startedAtMs + WINDOW_MS - nowMs) / 1000));
  }

  #forgetOldest(): void {
    if (this.#windows.size <= this.#mostWindows) return;
    for (const apiKeyId of this.#windows.keys()) {
      this.#windows.delete(apiKeyId);
      return;
    }
  }
}
