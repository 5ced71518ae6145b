// The exchange as a caller sees it: called over UDP by the SIP line in every behaviour, and by bare datagrams where the line
// is too polite. All sockets are real.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { openSipCaller } from '../../../test/support/sip-caller.ts';
import type { DialledCall, SipCaller } from '../../../test/support/sip-caller.ts';
import { until } from '../../../test/support/until.ts';
import { systemChance, systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import type { CallRecord } from './call-record.ts';
import { openExchange } from './exchange.ts';
import type { Exchange, Phone } from './exchange.ts';

interface Stage extends AsyncDisposable {
  readonly exchange: Exchange;
  readonly caller: SipCaller;
  readonly port: number;
  readonly journal: string;
}

async function stage(settings: Parameters<typeof openSipCaller>[1] = {}): Promise<Stage> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-exchange-'));
  const journal = path.join(folder, 'exchange.jsonl');
  const parts = { clock: systemClock, chance: systemChance, log: createLogger('warn') };
  const exchange = await openExchange({ host: '127.0.0.1', port: 0, journal, ...parts });
  const port = portOf(exchange.trunkUri);
  const caller = await openSipCaller(port, settings);
  return {
    exchange,
    caller,
    port,
    journal,
    async [Symbol.asyncDispose]() {
      await caller[Symbol.asyncDispose]();
      await exchange[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const portOf = (uri: string) => Number(/:([0-9]+)$/.exec(uri)?.[1]);
const textOf = (call: DialledCall) => call.events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
const hears = (call: DialledCall, words: string) =>
  until(`the caller reads ${words}`, () => textOf(call).includes(words));

/** The phone's only call, once it is over. */
const lastCall = (exchange: Exchange, number: string): Promise<CallRecord> =>
  until('the call has ended at the phone', () => {
    const call = exchange.phone(number).calls.at(-1);
    return call?.ended_at === null ? null : call;
  });

const PERSON = '+15550142001';

test('A person rings, answers, greets, answers what was asked, presses keys, hears keys, and is hung up on', async () => {
  await using play = await stage();
  const { exchange, caller } = play;
  const taken = exchange.program(PERSON, {
    ring_ms: 50,
    greeting: 'Front desk.',
    replies: [{ hears: 'open', says: 'Yes, until five 😀.', keys: '7*' }],
  });
  assert.ok('program' in taken);
  const call = caller.dial(PERSON);
  const { media } = await call.told('answered');
  assert.deepEqual(media, { hasText: true, audio: 'PCMU', hasDigits: true });
  await hears(call, 'Front desk.\u2028');
  await call.leg.sendDigits('12#');
  await call.leg.sendText('Are you OPEN today?\u2028');
  await hears(call, 'Yes, until five 😀.\u2028');
  await until('both keys are heard', () => call.kinds().filter((kind) => kind === 'digit').length === 2);
  await call.leg.sendText('Where?\u2028');
  await hears(call, 'Sorry, could you say that again?\u2028');
  assert.equal(await call.leg.hangUp(), 'confirmed');
  assert.deepEqual(call.kinds().slice(0, 3), ['acknowledged', 'ringing', 'answered']);
  const record = await lastCall(exchange, PERSON);
  assert.equal(record.sip_call_id, call.leg.record.reference);
  assert.equal(record.caller, '+15550100100');
  assert.equal(record.invites, 1);
  assert.deepEqual(record.heard, ['Are you OPEN today?', 'Where?']);
  assert.deepEqual(record.said, ['Front desk.', 'Yes, until five 😀.', 'Sorry, could you say that again?']);
  assert.equal(record.keys, '12#');
  assert.equal(record.ended_by, 'caller');
  const times = [record.started_at, record.answered_at ?? '', record.ended_at ?? ''].map((at) => Date.parse(at));
  assert.ok(times.every((at, index) => index === 0 || at >= (times[index - 1] ?? Number.NaN)));
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 45, 'it rang for as long as it was told');
});

test('A person hangs up after the reply that says so, and after the time that says so', async () => {
  await using play = await stage();
  const { exchange, caller } = play;
  exchange.program(PERSON, { ring_ms: 0, replies: [{ hears: 'bye', says: 'Bye!', hang_up: true }] });
  const first = caller.dial(PERSON);
  await first.told('answered');
  await first.leg.sendText('Good bye.\u2028');
  assert.equal((await first.told('ended')).by, 'recipient');
  assert.equal(textOf(first), 'Bye!\u2028');
  assert.equal((await lastCall(exchange, PERSON)).ended_by, 'recipient');

  exchange.program(PERSON, { ring_ms: 0, hang_up_after_ms: 100 });
  const second = caller.dial(PERSON);
  await second.told('answered');
  assert.equal((await second.told('ended')).by, 'recipient');
  const { calls } = exchange.phone(PERSON);
  assert.equal(calls.length, 2);
});

for (const [behaviour, code, endedBy, kinds] of [
  ['busy', 'destination_busy', 'recipient', ['acknowledged', 'refused']],
  ['reject', 'destination_rejected', 'recipient', ['acknowledged', 'ringing', 'refused']],
  ['unreachable', 'destination_unreachable', 'network', ['acknowledged', 'refused']],
  ['no_answer', 'no_answer', 'caller', ['acknowledged', 'ringing', 'refused']],
] as const) {
  test(`A phone that is ${behaviour} is refused as ${code}, and counted`, async () => {
    await using play = await stage({ ringMs: 300 });
    const { exchange, caller } = play;
    exchange.program(PERSON, { behaviour, ring_ms: 30 });
    const call = caller.dial(PERSON);
    assert.equal((await call.told('refused')).verdict.code, code);
    assert.deepEqual(call.kinds(), kinds);
    const record = await lastCall(exchange, PERSON);
    assert.equal(record.invites, 1);
    assert.equal(record.answered_at, null);
    assert.equal(record.ended_by, endedBy);
  });
}

test('A number without a program rings until the caller gives up', async () => {
  await using play = await stage({ ringMs: 200 });
  const call = play.caller.dial('+15550142999');
  assert.equal((await call.told('refused')).verdict.code, 'no_answer');
  assert.equal(play.exchange.phone('+15550142999').program, null);
  assert.equal((await lastCall(play.exchange, '+15550142999')).ended_by, 'caller');
});

test('A silent phone answers, hears and says nothing', async () => {
  await using play = await stage();
  const call = play.caller.dial('+15550100108');
  await call.told('answered');
  await call.leg.sendText('Anybody there?\u2028');
  await until('it has heard', () => play.exchange.phone('+15550100108').calls[0]?.heard[0] === 'Anybody there?');
  await call.leg.hangUp();
  assert.equal(textOf(call), '');
});

test('The mute network counts the call and never says a word', async () => {
  await using play = await stage({ acknowledgeMs: 700 });
  play.exchange.program(PERSON, { behaviour: 'mute_network' });
  const call = play.caller.dial(PERSON);
  await call.told('unacknowledged');
  assert.deepEqual(call.kinds(), ['unacknowledged']);
  const [record] = play.exchange.phone(PERSON).calls;
  assert.equal(record?.invites, 1, 'the INVITE was repeated meanwhile, and is one all the same');
  assert.equal(record.ended_at, null);
});

test('A phone that is programmed during a call is as it was until the next one', async () => {
  await using play = await stage();
  play.exchange.program(PERSON, { ring_ms: 0, otherwise: 'As before.' });
  const call = play.caller.dial(PERSON);
  await call.told('answered');
  play.exchange.program(PERSON, { behaviour: 'mute_network' });
  await call.leg.sendText('Hello?\u2028');
  await hears(call, 'As before.');
  assert.equal(await call.leg.hangUp(), 'confirmed');
});

/** A datagram of SIP by hand. */
function request(
  method: string,
  port: number,
  fields: { number?: string; branch?: string; id?: string; tag?: string } = {},
): string {
  const { number = PERSON, branch = 'z9hG4bKone', id = 'by-hand', tag = '' } = fields;
  return [
    `${method} sip:${number}@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=${branch};rport`,
    'Max-Forwards: 70',
    'From: "Ada" <sip:+15550100177@127.0.0.1>;tag=near',
    `To: <sip:${number}@127.0.0.1>${tag}`,
    `Call-ID: ${id}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:ada@127.0.0.1:${port}>`,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/** A bare socket towards the exchange, and the status lines of what came back. */
async function bareCaller(
  to: number,
): Promise<AsyncDisposable & { port: number; lines: string[]; send: (text: string) => void }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const lines: string[] = [];
  socket.on('message', (bytes) => lines.push(bytes.toString().split('\r\n', 1)[0] ?? ''));
  return {
    port: socket.address().port,
    lines,
    send: (text) => socket.send(text, to, '127.0.0.1'),
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

test('Retransmissions are one INVITE; another transaction of the same call is a second one, and does not ring', async () => {
  await using play = await stage();
  await using bare = await bareCaller(play.port);
  const invites = () => play.exchange.phone(PERSON).calls.map((call) => call.invites);
  for (let round = 0; round < 5; round += 1) bare.send(request('INVITE', bare.port));
  await until('it rings', () => bare.lines.includes('SIP/2.0 180 Ringing'));
  assert.deepEqual(invites(), [1]);
  bare.send(request('INVITE', bare.port, { branch: 'z9hG4bKtwo' }));
  await until('the second is refused', () => bare.lines.includes('SIP/2.0 482 Loop Detected'));
  assert.deepEqual(invites(), [2]);
  bare.send(request('INVITE', bare.port, { branch: 'z9hG4bKthree', id: 'another' }));
  await until('another call', () => invites().length === 2);
  assert.deepEqual(invites(), [2, 1]);
  assert.equal(play.exchange.phone(PERSON).calls[0]?.caller, '+15550100177');
});

test('An INVITE that is repeated after a restart is not counted again and does not ring again', async () => {
  await using play = await stage();
  await using first = await bareCaller(play.port);
  first.send(request('INVITE', first.port));
  await until('it rings', () => first.lines.includes('SIP/2.0 180 Ringing'));
  await play.exchange[Symbol.asyncDispose]();
  const parts = { clock: systemClock, chance: systemChance, log: createLogger('warn') };
  await using again = await openExchange({ host: '127.0.0.1', port: 0, journal: play.journal, ...parts });
  await using second = await bareCaller(portOf(again.trunkUri));
  second.send(request('INVITE', first.port).replace(';rport', `;rport=${second.port}`));
  await until('it is refused', () => second.lines.includes('SIP/2.0 480 Temporarily Unavailable'));
  assert.deepEqual(second.lines, ['SIP/2.0 480 Temporarily Unavailable']);
  const [call, ...others] = again.phone(PERSON).calls;
  assert.equal(others.length, 0);
  assert.deepEqual([call?.invites, call?.ended_by], [1, 'network']);
});

test('What is not a call to a number is answered as the standard says, and counts nowhere', async () => {
  await using play = await stage();
  await using bare = await bareCaller(play.port);
  const asks: readonly [string, string][] = [
    [request('INVITE', bare.port, { number: 'bob', branch: 'z9hG4bKa' }), 'SIP/2.0 404 Not Found'],
    [request('OPTIONS', bare.port, { branch: 'z9hG4bKb' }), 'SIP/2.0 200 OK'],
    [request('BYE', bare.port, { branch: 'z9hG4bKc', tag: ';tag=x' }), 'SIP/2.0 481 Call/Transaction Does Not Exist'],
    [request('REGISTER', bare.port, { branch: 'z9hG4bKd' }), 'SIP/2.0 405 Method Not Allowed'],
    [request('CANCEL', bare.port, { branch: 'z9hG4bKe' }), 'SIP/2.0 481 Call/Transaction Does Not Exist'],
  ];
  bare.send('\0\x01nonsense');
  for (const [ask, answer] of asks) {
    bare.lines.length = 0;
    bare.send(ask);
    await until(answer, () => bare.lines.includes(answer));
  }
  assert.deepEqual(play.exchange.phone(PERSON).calls, []);
});

test('In the mute network not even a CANCEL is answered', async () => {
  await using play = await stage();
  await using bare = await bareCaller(play.port);
  play.exchange.program(PERSON, { behaviour: 'mute_network' });
  bare.send(request('INVITE', bare.port));
  bare.send(request('CANCEL', bare.port));
  bare.send(request('OPTIONS', bare.port, { number: '+15550142002', branch: 'z9hG4bKother' }));
  await until('the other number is there', () => bare.lines.length > 0);
  assert.deepEqual(bare.lines, ['SIP/2.0 200 OK']);
});

test('A caller without text reaches a phone that says nothing, and one without an offer gets ours', async () => {
  await using play = await stage();
  await using bare = await bareCaller(play.port);
  play.exchange.program(PERSON, { ring_ms: 0, greeting: 'Hello.' });
  const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${bare.port} RTP/AVP 0\r\n`;
  const invite = request('INVITE', bare.port)
    .replace('Content-Length: 0', `Content-Type: application/sdp\r\nContent-Length: ${sdp.length}`)
    .concat(sdp);
  bare.send(invite);
  bare.send(request('INVITE', bare.port, { branch: 'z9hG4bKtwo', id: 'no offer' }));
  await until(
    'both are answered',
    () => play.exchange.phone(PERSON).calls.filter((call) => call.answered_at !== null).length === 2,
  );
  assert.deepEqual(
    play.exchange.phone(PERSON).calls.map((call) => call.said),
    [[], []],
  );
});

test('Killed with -9 in the middle of calls, the exchange knows afterwards what every phone saw', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-exchange-'));
  const journal = path.join(folder, 'exchange.jsonl');
  const first = await startProcess(journal, 0);
  const port = portOf(first.trunkUri);
  const caller = await openSipCaller(port);
  const talking = caller.dial('+15550100101');
  await hears(talking, 'Harbour Street');
  await talking.leg.sendText('Are you open on Saturday?\u2028');
  await hears(talking, 'noon');
  const ringing = caller.dial('+15550142999');
  await ringing.told('ringing');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = await startProcess(journal, port);
  const clinic = await second.phone('+15550100101');
  assert.deepEqual(
    clinic.calls.map((call) => [call.sip_call_id, call.invites, call.heard, call.ended_by]),
    [[talking.leg.record.reference, 1, ['Are you open on Saturday?'], 'network']],
  );
  assert.match(clinic.calls[0]?.said.at(-1) ?? '', /noon/);
  const [rung, ...others] = (await second.phone('+15550142999')).calls;
  assert.equal(others.length, 0);
  assert.deepEqual([rung?.invites, rung?.answered_at, rung?.ended_by], [1, null, 'network']);
  second.child.stdin.end();
  await once(second.child, 'exit');
  await caller[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface ExchangeProcess {
  readonly child: ReturnType<typeof spawn> & { stdin: NodeJS.WritableStream };
  readonly trunkUri: string;
  readonly phone: (number: string) => Promise<Phone>;
}

async function startProcess(journal: string, port: number): Promise<ExchangeProcess> {
  const script = path.join(import.meta.dirname, '../../../test/support/running-exchange.ts');
  const child = spawn(process.execPath, [script, journal, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  return {
    child,
    trunkUri: await next(),
    phone: async (number) => {
      child.stdin.write(`${number}\n`);
      return JSON.parse(await next()) as Phone;
    },
  };
}
