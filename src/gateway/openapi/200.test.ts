import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, startGateway } from '../../../test/support/gateway.ts';
import { buildOpenApi } from '../../contract/openapi.ts';

test('the document that is served is the one that is generated', async () => {
  await using door = await startGateway();
  const answer = await ask(door.port, { path: '/openapi.json' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.deepEqual(answer.json, JSON.parse(JSON.stringify(buildOpenApi())));
});
