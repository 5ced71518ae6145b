// One database cluster in one folder: made once, then served by at most one server. Reads the server's own account of
// itself (postmaster.pid) and never touches the files of a cluster whose server may be alive.
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { isErrno } from './binaries.ts';

const run = promisify(execFile);

export const SERVER_USER = 'errand';
const MAJOR_VERSION = '18';
const PORT = 5432; // only a part of the socket's file name: nothing listens on TCP
const INITDB_LIMIT_MS = 120_000;
/** sun_path holds 104 bytes on macOS and 108 on Linux, its closing NUL included. */
const SOCKET_PATH_LIMIT = 103;
const LOG_LIMIT_BYTES = 1_000_000;
const EMPTY_CLAIM_MS = 2_000;

export interface ClusterPlace {
  /** The cluster itself; its parent holds everything else of the embedded server. */
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly logFile: string;
}

/** Where everything is under the service's data folder, which must exist. */
export function placeOf(dataDir: string, account: Account | undefined): ClusterPlace {
  const home = join(dataDir, 'postgres');
  const inFolder = join(home, 'socket');
  const isShort = Buffer.byteLength(join(inFolder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT;
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const owner = account?.uid ?? process.getuid?.() ?? 0;
  return {
    clusterDir: join(home, 'cluster'),
    socketDir: isShort ? inFolder : join(tmpdir(), `errand-${owner}-${hash}`),
    logFile: join(home, 'postgres.log'),
  };
}

/** A connection string for `pg`. */
export function urlOf(socketDir: string, database = 'postgres'): string {
  return `postgresql://${SERVER_USER}@localhost:${PORT}/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** What postmaster.pid says; `status` is empty while the server has just begun to start. */
export interface Postmaster {
  readonly pid: number;
  readonly socketDir: string;
  readonly status: string;
}

/** @returns undefined when no server claims the cluster, or it has only begun to write its claim */
export function readPostmaster(place: ClusterPlace): Postmaster | undefined {
  let text: string;
  try {
    text = readFileSync(join(place.clusterDir, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const socketDir = lines[4] ?? '';
  return {
    pid,
    socketDir: socketDir === '' || socketDir.startsWith('/proc/self/') ? place.socketDir : socketDir,
    status: (lines[7] ?? '').trim(),
  };
}

/** A name for the cluster that the server carries on its command line and that moves with the folder. */
function clusterName(place: ClusterPlace): string {
  const { dev, ino } = statSync(place.clusterDir);
  return `errand-${dev}-${ino}`;
}

/**
 * What became of the process that a claim names. `taken`: the number belongs to another program, or a dead
 * one, now; where that cannot be found out, the process counts as the server.
 */
export async function claimant(place: ClusterPlace, pid: number): Promise<'serving' | 'gone' | 'taken'> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return 'gone';
  }
  let commandLine: string;
  try {
    commandLine =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : (await run('/bin/ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch (error) {
    return process.platform !== 'linux' || isErrno(error, 'ENOENT', 'ESRCH') ? 'gone' : 'serving';
  }
  // A zombie's command line is empty: a container whose first process collects nobody's children keeps the number for good.
  return commandLine.includes(`cluster_name=${clusterName(place)}`) ? 'serving' : 'taken';
}

/** Removes the claim of a dead server whose number another program has: PostgreSQL itself would take that one for a server. */
export function removeStaleClaim(place: ClusterPlace, seen: Postmaster): void {
  rmSync(join(seen.socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
  rmSync(join(place.clusterDir, 'postmaster.pid'), { force: true });
}

/** A claim that was never written out, as a power cut leaves it: older than any start takes to write its own. */
export function removeEmptyClaim(place: ClusterPlace, now: Date): void {
  const path = join(place.clusterDir, 'postmaster.pid');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.size === 0 && now.getTime() - stats.mtimeMs > EMPTY_CLAIM_MS) rmSync(path, { force: true });
}

/** Makes the folders. @throws {Error} when a folder for the socket belongs to somebody else */
export function prepareFolders(place: ClusterPlace, account: Account | undefined): void {
  mkdirSync(dirname(place.clusterDir), { recursive: true, mode: 0o700 });
  mkdirSync(place.socketDir, { recursive: true, mode: 0o700 });
  const stats = lstatSync(place.socketDir);
  const owner = account?.uid ?? process.getuid?.() ?? stats.uid;
  if (stats.isDirectory() && account !== undefined && stats.uid === 0) {
    chownSync(place.socketDir, account.uid, account.gid);
  } else if (!stats.isDirectory() || stats.uid !== owner || (stats.mode & 0o077) !== 0) {
    throw new Error(`${place.socketDir} is not a private folder of account ${owner}: remove it`);
  }
}

/**
 * Makes the cluster unless it is there. Several makers at once are safe: each makes its own and the first to rename wins.
 * @throws {Error} when the cluster is of another major version, or initdb fails (its words are in the message)
 */
export async function makeCluster(
  place: ClusterPlace,
  native: string,
  account: Account | undefined,
  isDurable: boolean,
) {
  const version = join(place.clusterDir, 'PG_VERSION');
  if (existsSync(version)) {
    const found = readFileSync(version, 'utf8').trim();
    if (found === MAJOR_VERSION) return;
    throw new Error(
      `${place.clusterDir} was made by PostgreSQL ${found}, this is ${MAJOR_VERSION}: move the data by hand`,
    );
  }
  const fresh = mkdtempSync(`${place.clusterDir}.new-${process.pid}-`);
  try {
    chmodSync(fresh, 0o700);
    if (account !== undefined) chownSync(fresh, account.uid, account.gid);
    await initialize(fresh, native, account, isDurable);
    renameSync(fresh, place.clusterDir);
    if (isDurable) syncFolder(dirname(place.clusterDir));
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error; // another start was faster
  }
  removeAbandoned(place);
}

async function initialize(
  folder: string,
  native: string,
  account: Account | undefined,
  isDurable: boolean,
): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const others = ['--username', SERVER_USER, '--auth=trust', '--no-instructions', ...(isDurable ? [] : ['--no-sync'])];
  const child = launch(join(native, 'bin/initdb'), folder, undefined, account, 'pipe', [...locale, ...others]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString('utf8');
    });
  }
  const deadline = AbortSignal.timeout(INITDB_LIMIT_MS);
  deadline.addEventListener('abort', () => child.kill('SIGKILL'));
  const status = await ended(child);
  if (status !== 0) throw new Error(`initdb failed (${status}): ${said.trim().split('\n').slice(-5).join(' | ')}`);
}

/** Resolves with the exit status or the signal's name. @throws when the program cannot be started */
export function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

/** Clusters that makers left half made when they were killed. */
function removeAbandoned(place: ClusterPlace): void {
  const prefix = `${basename(place.clusterDir)}.new-`;
  for (const name of readdirSync(dirname(place.clusterDir))) {
    if (!name.startsWith(prefix)) continue;
    const maker = Number(name.slice(prefix.length).split('-')[0]);
    try {
      process.kill(maker, 0);
    } catch (error) {
      if (isErrno(error, 'ESRCH')) rmSync(join(dirname(place.clusterDir), name), { recursive: true, force: true });
    }
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Speed for tests: nothing survives a crash, and a new database costs little. */
const THROWAWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
};

/** Starts a server that outlives this process. Whether it comes up, and whether it was first, postmaster.pid will tell. */
export function spawnServer(
  place: ClusterPlace,
  native: string,
  account: Account | undefined,
  isDurable: boolean,
): ChildProcess {
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    cluster_name: clusterName(place),
    max_connections: isDurable ? '100' : '400',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log says how the server fares; never a statement, its parameters or the values of a row.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(process.platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}),
    ...(isDurable ? {} : THROWAWAY),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(place.logFile, 'a', 0o600);
  try {
    const commands = ['-p', String(PORT), ...options];
    const child = launch(join(native, 'bin/postgres'), place.clusterDir, place.socketDir, account, log, commands);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/**
 * Runs one of the programs on a cluster. Root on Linux hands the folders over as open descriptors, so that the server's
 * account needs no way through the folders above them (a data folder under /root, or one of mode 0700).
 */
function launch(
  program: string,
  clusterDir: string,
  socketDir: string | undefined,
  account: Account | undefined,
  output: number | 'pipe',
  others: readonly string[],
): ChildProcess {
  const folders = socketDir === undefined ? [clusterDir] : [clusterDir, socketDir];
  const isHanded = account !== undefined && process.platform === 'linux';
  const handles = isHanded ? folders.map((folder) => openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)) : [];
  const named = isHanded ? handles.map((_, index) => `/proc/self/fd/${index + 3}`) : folders;
  try {
    return spawn(program, ['-D', named[0] ?? '', ...(named[1] === undefined ? [] : ['-k', named[1]]), ...others], {
      ...account,
      cwd: isHanded ? '/' : clusterDir,
      detached: true, // a Ctrl-C for the service is not one for the database
      stdio: ['ignore', output, output, ...handles],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
  } finally {
    for (const handle of handles) closeSync(handle);
  }
}

/** Keeps the server's log below its bound; the server goes on appending to the emptied file. */
export function boundLog(place: ClusterPlace): void {
  const stats = statSync(place.logFile, { throwIfNoEntry: false });
  if (stats === undefined || stats.size <= LOG_LIMIT_BYTES) return;
  truncateSync(place.logFile, 0);
}

/** The last lines of the log, for the message of a failed start. */
export function lastWords(place: ClusterPlace): string {
  const text = existsSync(place.logFile) ? readFileSync(place.logFile, 'utf8') : '';
  return text.trim().split('\n').slice(-3).join(' | ');
}
