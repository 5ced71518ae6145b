// GET /v1/calls/{call_id}. Saved state only.
import type { FastifyInstance } from 'fastify';
import type { ControlPlane } from '../../control-plane/control-plane.ts';
import { sendJson } from '../json-reply.ts';
import { callRequestOf } from '../request-parts.ts';

export function routeGetCall(app: FastifyInstance, controlPlane: ControlPlane): void {
  app.get('/v1/calls/:call_id', async (request, reply) => {
    const call = await controlPlane.getCall(callRequestOf(request));
    return sendJson(reply, call);
  });
}
