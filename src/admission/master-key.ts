// The master key and what is derived from it. The key comes from the configuration or from a file in the data folder that is
// made on the first start; it is never logged, never stored in the database, and never leaves this process.
import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chance } from '../platform/clock.ts';

const KEY_BYTES = 32;
const FILE_NAME = 'master-key';
const FINGERPRINT_BYTES = 16;

/** One key for each purpose, derived by HKDF-SHA-256 (RFC 5869), so that no two uses share one. */
export interface Keys {
  /** Wraps the data key of each task: AES-256-GCM. */
  readonly wrapping: KeyObject;
  /** Payload digests: HMAC-SHA-256. */
  readonly payload: KeyObject;
  /** Digests of Idempotency-Keys: HMAC-SHA-256. */
  readonly idempotency: KeyObject;
  /** 16 bytes that tell one master key from another and nothing else. */
  readonly fingerprint: Buffer;
}

/**
 * @param masterKey 32 bytes
 * @throws {RangeError} on any other length
 */
export function deriveKeys(masterKey: Buffer): Keys {
  if (masterKey.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes`);
  const derive = (label: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `errand ${label} v1`, KEY_BYTES)));
  return {
    wrapping: derive('data key wrapping'),
    payload: derive('payload digest'),
    idempotency: derive('idempotency digest'),
    fingerprint: createHmac('sha256', derive('fingerprint')).update('errand').digest().subarray(0, FINGERPRINT_BYTES),
  };
}

/**
 * The master key: the configured one, or that of `<data folder>/master-key` (base64, mode 0600), made when it is missing.
 * Several starts at once end with one key: the file appears whole or not at all.
 * @throws {Error} when the file holds anything but 32 bytes in base64, or cannot be read or made
 */
export async function openMasterKey(parts: {
  readonly configured: Buffer | null;
  readonly dataDir: string;
  readonly chance: Chance;
}): Promise<Buffer> {
  if (parts.configured !== null) return parts.configured;
  const path = join(parts.dataDir, FILE_NAME);
  return (await readKeyFile(path)) ?? makeKeyFile(path, parts);
}

async function readKeyFile(path: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(path, 'latin1');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES || key.toString('base64') !== text.trim()) {
    throw new Error(`${path} does not hold ${KEY_BYTES} bytes in base64; restore it from a backup`);
  }
  return key;
}

async function makeKeyFile(path: string, parts: { readonly dataDir: string; readonly chance: Chance }) {
  await mkdir(parts.dataDir, { recursive: true });
  const key = parts.chance.bytes(KEY_BYTES);
  const draft = `${path}.${parts.chance.uuid()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${key.toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await chmod(draft, 0o600); // whatever the umask said
    await link(draft, path); // fails where a file is already: never over another's key
    await syncFolder(parts.dataDir);
    return key;
  } catch (error) {
    const theirs = isCode(error, 'EEXIST') ? await readKeyFile(path) : null;
    if (theirs === null) throw error;
    return theirs;
  } finally {
    await unlink(draft);
  }
}

/** A key that a power cut takes away again would make every digest and sealed value worthless. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
