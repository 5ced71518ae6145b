// A database with a caller, dispatch upon it, and workers with a runner that the test writes.
import assert from 'node:assert/strict';
import { Dispatch } from '../../src/dispatch/advance.ts';
import type { CallRow } from '../../src/dispatch/call-row.ts';
import type { CallDesk, CallRunner } from '../../src/dispatch/runner.ts';
import { Worker } from '../../src/dispatch/worker.ts';
import type { WorkerParts } from '../../src/dispatch/worker.ts';
import type { Founded } from '../../src/account/setup.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { createCaller } from './queued-calls.ts';
import { until } from './until.ts';

export type Run = CallRunner['run'];
export const ENDED = { kind: 'ended', code: null, because: 'recipient hung up' } as const;
export const LEASE_MS = 600;
const LOG = createLogger('silent');

export interface Dispatching extends AsyncDisposable {
  readonly db: TestDatabase;
  readonly caller: Founded;
  readonly dispatch: Dispatch;
  createWorker(run: Run, parts?: Partial<WorkerParts>): Worker;
  readCall(id: string): Promise<CallRow>;
  inStage(id: string, stage: CallRow['stage']): Promise<boolean>;
}

export async function createDispatching(): Promise<Dispatching> {
  const db = await createTestDatabase();
  const { database } = db;
  const settings = { leaseMs: LEASE_MS, recovery: { lookups: 3, withinMs: 700 } };
  const dispatch = new Dispatch({ database, settings, log: LOG });
  const readCall = async (id: string): Promise<CallRow> => {
    const [row] = await database.query<CallRow>('SELECT * FROM calls WHERE id = $1', [id]);
    assert.ok(row !== undefined);
    return row;
  };
  return {
    db,
    caller: await createCaller(database),
    dispatch,
    createWorker: (run, parts = {}) =>
      new Worker({
        database,
        dispatch,
        runner: { prepare: (call) => ({ carrier: 'sip', reference: `${call.id}@errand` }), run },
        clock: systemClock,
        chance: systemChance,
        log: LOG,
        capacity: 10,
        drainMs: 5_000,
        ...parts,
      }),
    readCall,
    inStage: (id, stage) => until(`call is ${stage}`, async () => (await readCall(id)).stage === stage),
    [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
  };
}

/** A run that a test can hold in the middle of the call. */
export function heldRun(): { readonly run: Run; readonly started: Promise<CallDesk>; release(): void } {
  const started = Promise.withResolvers<CallDesk>();
  const released = Promise.withResolvers<void>();
  const run: Run = async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    started.resolve(desk);
    await released.promise;
    await desk.report(ENDED);
  };
  return { run, started: started.promise, release: () => released.resolve() };
}
