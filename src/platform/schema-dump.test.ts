import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import { MIGRATIONS_DIR } from './migrate.ts';
import { SCHEMA_HEAD, schemaDump } from './schema-dump.ts';

test('migrations/schema.sql is the sum of the migrations (else run: npm run schema)', async () => {
  await using migrated = await createTestDatabase();
  const written = readFileSync(join(MIGRATIONS_DIR, 'schema.sql'), 'utf8');
  assert.equal(written, SCHEMA_HEAD + (await schemaDump(migrated.database)));
});

const BASE = `CREATE TABLE a (id int PRIMARY KEY, word text);
  CREATE TABLE b (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a_id int);
  CREATE VIEW both_of_them AS SELECT a.id FROM a JOIN b ON a.id = b.a_id;
  CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';`;

/** Each is a change of the schema that a comparison must not miss. */
const CHANGES: readonly (readonly [what: string, sql: string])[] = [
  ['a table', 'CREATE TABLE c (id int)'],
  ['a column', 'ALTER TABLE a ADD COLUMN more int'],
  ['a type', 'ALTER TABLE a ALTER COLUMN word TYPE varchar(3)'],
  ['a default', "ALTER TABLE a ALTER COLUMN word SET DEFAULT 'x'"],
  ['a not-null', 'ALTER TABLE a ALTER COLUMN word SET NOT NULL'],
  ['a check', "ALTER TABLE a ADD CHECK (word <> '')"],
  ['a foreign key', 'ALTER TABLE b ADD FOREIGN KEY (a_id) REFERENCES a (id)'],
  ['a unique constraint', 'ALTER TABLE a ADD UNIQUE (word)'],
  ['an index', 'CREATE INDEX a_word ON a (word) WHERE id > 1'],
  ['an identity', 'ALTER TABLE b ALTER COLUMN id DROP IDENTITY'],
  ['an option', 'ALTER TABLE a SET (fillfactor = 50)'],
  ['a comment', "COMMENT ON COLUMN a.word IS 'what was said'"],
  ['a view', 'CREATE OR REPLACE VIEW both_of_them AS SELECT a.id FROM a'],
  ['a function', "CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 2'"],
  [
    'a trigger',
    'CREATE TRIGGER t BEFORE UPDATE ON a FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  ],
  ['an enumeration', "CREATE TYPE mood AS ENUM ('calm')"],
  ['a domain', 'CREATE DOMAIN small AS int CHECK (VALUE < 10)'],
  ['a sequence', 'CREATE SEQUENCE numbers START 5'],
];

test('every kind of change of a schema changes its dump', async (t) => {
  for (const [what, sql] of CHANGES) {
    await t.test(what, async () => {
      await using fresh = await createTestDatabase(false);
      await fresh.database.query(BASE);
      const before = await schemaDump(fresh.database);
      await fresh.database.query(sql);
      assert.notEqual(await schemaDump(fresh.database), before);
    });
  }
});

test('the order in which things were made does not show', async () => {
  await using one = await createTestDatabase(false);
  await using other = await createTestDatabase(false);
  await one.database.query(
    'CREATE TABLE a (id int); CREATE TABLE b (id int); CREATE INDEX x ON a (id); CREATE INDEX y ON a (id)',
  );
  await other.database.query(
    'CREATE TABLE b (id int); CREATE TABLE a (id int); CREATE INDEX y ON a (id); CREATE INDEX x ON a (id)',
  );
  assert.equal(await schemaDump(one.database), await schemaDump(other.database));
});
