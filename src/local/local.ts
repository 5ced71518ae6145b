// The endpoints of local mode, where everything is on one machine and nothing has a password: so only this machine may ask, and
// no web page of elsewhere through the browser of somebody who sits at it.
import type { FastifyInstance } from 'fastify';
import type { Exchange } from '../line/exchange/exchange.ts';
import { NUMBER_PATTERN } from '../line/exchange/program.ts';
import { listMessages } from '../messaging/store.ts';
import type { Queryable } from '../platform/database.ts';
import { isFromThisMachine } from './this-machine.ts';
import { LocalRefusal, sendRefusal } from './refusal.ts';

export interface LocalParts {
  readonly exchange: Pick<Exchange, 'phone' | 'program'>;
  readonly database: Queryable;
}

/** A program with 100 replies of the longest kind fits several times. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** Adds `/local/phones/{number}` and `/local/messages`. To be called before the server listens. */
export function registerLocal(app: FastifyInstance, { exchange, database }: LocalParts): void {
  void app.register(async (local) => {
    local.removeAllContentTypeParsers();
    local.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_request, body, done) => {
      done(null, body);
    });
    local.addHook('onRequest', async (request) => {
      const { host, origin } = request.headers;
      if (!isFromThisMachine({ address: request.socket.remoteAddress, host, origin })) {
        throw new LocalRefusal(
          403,
          'local_only',
          'Only this machine itself may use /local, under a name like localhost.',
        );
      }
    });
    local.addHook('onSend', async (_request, reply, payload) => {
      reply.header('cache-control', 'no-store');
      return payload;
    });
    local.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      if (error instanceof LocalRefusal) return sendRefusal(reply, error);
      if (error.statusCode === 413)
        return sendRefusal(reply, new LocalRefusal(413, 'payload_too_large', error.message));
      throw error; // for the server's own handler
    });

    local.route<{ Params: { number: string } }>({
      method: 'PUT',
      url: '/local/phones/:number',
      handler: async (request) => {
        const number = numberFrom(request.params.number);
        const read = exchange.program(number, jsonFrom(request.body));
        if ('fault' in read) throw invalid(`${read.fault.pointer || 'The body'} ${read.fault.because}.`);
        return phoneView(number, exchange);
      },
    });
    local.route<{ Params: { number: string } }>({
      method: 'GET',
      url: '/local/phones/:number',
      handler: async (request) => {
        const number = numberFrom(request.params.number);
        return phoneView(number, exchange);
      },
    });
    local.route<{ Querystring: { to?: string | string[] } }>({
      method: 'GET',
      url: '/local/messages',
      handler: async (request) => ({ messages: await listMessages(database, recipientFrom(request.query.to)) }),
    });
  });
}

/** The program's own fields and the calls; `behaviour` is null where nobody programmed the number. */
function phoneView(number: string, exchange: LocalParts['exchange']): object {
  const { program, calls } = exchange.phone(number);
  return { number, ...(program ?? { behaviour: null }), calls };
}

function numberFrom(text: string): string {
  if (NUMBER_PATTERN.test(text)) return text;
  throw invalid('The number in the path must be E.164: +, then 8 to 15 digits, the first not 0.');
}

function jsonFrom(body: unknown): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    throw invalid('The body must be JSON.');
  }
}

function recipientFrom(to: string | string[] | undefined): string | null {
  if (to === undefined || to === '') return null;
  if (typeof to !== 'string') throw invalid('`to` may be given once.');
  // A plus sign in a query stands for a space unless it is escaped: nobody's number or address begins with one.
  return to.replace(/^ /, '+');
}

function invalid(detail: string): LocalRefusal {
  return new LocalRefusal(422, 'invalid_request', detail);
}
