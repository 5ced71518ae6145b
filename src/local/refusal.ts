// What the local endpoints refuse, as problem records like those of the API. Their codes are no part of the public contract.
import type { FastifyReply } from 'fastify';
import { PROBLEM_CONTENT_TYPE } from '../contract/problem-detail.ts';

const TITLES = { 403: 'Not from this machine', 413: 'Body is too large', 422: 'Request is not valid' } as const;

export class LocalRefusal extends Error {
  override readonly name = 'LocalRefusal';
  readonly status: keyof typeof TITLES;
  readonly code: string;
  /** Names what is wrong and what is wanted. */
  readonly detail: string;

  constructor(status: keyof typeof TITLES, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export function sendRefusal(reply: FastifyReply, { status, code, detail }: LocalRefusal): FastifyReply {
  const record = { type: 'about:blank', title: TITLES[status], status, detail, code, retryable: false };
  return reply
    .code(status)
    .header('content-type', PROBLEM_CONTENT_TYPE)
    .send(Buffer.from(JSON.stringify(record))); // a string would get a charset, which JSON has none of
}
