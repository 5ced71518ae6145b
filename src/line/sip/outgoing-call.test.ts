// The call machine on paper: long random lives that must keep its promises, whatever arrives in whatever order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededChance } from '../../../test/support/moved-clock.ts';
import { formatVia } from './header.ts';
import type { SipLegRecord } from './leg-record.ts';
import { makeRequest, makeResponse, type Header, type SipRequest } from './message.ts';
import { newCall, nextCall, type CallAction, type CallEvent, type CallRules, type CallState } from './outgoing-call.ts';

const local = { host: '127.0.0.1', port: 5070 };
const RULES: CallRules = {
  local,
  credentials: { user: 'alice', password: 'secret' },
  userAgent: 'Errand',
  ringMs: 45_000,
  acknowledgeMs: 8_000,
  cancelledMs: 32_000,
};

const RECORD: SipLegRecord = {
  carrier: 'sip',
  version: 1,
  reference: 'id@errand',
  epoch: 0,
  requestUri: 'sip:+15550100199@trunk.example',
  from: '<sip:+15550100100@trunk.example>',
  to: '<sip:+15550100199@trunk.example>',
  contact: '<sip:errand@127.0.0.1:5070>',
  assertedIdentity: null,
  localTag: 'ours',
  inviteCSeq: 1,
  inviteVia: formatVia(local, 'seed.0.0'),
  branchSeed: 'seed',
  cnonceSeed: 'nonce',
  branches: 0,
  challenges: [],
  offer: null,
  answer: null,
  dialog: null,
  isAnswered: false,
  lastAck: null,
};

const STATUSES = [100, 180, 183, 200, 200, 302, 401, 407, 407, 486, 487, 503, 603];

function responseEvent(state: CallState, chance: SeededChance): CallEvent {
  const status = STATUSES[chance.integer(STATUSES.length)] ?? 100;
  const realm = ['r', 's'][chance.integer(2)];
  const stale = chance.integer(3) === 0 ? ', stale=true' : '';
  const challenge = `Digest realm="${realm}", nonce="${chance.integer(1_000)}", qop="auth"${stale}`;
  const headers: Header[] = [{ name: 'contact', value: '<sip:far@127.0.0.1:5080>' }];
  if (status === 401) headers.push({ name: 'www-authenticate', value: challenge });
  if (status === 407) headers.push({ name: 'proxy-authenticate', value: challenge });
  const toTag = `far${chance.integer(3)}`;
  const request = state.invite ?? makeInvite();
  return {
    kind: 'invite_news',
    news: { kind: 'response', response: makeResponse(request, { status, reason: '', toTag, headers, body: '' }) },
  };
}

const makeInvite = (): SipRequest =>
  makeRequest('INVITE', RECORD.requestUri, [
    { name: 'via', value: RECORD.inviteVia },
    { name: 'from', value: `${RECORD.from};tag=ours` },
    { name: 'to', value: RECORD.to },
    { name: 'call-id', value: RECORD.reference },
    { name: 'cseq', value: '1 INVITE' },
  ]);

function randomEvent(state: CallState, chance: SeededChance): CallEvent {
  switch (chance.integer(9)) {
    case 0:
      return { kind: 'hang_up' };
    case 1:
      return { kind: 'timer', timer: 'ring' };
    case 2:
      return { kind: 'timer', timer: 'acknowledge' };
    case 3:
      return chance.integer(6) === 0 ? { kind: 'timer', timer: 'cancelled' } : { kind: 'dial', offer: 'v=0' };
    case 4:
      return chance.integer(6) === 0
        ? { kind: 'invite_news', news: { kind: 'timed_out' } }
        : responseEvent(state, chance);
    case 5:
      return chance.integer(3) === 0 ? { kind: 'bye_news', news: { kind: 'timed_out' } } : responseEvent(state, chance);
    default:
      return responseEvent(state, chance);
  }
}

/** What one life did, with every promise checked as it went. */
function live(seed: number): void {
  const chance = new SeededChance(seed);
  let state = newCall(RECORD);
  const vias = new Set<string>();
  let [invites, lasts, answers, provisionals, challenges] = [0, 0, 0, 0, 0];
  const events: CallEvent[] = [{ kind: 'dial', offer: 'v=0' }];
  for (let step = 0; step < 40; step++) {
    const event = events.shift() ?? randomEvent(state, chance);
    const response = event.kind === 'invite_news' && event.news.kind === 'response' ? event.news.response : null;
    if (response !== null && response.status < 200 && response.cseq.number === state.invite?.cseq.number)
      provisionals++;
    if (response?.status === 401 || response?.status === 407) challenges++;
    const before = state.phase;
    const next = nextCall(state, event, RULES);
    state = next.state;
    for (const action of next.actions) check(action);
    if (before === 'over') assert.equal(state.phase, 'over', `seed ${seed}: a call that is over stays over`);
  }

  function check(action: CallAction): void {
    const where = `seed ${seed}`;
    if (action.kind === 'invite') {
      invites++;
      provisionals = 0;
      assert.ok(invites <= 1 + challenges, `${where}: an INVITE that nobody asked for`);
      assert.ok(invites <= 9, `${where}: at most twice for each of four realms`);
      assert.equal(lasts + answers, 0, `${where}: an INVITE after the end or the answer`);
    }
    if (action.kind === 'cancel') assert.ok(provisionals > 0, `${where}: a CANCEL before a provisional answer`);
    if (action.kind === 'invite' || action.kind === 'bye') {
      const via = action.request.headers.find((each) => each.name === 'via')?.value ?? '';
      assert.ok(!vias.has(via), `${where}: a branch used twice`);
      vias.add(via);
    }
    if (action.kind === 'answered') {
      answers++;
      assert.equal(answers, 1, `${where}: answered twice`);
    }
    if (action.kind !== 'tell' || action.event.kind === 'record') return;
    assert.equal(lasts, 0, `${where}: ${action.event.kind} after the end`);
    if (action.event.kind === 'ended') assert.equal(answers, 1, `${where}: ended without an answer`);
    if (['ended', 'refused', 'given_up'].includes(action.event.kind)) lasts++;
  }
}

test('whatever arrives: one dial, no CANCEL too early, no branch twice, one end and nothing after it', () => {
  for (let seed = 1; seed <= 5_000; seed++) live(seed);
});
