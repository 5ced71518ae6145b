import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import { messageOf } from './errors.ts';
import { migrate, MIGRATIONS_DIR, readMigrations } from './migrate.ts';

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const TWO = { '0001_one.sql': 'CREATE TABLE one (id int);', '0002_two.sql': 'CREATE TABLE two (id int);' };

test('an empty database gets every migration once, in order', async () => {
  await using fresh = await createTestDatabase(false);
  const names = readMigrations(MIGRATIONS_DIR).map((migration) => migration.name);
  assert.ok(names.length >= 4);
  assert.deepEqual(await migrate(fresh.database), names);
  assert.deepEqual(await migrate(fresh.database), []);
  const rows = await fresh.database.query('SELECT number, name FROM schema_migrations ORDER BY number');
  assert.deepEqual(
    rows,
    names.map((name, index) => ({ number: index + 1, name })),
  );
});

test('of several processes that migrate at once, one works and all find it done', async (t) => {
  const folder = folderWith(t, TWO);
  await using fresh = await createTestDatabase(false);
  const done = await Promise.all(Array.from({ length: 5 }, () => migrate(fresh.database, folder)));
  assert.deepEqual(done.flat().sort(), ['0001_one.sql', '0002_two.sql']);
});

test('an applied file that was edited since is an error that names it, and nothing runs', async (t) => {
  const folder = folderWith(t, TWO);
  await using fresh = await createTestDatabase(false);
  await migrate(fresh.database, folder);
  writeFileSync(join(folder, '0001_one.sql'), 'CREATE TABLE one (id bigint);');
  writeFileSync(join(folder, '0003_three.sql'), 'CREATE TABLE three (id int);');
  await assert.rejects(migrate(fresh.database, folder), /0001_one\.sql was edited after it was applied/);
  assert.deepEqual(await fresh.database.query(`SELECT to_regclass('three') AS found`), [{ found: null }]);
});

test('a migration that fails leaves nothing of itself, keeps the ones before it, and is tried again', async (t) => {
  const folder = folderWith(t, { ...TWO, '0002_two.sql': 'CREATE TABLE two (id int); SELECT 1 / 0;' });
  await using fresh = await createTestDatabase(false);
  await assert.rejects(migrate(fresh.database, folder), (error: Error) => {
    assert.equal(error.message, 'migration 0002_two.sql failed');
    assert.match(messageOf(error.cause), /division by zero/);
    return true;
  });
  const tables = `SELECT to_regclass('one')::text AS one, to_regclass('two')::text AS two`;
  assert.deepEqual(await fresh.database.query(tables), [{ one: 'one', two: null }]);
  writeFileSync(join(folder, '0002_two.sql'), TWO['0002_two.sql']);
  assert.deepEqual(await migrate(fresh.database, folder), ['0002_two.sql']);
});

test('a database of a newer release is refused', async (t) => {
  const folder = folderWith(t, TWO);
  await using fresh = await createTestDatabase(false);
  await migrate(fresh.database, folder);
  rmSync(join(folder, '0002_two.sql'));
  await assert.rejects(migrate(fresh.database, folder), /newer than this release: it has migration 0002_two\.sql/);
});

test('file names out of order or out of form are refused by name', (t) => {
  assert.throws(() => readMigrations(folderWith(t, { ...TWO, '0004_four.sql': '' })), /0004_four\.sql .* 0003 is due/);
  assert.throws(() => readMigrations(folderWith(t, { ...TWO, '0002_also.sql': '' })), /0002_two\.sql .* 0003 is due/);
  assert.throws(() => readMigrations(folderWith(t, { '1_one.sql': '' })), /1_one\.sql is not named like/);
});

test('a database made by the migrations of today takes the next one', async (t) => {
  const folder = folderWith(t, {});
  for (const name of readdirSync(MIGRATIONS_DIR)) copyFileSync(join(MIGRATIONS_DIR, name), join(folder, name));
  const next = `${String(readMigrations(folder).length + 1).padStart(4, '0')}_next.sql`;
  writeFileSync(join(folder, next), 'CREATE TABLE next_one (id int);');
  await using migrated = await createTestDatabase();
  assert.deepEqual(await migrate(migrated.database, folder), [next]);
});
