// Builds the control plane over a store: admission, reads, cancel, sync. Used in process by `all`, over HTTP by `control-plane`.
import type { LanguageModel } from 'ai';
import { Admission } from '../admission/admission.ts';
import { openMasterKey } from '../admission/master-key.ts';
import { createJudge } from '../admission/purpose/judge.ts';
import { screenByRules } from '../admission/purpose/screen.ts';
import { ResultSchemas } from '../answers/result-schema/result-schemas.ts';
import { ControlPlaneService } from '../control-plane/service.ts';
import { Dispatch } from '../dispatch/advance.ts';
import type { Database } from '../platform/database.ts';
import { openLanguageModel } from '../platform/language-model.ts';
import { requestRetry } from '../result/results.ts';
import type { Surroundings } from './role.ts';

export interface Hall {
  readonly controlPlane: ControlPlaneService;
  readonly dispatch: Dispatch;
  readonly schemas: ResultSchemas;
  /** The configured one, or null; opened once a process. */
  readonly model: LanguageModel | null;
}

/** The configured language model, or null where there is none. */
export async function openModel({ config }: Surroundings): Promise<LanguageModel | null> {
  return config.languageModel === null ? null : openLanguageModel(config.languageModel);
}

/** The writer of calls with the configured leases and look-ups. */
export function createDispatch(database: Database, { config, log }: Surroundings): Dispatch {
  const { leaseMs, recoveryLookups, recoveryMs } = config.dispatch;
  return new Dispatch({
    database,
    log,
    settings: { leaseMs, recovery: { lookups: recoveryLookups, withinMs: recoveryMs } },
  });
}

/** @param publicUrl tells the base of the links that refusals carry; asked late, since a free port is known only once it is taken */
export async function buildHall(
  stack: AsyncDisposableStack,
  surroundings: Surroundings,
  database: Database,
  publicUrl: () => string,
): Promise<Hall> {
  const { config, log, clock, chance } = surroundings;
  const dispatch = createDispatch(database, surroundings);
  const schemas = stack.use(new ResultSchemas(clock));
  const model = await openModel(surroundings);
  const admission = stack.use(
    await Admission.open({
      database,
      clock,
      chance,
      log,
      masterKey: await openMasterKey({ configured: config.masterKey, dataDir: config.dataDir, chance }),
      checkResultSchema: (schema) => schemas.check(schema),
      screenByRules,
      judge: model === null ? null : createJudge({ model, clock, timeoutMs: config.languageModelTimeoutMs }),
      policy: { createsPerMinute: config.rates.createsPerMinute, queueLimitMs: config.dispatch.queueLimitMs },
      get billingUrl() {
        return `${publicUrl()}/dashboard/billing`;
      },
    }),
  );
  const controlPlane = new ControlPlaneService({
    database,
    clock,
    log,
    admission,
    dispatch,
    retryResult: (callId) => requestRetry(database, callId, clock),
    readsPerMinute: config.rates.readsPerMinute,
  });
  return { controlPlane, dispatch, schemas, model };
}
