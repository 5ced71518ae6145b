// The line against a far end made of the same core, on loopback sockets, and against raw datagrams.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { openSipCaller } from '../../../test/support/sip-caller.ts';
import { until } from '../../../test/support/until.ts';
import { systemChance, systemClock } from '../../platform/clock.ts';
import { dialogOfRequest, requestInDialog, type Dialog } from './dialog.ts';
import { formatVia } from './header.ts';
import { IncomingCall } from './incoming-call.ts';
import { headerOf, type SipResponse } from './message.ts';
import { chooseLocalAddress } from './sip-line.ts';
import { openUdpTransport } from './transport-udp.ts';
import { UserAgent, type Incoming } from './user-agent.ts';

const SHORT_TIMES = { t1Ms: 20, t2Ms: 80, t4Ms: 100 };

const SDP = (port: number, direction = 'sendrecv'): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    `a=${direction}`,
    '',
  ].join('\r\n');

interface FarEnd extends AsyncDisposable {
  readonly port: number;
  readonly userAgent: UserAgent;
  /** Every request but ACK and CANCEL, in order. */
  readonly requests: Incoming[];
  readonly invites: () => Incoming[];
  /** Sends a request inside the dialog of an answered INVITE. @returns its final answer */
  readonly ask: (dialog: Dialog, method: string, body?: string, type?: string) => Promise<SipResponse>;
}

/** @param onInvite what becomes of each INVITE that opens a call; other requests get 200 */
async function openFarEnd(onInvite: (incoming: Incoming, userAgent: UserAgent) => void): Promise<FarEnd> {
  const transport = await openUdpTransport({ host: '127.0.0.1', port: 0 });
  const requests: Incoming[] = [];
  const userAgent: UserAgent = new UserAgent({
    transport,
    clock: systemClock,
    chance: systemChance,
    times: SHORT_TIMES,
    onRequest(incoming) {
      requests.push(incoming);
      if (incoming.request.method === 'INVITE') onInvite(incoming, userAgent);
      else incoming.respond({ status: 200, reason: 'OK' });
    },
    onBug(error) {
      throw error;
    },
  });
  return {
    port: transport.local.port,
    userAgent,
    requests,
    invites: () => requests.filter((each) => each.request.method === 'INVITE'),
    ask(dialog, method, body = '', type = 'application/sdp') {
      const { request } = requestInDialog(dialog, {
        method,
        via: formatVia(transport.local, userAgent.newToken()),
        headers: body === '' ? [] : [{ name: 'content-type', value: type }],
        body,
      });
      const target = /:(\d+)>?$/.exec(dialog.remoteTarget)?.[1];
      return new Promise((resolve, reject) => {
        userAgent.request(request, { host: '127.0.0.1', port: Number(target) }, (news) => {
          if (news.kind !== 'response') reject(new Error(`${method}: ${news.kind}`));
          else if (news.response.status >= 200) resolve(news.response);
        });
      });
    },
    async [Symbol.asyncDispose]() {
      userAgent.close();
      await transport[Symbol.asyncDispose]();
    },
  };
}

const CONTACT = (userAgent: UserAgent): string => `<sip:far@127.0.0.1:${userAgent.local.port}>`;

/** Answers with SDP, under a tag of choice. */
function answer(incoming: Incoming, userAgent: UserAgent, toTag = incoming.localTag): void {
  incoming.respond({
    status: 200,
    reason: 'OK',
    toTag,
    headers: [
      { name: 'contact', value: CONTACT(userAgent) },
      { name: 'content-type', value: 'application/sdp' },
    ],
    body: SDP(40_000),
  });
}

const dialogOf = (incoming: Incoming, userAgent: UserAgent): Dialog =>
  dialogOfRequest(incoming.request, incoming.localTag, CONTACT(userAgent));

test('the INVITE names the call by its id, the caller and its name; quotes in a name stay in it', async () => {
  await using far = await openFarEnd((incoming) => incoming.respond({ status: 486, reason: 'Busy Here' }));
  await using caller = await openSipCaller(far.port, { assertsIdentity: true });
  const callId = systemChance.uuid();
  const call = caller.dial('+15550100123', callId);
  await call.told('refused');
  const request = far.invites()[0]?.request;
  assert.ok(request !== undefined);
  assert.equal(request.callId, `${callId}@errand`);
  assert.equal(request.uri, `sip:+15550100123@127.0.0.1:${far.port}`);
  const from = String.raw`"Ada \"the Countess\" Lovelace" <sip:+15550100100@127.0.0.1>`;
  assert.equal(headerOf(request, 'from'), `${from};tag=${String(call.leg.record['localTag'])}`);
  assert.equal(headerOf(request, 'p-asserted-identity'), from);
});

test('a leg is dialled once: neither its record again nor one that was dialled elsewhere', async () => {
  await using far = await openFarEnd((incoming) => incoming.respond({ status: 486, reason: 'Busy Here' }));
  await using caller = await openSipCaller(far.port);
  const record = caller.line.prepare({ callId: systemChance.uuid(), to: '+15550100199', callerName: null });
  const leg = caller.line.dial(record, () => undefined);
  assert.throws(() => caller.line.dial(record, () => undefined), /once/);
  await until('it was refused', () => far.invites().length > 0);
  await using other = await openSipCaller(far.port);
  assert.throws(() => other.line.dial(leg.record, () => undefined), /once/);
  assert.equal(far.invites().length, 1);
});

test('the record is saved before the INVITE, at the first tag and at the answer, and holds no password', async () => {
  await using far = await openFarEnd((incoming, userAgent) => {
    incoming.respond({ status: 180, reason: 'Ringing' });
    answer(incoming, userAgent);
  });
  await using caller = await openSipCaller(far.port, { credentials: { user: 'alice', password: 'open sesame' } });
  const call = caller.dial();
  await call.told('answered');
  const records = call.events.filter((event) => event.kind === 'record').map((event) => event.record);
  assert.deepEqual(
    records.map((record) => [record['dialog'] !== null, record['isAnswered']]),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
  assert.doesNotMatch(JSON.stringify(records), /open sesame/);
  assert.match(String(records[2]?.['lastAck']), /^ACK /);
});

test('nobody at the trunk\u2019s address: the carrier is unavailable, and nothing was dialled', async () => {
  const free = createSocket('udp4');
  await new Promise<void>((resolve) => {
    free.bind(0, '127.0.0.1', resolve);
  });
  const { port } = free.address();
  await new Promise<void>((resolve) => {
    free.close(() => resolve());
  });
  await using caller = await openSipCaller(port);
  const call = caller.dial();
  assert.equal((await call.told('refused')).verdict.code, 'carrier_unavailable');
  assert.equal(await call.leg.hangUp(), 'confirmed');
});

test('a port that somebody has is refused by name, and so is a trunk that does not speak UDP', async () => {
  await using caller = await openSipCaller(5060);
  await assert.rejects(openSipCaller(5060, { localPort: caller.line.localPort }), /UDP 127\.0\.0\.1:\d+.*EADDRINUSE/);
  for (const trunkUri of ['sips:trunk.example', 'sip:trunk.example;transport=tcp', 'sip:[::1]:5060', 'trunk.example']) {
    await assert.rejects(openSipCaller(5060, { trunkUri }), /SIP_TRUNK_URI must name a UDP trunk/);
  }
});

test('the local address is the configured one, else the one towards the trunk', async () => {
  assert.equal(await chooseLocalAddress('sip:trunk.example', '192.0.2.7'), '192.0.2.7');
  assert.equal(await chooseLocalAddress('sip:127.0.0.1:5060', null), '127.0.0.1');
  assert.match(await chooseLocalAddress('sip:no-such-trunk.invalid', null), /^[0-9.]+$/);
});

test('a trunk whose name does not exist is unavailable', async () => {
  await using caller = await openSipCaller(5060, { trunkUri: 'sip:no-such-trunk.invalid:5060' });
  assert.equal((await caller.dial().told('refused')).verdict.code, 'carrier_unavailable');
});

test('a hang-up before anything was dialled dials nothing', async () => {
  await using far = await openFarEnd((incoming) => incoming.respond({ status: 486, reason: 'Busy Here' }));
  await using caller = await openSipCaller(far.port);
  const call = caller.dial();
  assert.equal(await call.leg.hangUp(), 'confirmed');
  assert.match((await call.told('refused')).verdict.because, /^487/);
  const second = caller.dial();
  await second.told('refused');
  assert.equal(far.invites().length, 1, 'only the second call was dialled');
});

/** A far end that answers nothing by itself and counts datagrams by method. */
async function openRawEnd(): Promise<{
  readonly port: number;
  readonly methods: readonly string[];
  /** Answers the first request. */
  readonly reply: (statusLine: string, headers: readonly string[], port: number) => void;
  readonly close: () => void;
}> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve);
  });
  const methods: string[] = [];
  let head: string[] = [];
  socket.on('message', (datagram) => {
    const lines = datagram.toString().split('\r\n');
    methods.push(lines[0]?.split(' ')[0] ?? '');
    if (head.length === 0) head = lines.filter((line) => /^(Via|From|Call-ID|CSeq): /.test(line));
  });
  return {
    port: socket.address().port,
    methods,
    reply(statusLine, headers, port) {
      const contact = `Contact: <sip:raw@127.0.0.1:${socket.address().port}>`;
      const lines = [statusLine, ...head, ...headers, contact, 'Content-Length: 0', '', ''];
      socket.send(lines.join('\r\n'), port, '127.0.0.1');
    },
    close: () => socket.close(),
  };
}

test('no CANCEL leaves before a provisional answer, and one leaves with it', async () => {
  const far = await openRawEnd();
  await using caller = await openSipCaller(far.port, { times: SHORT_TIMES });
  const call = caller.dial();
  await until('the INVITE is there', () => far.methods.length > 0);
  const hangUp = call.leg.hangUp();
  await until('the INVITE was repeated', () => far.methods.length > 2);
  assert.ok(!far.methods.includes('CANCEL'));
  far.reply('SIP/2.0 180 Ringing', ['To: <sip:x@127.0.0.1>;tag=far'], caller.line.localPort);
  await until('the CANCEL is there', () => far.methods.includes('CANCEL'));
  far.reply('SIP/2.0 487 Request Terminated', ['To: <sip:x@127.0.0.1>;tag=far'], caller.line.localPort);
  assert.equal(await hangUp, 'confirmed');
  await until('the 487 is acknowledged', () => far.methods.includes('ACK'));
  far.close();
});

test('a repeated answer is acknowledged each time; the answer of a second phone gets ACK and BYE', async () => {
  const far = await openRawEnd();
  await using caller = await openSipCaller(far.port, { times: SHORT_TIMES });
  const call = caller.dial();
  await until('the INVITE is there', () => far.methods.length > 0);
  const count = (method: string): number => far.methods.filter((each) => each === method).length;
  for (const times of [1, 2, 3]) {
    far.reply('SIP/2.0 200 OK', ['To: <sip:x@127.0.0.1>;tag=one'], caller.line.localPort);
    await until(`ACK number ${times}`, () => count('ACK') === times);
  }
  far.reply('SIP/2.0 200 OK', ['To: <sip:x@127.0.0.1>;tag=two'], caller.line.localPort);
  await until('the second phone has its BYE', () => count('BYE') > 0);
  assert.equal(count('ACK'), 4);
  assert.deepEqual(call.kinds(), ['answered']);
  const hangUp = call.leg.hangUp();
  assert.equal(await hangUp, 'unconfirmed', 'the raw end answers no BYE');
  far.close();
});

test('inside the call: hold, refresh, options and digits are answered; nonsense is refused', async () => {
  await using far = await openFarEnd((incoming, userAgent) => answer(incoming, userAgent));
  await using caller = await openSipCaller(far.port);
  const call = caller.dial();
  await call.told('answered');
  const invite = far.invites()[0] as Incoming; // it was answered
  let dialog = dialogOf(invite, far.userAgent);
  const ask = async (method: string, body?: string, type?: string): Promise<SipResponse> => {
    const response = await far.ask(dialog, method, body, type);
    dialog = { ...dialog, localCSeq: dialog.localCSeq + 1 };
    return response;
  };
  const held = await ask('INVITE', SDP(40_000, 'sendonly'));
  assert.equal(held.status, 200);
  assert.match(held.body, /a=recvonly/);
  assert.equal((await ask('INVITE')).status, 200);
  assert.equal((await ask('UPDATE')).status, 200);
  assert.equal((await ask('UPDATE', SDP(40_002))).status, 200);
  assert.equal((await ask('INVITE', 'not SDP')).status, 488);
  assert.equal((await ask('OPTIONS')).status, 200);
  assert.equal((await ask('INFO', 'Signal=5\r\nDuration=160\r\n', 'application/dtmf-relay')).status, 200);
  assert.equal((await call.told('digit')).digit, '5');
  assert.equal((await ask('REFER')).status, 405);
  assert.equal((await ask('DANCE')).status, 501);
  dialog = { ...dialog, localCSeq: 0 };
  assert.equal((await ask('OPTIONS')).status, 500, 'an old number');
  assert.equal((await far.ask({ ...dialog, localTag: 'stranger' }, 'BYE')).status, 481);
  dialog = { ...dialog, localCSeq: 50 };
  assert.equal((await ask('BYE')).status, 200);
  assert.equal((await call.told('ended')).by, 'recipient');
  assert.equal((await ask('OPTIONS')).status, 481, 'the call is over');
});

test('strangers get the standard answers', async () => {
  await using far = await openFarEnd((incoming) => incoming.respond({ status: 486, reason: 'Busy Here' }));
  await using caller = await openSipCaller(far.port);
  const stranger: Dialog = {
    callId: 'nobody',
    localTag: 'a',
    remoteTag: '',
    local: '<sip:a@127.0.0.1>',
    remote: '<sip:errand@127.0.0.1>',
    contact: CONTACT(far.userAgent),
    remoteTarget: `sip:errand@127.0.0.1:${caller.line.localPort}`,
    routeSet: [],
    localCSeq: 0,
    remoteCSeq: null,
  };
  const table = { OPTIONS: 200, INVITE: 480, BYE: 481, REGISTER: 405, DANCE: 501 };
  for (const [method, status] of Object.entries(table)) {
    assert.equal((await far.ask(stranger, method)).status, status, method);
  }
  assert.equal((await far.ask({ ...stranger, remoteTag: 'b' }, 'INVITE')).status, 481);
});

test('a storm of hostile datagrams neither stops the line nor a call on it', async () => {
  await using far = await openFarEnd((incoming, userAgent) => answer(incoming, userAgent));
  await using caller = await openSipCaller(far.port);
  const call = caller.dial();
  await call.told('answered');
  const chance = new SeededChance(7);
  const raw = createSocket('udp4');
  const seedText =
    'BYE sip:x SIP/2.0\r\nVia: SIP/2.0/UDP a;branch=z9hG4bK\r\nFrom: <sip:a>;tag=1\r\nCSeq: 1 BYE\r\n\r\n';
  for (let round = 0; round < 2_000; round++) {
    const bytes = chance.integer(2) === 0 ? chance.bytes(1 + chance.integer(200)) : Buffer.from(seedText);
    bytes[chance.integer(bytes.length)] = chance.integer(256);
    await new Promise<void>((resolve) => {
      raw.send(bytes, caller.line.localPort, '127.0.0.1', () => resolve());
    });
  }
  raw.close();
  assert.equal(await call.leg.hangUp(), 'confirmed');
  assert.equal((await call.told('ended')).by, 'us');
});

test('a hang-up that nobody answers is unconfirmed, and the call is told as ended', async () => {
  await using far = await openFarEnd((incoming, userAgent) => answer(incoming, userAgent));
  await using caller = await openSipCaller(far.port, { times: SHORT_TIMES });
  const call = caller.dial();
  await call.told('answered');
  await far[Symbol.asyncDispose]();
  assert.equal(await call.leg.hangUp(), 'unconfirmed');
  assert.equal((await call.told('ended')).by, 'us');
});

test('a CANCEL without any final answer is given up, unconfirmed', async () => {
  await using far = await openFarEnd((incoming) => incoming.respond({ status: 180, reason: 'Ringing' }));
  await using caller = await openSipCaller(far.port, { times: SHORT_TIMES });
  const call = caller.dial();
  await call.told('ringing');
  assert.equal(await call.leg.hangUp(), 'unconfirmed');
  assert.equal(call.kinds().at(-1), 'given_up');
});

test('a listener that throws does not hurt the call', async () => {
  await using far = await openFarEnd((incoming, userAgent) => answer(incoming, userAgent));
  await using caller = await openSipCaller(far.port);
  let told = 0;
  const record = caller.line.prepare({ callId: systemChance.uuid(), to: '+15550100199', callerName: null });
  const leg = caller.line.dial(record, () => {
    told++;
    throw new Error('a bug');
  });
  await until('everything was told', () => told >= 3);
  assert.equal(await leg.hangUp(), 'confirmed');
  assert.ok(far.requests.some((each) => each.request.method === 'BYE'));
});

test('closing the line hangs up the calls that are there', async () => {
  await using far = await openFarEnd((incoming, userAgent) => answer(incoming, userAgent));
  const caller = await openSipCaller(far.port);
  const call = caller.dial();
  await call.told('answered');
  await caller[Symbol.asyncDispose]();
  assert.equal((await call.told('ended')).by, 'us');
  assert.ok(far.requests.some((each) => each.request.method === 'BYE'));
});

test('a phone of the same core answers, hears the hang-up, and can hang up itself', async () => {
  const told: string[] = [];
  const calls: IncomingCall[] = [];
  await using far = await openFarEnd((incoming, userAgent) => {
    const call: IncomingCall = new IncomingCall(incoming, userAgent, CONTACT(userAgent), {
      cancelled: () => told.push('cancelled'),
      established: () => told.push('established'),
      ended: (by) => told.push(`ended by ${by}`),
      offered: () => null,
    });
    calls.push(call);
    call.trying();
    call.ring();
    call.answer(SDP(40_000));
  });
  await using caller = await openSipCaller(far.port);
  const call = caller.dial();
  await call.told('answered');
  await until('the phone has its ACK', () => told.includes('established'));
  assert.equal(await calls[0]?.hangUp(), 'confirmed');
  assert.equal((await call.told('ended')).by, 'recipient');
  assert.deepEqual(told, ['established', 'ended by us']);
});
