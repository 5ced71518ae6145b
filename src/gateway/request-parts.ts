// The parts of a request that the control plane is asked with: bearer token, idempotency key, body. Takes them as they come and
// judges none of them.
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { BODY_LIMIT_BYTES } from '../contract/call.ts';
import type { Caller, CallRequest, CreateCallRequest } from '../control-plane/control-plane.ts';

/** A body above its limit is read on, and thrown away, up to here: a client that is still sending misses the answer otherwise. */
const DISCARD_LIMIT_BYTES = 8 * 1024 * 1024;

/** `Bearer` in any case, then one token68 (RFC 9110, section 11.2). */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** Who asks. */
export function callerOf(request: FastifyRequest): Caller {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1];
  return { token: token ?? null, requestId: request.id };
}

/** For the routes with a call id in their path. */
export function callRequestOf(request: FastifyRequest): CallRequest {
  const { call_id } = request.params as { call_id: string }; // the route's own pattern has it
  return { ...callerOf(request), callId: call_id };
}

/** Node gives header bytes as Latin-1; a key that is UTF-8 is meant as UTF-8, and its length counts as that. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  const text = Array.isArray(value) ? value.join(', ') : value;
  return decode(Buffer.from(text, 'latin1')) ?? text;
}

/**
 * Reads a body, at most its limit. Where the request is then not `complete`, its connection cannot be used again.
 * @throws {Error} when the client goes away before its end
 */
export async function readBody(request: IncomingMessage): Promise<CreateCallRequest['body']> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // As: no encoding is set, so chunks are bytes.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_LIMIT_BYTES) chunks.push(chunk);
    else if (bytes > DISCARD_LIMIT_BYTES) break;
    else chunks.length = 0;
  }
  if (bytes > BODY_LIMIT_BYTES) return 'too_large';
  const text = decode(Buffer.concat(chunks));
  return text === null ? 'not_utf8' : { text };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}
