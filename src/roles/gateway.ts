// `errand gateway`: the door alone. Has no database; asks a control plane over internal HTTP.
import { ControlPlaneClient } from '../gateway/control-plane-client.ts';
import { createGateway } from '../gateway/gateway.ts';
import { building, listening } from './role.ts';
import type { Running, Surroundings } from './role.ts';

export function runGateway(surroundings: Surroundings): Promise<Running> {
  return building(async (stack) => {
    const { config, log, clock, chance } = surroundings;
    const { url, token, timeoutMs } = config.controlPlane;
    const missing = [url === null ? 'CONTROL_PLANE_URL' : null, token === null ? 'CONTROL_PLANE_TOKEN' : null];
    const controlPlane =
      url === null || token === null
        ? { configurationError: `${missing.filter((name) => name !== null).join(' and ')} must be set` }
        : stack.use(new ControlPlaneClient({ url, token, timeoutMs }));
    const gateway = stack.use(
      await createGateway({ controlPlane, host: config.http.host, port: config.http.port, log, clock, chance }),
    );
    const at = await listening('PORT', gateway.listen());
    return [`errand gateway ready ${config.http.publicUrl ?? at}`];
  });
}
