// The rules of the house that a machine can hold, each a function from a file to what is wrong with it.
import { join, normalize } from 'node:path/posix';
import { readSource } from './source-text.ts';
import type { SourceText } from './source-text.ts';

/** Which room of src/ may import which: a room, or one file of it. A new entry is a design decision: a commit of its own. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  platform: [],
  answers: ['contract', 'platform'],
  ledger: ['contract', 'platform'],
  account: ['ledger', 'contract', 'platform'],
  messaging: ['contract', 'platform'],
  line: ['contract', 'platform'],
  dispatch: ['account', 'ledger', 'line/line.ts', 'contract', 'platform'],
  admission: ['account', 'ledger', 'dispatch', 'answers', 'contract', 'platform'],
  conversation: ['line/line.ts', 'dispatch', 'answers', 'contract', 'platform'],
  result: ['answers', 'dispatch', 'contract', 'platform'],
  'control-plane': ['admission', 'account', 'ledger', 'dispatch', 'result', 'contract', 'platform'],
  gateway: ['control-plane/control-plane.ts', 'contract', 'platform'],
  local: ['line', 'messaging', 'contract', 'platform'],
  admin: ['account', 'ledger', 'dispatch', 'contract', 'platform'],
};
/** These build the parts and hand them in, so they may import everything; nothing but `main.ts` imports them. */
const BUILDERS = new Set(['roles', 'main.ts']);

/** Besides `store.ts`: where the database itself is the matter, not what is in it. */
const MAY_HOLD_SQL = new Set([
  'src/platform/database.ts', // transactions and notifications
  'src/platform/migrate.ts', // the list of migrations
  'src/platform/schema-dump.ts', // the catalogs
  'src/platform/embedded-postgres.ts', // the lock that says who uses the server
  'src/platform/sole-holder.ts', // the lock that says who holds a name
]);
const SQL =
  /^\s*(?:SELECT|select)\s[^;]*|^\s*(?:INSERT\s+INTO|insert\s+into|DELETE\s+FROM|delete\s+from)\s|^\s*(?:UPDATE|update)\s+\w+\s+(?:AS\s+\w+\s+)?(?:SET|set)\s|^\s*(?:WITH|with)\s+\w+\s+(?:AS|as)\s*\(|^\s*(?:CREATE|ALTER|DROP|TRUNCATE|LOCK)\s+(?:TABLE|INDEX|VIEW|FUNCTION|TRIGGER|DATABASE)\s/;
const WRITES_CALLS = /\b(?:UPDATE|update)\s+calls\b/;

const TIME_AND_CHANCE =
  /\bDate\.now\b|\bnew\s+Date\s*\(\s*\)|\bMath\.random\b|\bperformance\.now\b|\bprocess\.hrtime\b|\bset(?:Timeout|Interval)\b|\brandom(?:UUID|UUIDv7|Bytes|Int|FillSync)\b|\bgetRandomValues\b/g;
const MAY_ASK_FOR_TIME: Readonly<Record<string, string>> = {
  'src/platform/clock.ts': 'the one place',
  'src/platform/log.ts': 'a log line bears the real time, also where a clock is moved',
};
const ENVIRONMENT = /\bprocess\s*\.\s*env\b|\bprocess\s*\[\s*['"]/;
const MAY_READ_ENVIRONMENT = new Set(['src/config.ts', 'src/main.ts']);

const EMPTY_NAMES = /^(?:utils?|helpers?|common|types|index|misc|shared)(?:\.test)?(?:\.ts)?$/;

export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** One sentence a violation, with the path first. */
export function findViolations(file: SourceFile): string[] {
  const source = readSource(file.text);
  const found = namesThatSayNothing(file.path);
  if (!file.path.startsWith('src/') || file.path.endsWith('.test.ts')) return found; // a test may set the stage with any room
  return [
    ...found,
    ...wrongImports(file.path, source),
    ...wrongSql(file.path, source),
    ...wrongSources(file.path, source),
  ];
}

function namesThatSayNothing(path: string): string[] {
  return path
    .split('/')
    .filter((part) => EMPTY_NAMES.test(part))
    .map((part) => `${path}: "${part}" says nothing of what is in it`);
}

function wrongImports(path: string, source: SourceText): string[] {
  const room = path.split('/')[1] ?? '';
  const found: string[] = [];
  for (const specifier of source.imports) {
    if (!specifier.startsWith('.')) continue;
    const target = normalize(join(path, '..', specifier));
    const inside = target.replace(/^src\//, '');
    const targetRoom = inside.split('/')[0] ?? '';
    if (target === inside) found.push(`${path}: imports ${target}, which is not a part of the service`);
    else if (targetRoom !== room && !isAllowed(room, inside, targetRoom)) {
      found.push(`${path}: imports ${inside}, which MAY_IMPORT does not give to ${room}`);
    }
    if (!specifier.endsWith('.ts') && !specifier.endsWith('.json'))
      found.push(`${path}: imports ${specifier} without .ts`);
  }
  return found;
}

function isAllowed(room: string, inside: string, targetRoom: string): boolean {
  if (room === 'main.ts' || (room === 'roles' && targetRoom !== 'main.ts')) return true;
  if (BUILDERS.has(targetRoom)) return false;
  const allowed = MAY_IMPORT[room] ?? [];
  return allowed.includes(targetRoom) || allowed.includes(inside);
}

function wrongSql(path: string, source: SourceText): string[] {
  const found: string[] = [];
  const isStore = path.endsWith('/store.ts') || MAY_HOLD_SQL.has(path);
  for (const { text } of source.strings) {
    if (!isStore && SQL.test(text))
      found.push(`${path}: holds SQL, which belongs into a store.ts: ${text.trim().slice(0, 60)}`);
    if (WRITES_CALLS.test(text) && !path.startsWith('src/dispatch/'))
      found.push(`${path}: writes calls, which dispatch alone does`);
  }
  return found;
}

function wrongSources(path: string, source: SourceText): string[] {
  const found: string[] = [];
  if (!MAY_READ_ENVIRONMENT.has(path) && ENVIRONMENT.test(source.code)) {
    found.push(`${path}: reads the environment, which config.ts alone does`);
  }
  if (MAY_ASK_FOR_TIME[path] === undefined) {
    for (const [name] of source.code.matchAll(TIME_AND_CHANCE)) {
      found.push(`${path}: uses ${name}, which platform/clock.ts hands in`);
    }
  }
  return found;
}
