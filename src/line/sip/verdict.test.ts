import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../line.ts';
import { makeRequest, makeResponse } from './message.ts';
import { verdictOf } from './verdict.ts';

const invite = makeRequest('INVITE', 'sip:b@b.example', [
  { name: 'via', value: 'SIP/2.0/UDP a.example;branch=z9hG4bK1' },
  { name: 'from', value: '<sip:a@a.example>;tag=1' },
  { name: 'to', value: '<sip:b@b.example>' },
  { name: 'call-id', value: 'x' },
  { name: 'cseq', value: '1 INVITE' },
]);

function verdict(status: number, cause?: number, hasRung = false): Verdict {
  const headers =
    cause === undefined ? [] : [{ name: 'reason', value: `SIP;cause=1, Q.850;cause=${cause};text="x, y"` }];
  return verdictOf(makeResponse(invite, { status, reason: 'Said so', headers }), hasRung);
}

const BY_STATUS: Readonly<Record<Exclude<Verdict['code'], 'submission_failed'>, readonly number[]>> = {
  destination_busy: [486, 600],
  no_answer: [408, 480, 487],
  destination_rejected: [433, 603, 607],
  destination_unreachable: [404, 410, 430, 482, 483, 484, 485, 502, 604],
  carrier_unavailable: [503, 504],
  carrier_rejected: [606, 608],
};

/** What is in no list above goes by its class. */
function expected(status: number): string {
  for (const [code, statuses] of Object.entries(BY_STATUS)) if (statuses.includes(status)) return code;
  if (status < 400) return 'destination_unreachable';
  return status < 600 ? 'carrier_rejected' : 'destination_rejected';
}

test('every status from 300 to 699 has its verdict', () => {
  for (let status = 300; status < 700; status++) {
    assert.equal(verdict(status).code, expected(status), `${status}`);
    assert.equal(verdict(status).because, `${status} Said so`);
  }
});

const BY_CAUSE: readonly [number, Verdict['code']][] = [
  [1, 'destination_unreachable'],
  [3, 'destination_unreachable'],
  [17, 'destination_busy'],
  [18, 'no_answer'],
  [19, 'no_answer'],
  [20, 'destination_unreachable'],
  [21, 'destination_rejected'],
  [22, 'destination_unreachable'],
  [27, 'destination_unreachable'],
  [28, 'destination_unreachable'],
  [34, 'carrier_unavailable'],
  [41, 'carrier_unavailable'],
  [57, 'carrier_rejected'],
];

test('a Q.850 cause says more than a status that gateways use for many things', () => {
  for (const [cause, code] of BY_CAUSE) {
    for (const status of [403, 480, 500, 503]) {
      assert.equal(verdict(status, cause).code, code, `${status} with cause ${cause}`);
      assert.equal(verdict(status, cause).because, `${status} Said so; Q.850 ${cause}`);
    }
  }
});

test('every cause leads to a verdict, and one that says nothing leaves it to the status', () => {
  for (let cause = 1; cause <= 127; cause++) assert.ok(verdict(500, cause).code.length > 0);
  for (const cause of [16, 31, 127]) assert.equal(verdict(480, cause).code, 'no_answer');
});

test('a certain status is not argued with', () => {
  assert.equal(verdict(486, 1).code, 'destination_busy');
  assert.equal(verdict(603, 17).code, 'destination_rejected');
  assert.equal(verdict(407, 17).code, 'carrier_rejected');
});

test('congestion after ringing is no unavailable carrier: something was dialled', () => {
  assert.equal(verdict(503, undefined, false).code, 'carrier_unavailable');
  assert.equal(verdict(503, undefined, true).code, 'carrier_rejected');
});

test('a reason phrase of the far end is cut and made plain', () => {
  const long = makeResponse(invite, { status: 500, reason: `\u202e${'x'.repeat(500)}` });
  assert.equal(verdictOf(long, false).because, `500 ?${'x'.repeat(79)}`);
});
