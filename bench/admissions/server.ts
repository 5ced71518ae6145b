// A process that is the service's way in and nothing more: door, hall, admission, on a database that is there already.
// No worker is behind it, so calls stay queued.
import { Admission } from '../../src/admission/admission.ts';
import { screenByRules } from '../../src/admission/purpose/screen.ts';
import { ResultSchemas } from '../../src/answers/result-schema/result-schemas.ts';
import { ControlPlaneService } from '../../src/control-plane/service.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { systemChance as chance, systemClock as clock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createLogger } from '../../src/platform/log.ts';

const url = process.argv[2] ?? '';
const log = createLogger('error');
const database = openDatabase({
  url,
  poolSize: 8,
  statementTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  onBackgroundError: (error) => log.error({ err: error }, 'a database connection failed'),
});
const schemas = new ResultSchemas(clock);
const admission = await Admission.open({
  database,
  clock,
  chance,
  log,
  masterKey: Buffer.alloc(32, 1),
  checkResultSchema: (schema) => schemas.check(schema),
  screenByRules,
  judge: null,
  policy: { createsPerMinute: 1_000_000_000, queueLimitMs: 900_000 },
  billingUrl: 'http://127.0.0.1/dashboard/billing',
});
const controlPlane = new ControlPlaneService({
  database,
  clock,
  log,
  admission,
  dispatch: { advance: () => Promise.reject(new Error('nothing is dispatched here')) },
  retryResult: () => Promise.resolve(),
  readsPerMinute: 1_000_000,
});
const gateway = await createGateway({ controlPlane, host: '127.0.0.1', port: 0, log, clock, chance });
process.send?.(Number(new URL(await gateway.listen()).port));
process.once('disconnect', () => process.exit(0));
