// `errand all`: every role in one process. Without a trunk this is local mode: the phone network in a box is part of it, and
// with a trunk nothing of it exists.
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { foundOwner } from '../account/owner.ts';
import { createGateway } from '../gateway/gateway.ts';
import type { Database } from '../platform/database.ts';
import { holdAlone } from '../platform/sole-holder.ts';
import { buildFloor } from './floor.ts';
import { buildHall } from './hall.ts';
import { openStore } from './open-store.ts';
import { StartError, building, listening } from './role.ts';
import type { Running, Surroundings } from './role.ts';

const EXCHANGE_JOURNAL = 'exchange.jsonl';

export function runAll(surroundings: Surroundings): Promise<Running> {
  return building(async (stack) => {
    const { config, log, clock, chance } = surroundings;
    const database = await openStore(stack, surroundings);
    await holdDataFolder(stack, surroundings, database);
    const ownerKey = await foundOwner({ database, clock, chance }, config.dataDir);

    let publicUrl = config.http.publicUrl ?? `http://127.0.0.1:${config.http.port}`;
    const { controlPlane, dispatch, schemas, model } = await buildHall(stack, surroundings, database, () => publicUrl);
    const exchange = config.sip.trunkUri === null ? await openLocalExchange(stack, surroundings) : null;
    const trunkUri = config.sip.trunkUri ?? exchange?.trunkUri ?? '';
    await buildFloor(stack, surroundings, { database, dispatch, schemas, model, trunkUri });

    const gateway = stack.use(
      await createGateway({ controlPlane, host: config.http.host, port: config.http.port, log, clock, chance }),
    );
    if (exchange !== null) {
      const { registerLocal } = await import('../local/local.ts');
      registerLocal(gateway.app, { exchange, database });
    }
    const at = await listening('PORT', gateway.listen());
    publicUrl = config.http.publicUrl ?? at;
    return [...(ownerKey === null ? [] : [`owner key in ${path.resolve(ownerKey)}`]), `errand ready ${publicUrl}`];
  });
}

async function holdDataFolder(
  stack: AsyncDisposableStack,
  surroundings: Surroundings,
  database: Database,
): Promise<void> {
  const { config, clock, fail } = surroundings;
  const folder = await realpath(config.dataDir);
  const hold = await holdAlone({ database, clock, name: `errand ${folder}`, lost: fail });
  if (hold === null)
    throw new StartError(`another errand is running on the data folder ${folder}; stop it, or set ERRAND_DATA_DIR`);
  stack.use(hold);
}

async function openLocalExchange(stack: AsyncDisposableStack, { config, clock, chance, log }: Surroundings) {
  const { openExchange } = await import('../line/exchange/exchange.ts');
  const journal = path.join(config.dataDir, EXCHANGE_JOURNAL);
  return stack.use(await openExchange({ host: '127.0.0.1', port: 0, journal, clock, chance, log }));
}
