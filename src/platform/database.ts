// PostgreSQL through one pool. Knows connections, transactions and notifications; no statement of the domain is here.
import pg from 'pg';
import { pause } from './clock.ts';
import { Fault, messageOf } from './errors.ts';
import type { Retry } from './errors.ts';

/** Values that `pg` sends as they are: arrays become PostgreSQL arrays, so JSON goes in through `JSON.stringify`. */
export type SqlValue = string | number | boolean | Date | Buffer | null | readonly SqlValue[];

/** Something that runs statements: the pool, or one connection in a transaction. */
export interface Queryable {
  /**
   * Runs one statement. Without values the text may hold several, as migrations do; their rows are not given back.
   * @param name a name makes it a prepared statement of the connection: for the hot path
   * @throws {Fault} when the database cannot be reached (`retry: 'safe'` if the statement surely did not commit);
   *   SQL errors pass through as `pg.DatabaseError`
   */
  query<Row extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]>;
}

export interface Database extends Queryable, AsyncDisposable {
  /** Runs `work` between BEGIN and COMMIT on one connection; whatever it throws rolls back and is thrown on. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Takes one connection out of the pool for as long as the caller keeps it: lanes, advisory locks. */
  connect(): Promise<DedicatedConnection>;
  /**
   * Calls `heard` with the payload of each notification of `channel`, and `reconnected` each time the listening connection
   * was re-established, after which notifications may have been missed. Reconnects by itself, with growing pauses up to 2 s.
   */
  listen(channel: string, heard: (payload: string) => void, reconnected: () => void): Promise<AsyncDisposable>;
}

export interface DedicatedConnection extends Queryable {
  /** Resolves when the connection is lost or released. */
  readonly ended: Promise<void>;
  release(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** How many pooled connections at most. */
  readonly poolSize: number;
  /** How long one statement may take before the server cancels it, ms. */
  readonly statementTimeoutMs: number;
  /** How long to wait for a connection, ms. */
  readonly connectTimeoutMs: number;
  /** Told of errors on idle connections, which no caller waits for. */
  readonly onBackgroundError: (error: Error) => void;
}

const SILENCE_MS = 5_000;
const LISTEN_PAUSE_START_MS = 50;
const LISTEN_PAUSE_LIMIT_MS = 2_000;

/** Opens a pool. Connects lazily: the first statement finds out whether the server is there. */
export function openDatabase(options: DatabaseOptions): Database {
  const settings: pg.ClientConfig = {
    connectionString: options.url,
    statement_timeout: options.statementTimeoutMs,
    connectionTimeoutMillis: options.connectTimeoutMs,
    application_name: 'errand',
    keepAlive: true,
  };
  const pool = new pg.Pool({
    ...settings,
    max: options.poolSize,
    idleTimeoutMillis: 30_000,
    // A server that has vanished cancels nothing: then the client gives up, a little later than the server would have.
    ...(options.statementTimeoutMs > 0 ? { query_timeout: options.statementTimeoutMs + SILENCE_MS } : {}),
  });
  pool.on('error', options.onBackgroundError);
  // Between the pool's listener and that of whoever borrows there is a breath without one; an error in it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  let closing: Promise<void> | undefined;

  const borrow = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (error) {
      throw connectionFault(error);
    }
  };

  return {
    async query<Row extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]> {
      const client = await borrow();
      return releasing(client, () => queryableOf(client, 'never').query<Row>(text, values, name));
    },

    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      const client = await borrow();
      return releasing(client, async (lost) => {
        const tx = queryableOf(client, 'safe'); // without a COMMIT nothing stays
        await tx.query('BEGIN');
        let result: T;
        try {
          result = await work(tx);
        } catch (error) {
          await tx.query('ROLLBACK').catch(lost); // the first error is the one to tell
          throw error;
        }
        await commit(client);
        return result;
      });
    },

    async connect(): Promise<DedicatedConnection> {
      const client = new pg.Client(settings);
      const ended = new Promise<void>((resolve) => {
        client.once('end', resolve);
      });
      client.on('error', options.onBackgroundError);
      try {
        await client.connect();
      } catch (error) {
        await client.end().catch(() => undefined); // never got anywhere
        throw connectionFault(error);
      }
      return { ...queryableOf(client, 'never'), ended, release: () => client.end() };
    },

    listen: (channel, heard, reconnected) => keepListening({ settings, channel, heard, reconnected, options }),

    [Symbol.asyncDispose]() {
      closing ??= pool.end();
      return closing;
    },
  };
}

/** @param retry what a connection that is lost during a statement means, see `classifyDatabaseError` */
function queryableOf(client: pg.ClientBase, retry: Retry): Queryable {
  return {
    async query<Row extends object>(text: string, values?: readonly SqlValue[], name?: string): Promise<Row[]> {
      try {
        const result = await client.query<Row>({
          text,
          ...(values === undefined ? {} : { values: [...values] }),
          ...(name === undefined ? {} : { name }),
        });
        return Array.isArray(result) ? [] : result.rows; // several statements in one text answer with a list
      } catch (error) {
        throw classifyDatabaseError(error, retry);
      }
    },
  };
}

/** PostgreSQL answers a COMMIT after a failed statement with a ROLLBACK and no error: work that hid the failure hears of it. */
async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT').catch((error: unknown) => {
    throw classifyDatabaseError(error, 'never');
  });
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed');
}

/** Gives the client back after `use`, or away where it is broken: after a fault, or when `use` calls `lost`. */
async function releasing<T>(client: pg.PoolClient, use: (lost: () => void) => Promise<T>): Promise<T> {
  let isLost = false;
  const lost = (): void => {
    isLost = true;
  };
  // The pool listens to idle connections only: one that is lost between two statements would end the process.
  client.on('error', lost);
  try {
    return await use(lost);
  } catch (error) {
    if (error instanceof Fault) lost();
    throw error;
  } finally {
    client.off('error', lost);
    client.release(isLost);
  }
}

/** Whatever keeps a connection from being made, no statement was sent: a server that refuses it is as good as away. */
function connectionFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault(`the database cannot be reached: ${messageOf(error)}`, { blame: 'us', retry: 'safe', cause: error });
}

/**
 * Tells an unreachable database from a refused statement.
 * @param retry what a lost connection means here: `safe` when nothing can have been committed, `never` when it may have
 * @returns a `Fault` for a lost or refused connection, a lack of resources or a statement that took too long; the error
 *   itself for anything else that the server said about the statement
 * @see PostgreSQL 18, appendix A
 */
export function classifyDatabaseError(error: unknown, retry: Retry): unknown {
  if (error instanceof Fault) return error;
  if (!(error instanceof pg.DatabaseError)) {
    return new Fault(`the database cannot be reached: ${messageOf(error)}`, { blame: 'us', retry, cause: error });
  }
  const code = error.code ?? '';
  const refused = (meaning: Retry): Fault =>
    new Fault(`the database refused: ${error.message}`, { blame: 'us', retry: meaning, cause: error });
  // Class 53 (no space, memory or connections) and a cancelled statement (its time limit) say that it did not happen.
  if (code.startsWith('53') || code === QUERY_CANCELED || code === CANNOT_CONNECT_NOW) return refused('safe');
  return code.startsWith('08') || CONNECTION_ENDED.has(code) ? refused(retry) : error;
}

const QUERY_CANCELED = '57014';
const CANNOT_CONNECT_NOW = '57P03';
/** Shutdown by an administrator, crash, database dropped, idle session, idle or too long transaction. */
const CONNECTION_ENDED = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04']);

interface Listening {
  readonly settings: pg.ClientConfig;
  readonly channel: string;
  readonly heard: (payload: string) => void;
  readonly reconnected: () => void;
  readonly options: DatabaseOptions;
}

/** Listens until disposed; between two connections it pauses longer each time. */
async function keepListening(listening: Listening): Promise<AsyncDisposable> {
  const closing = new AbortController();
  let current: ListeningClient;
  try {
    current = await startListening(listening);
  } catch (error) {
    throw connectionFault(error);
  }
  const goingOn = (async () => {
    while (!closing.signal.aborted) {
      await Promise.race([current.ended, aborted(closing.signal)]);
      const again = closing.signal.aborted ? undefined : await listenAgain(listening, closing.signal);
      if (again === undefined) break;
      current = again;
      if (!closing.signal.aborted) listening.reconnected();
    }
    await current.client.end().catch(() => undefined); // already gone is as good as closed
  })();
  return {
    [Symbol.asyncDispose]() {
      closing.abort();
      return goingOn;
    },
  };
}

interface ListeningClient {
  readonly client: pg.Client;
  readonly ended: Promise<void>;
}

async function startListening({ settings, channel, heard, options }: Listening): Promise<ListeningClient> {
  const client = new pg.Client({ ...settings, query_timeout: options.connectTimeoutMs });
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
  });
  client.on('error', options.onBackgroundError);
  client.on('notification', (message) => heard(message.payload ?? ''));
  try {
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    return { client, ended };
  } catch (error) {
    await client.end().catch(() => undefined); // already gone is as good as closed
    throw error;
  }
}

/** @returns undefined when `closing` came first */
async function listenAgain(listening: Listening, closing: AbortSignal): Promise<ListeningClient | undefined> {
  for (let pauseMs = LISTEN_PAUSE_START_MS; ; pauseMs = Math.min(pauseMs * 2, LISTEN_PAUSE_LIMIT_MS)) {
    await pause(pauseMs, closing).catch(() => undefined); // the next line looks why
    if (closing.aborted) return undefined;
    try {
      return await startListening(listening);
    } catch (error) {
      listening.options.onBackgroundError(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
