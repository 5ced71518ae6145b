// Whole errands in local mode, as a bot sees them: over HTTP alone, with phones that answer over real SIP and RTP.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Service, errand, makeFolder, removeFolder } from './support/service.ts';
import { until } from './support/until.ts';

interface Call {
  readonly id: string;
  readonly state: string;
  readonly execution: { readonly stage: string; readonly error_code: string | null };
  readonly summary: string | null;
  readonly transcript: readonly { readonly speaker: string; readonly text: string }[];
  readonly result: unknown;
  readonly result_schema_valid: boolean | null;
  readonly result_extraction: {
    readonly status: string;
    readonly missing_fields: readonly string[];
    readonly evidence: readonly { readonly path: string; readonly sequence: number; readonly quote: string }[];
  };
  readonly started_at: string | null;
  readonly completed_at: string | null;
}

interface PhoneCall {
  readonly invites: number;
  readonly heard: readonly string[];
  readonly said: readonly string[];
  readonly answered_at: string | null;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
}

const SETTINGS = {
  RING_SECONDS: '3',
  ACKNOWLEDGE_SECONDS: '1',
  LEASE_SECONDS: '1',
  RECOVERY_LOOKUPS: '3',
  RECOVERY_SECONDS: '3',
  READS_PER_MINUTE: '1000000',
};
const SCHEMA = {
  type: 'object',
  required: ['open_on_saturday'],
  properties: { open_on_saturday: { type: 'boolean', description: 'Are you open on Saturday?' } },
};

let folder: string;
let service: Service;
let key: string;
before(async () => {
  folder = await makeFolder();
  service = await Service.start(path.join(folder, 'shared'), SETTINGS);
  key = await service.ownerKey();
});
after(async () => {
  await service.kill();
  await removeFolder(folder);
});

let numbers = 0;
const freshNumber = (): string => `+1555222${String(++numbers).padStart(4, '0')}`;

async function program(on: Service, number: string, phone: object): Promise<void> {
  const put = await on.ask('PUT', `/local/phones/${number}`, {
    headers: { 'content-type': 'application/json' },
    body: phone,
  });
  assert.ok(put.status < 300, put.text);
}

async function create(on: Service, to: string, task: object = {}): Promise<Call> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `call to ${to}` };
  const body = { to, objective: 'Ask whether they are open on Saturday.', result_schema: SCHEMA, ...task };
  const made = await on.ask('POST', '/v1/calls', { headers, body });
  assert.equal(made.status, 202, made.text);
  return made.json as Call;
}

async function read(on: Service, id: string): Promise<Call> {
  const answer = await on.ask('GET', `/v1/calls/${id}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Call;
}

const act = async (on: Service, id: string, what: 'cancel' | 'sync'): Promise<Call> => {
  const answer = await on.ask('POST', `/v1/calls/${id}/${what}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Call;
};

const phoneCalls = async (on: Service, number: string): Promise<readonly PhoneCall[]> => {
  const answer = await on.ask('GET', `/local/phones/${number}`);
  return (answer.json as { calls: readonly PhoneCall[] }).calls;
};

async function ended(on: Service, id: string): Promise<Call> {
  return until(
    'the call has ended',
    async () => {
      const call = await read(on, id);
      const isTerminal = ['completed', 'failed', 'cancelled'].includes(call.state);
      return isTerminal && call.result_extraction.status !== 'pending' ? call : null;
    },
    60_000,
  );
}

const reaches = (on: Service, id: string, state: string): Promise<Call> =>
  until(
    `the call is ${state}`,
    async () => {
      const call = await read(on, id);
      return call.state === state ? call : null;
    },
    30_000,
  );

test('an errand comes back with schema-valid answers, each with a quote the recipient said', async () => {
  const to = freshNumber();
  await program(service, to, {
    greeting: 'Corner Books, good afternoon.',
    replies: [
      { hears: 'open on saturday', says: 'Yes, we are open on Saturdays.' },
      { hears: 'close', says: 'At half past five.' },
      { hears: 'pay', says: 'Only cash, I am afraid.' },
      { hears: 'thank', says: 'Bye!' },
    ],
    otherwise: 'Yes?',
  });
  const schema = {
    type: 'object',
    required: ['open_on_saturday', 'closing_time', 'payment'],
    properties: {
      open_on_saturday: { type: 'boolean', description: 'Are you open on Saturday?' },
      closing_time: { type: 'string', description: 'What time do you close?' },
      payment: { enum: ['cash', 'card', 'both'], description: 'How can customers pay?' },
    },
  };
  const made = await create(service, to, { objective: 'Ask about Saturday.', result_schema: schema });
  const call = await ended(service, made.id);
  assert.deepEqual(
    [call.state, call.execution],
    ['completed', { stage: 'completed', error_code: null }],
    JSON.stringify(call),
  );
  const result = call.result as { open_on_saturday: boolean; closing_time: string; payment: string };
  assert.deepEqual([result.open_on_saturday, result.payment], [true, 'cash']);
  assert.match(result.closing_time, /5:30|17:30|half past five/i);
  assert.deepEqual(
    [call.result_schema_valid, call.result_extraction.status, call.result_extraction.missing_fields],
    [true, 'complete', []],
  );
  const [heard] = await phoneCalls(service, to);
  assert.equal(heard?.invites, 1);
  for (const { quote } of call.result_extraction.evidence) {
    assert.ok(
      heard?.said.some((line) => line.includes(quote)),
      `said: ${quote}`,
    );
  }
  assert.match(heard?.heard[0] ?? '', /automated assistant/i);
  assert.match(heard?.heard.join(' ') ?? '', /Saturday/);
  assert.deepEqual(call.transcript, [], 'a call with a summary shows no transcript');
  assert.ok(call.summary !== null && call.started_at !== null && call.completed_at !== null);
});

test('what nobody said stays missing, and nothing is made up', async () => {
  const to = freshNumber();
  await program(service, to, { otherwise: 'I really do not know.' });
  const call = await ended(service, (await create(service, to)).id);
  assert.deepEqual([call.state, call.result, call.result_extraction.status], ['completed', null, 'incomplete']);
  assert.deepEqual(call.result_extraction.missing_fields, ['/open_on_saturday']);
});

for (const [behaviour, code] of [
  ['busy', 'destination_busy'],
  ['reject', 'destination_rejected'],
  ['unreachable', 'destination_unreachable'],
  ['no_answer', 'no_answer'],
] as const) {
  test(`a phone that is ${behaviour} ends the call as failed, ${code}, and costs nobody a second ring`, async () => {
    const to = freshNumber();
    await program(service, to, { behaviour });
    const call = await ended(service, (await create(service, to)).id);
    assert.deepEqual([call.state, call.execution], ['failed', { stage: 'failed', error_code: code }]);
    assert.deepEqual([call.result, call.result_extraction.status], [null, 'unavailable']);
    const calls = await phoneCalls(service, to);
    assert.deepEqual([calls.length, calls[0]?.invites, calls[0]?.answered_at], [1, 1, null]);
  });
}

test('a number without a program rings until nobody answered', async () => {
  const to = freshNumber();
  const { id } = await create(service, to);
  await reaches(service, id, 'ringing');
  assert.equal((await ended(service, id)).execution.error_code, 'no_answer');
});

test('a silent phone is spoken to, then let go', { timeout: 120_000 }, async () => {
  const to = freshNumber();
  await program(service, to, { behaviour: 'silent' });
  const call = await ended(service, (await create(service, to, { limits: { max_duration_seconds: 30 } })).id);
  assert.equal(call.state, 'completed');
  assert.equal(call.result, null);
});

test('a recipient who hangs up early ends the call well', async () => {
  const to = freshNumber();
  await program(service, to, { otherwise: 'Hold the line please.', hang_up_after_ms: 700 });
  const call = await ended(service, (await create(service, to)).id);
  assert.deepEqual([call.state, call.execution.error_code], ['completed', null]);
  const [at] = await phoneCalls(service, to);
  assert.equal(at?.ended_by === null, false);
});

test('no word from the network: the call is under recovery, then waits for a person, and is never dialled again', async () => {
  const to = freshNumber();
  await program(service, to, { behaviour: 'mute_network' });
  const { id } = await create(service, to);
  const unsure = await until(
    'the call is reconciling',
    async () => {
      const call = await read(service, id);
      return call.execution.stage === 'reconciling' ? call : null;
    },
    30_000,
  );
  assert.equal(unsure.execution.error_code, 'submission_unconfirmed');
  await until(
    'the call waits for a person',
    async () => ((await read(service, id)).execution.error_code === 'reconciliation_required' ? true : null),
    60_000,
  );
  assert.equal(
    (await act(service, id, 'sync')).execution.error_code,
    'reconciliation_required',
    'sync does not bypass the pause',
  );
  const calls = await phoneCalls(service, to);
  assert.deepEqual([calls.length, calls[0]?.invites], [1, 1]);
});

test('cancel while it rings takes the call down before anybody answers', async () => {
  const to = freshNumber();
  await program(service, to, { behaviour: 'no_answer' });
  const { id } = await create(service, to);
  await reaches(service, id, 'ringing');
  assert.equal((await act(service, id, 'cancel')).execution.stage, 'cancel_requested');
  const call = await ended(service, id);
  assert.deepEqual([call.state, call.execution], ['cancelled', { stage: 'cancelled', error_code: null }]);
  const [at] = await phoneCalls(service, to);
  assert.equal(at?.answered_at, null);
});

test('cancel in mid-conversation hangs up', async () => {
  const to = freshNumber();
  await program(service, to, { greeting: 'Hello?', otherwise: 'One moment please, hold on.' });
  const { id } = await create(service, to);
  await reaches(service, id, 'in_progress');
  await act(service, id, 'cancel');
  const call = await ended(service, id);
  assert.deepEqual([call.state, call.execution.error_code], ['cancelled', null]);
  const again = await act(service, id, 'cancel');
  assert.equal(again.state, 'cancelled', 'a second cancel changes nothing');
  await until(
    'the call waits for a person',
    async () => ((await phoneCalls(service, to))[0]?.ended_at === null ? null : true),
    10_000,
  );
});

test(
  'kill -9 in mid-call: the phone is not rung again, the call waits for a person, who decides',
  { timeout: 180_000 },
  async () => {
    const home = path.join(folder, 'killed');
    const first = await Service.start(home, SETTINGS);
    key = await first.ownerKey();
    const to = freshNumber();
    await program(first, to, { greeting: 'Hello?', otherwise: 'One moment please, hold on.' });
    const { id } = await create(first, to);
    await reaches(first, id, 'in_progress');
    await first.kill();

    await using second = await Service.start(home, SETTINGS);
    const seen = new Set<string>();
    await until(
      'the call waits for a person',
      async () => {
        const { execution } = await read(second, id);
        seen.add(`${execution.stage} ${execution.error_code}`);
        return execution.error_code === 'reconciliation_required' ? true : null;
      },
      60_000,
    );
    assert.ok(seen.has('reconciling submission_unconfirmed'), [...seen].join(', '));
    const calls = await phoneCalls(second, to);
    assert.deepEqual([calls.length, calls[0]?.invites], [1, 1], 'counted at the phone, across the crash');

    const review = await errand(['admin', 'calls', 'review', '--json'], { ERRAND_DATA_DIR: home });
    assert.equal((JSON.parse(review.stdout) as { call_id: string }[])[0]?.call_id, id);
    const resolved = await errand(
      ['admin', 'calls', 'resolve', id, '--outcome', 'failed', '--reason', 'seen in the log'],
      { ERRAND_DATA_DIR: home },
    );
    assert.equal(resolved.code, 0, resolved.stderr);
    const call = await ended(second, id);
    assert.deepEqual([call.state, call.execution.error_code], ['failed', 'operator_resolved']);
    const audit = await errand(['admin', 'credit', 'audit', '--json'], { ERRAND_DATA_DIR: home });
    assert.deepEqual(JSON.parse(audit.stdout), { sum: 0, unbalanced: 0, held_without_hold: 0 });
    key = await service.ownerKey();
  },
);

test(
  'a protected value is in no byte of the data folder, in no log line and reaches no phone',
  { timeout: 120_000 },
  async () => {
    const home = path.join(folder, 'protected');
    const planted = 'zebra-quartz-4711';
    const first = await Service.start(home, { ...SETTINGS, LOG_LEVEL: 'debug' });
    key = await first.ownerKey();
    const to = freshNumber();
    await program(first, to, { otherwise: 'Yes.' });
    const made = await create(first, to, {
      objective: `Ask whether the booking ${planted} stands.`,
      context: { note: `code ${planted}`, [planted]: { deep: [planted] } },
      constraints: [`Never say ${planted}.`],
      success_criteria: [planted],
      protected_context: { booking: planted },
    });
    const call = await ended(first, made.id);
    assert.match(JSON.stringify(call), /\[REDACTED:booking\]/);
    assert.ok(!JSON.stringify(call).includes(planted));
    const [at] = await phoneCalls(first, to);
    assert.ok(!JSON.stringify(at).includes(planted));
    await first.stop();
    assert.ok(!first.log.join('\n').includes(planted));
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    assert.ok(files.length > 500, 'the database is in there');
    for (const file of files) {
      const bytes = await readFile(path.join(file.parentPath, file.name));
      assert.ok(!bytes.includes(planted), file.name);
    }
    key = await service.ownerKey();
  },
);
