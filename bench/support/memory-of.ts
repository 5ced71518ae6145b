// Memory of a service and of its embedded database, from /proc: Linux only.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Service } from '../../test/support/service.ts';

/** Megabytes: the service's resident set, and the proportional sets of all processes of its database. */
export async function memoryOf(service: Service): Promise<{ service: number; database: number }> {
  const pidFile = path.join(service.folder, 'postgres', 'cluster', 'postmaster.pid');
  const server = (await readFile(pidFile, 'utf8')).split('\n')[0] ?? '';
  let database = await kilobytes(server, 'smaps_rollup', 'Pss');
  for (const pid of await readdir('/proc')) {
    if (/^[0-9]+$/.test(pid) && (await parentOf(pid)) === server)
      database += await kilobytes(pid, 'smaps_rollup', 'Pss');
  }
  const resident = await kilobytes(String(service.pid), 'status', 'VmRSS');
  return { service: Math.round(resident / 1024), database: Math.round(database / 1024) };
}

async function parentOf(pid: string): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^PPid:\s+(\d+)/m.exec(status)?.[1];
}

async function kilobytes(pid: string, file: string, name: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
