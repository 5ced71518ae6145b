// Holds the rules of support/tidy.ts over the whole tree, and plants a violation of each to see that it is found.
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readSource } from './support/source-text.ts';
import { findViolations, MAY_IMPORT } from './support/tidy.ts';

const ROOT = join(import.meta.dirname, '..');

function sourceFiles(): { path: string; text: string }[] {
  const paths = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'demo/**/*.ts'], { cwd: ROOT });
  return paths.sort().map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

test('the tree holds the rules of the house', () => {
  const files = sourceFiles();
  assert.ok(files.length > 50);
  assert.deepEqual(files.flatMap(findViolations), []);
});

test('every folder of src is a room of the table', () => {
  const folders = readdirSync(join(ROOT, 'src')).filter((name) => statSync(join(ROOT, 'src', name)).isDirectory());
  assert.deepEqual(
    folders.filter((name) => name !== 'roles').sort(),
    Object.keys(MAY_IMPORT)
      .filter((room) => folders.includes(room))
      .sort(),
  );
});

test('the table of rooms in ARCHITECTURE.md is MAY_IMPORT', () => {
  const page = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)\/` \|[^|]*\| ([^|]+) \|$/gm)].map(([, room = '', allowed = '']) => {
    const names = allowed.replaceAll('`', '').split(', ').sort();
    return [room, names.join() === 'nothing' ? [] : names] as const;
  });
  const told = Object.fromEntries(rows.filter(([room]) => room !== 'roles')); // roles/ may import everything
  const held = Object.fromEntries(Object.entries(MAY_IMPORT).map(([room, allowed]) => [room, [...allowed].sort()]));
  assert.deepEqual(told, held);
});

/** What is planted where, and a word of what must be said about it; null: nothing. */
const PLANTED: readonly (readonly [path: string, text: string, said: string | null])[] = [
  ['src/line/sip/a.ts', "import { x } from '../../dispatch/runner.ts';", 'does not give to line'],
  ['src/line/sip/a.ts', "import type { X } from '../../dispatch/runner.ts';", 'does not give to line'],
  ['src/line/sip/a.ts', "export { x } from '../../dispatch/runner.ts';", 'does not give to line'],
  ['src/line/sip/a.ts', "export * from '../../dispatch/runner.ts';", 'does not give to line'],
  ['src/line/sip/a.ts', "import '../../dispatch/runner.ts';", 'does not give to line'],
  ['src/line/sip/a.ts', "const x = await import('../../dispatch/runner.ts');", 'does not give to line'],
  ['src/line/sip/a.ts', "type X = import('../../dispatch/runner.ts').X;", 'does not give to line'],
  ['src/line/sip/a.ts', 'import {\n  x, // why\n} from\n  "../../dispatch/runner.ts";', 'does not give to line'],
  ['src/line/sip/a.ts', 'const x = await import(`../../dispatch/runner.ts`);', 'does not give to line'],
  ['src/line/sip/a.ts', "const s = /['\"`]/; import { x } from '../../dispatch/runner.ts';", 'does not give to line'],
  [
    'src/line/sip/a.ts',
    "const s = `a ${b ? `c` : { d: '}' }.d} e`; import '../../dispatch/runner.ts';",
    'does not give',
  ],
  ['src/dispatch/a.ts', "import { x } from '../line/sip/line.ts';", 'does not give to dispatch'],
  ['src/dispatch/a.ts', "import type { Line } from '../line/line.ts';", null],
  ['src/gateway/get-call/a.ts', "import { x } from '../../control-plane/service.ts';", 'does not give to gateway'],
  ['src/gateway/get-call/a.ts', "import { x } from '../../platform/database.ts';", null],
  ['src/contract/a.ts', "import { x } from '../platform/clock.ts';", 'does not give to contract'],
  ['src/result/a.ts', "import { x } from '../config.ts';", 'does not give to result'],
  ['src/result/a.ts', "import { x } from '../roles/all.ts';", 'does not give to result'],
  ['src/result/a.ts', "import { x } from '../../test/support/database.ts';", 'not a part of the service'],
  ['src/result/a.ts', "import { x } from './b';", 'without .ts'],
  [
    'src/result/a.ts',
    "// import { x } from '../line/line.ts';\nconst s = \"import { x } from '../line/line.ts'\";",
    null,
  ],
  ['src/newroom/a.ts', "import { x } from '../platform/clock.ts';", 'does not give to newroom'],
  ['src/roles/a.ts', "import { x } from '../line/sip/line.ts'; import { y } from '../config.ts';", null],
  ['src/result/a.ts', "const q = 'SELECT id FROM calls';", 'belongs into a store.ts'],
  ['src/result/a.ts', 'const q = `\n  WITH due AS (SELECT 1) DELETE FROM x`;', 'belongs into a store.ts'],
  ['src/result/a.ts', "const q = 'insert into x values (1)';", 'belongs into a store.ts'],
  ['src/result/a.ts', "const q = 'UPDATE results SET x = 1';", 'belongs into a store.ts'],
  ['src/result/a.ts', "const s = 'Select one from the list'; const t = 'update settings later';", null],
  ['src/result/store.ts', "const q = 'SELECT id FROM calls';", null],
  ['src/result/store.ts', "const q = 'UPDATE calls SET stage = 1';", 'dispatch alone'],
  ['src/dispatch/store.ts', "const q = 'UPDATE calls SET stage = 1';", null],
  ['src/result/a.ts', 'const at = Date.now();', 'Date.now'],
  ['src/result/a.ts', 'const at = new Date();', 'new Date()'],
  ['src/result/a.ts', 'const at = new Date(row.at);', null],
  ['src/result/a.ts', 'const x = Math.random();', 'Math.random'],
  ['src/result/a.ts', "import { randomUUID } from 'node:crypto';", 'randomUUID'],
  ['src/result/a.ts', 'setTimeout(f, 5);', 'setTimeout'],
  ['src/result/a.ts', '// setTimeout is not for us\nconst s = "Date.now";', null],
  ['src/platform/clock.ts', 'const at = Date.now();', null],
  ['src/result/a.ts', 'const x = process.env.HOME;', 'reads the environment'],
  ['src/result/a.ts', "const x = process['env'].HOME;", 'reads the environment'],
  ['src/config.ts', 'const x = process.env.HOME;', null],
  ['src/result/utils.ts', '', 'says nothing'],
  ['src/common/a.ts', '', 'says nothing'],
  ['src/result/index.ts', '', 'says nothing'],
  ['test/support/helpers.ts', '', 'says nothing'],
  [
    'src/result/a.test.ts',
    "import { x } from '../line/line.ts'; const at = Date.now(); const q = 'SELECT 1 AS x';",
    null,
  ],
];

test('a planted violation is found, and what only looks like one is not', () => {
  for (const [path, text, said] of PLANTED) {
    const found = findViolations({ path, text });
    if (said === null) assert.deepEqual(found, [], `${path}: ${text}`);
    else assert.ok(found.length === 1 && found[0]?.includes(said), `${path}: ${text}\n  found: ${found.join()}`);
  }
});

test('every import that Node resolves in the tree is one that the rules see', () => {
  // By another way than the reader's own: lines that begin like an import, outside of block comments and templates.
  const line = /^(?:import|export)\b[^'"`]*\bfrom '(\.[^']+)';$|^\} from '(\.[^']+)';$/gm;
  for (const { path, text } of sourceFiles()) {
    if (path === 'test/tidy.test.ts') continue;
    const seen = readSource(text).imports;
    for (const match of text.matchAll(line))
      assert.ok(seen.includes(match[1] ?? match[2] ?? ''), `${path}: ${match[0]}`);
  }
});

test('every link between the documents leads somewhere, and every npm script that they name exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }; // our own file
  for (const path of globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g))
      assert.ok(existsSync(join(ROOT, dirname(path), target)), `${path} links to ${target}`);
    for (const [, script = ''] of text.matchAll(/npm run (?:--silent )?([a-z-]+)/g))
      assert.ok(Object.hasOwn(scripts, script), `${path} names npm run ${script}`);
  }
});

test('no file of the project speaks of the machine it was written on', () => {
  const paths = globSync(
    ['src/**/*', 'test/**/*', 'bench/**/*', 'demo/**/*', 'docs/**/*', 'migrations/*', '.ci/*', '*.md', '*.json'],
    { cwd: ROOT },
  );
  const foreign = /\/[w]ork\/|\.\.\/[s]hared\/|\/[t]mp\/brief/; // in brackets, so that this line is not one of them
  for (const path of paths) {
    if (!statSync(join(ROOT, path)).isFile()) continue;
    assert.doesNotMatch(readFileSync(join(ROOT, path), 'utf8'), foreign, path);
  }
});
