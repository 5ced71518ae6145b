// `errand worker`: places calls and works out results; serves nobody.
import { ResultSchemas } from '../answers/result-schema/result-schemas.ts';
import { buildFloor } from './floor.ts';
import { createDispatch, openModel } from './hall.ts';
import { openStore } from './open-store.ts';
import { StartError, building } from './role.ts';
import type { Running, Surroundings } from './role.ts';

export function runWorker(surroundings: Surroundings): Promise<Running> {
  return building(async (stack) => {
    const { trunkUri } = surroundings.config.sip;
    if (trunkUri === null)
      throw new StartError('SIP_TRUNK_URI must be set: the phone network in a box belongs to `errand all`');
    const database = await openStore(stack, surroundings);
    const dispatch = createDispatch(database, surroundings);
    const model = await openModel(surroundings);
    const schemas = stack.use(new ResultSchemas(surroundings.clock));
    await buildFloor(stack, surroundings, { database, dispatch, schemas, model, trunkUri });
    return ['errand worker ready'];
  });
}
