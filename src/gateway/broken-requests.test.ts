// What no client library sends: malformed HTTP, endless headers, slow and vanishing clients. The server answers, or closes, and
// goes on serving the others.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ask, askRaw, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../test/support/gateway.ts';
import type { TestGateway } from '../../test/support/gateway.ts';
import { compile, UUID } from '../contract/compile.ts';
import { ProblemDetail } from '../contract/problem-detail.ts';
import type { ProblemCode } from '../contract/problems.ts';

const check = compile(ProblemDetail);
const HOST = 'Host: errand.test\r\n';
const IMPATIENT = { headersMs: 80, requestMs: 160, checkMs: 20 };

/** Splits a raw answer and asserts that it is the problem, with a request id. */
function assertRawProblem(raw: string, code: ProblemCode): void {
  const [head = '', body = ''] = raw.split('\r\n\r\n');
  const checked = check(JSON.parse(body));
  assert.ok(checked.ok, raw);
  assert.equal(checked.value.code, code);
  if (code !== 'not_found') assert.match(checked.value.detail, /No call was created/);
  assert.ok(head.startsWith(`HTTP/1.1 ${checked.value.status} `), head);
  assert.match(head, /^content-type: application\/problem\+json$/im);
  assert.match(/^x-request-id: (.*)$/im.exec(head)?.[1] ?? '', UUID);
}

async function assertStillServes(door: TestGateway): Promise<void> {
  assert.equal((await ask(door.port, { path: '/health' })).status, 200);
}

const MALFORMED: readonly (readonly [name: string, raw: string])[] = [
  ['bytes that are no request', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ['an unknown method', `FLY / HTTP/1.1\r\n${HOST}\r\n`],
  ['a version of another protocol', `GET / RTSP/9.9\r\n${HOST}\r\n`],
  ['a space in the target', `GET /a b HTTP/1.1\r\n${HOST}\r\n`],
  ['a header without a colon', `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ['a header name with a space', `GET / HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`],
  ['a NUL in a header', `GET / HTTP/1.1\r\n${HOST}a: b\0c\r\n\r\n`],
  ['a length that is no number', `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: ten\r\n\r\n`],
  ['a negative length', `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  ['two lengths', `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  [
    'a length and chunks',
    `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['a chunk size that is none', `POST /v1/calls HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
];

for (const [name, raw] of MALFORMED) {
  test(`${name} is 400 bad_request, and the next client is served`, async () => {
    await using door = await startGateway();
    assertRawProblem(await askRaw(door.port, Buffer.from(raw, 'latin1')), 'bad_request');
    await assertStillServes(door);
  });
}

test('HTTP/1.1 without a Host is 400 bad_request', async () => {
  await using door = await startGateway();
  assertRawProblem(await askRaw(door.port, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'), 'bad_request');
});

test('a request line without a version is a request of the oldest kind: answered, and the connection closed', async () => {
  await using door = await startGateway();
  assertRawProblem(await askRaw(door.port, 'GET /\r\n\r\n'), 'not_found');
});

test('HTTP/1.0 is served', async () => {
  await using door = await startGateway();
  assert.match(await askRaw(door.port, 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('an unknown expectation is no reason to refuse', async () => {
  await using door = await startGateway();
  const raw = await askRaw(door.port, `GET /health HTTP/1.1\r\n${HOST}Expect: miracles\r\nConnection: close\r\n\r\n`);
  assert.match(raw, /^HTTP\/1\.1 200 /);
});

test('a request to change the protocol is answered in HTTP', async () => {
  await using door = await startGateway();
  const raw = await askRaw(
    door.port,
    `GET /health HTTP/1.1\r\n${HOST}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  assert.match(raw, /^HTTP\/1\.1 200 /);
});

test('CONNECT ends the connection and nothing else', async () => {
  await using door = await startGateway();
  await askRaw(door.port, `CONNECT elsewhere.example:443 HTTP/1.1\r\n${HOST}\r\n`);
  await assertStillServes(door);
});

test('headers above 16 KiB are 431', async () => {
  await using door = await startGateway();
  const raw = await askRaw(door.port, `GET /health HTTP/1.1\r\n${HOST}X: ${'y'.repeat(17 * 1024)}\r\n\r\n`);
  assertRawProblem(raw, 'headers_too_large');
});

test('a connection that sends nothing, and headers that never end, are 408 after their limit', async () => {
  await using door = await startGateway({ patience: IMPATIENT });
  assertRawProblem(await askRaw(door.port), 'request_timeout');
  assertRawProblem(await askRaw(door.port, `GET /health HTTP/1.1\r\n${HOST}X: y`), 'request_timeout');
});

test('a body that never ends is given up after the limit of the whole request, and never reaches the control plane', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall, patience: IMPATIENT });
  const raw = await askRaw(door.port, `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"to"`);
  assertRawProblem(raw, 'request_timeout');
  assert.equal(hall.asked.length, 0);
});

test('a client that leaves in the middle of its body asks nothing and harms nobody', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const socket = connect(door.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(`POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\n{"to"`);
  socket.end();
  socket.resume();
  await once(socket, 'close');
  await assertStillServes(door);
  assert.equal(hall.asked.length, 0);
  assert.ok(!door.logLines.some((line) => line.includes('"level":50')), door.logLines.join(''));
});

/** A create that is read whole. */
const CREATE = `POST /v1/calls HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`;

for (const rest of ['x', ' ', 'GARBAGE\r\n\r\n', '}'.repeat(100_000)]) {
  test(`${JSON.stringify(rest.slice(0, 9))} after a whole create does not take its answer, and ends the connection`, async () => {
    const hall = new ScriptedControlPlane();
    await using door = await startGateway({ controlPlane: hall });
    const raw = await askRaw(door.port, CREATE + rest);
    assert.match(raw, /^HTTP\/1\.1 202 /);
    assert.match(raw, /^connection: close$/im);
    assert.deepEqual(JSON.parse(raw.split('\r\n\r\n')[1] ?? ''), FRESH_CALL);
    assert.equal(hall.asked.length, 1);
    await assertStillServes(door);
  });
}

test('headers that come too slowly after a whole create do not take its answer', async () => {
  const hall = new ScriptedControlPlane();
  const tooLate = Promise.withResolvers<void>();
  hall.create = async () => {
    await tooLate.promise;
    return { call: FRESH_CALL, isReplay: false };
  };
  await using door = await startGateway({ controlPlane: hall, patience: IMPATIENT });
  door.gateway.app.server.on('clientError', () => tooLate.resolve());
  assert.match(await askRaw(door.port, `${CREATE}GET /health HTTP/1.1\r\nX: y`), /^HTTP\/1\.1 202 /);
});

test('a client that closes its half of the connection after a whole request gets the answer', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const closed = Promise.withResolvers<void>();
  door.gateway.app.server.on('connection', (socket) => socket.once('end', () => setImmediate(closed.resolve)));
  hall.create = async () => {
    await closed.promise;
    return { call: FRESH_CALL, isReplay: false };
  };
  const socket = connect({ port: door.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(CREATE);
  let raw = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) raw += chunk.toString('latin1');
  assert.match(raw, /^HTTP\/1\.1 202 /);
  await assertStillServes(door);
});

test('two requests sent at once on one connection are answered in their order', async () => {
  const hall = new ScriptedControlPlane();
  hall.answer = async ({ callId }) => ({ ...FRESH_CALL, objective: callId });
  await using door = await startGateway({ controlPlane: hall });
  const raw = await askRaw(
    door.port,
    `GET /v1/calls/first HTTP/1.1\r\n${HOST}\r\nGET /v1/calls/second HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`,
  );
  assert.ok(raw.indexOf('"objective":"first"') > 0);
  assert.ok(raw.indexOf('"objective":"second"') > raw.indexOf('"objective":"first"'));
});

test('random bytes, seeded, never stop the server', async () => {
  await using door = await startGateway({ patience: { ...IMPATIENT, keepAliveMs: 80, silenceMs: 500 } });
  let state = 20_261_120; // the seed; a linear congruential generator is chance enough here
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
  const seeds = MALFORMED.map(([, raw]) => raw).concat(`GET /health HTTP/1.1\r\n${HOST}\r\n`);
  const tries = Array.from({ length: 60 }, () => {
    const bytes = Buffer.from(seeds[next(seeds.length)] ?? '', 'latin1');
    for (let flips = next(6); flips > 0; flips -= 1) bytes[next(bytes.length)] = next(256);
    return askRaw(door.port, bytes);
  });
  await Promise.all(tries);
  await assertStillServes(door);
});
