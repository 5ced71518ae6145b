// GET /health: the process answers. Asks nobody.
import type { FastifyInstance } from 'fastify';
import { sendJson } from '../json-reply.ts';

export function routeHealth(app: FastifyInstance): void {
  app.get('/health', async (_request, reply) => sendJson(reply.header('cache-control', 'no-store'), { status: 'ok' }));
}
