// The hall over internal HTTP: the same interface for gateways in other processes that hold the shared credential. Speaks to
// nobody without it, and says no more of a failure than that it happened: the log has the rest.
import { hash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compile } from '../contract/compile.ts';
import type { Checked } from '../contract/compile.ts';
import {
  INTERNAL_PATHS,
  INTERNAL_REQUEST_LIMIT_BYTES,
  InternalCallRequest,
  InternalCreateRequest,
  REFUSED_STATUS,
} from '../contract/internal.ts';
import { Refusal } from '../contract/refusal.ts';
import { Fault } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { ControlPlane } from './control-plane.ts';

/** A gateway on the same network sends its whole request at once. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer than a gateway keeps an idle connection, so that it is the gateway who closes. */
const KEEP_ALIVE_MS = 75_000;

export interface ControlPlaneServerOptions {
  readonly controlPlane: ControlPlane;
  /** The shared credential. */
  readonly token: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: Logger;
}

export interface ControlPlaneServer extends AsyncDisposable {
  readonly url: string;
}

/** Listens, then answers until disposed; requests in flight are finished first. */
export async function startControlPlaneServer(options: ControlPlaneServerOptions): Promise<ControlPlaneServer> {
  const operations = operationsOf(options.controlPlane);
  const isCredential = credentialCheck(options.token);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS });
  server.on('request', (request, response) => {
    answer({ request, operations, isCredential, log: options.log }).then(
      (reply) => send(response, reply, server.listening),
      (error: unknown) => {
        options.log.warn({ err: error }, 'internal request was not read');
        request.destroy();
      },
    );
  });
  await listen(server, options);
  const { address, family, port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
    },
  };
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

type Operation = (body: unknown) => Promise<Reply>;

interface Incoming {
  readonly request: IncomingMessage;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly isCredential: (header: string | undefined) => boolean;
  readonly log: Logger;
}

async function answer({ request, operations, isCredential, log }: Incoming): Promise<Reply> {
  const isAllowed = isCredential(request.headers.authorization);
  const text = await readText(request, isAllowed ? INTERNAL_REQUEST_LIMIT_BYTES : 0);
  if (!isAllowed) return { status: 401, body: { error: 'credential' } };
  const operation = operations.get(`${request.method} ${request.url}`);
  if (operation === undefined) return { status: 404, body: { error: 'route' } };
  if (text === null) return { status: 413, body: { error: 'size' } };
  let body: unknown = null;
  try {
    body = text === '' ? null : JSON.parse(text);
    return await operation(body);
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, detail, details } = error;
      return { status: REFUSED_STATUS, body: { refusal: { code, detail, details } } };
    }
    const retry = error instanceof Fault ? error.retry : 'never';
    log.error({ err: error, route: request.url, request_id: requestIdOf(body) }, 'internal request failed');
    return { status: error instanceof Fault ? 503 : 500, body: { failure: { retry } } };
  }
}

/** The id that the gateway's answer and log carry, where the request has one. */
function requestIdOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('requestId' in body)) return null;
  return typeof body.requestId === 'string' ? body.requestId : null;
}

function operationsOf(controlPlane: ControlPlane): ReadonlyMap<string, Operation> {
  const checkCall = compile(InternalCallRequest);
  const checkCreate = compile(InternalCreateRequest);
  const ok = (body: unknown): Reply => ({ status: 200, body });
  return new Map<string, Operation>([
    [
      `POST ${INTERNAL_PATHS.createCall}`,
      async (body) => ok(await controlPlane.createCall(valueOf(checkCreate(body)))),
    ],
    [`POST ${INTERNAL_PATHS.getCall}`, async (body) => ok(await controlPlane.getCall(valueOf(checkCall(body))))],
    [`POST ${INTERNAL_PATHS.syncCall}`, async (body) => ok(await controlPlane.syncCall(valueOf(checkCall(body))))],
    [`POST ${INTERNAL_PATHS.cancelCall}`, async (body) => ok(await controlPlane.cancelCall(valueOf(checkCall(body))))],
    [
      `GET ${INTERNAL_PATHS.ready}`,
      async () => {
        await controlPlane.ready();
        return ok({ status: 'ready' });
      },
    ],
  ]);
}

/** The other end is a gateway of ours: a request out of shape is a bug, and the place alone is told. */
function valueOf<Shape>(checked: Checked<Shape>): Shape {
  if (checked.ok) return checked.value;
  throw new Error(`an internal request is out of shape at ${JSON.stringify(checked.pointer)}`);
}

/** @returns null when the body is above the limit; the rest of it is not kept */
async function readText(request: IncomingMessage, limitBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // As: no encoding is set, so chunks are bytes.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
  }
  return bytes <= limitBytes ? Buffer.concat(chunks).toString('utf8') : null;
}

function send(response: ServerResponse, reply: Reply, isListening: boolean): void {
  if (!isListening) response.setHeader('connection', 'close');
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply.body));
}

/** Compares digests, so that neither content nor length of the credential shows in the time taken. */
function credentialCheck(token: string): (header: string | undefined) => boolean {
  const wanted = hash('sha256', `Bearer ${token}`, 'buffer');
  return (header) => timingSafeEqual(hash('sha256', header ?? '', 'buffer'), wanted);
}

function listen(server: Server, { host, port }: ControlPlaneServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
