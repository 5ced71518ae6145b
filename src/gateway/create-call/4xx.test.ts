// Every refusal of a create as the public sees it: status, record, headers. Which one is due is the control plane's to say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { assertProblem } from '../../../test/support/problem.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { Refusal } from '../../contract/refusal.ts';

const refusals = (OPERATIONS.find(({ id }) => id === 'createCall')?.problems ?? []).filter(
  (code) => PROBLEMS[code].status < 500 && code !== 'method_not_allowed',
);

for (const code of refusals) {
  test(`${PROBLEMS[code].status} ${code} is a problem record with the detail of the refusal`, async () => {
    const hall = new ScriptedControlPlane();
    hall.create = async () => {
      throw new Refusal(code, 'What is wrong. No call was created.');
    };
    await using door = await startGateway({ controlPlane: hall });
    const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: '{}' });
    assert.equal(assertProblem(answer, code).detail, 'What is wrong. No call was created.');
    assert.equal(answer.headers['www-authenticate'], answer.status === 401 ? 'Bearer' : undefined);
    assert.equal(answer.headers['retry-after'], answer.status === 429 ? '1' : undefined);
  });
}

test('402 carries action_url and retryable: false', async () => {
  const hall = new ScriptedControlPlane();
  hall.create = async () => {
    throw new Refusal('insufficient_credits', 'No minutes left.', { actionUrl: 'http://h/dashboard/billing' });
  };
  await using door = await startGateway({ controlPlane: hall });
  const record = assertProblem(await ask(door.port, { method: 'POST', path: '/v1/calls' }), 'insufficient_credits');
  assert.equal(record.action_url, 'http://h/dashboard/billing');
  assert.equal(record.retryable, false);
});

test('429 says in whole seconds, at least 1, when to come back', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  for (const [seconds, shown] of [
    [37, '37'],
    [0.2, '1'],
    [1.5, '2'],
  ] as const) {
    hall.create = async () => {
      throw new Refusal('rate_limit_exceeded', 'Wait.', { retryAfterSeconds: seconds });
    };
    const answer = await ask(door.port, { method: 'POST', path: '/v1/calls' });
    assert.equal(answer.headers['retry-after'], shown);
  }
});

test('a header that is no Bearer token of one piece is no token', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  for (const header of ['Basic abc', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearera', 'Bearer a,b', 'Bearer "a"', 'abc']) {
    await ask(door.port, { method: 'POST', path: '/v1/calls', headers: { Authorization: header } });
  }
  await ask(door.port, { method: 'POST', path: '/v1/calls' });
  assert.deepEqual(new Set(hall.asked.map(({ token }) => token)), new Set([null]));
});

test('a missing and an empty Idempotency-Key are told apart from each other only by null and empty', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  await ask(door.port, { method: 'POST', path: '/v1/calls' });
  await ask(door.port, { method: 'POST', path: '/v1/calls', headers: { 'Idempotency-Key': '   ' } });
  assert.deepEqual(
    hall.asked.map((each) => 'idempotencyKey' in each && each.idempotencyKey),
    [null, ''],
  );
});
