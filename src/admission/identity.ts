// Whether two requests are the same: the canonical form of a body and keyed digests of it. Kept are digests alone, and without
// the master key nobody can try out what was sent.
import { createHmac } from 'node:crypto';
import type { Keys } from './master-key.ts';

/**
 * The canonical form of parsed JSON: no white space, members sorted by UTF-16 code units, numbers as ECMAScript prints them.
 * @param value what `JSON.parse` gave; nesting was bounded before
 * @throws {TypeError} on a number that is not finite, a lone surrogate, or anything that is not JSON
 * @see RFC 8785, sections 3.2.2 and 3.2.3
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('a number that is not finite has no canonical form');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new TypeError(`a ${typeof value} is not JSON`);
  }
}

function canonicalArray(items: readonly unknown[]): string {
  let text = '[';
  for (const item of items) {
    if (text.length > 1) text += ',';
    text += canonicalJson(item);
  }
  return `${text}]`;
}

function canonicalObject(members: object): string {
  let text = '{';
  // Without a comparator, sort() compares UTF-16 code units: the order that the RFC asks for.
  for (const name of Object.keys(members).sort()) {
    if (text.length > 1) text += ',';
    text += `${canonicalJson(name)}:${canonicalJson(members[name as keyof typeof members])}`; // a name that keys() gave
  }
  return `${text}}`;
}

/** HMAC-SHA-256 of the canonical body as sent, before defaults, protected values included. 32 bytes. */
export function payloadDigest(keys: Keys, json: unknown): Buffer {
  return createHmac('sha256', keys.payload).update(canonicalJson(json), 'utf8').digest();
}

/** HMAC-SHA-256 of an Idempotency-Key within its project. 32 bytes. */
export function idempotencyDigest(keys: Keys, projectId: string, idempotencyKey: string): Buffer {
  // A UUID has a fixed length, so no two pairs give the same text.
  return createHmac('sha256', keys.idempotency).update(`${projectId}:${idempotencyKey}`, 'utf8').digest();
}
