// Starts the embedded PostgreSQL of a data folder, or adopts the one that runs there already, and stops it when the last
// process that uses it leaves. Unix socket only. Must never pull the server from under another process, nor start a second
// server on one cluster.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { pause } from './clock.ts';
import type { Clock, Timer } from './clock.ts';
import { serverAccount } from './embedded/account.ts';
import type { Account } from './embedded/account.ts';
import { findBinaries, isErrno, SHARED_COPIES } from './embedded/binaries.ts';
import {
  boundLog,
  claimant,
  ended,
  lastWords,
  makeCluster,
  placeOf,
  prepareFolders,
  readPostmaster,
  removeEmptyClaim,
  removeStaleClaim,
  spawnServer,
  urlOf,
} from './embedded/cluster.ts';
import type { ClusterPlace } from './embedded/cluster.ts';
import { Fault, messageOf } from './errors.ts';

export interface EmbeddedPostgresOptions {
  /** The service's data folder; made (mode 0700) where it is missing. */
  readonly dataDir: string;
  readonly clock: Clock;
  /** False gives durability up for speed: for tests alone. */
  readonly isDurable?: boolean;
  /** A file or URL from which the package with the binaries is resolved; this file by default. */
  readonly resolveFrom?: string | URL;
  /** Where a private copy of the binaries may be kept, best first; see `findBinaries` for what is usual. */
  readonly copiesDirs?: readonly string[];
  /** Told when the server was lost and is being brought back. */
  readonly onProblem?: (error: Error) => void;
}

export interface EmbeddedPostgres {
  /** A connection string for `pg`, the same at every start on a data folder. */
  readonly url: string;
  /** Whether the server was running before. */
  readonly adopted: boolean;
  /**
   * Leaves the server; the last process to leave shuts it down ("fast": open transactions roll back) and waits for that.
   * @throws {Fault} when the server is still there after 60 s
   */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;
const POLL_MS = 4;
const CONNECT_LIMIT_MS = 5_000;
/** A start that fails is tried again: what a killed server left (shared memory, backends) goes within moments. */
const FAILED_STARTS_LIMIT = 10;
const FAILED_START_PAUSE_MS = 100;
const LOG_CHECK_MS = 60_000;
const RETURN_PAUSE_START_MS = 50;
const RETURN_PAUSE_LIMIT_MS = 5_000;
/** Every process that uses the server holds this advisory lock, shared; who gets it alone may stop the server. */
const MEMBERSHIP_LOCK = 7_219_461_003;

/**
 * @throws {Fault} when the server does not come up within 60 s (the message ends with its last words)
 * @throws {Error} when the machine cannot run it at all: binaries, account, folders
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const account = serverAccount(join(dataDir, 'postgres', 'cluster'));
  const site: Site = { options, account, place: placeOf(dataDir, account) };
  prepareFolders(site.place, account);
  boundLog(site.place);
  const joined = await joinServer(site);
  return stayJoined(site, joined);
}

interface Site {
  readonly options: EmbeddedPostgresOptions;
  readonly account: Account | undefined;
  readonly place: ClusterPlace;
}

interface Joined {
  readonly client: pg.Client;
  readonly socketDir: string;
  readonly adopted: boolean;
}

/** Goes round until a server of the cluster takes us in: starts one when there is none, waits for one that starts or stops. */
async function joinServer(site: Site): Promise<Joined> {
  const { options, place } = site;
  const deadlineMs = options.clock.monotonicMs() + START_LIMIT_MS;
  let child: ChildProcess | undefined;
  let isChildRunning = false;
  let failure: unknown;
  let failedStarts = 0;
  for (;;) {
    const seen = readPostmaster(place);
    const isOurs = seen !== undefined && seen.pid === child?.pid;
    const state = seen === undefined ? 'gone' : isOurs && isChildRunning ? 'serving' : await claimant(place, seen.pid);
    if (seen !== undefined && state === 'serving' && seen.status === 'ready') {
      const client = await tryToJoin(urlOf(seen.socketDir));
      if (client !== undefined) return { client, socketDir: seen.socketDir, adopted: !isOurs };
    }
    if (state !== 'serving' && !isChildRunning) {
      if (child !== undefined) failedStarts += 1;
      if (failedStarts >= FAILED_STARTS_LIMIT) throw cannotStart(site, failure ?? lastWords(place));
      if (failedStarts > 0) await pause(FAILED_START_PAUSE_MS);
      if (seen !== undefined && state === 'taken') removeStaleClaim(place, seen);
      removeEmptyClaim(place, options.clock.now());
      child = await spawnOne(site);
      isChildRunning = true;
      ended(child).then(
        () => (isChildRunning = false),
        (error: unknown) => {
          failure = error;
          isChildRunning = false;
        },
      );
    }
    if (options.clock.monotonicMs() > deadlineMs) throw cannotStart(site, lastWords(place));
    await pause(POLL_MS);
  }
}

async function spawnOne(site: Site): Promise<ChildProcess> {
  const { account, options, place } = site;
  const isDurable = options.isDurable ?? true;
  const native = findBinaries({
    account,
    copiesDirs: options.copiesDirs ?? (account === undefined ? [dirname(place.clusterDir)] : SHARED_COPIES),
    resolveFrom: options.resolveFrom ?? import.meta.url,
  });
  await makeCluster(place, native, account, isDurable);
  return spawnServer(place, native, account, isDurable);
}

function cannotStart(site: Site, because: unknown): Fault {
  const hint = isErrno(because, 'ENOENT') ? ' (the binaries need glibc; elsewhere set DATABASE_URL)' : '';
  const reason = `${messageOf(because)}${hint}`;
  return new Fault(`the embedded PostgreSQL in ${site.place.clusterDir} does not start: ${reason}`, {
    blame: 'us',
    retry: 'safe',
    cause: because,
  });
}

/** @returns undefined when the server is not there, or its last user is leaving and it is about to stop */
async function tryToJoin(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    application_name: 'errand keeper',
    keepAlive: true,
  });
  client.on('error', () => undefined); // the end that follows is what counts
  try {
    await client.connect();
    const answer = await client.query<{ joined: boolean }>('SELECT pg_try_advisory_lock_shared($1) AS joined', [
      MEMBERSHIP_LOCK,
    ]);
    if (answer.rows[0]?.joined === true) return client;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
    if (error instanceof pg.DatabaseError && !code.startsWith('57P') && code !== '53300') throw error;
  }
  await client.end().catch(() => undefined); // already gone is as good as closed
  return undefined;
}

/** Keeps the membership for as long as the process uses the server, and brings a lost server back. */
function stayJoined(site: Site, first: Joined): EmbeddedPostgres {
  const { clock, onProblem } = site.options;
  let joined: Joined | undefined = first;
  let returning: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  const leaving = new AbortController();
  const isStaying = (): boolean => !leaving.signal.aborted;
  let timer: Timer | undefined;

  const watch = (current: Joined): void => {
    holdsProcess(current.client, false);
    current.client.once('end', () => {
      joined = undefined;
      if (isStaying()) returning = comeBack(RETURN_PAUSE_START_MS);
    });
  };
  const comeBack = async (pauseMs: number): Promise<void> => {
    onProblem?.(new Error('the connection that keeps the embedded PostgreSQL was lost'));
    for (let waitMs = pauseMs; isStaying(); waitMs = Math.min(waitMs * 2, RETURN_PAUSE_LIMIT_MS)) {
      try {
        const again = await joinServer(site);
        joined = again;
        watch(again);
        return;
      } catch (error) {
        onProblem?.(error instanceof Error ? error : new Error(messageOf(error)));
      }
      await pause(waitMs, leaving.signal).catch(() => undefined); // the loop looks why
    }
  };
  const checkLog = (): void => {
    boundLog(site.place);
    timer = clock.after(LOG_CHECK_MS, checkLog);
  };

  watch(first);
  checkLog();
  return {
    url: urlOf(first.socketDir),
    adopted: first.adopted,
    stop() {
      leaving.abort();
      stopping ??= (async () => {
        timer?.cancel();
        await returning;
        if (joined !== undefined) await leave(site, joined.client);
      })();
      return stopping;
    },
  };
}

/** Of several that leave at once, the last to give its share up gets the lock alone: one of them always stops the server. */
async function leave(site: Site, client: pg.Client): Promise<void> {
  holdsProcess(client, true);
  const seen = readPostmaster(site.place);
  let isLast = false;
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1)', [MEMBERSHIP_LOCK]);
    const answer = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
      MEMBERSHIP_LOCK,
    ]);
    isLast = answer.rows[0]?.alone === true;
  } catch {
    return; // the server is gone, or somebody else stops it
  }
  if (isLast && seen !== undefined && (await claimant(site.place, seen.pid)) === 'serving') {
    process.kill(seen.pid, 'SIGINT');
    await untilGone(site, seen.pid);
  }
  await client.end().catch(() => undefined); // the server has hung up
}

/** Whether an open connection keeps the process alive; the declared types of pg leave these two methods out. */
function holdsProcess(client: pg.Client & { ref?(): void; unref?(): void }, isHolding: boolean): void {
  if (isHolding) client.ref?.();
  else client.unref?.();
}

async function untilGone(site: Site, pid: number): Promise<void> {
  const deadlineMs = site.options.clock.monotonicMs() + STOP_LIMIT_MS;
  while (readPostmaster(site.place)?.pid === pid && (await claimant(site.place, pid)) === 'serving') {
    if (site.options.clock.monotonicMs() > deadlineMs) {
      throw new Fault(`the embedded PostgreSQL (process ${pid}) does not stop`, { blame: 'us', retry: 'safe' });
    }
    await pause(POLL_MS);
  }
}
