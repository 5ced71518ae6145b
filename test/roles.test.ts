// Every role as a process of its own, and what becomes of the data folder between starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { createTestDatabase } from './support/database.ts';
import { Service, errand, makeFolder, removeFolder } from './support/service.ts';

const TOKEN = 'a-credential-between-gateway-and-hall';
/** A trunk that nobody listens on: the port of discard. */
const TRUNK = 'sip:127.0.0.1:9';
const TASK = {
  to: '+15551234567',
  objective: 'Ask whether they are open.',
  result_schema: { type: 'object', properties: { open: { type: 'boolean' } } },
};

let folder: string;
before(async () => {
  folder = await makeFolder();
});
after(() => removeFolder(folder));

const create = (service: Service, key: string, idempotencyKey: string, body: unknown = TASK) =>
  service.ask('POST', '/v1/calls', {
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
    body,
  });

test('a service stops with status 0 on SIGTERM, and the next start goes on with key and calls', async () => {
  const home = path.join(folder, 'again');
  const first = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  const key = await first.ownerKey();
  assert.equal((await stat(path.join(home, 'owner-key'))).mode & 0o777, 0o600);
  const made = await create(first, key, 'one');
  assert.equal(made.status, 202, made.text);
  assert.equal(await first.stop(), 0);

  await using second = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  assert.equal(await second.ownerKey(), key);
  const replay = await create(second, key, 'one');
  assert.equal(replay.status, 202);
  assert.equal(replay.headers.get('idempotency-replayed'), 'true');
  assert.equal((replay.json as { id: string }).id, (made.json as { id: string }).id);
});

/** To npm alone, as a supervisor does; to everybody in the terminal, which npm passes on as well: Ctrl+C. */
const NPM_SIGNALS: readonly (readonly [signal: NodeJS.Signals, to: 'npm' | 'all'])[] = [
  ['SIGTERM', 'npm'],
  ['SIGINT', 'all'],
];
for (const [signal, to] of NPM_SIGNALS) {
  test(`${signal} to ${to} of \`npm start\` ends the service in order, before npm ends`, async () => {
    const npm = spawn('npm', ['start'], {
      cwd: path.join(import.meta.dirname, '..'),
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, PORT: '0', ERRAND_DATA_DIR: path.join(folder, 'npm') },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true, // a process group of its own, so that nothing of it is left behind
    });
    try {
      const exit = once(npm, 'exit');
      let url: string | undefined;
      for await (const line of createInterface({ input: npm.stdout })) {
        url = /^errand ready (\S+)/.exec(line)?.[1];
        if (url !== undefined) break;
      }
      assert.ok(url !== undefined && npm.pid !== undefined);
      process.kill(to === 'npm' ? npm.pid : -npm.pid, signal);
      assert.deepEqual(await exit, [0, null]);
      await assert.rejects(fetch(`${url}/health`));
    } finally {
      killGroup(npm);
    }
  });
}

test('a start after kill -9 finds every acknowledged call', async () => {
  const home = path.join(folder, 'killed');
  const first = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  const key = await first.ownerKey();
  const made = await Promise.all(Array.from({ length: 40 }, (_, at) => create(first, key, `key ${at}`)));
  assert.ok(made.every(({ status }) => status === 202));
  await first.kill();

  await using second = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  for (const { json } of made) {
    const found = await second.ask('GET', `/v1/calls/${(json as { id: string }).id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(found.status, 200);
  }
});

test('two starts on one data folder: the second ends with a sentence, the first goes on', async () => {
  const home = path.join(folder, 'twice');
  await using first = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  const second = await errand(['all'], { ERRAND_DATA_DIR: home, SIP_TRUNK_URI: TRUNK });
  assert.equal(second.code, 1);
  assert.match(second.stderr, /another errand is running on the data folder/);
  assert.equal((await first.ask('GET', '/health/ready')).status, 200);
});

test('the public URL is what is announced and what refusals link to', async () => {
  await using service = await Service.start(path.join(folder, 'url'), {
    SIP_TRUNK_URI: TRUNK,
    ERRAND_PUBLIC_URL: 'https://errand.example',
    PORT: '0',
  }).catch(() => assert.fail('did not start'));
  assert.equal(service.url, 'https://errand.example');
});

test('with a trunk nothing under /local exists', async () => {
  await using service = await Service.start(path.join(folder, 'trunk'), { SIP_TRUNK_URI: TRUNK });
  for (const route of ['/local', '/local/phones/+15550100101', '/local/messages', '/local/phone']) {
    const answer = await service.ask('GET', route);
    assert.equal(answer.status, 404, route);
    assert.equal((answer.json as { code: string }).code, 'not_found');
  }
  const files = await readdir(path.join(folder, 'trunk'));
  assert.ok(!files.includes('exchange.jsonl'));
});

test('an operator works beside a running service', async () => {
  const home = path.join(folder, 'admin');
  await using service = await Service.start(home, { SIP_TRUNK_URI: TRUNK });
  const key = await service.ownerKey();
  const off = await errand(['admin', 'live-calls', 'off', '--json'], { ERRAND_DATA_DIR: home });
  assert.deepEqual([off.code, JSON.parse(off.stdout)], [0, { live_calls: 'off' }]);
  const refused = await create(service, key, 'while off');
  assert.deepEqual([refused.status, (refused.json as { code: string }).code], [403, 'live_calls_disabled']);
  await errand(['admin', 'live-calls', 'on'], { ERRAND_DATA_DIR: home });
  assert.equal((await create(service, key, 'while off')).status, 202, 'a refused create does not use its key up');
});

test('an operator works without a service, and leaves nothing running', async () => {
  const home = path.join(folder, 'alone');
  const made = await errand(['admin', 'workspace', 'create', '--name', 'Lab', '--json'], { ERRAND_DATA_DIR: home });
  assert.equal(made.code, 0, made.stderr);
  const listed = await errand(['admin', 'workspace', 'list', '--json'], { ERRAND_DATA_DIR: home });
  assert.equal((JSON.parse(listed.stdout) as unknown[]).length, 1);
});

test('gateway, control plane and worker are three processes around one database', async () => {
  await using db = await createTestDatabase();
  const shared = {
    DATABASE_URL: db.url,
    CONTROL_PLANE_TOKEN: TOKEN,
    CONTROL_PLANE_PORT: '0',
    SIP_TRUNK_URI: TRUNK,
    ERRAND_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const home = path.join(folder, 'roles');
  const migrated = await errand(['migrate'], { ...shared, ERRAND_DATA_DIR: home });
  assert.equal(migrated.code, 0, migrated.stderr);
  await using hall = await Service.start(home, shared, 'control-plane');
  await using worker = await Service.start(home, shared, 'worker');
  await using gateway = await Service.start(home, { ...shared, CONTROL_PLANE_URL: hall.url }, 'gateway');

  const admin = async (...args: string[]) =>
    JSON.parse((await errand(['admin', ...args, '--json'], { ...shared, ERRAND_DATA_DIR: home })).stdout) as Record<
      string,
      string
    >;
  const workspace = (await admin('workspace', 'create', '--name', 'Lab', '--plan', 'operator'))['workspace_id'] ?? '';
  const project = (await admin('project', 'create', workspace, '--name', 'P'))['project_id'] ?? '';
  const key = (await admin('key', 'create', project, '--name', 'bot'))['api_key'] ?? '';
  const early = await create(gateway, key, 'one');
  assert.deepEqual([early.status, (early.json as { code: string }).code], [409, 'managed_agent_unavailable']);
  await admin('assistant', 'set', project, '--name', 'Errand');
  const made = await create(gateway, key, 'one');
  assert.equal(made.status, 202, made.text);

  const { id } = made.json as { id: string };
  const read = () => gateway.ask('GET', `/v1/calls/${id}`, { headers: { authorization: `Bearer ${key}` } });
  let call = (await read()).json as { state: string; execution: { error_code: string } };
  const giveUpAt = Date.now() + 30_000;
  while (call.state !== 'failed' && Date.now() < giveUpAt) call = (await read()).json as typeof call;
  assert.deepEqual([call.state, call.execution.error_code], ['failed', 'carrier_unavailable']);

  assert.deepEqual([await worker.stop(), await hall.stop()], [0, 0]);
  const gone = await create(gateway, key, 'two');
  assert.deepEqual([gone.status, (gone.json as { code: string }).code], [503, 'control_plane_unavailable']);
  assert.equal((await gateway.ask('GET', '/health/ready')).status, 503);
  assert.equal((await gateway.ask('GET', '/health')).status, 200);
});

test('a gateway without a credential says so and serves its health', async () => {
  await using gateway = await Service.start(path.join(folder, 'bare'), {}, 'gateway');
  const ready = await gateway.ask('GET', '/health/ready');
  assert.equal(ready.status, 503);
  const { components } = ready.json as { components: Record<string, unknown> };
  assert.equal(components['configuration'], false);
  assert.match(String(components['configuration_error']), /CONTROL_PLANE_URL and CONTROL_PLANE_TOKEN/);
});

test('a wrong configuration is told whole and starts nothing', async () => {
  const ended = await errand(['all'], {
    ERRAND_DATA_DIR: path.join(folder, 'wrong'),
    PORT: 'x',
    LOG_LEVEL: 'loud',
    ERRAND_MASTER_KEY: 'secret',
  });
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /PORT must/);
  assert.match(ended.stderr, /LOG_LEVEL must/);
  assert.match(ended.stderr, /ERRAND_MASTER_KEY must/);
  assert.doesNotMatch(ended.stderr, /secret/);
});

test('a role that is not there is told, status 2', async () => {
  const ended = await errand(['everything'], {});
  assert.equal(ended.code, 2);
  assert.match(ended.stderr, /no role "everything"/);
});

test('help is help behind every role, and starts nothing', async () => {
  const home = path.join(folder, 'help');
  for (const args of [['--help'], ['all', '--help'], ['migrate', '-h'], ['worker', 'help']]) {
    const ended = await errand(args, { ERRAND_DATA_DIR: home });
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /^errand \[role\]/);
  }
  await assert.rejects(stat(home), { code: 'ENOENT' });
});

test('a word too many behind a role is named, status 2, and starts nothing', async () => {
  const home = path.join(folder, 'words');
  for (const role of ['all', 'migrate']) {
    const ended = await errand([role, 'now'], { ERRAND_DATA_DIR: home });
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, new RegExp(`errand ${role} takes no further word; "now" was given`));
  }
  await assert.rejects(stat(home), { code: 'ENOENT' });
});

test('a port that is taken is told in one sentence that names its setting', async () => {
  await using first = await Service.start(path.join(folder, 'holder'), {}, 'gateway');
  const port = new URL(first.url).port;
  const second = await errand(['gateway'], { PORT: port });
  assert.equal(second.code, 1);
  assert.equal(second.stderr, `errand: 127.0.0.1:${port} is taken; stop what listens there, or set PORT\n`);
  const hall = { CONTROL_PLANE_PORT: port, CONTROL_PLANE_TOKEN: TOKEN, ERRAND_DATA_DIR: path.join(folder, 'hall') };
  const third = await errand(['control-plane'], hall);
  assert.equal(third.code, 1);
  assert.match(third.stderr, new RegExp(`errand: 127.0.0.1:${port} is taken; .* or set CONTROL_PLANE_PORT\n$`));
});

test('the owner key is in no log line', async () => {
  const home = path.join(folder, 'quiet');
  const service = await Service.start(home, { SIP_TRUNK_URI: TRUNK, LOG_LEVEL: 'debug' });
  const key = await service.ownerKey();
  await create(service, key, 'a secret idempotency key');
  await service.stop();
  const log = service.log.join('\n');
  assert.ok(log.length > 0);
  assert.ok(!log.includes(key) && !log.includes('a secret idempotency key') && !log.includes(TASK.to));
  assert.ok(!log.includes((await readFile(path.join(home, 'master-key'), 'utf8')).trim()));
});

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error; // nobody is left
  }
}
