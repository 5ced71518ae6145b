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

interface Sums {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, '..');
process.chdir(root);
const filters = process.argv.slice(2);
const sums: Sums = { passed: 0, failed: 0, skipped: 0 };

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
if (sums.passed + sums.failed === 0) console.log('no test ran');
process.exitCode = sums.failed > 0 || sums.passed === 0 || interruption.signal.aborted ? 1 : 0;
console.log(`${sums.passed} passed, ${sums.failed} failed, ${sums.skipped} skipped`);

function testFiles(): string[] {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();
  return filters.length === 0 ? files : files.filter((file) => filters.some((filter) => file.includes(filter)));
}

async function runFiles(files: string[]): Promise<void> {
  if (files.length === 0) return;
  const events = run({
    files,
    concurrency: Math.min(CONCURRENCY_LIMIT, availableParallelism()),
    timeout: FILE_LIMIT_MS,
    signal: interruption.signal,
  });
  events.on('test:summary', ({ counts, file }) => {
    if (file !== undefined) return; // the sum over all files comes last
    sums.passed += counts.passed;
    sums.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
    sums.skipped += counts.skipped + counts.todo;
  });
  for await (const text of events.compose(spec)) process.stdout.write(text);
}
