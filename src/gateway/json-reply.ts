// Sends a value as JSON under exactly the content type that the contract names: JSON has no charset parameter (RFC 8259).
import type { FastifyReply } from 'fastify';

/** Sends the value with the status that the reply has. Bytes, because Fastify appends a charset to strings. */
export function sendJson(reply: FastifyReply, value: unknown, contentType = 'application/json'): FastifyReply {
  return reply.header('content-type', contentType).send(Buffer.from(JSON.stringify(value)));
}
