// Brings a database to the schema of this release: migrations/NNNN_what.sql, forward only, each in a transaction of its
// own, one process at a time. Must never run a file twice and never go on when an applied file was edited since.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database, DedicatedConnection } from './database.ts';

export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  /** The file's name. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, hexadecimal. */
  readonly checksum: string;
}

export const MIGRATIONS_DIR = fileURLToPath(new URL('../../migrations', import.meta.url));
/** Whoever holds this advisory lock of the database migrates it. */
const MIGRATION_LOCK = 7_219_461_001;

/**
 * Applies what is missing. Any number of processes may call it at once: one works, the others wait and find it done.
 * @returns the names of the files that this call applied, in order
 * @throws {Error} naming the file: an applied one was edited or is missing here, or its SQL failed (nothing of it stays)
 */
export async function migrate(database: Database, folder: string = MIGRATIONS_DIR): Promise<string[]> {
  const migrations = readMigrations(folder);
  const connection = await database.connect();
  try {
    await connection.query('SET statement_timeout = 0');
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await connection.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    const applied = await connection.query<AppliedMigration>(
      'SELECT number, name, checksum FROM schema_migrations ORDER BY number',
    );
    checkHistory(migrations, applied);
    const missing = migrations.slice(applied.length);
    for (const migration of missing) await apply(connection, migration);
    return missing.map((migration) => migration.name);
  } finally {
    await connection.release(); // and with it the lock
  }
}

/**
 * Reads a folder of migrations, in order.
 * @throws {Error} when a file is not named NNNN_what.sql, or a number is missing or taken twice
 */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql') && name !== 'schema.sql');
  return names.sort().map((name, index) => {
    const number = /^([0-9]{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1];
    if (number === undefined) throw new Error(`migration ${name} is not named like 0001_what.sql`);
    if (Number(number) !== index + 1) {
      throw new Error(`migration ${name} has the number ${number} where ${String(index + 1).padStart(4, '0')} is due`);
    }
    const text = readFileSync(join(folder, name), 'utf8');
    return { number: Number(number), name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

function checkHistory(migrations: readonly Migration[], applied: readonly AppliedMigration[]): void {
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (migration === undefined) {
      throw new Error(`the database is newer than this release: it has migration ${row.name}`);
    }
    if (migration.number !== row.number || migration.name !== row.name || migration.checksum !== row.checksum) {
      throw new Error(
        `migration ${row.name} was edited after it was applied (here: ${migration.name}); write a new one`,
      );
    }
  }
}

async function apply(connection: DedicatedConnection, migration: Migration): Promise<void> {
  await connection.query('BEGIN');
  try {
    await connection.query(migration.text);
    await connection.query(
      'INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES ($1, $2, $3, now())',
      [migration.number, migration.name, migration.checksum],
    );
    await connection.query('COMMIT');
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined); // the first error is the one to tell
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}
