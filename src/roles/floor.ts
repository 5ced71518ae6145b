// Builds what places calls and works out results: line, conversation, worker, caretaker, results. Used by `all` and `worker`.
import type { LanguageModel } from 'ai';
import { createInterviewer } from '../conversation/interviewer/interviewer.ts';
import { createLanguageModelMind } from '../conversation/language-model-mind.ts';
import { createCallRunner } from '../conversation/runner.ts';
import type { ResultSchemas } from '../answers/result-schema/result-schemas.ts';
import type { Dispatch } from '../dispatch/advance.ts';
import { Caretaker } from '../dispatch/recovery.ts';
import { Worker } from '../dispatch/worker.ts';
import { createMedia } from '../line/media/media.ts';
import { chooseLocalAddress, openSipLine } from '../line/sip/sip-line.ts';
import type { Database } from '../platform/database.ts';
import { messageOf } from '../platform/errors.ts';
import { createModelExtraction } from '../result/model-extraction.ts';
import { ResultWorker } from '../result/results.ts';
import type { Surroundings } from './role.ts';

export interface FloorParts {
  readonly database: Database;
  readonly dispatch: Dispatch;
  readonly schemas: ResultSchemas;
  readonly model: LanguageModel | null;
  /** The configured trunk, or the exchange of local mode. */
  readonly trunkUri: string;
}

/** Starts taking calls; its parts close in the order that a call needs: claims first, the line last. */
export async function buildFloor(
  stack: AsyncDisposableStack,
  surroundings: Surroundings,
  parts: FloorParts,
): Promise<void> {
  const { config, log, clock, chance } = surroundings;
  const { database, dispatch, schemas, model, trunkUri } = parts;
  const { sip } = config;
  const localAddress = await chooseLocalAddress(trunkUri, sip.localAddress);
  const media = stack.use(
    createMedia({
      host: localAddress,
      firstPort: sip.firstRtpPort,
      lastPort: sip.lastRtpPort,
      clock,
      chance,
      onError: (error) => log.error({ reason: messageOf(error) }, 'a media frame failed'),
    }),
  );
  const { callerNumber, localPort, ringMs, acknowledgeMs } = sip;
  const credentials = sip.user === null ? null : { user: sip.user, password: sip.password ?? '' };
  const line = stack.use(
    await openSipLine(
      { trunkUri, credentials, callerNumber, localAddress, localPort, ringMs, acknowledgeMs },
      { media, clock, chance, log },
    ),
  );
  const timeoutMs = config.languageModelTimeoutMs;
  const createMind =
    model === null ? createInterviewer(clock) : await createLanguageModelMind({ model, timeoutMs, clock });

  const results = stack.use(
    new ResultWorker({
      database,
      validate: (schema, value) => schemas.validate(schema, value),
      extractByModel: model === null ? null : await createModelExtraction({ model, clock, timeoutMs }),
      clock,
      log,
    }),
  );
  await results.start();
  const caretaker = stack.use(new Caretaker({ database, dispatch, lookUp: (leg) => line.lookUp(leg), clock, log }));
  caretaker.start();
  const { capacity, drainMs } = config.dispatch;
  const runner = createCallRunner({ line, createMind, clock, log });
  const worker = stack.use(new Worker({ database, dispatch, runner, clock, chance, log, capacity, drainMs }));
  await worker.start();
}
