// `errand control-plane`: the hall alone, behind internal HTTP with the shared credential.
import { startControlPlaneServer } from '../control-plane/http-server.ts';
import { buildHall } from './hall.ts';
import { openStore } from './open-store.ts';
import { StartError, building, listening } from './role.ts';
import type { Running, Surroundings } from './role.ts';

export function runControlPlane(surroundings: Surroundings): Promise<Running> {
  return building(async (stack) => {
    const { config, log } = surroundings;
    const { token, host, port } = config.controlPlane;
    if (token === null) throw new StartError('CONTROL_PLANE_TOKEN must be set: it is the credential of the gateways');
    const database = await openStore(stack, surroundings);
    const publicUrl = config.http.publicUrl ?? `http://127.0.0.1:${config.http.port}`;
    const { controlPlane } = await buildHall(stack, surroundings, database, () => publicUrl);
    const server = stack.use(
      await listening('CONTROL_PLANE_PORT', startControlPlaneServer({ controlPlane, token, host, port, log })),
    );
    return [`errand control-plane ready ${server.url}`];
  });
}
