import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { UUID } from '../../contract/compile.ts';

test('the gateway is alive, even when the control plane is not', async () => {
  const hall = new ScriptedControlPlane();
  hall.readiness = () => Promise.reject(new Error('gone'));
  await using door = await startGateway({ controlPlane: hall });
  const answer = await ask(door.port, { path: '/health' });
  assert.deepEqual([answer.status, answer.json], [200, { status: 'ok' }]);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.match(String(answer.headers['x-request-id']), UUID);
});

test('each request has an id of its own', async () => {
  await using door = await startGateway();
  const ids = new Set<unknown>();
  for (let count = 0; count < 5; count += 1)
    ids.add((await ask(door.port, { path: '/health' })).headers['x-request-id']);
  assert.equal(ids.size, 5);
});
