// From the dial to the last report: each way a call can go comes to exactly one truthful end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stage, TEXT_LEG } from '../../test/support/conversation-stage.ts';
import type { WorkerEvent } from '../dispatch/call-event.ts';
import type { LegEvent } from '../line/line.ts';
import { HANG_UP_LIMIT_MS, SETTLE_MS } from './course.ts';
import type { CourseEvent } from './course.ts';

const leg = (event: LegEvent): CourseEvent => ({ kind: 'leg', event });
const acknowledged = leg({ kind: 'acknowledged' });
const answered = leg({ kind: 'answered', media: TEXT_LEG });
const refused = (because: string): CourseEvent =>
  leg({ kind: 'refused', verdict: { code: 'destination_busy', because } });
const ended = (by: 'recipient' | 'us' | 'network'): CourseEvent => leg({ kind: 'ended', by, because: by });
const confirmed: CourseEvent = { kind: 'hung_up', outcome: 'confirmed' };
const unconfirmed: CourseEvent = { kind: 'hung_up', outcome: 'unconfirmed' };
const cancel: CourseEvent = { kind: 'cancel' };
const stop: CourseEvent = { kind: 'stop' };

interface Row {
  readonly name: string;
  readonly events: readonly CourseEvent[];
  /** The last report; undefined: the call goes on. */
  readonly outcome: Partial<WorkerEvent> | undefined;
  readonly hangUps: number;
}

const ROWS: readonly Row[] = [
  {
    name: 'busy',
    events: [refused('486 Busy Here')],
    outcome: { kind: 'refused', code: 'destination_busy' },
    hangUps: 0,
  },
  { name: 'never acknowledged', events: [leg({ kind: 'given_up' })], outcome: { kind: 'unacknowledged' }, hangUps: 0 },
  {
    name: 'acknowledged late and answered',
    events: [leg({ kind: 'unacknowledged' }), acknowledged, answered, ended('recipient')],
    outcome: { kind: 'ended', code: null },
    hangUps: 0,
  },
  {
    name: 'hung up by the recipient',
    events: [answered, ended('recipient')],
    outcome: { kind: 'ended', code: null },
    hangUps: 0,
  },
  {
    name: 'dropped by the network',
    events: [answered, ended('network')],
    outcome: { kind: 'ended', code: 'call_interrupted' },
    hangUps: 0,
  },
  {
    name: 'cancelled while it rings',
    events: [acknowledged, cancel, confirmed, refused('487 Request Terminated')],
    outcome: { kind: 'hang_up_confirmed' },
    hangUps: 1,
  },
  {
    name: 'cancelled while it rings, refused first',
    events: [acknowledged, cancel, refused('486 Busy Here'), confirmed],
    outcome: { kind: 'refused', code: 'destination_busy' },
    hangUps: 1,
  },
  {
    name: 'answered across the cancel',
    events: [acknowledged, cancel, answered, ended('us'), confirmed],
    outcome: { kind: 'hang_up_confirmed' },
    hangUps: 1,
  },
  {
    name: 'cancelled in mid-call',
    events: [answered, cancel, ended('us'), confirmed],
    outcome: { kind: 'hang_up_confirmed' },
    hangUps: 1,
  },
  {
    name: 'cancelled in mid-call, nobody acknowledges',
    events: [answered, cancel, unconfirmed],
    outcome: { kind: 'hang_up_unconfirmed' },
    hangUps: 1,
  },
  {
    name: 'cancelled while the recipient hangs up',
    events: [answered, cancel, ended('recipient'), confirmed],
    outcome: { kind: 'ended', code: null },
    hangUps: 1,
  },
  {
    name: 'cancelled twice',
    events: [answered, cancel, cancel, ended('us'), confirmed],
    outcome: { kind: 'hang_up_confirmed' },
    hangUps: 1,
  },
  {
    name: 'cancelled before any word from the carrier, which stays mute',
    events: [cancel, leg({ kind: 'given_up' })],
    outcome: { kind: 'hang_up_unconfirmed' },
    hangUps: 1,
  },
  {
    name: 'stopped while it rings',
    events: [acknowledged, stop, confirmed, refused('487 Request Terminated')],
    outcome: { kind: 'refused', code: 'no_answer' },
    hangUps: 1,
  },
  {
    name: 'somebody on the way gives up',
    events: [acknowledged, refused('487 Request Terminated')],
    outcome: { kind: 'refused', code: 'destination_busy' },
    hangUps: 0,
  },
  {
    name: 'answered on a leg without text',
    events: [
      leg({ kind: 'answered', media: { hasText: false, audio: 'PCMU', hasDigits: true } }),
      confirmed,
      ended('us'),
    ],
    outcome: { kind: 'ended', code: 'call_interrupted' },
    hangUps: 1,
  },
  { name: 'the claim is stale', events: [answered, { kind: 'lost' }], outcome: { kind: 'answered' }, hangUps: 0 },
];

for (const { name, events, outcome, hangUps } of ROWS) {
  test(`a call that is ${name} ends once and truthfully`, () => {
    const stage = new Stage({ hangUp: null });
    for (const event of events) stage.happen(event);
    assert.equal(stage.dials, 1);
    assert.equal(stage.finishes, 1);
    assert.equal(stage.hangUpsAtMs.length, hangUps);
    for (const [field, value] of Object.entries(outcome ?? {})) {
      assert.equal(Object.entries(stage.outcome ?? {}).find(([each]) => each === field)?.[1], value, field);
    }
    const reports = stage.reports.length;
    for (const event of [answered, ended('recipient'), refused('486'), cancel, stop, confirmed]) stage.happen(event);
    assert.equal(stage.reports.length, reports, 'nothing is reported after the end');
    assert.equal(stage.runningTimers.length, 0);
  });
}

test('a hang-up that nothing answers is unconfirmed when its timers are over', () => {
  const stage = new Stage({ hangUp: null });
  stage.answer();
  stage.happen(cancel);
  stage.pass(HANG_UP_LIMIT_MS - 1);
  assert.equal(stage.finishes, 0);
  stage.pass(1);
  assert.deepEqual(stage.outcome, { kind: 'hang_up_unconfirmed' });
});

test('a confirmed hang-up whose end does not come is confirmed after a moment', () => {
  const stage = new Stage({ hangUp: null });
  stage.answer();
  stage.happen(cancel);
  stage.happen(confirmed);
  assert.equal(stage.finishes, 0);
  stage.pass(SETTLE_MS);
  assert.deepEqual(stage.outcome, { kind: 'hang_up_confirmed' });
});

test('a stop before the answer that nobody acknowledges leaves the dial unconfirmed', () => {
  const stage = new Stage({ hangUp: null });
  stage.happen(stop);
  stage.pass(HANG_UP_LIMIT_MS);
  assert.equal(stage.outcome?.kind, 'unacknowledged');
});

test('news of the line is reported in its order', () => {
  const stage = new Stage();
  const record = { carrier: 'sip', reference: 'x' } as const;
  stage.happen(leg({ kind: 'record', record }));
  stage.happen(acknowledged);
  stage.happen(leg({ kind: 'ringing' }));
  stage.happen(answered);
  assert.deepEqual(stage.reports, [
    { kind: 'leg_changed', record },
    { kind: 'acknowledged' },
    { kind: 'ringing' },
    { kind: 'answered' },
  ]);
});

test('a leg without text is told in the transcript before it is hung up', () => {
  const stage = new Stage();
  stage.answer({ hasText: false, audio: 'PCMU', hasDigits: false });
  assert.equal(stage.segments[0]?.speaker, 'system');
  assert.equal(stage.prompts.length, 0);
  assert.equal(stage.finishes, 1);
});
