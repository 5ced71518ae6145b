// Door and hall in two processes: the client and the internal server over a real socket, and the client against servers that are
// not what they should be.
import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../test/support/gateway.ts';
import { assertProblem } from '../../test/support/problem.ts';
import { PROBLEMS } from '../contract/problems.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { Refusal } from '../contract/refusal.ts';
import { startControlPlaneServer } from '../control-plane/http-server.ts';
import { Fault } from '../platform/errors.ts';
import { createLogger } from '../platform/log.ts';
import { ControlPlaneClient } from './control-plane-client.ts';
import { UpstreamFailure } from './upstream-failure.ts';
import type { UpstreamCode } from './upstream-failure.ts';

const TOKEN = 'a-shared-credential-of-32-characters';
const CREATE = { token: 'k', requestId: 'r', idempotencyKey: 'i', body: { text: '{"a":"\\u0000é"}' } } as const;
const CALL = { token: null, requestId: 'r', callId: '%zz' } as const;
const log = createLogger('silent');

async function pair(controlPlane: ScriptedControlPlane, token = TOKEN) {
  const server = await startControlPlaneServer({ controlPlane, token: TOKEN, host: '127.0.0.1', port: 0, log });
  const client = new ControlPlaneClient({ url: server.url, token, timeoutMs: 5_000 });
  return {
    client,
    url: server.url,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const failedAs = (code: UpstreamCode, retry?: 'safe' | 'never') => (error: unknown) => {
  assert.ok(error instanceof UpstreamFailure, String(error));
  assert.equal(error.code, code, error.message);
  if (retry !== undefined) assert.equal(error.retry, retry);
  assert.ok(!error.message.includes(TOKEN));
  return true;
};

/** A server that answers every connection in its own way, and a client of it. */
async function against(server: Server, timeoutMs = 2_000) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const client = new ControlPlaneClient({ url: `http://127.0.0.1:${port}`, token: TOKEN, timeoutMs });
  return {
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function')
        server.closeAllConnections();
      await closed;
    },
  };
}

const answering = (status: number, body: string) =>
  createHttpServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(body));
  });

test('every request and every answer comes through as it is in process', async () => {
  const hall = new ScriptedControlPlane();
  hall.create = async () => ({ call: { ...FRESH_CALL, result: { a: [1, null, '😀'] } }, isReplay: true });
  await using both = await pair(hall);
  assert.deepEqual(await both.client.createCall(CREATE), await hall.create(CREATE));
  for (const body of ['too_large', 'not_utf8'] as const)
    await both.client.createCall({ ...CREATE, body, idempotencyKey: null });
  for (const method of ['getCall', 'syncCall', 'cancelCall'] as const) {
    assert.deepEqual(await both.client[method](CALL), FRESH_CALL);
  }
  await both.client.ready();
  assert.deepEqual(hall.asked, [
    CREATE,
    { ...CREATE, body: 'too_large', idempotencyKey: null },
    { ...CREATE, body: 'not_utf8', idempotencyKey: null },
    CALL,
    CALL,
    CALL,
  ]);
});

test('a body of the size limit whose every byte has to be escaped comes through', async () => {
  const hall = new ScriptedControlPlane();
  await using both = await pair(hall);
  await both.client.createCall({ ...CREATE, body: { text: '\u0001'.repeat(256 * 1024) } });
  assert.equal(hall.asked.length, 1);
});

test('every refusal travels with its code, detail and details', async () => {
  const hall = new ScriptedControlPlane();
  await using both = await pair(hall);
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    const details = { actionUrl: 'http://h/billing', retryAfterSeconds: 7 };
    hall.answer = () => Promise.reject(new Refusal(code, `about ${code}`, details));
    await assert.rejects(both.client.getCall(CALL), (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.deepEqual([error.code, error.detail, error.details], [code, `about ${code}`, details]);
      return true;
    });
  }
});

test('a failure behind the control plane is control_plane_error, says whether it is safe to repeat, and nothing else', async () => {
  const hall = new ScriptedControlPlane();
  await using both = await pair(hall);
  for (const retry of ['safe', 'never'] as const) {
    hall.create = () => Promise.reject(new Fault('postgres://secret', { blame: 'us', retry }));
    await assert.rejects(both.client.createCall(CREATE), failedAs('control_plane_error', retry));
  }
  hall.create = () => Promise.reject(new TypeError('postgres://secret'));
  await assert.rejects(both.client.createCall(CREATE), failedAs('control_plane_error', 'never'));
  const raw = await fetch(`${both.url}/internal/create-call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(CREATE),
  });
  assert.equal(await raw.text(), '{"failure":{"retry":"never"}}');
});

test('without the credential nothing is asked and nothing is told', async () => {
  const hall = new ScriptedControlPlane();
  await using both = await pair(hall, 'another-credential-of-32-characters!');
  await assert.rejects(both.client.createCall(CREATE), failedAs('control_plane_error', 'safe'));
  for (const authorization of ['', TOKEN, `Bearer ${TOKEN} `, `Bearer ${TOKEN}x`, `bearer ${TOKEN}`]) {
    const path = '/internal/get-call';
    const answer = await ask(Number(new URL(both.url).port), {
      method: 'POST',
      path,
      headers: authorization === '' ? {} : { authorization },
      body: JSON.stringify(CALL),
    });
    if (authorization === `Bearer ${TOKEN} `) assert.equal(answer.status, 200); // HTTP trims a header's value
    else assert.deepEqual([answer.status, answer.text], [401, '{"error":"credential"}']);
  }
  assert.equal(hall.asked.length, 1);
});

test('what is no request of ours is refused by the internal server, which goes on', async () => {
  const hall = new ScriptedControlPlane();
  await using both = await pair(hall);
  const port = Number(new URL(both.url).port);
  const headers = { authorization: `Bearer ${TOKEN}` };
  const send = (method: string, path: string, body: string | Buffer) => ask(port, { method, path, headers, body });
  assert.equal((await send('POST', '/internal/nowhere', '{}')).status, 404);
  assert.equal((await send('GET', '/internal/get-call', '')).status, 404);
  assert.equal((await send('POST', '/internal/get-call', '{"token":1}')).status, 500);
  assert.equal((await send('POST', '/internal/get-call', '{')).status, 500);
  assert.equal((await send('POST', '/internal/create-call', Buffer.alloc(4_000_000, 'x'))).status, 413);
  assert.equal(hall.asked.length, 0);
  await both.client.ready();
});

const OUT_OF_CONTRACT: readonly (readonly [name: string, status: number, body: string])[] = [
  ['HTML', 200, '<html></html>'],
  ['nothing', 200, ''],
  ['JSON of another shape', 200, '{"status":"ok"}'],
  ['a record without its id', 200, JSON.stringify({ call: { ...FRESH_CALL, id: undefined }, isReplay: false })],
  [
    'a record in an unknown state',
    200,
    JSON.stringify({ call: { ...FRESH_CALL, state: 'dreaming' }, isReplay: false }),
  ],
  [
    'a record with a date that is none',
    200,
    JSON.stringify({ call: { ...FRESH_CALL, created_at: 'now' }, isReplay: false }),
  ],
  ['a refusal with an unknown code', 422, '{"refusal":{"code":"tired","detail":"d","details":{}}}'],
  ['a refusal out of shape', 422, '{"detail":"d"}'],
  ['a page that was not found', 404, '{"call":{}}'],
  ['a redirection', 302, ''],
];

for (const [name, status, body] of OUT_OF_CONTRACT) {
  test(`${name} with status ${status} is invalid_control_plane_response`, async () => {
    await using other = await against(answering(status, body));
    await assert.rejects(other.client.createCall(CREATE), failedAs('invalid_control_plane_response', 'never'));
  });
}

for (const [status, body] of [
  [500, 'oops'],
  [502, '<html>'],
  [503, '{"failure":{"retry":"sometimes"}}'],
] as const) {
  test(`status ${status} is control_plane_error, whatever the body`, async () => {
    await using other = await against(answering(status, body));
    await assert.rejects(other.client.createCall(CREATE), failedAs('control_plane_error', 'never'));
  });
}

test('bytes that are no HTTP are invalid_control_plane_response', async () => {
  await using other = await against(
    createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('220 smtp ready\r\n'),
    ),
  );
  await assert.rejects(other.client.ready(), failedAs('invalid_control_plane_response'));
});

test('a connection that is refused is control_plane_unavailable, and surely nothing was done', async () => {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  server.close();
  await once(server, 'close');
  using client = new ControlPlaneClient({ url: `http://127.0.0.1:${port}`, token: TOKEN, timeoutMs: 2_000 });
  await assert.rejects(client.createCall(CREATE), failedAs('control_plane_unavailable', 'safe'));
});

test('a connection that is reset, closed, or cut in the middle of the answer is control_plane_unavailable', async () => {
  const behaviours = [
    createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy())),
    createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end())),
    createTcpServer((socket) =>
      socket
        .on('error', () => undefined)
        .once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"c')),
    ),
  ];
  for (const server of behaviours) {
    await using other = await against(server);
    await assert.rejects(other.client.createCall(CREATE), failedAs('control_plane_unavailable', 'never'));
  }
});

test('no answer in time is control_plane_unavailable, whether it was late to begin or to end', async () => {
  const silent = createHttpServer(() => undefined);
  const endless = createHttpServer((_request, response) => void response.writeHead(200).write('{"call":'));
  for (const server of [silent, endless]) {
    await using other = await against(server, 100);
    await assert.rejects(other.client.createCall(CREATE), failedAs('control_plane_unavailable', 'never'));
  }
});

test('an answer without an end is cut off at its limit', async () => {
  const flood = createHttpServer((_request, response) => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  });
  await using other = await against(flood, 10_000);
  await assert.rejects(other.client.createCall(CREATE), failedAs('invalid_control_plane_response'));
});

test('a kept connection that was closed meanwhile is no failure: the request goes out on a fresh one', async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    const isFirst = connections === 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      if (isFirst && requests > 1) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 18\r\n\r\n{"status":"ready"}');
    });
  });
  {
    await using other = await against(server);
    await other.client.ready();
    await other.client.ready();
    assert.equal(connections, 2);
  }
});

test('through the whole door: each of the three failures is the status and code that the contract names', async () => {
  const rows = [
    [answering(500, ''), 'control_plane_error', /A call may exist/],
    [answering(200, '{}'), 'invalid_control_plane_response', /A call may exist/],
    [
      createTcpServer((socket) => socket.on('error', () => undefined).destroy()),
      'control_plane_unavailable',
      /A call may exist/,
    ],
  ] as const;
  for (const [server, code, words] of rows) {
    await using other = await against(server);
    await using door = await startGateway({ controlPlane: other.client });
    const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: '{}' });
    assert.match(assertProblem(answer, code).detail, words);
    assert.equal((await ask(door.port, { path: '/health/ready' })).status, 503);
    assert.equal((await ask(door.port, { path: '/health' })).status, 200);
  }
});

test('the internal server finishes what is in flight before it closes', async () => {
  const hall = new ScriptedControlPlane();
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  hall.answer = async () => {
    arrived.resolve();
    await release.promise;
    return FRESH_CALL;
  };
  const server = await startControlPlaneServer({ controlPlane: hall, token: TOKEN, host: '127.0.0.1', port: 0, log });
  using client = new ControlPlaneClient({ url: server.url, token: TOKEN, timeoutMs: 5_000 });
  const inFlight = client.getCall(CALL);
  await arrived.promise;
  const closed = server[Symbol.asyncDispose]();
  release.resolve();
  assert.deepEqual(await inFlight, FRESH_CALL);
  await closed;
  await assert.rejects(client.getCall(CALL), failedAs('control_plane_unavailable'));
});
