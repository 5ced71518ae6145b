// A fresh, migrated database for each test, on one real server: the one whose URL the test runner hands over in
// ERRAND_TEST_POSTGRES, else an embedded one that lives as long as the test file's process.
import { createHash, randomBytes } from 'node:crypto';
import { openDatabase } from '../../src/platform/database.ts';
import type { Database } from '../../src/platform/database.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from '../../src/platform/migrate.ts';
import { startThrowawayServer, stopThrowawayServer } from './throwaway-server.ts';
import type { ThrowawayServer } from './throwaway-server.ts';

export interface TestDatabase extends AsyncDisposable {
  /** For another process, or another pool on the same database. */
  readonly url: string;
  readonly database: Database;
}

const TEMPLATE_LOCK = 7_219_461_002;

/**
 * A database of its own, dropped on disposal (connections that are still open are cut).
 * @param isMigrated false: without any table
 */
export async function createTestDatabase(isMigrated = true): Promise<TestDatabase> {
  const serverUrl = await testServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await using server = open(serverUrl, 2);
  const template = isMigrated ? await ensureTemplate(server, serverUrl) : 'template1';
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = urlOfDatabase(serverUrl, name);
  const database = open(url, 10);
  return {
    url,
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await using again = open(serverUrl, 1);
      await again.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The URL of the server that this run's test databases are on. */
export function testServer(): Promise<string> {
  const given = process.env['ERRAND_TEST_POSTGRES'];
  if (given !== undefined && given !== '') return Promise.resolve(given);
  if (ownServer === undefined) {
    ownServer = startThrowawayServer();
    process.once('beforeExit', () => void ownServer?.then(stopThrowawayServer)); // when the tests have ended
  }
  return ownServer.then((own) => own.server.url);
}

let ownServer: Promise<ThrowawayServer> | undefined;

/** The migrated database that the others are copies of; made once a server and set of migrations. */
async function ensureTemplate(server: Database, serverUrl: string): Promise<string> {
  const checksums = readMigrations(MIGRATIONS_DIR).map((migration) => migration.checksum);
  const template = `template_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16)}`;
  const exists = async (): Promise<boolean> =>
    (await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).length > 0;
  if (await exists()) return template;
  const connection = await server.connect();
  try {
    await connection.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    if (await exists()) return template;
    const unfinished = `${template}_${randomBytes(4).toString('hex')}`;
    await connection.query(`CREATE DATABASE ${unfinished}`);
    {
      await using fresh = open(urlOfDatabase(serverUrl, unfinished), 1);
      await migrate(fresh);
    }
    await connection.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    return template;
  } finally {
    await connection.release();
  }
}

function open(url: string, poolSize: number): Database {
  return openDatabase({
    url,
    poolSize,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => undefined, // tests cut connections on purpose
  });
}

function urlOfDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
