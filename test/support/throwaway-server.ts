// A fast PostgreSQL in a temporary folder, for one test run. Keeps nothing: durability is off and the folder goes with it.
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';

export interface ThrowawayServer {
  readonly folder: string;
  readonly server: EmbeddedPostgres;
}

const FOLDER_PREFIX = 'errand-test-';
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 4_000_000_000;

export async function startThrowawayServer(): Promise<ThrowawayServer> {
  const parent = fastestFolder();
  removeAbandoned(parent);
  const folder = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDir: folder, clock: systemClock, isDurable: false });
  return { folder, server };
}

export async function stopThrowawayServer(throwaway: ThrowawayServer): Promise<void> {
  await throwaway.server.stop();
  rmSync(throwaway.folder, { recursive: true, force: true });
}

/** Memory where there is plenty: a database is 300 files, and some file systems take a millisecond to make one. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= MEMORY_NEEDED_BYTES) return MEMORY;
  } catch {
    // not on this platform
  }
  return tmpdir();
}

/** Folders of test runs that were killed; a server that still runs on one stops by itself when its files are gone. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0]);
    if (Number.isInteger(owner) && !isRunning(owner)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
