import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { createTestDatabase } from '../../test/support/database.ts';
import { pause } from './clock.ts';
import { classifyDatabaseError, openDatabase } from './database.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { Fault } from './errors.ts';

function open(url: string, others: Partial<DatabaseOptions> = {}): Database {
  return openDatabase({
    url,
    poolSize: 2,
    statementTimeoutMs: 5_000,
    connectTimeoutMs: 2_000,
    onBackgroundError: () => undefined,
    ...others,
  });
}

const isFault =
  (retry: 'safe' | 'never') =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.retry, retry);
    assert.equal(error.blame, 'us');
    return true;
  };

const MY_PID = 'SELECT pg_backend_pid() AS pid';

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, what);
    await pause(5);
  }
}

test('what a transaction did is there after it, for everybody', async () => {
  await using fresh = await createTestDatabase(false);
  await fresh.database.query('CREATE TABLE words (word text)');
  const answer = await fresh.database.transaction(async (tx) => {
    await tx.query('INSERT INTO words VALUES ($1)', ['one']);
    assert.deepEqual(await fresh.database.query('SELECT * FROM words'), []);
    return 'done';
  });
  assert.equal(answer, 'done');
  assert.deepEqual(await fresh.database.query('SELECT * FROM words'), [{ word: 'one' }]);
});

test('a transaction whose work throws leaves nothing and throws the same error on', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1 });
  await database.query('CREATE TABLE words (word text)');
  const mine = new Error('mine');
  await assert.rejects(
    database.transaction(async (tx) => {
      await tx.query("INSERT INTO words VALUES ('one')");
      throw mine;
    }),
    (error) => error === mine,
  );
  await assert.rejects(
    database.transaction((tx) => tx.query('INSERT INTO nowhere VALUES (1)')),
    (error) => error instanceof pg.DatabaseError && error.code === '42P01',
  );
  assert.deepEqual(await database.query('SELECT * FROM words'), []); // on the same, only connection
});

test('a transaction that hides a failed statement from us is not taken for committed', async () => {
  await using fresh = await createTestDatabase(false);
  await fresh.database.query('CREATE TABLE words (word text)');
  const work = fresh.database.transaction(async (tx) => {
    await tx.query("INSERT INTO words VALUES ('one')");
    await tx.query('SELECT 1 / 0').catch(() => undefined);
  });
  await assert.rejects(work, /the transaction was rolled back/);
  assert.deepEqual(await fresh.database.query('SELECT * FROM words'), []);
});

test('a connection cut inside a transaction: surely nothing was committed, and the pool goes on', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1 });
  await database.query('CREATE TABLE words (word text)');
  const work = database.transaction(async (tx) => {
    await tx.query("INSERT INTO words VALUES ('one')");
    const [row] = await tx.query<{ pid: number }>(MY_PID);
    await fresh.database.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid ?? 0]);
    await tx.query("INSERT INTO words VALUES ('two')");
  });
  await assert.rejects(work, isFault('safe'));
  assert.deepEqual(await database.query('SELECT * FROM words'), []);
});

test('a broken connection does not go back into the pool when the work swallows the fault', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1 });
  const mine = new Error('mine');
  const work = database.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>(MY_PID);
    await fresh.database.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid ?? 0]);
    throw mine;
  });
  await assert.rejects(work, (error) => error === mine);
  assert.deepEqual(await database.query('SELECT 1 AS one'), [{ one: 1 }]);
});

test('a connection cut while COMMIT is under way: it may have been committed', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1 });
  // A deferred trigger that waits for a lock holds the COMMIT until the connection is cut.
  await database.query(`CREATE TABLE words (word text);
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER t AFTER INSERT ON words DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`);
  await fresh.database.transaction(async (other) => {
    await other.query('SELECT pg_advisory_xact_lock(1)');
    const work = database.transaction((tx) => tx.query("INSERT INTO words VALUES ('one')"));
    const rejected = assert.rejects(work, isFault('never'));
    await until('COMMIT waits', async () => {
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query = 'COMMIT' AND wait_event_type = 'Lock'`;
      return (await fresh.database.query(cut)).length === 1;
    });
    await rejected;
  });
});

test('a statement that takes too long is a fault that may be tried again, and the connection is replaced', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1, statementTimeoutMs: 50 });
  await assert.rejects(database.query('SELECT pg_sleep(5)'), isFault('safe'));
  assert.deepEqual(await database.query('SELECT 1 AS one'), [{ one: 1 }]);
});

test('no server: a fault within the time to connect, safe to try again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'nobody-'));
  t.after(() => rmSync(folder, { recursive: true }));
  await using database = open(`postgresql://errand@localhost/postgres?host=${encodeURIComponent(folder)}`);
  await assert.rejects(database.query('SELECT 1'), isFault('safe'));
  await assert.rejects(
    database.transaction(() => Promise.resolve(1)),
    isFault('safe'),
  );
  await assert.rejects(database.connect(), isFault('safe'));
  await assert.rejects(
    database.listen(
      'news',
      () => undefined,
      () => undefined,
    ),
    isFault('safe'),
  );
});

test('a server that accepts and says nothing is given up after the time to connect', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // listening on TCP
  await using database = open(`postgresql://errand@127.0.0.1:${port}/postgres`, { connectTimeoutMs: 100 });
  await assert.rejects(database.query('SELECT 1'), isFault('safe'));
  await assert.rejects(database.connect(), isFault('safe'));
});

test('when every connection is taken, a caller waits no longer than the time to connect', async () => {
  await using fresh = await createTestDatabase(false);
  await using database = open(fresh.url, { poolSize: 1, connectTimeoutMs: 100 });
  await database.transaction(async () => {
    await assert.rejects(database.query('SELECT 1'), isFault('safe'));
  });
});

test('a dedicated connection tells when it has ended, however it ends', async () => {
  await using fresh = await createTestDatabase(false);
  const cut = await fresh.database.connect();
  const [row] = await cut.query<{ pid: number }>(MY_PID);
  await fresh.database.query('SELECT pg_terminate_backend($1, 5000)', [row?.pid ?? 0]);
  await cut.ended;
  await assert.rejects(cut.query('SELECT 1'), isFault('never'));
  await cut.release();
  const released = await fresh.database.connect();
  await released.release();
  await released.ended;
});

test('several statements in one text run in one go', async () => {
  await using fresh = await createTestDatabase(false);
  assert.deepEqual(await fresh.database.query('CREATE TABLE a (id int); SELECT 1 AS one'), []);
  assert.deepEqual(await fresh.database.query('SELECT * FROM a'), []);
});

/** A way to the server that the test can shut, and that counts who is on it. */
async function gateTo(t: TestContext, url: string): Promise<Gate> {
  const socketDir = new URL(url).searchParams.get('host') ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'gate-'));
  const sockets = new Set<Socket>();
  const gate: Gate = {
    url: url.replace(encodeURIComponent(socketDir), encodeURIComponent(folder)),
    isShut: false,
    attempts: 0,
    open: () => sockets.size,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
  const server: Server = createServer((near) => {
    gate.attempts += 1;
    if (gate.isShut) {
      near.destroy();
      return;
    }
    const far = connect(join(socketDir, '.s.PGSQL.5432'));
    sockets.add(near);
    near.once('close', () => {
      sockets.delete(near);
      far.destroy();
    });
    far.once('close', () => near.destroy());
    near.on('error', () => undefined);
    far.on('error', () => undefined);
    near.pipe(far).pipe(near);
  });
  server.listen(join(folder, '.s.PGSQL.5432'));
  await once(server, 'listening');
  t.after(() => {
    gate.cut();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return gate;
}

interface Gate {
  readonly url: string;
  isShut: boolean;
  attempts: number;
  open(): number;
  cut(): void;
}

test('listening goes on after its connection was cut, and says that it may have missed something', async (t) => {
  await using fresh = await createTestDatabase(false);
  const gate = await gateTo(t, fresh.url);
  await using database = open(gate.url);
  const heard: string[] = [];
  let reconnections = 0;
  const listening = await database.listen(
    'some news',
    (payload) => heard.push(payload),
    () => (reconnections += 1),
  );
  const say = (payload: string) => fresh.database.query('SELECT pg_notify($1, $2)', ['some news', payload]);
  await say('one');
  await until('the first is heard', () => heard.length === 1);
  gate.cut();
  await until('it listens again', () => reconnections === 1);
  await say('two');
  await until('the second is heard', () => heard.length === 2);
  gate.isShut = true;
  gate.cut();
  const before = gate.attempts;
  await until('it tries again and again', () => gate.attempts > before + 2);
  gate.isShut = false;
  await until('it listens again', () => reconnections === 2);
  await say('three');
  await until('the third is heard', () => heard.length === 3);
  assert.deepEqual(heard, ['one', 'two', 'three']);
  await listening[Symbol.asyncDispose]();
  assert.equal(gate.open(), 0);
});

test('listening that is disposed of while it reconnects leaves no connection and says nothing more', async (t) => {
  await using fresh = await createTestDatabase(false);
  const gate = await gateTo(t, fresh.url);
  await using database = open(gate.url);
  for (let round = 0; round < 20; round += 1) {
    let reconnections = 0;
    const listening = await database.listen(
      'news',
      () => undefined,
      () => (reconnections += 1),
    );
    const before = gate.attempts;
    gate.cut();
    if (round % 2 === 0) await until('a connection is on its way', () => gate.attempts > before);
    await Promise.all([listening[Symbol.asyncDispose](), listening[Symbol.asyncDispose]()]);
    const afterwards = reconnections;
    await until('every connection is closed', () => gate.open() === 0);
    assert.equal(reconnections, afterwards);
  }
});

test('a pool may be disposed of twice, and is a fault after that', async () => {
  await using fresh = await createTestDatabase(false);
  const database = open(fresh.url);
  await database.query('SELECT 1');
  await Promise.all([database[Symbol.asyncDispose](), database[Symbol.asyncDispose]()]);
  await assert.rejects(database.query('SELECT 1'), isFault('safe'));
});

/** What the server says, and what it means: null is a matter of the statement, not of the database. */
const CLASSES: readonly (readonly [code: string, retry: 'safe' | 'as told' | null])[] = [
  ['08006', 'as told'],
  ['08P01', 'as told'],
  ['57P01', 'as told'],
  ['57P02', 'as told'],
  ['57P03', 'safe'],
  ['57P04', 'as told'],
  ['57P05', 'as told'],
  ['25P03', 'as told'],
  ['57014', 'safe'],
  ['53100', 'safe'],
  ['53300', 'safe'],
  ['23505', null],
  ['40001', null],
  ['40P01', null],
  ['42P01', null],
  ['P0001', null],
  ['22P02', null],
];

test('every answer of the server is classified', () => {
  for (const [code, meaning] of CLASSES) {
    for (const retry of ['safe', 'never'] as const) {
      const error = new pg.DatabaseError('said', 4, 'error');
      error.code = code;
      const found = classifyDatabaseError(error, retry);
      if (meaning === null) assert.equal(found, error, code);
      else {
        assert.ok(found instanceof Fault, code);
        assert.equal(found.retry, meaning === 'as told' ? retry : meaning, code);
        assert.equal(found.cause, error);
      }
    }
  }
  const lost = classifyDatabaseError(new Error('Connection terminated unexpectedly'), 'never');
  assert.ok(lost instanceof Fault && lost.retry === 'never');
  assert.equal(classifyDatabaseError(lost, 'safe'), lost);
});

test('a server that ends a connection in the breath in which it opened it costs a query, not the process', async () => {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type, 0, 'latin1');
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const fatal = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // Ready, and ended, in one piece: the client reads both before anybody can have asked it anything.
    const welcome = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), message('E', fatal)];
    socket.once('data', () => socket.end(Buffer.concat(welcome)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const database = openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    poolSize: 1,
    statementTimeoutMs: 2_000,
    connectTimeoutMs: 2_000,
    onBackgroundError: () => undefined,
  });
  await assert.rejects(database.query('SELECT 1'), Fault);
  await database[Symbol.asyncDispose]();
  server.close();
});
