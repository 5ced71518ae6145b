// POST /v1/calls/{call_id}/sync. Refreshes; never dials.
import type { FastifyInstance } from 'fastify';
import type { ControlPlane } from '../../control-plane/control-plane.ts';
import { sendJson } from '../json-reply.ts';
import { callRequestOf } from '../request-parts.ts';

export function routeSyncCall(app: FastifyInstance, controlPlane: ControlPlane): void {
  app.post('/v1/calls/:call_id/sync', async (request, reply) => {
    const call = await controlPlane.syncCall(callRequestOf(request));
    return sendJson(reply, call);
  });
}
