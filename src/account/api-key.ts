// The form of an API key: `erk_`, 32 random bytes in base62, a checksum of six. Only a SHA-256 digest is ever stored.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Chance } from '../platform/clock.ts';

const PREFIX = 'erk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 bytes need 43 digits of base62: 62^43 > 2^256. */
const BODY_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${BODY_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** A new key. `key` is shown once and never stored; `digest` is what is stored. */
export function createApiKey(chance: Chance): { readonly key: string; readonly digest: Buffer } {
  const body = base62(BigInt(`0x${chance.bytes(32).toString('hex')}`), BODY_LENGTH);
  const key = `${PREFIX}${body}${checksumOf(body)}`;
  return { key, digest: digestOf(key) };
}

/**
 * The digest under which a key is stored.
 * @returns null when the text cannot be a key: wrong form or a checksum that does not fit, so no look-up is needed
 */
export function digestOfApiKey(text: string): Buffer | null {
  const [, body, checksum] = FORM.exec(text) ?? [];
  return body !== undefined && checksum === checksumOf(body) ? digestOf(text) : null;
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  for (let at = 0; at < length; at++) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}
