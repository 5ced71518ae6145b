// GET /openapi.json: the whole contract, built once from the same schemas that the checks use.
import type { FastifyInstance } from 'fastify';
import { buildOpenApi } from '../../contract/openapi.ts';
import type { JsonObject } from '../../contract/openapi.ts';
import { sendJson } from '../json-reply.ts';

export function routeOpenApi(app: FastifyInstance): void {
  let document: JsonObject | undefined;
  app.get('/openapi.json', async (_request, reply) => {
    document ??= buildOpenApi();
    return sendJson(reply, document);
  });
}
