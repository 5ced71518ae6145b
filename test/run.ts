// npm test: the checks, the peers' packages, one PostgreSQL for the run, every test file, and the sums as the last line.
// `npm test -- sip chart` runs the files whose path holds one of the words, without the checks.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { canInstall, installPeers } from './support/install-peers.ts';
import { startThrowawayServer, stopThrowawayServer } from './support/throwaway-server.ts';

const FILE_LIMIT_MS = 300_000;
const CONCURRENCY_LIMIT = 2;
/** The reporter's sums of one file, which say little next to those of the run. */
const SUM_LINE = /ℹ (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, '..');
process.chdir(root);
const filters = process.argv.slice(2);
const sums: Sums = { passed: 0, failed: 0, skipped: 0 };
const failedFiles: string[] = [];

if (filters.length === 0) {
  const { status } = spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' });
  if (status === 0) {
    console.log('types, lint and format: clean');
  } else {
    console.log('npm run check has failed');
    sums.failed += 1;
  }
}
const stillMissing = canInstall() ? installPeers() : [];
if (stillMissing.length > 0) console.log(`could not be installed: ${stillMissing.join(' ')}`);

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
const postgres = await startThrowawayServer();
try {
  process.env['ERRAND_TEST_POSTGRES'] = postgres.server.url;
  await runFiles(testFiles());
} finally {
  await stopThrowawayServer(postgres);
}
if (failedFiles.length > 0) console.log(`\nfailed:\n${failedFiles.map((file) => `  ${file}`).join('\n')}`);
if (sums.passed + sums.failed === 0) console.log('no test ran');
process.exitCode = sums.failed > 0 || sums.passed === 0 || interruption.signal.aborted ? 1 : 0;
console.log(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`);

function testFiles(): string[] {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();
  return filters.length === 0 ? files : files.filter((file) => filters.some((filter) => file.includes(filter)));
}

/** A few files at a time, each in a process and with a deadline of its own; what a file says is printed when it ends. */
async function runFiles(files: readonly string[]): Promise<void> {
  const waiting = [...files];
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      if (interruption.signal.aborted) return;
      await runFile(file);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY_LIMIT, availableParallelism()) }, lane));
}

async function runFile(file: string): Promise<void> {
  const deadline = AbortSignal.timeout(FILE_LIMIT_MS);
  const events = run({ files: [file], signal: AbortSignal.any([interruption.signal, deadline]) });
  let failed = 0;
  events.on('test:summary', ({ counts, file: part }) => {
    if (part !== undefined) return; // the sum comes last and names no file
    failed = counts.tests - counts.passed - counts.skipped - counts.todo;
    sums.passed += counts.passed;
    sums.failed += failed;
    sums.skipped += counts.skipped + counts.todo;
  });
  const said: string[] = [];
  for await (const text of events.compose(spec)) {
    // A piece of the report may hold sums and the reasons of failures together.
    for (const line of String(text).split(/(?<=\n)/)) if (!SUM_LINE.test(line)) said.push(line);
  }
  if (deadline.aborted) said.push(`${file} did not end within ${FILE_LIMIT_MS} ms\n`);
  process.stdout.write(`\n${file}\n${said.join('')}`);
  if (failed > 0) failedFiles.push(file);
}
