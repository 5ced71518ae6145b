// GET /health/ready: whether the gateway is configured and the control plane answers, within a deadline. Both answers are status
// objects; what failed in detail is in the log, because anybody may ask here.
import type { FastifyInstance } from 'fastify';
import type { Readiness } from '../../contract/health.ts';
import type { ControlPlane } from '../../control-plane/control-plane.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { sendJson } from '../json-reply.ts';
import { UpstreamFailure } from '../upstream-failure.ts';
import { within } from '../../platform/clock.ts';

/** How long the control plane may take to say that it is ready. */
export const READY_DEADLINE_MS = 2_000;

export interface ReadyParts {
  readonly controlPlane: ControlPlane | { readonly configurationError: string };
  readonly clock: Clock;
  readonly log: Logger;
}

export function routeReady(app: FastifyInstance, parts: ReadyParts): void {
  app.get('/health/ready', async (request, reply) => {
    const readiness = await readinessOf(parts, request.id);
    reply.code(readiness.status === 'ready' ? 200 : 503).header('cache-control', 'no-store');
    return sendJson(reply, readiness);
  });
}

async function readinessOf({ controlPlane, clock, log }: ReadyParts, requestId: string): Promise<Readiness> {
  if ('configurationError' in controlPlane) {
    const components = {
      configuration: false,
      control_plane: false,
      configuration_error: controlPlane.configurationError,
      control_plane_error: 'not asked: the configuration is incomplete',
    };
    return { status: 'degraded', components };
  }
  try {
    await within(clock, READY_DEADLINE_MS, controlPlane.ready(), () => {
      throw new TooLate('the control plane took too long');
    });
    return {
      status: 'ready',
      components: { configuration: true, control_plane: true, control_plane_status: 'ready' },
    };
  } catch (error) {
    log.warn({ err: error, request_id: requestId }, 'the control plane is not ready');
    return { status: 'degraded', components: { configuration: true, control_plane: false, ...saidOf(error) } };
  }
}

function saidOf(error: unknown): { readonly control_plane_error: string; readonly control_plane_status?: string } {
  if (error instanceof TooLate) return { control_plane_error: `no answer within ${READY_DEADLINE_MS} ms` };
  if (!(error instanceof UpstreamFailure)) return { control_plane_error: 'the store does not answer' };
  const status = error.upstreamStatus === null ? {} : { control_plane_status: error.upstreamStatus };
  return { control_plane_error: SENTENCES[error.code], ...status };
}

const SENTENCES = {
  control_plane_error: 'it answered with a failure of its own',
  invalid_control_plane_response: 'it answered out of contract',
  control_plane_unavailable: 'it cannot be reached',
} as const;

class TooLate extends Error {
  override readonly name = 'TooLate';
}
