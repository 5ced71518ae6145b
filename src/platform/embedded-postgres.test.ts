import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { pause, systemClock } from './clock.ts';
import { canReach, serverAccount } from './embedded/account.ts';
import type { Account } from './embedded/account.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import type { EmbeddedPostgresOptions } from './embedded-postgres.ts';
import { Fault } from './errors.ts';

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const IS_ROOT = process.getuid?.() === 0;
const NOBODY: Account = { uid: 65_534, gid: 65_534 };

/** A data folder like one that `mktemp -d` makes: nobody but its owner may enter. */
function dataFolder(t: TestContext, name = 'data'): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

function start(dataDir: string, others: Partial<EmbeddedPostgresOptions> = {}) {
  return startEmbeddedPostgres({ dataDir, clock: systemClock, ...others });
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answer = await client.query<Record<string, unknown>>(statement);
    return answer.rows;
  } finally {
    await client.end();
  }
}

const clusterOf = (dataDir: string): string => join(dataDir, 'postgres', 'cluster');
const pidOf = (dataDir: string): number =>
  Number(readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
const isServed = (dataDir: string): boolean => existsSync(join(clusterOf(dataDir), 'postmaster.pid'));

/** Another process that starts the server and holds it until it is killed or its standard input ends. */
async function holder(dataDir: string, others: { as?: Account; resolveFrom?: string } = {}): Promise<Holder> {
  const from = others.resolveFrom === undefined ? '' : `resolveFrom: ${JSON.stringify(others.resolveFrom)},`;
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('clock.ts', import.meta.url).href)};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, ${from} clock: systemClock });
    console.log(JSON.stringify({ url: server.url, adopted: server.adopted }));
    process.stdin.resume().once('end', () => server.stop());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: tmpdir(),
    ...others.as,
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => ['{}']),
  ]);
  const said = JSON.parse(String(line)) as { url?: string; adopted?: boolean }; // written by the code above
  assert.ok(said.url !== undefined && said.adopted !== undefined, 'the holder has started');
  return { child, url: said.url, adopted: said.adopted };
}

interface Holder {
  readonly child: ChildProcess;
  readonly url: string;
  readonly adopted: boolean;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function leave(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.stdin?.end();
  assert.deepEqual(await exit, [0, null]);
}

test('what was committed is there after a stop and a start, over a socket alone', async (t) => {
  const dataDir = dataFolder(t);
  const first = await start(dataDir);
  assert.equal(first.adopted, false);
  await ask(first.url, 'CREATE TABLE kept (id int)');
  assert.deepEqual(await ask(first.url, 'SHOW listen_addresses'), [{ listen_addresses: '' }]);
  assert.deepEqual(await ask(first.url, 'SHOW fsync'), [{ fsync: 'on' }]);
  await first.stop();
  assert.equal(isServed(dataDir), false);
  const second = await start(dataDir);
  assert.equal(second.url, first.url);
  assert.deepEqual(await ask(second.url, 'SELECT count(*)::int AS rows FROM kept'), [{ rows: 0 }]);
  await second.stop();
});

test('only its owner can enter the data folder and everything below it', async (t) => {
  const dataDir = dataFolder(t);
  const server = await start(dataDir);
  for (const path of [dataDir, 'postgres', 'postgres/cluster', 'postgres/socket', 'postgres/postgres.log']) {
    assert.equal(statSync(path === dataDir ? path : join(dataDir, path)).mode & 0o077, 0, path);
  }
  await server.stop();
});

test('a server whose starter was killed is adopted, with what it had committed', async (t) => {
  const dataDir = dataFolder(t);
  const killed = await holder(dataDir);
  await ask(killed.url, 'CREATE TABLE kept (id int)');
  const pid = pidOf(dataDir);
  await kill(killed.child);
  const server = await start(dataDir);
  assert.equal(server.adopted, true);
  assert.equal(pidOf(dataDir), pid);
  assert.deepEqual(await ask(server.url, 'SELECT count(*)::int AS rows FROM kept'), [{ rows: 0 }]);
  await server.stop();
  assert.equal(isServed(dataDir), false);
});

test('five that start at once on an empty folder share one server, and the last to leave stops it', async (t) => {
  const dataDir = dataFolder(t);
  const holders = await Promise.all(Array.from({ length: 5 }, () => holder(dataDir)));
  assert.equal(holders.filter((each) => !each.adopted).length, 1);
  assert.equal(new Set(holders.map((each) => each.url)).size, 1);
  const url = holders[0]?.url ?? '';
  const before = await ask(url, 'SELECT system_identifier FROM pg_control_system()');
  for (const each of holders.slice(0, 4)) await leave(each.child);
  assert.deepEqual(await ask(url, 'SELECT system_identifier FROM pg_control_system()'), before);
  await Promise.all(holders.slice(4).map((each) => leave(each.child)));
  assert.equal(isServed(dataDir), false);
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')).sort(), ['cluster', 'postgres.log', 'socket']);
});

test('of several that leave at once, one stops the server', async (t) => {
  const dataDir = dataFolder(t);
  for (let round = 0; round < 5; round += 1) {
    const servers = await Promise.all([start(dataDir), start(dataDir), start(dataDir)]);
    await Promise.all(servers.map((server) => server.stop()));
    assert.equal(isServed(dataDir), false);
  }
});

test('a start while the last one leaves gets a server that stays', async (t) => {
  const dataDir = dataFolder(t);
  let current = await start(dataDir);
  for (let round = 0; round < 10; round += 1) {
    const leaving = current.stop();
    current = await start(dataDir);
    await leaving;
    assert.deepEqual(await ask(current.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  }
  await current.stop();
});

test('a server in the middle of shutting down is waited for, not joined', async (t) => {
  const dataDir = dataFolder(t);
  const killed = await holder(dataDir);
  const lingering = new pg.Client({ connectionString: killed.url });
  await lingering.connect();
  await kill(killed.child);
  const pid = pidOf(dataDir);
  process.kill(pid, 'SIGTERM'); // "smart": no newcomers, and down when the last client has gone
  const refusesUs = async (): Promise<boolean> =>
    ask(killed.url, 'SELECT 1').then(
      () => false,
      () => true,
    );
  while (!(await refusesUs())) await pause(5);
  const starting = start(dataDir);
  assert.equal(await Promise.race([starting.then(() => 'joined'), pause(100).then(() => 'waiting')]), 'waiting');
  await lingering.end();
  const server = await starting;
  assert.equal(server.adopted, false);
  assert.notEqual(pidOf(dataDir), pid);
  await server.stop();
});

test('after the server itself was killed, the next start recovers', async (t) => {
  const dataDir = dataFolder(t);
  const killed = await holder(dataDir);
  await ask(killed.url, 'CREATE TABLE kept AS SELECT 1 AS id');
  await kill(killed.child);
  process.kill(pidOf(dataDir), 'SIGKILL');
  const server = await start(dataDir);
  assert.deepEqual(await ask(server.url, 'SELECT * FROM kept'), [{ id: 1 }]);
  await server.stop();
});

test('a server that was killed under a running service comes back under the same URL', async (t) => {
  const dataDir = dataFolder(t);
  const problems: Error[] = [];
  const server = await start(dataDir, { onProblem: (error) => problems.push(error) });
  await ask(server.url, 'CREATE TABLE kept AS SELECT 1 AS id');
  const pid = pidOf(dataDir);
  process.kill(pid, 'SIGKILL');
  const answers = async (): Promise<boolean> =>
    ask(server.url, 'SELECT * FROM kept').then(
      () => true,
      () => false,
    );
  const deadlineMs = performance.now() + 30_000;
  while (!(isServed(dataDir) && pidOf(dataDir) !== pid && (await answers()))) {
    assert.ok(performance.now() < deadlineMs, 'the server has come back');
    await pause(10);
  }
  assert.ok(problems.length > 0);
  await server.stop();
  assert.equal(isServed(dataDir), false);
});

test('a service that leaves while its server is being brought back leaves nothing behind', async (t) => {
  const dataDir = dataFolder(t);
  for (let round = 0; round < 3; round += 1) {
    const lost = Promise.withResolvers<void>();
    const server = await start(dataDir, { onProblem: () => lost.resolve() });
    process.kill(pidOf(dataDir), 'SIGKILL');
    await lost.promise;
    await server.stop();
  }
  const last = await start(dataDir);
  await last.stop();
  assert.equal(isServed(dataDir), false);
});

test('a claim whose process number another program has now is stale', async (t) => {
  const dataDir = dataFolder(t);
  const server = await start(dataDir);
  const claim = readFileSync(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8');
  const pid = pidOf(dataDir);
  await server.stop();
  const account = serverAccount(clusterOf(dataDir));
  const stranger = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    ...account,
  });
  await once(stranger, 'spawn');
  t.after(() => kill(stranger));
  for (const path of ['cluster/postmaster.pid', 'socket/.s.PGSQL.5432.lock']) {
    writeFileSync(join(dataDir, 'postgres', path), claim.replace(String(pid), String(stranger.pid)), { mode: 0o600 });
    if (account !== undefined) chownSync(join(dataDir, 'postgres', path), account.uid, account.gid);
  }
  const again = await start(dataDir);
  assert.equal(again.adopted, false);
  assert.notEqual(pidOf(dataDir), stranger.pid);
  await again.stop();
});

test('an empty claim, as a power cut leaves it, stops nobody', async (t) => {
  const dataDir = dataFolder(t);
  await (await start(dataDir)).stop();
  const claim = join(clusterOf(dataDir), 'postmaster.pid');
  writeFileSync(claim, '');
  utimesSync(claim, 1_000_000_000, 1_000_000_000);
  await (await start(dataDir)).stop();
});

test('a folder that a killed maker left half made is removed', async (t) => {
  const dataDir = dataFolder(t);
  const gone = spawn('/bin/sh', ['-c', 'exit 0']);
  await once(gone, 'exit');
  const abandoned = `${clusterOf(dataDir)}.new-${gone.pid}-x1y2z3`;
  mkdirSync(abandoned, { recursive: true, mode: 0o700 });
  await (await start(dataDir)).stop();
  assert.equal(existsSync(abandoned), false);
});

test('a data folder whose path is too long for a socket works, under a symbolic link too', async (t) => {
  const dataDir = dataFolder(t, join('x'.repeat(120), 'data'));
  const server = await start(dataDir);
  const link = join(dirname(dirname(dataDir)), 'link');
  symlinkSync(dataDir, link);
  const again = await start(link);
  assert.equal(again.adopted, true);
  assert.deepEqual(await ask(again.url, 'SELECT 1 AS one'), [{ one: 1 }]);
  await Promise.all([server.stop(), again.stop()]);
  rmSync(decodeURIComponent(new URL(server.url).searchParams.get('host') ?? ''), { recursive: true });
});

/** The npm package as `npm ci --ignore-scripts` leaves it, in a folder of the test. */
function packageWithoutLinks(t: TestContext, mode = 0o755): { resolveFrom: string; native: string } {
  const root = mkdtempSync(join(tmpdir(), 'package-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const original = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  const copy = join(root, 'node_modules', PACKAGE);
  cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
  const library = join(copy, 'native', 'lib');
  for (const name of readdirSync(library)) {
    if (lstatSync(join(library, name)).isSymbolicLink()) rmSync(join(library, name));
  }
  for (const program of ['initdb', 'postgres']) chmodSync(join(copy, 'native', 'bin', program), 0o644);
  chmodSync(root, mode);
  return { resolveFrom: join(root, 'here.js'), native: join(copy, 'native') };
}

test('a package whose install script never ran is completed in place', async (t) => {
  const { resolveFrom, native } = packageWithoutLinks(t);
  const dataDir = dataFolder(t);
  const server = await start(dataDir, { resolveFrom });
  if (process.platform === 'linux') assert.ok(realpathSync(`/proc/${pidOf(dataDir)}/exe`).startsWith(native));
  assert.ok(readdirSync(join(native, 'lib')).some((name) => lstatSync(join(native, 'lib', name)).isSymbolicLink()));
  await server.stop();
});

test(
  'as root, a package in a folder that only root can enter is copied to where the account can',
  { skip: !IS_ROOT },
  async (t) => {
    const { resolveFrom } = packageWithoutLinks(t, 0o700);
    writeFileSync(resolveFrom, '');
    const copies = mkdtempSync(join(tmpdir(), 'copies-'));
    t.after(() => rmSync(copies, { recursive: true, force: true }));
    chmodSync(copies, 0o755);
    const servers = await Promise.all(
      [1, 2].map(() =>
        start(dataFolder(t), { resolveFrom, copiesDirs: [join(resolveFrom, 'not-a-folder'), join(copies, 'these')] }),
      ),
    );
    assert.equal(readdirSync(join(copies, 'these')).length, 1);
    await Promise.all(servers.map((server) => server.stop()));
  },
);

test('a folder for copies that others can write is not trusted', { skip: !IS_ROOT }, async (t) => {
  const { resolveFrom } = packageWithoutLinks(t, 0o700);
  writeFileSync(resolveFrom, '');
  const copies = mkdtempSync(join(tmpdir(), 'copies-'));
  t.after(() => rmSync(copies, { recursive: true, force: true }));
  chmodSync(copies, 0o777);
  await assert.rejects(start(dataFolder(t), { resolveFrom, copiesDirs: [copies] }), /no place for a copy/);
});

test('an ordinary user starts it too, from a package of root that lacks its links', { skip: !IS_ROOT }, async (t) => {
  if (!canReach(import.meta.dirname, NOBODY) || !canReach(dirname(process.execPath), NOBODY)) {
    t.skip('the checkout is in a folder that other accounts cannot enter');
    return;
  }
  const { resolveFrom } = packageWithoutLinks(t);
  const dataDir = dataFolder(t);
  chmodSync(dirname(dataDir), 0o755);
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, NOBODY.uid, NOBODY.gid);
  const first = await holder(dataDir, { as: NOBODY, resolveFrom });
  assert.equal(statSync(clusterOf(dataDir)).uid, NOBODY.uid);
  await kill(first.child);
  const second = await start(dataDir); // root, on a data folder of somebody else
  assert.equal(second.adopted, true);
  await second.stop();
  const third = await start(dataDir);
  assert.equal(statSync(`/proc/${pidOf(dataDir)}`).uid, NOBODY.uid);
  await third.stop();
});

test('a cluster of another major version is refused by name and left alone', async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(clusterOf(dataDir), { recursive: true });
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '17\n');
  await assert.rejects(start(dataDir), /was made by PostgreSQL 17, this is 18/);
  assert.deepEqual(readdirSync(clusterOf(dataDir)), ['PG_VERSION']);
});

test('a server that cannot start is a fault with its last words', async (t) => {
  const dataDir = dataFolder(t);
  await (await start(dataDir)).stop();
  writeFileSync(join(clusterOf(dataDir), 'postgresql.auto.conf'), "shared_buffers = 'nonsense'\n");
  await assert.rejects(start(dataDir), (error) => {
    assert.ok(error instanceof Fault);
    assert.match(error.message, /does not start: .*(shared_buffers|configuration)/);
    return true;
  });
});

test('a machine without the package hears which one is missing', async (t) => {
  await assert.rejects(
    start(dataFolder(t), { resolveFrom: join(tmpdir(), 'nowhere.js') }),
    new RegExp(`${PACKAGE} is not installed`),
  );
});

test("the server's log is bounded, and holds neither statements nor the values of rows", async (t) => {
  const dataDir = dataFolder(t);
  mkdirSync(join(dataDir, 'postgres'), { recursive: true, mode: 0o700 });
  const log = join(dataDir, 'postgres', 'postgres.log');
  writeFileSync(log, 'x'.repeat(1_100_000), { mode: 0o600 });
  const server = await start(dataDir);
  assert.ok(statSync(log).size < 100_000);
  await ask(server.url, "CREATE TABLE kept (word text CHECK (word <> 'hush-hush'))");
  await assert.rejects(ask(server.url, "INSERT INTO kept VALUES ('hush-hush')"));
  await assert.rejects(ask(server.url, "SELECT 'hush-hush' FROM nowhere"));
  await server.stop();
  const text = readFileSync(log, 'utf8');
  assert.match(text, /database system is shut down/);
  assert.doesNotMatch(text, /hush-hush/);
});
