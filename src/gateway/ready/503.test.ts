// The ways of not being ready: each a status object as JSON, none a problem record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import type { TestGateway } from '../../../test/support/gateway.ts';
import { assertProblem } from '../../../test/support/problem.ts';
import { compile } from '../../contract/compile.ts';
import { Readiness } from '../../contract/health.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { Fault } from '../../platform/errors.ts';
import { UpstreamFailure } from '../upstream-failure.ts';
import { READY_DEADLINE_MS } from './route.ts';

const check = compile(Readiness);

async function degradedOf(door: TestGateway): Promise<Readiness['components']> {
  const answer = await ask(door.port, { path: '/health/ready' });
  assert.equal(answer.status, 503);
  assert.equal(answer.headers['content-type'], 'application/json');
  const checked = check(answer.json);
  assert.ok(checked.ok, answer.text);
  assert.equal(checked.value.status, 'degraded');
  return checked.value.components;
}

test('without a credential: configuration false, said in configuration_error; calls are 503 and surely not created', async () => {
  await using door = await startGateway({ controlPlane: { configurationError: 'CONTROL_PLANE_TOKEN is not set' } });
  assert.deepEqual(await degradedOf(door), {
    configuration: false,
    control_plane: false,
    configuration_error: 'CONTROL_PLANE_TOKEN is not set',
    control_plane_error: 'not asked: the configuration is incomplete',
  });
  const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: '{}' });
  assert.match(assertProblem(answer, 'control_plane_unavailable').detail, /No call was created/);
});

const FAILURES = [
  [
    'a store that does not answer',
    new Fault('secret', { blame: 'us', retry: 'safe' }),
    { control_plane_error: 'the store does not answer' },
  ],
  [
    'a control plane that cannot be reached',
    new UpstreamFailure('control_plane_unavailable', 'secret'),
    { control_plane_error: 'it cannot be reached' },
  ],
  [
    'a control plane that fails',
    new UpstreamFailure('control_plane_error', 'secret', { upstreamStatus: 'http 500' }),
    { control_plane_error: 'it answered with a failure of its own', control_plane_status: 'http 500' },
  ],
  [
    'a control plane that answers nonsense',
    new UpstreamFailure('invalid_control_plane_response', 'secret', { upstreamStatus: 'http 200' }),
    { control_plane_error: 'it answered out of contract', control_plane_status: 'http 200' },
  ],
] as const;

for (const [name, failure, said] of FAILURES) {
  test(`${name}: configuration true, control_plane false`, async () => {
    const hall = new ScriptedControlPlane();
    hall.readiness = () => Promise.reject(failure);
    await using door = await startGateway({ controlPlane: hall });
    assert.deepEqual(await degradedOf(door), { configuration: true, control_plane: false, ...said });
  });
}

test('a control plane that does not answer within the deadline is not ready', async () => {
  const hall = new ScriptedControlPlane();
  const asked = Promise.withResolvers<void>();
  hall.readiness = () => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  let fireDeadline = (): void => assert.fail('no deadline was set');
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, fire) => {
      assert.equal(delayMs, READY_DEADLINE_MS);
      fireDeadline = fire;
      return { cancel: () => undefined };
    },
  };
  await using door = await startGateway({ controlPlane: hall, clock });
  const answer = degradedOf(door);
  await asked.promise;
  setImmediate(() => fireDeadline());
  assert.equal((await answer).control_plane_error, 'no answer within 2000 ms');
});
