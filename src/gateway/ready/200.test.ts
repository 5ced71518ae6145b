import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, startGateway } from '../../../test/support/gateway.ts';

test('configured and reachable is 200 ready', async () => {
  await using door = await startGateway();
  const answer = await ask(door.port, { path: '/health/ready' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.deepEqual(answer.json, {
    status: 'ready',
    components: { configuration: true, control_plane: true, control_plane_status: 'ready' },
  });
});
