// POST /v1/calls/{call_id}/cancel. Asks for an end; 200 is no proof of one.
import type { FastifyInstance } from 'fastify';
import type { ControlPlane } from '../../control-plane/control-plane.ts';
import { sendJson } from '../json-reply.ts';
import { callRequestOf } from '../request-parts.ts';

export function routeCancelCall(app: FastifyInstance, controlPlane: ControlPlane): void {
  app.post('/v1/calls/:call_id/cancel', async (request, reply) => {
    const call = await controlPlane.cancelCall(callRequestOf(request));
    return sendJson(reply, call);
  });
}
