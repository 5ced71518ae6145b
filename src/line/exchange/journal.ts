// The exchange's memory on disk: one JSON line an entry, appended before the phone acts on it, so that what phones saw can be
// read after a kill -9. Compacted at the start and whenever it has grown too long. One process at a time.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { Fault, messageOf } from '../../platform/errors.ts';
import { PhoneBook } from './call-record.ts';
import type { Entry } from './call-record.ts';

/** About 300,000 entries. A compacted journal of the most calls that are kept is a tenth of it. */
const MAX_BYTES = 64 * 1024 * 1024;

export class Journal {
  readonly book: PhoneBook;
  readonly #path: string;
  readonly #maxBytes: number;
  #file = -1;
  #bytes = 0;
  #compactAtBytes = 0;

  private constructor(path: string, maxBytes: number, book: PhoneBook) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.book = book;
    this.#compact();
  }

  /**
   * Reads what is there and compacts it. A last line that was cut off is left out: nothing was done on its strength.
   * @throws {Fault} when the file cannot be read or written
   */
  static open(path: string, maxBytes = MAX_BYTES): Journal {
    try {
      const book = new PhoneBook();
      for (const entry of readEntries(path)) book.apply(entry);
      return new Journal(path, maxBytes, book);
    } catch (error) {
      throw new Fault(`the journal ${path} cannot be used: ${messageOf(error)}`, {
        blame: 'us',
        retry: 'never',
        cause: error,
      });
    }
  }

  /** Writes, then applies. The bytes are with the system when this returns: they outlive this process, not the machine. */
  append(entry: Entry): void {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    writeAll(this.#file, line);
    this.book.apply(entry);
    this.#bytes += line.length;
    if (this.#bytes <= this.#compactAtBytes) return;
    closeSync(this.#file);
    this.#compact();
  }

  #compact(): void {
    ({ file: this.#file, bytes: this.#bytes } = writeCompacted(this.#path, this.book));
    this.#compactAtBytes = Math.max(this.#maxBytes, this.#bytes * 2); // twice, or it would be compacted at every line
  }

  close(): void {
    closeSync(this.#file);
  }
}

function* readEntries(path: string): Iterable<Entry> {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    try {
      yield JSON.parse(line) as Entry; // written by `append` alone
    } catch (error) {
      if (index === lines.length - 1) return; // cut off by a kill
      throw new Error(`line ${index + 1} is not JSON`, { cause: error });
    }
  }
}

/** Replaces the file in one step: a kill in between leaves the old one whole. */
function writeCompacted(path: string, book: PhoneBook): { file: number; bytes: number } {
  const fresh = `${path}.new`;
  const file = openSync(fresh, 'w', 0o600);
  let bytes = 0;
  for (const entry of book.entries()) {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    writeAll(file, line);
    bytes += line.length;
  }
  fsyncSync(file);
  renameSync(fresh, path);
  return { file, bytes };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}
