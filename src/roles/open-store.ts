// The store of a role: the configured PostgreSQL, or the embedded one of the data folder, migrated and with the plans' figures.
import { mkdir } from 'node:fs/promises';
import { upsertPlans } from '../ledger/store.ts';
import { openDatabase } from '../platform/database.ts';
import type { Database } from '../platform/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { messageOf } from '../platform/errors.ts';
import { migrate } from '../platform/migrate.ts';
import type { Surroundings } from './role.ts';

const STATEMENT_TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Reads, reports of calls and caretakers; lanes and listeners have connections of their own. */
const POOL_SIZE = 16;

/** Opens the store and leaves its closing to the stack. @throws {Fault} when it cannot be reached */
export async function openStore(stack: AsyncDisposableStack, { config, clock, log }: Surroundings): Promise<Database> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const url = config.databaseUrl ?? (await startEmbedded(stack, { config, clock, log }));
  const database = stack.use(
    openDatabase({
      url,
      poolSize: POOL_SIZE,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      onBackgroundError: (error) => log.warn({ reason: messageOf(error) }, 'a database connection failed'),
    }),
  );
  const applied = await migrate(database);
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  await upsertPlans(database, config.plans);
  return database;
}

async function startEmbedded(
  stack: AsyncDisposableStack,
  { config, clock, log }: Pick<Surroundings, 'config' | 'clock' | 'log'>,
): Promise<string> {
  const server = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    clock,
    onProblem: (error) => log.error({ reason: messageOf(error) }, 'the embedded database was lost and is brought back'),
  });
  stack.defer(() => server.stop());
  return server.url;
}
