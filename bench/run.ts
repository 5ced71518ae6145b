// Runs one bench by its name: `npm run bench -- admissions`; without a name, all of them. One file a claim; each prints figures
// to read and a line of JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const BENCHES: readonly string[] = ['admissions', 'first-invite', 'live-calls', 'start'];

/** What each file of that name exports. */
interface Bench {
  /** Measures, prints, and takes everything that it made away again. */
  readonly run: () => Promise<void>;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !BENCHES.includes(name));

if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are ${BENCHES.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const name of names.length > 0 ? names : BENCHES) {
    const bench = (await import(pathToFileURL(join(import.meta.dirname, `${name}.ts`)).href)) as Bench; // what the list promises
    await bench.run();
  }
}
