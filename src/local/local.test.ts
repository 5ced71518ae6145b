// The local endpoints over HTTP, with a real exchange and a real database behind them.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import Fastify from 'fastify';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { openExchange } from '../line/exchange/exchange.ts';
import type { Exchange } from '../line/exchange/exchange.ts';
import { recordMessage } from '../messaging/store.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { registerLocal } from './local.ts';

let store: TestDatabase;
let exchange: Exchange;
let folder: string;
let base: string;
const app = Fastify();

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errand-local-'));
  store = await createTestDatabase();
  exchange = await openExchange({
    host: '127.0.0.1',
    port: 0,
    journal: path.join(folder, 'exchange.jsonl'),
    clock: systemClock,
    chance: systemChance,
    log: createLogger('warn'),
  });
  registerLocal(app, { exchange, database: store.database });
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});

after(async () => {
  await app.close();
  await exchange[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(method: string, target: string, body?: string): Promise<Answer> {
  const response = await fetch(`${base}${target}`, { method, ...(body === undefined ? {} : { body }) });
  const parsed = (await response.json()) as Record<string, unknown>;
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: parsed };
}

const WHOLE = {
  behaviour: 'person',
  medium: 'text',
  ring_ms: 5,
  greeting: null,
  replies: [],
  otherwise: 'Hm.',
  hang_up_after_ms: null,
};

test('A phone is programmed and read, with its plus sign escaped or not, whatever the content type', async () => {
  const put = await ask('PUT', '/local/phones/+15550142010', JSON.stringify({ ring_ms: 5, otherwise: 'Hm.' }));
  assert.deepEqual([put.status, put.body], [200, { number: '+15550142010', ...WHOLE, calls: [] }]);
  for (const number of ['+15550142010', '%2B15550142010']) {
    assert.deepEqual((await ask('GET', `/local/phones/${number}`)).body, put.body);
  }
});

test('A phone that nobody programmed has no program, a ready-made one has its own until it is programmed over', async () => {
  assert.deepEqual((await ask('GET', '/local/phones/+15550142011')).body, {
    number: '+15550142011',
    behaviour: null,
    calls: [],
  });
  const behaviourOf = async () => {
    const { behaviour } = (await ask('GET', '/local/phones/+15550100102')).body;
    return behaviour;
  };
  assert.equal(await behaviourOf(), 'busy');
  await ask('PUT', '/local/phones/+15550100102', '{}');
  assert.equal(await behaviourOf(), 'person');
});

const REFUSED: readonly [method: string, target: string, body: string | undefined, status: number, detail: RegExp][] = [
  ['PUT', '/local/phones/15550142010', '{}', 422, /number in the path must be E\.164/],
  ['GET', '/local/phones/bob', undefined, 422, /number in the path must be E\.164/],
  ['PUT', '/local/phones/+15550142010', 'nonsense', 422, /must be JSON/],
  ['PUT', '/local/phones/+15550142010', undefined, 422, /must be JSON/],
  ['PUT', '/local/phones/+15550142010', '[]', 422, /^The body must be object/],
  ['PUT', '/local/phones/+15550142010', '{"ring":1}', 422, /^\/ring is not a field/],
  [
    'PUT',
    '/local/phones/+15550142010',
    '{"behaviour":"menu"}',
    422,
    /^\/behaviour menu is not available yet; available are person,/,
  ],
  ['PUT', '/local/phones/+15550142010', '{"medium":"speech"}', 422, /^\/medium speech is not available yet/],
  ['PUT', '/local/phones/+15550142010', `{"greeting":"${'x'.repeat(3_000_000)}"}`, 413, /large/],
  ['GET', '/local/messages?to=a@b.c&to=d@e.f', undefined, 422, /once/],
];

for (const [method, target, body, status, detail] of REFUSED) {
  test(`${method} ${target} ${body?.slice(0, 30) ?? ''} is ${status}, a problem that names the fault`, async () => {
    const answer = await ask(method, target, body);
    assert.equal(answer.status, status);
    assert.equal(answer.type, 'application/problem+json');
    assert.equal(answer.body['status'], status);
    assert.match(String(answer.body['detail']), detail);
  });
}

test('What was refused changes nothing', async () => {
  await ask('PUT', '/local/phones/+15550142012', JSON.stringify({ otherwise: 'Hm.', ring_ms: 5 }));
  await ask('PUT', '/local/phones/+15550142012', JSON.stringify({ otherwise: 5 }));
  const phone = { number: '+15550142012', ...WHOLE, calls: [] };
  assert.deepEqual((await ask('GET', '/local/phones/+15550142012')).body, phone);
});

test('Messages are listed oldest first for a number, escaped or not, or for an address', async () => {
  const sent = (to: string, channel: 'sms' | 'email', second: number) => ({
    id: systemChance.uuid(),
    channel,
    to,
    body: 'Your code is 012345.',
    sent_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  });
  const [first, second, mail] = [
    sent('+15550142013', 'sms', 1),
    sent('+15550142013', 'sms', 2),
    sent('a@b.c', 'email', 3),
  ];
  for (const each of [second, first, mail]) await recordMessage(store.database, each);
  const listed = async (query: string) => (await ask('GET', `/local/messages${query}`)).body;
  const written = JSON.parse(JSON.stringify([first, second])) as unknown;
  assert.deepEqual(await listed('?to=%2B15550142013'), { messages: written });
  assert.deepEqual(await listed('?to=+15550142013'), { messages: written });
  assert.deepEqual((await listed('?to=a@b.c'))['messages'], JSON.parse(JSON.stringify([mail])));
  assert.deepEqual(await listed('?to=nobody@example.com'), { messages: [] });
  assert.equal(((await listed(''))['messages'] as unknown[]).length, 3);
});

/** `fetch` chooses these headers itself. */
function askWith(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(base);
    const request = httpRequest(
      { host: '127.0.0.1', port, path: '/local/phones/+15550142010', headers },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    request.on('error', reject);
    request.end();
  });
}

test('A web page of elsewhere gets nothing, by its own name or by a name rebound to us', async () => {
  assert.equal(await askWith({ host: 'localhost:8080' }), 200);
  assert.equal(await askWith({ host: 'evil.example' }), 403);
  assert.equal(await askWith({ host: 'localhost:8080', origin: 'https://evil.example' }), 403);
});
