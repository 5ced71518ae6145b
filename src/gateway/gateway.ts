// The door: the public HTTP server. Reads requests within bounds, hands them to the control plane unchecked and says the answer
// in HTTP. It has no database and never logs a token, a body or an idempotency key.
import Fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import type { Chance, Clock } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { routeCancelCall } from './cancel-call/route.ts';
import { routeCreateCall } from './create-call/route.ts';
import { routeDocs } from './docs/route.ts';
import { routeGetCall } from './get-call/route.ts';
import { routeHealth } from './health/route.ts';
import { routeOpenApi } from './openapi/route.ts';
import { NoControlPlane } from './no-control-plane.ts';
import { problemFor, sendProblem } from './problem-reply.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { routeReady } from './ready/route.ts';
import { RouteTable } from './route-table.ts';
import { routeSyncCall } from './sync-call/route.ts';
import { readableUrl } from './readable-url.ts';

export interface GatewayOptions {
  /** A sentence instead when this process has none to ask: what is missing in its configuration. */
  readonly controlPlane: ControlPlane | { readonly configurationError: string };
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly log: Logger;
  readonly clock: Clock;
  readonly chance: Chance;
  /** For tests: how long a client may take; production values otherwise. */
  readonly patience?: Partial<Patience>;
}

/** How long the door waits for clients, ms. Each bound keeps a slow client from holding a connection for ever. */
export interface Patience {
  /** From the connection, or the end of the last request, to the end of the headers. */
  readonly headersMs: number;
  /** From the first byte to the last of one request. */
  readonly requestMs: number;
  /** An idle connection between two requests: longer than the minute that load balancers like to keep one. */
  readonly keepAliveMs: number;
  /** Silence in both directions while an answer is owed or being read. */
  readonly silenceMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
}

const PATIENCE: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  silenceMs: 150_000,
  checkMs: 1_000,
};

const CONNECTIONS_LIMIT = 10_000;
/** Of one request: longer than any key and token by far. */
const HEADERS_LIMIT_BYTES = 16 * 1024;

export interface Gateway extends AsyncDisposable {
  /** To register more routes on, before `listen`; they have the problem records, ids, log lines and 405 of the rest. */
  readonly app: FastifyInstance;
  /** @returns the base URL, with the port that was taken */
  listen(): Promise<string>;
  /** Stops listening, finishes what is in flight, closes. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Builds the public server with every route of the contract that is served; listens only when told. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log } = options;
  const patience = { ...PATIENCE, ...options.patience };
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: () => options.chance.uuid(),
    requestIdHeader: false,
    rewriteUrl: (request) => readableUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: HEADERS_LIMIT_BYTES },
    return503OnClosing: false,
    keepAliveTimeout: patience.keepAliveMs,
    requestTimeout: patience.requestMs,
    connectionTimeout: patience.silenceMs,
    http: {
      headersTimeout: patience.headersMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      requireHostHeader: false, // answered by a hook, with a problem record
    },
    ...answerBrokenRequests(options.chance, log),
  });
  app.server.maxConnections = CONNECTIONS_LIMIT;
  // A client may close its half once it has sent everything; its answer is still owed. Node's name for it has no type.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  const routes = new RouteTable();
  app.addHook('onRoute', (route) => routes.add(route));
  addRequestHooks(app, routes, options);

  const hall = 'configurationError' in options.controlPlane ? null : options.controlPlane;
  const controlPlane = hall ?? new NoControlPlane();
  routeHealth(app);
  routeReady(app, options);
  routeOpenApi(app);
  routeDocs(app);
  await app.register(async (calls) => {
    takeBodiesAsTheyAre(calls);
    routeCreateCall(calls, controlPlane);
    routeGetCall(calls, controlPlane);
    routeSyncCall(calls, controlPlane);
    routeCancelCall(calls, controlPlane);
  });
  return {
    app,
    listen: () => app.listen({ host: options.host, port: options.port }),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function addRequestHooks(app: FastifyInstance, routes: RouteTable, { log, clock }: GatewayOptions): void {
  const startedAtMs = new WeakMap<object, number>();
  app.addHook('onRequest', async (request, reply) => {
    startedAtMs.set(request, clock.monotonicMs());
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      return sendProblem(
        reply,
        problemFor('bad_request', 'An HTTP/1.1 request needs a Host header. No call was created.'),
      );
    }
    if (!request.is404 && !hasEmptyStep(request)) return undefined;
    const allowed = routes.methodsOf(request.url);
    if (!request.is404 && allowed !== null) return undefined;
    return sendProblem(
      reply,
      allowed === null
        ? problemFor('not_found', 'There is no such route; /openapi.json lists them all.')
        : problemFor('method_not_allowed', `This path has ${allowed} only.`, { allow: allowed }),
    );
  });
  app.setNotFoundHandler(() => undefined); // the hook has answered already
  app.setErrorHandler((error, request, reply) => {
    if (request.raw.readableAborted) return reply.hijack(); // its client is gone: nobody to tell, nothing was asked
    const told = problemFor(error, request.method === 'POST' && request.routeOptions.url === '/v1/calls');
    if (told.problem.status >= 500) {
      log.error({ err: error, request_id: request.id, code: told.problem.code }, 'request failed');
    }
    return sendProblem(reply, told);
  });
  app.addHook('onResponse', async (request, reply) => {
    const tookMs = clock.monotonicMs() - (startedAtMs.get(request) ?? clock.monotonicMs());
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(tookMs * 10) / 10,
      },
      'request',
    );
  });
  app.addHook('onRequestAbort', async (request) => {
    log.info({ request_id: request.id, route: request.routeOptions.url ?? null }, 'request was given up by its client');
  });
  app.server.on('error', (error) => {
    if (app.server.listening) log.error({ reason: messageOf(error) }, 'the public port failed'); // else `listen` throws it
  });
}

/** The router lets a name match nothing at all (`/v1/calls/`); for the route table no such path exists. */
function hasEmptyStep(request: FastifyRequest): boolean {
  return Object.values(request.params ?? {}).includes('');
}

/** The content type is no reason to refuse, and bodies are read by the routes that want one, within their own limit. */
function takeBodiesAsTheyAre(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.addHook('onRequest', async (request) => {
    delete request.raw.headers['content-type'];
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.header('cache-control', 'no-store'); // call records are nobody else's
    return payload;
  });
}
