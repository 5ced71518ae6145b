// POST /v1/calls: hands key, header and body on as they came; the order in which they are judged is the control plane's.
import type { FastifyInstance } from 'fastify';
import type { ControlPlane } from '../../control-plane/control-plane.ts';
import { sendJson } from '../json-reply.ts';
import { callerOf, idempotencyKeyOf, readBody } from '../request-parts.ts';

export function routeCreateCall(app: FastifyInstance, controlPlane: ControlPlane): void {
  app.post('/v1/calls', async (request, reply) => {
    const body = await readBody(request.raw);
    if (!request.raw.complete) reply.header('connection', 'close');
    const idempotencyKey = idempotencyKeyOf(request);
    const { call, isReplay } = await controlPlane.createCall({ ...callerOf(request), idempotencyKey, body });
    if (isReplay) reply.header('idempotency-replayed', 'true');
    return sendJson(reply.code(202), call);
  });
}
