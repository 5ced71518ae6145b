// Characters that wait to be sent, in order, with the promises of those who wait for them.

/** Something to send now; `settle` tells the waiting ones, once it has been sent. */
export interface SendStep<Packet> {
  readonly packet: Packet;
  readonly settle: () => void;
}

/** Most characters that may wait. A turn has at most 4,000; whoever queues five of them without waiting has a bug. */
export const MAX_WAITING_CHARACTERS = 20_000;

interface Item {
  remaining: string;
  readonly resolve: () => void;
}

export class Outbox {
  #items: Item[] = [];
  #waiting = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /**
   * @returns when the last character has been taken and settled, when `signal` aborts, or when the outbox is cleared
   * @throws {RangeError} when too much would wait: a bug of the caller
   */
  async push(text: string, signal?: AbortSignal): Promise<void> {
    if (text === '' || signal?.aborted === true) return;
    if (this.#waiting + text.length > MAX_WAITING_CHARACTERS) {
      throw new RangeError(`more than ${MAX_WAITING_CHARACTERS} characters would wait to be sent`);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const item: Item = { remaining: text, resolve };
    this.#items.push(item);
    this.#waiting += text.length;
    const dropRest = (): void => {
      this.#waiting -= item.remaining.length;
      item.remaining = '';
      this.#items = this.#items.filter((each) => each !== item);
      resolve();
    };
    signal?.addEventListener('abort', dropRest, { once: true });
    await promise;
    signal?.removeEventListener('abort', dropRest);
  }

  /** Takes whole characters off the front: at most so many, and at most so many bytes of UTF-8. */
  take(maxCharacters: number, maxBytes: number): { readonly text: string; readonly settle: () => void } {
    const finished: Item[] = [];
    let text = '';
    let characters = 0;
    let bytes = 0;
    for (let item = this.#items[0]; item !== undefined; item = this.#items[0]) {
      let taken = 0;
      for (const character of item.remaining) {
        bytes += Buffer.byteLength(character);
        if (characters === maxCharacters || bytes > maxBytes) break;
        characters += 1;
        taken += character.length;
      }
      text += item.remaining.slice(0, taken);
      item.remaining = item.remaining.slice(taken);
      this.#waiting -= taken;
      if (item.remaining !== '') break;
      finished.push(item);
      this.#items.shift();
    }
    return { text, settle: () => finished.forEach((item) => item.resolve()) };
  }

  /** Drops everything; those who wait go on. */
  clear(): void {
    const dropped = this.#items;
    this.#items = [];
    this.#waiting = 0;
    for (const item of dropped) {
      item.remaining = '';
      item.resolve();
    }
  }
}
