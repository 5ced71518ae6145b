// A worker process whose calls are acknowledged and then never end, for tests that kill it. Prints one line a call.
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createLogger } from '../../src/platform/log.ts';
import { Dispatch } from '../../src/dispatch/advance.ts';
import { Worker } from '../../src/dispatch/worker.ts';

const [url = '', leaseMs = '300'] = process.argv.slice(2);
const database = openDatabase({
  url,
  poolSize: 4,
  statementTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  onBackgroundError: () => undefined,
});
const log = createLogger('silent');
const settings = { leaseMs: Number(leaseMs), recovery: { lookups: 1, withinMs: 1 } };
const dispatch = new Dispatch({ database, settings, log });
const worker = new Worker({
  database,
  dispatch,
  clock: systemClock,
  chance: systemChance,
  log,
  capacity: 1,
  drainMs: 0,
  runner: {
    prepare: (call) => ({ carrier: 'sip', reference: `${call.id}@errand` }),
    async run(call, desk) {
      await desk.report({ kind: 'acknowledged' });
      console.log(`acknowledged ${call.id}`);
      await new Promise(() => undefined);
    },
  },
});
await worker.start();
