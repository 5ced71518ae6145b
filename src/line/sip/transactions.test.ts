import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovedClock } from '../../../test/support/moved-clock.ts';
import type { Timer } from '../../platform/clock.ts';
import { newClientTransaction, nextClient, type ClientEvent } from './client-transaction.ts';
import { makeRequest, makeResponse, type SipRequest, type SipResponse } from './message.ts';
import { newServerTransaction, nextServer, type ServerEvent } from './server-transaction.ts';
import { DEFAULT_TIMES } from './timers.ts';

function requestOf(method: string): SipRequest {
  return makeRequest(method, 'sip:b@b.example', [
    { name: 'via', value: 'SIP/2.0/UDP a.example:5060;branch=z9hG4bK1' },
    { name: 'route', value: '<sip:proxy.example;lr>' },
    { name: 'from', value: '<sip:a@a.example>;tag=1' },
    { name: 'to', value: '<sip:b@b.example>' },
    { name: 'call-id', value: 'x' },
    { name: 'cseq', value: `1 ${method}` },
  ]);
}

const answer = (request: SipRequest, status: number): SipResponse =>
  makeResponse(request, { status, reason: '', toTag: 'two' });

/** A transaction with its timers on a moved clock, and a diary of what it did and when. */
function run(kind: 'client' | 'server', method: string) {
  const clock = new MovedClock();
  const request = requestOf(method);
  const timers = new Map<string, Timer>();
  const diary: string[] = [];
  let client = newClientTransaction(request, DEFAULT_TIMES);
  let server = newServerTransaction(request);
  const note = (what: string): void => {
    diary.push(`${clock.monotonicMs()} ${what}`);
  };
  const feed = (event: ClientEvent | ServerEvent): void => {
    const step =
      kind === 'client'
        ? nextClient(client, event as ClientEvent, DEFAULT_TIMES) // the caller feeds the kind that it runs
        : nextServer(server, event as ServerEvent, DEFAULT_TIMES);
    if ('sent' in step.state) client = step.state;
    else server = step.state;
    if (step.state.phase === 'over') for (const timer of timers.values()) timer.cancel();
    for (const action of step.actions) {
      if (action.kind === 'arm') {
        timers.get(action.timer)?.cancel();
        const fired = { kind: 'timer', timer: action.timer } as ClientEvent; // the timer is of the machine that armed it
        timers.set(
          action.timer,
          clock.after(action.delayMs, () => feed(fired)),
        );
      } else if (action.kind === 'disarm') timers.get(action.timer)?.cancel();
      else if (action.kind === 'send') note('request' in action ? action.request.method : `${action.response.status}`);
      else if (action.kind === 'tell')
        note(action.news.kind === 'response' ? `told ${action.news.response.status}` : action.news.kind);
      else note('unacknowledged');
    }
  };
  return {
    clock,
    request,
    feed,
    diary,
    phase: () => (kind === 'client' ? client.phase : server.phase),
    receive: (status: number) => feed({ kind: 'response', response: answer(request, status) }),
    respond: (status: number) => feed({ kind: 'respond', response: answer(request, status) }),
  };
}

test('an INVITE without an answer is sent at 0, 0.5, 1.5, 3.5, 7.5, 15.5 and 31.5 s, and given up at 32 s', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.clock.move(60_000);
  const sent = [0, 500, 1_500, 3_500, 7_500, 15_500, 31_500].map((ms) => `${ms} INVITE`);
  assert.deepEqual(call.diary, [...sent, '32000 timed_out']);
  assert.equal(call.phase(), 'over');
  assert.equal(call.clock.waiting, 0);
});

test('a provisional answer stops the repetition of an INVITE and its giving up', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.clock.move(600);
  call.receive(100);
  call.clock.move(600_000);
  assert.deepEqual(call.diary, ['0 INVITE', '500 INVITE', '600 told 100']);
  assert.equal(call.phase(), 'proceeding');
});

test('a refused INVITE is acknowledged, again with every repetition for 32 s, and told once', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.receive(486);
  call.clock.move(1_000);
  call.receive(486);
  call.receive(200);
  assert.deepEqual(call.diary, ['0 INVITE', '0 ACK', '0 told 486', '1000 ACK']);
  call.clock.move(31_000);
  assert.equal(call.phase(), 'over');
});

test('the ACK of a refusal has the Via, Route and CSeq number of the INVITE and the To of the refusal', () => {
  const invite = requestOf('INVITE');
  const state = newClientTransaction(invite, DEFAULT_TIMES);
  const { state: after } = nextClient(state, { kind: 'response', response: answer(invite, 404) }, DEFAULT_TIMES);
  assert.ok(after.ack !== null);
  assert.deepEqual(after.ack.via, invite.via);
  assert.deepEqual(after.ack.cseq, { number: 1, method: 'ACK' });
  assert.equal(after.ack.toTag, 'two');
  assert.ok(after.ack.headers.some((each) => each.name === 'route' && each.value === '<sip:proxy.example;lr>'));
});

test('every repeated 2xx is told for 32 s, since its ACK is not the transaction\u2019s', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.receive(200);
  call.clock.move(31_999);
  call.receive(200);
  assert.deepEqual(call.diary, ['0 INVITE', '0 told 200', '31999 told 200']);
  call.clock.move(1);
  assert.equal(call.phase(), 'over');
});

test('an INVITE that could not leave reached nobody; a repetition that could not leave says nothing', () => {
  const first = run('client', 'INVITE');
  first.feed({ kind: 'started' });
  first.feed({ kind: 'unsendable', because: 'no route' });
  assert.deepEqual(first.diary, ['0 INVITE', '0 not_sent']);
  const second = run('client', 'INVITE');
  second.feed({ kind: 'started' });
  second.clock.move(500);
  second.feed({ kind: 'unsendable', because: 'no route' });
  second.clock.move(40_000);
  assert.equal(second.diary.at(-1), '32000 timed_out');
});

test('a refusal by the network stops an INVITE that was sent once, and waits T1 for an answer after all', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.feed({ kind: 'refused_by_network', because: 'ECONNREFUSED' });
  call.clock.move(40_000);
  assert.deepEqual(call.diary, ['0 INVITE', '500 not_sent']);
  const answered = run('client', 'INVITE');
  answered.feed({ kind: 'started' });
  answered.feed({ kind: 'refused_by_network', because: 'ECONNREFUSED' });
  answered.receive(100);
  answered.clock.move(40_000);
  assert.deepEqual(answered.diary, ['0 INVITE', '0 told 100']);
});

test('a refusal by the network after a repetition proves nothing: the INVITE goes on', () => {
  const call = run('client', 'INVITE');
  call.feed({ kind: 'started' });
  call.clock.move(500);
  call.feed({ kind: 'refused_by_network', because: 'ECONNREFUSED' });
  call.clock.move(40_000);
  assert.equal(call.diary.at(-1), '32000 timed_out');
});

test('a BYE without an answer is sent 11 times, with pauses up to 4 s, and given up at 32 s', () => {
  const call = run('client', 'BYE');
  call.feed({ kind: 'started' });
  call.clock.move(60_000);
  const sent = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500].map((ms) => `${ms} BYE`);
  assert.deepEqual(call.diary, [...sent, '32000 timed_out']);
});

test('a BYE is told its final answer once, and absorbs repetitions for 5 s', () => {
  const call = run('client', 'BYE');
  call.feed({ kind: 'started' });
  call.receive(200);
  call.receive(200);
  call.clock.move(4_999);
  assert.equal(call.phase(), 'completed');
  call.clock.move(1);
  assert.equal(call.phase(), 'over');
  assert.deepEqual(call.diary, ['0 BYE', '0 told 200']);
});

test('a provisional answer slows a BYE down to one in 4 s and does not stop it', () => {
  const call = run('client', 'BYE');
  call.feed({ kind: 'started' });
  call.receive(100);
  call.clock.move(9_000);
  assert.deepEqual(call.diary, ['0 BYE', '0 told 100', '500 BYE', '4500 BYE', '8500 BYE']);
});

test('a repeated INVITE gets the last answer again; none before the first', () => {
  const call = run('server', 'INVITE');
  call.feed({ kind: 'repeated' });
  call.respond(180);
  call.feed({ kind: 'repeated' });
  assert.deepEqual(call.diary, ['0 180', '0 180']);
});

test('our refusal is repeated until its ACK, then forgotten after 5 s', () => {
  const call = run('server', 'INVITE');
  call.respond(486);
  call.clock.move(1_600);
  call.feed({ kind: 'ack' });
  call.clock.move(4_999);
  assert.equal(call.phase(), 'confirmed');
  call.clock.move(1);
  assert.equal(call.phase(), 'over');
  assert.deepEqual(call.diary, ['0 486', '500 486', '1500 486']);
});

test('our answer is repeated with pauses up to 4 s until its ACK, and no other answer follows', () => {
  const call = run('server', 'INVITE');
  call.respond(200);
  call.respond(486);
  call.clock.move(8_000);
  call.feed({ kind: 'ack' });
  call.clock.move(60_000);
  assert.deepEqual(call.diary, ['0 200', '500 200', '1500 200', '3500 200', '7500 200']);
  assert.equal(call.phase(), 'over');
});

test('an answer that is never acknowledged is told after 32 s', () => {
  const call = run('server', 'INVITE');
  call.respond(200);
  call.clock.move(60_000);
  assert.equal(call.diary.at(-1), '32000 unacknowledged');
  assert.equal(call.phase(), 'over');
});

test('a repeated BYE gets the same answer for 32 s', () => {
  const call = run('server', 'BYE');
  call.respond(200);
  call.clock.move(31_000);
  call.feed({ kind: 'repeated' });
  assert.deepEqual(call.diary, ['0 200', '31000 200']);
  call.clock.move(1_000);
  assert.equal(call.phase(), 'over');
});
