// A fast PostgreSQL in a temporary folder, for one test run. Keeps nothing: durability is off and the folder goes with it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

export async function startThrowawayServer(): Promise<ThrowawayServer> {
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDir: folder, clock: systemClock, isDurable: false });
  return { folder, server };
}

export async function stopThrowawayServer(throwaway: ThrowawayServer): Promise<void> {
  await throwaway.server.stop();
  rmSync(throwaway.folder, { recursive: true, force: true });
}

/** Folders of test runs that were killed; a server that still runs on one stops by itself when its files are gone. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const owner = Number(name.slice(FOLDER_PREFIX.length).split('-')[0]);
    if (Number.isInteger(owner) && !isRunning(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
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
