import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { assertProblem } from '../../../test/support/problem.ts';
import { Refusal } from '../../contract/refusal.ts';

function hallWithSizeCheck(): ScriptedControlPlane {
  const hall = new ScriptedControlPlane();
  hall.create = async ({ token, body }) => {
    if (token === null) throw new Refusal('invalid_api_key', 'No key. No call was created.');
    throw new Refusal(body === 'too_large' ? 'payload_too_large' : 'invalid_call', 'No call was created.');
  };
  return hall;
}

for (const bytes of [256 * 1024 + 1, 3 * 1024 * 1024, 20 * 1024 * 1024]) {
  test(`a body of ${bytes} bytes is 413, and its client gets to read that`, async () => {
    const hall = hallWithSizeCheck();
    await using door = await startGateway({ controlPlane: hall });
    const answer = await ask(door.port, {
      method: 'POST',
      path: '/v1/calls',
      headers: { Authorization: 'Bearer k' },
      body: Buffer.alloc(bytes, 'x'),
    });
    assertProblem(answer, 'payload_too_large');
    assert.deepEqual(
      hall.asked.map((each) => 'body' in each && each.body),
      ['too_large'],
    );
  });
}

test('the key comes first: a body that is too large without a key is 401', async () => {
  await using door = await startGateway({ controlPlane: hallWithSizeCheck() });
  const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: Buffer.alloc(300_000, 'x') });
  assertProblem(answer, 'invalid_api_key');
});
