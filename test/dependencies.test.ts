// Holds docs/dependencies.md against package.json.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('every direct dependency has a line that says why, and every line is of one', () => {
  const described = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>; // our own file
  const direct = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(described[kind] ?? {}),
  );
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
  );
  assert.deepEqual(named.toSorted(), direct.toSorted());
  for (const row of rows) assert.equal(row.split('|').filter((cell) => cell.trim() !== '').length, 4, row);
});

test('every version in package.json is exact', () => {
  const described = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>; // our own file
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'])
    for (const [name, version] of Object.entries(described[kind] ?? {})) assert.match(version, /^\d/, name);
});
