import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';

test('answers 200 with the record of the call in the path', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const path = `/v1/calls/${FRESH_CALL.id}/sync`;
  const answer = await ask(door.port, { method: 'POST', path, headers: { Authorization: 'Bearer k' } });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, FRESH_CALL);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['cache-control'], 'no-store');
  const requestId = answer.headers['x-request-id'];
  assert.deepEqual(hall.asked, [{ token: 'k', requestId, callId: FRESH_CALL.id }]);
});
