// Writes migrations/schema.sql anew: the sum of the migrations, for reading. Run after adding a migration:
// npm run schema
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate, MIGRATIONS_DIR } from './migrate.ts';
import { SCHEMA_HEAD, schemaDump } from './schema-dump.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'errand-schema-'));
try {
  const server = await startEmbeddedPostgres({ dataDir, clock: systemClock, isDurable: false });
  try {
    await using database = openDatabase({
      url: server.url,
      poolSize: 1,
      statementTimeoutMs: 30_000,
      connectTimeoutMs: 10_000,
      onBackgroundError: (error) => {
        throw error;
      },
    });
    await migrate(database);
    writeFileSync(join(MIGRATIONS_DIR, 'schema.sql'), SCHEMA_HEAD + (await schemaDump(database)));
  } finally {
    await server.stop();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
