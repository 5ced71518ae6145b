import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { assertProblem } from '../../../test/support/problem.ts';
import { Refusal } from '../../contract/refusal.ts';
import { Fault } from '../../platform/errors.ts';

for (const code of ['invalid_api_key', 'rate_limit_exceeded', 'invalid_call', 'call_not_found'] as const) {
  test(`${code} of the control plane is what the caller gets`, async () => {
    const hall = new ScriptedControlPlane();
    hall.answer = async () => {
      throw new Refusal(code, 'What is wrong.', { retryAfterSeconds: 9 });
    };
    await using door = await startGateway({ controlPlane: hall });
    const answer = await ask(door.port, { method: 'GET', path: `/v1/calls/${FRESH_CALL.id}` });
    assert.equal(assertProblem(answer, code).detail, 'What is wrong.');
    assert.equal(answer.headers['retry-after'], code === 'rate_limit_exceeded' ? '9' : undefined);
    assert.equal(answer.headers['www-authenticate'], code === 'invalid_api_key' ? 'Bearer' : undefined);
  });
}

test('an id of any form reaches the control plane as it is meant: the key is checked before the id', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const ids = ['7', 'a%20b', 'a%2Fb', '%zz', '%ff', 'x'.repeat(5000), '..%2f', '%00'];
  for (const id of ids) {
    assert.equal((await ask(door.port, { method: 'GET', path: `/v1/calls/${id}` })).status, 200);
  }
  const asked = hall.asked.map((each) => 'callId' in each && each.callId);
  assert.deepEqual(asked, ['7', 'a b', 'a/b', '%zz', '%ff', 'x'.repeat(5000), '../', '\0']);
});

test('a store that does not answer is 503, with words that speak of no call creation', async () => {
  const hall = new ScriptedControlPlane();
  hall.answer = async () => {
    throw new Fault('the database cannot be reached', { blame: 'us', retry: 'never' });
  };
  await using door = await startGateway({ controlPlane: hall });
  const answer = await ask(door.port, { method: 'GET', path: `/v1/calls/${FRESH_CALL.id}` });
  assert.doesNotMatch(assertProblem(answer, 'control_plane_unavailable').detail, /created|Idempotency/);
});
