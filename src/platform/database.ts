// PostgreSQL through one pool. Knows connections, transactions and notifications; no statement of the domain is here.
import pg from 'pg';
import { Fault, messageOf } from './errors.ts';

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
  const pool = new pg.Pool({ ...settings, max: options.poolSize, idleTimeoutMillis: 30_000 });
  pool.on('error', options.onBackgroundError);

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
      return releasing(client, (tx) => tx.query<Row>(text, values, name));
    },

    async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      const client = await borrow();
      return releasing(client, async (tx) => {
        await tx.query('BEGIN');
        try {
          const result = await work(tx);
          await tx.query('COMMIT');
          return result;
        } catch (error) {
          await tx.query('ROLLBACK').catch(() => undefined); // the first error is the one to tell
          throw error;
        }
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
        throw connectionFault(error);
      }
      return { ...queryableOf(client), ended, release: () => client.end() };
    },

    listen: (channel, heard, reconnected) => keepListening({ settings, channel, heard, reconnected, options }),

    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function queryableOf(client: pg.ClientBase): Queryable {
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
        throw classifyDatabaseError(error, 'never');
      }
    },
  };
}

async function releasing<T>(client: pg.PoolClient, use: (tx: Queryable) => Promise<T>): Promise<T> {
  // The pool listens to idle connections only: one that is lost between two statements would end the process.
  const heard = (): void => undefined; // the next statement fails and tells
  client.on('error', heard);
  try {
    const result = await use(queryableOf(client));
    client.off('error', heard);
    client.release();
    return result;
  } catch (error) {
    client.off('error', heard);
    client.release(error instanceof Fault); // a broken connection does not go back into the pool
    throw error;
  }
}

/** Whatever keeps a connection from being made, no statement was sent: a server that refuses it is as good as away. */
function connectionFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return new Fault(`the database cannot be reached: ${messageOf(error)}`, { blame: 'us', retry: 'safe', cause: error });
}

/**
 * Tells an unreachable database from a refused statement.
 * @param retry what a lost connection means here: `safe` before a statement was sent, `never` after (it may have committed)
 * @returns a `Fault` for a lost or refused connection; the error itself for anything the server said about the statement
 */
export function classifyDatabaseError(error: unknown, retry: 'safe' | 'never'): unknown {
  if (error instanceof Fault) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    const isUnreachable =
      code.startsWith('08') || code === '57P01' || code === '57P02' || code === '57P03' || code.startsWith('53');
    return isUnreachable
      ? new Fault(`the database refused: ${error.message}`, { blame: 'us', retry, cause: error })
      : error;
  }
  return new Fault(`the database cannot be reached: ${messageOf(error)}`, { blame: 'us', retry, cause: error });
}

interface Listening {
  readonly settings: pg.ClientConfig;
  readonly channel: string;
  readonly heard: (payload: string) => void;
  readonly reconnected: () => void;
  readonly options: DatabaseOptions;
}

async function keepListening(listening: Listening): Promise<AsyncDisposable> {
  let isClosed = false;
  let client: pg.Client | undefined;
  let pauseMs = LISTEN_PAUSE_START_MS;
  let pause: NodeJS.Timeout | undefined;

  const open = async (): Promise<void> => {
    const fresh = new pg.Client({ ...listening.settings, statement_timeout: 0 });
    client = fresh;
    fresh.on('error', listening.options.onBackgroundError);
    fresh.on('notification', (message) => listening.heard(message.payload ?? ''));
    await fresh.connect();
    await fresh.query(`LISTEN ${pg.escapeIdentifier(listening.channel)}`);
    fresh.once('end', retryLater);
    pauseMs = LISTEN_PAUSE_START_MS;
  };
  const retryLater = (): void => {
    if (isClosed) return;
    pause = setTimeout(() => {
      open().then(listening.reconnected, (error: unknown) => {
        listening.options.onBackgroundError(error instanceof Error ? error : new Error(messageOf(error)));
        pauseMs = Math.min(pauseMs * 2, LISTEN_PAUSE_LIMIT_MS);
        retryLater();
      });
    }, pauseMs);
  };

  try {
    await open();
  } catch (error) {
    throw classifyDatabaseError(error, 'safe');
  }
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(pause);
      await client?.end().catch(() => undefined); // already gone is as good as closed
    },
  };
}
