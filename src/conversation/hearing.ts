// What the recipient types or presses, cut into turns. Pure: characters in, whole turns out; it never loses a character that
// was not erased by its writer, and never holds more than one turn of bounded length.

/** Longest turn, in code points; what follows begins the next turn. The transcript's own bound. */
export const TURN_LIMIT = 4000;
/** Most keys in one turn. */
export const KEYS_LIMIT = 64;

/** What the listener should wait for next: the end of a line, a further line, a further key, or nothing. */
export type Waiting = 'line' | 'more_lines' | 'keys' | 'nothing';

/** Collects one turn at a time. Lines that follow each other quickly are one turn; so are keys. */
export class Hearing {
  #line: string[] = [];
  #lines: string[][] = [];
  #length = 0;
  #keys = '';

  /** Whether a turn has begun and is not whole yet. */
  get isActive(): boolean {
    return this.#line.length > 0 || this.#lines.length > 0 || this.#keys !== '';
  }

  /**
   * Takes characters of real-time text.
   * @returns turns that became whole because they reached the limit
   * @see ITU-T T.140, 8: erasing, new line, and the codes that are not text
   */
  hear(text: string): string[] {
    const whole: string[] = [];
    for (const character of text.toWellFormed()) {
      if (isLineEnd(character)) this.#endLine();
      else if (character === '\b' || character === '\u007f') this.#erase();
      else this.#add(character);
      if (this.#length >= TURN_LIMIT) whole.push(...this.takeText());
    }
    return whole;
  }

  /** Takes one key. @returns the turn that became whole because it is full, or ended with `#` */
  press(digit: string): string[] {
    this.#keys += digit;
    return digit === '#' || this.#keys.length >= KEYS_LIMIT ? this.takeKeys() : [];
  }

  get waitsForText(): Exclude<Waiting, 'keys'> {
    if (this.#line.length > 0) return 'line';
    return this.#lines.length > 0 ? 'more_lines' : 'nothing';
  }

  /** Ends the turn of text. @returns it, or nothing when only blanks were typed */
  takeText(): string[] {
    const text = [...this.#lines, this.#line]
      .map((line) => line.join('').trim())
      .filter((line) => line !== '')
      .join(' ');
    this.#line = [];
    this.#lines = [];
    this.#length = 0;
    return text === '' ? [] : [text];
  }

  /** Ends the turn of keys. @returns it in its written form, or nothing */
  takeKeys(): string[] {
    const keys = this.#keys;
    this.#keys = '';
    return keys === '' ? [] : [`[keypad] ${keys}`];
  }

  #add(character: string): void {
    const kept = character === '\t' ? ' ' : character;
    if (isCode(kept)) return;
    this.#line.push(kept);
    this.#length += 1;
  }

  #endLine(): void {
    if (this.#line.length === 0) return;
    this.#lines.push(this.#line);
    this.#line = [];
    this.#length += 1; // the blank that will join it to the next line
  }

  /** Takes back the last character with the marks that belong to it, a new line as one character. */
  #erase(): void {
    const previous = this.#line.length === 0 ? this.#lines.pop() : undefined;
    if (previous !== undefined) {
      this.#line = previous;
      this.#length -= 1;
      return;
    }
    let erased = this.#line.pop();
    if (erased === undefined) return;
    this.#length -= 1;
    while (/^[\p{M}\u200d]$/u.test(erased)) {
      const base = this.#line.pop();
      if (base === undefined) return;
      this.#length -= 1;
      erased = base;
    }
  }
}

function isLineEnd(character: string): boolean {
  return /^[\u2028\u2029\n\r\u0085]$/u.test(character);
}

/** Codes that carry no text: C0, C1, the byte order mark. U+FFFD, which marks a loss, is text. */
function isCode(character: string): boolean {
  return character < ' ' || (character >= '\u007f' && character <= '\u009f') || character === '\ufeff';
}
