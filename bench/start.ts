// Start to ready, cold and warm, and the memory of an idle service: the claims of README and ARCHITECTURE about a bare machine.
import { rmSync } from 'node:fs';
import { Service, makeFolder, removeFolder } from '../test/support/service.ts';
import { memoryOf } from './support/memory-of.ts';
import { report, spread } from './support/report.ts';

const ROUNDS = 5;
const GOALS = { coldMs: 3_000, warmMs: 1_000 };

export async function run(): Promise<void> {
  const cold: number[] = [];
  const warm: number[] = [];
  let idle = { service: 0, database: 0 };
  const cache = await makeFolder();
  for (let round = 0; round < ROUNDS; round++) {
    const folder = await makeFolder();
    rmSync(cache, { recursive: true, force: true });
    cold.push(await timeStart(folder, cache));
    warm.push(
      await timeStart(folder, cache, async (service) => {
        await service.ask('GET', '/health/ready');
        idle = await memoryOf(service);
      }),
    );
    await removeFolder(folder);
  }
  await removeFolder(cache);
  report('start', {
    cold_ms: spread(cold),
    cold_goal_ms: GOALS.coldMs,
    warm_ms: spread(warm),
    warm_goal_ms: GOALS.warmMs,
    idle_memory_mb: idle,
  });
}

/** From the spawn to `errand ready`. */
async function timeStart(
  folder: string,
  cache: string,
  then: (service: Service) => Promise<void> = async () => undefined,
): Promise<number> {
  const started = performance.now();
  await using service = await Service.start(folder, { NODE_COMPILE_CACHE: cache, LOG_LEVEL: 'warn' });
  const tookMs = performance.now() - started;
  await then(service);
  await service.stop();
  return tookMs;
}
