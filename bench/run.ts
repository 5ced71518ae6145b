// Runs one bench by its name: `npm run bench -- admissions`. Each file beside this one measures one claim and prints figures
// to read, then one line of JSON.
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

export interface Bench {
  /** Measures and prints. @returns the figures, for the line of JSON */
  readonly measure: (args: readonly string[]) => Promise<unknown>;
}

const NOT_BENCHES: ReadonlySet<string> = new Set(['run.ts']);

const names = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !NOT_BENCHES.has(name))
  .map((name) => name.slice(0, -3))
  .sort();
const [name, ...args] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- ${names.join(' | ')}`);
  process.exitCode = 2;
} else {
  const bench = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as Bench; // what the interface asks of each file
  console.log(JSON.stringify({ bench: name, figures: await bench.measure(args) }));
}
