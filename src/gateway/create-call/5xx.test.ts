// What a create answers when something failed that is nobody's request: the code, and in words whether a call can exist.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { assertProblem } from '../../../test/support/problem.ts';
import { Refusal } from '../../contract/refusal.ts';
import { Fault } from '../../platform/errors.ts';
import { UpstreamFailure } from '../upstream-failure.ts';

const MAY_EXIST = /A call may exist\. .*same Idempotency-Key/;
const NONE_EXISTS = /No call was created\./;
const SECRET = 'postgres://errand:hunter2@db';

const FAILURES = [
  [
    'a database that lost the connection in the middle',
    new Fault(SECRET, { blame: 'us', retry: 'never' }),
    'control_plane_unavailable',
    MAY_EXIST,
  ],
  [
    'a database that was not reached',
    new Fault(SECRET, { blame: 'us', retry: 'safe' }),
    'control_plane_unavailable',
    NONE_EXISTS,
  ],
  ['a bug', new TypeError(SECRET), 'control_plane_error', MAY_EXIST],
  ['a control plane that failed', new UpstreamFailure('control_plane_error', SECRET), 'control_plane_error', MAY_EXIST],
  [
    'a control plane that failed before it did anything',
    new UpstreamFailure('control_plane_error', SECRET, { retry: 'safe' }),
    'control_plane_error',
    NONE_EXISTS,
  ],
  [
    'an answer out of contract',
    new UpstreamFailure('invalid_control_plane_response', SECRET),
    'invalid_control_plane_response',
    MAY_EXIST,
  ],
  ['no answer', new UpstreamFailure('control_plane_unavailable', SECRET), 'control_plane_unavailable', MAY_EXIST],
  [
    'a refused connection',
    new UpstreamFailure('control_plane_unavailable', SECRET, { retry: 'safe' }),
    'control_plane_unavailable',
    NONE_EXISTS,
  ],
  [
    'a screener that cannot answer',
    new Refusal('control_plane_error', 'The screener cannot answer. No call was created.'),
    'control_plane_error',
    NONE_EXISTS,
  ],
] as const;

for (const [name, failure, code, words] of FAILURES) {
  test(`${name} is ${code}, and the detail says whether a call can exist`, async () => {
    const hall = new ScriptedControlPlane();
    hall.create = async () => {
      throw failure;
    };
    await using door = await startGateway({ controlPlane: hall });
    const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: '{}' });
    assert.match(assertProblem(answer, code).detail, words);
    assert.ok(!answer.text.includes('hunter2'));
    assert.ok(
      door.logLines.some((line) => line.includes(String(answer.headers['x-request-id'])) && line.includes(code)),
    );
  });
}

test('a throw that is not an Error is a failure like any other', async () => {
  const hall = new ScriptedControlPlane();
  hall.create = async () => {
    throw 'text'; // oxlint-disable-line no-throw-literal, typescript/only-throw-error -- somebody else's code may
  };
  await using door = await startGateway({ controlPlane: hall });
  assertProblem(await ask(door.port, { method: 'POST', path: '/v1/calls' }), 'control_plane_error');
});
