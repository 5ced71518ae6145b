// What the logs tell of one whole call: every change once, tied to its request, and nothing that was said or secret.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Service, makeFolder, removeFolder } from './support/service.ts';
import { until } from './support/until.ts';

const TO = '+15550177001';
const WORDS = ['periwinkle', 'Tuesdays'];

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly call_id?: string;
  readonly request_id?: string;
  readonly event?: string;
}

test('the log of a call has each change once, tied to its request, without number, key or words', async () => {
  const home = await makeFolder();
  try {
    await using service = await Service.start(home, { LOG_LEVEL: 'debug' });
    const key = await service.ownerKey();
    await service.ask('PUT', `/local/phones/${TO}`, { body: { otherwise: `Only on ${WORDS[1]}.`, ring_ms: 50 } });
    const made = await service.ask('POST', '/v1/calls', {
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'hyacinth' },
      body: {
        to: TO,
        objective: `Ask for the ${WORDS[0]} room.`,
        result_schema: { type: 'object', properties: { day: { type: 'string', description: 'Which day?' } } },
      },
    });
    assert.equal(made.status, 202, made.text);
    const { id } = made.json as { id: string };
    const lines = await until(
      'the result is logged',
      async () => {
        const read = service.log.map((text) => JSON.parse(text) as Line);
        return read.some(({ msg }) => msg === 'result written') ? read : null;
      },
      60_000,
    );

    const admitted = lines.filter(({ msg }) => msg === 'call admitted');
    assert.deepEqual([admitted.length, admitted[0]?.call_id], [1, id]);
    assert.equal(admitted[0]?.request_id, made.headers.get('x-request-id'));
    const changes = lines.filter(({ msg, level }) => msg === 'call advanced' && level === 'info');
    assert.deepEqual(
      changes.map(({ event }) => event),
      ['dispatched', 'acknowledged', 'ringing', 'answered', 'ended'],
    );
    assert.ok(changes.every(({ call_id }) => call_id === id));
    assert.deepEqual(
      lines.filter(({ level }) => level !== 'info' && level !== 'debug'),
      [],
    );
    const all = service.log.join('\n');
    for (const secret of [TO.slice(1), key, 'hyacinth', ...WORDS]) assert.ok(!all.includes(secret), secret);
  } finally {
    await removeFolder(home);
  }
});
