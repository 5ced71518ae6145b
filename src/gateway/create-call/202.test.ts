import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, FRESH_CALL, ScriptedControlPlane, startGateway } from '../../../test/support/gateway.ts';
import { UUID } from '../../contract/compile.ts';

const BODY = '{"to":"+15550100101", "objective":"Ask."}';

test('a new call answers 202 with the record, as JSON, with a request id and no replay header', async () => {
  await using door = await startGateway();
  const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: BODY });
  assert.equal(answer.status, 202);
  assert.deepEqual(answer.json, FRESH_CALL);
  assert.equal(answer.headers['content-type'], 'application/json');
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.match(String(answer.headers['x-request-id']), UUID);
  assert.equal(answer.headers['idempotency-replayed'], undefined);
});

test('a replay answers 202 with Idempotency-Replayed: true', async () => {
  const hall = new ScriptedControlPlane();
  hall.create = async () => ({ call: { ...FRESH_CALL, state: 'ringing' }, isReplay: true });
  await using door = await startGateway({ controlPlane: hall });
  const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', body: BODY });
  assert.equal(answer.status, 202);
  assert.equal(answer.headers['idempotency-replayed'], 'true');
  assert.equal((answer.json as typeof FRESH_CALL).state, 'ringing');
});

test('the control plane gets token, key and body as they came, and the id that the client gets', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const answer = await ask(door.port, {
    method: 'POST',
    path: '/v1/calls?x=1',
    headers: { Authorization: 'bearer  erk_abc.DEF-1~+/==', 'Idempotency-Key': ' one key ', 'X-Request-Id': 'mine' },
    body: BODY,
  });
  const requestId = answer.headers['x-request-id'];
  assert.notEqual(requestId, 'mine');
  assert.deepEqual(hall.asked, [
    { token: 'erk_abc.DEF-1~+/==', requestId, idempotencyKey: 'one key', body: { text: BODY } },
  ]);
});

test('an idempotency key in UTF-8 counts its characters, one that is no UTF-8 its bytes', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  for (const key of [Buffer.from('café'), Buffer.from([0x63, 0xe9])]) {
    await ask(door.port, {
      method: 'POST',
      path: '/v1/calls',
      headers: { 'Idempotency-Key': key.toString('latin1') },
      body: BODY,
    });
  }
  assert.deepEqual(
    hall.asked.map((each) => 'idempotencyKey' in each && each.idempotencyKey),
    ['café', 'cé'],
  );
});

for (const type of [
  undefined,
  'application/json',
  'text/plain',
  'multipart/form-data',
  ';;;',
  'application/json; charset=latin1',
  '',
]) {
  test(`a body is taken whatever its content type: ${JSON.stringify(type)}`, async () => {
    const hall = new ScriptedControlPlane();
    await using door = await startGateway({ controlPlane: hall });
    const headers = type === undefined ? {} : { 'Content-Type': type };
    const answer = await ask(door.port, { method: 'POST', path: '/v1/calls', headers, body: BODY });
    assert.equal(answer.status, 202);
    assert.deepEqual(
      hall.asked.map((each) => 'body' in each && each.body),
      [{ text: BODY }],
    );
  });
}

test('no body, an empty body and a chunked body reach the control plane', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  await ask(door.port, { method: 'POST', path: '/v1/calls', headers: { 'Content-Length': '0' } });
  await ask(door.port, { method: 'POST', path: '/v1/calls', headers: { 'Transfer-Encoding': 'chunked' }, body: BODY });
  assert.deepEqual(
    hall.asked.map((each) => 'body' in each && each.body),
    [{ text: '' }, { text: BODY }],
  );
});

test('a body of exactly 256 KiB is handed on whole, bytes that are no UTF-8 as what they are', async () => {
  const hall = new ScriptedControlPlane();
  await using door = await startGateway({ controlPlane: hall });
  const largest = 'x'.repeat(256 * 1024);
  await ask(door.port, { method: 'POST', path: '/v1/calls', body: largest });
  await ask(door.port, { method: 'POST', path: '/v1/calls', body: Buffer.from([0x22, 0xff, 0x22]) });
  assert.deepEqual(
    hall.asked.map((each) => 'body' in each && each.body),
    [{ text: largest }, 'not_utf8'],
  );
});
