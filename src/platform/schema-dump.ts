// The schema of a database as text, out of its catalogs: equal schemas give equal texts, whatever the order they were made
// in. For reading and comparing; nothing is restored from it.
import type { Queryable } from './database.ts';

/** First lines of migrations/schema.sql. */
export const SCHEMA_HEAD = `-- The sum of the migrations, for reading; nothing runs it. Written by: npm run schema\n\n`;

interface Definition {
  readonly name: string;
  readonly definition: string;
}

/** Made by the extension or the tool, not by us. */
const OURS = `n.nspname = 'public' AND NOT EXISTS (
  SELECT 1 FROM pg_depend d WHERE d.objid = o.oid AND d.deptype = 'e')`;

const COLUMNS = `
  SELECT o.relname AS name, string_agg(
    '  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
    || CASE WHEN a.attidentity <> '' THEN ' GENERATED ' || CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END || ' AS IDENTITY' ELSE '' END
    || CASE WHEN a.attgenerated <> '' THEN ' GENERATED AS (' || pg_get_expr(e.adbin, e.adrelid) || ')'
            WHEN e.adbin IS NOT NULL THEN ' DEFAULT ' || pg_get_expr(e.adbin, e.adrelid) ELSE '' END,
    E',\\n' ORDER BY a.attnum) AS definition
  FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
  JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef e ON e.adrelid = o.oid AND e.adnum = a.attnum
  WHERE o.relkind IN ('r', 'p') AND o.relname <> 'schema_migrations' AND ${OURS}
  GROUP BY o.relname`;

/** Each gives a table (or other owner) and one line of SQL; `contype = 'n'` (PostgreSQL 18's NOT NULL) is said in the column. */
const STATEMENTS: readonly string[] = [
  `SELECT o.relname AS name, 'ALTER TABLE ' || quote_ident(o.relname) || ' SET (' || array_to_string(o.reloptions, ', ') || ');' AS definition
   FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace WHERE o.reloptions IS NOT NULL AND o.relkind = 'r' AND ${OURS}`,
  `SELECT o.relname AS name, 'ALTER TABLE ' || quote_ident(o.relname) || ' PARTITION ' || coalesce(pg_get_partkeydef(o.oid), pg_get_expr(o.relpartbound, o.oid)) || ';' AS definition
   FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace WHERE (o.relkind = 'p' OR o.relispartition) AND o.relkind IN ('r', 'p') AND ${OURS}`,
  `SELECT o.relname AS name, 'ALTER TABLE ' || quote_ident(o.relname) || ' ADD CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid) || ';' AS definition
   FROM pg_constraint c JOIN pg_class o ON o.oid = c.conrelid JOIN pg_namespace n ON n.oid = o.relnamespace
   WHERE c.contype IN ('c', 'f', 'p', 'u', 'x') AND o.relname <> 'schema_migrations' AND ${OURS}`,
  `SELECT t.relname AS name, pg_get_indexdef(i.indexrelid) || ';' AS definition
   FROM pg_index i JOIN pg_class o ON o.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
   WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u', 'x')) AND ${OURS}`,
  `SELECT c.relname AS name, pg_get_triggerdef(o.oid) || ';' AS definition
   FROM pg_trigger o JOIN pg_class c ON c.oid = o.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT o.tgisinternal AND ${OURS}`,
  `SELECT o.relname AS name, 'COMMENT ON ' || CASE WHEN d.objsubid = 0 THEN 'TABLE ' || quote_ident(o.relname)
     ELSE 'COLUMN ' || quote_ident(o.relname) || '.' || quote_ident(a.attname) END || ' IS ' || quote_literal(d.description) || ';' AS definition
   FROM pg_description d JOIN pg_class o ON o.oid = d.objoid AND d.classoid = 'pg_class'::regclass JOIN pg_namespace n ON n.oid = o.relnamespace
   LEFT JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum = d.objsubid AND d.objsubid > 0 WHERE ${OURS}`,
];

/** Sections after the tables, in this order. */
const OTHERS: readonly (readonly [title: string, statement: string])[] = [
  [
    'types',
    `SELECT o.typname AS name, CASE o.typtype
       WHEN 'e' THEN 'CREATE TYPE ' || quote_ident(o.typname) || ' AS ENUM (' || (SELECT string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = o.oid) || ');'
       WHEN 'd' THEN 'CREATE DOMAIN ' || quote_ident(o.typname) || ' AS ' || format_type(o.typbasetype, o.typtypmod)
         || coalesce((SELECT string_agg(' ' || pg_get_constraintdef(c.oid), '' ORDER BY c.conname) FROM pg_constraint c WHERE c.contypid = o.oid), '') || ';'
       ELSE 'CREATE TYPE ' || quote_ident(o.typname) || ' AS (' || (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
         FROM pg_attribute a WHERE a.attrelid = o.typrelid AND a.attnum > 0 AND NOT a.attisdropped) || ');' END AS definition
     FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace LEFT JOIN pg_class k ON k.oid = o.typrelid
     WHERE (o.typtype IN ('e', 'd') OR (o.typtype = 'c' AND k.relkind = 'c')) AND ${OURS}`,
  ],
  [
    'sequences',
    `SELECT o.relname AS name, 'CREATE SEQUENCE ' || quote_ident(o.relname) || ' AS ' || format_type(s.seqtypid, NULL) || ' START ' || s.seqstart || ' INCREMENT ' || s.seqincrement || ';' AS definition
     FROM pg_sequence s JOIN pg_class o ON o.oid = s.seqrelid JOIN pg_namespace n ON n.oid = o.relnamespace WHERE ${OURS}`,
  ],
  [
    'views',
    `SELECT o.relname AS name, 'CREATE ' || CASE o.relkind WHEN 'm' THEN 'MATERIALIZED ' ELSE '' END || 'VIEW ' || quote_ident(o.relname) || E' AS\\n' || pg_get_viewdef(o.oid) AS definition
     FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace WHERE o.relkind IN ('v', 'm') AND ${OURS}`,
  ],
  [
    'functions',
    `SELECT o.oid::regprocedure::text AS name, rtrim(pg_get_functiondef(o.oid), E'\\n') || ';' AS definition
     FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace WHERE o.prokind IN ('f', 'p') AND ${OURS}`,
  ],
  [
    'extensions',
    `SELECT extname AS name, 'CREATE EXTENSION ' || quote_ident(extname) || ';' AS definition FROM pg_extension`,
  ],
];

/** The tables, types, views and functions of schema `public`, sorted by name; ends with a line feed. */
export async function schemaDump(database: Queryable): Promise<string> {
  const lines: string[] = [];
  const statements: Definition[] = [];
  for (const statement of STATEMENTS) {
    const rows = await database.query<Definition>(statement);
    statements.push(...rows.sort(byText));
  }
  const tables = await database.query<Definition>(COLUMNS);
  for (const table of tables.sort(byText)) {
    lines.push(`CREATE TABLE ${table.name} (`, table.definition, ');');
    lines.push(...statements.filter((each) => each.name === table.name).map((each) => each.definition), '');
  }
  for (const [title, statement] of OTHERS) {
    const rows = await database.query<Definition>(statement);
    if (rows.length > 0) lines.push(`-- ${title}`, ...rows.sort(byText).map((row) => row.definition), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** By code units, which no collation of a server changes. */
function byText(left: Definition, right: Definition): number {
  if (left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.definition < right.definition ? -1 : Number(left.definition > right.definition);
}
