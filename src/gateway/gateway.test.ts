// What holds for the door as a whole: logs without secrets, an orderly close, routes of others.
import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../test/support/gateway.ts';
import { assertProblem } from '../../test/support/problem.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { createGateway } from './gateway.ts';

test('each request is one log line: id, route, status and time, and no token, body, key or query', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const answer = await ask(door.port, {
    method: 'POST',
    path: '/v1/calls?secret=query-secret',
    headers: { Authorization: 'Bearer erk_token-secret', 'Idempotency-Key': 'key-secret' },
    body: '{"objective":"body-secret"}',
  });
  await ask(door.port, { path: '/secret-path?x=1' });
  const lines = door.logLines.map((line): Record<string, unknown> => JSON.parse(line));
  assert.equal(lines.length, 2);
  const [first, second] = lines;
  assert.deepEqual(
    [first?.['request_id'], first?.['route'], first?.['status'], first?.['method'], typeof first?.['ms']],
    [answer.headers['x-request-id'], '/v1/calls', 202, 'POST', 'number'],
  );
  assert.deepEqual([second?.['route'], second?.['status']], [null, 404]);
  assert.ok(!door.logLines.join('').includes('secret'));
});

test('closing finishes the request in flight, tells its client to close, and takes no new one', async () => {
  const hall = new ScriptedControlPlane();
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  hall.answer = async () => {
    arrived.resolve();
    await release.promise;
    return FRESH_CALL;
  };
  const door = await startGateway({ controlPlane: hall });
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((resolve, reject) => {
    // an idle kept connection must not hold the close up
    httpRequest({ port: door.port, host: '127.0.0.1', path: '/health', agent }, (response) => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
  const inFlight = ask(door.port, { path: `/v1/calls/${FRESH_CALL.id}` });
  await arrived.promise;
  const closed = door[Symbol.asyncDispose]();
  await assert.rejects(ask(door.port, { path: '/health' }), { code: 'ECONNREFUSED' });
  release.resolve();
  const answer = await inFlight;
  assert.deepEqual([answer.status, answer.json], [200, FRESH_CALL]);
  await closed;
  agent.destroy();
});

test('routes that others register before it listens get request ids, problem records and 405', async () => {
  await using gateway = await createGateway({
    controlPlane: new ScriptedControlPlane(),
    host: '127.0.0.1',
    port: 0,
    log: createLogger('silent'),
    clock: systemClock,
    chance: systemChance,
  });
  gateway.app.put('/local/phones/:number', (request) => ({ got: request.body }));
  gateway.app.get('/local/broken', () => Promise.reject(new Error('secret')));
  const port = Number(new URL(await gateway.listen()).port);
  const headers = { 'Content-Type': 'application/json' };
  const put = await ask(port, { method: 'PUT', path: '/local/phones/%2B15550100101', headers, body: '{"a":1}' });
  assert.deepEqual([put.status, put.json], [200, { got: { a: 1 } }]);
  assert.ok(put.headers['x-request-id']);
  const wrong = await ask(port, { method: 'POST', path: '/local/phones/1' });
  assertProblem(wrong, 'method_not_allowed');
  assert.equal(wrong.headers['allow'], 'PUT');
  const broken = await ask(port, { path: '/local/broken' });
  assertProblem(broken, 'control_plane_error');
  assert.ok(!broken.text.includes('secret'));
  const malformed = await ask(port, { method: 'PUT', path: '/local/phones/1', headers, body: '{' });
  assertProblem(malformed, 'bad_request');
});
