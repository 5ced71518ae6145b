// One bounded request to the control plane: kept-alive connections, a deadline over all of it, a limit on the answer. Knows
// nothing of what is asked.
import http from 'node:http';
import https from 'node:https';
import { messageOf } from '../platform/errors.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** A record with the longest transcript stays far below. */
const ANSWER_LIMIT_BYTES = 16 * 1024 * 1024;
const CONNECTIONS_LIMIT = 256;
/** Requests under way at once, waiting for a connection included; beyond it the answer is 503 at once. */
const IN_FLIGHT_LIMIT = 4096;
/** Shorter than the server keeps an idle connection, so that reuse does not race its close. */
const IDLE_MS = 30_000;

export interface InternalHttpOptions {
  /** Base address of the control plane. */
  readonly url: string;
  /** The shared credential. */
  readonly token: string;
  /** From the first byte out to the last byte in. */
  readonly timeoutMs: number;
}

export interface InternalAnswer {
  readonly status: number;
  readonly text: string;
}

export class InternalHttp {
  readonly #options: InternalHttpOptions;
  readonly #isSecure: boolean;
  readonly #agent: http.Agent;
  #inFlight = 0;

  constructor(options: InternalHttpOptions) {
    this.#options = options;
    this.#isSecure = options.url.startsWith('https:');
    const settings = { keepAlive: true, maxSockets: CONNECTIONS_LIMIT, timeout: IDLE_MS };
    this.#agent = this.#isSecure ? new https.Agent(settings) : new http.Agent(settings);
  }

  /** @throws {UpstreamFailure} control_plane_unavailable: refused, reset, timed out, cut short, or too much under way */
  async send(method: 'GET' | 'POST', path: string, body: unknown): Promise<InternalAnswer> {
    if (this.#inFlight >= IN_FLIGHT_LIMIT) {
      throw new UpstreamFailure('control_plane_unavailable', 'too many requests to the control plane are under way', {
        retry: 'safe',
      });
    }
    this.#inFlight += 1;
    try {
      return await this.#sendOnFreshIfStale(method, path, body);
    } finally {
      this.#inFlight -= 1;
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** A kept connection may have been closed at the other end just now; every request is repeatable, so it is sent once more. */
  async #sendOnFreshIfStale(method: string, path: string, body: unknown): Promise<InternalAnswer> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs);
    const first = await this.#attempt(method, path, body, signal);
    if (first.kind === 'answer') return first;
    if (!first.isStale || signal.aborted) throw first.failure;
    const second = await this.#attempt(method, path, body, signal);
    if (second.kind === 'answer') return second;
    throw second.failure;
  }

  #attempt(method: string, path: string, body: unknown, signal: AbortSignal): Promise<Attempt> {
    const payload = body === null ? '' : JSON.stringify(body);
    const { promise, resolve } = Promise.withResolvers<Attempt>();
    const request = (this.#isSecure ? https : http).request(`${this.#options.url}${path}`, {
      method,
      agent: this.#agent,
      signal,
      headers: {
        authorization: `Bearer ${this.#options.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
      },
    });
    let hasAnswered = false;
    const fail = (error: unknown): void => {
      const isStale = request.reusedSocket && !hasAnswered && codeOf(error) === 'ECONNRESET';
      resolve({ kind: 'failed', isStale, failure: failureOf(error, signal.aborted) });
    };
    request.on('error', fail);
    request.on('response', (response) => {
      hasAnswered = true;
      readText(response).then((text) => resolve({ kind: 'answer', status: response.statusCode ?? 0, text }), fail);
    });
    request.end(payload);
    return promise;
  }
}

/** What is no HTTP, or more than the contract can need, is an answer out of contract; anything else is no answer. */
function failureOf(error: unknown, isLate: boolean): UpstreamFailure {
  if (error instanceof AnswerTooLarge || codeOf(error).startsWith('HPE_')) {
    const message = `the control plane answered out of contract: ${messageOf(error)}`;
    return new UpstreamFailure('invalid_control_plane_response', message, { cause: error });
  }
  const message = `the control plane gave no answer: ${isLate ? 'timed out' : messageOf(error)}`;
  const retry = REFUSED_CODES.has(codeOf(error)) ? 'safe' : 'never';
  return new UpstreamFailure('control_plane_unavailable', message, { retry, cause: error });
}

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** Nothing was sent when connecting fails with one of these. */
const REFUSED_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

type Attempt =
  | ({ readonly kind: 'answer' } & InternalAnswer)
  | { readonly kind: 'failed'; readonly isStale: boolean; readonly failure: UpstreamFailure };

async function readText(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // As: no encoding is set, so chunks are bytes.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_LIMIT_BYTES) throw new AnswerTooLarge(`an answer of more than ${ANSWER_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
