// Protected values at rest: each sealed with AES-256-GCM under a data key of its task, which is wrapped by the master key.
// A sealed value opens only in its own task and under its own name; nothing here keeps or logs a plaintext.
//
// Layout: version 1, fingerprint of the master key 16, wrapped data key (nonce 12, tag 16, key 32), count 1, then for each
// value: length of the name 1, name, length of the ciphertext 4 (big endian), nonce 12, tag 16, ciphertext. Lengths in bytes.
import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Chance } from '../platform/clock.ts';
import type { Keys } from './master-key.ts';

const VERSION = 1;
const FINGERPRINT_BYTES = 16;
const DATA_KEY_BYTES = 32;
/** NIST SP 800-38D, section 5.2.1.1: 96 bits is the length that GCM is made for. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Names of 1 to 64 ASCII characters, at most 20 values of at most 2,000 code points: what the contract lets through. */
export type ProtectedValues = Readonly<Record<string, string>>;

/** Seals the protected values of a task; null when there are none. */
export function seal(keys: Keys, chance: Chance, taskId: string, values: ProtectedValues): Buffer | null {
  const names = Object.keys(values);
  if (names.length === 0) return null;
  const rawDataKey = chance.bytes(DATA_KEY_BYTES);
  const parts: Buffer[] = [
    Buffer.from([VERSION]),
    keys.fingerprint,
    encrypt(keys.wrapping, chance, rawDataKey, wrapBinding(taskId)),
    Buffer.from([names.length]),
  ];
  const dataKey = createSecretKey(rawDataKey);
  for (const name of names) {
    const box = encrypt(dataKey, chance, Buffer.from(values[name] ?? '', 'utf8'), valueBinding(taskId, name));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(box.length - NONCE_BYTES - TAG_BYTES);
    parts.push(Buffer.from([name.length]), Buffer.from(name, 'latin1'), length, box);
  }
  rawDataKey.fill(0);
  return Buffer.concat(parts);
}

/**
 * Opens what `seal` made, for a use that may see the values.
 * @throws {Error} when it was sealed under another master key, for another task, or was changed; never says what is inside
 */
export function unseal(keys: Keys, taskId: string, sealed: Buffer): ProtectedValues {
  const reader = new Reader(sealed);
  if (reader.byte() !== VERSION) throw new Error('sealed values are of an unknown version');
  if (!reader.bytes(FINGERPRINT_BYTES).equals(keys.fingerprint)) {
    throw new Error('sealed values belong to another master key');
  }
  const wrapped = reader.bytes(NONCE_BYTES + TAG_BYTES + DATA_KEY_BYTES);
  const dataKey = createSecretKey(decrypt(keys.wrapping, wrapped, wrapBinding(taskId)));
  const values: Record<string, string> = {};
  const count = reader.byte();
  for (let index = 0; index < count; index++) {
    const name = reader.bytes(reader.byte()).toString('latin1');
    const box = reader.bytes(reader.length() + NONCE_BYTES + TAG_BYTES);
    values[name] = decrypt(dataKey, box, valueBinding(taskId, name)).toString('utf8');
  }
  return values;
}

const wrapBinding = (taskId: string): Buffer => Buffer.from(`data key:${taskId}`, 'utf8');
const valueBinding = (taskId: string, name: string): Buffer => Buffer.from(`value:${taskId}:${name}`, 'utf8');

function encrypt(key: KeyObject, chance: Chance, plain: Buffer, binding: Buffer): Buffer {
  const nonce = chance.bytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(binding);
  const first = cipher.update(plain);
  const last = cipher.final();
  return Buffer.concat([nonce, cipher.getAuthTag(), first, last]);
}

function decrypt(key: KeyObject, box: Buffer, binding: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(binding);
  decipher.setAuthTag(box.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const first = decipher.update(box.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([first, decipher.final()]);
  } catch (error) {
    throw new Error('sealed values do not open: another task, or changed since', { cause: error });
  }
}

/** Reads from the front; a short buffer is an error, never an empty value. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new Error('sealed values are cut short');
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }

  byte(): number {
    return this.bytes(1).readUInt8();
  }

  length(): number {
    return this.bytes(4).readUInt32BE();
  }
}
