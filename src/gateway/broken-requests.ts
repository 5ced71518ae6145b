// Answers for requests that never reach a route: malformed HTTP, headers that are too large, clients that are too slow. Written
// to the socket by hand, because the HTTP parser has given up on the connection; it is closed after each.
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_CONTENT_TYPE, problemOf } from '../contract/problem-detail.ts';
import { PROBLEMS } from '../contract/problems.ts';
import type { ProblemCode } from '../contract/problems.ts';
import type { Chance } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { problemFor, sendProblem } from './problem-reply.ts';

/** Handlers for what the server and the router cannot read. */
export function answerBrokenRequests(chance: Chance, log: Logger) {
  return {
    clientErrorHandler(error: Error, socket: Duplex): void {
      const code = codeOf(error);
      const owed = answerOwedOn(socket);
      if (code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      if (owed?.req.complete === true) {
        endAfter(owed, socket);
        return;
      }
      if (owed?.headersSent === true) {
        socket.destroy();
        return;
      }
      const requestId = chance.uuid();
      log.info({ request_id: requestId, reason: code }, 'request could not be read');
      socket.end(rawAnswer(problemCodeOf(code), requestId));
    },
    frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
      log.info({ request_id: request.id, reason: error.code }, 'request could not be routed');
      reply.header('x-request-id', request.id);
      sendProblem(reply, problemFor('bad_request', `The request cannot be routed: ${messageOf(error)}`));
    },
  };
}

const DETAILS = {
  bad_request: 'This is not an HTTP request that can be read. No call was created.',
  headers_too_large: 'The headers are longer than 16 KiB together. No call was created.',
  request_timeout: 'The request was not complete in time. No call was created.',
} as const satisfies Partial<Record<ProblemCode, string>>;

function problemCodeOf(errorCode: string): keyof typeof DETAILS {
  if (errorCode === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return errorCode === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'bad_request';
}

function rawAnswer(code: keyof typeof DETAILS, requestId: string): string {
  const { status } = PROBLEMS[code];
  const body = JSON.stringify(problemOf(code, DETAILS[code]));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/** Node keeps the answer in progress on its socket, as its own handler reads it. */
function answerOwedOn(socket: Duplex): ServerResponse | null {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null }; // set by node:http
  return answer ?? null;
}

/** Broken bytes after a request that was read whole are no reason to lie about that one: it gets its answer, then all ends. */
function endAfter(answer: ServerResponse, socket: Duplex): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  answer.once('finish', () => socket.end());
}

const ending = new WeakSet<Duplex>();

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
