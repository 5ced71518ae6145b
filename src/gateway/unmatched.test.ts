// Paths and methods that no operation has: 404 and 405 as problem records, whatever the method.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../test/support/gateway.ts';
import { assertProblem } from '../../test/support/problem.ts';
import { UUID } from '../contract/compile.ts';
import { OPERATIONS } from '../contract/operations.ts';

const ID = FRESH_CALL.id;

const WRONG_METHODS: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['GET', '/v1/calls', 'POST'],
  ['GET', '/v1/calls?limit=10', 'POST'],
  ['PUT', '/v1/calls', 'POST'],
  ['DELETE', '/v1/calls', 'POST'],
  ['PATCH', '/v1/calls', 'POST'],
  ['OPTIONS', '/v1/calls', 'POST'],
  ['TRACE', '/v1/calls', 'POST'],
  ['PROPFIND', '/v1/calls', 'POST'],
  ['QUERY', '/v1/calls', 'POST'],
  ['POST', `/v1/calls/${ID}`, 'GET, HEAD'],
  ['DELETE', `/v1/calls/${ID}`, 'GET, HEAD'],
  ['GET', `/v1/calls/${ID}/sync`, 'POST'],
  ['GET', `/v1/calls/${ID}/cancel`, 'POST'],
  ['POST', '/health', 'GET, HEAD'],
  ['POST', '/health/ready', 'GET, HEAD'],
  ['PUT', '/openapi.json', 'GET, HEAD'],
];

for (const [method, path, allow] of WRONG_METHODS) {
  test(`405: ${method} ${path} has Allow: ${allow}`, async () => {
    await using door = await startGateway();
    const answer = await ask(door.port, { method, path, headers: { 'Content-Type': ';;' }, body: '{}' });
    assertProblem(answer, 'method_not_allowed');
    assert.equal(answer.headers['allow'], allow);
  });
}

test('405 for HEAD /v1/calls has the headers and no body', async () => {
  await using door = await startGateway();
  const answer = await ask(door.port, { method: 'HEAD', path: '/v1/calls' });
  assert.deepEqual([answer.status, answer.headers['allow'], answer.text], [405, 'POST', '']);
  assert.match(String(answer.headers['x-request-id']), UUID);
});

const UNKNOWN: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/v1'],
  ['GET', '/v2/calls'],
  ['POST', '/v1/calls/'],
  ['GET', '/v1/calls/'],
  ['GET', '/v1/calls/?x=1'],
  ['POST', '/v1/calls//cancel'],
  ['GET', `/v1/calls/${ID}/`],
  ['GET', `/v1/calls/${ID}/transcript`],
  ['POST', '//v1/calls'],
  ['POST', '/V1/calls'],
  ['GET', '/%zz'],
  ['GET', '/%00'],
  ['GET', '/v1/../etc/passwd'],
  ['GET', '/docs/../../etc/passwd'],
  ['GET', '/docs/%2e%2e/package.json'],
  ['POST', '/internal/create-call'],
  ['PROPFIND', '/nowhere'],
  ['OPTIONS', '/nowhere'],
];

for (const [method, path] of UNKNOWN) {
  test(`404: ${method} ${path}`, async () => {
    await using door = await startGateway();
    assertProblem(await ask(door.port, { method, path, body: 'x' }), 'not_found');
  });
}

test('HEAD of a route that has GET is answered without a body', async () => {
  await using door = await startGateway();
  const answer = await ask(door.port, { method: 'HEAD', path: `/v1/calls/${ID}` });
  assert.deepEqual([answer.status, answer.text], [200, '']);
});

test('the absolute form of a target is the same route', async () => {
  await using door = await startGateway();
  assert.equal((await ask(door.port, { path: 'http://elsewhere.example/health' })).status, 200);
  assertProblem(await ask(door.port, { path: 'http://elsewhere.example' }), 'not_found');
});

test('every operation of the contract that this release serves has its route, and no other has one', async () => {
  await using door = await startGateway({ controlPlane: new ScriptedControlPlane() });
  for (const { method, path, isServed } of OPERATIONS) {
    const answer = await ask(door.port, { method: method.toUpperCase(), path: path.replace('{call_id}', ID) });
    assert.equal(answer.status === 404, !isServed, path);
    assert.notEqual(answer.status, 405, path);
  }
});

test('a route that is registered from outside gets the ids, problem records and 405 of the rest', async () => {
  await using door = await startGateway({ controlPlane: new ScriptedControlPlane() });
  assert.throws(() => door.gateway.app.get('/local/late', () => 'x'), /already listening/);
});
