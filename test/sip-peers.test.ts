// The SIP line against other people's stacks: SIPp as an exact far end, kamailio as a trunk with digest, baresip as a phone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Verdict } from '../src/line/line.ts';
import { startPhone } from './peers/baresip.ts';
import { startTrunk, TRUNK_CREDENTIALS } from './peers/kamailio.ts';
import type { ScenarioName } from './peers/sipp-scenarios.ts';
import { startSipp } from './peers/sipp.ts';
import { requirePeer } from './support/peers.ts';
import { openSipCaller } from './support/sip-caller.ts';
import { until } from './support/until.ts';

interface Refusal {
  readonly scenario: ScenarioName;
  readonly verdict: Verdict;
  readonly kinds: readonly string[];
}

const REFUSALS: readonly Refusal[] = [
  {
    scenario: 'busy',
    verdict: { code: 'destination_busy', because: '486 Busy Here; Q.850 17' },
    kinds: ['acknowledged', 'refused'],
  },
  {
    scenario: 'declined',
    verdict: { code: 'destination_rejected', because: '603 Decline' },
    kinds: ['acknowledged', 'ringing', 'refused'],
  },
  {
    scenario: 'unanswered',
    verdict: { code: 'no_answer', because: '480 Temporarily Unavailable; Q.850 19' },
    kinds: ['acknowledged', 'ringing', 'refused'],
  },
  {
    scenario: 'unknownNumber',
    verdict: { code: 'destination_unreachable', because: '404 Not Found; Q.850 1' },
    kinds: ['refused'],
  },
  {
    scenario: 'congested',
    verdict: { code: 'carrier_unavailable', because: '503 Service Unavailable' },
    kinds: ['refused'],
  },
];

for (const { scenario, verdict, kinds } of REFUSALS) {
  test(`sipp, ${scenario}: the refusal is acknowledged and becomes ${verdict.code}`, async (t) => {
    if (requirePeer(t, 'sipp') === undefined) return;
    await using sipp = await startSipp(scenario);
    await using caller = await openSipCaller(sipp.port);
    const call = caller.dial();
    assert.deepEqual((await call.told('refused')).verdict, verdict);
    assert.deepEqual(call.kinds(), kinds);
    assert.equal(await call.leg.hangUp(), 'confirmed');
    await sipp.asScripted();
  });
}

test('sipp, mute: a carrier that says nothing is told as unacknowledged, and the dial goes on', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('mute');
  await using caller = await openSipCaller(sipp.port, {
    acknowledgeMs: 200,
    times: { t1Ms: 20, t2Ms: 80, t4Ms: 100 },
  });
  const call = caller.dial();
  await call.told('unacknowledged');
  assert.deepEqual(call.kinds(), ['unacknowledged']);
  await call.told('given_up');
  assert.deepEqual(call.kinds(), ['unacknowledged', 'given_up']);
  assert.equal(await call.leg.hangUp(), 'unconfirmed');
});

test('sipp, ringing: our hang-up is a CANCEL, confirmed by 487', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('ringsUntilCancelled');
  await using caller = await openSipCaller(sipp.port);
  const call = caller.dial();
  await call.told('ringing');
  assert.equal(await call.leg.hangUp(), 'confirmed');
  const { verdict } = await call.told('refused');
  assert.match(verdict.because, /^487/);
  await sipp.asScripted();
});

test('sipp, ringing: a phone that rings too long is cancelled and counts as no_answer', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('ringsUntilCancelled');
  await using caller = await openSipCaller(sipp.port, { ringMs: 300 });
  const call = caller.dial();
  assert.deepEqual((await call.told('refused')).verdict, {
    code: 'no_answer',
    because: 'not answered within 300 ms',
  });
  await sipp.asScripted();
});

test('sipp: an answer that crosses our CANCEL is acknowledged and ended with BYE, and never told as answered', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('answersDespiteCancel');
  await using caller = await openSipCaller(sipp.port);
  const call = caller.dial();
  await call.told('ringing');
  assert.equal(await call.leg.hangUp(), 'confirmed');
  await call.told('refused');
  assert.ok(!call.kinds().includes('answered'));
  await sipp.asScripted();
});

test('sipp: an answered call carries audio both ways until our BYE', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('answers');
  await using caller = await openSipCaller(sipp.port);
  const call = caller.dial();
  assert.deepEqual((await call.told('answered')).media, { hasText: false, audio: 'PCMU', hasDigits: true });
  await until('our audio comes back as an echo', () => call.counts().audioReceived > 10);
  assert.equal(await call.leg.hangUp(), 'confirmed');
  assert.equal((await call.told('ended')).by, 'us');
  assert.deepEqual(call.kinds(), ['acknowledged', 'ringing', 'answered', 'ended']);
  await sipp.asScripted();
});

test('sipp: early media is not an answer', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('earlyMedia');
  await using caller = await openSipCaller(sipp.port);
  const call = caller.dial();
  await call.told('acknowledged');
  await until('the early dialog is in the record', () => call.leg.record['dialog'] !== null);
  assert.deepEqual(call.kinds(), ['acknowledged']);
  await call.told('answered');
  assert.equal(await call.leg.hangUp(), 'confirmed');
  await sipp.asScripted();
});

test('sipp: a far end that hangs up ends the call', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('hangsUp');
  await using caller = await openSipCaller(sipp.port);
  const call = caller.dial();
  assert.equal((await call.told('ended')).by, 'recipient');
  assert.deepEqual(call.kinds(), ['acknowledged', 'ringing', 'answered', 'ended']);
  await sipp.asScripted();
});

test('sipp: a 407 is answered once, with credentials', async (t) => {
  if (requirePeer(t, 'sipp') === undefined) return;
  await using sipp = await startSipp('challenges');
  await using caller = await openSipCaller(sipp.port, { credentials: TRUNK_CREDENTIALS });
  const call = caller.dial();
  await call.told('answered');
  assert.equal(await call.leg.hangUp(), 'confirmed');
  await sipp.asScripted();
});

for (const algorithm of ['MD5', 'SHA-256'] as const) {
  test(`kamailio with ${algorithm} digest, baresip behind it: answered, audio both ways, our hang-up`, async (t) => {
    if (requirePeer(t, 'kamailio') === undefined || requirePeer(t, 'baresip') === undefined) return;
    await using phone = await startPhone();
    await using trunk = await startTrunk({ algorithm, phoneUri: phone.uri });
    await using caller = await openSipCaller(trunk.port, { credentials: TRUNK_CREDENTIALS });
    const call = caller.dial();
    assert.equal((await call.told('answered')).media.audio, 'PCMU');
    await phone.happened('CALL_ESTABLISHED');
    await phone.happened('CALL_RTPESTAB');
    await until('the phone is heard', () => call.counts().audioReceived > 10);
    await call.leg.sendDigits('7');
    assert.equal((await phone.happened('CALL_DTMF_START')).param, '7');
    assert.equal(await call.leg.hangUp(), 'confirmed');
    await phone.happened('CALL_CLOSED');
  });

  test(`kamailio with ${algorithm} digest, baresip behind it: the phone hangs up`, async (t) => {
    if (requirePeer(t, 'kamailio') === undefined || requirePeer(t, 'baresip') === undefined) return;
    await using phone = await startPhone();
    await using trunk = await startTrunk({ algorithm, phoneUri: phone.uri });
    await using caller = await openSipCaller(trunk.port, { credentials: TRUNK_CREDENTIALS });
    const call = caller.dial();
    await call.told('answered');
    await phone.happened('CALL_ESTABLISHED');
    phone.command('hangup');
    assert.equal((await call.told('ended')).by, 'recipient');
  });
}

test('kamailio: a wrong password is refused after one try', async (t) => {
  if (requirePeer(t, 'kamailio') === undefined) return;
  await using trunk = await startTrunk({ algorithm: 'SHA-256', phoneUri: 'sip:nobody@127.0.0.1:9' });
  await using caller = await openSipCaller(trunk.port, { credentials: { user: 'alice', password: 'wrong' } });
  const call = caller.dial();
  assert.equal((await call.told('refused')).verdict.code, 'carrier_rejected');
  assert.equal(call.leg.record['inviteCSeq'], 2);
});

test('kamailio: a call without credentials is refused', async (t) => {
  if (requirePeer(t, 'kamailio') === undefined) return;
  await using trunk = await startTrunk({ algorithm: 'MD5', phoneUri: 'sip:nobody@127.0.0.1:9' });
  await using caller = await openSipCaller(trunk.port);
  const call = caller.dial();
  assert.equal((await call.told('refused')).verdict.code, 'carrier_rejected');
});
