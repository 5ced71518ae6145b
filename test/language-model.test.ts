// A whole errand with a language model in every place that can have one: judge, conversation, extraction, summary. The model is a
// scripted server that speaks the OpenAI-compatible protocol; what it says is checked like anything else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ScriptedModel } from './support/scripted-model.ts';
import type { ModelRequest, ScriptedAnswer } from './support/scripted-model.ts';
import { Service, makeFolder, removeFolder } from './support/service.ts';
import { until } from './support/until.ts';

const PLANTED = 'heliotrope-90210';

let folder: string;
before(async () => {
  folder = await makeFolder();
});
after(() => removeFolder(folder));

interface Call {
  readonly id: string;
  readonly state: string;
  readonly summary: string | null;
  readonly result: unknown;
  readonly result_extraction: {
    readonly status: string;
    readonly missing_fields: readonly string[];
    readonly evidence: readonly { readonly quote: string }[];
  };
}

const isJudge = (request: ModelRequest): boolean => request.text.includes('You screen the purpose');
const isExtraction = (request: ModelRequest): boolean => request.text.includes('You read the transcript');

/** What the model says: allowed; one question, then goodbye; and an extraction given by the test. */
function script(extraction: unknown): (request: ModelRequest) => ScriptedAnswer {
  return (request) => {
    if (isJudge(request)) return { kind: 'json', value: { verdict: 'allowed' } };
    if (isExtraction(request)) return { kind: 'json', value: extraction };
    if (request.text.includes('twenty euros')) {
      return { kind: 'text', text: 'Thank you, goodbye.', calls: [{ name: 'hang_up', arguments: {} }] };
    }
    return { kind: 'text', text: 'How much is a ticket?' };
  };
}

async function place(
  model: ScriptedModel,
  home: string,
): Promise<{ readonly service: Service; readonly answer: { status: number; json: unknown; text: string } }> {
  const { baseUrl, apiKey, model: name } = model.settings;
  const service = await Service.start(`${folder}/${home}`, {
    LLM_PROVIDER: 'openai-compatible',
    LLM_BASE_URL: baseUrl ?? '',
    LLM_MODEL: name,
    LLM_API_KEY: apiKey ?? '',
    LLM_TIMEOUT_MS: '4000',
    READS_PER_MINUTE: '1000000',
  });
  const to = '+15552340001';
  await service.ask('PUT', `/local/phones/${to}`, {
    body: {
      greeting: 'Box office.',
      replies: [{ hears: 'ticket', says: 'A ticket is twenty euros.' }],
      otherwise: 'Yes?',
    },
  });
  const answer = await service.ask('POST', '/v1/calls', {
    headers: { authorization: `Bearer ${await service.ownerKey()}`, 'idempotency-key': 'one' },
    body: {
      to,
      objective: `Ask for the price of a ticket, booking ${PLANTED}.`,
      protected_context: { booking: PLANTED },
      result_schema: {
        type: 'object',
        required: ['price'],
        properties: { price: { type: 'number' }, seat: { type: 'string' } },
      },
    },
  });
  return { service, answer };
}

async function ended(service: Service, id: string): Promise<Call> {
  const authorization = `Bearer ${await service.ownerKey()}`;
  return until(
    'the result is there',
    async () => {
      const call = (await service.ask('GET', `/v1/calls/${id}`, { headers: { authorization } })).json as Call;
      return call.state === 'completed' && call.result_extraction.status !== 'pending' ? call : null;
    },
    60_000,
  );
}

const TOLD = {
  answers: [
    { path: '/price', value_json: '20', sequence: 0, quote: 'A ticket is twenty euros.' },
    { path: '/seat', value_json: '"row 5"', sequence: 0, quote: 'You are in row 5.' },
  ],
  summary: [{ sentence: 'A ticket costs twenty euros.', sequence: 0, quote: 'A ticket is twenty euros.' }],
};

test('a model converses, extracts and sums up; what nobody said is dropped, and no protected value reaches it', async () => {
  await using model = await ScriptedModel.start((request) => {
    // The extraction quotes the turn by the number under which the transcript shows it.
    const sequence = Number(/\\?"sequence\\?":\s*(\d+)[^{}]*A ticket is twenty euros/.exec(request.text)?.[1] ?? 0);
    return script(JSON.parse(JSON.stringify(TOLD).replaceAll('"sequence":0', `"sequence":${sequence}`)))(request);
  });
  const { service, answer } = await place(model, 'whole');
  await using _ = service;
  assert.equal(answer.status, 202, answer.text);
  const call = await ended(service, (answer.json as Call).id);
  assert.deepEqual(call.result, { price: 20 }, JSON.stringify(call));
  assert.deepEqual(call.result_extraction.missing_fields, ['/seat'], 'an answer whose quote nobody said');
  assert.deepEqual(
    call.result_extraction.evidence.map(({ quote }) => quote),
    ['A ticket is twenty euros.'],
  );
  const phone = (await service.ask('GET', '/local/phones/+15552340001')).json as { calls: { heard: string[] }[] };
  const heard = phone.calls[0]?.heard.join(' ') ?? '';
  assert.match(heard, /automated assistant/);
  assert.match(heard, /How much is a ticket\?/);
  assert.ok(model.requests.some(isJudge) && model.requests.some(isExtraction));
  assert.ok(model.requests.every(({ text }) => !text.includes(PLANTED)));
  assert.ok(!service.log.join('\n').includes('scripted-model-key'));
});

test('a judge that cannot answer admits nothing: 502, and the same key works once it can', async () => {
  let isBroken = true;
  await using model = await ScriptedModel.start((request) =>
    isBroken ? { kind: 'error', status: 500 } : script(TOLD)(request),
  );
  const { service, answer } = await place(model, 'judge');
  await using _ = service;
  assert.deepEqual([answer.status, (answer.json as { code: string }).code], [502, 'control_plane_error'], answer.text);
  isBroken = false;
  const again = await service.ask('POST', '/v1/calls', {
    headers: { authorization: `Bearer ${await service.ownerKey()}`, 'idempotency-key': 'one' },
    body: { to: '+15552340001', objective: 'Ask for the price of a ticket.', result_schema: { type: 'number' } },
  });
  assert.equal(again.status, 202, again.text);
  assert.equal(again.headers.get('idempotency-replayed'), null);
});

test('a judge that says no blocks the call', async () => {
  await using model = await ScriptedModel.start(() => ({
    kind: 'json',
    value: { verdict: 'nuisance' },
  }));
  const { service, answer } = await place(model, 'blocked');
  await using _ = service;
  assert.deepEqual(
    [answer.status, (answer.json as { code: string; retryable: boolean }).code],
    [422, 'call_purpose_blocked'],
  );
});
