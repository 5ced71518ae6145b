// A whole errand on the wire: the interviewer calls a text phone over real SIP and RTP, and what was said gives the answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavesOf } from '../src/answers/leaves.ts';
import { createInterviewer } from '../src/conversation/interviewer/interviewer.ts';
import { createCallRunner } from '../src/conversation/runner.ts';
import type { WorkerEvent } from '../src/dispatch/call-event.ts';
import type { CallDesk, SpokenSegment } from '../src/dispatch/runner.ts';
import { createMedia } from '../src/line/media/media.ts';
import { openSipLine } from '../src/line/sip/sip-line.ts';
import { systemChance, systemClock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { readInterview } from '../src/result/interview.ts';
import { HANG_UP, TextPhone } from './support/text-phone.ts';
import type { PhoneReply } from './support/text-phone.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    open: { type: 'boolean', description: 'Are you open on Saturday?' },
    day: { type: 'string', enum: ['Monday', 'Tuesday'], description: 'Which day suits you best?' },
    seats: { type: 'integer', title: 'Number of free seats' },
    notes: { type: 'string' },
  },
};

class Notes implements CallDesk {
  readonly events: WorkerEvent[] = [];
  readonly segments: SpokenSegment[] = [];
  readonly cancelling = new AbortController();
  readonly stop = new AbortController().signal;

  get cancel(): AbortSignal {
    return this.cancelling.signal;
  }

  async report(event: WorkerEvent): Promise<boolean> {
    this.events.push(event);
    return true;
  }

  async record(segments: readonly SpokenSegment[]): Promise<number> {
    this.segments.push(...segments);
    return this.segments.length;
  }
}

/** Places one call to a phone that answers by `reply`; resolves when the runner is done. */
async function call(greeting: string | null, reply: (notes: Notes) => PhoneReply) {
  const media = createMedia({
    host: '127.0.0.1',
    firstPort: 31_000,
    lastPort: 39_998,
    clock: systemClock,
    chance: systemChance,
    onError: (error) => assert.fail(String(error)),
  });
  await using stack = new AsyncDisposableStack();
  stack.use(media);
  const notes = new Notes();
  const phone = stack.use(await TextPhone.open(media, greeting, reply(notes)));
  const log = createLogger('silent');
  const line = stack.use(
    await openSipLine(
      {
        trunkUri: phone.uri,
        credentials: null,
        callerNumber: '+15550100100',
        localAddress: '127.0.0.1',
        localPort: 0,
        ringMs: 5000,
        acknowledgeMs: 5000,
      },
      { media, clock: systemClock, chance: systemChance, log },
    ),
  );
  const runner = createCallRunner({ line, createMind: createInterviewer(systemClock), clock: systemClock, log });
  const id = systemChance.uuid();
  const leg = runner.prepare({ id, to: '+15550100101', callerName: 'Ada Lovelace' });
  const brief = {
    objective: 'Ask whether they are open',
    context: {},
    constraints: [],
    successCriteria: [],
    resultSchema: SCHEMA,
  };
  await runner.run(
    {
      id,
      projectId: id,
      to: '+15550100101',
      callerName: 'Ada Lovelace',
      assistantName: null,
      openingLine: null,
      maxDurationSeconds: 60,
      claimNumber: 1,
      leg,
      brief,
    },
    notes,
  );
  return { notes, phone, endedBy: await phone.ended.promise };
}

test('an errand over SIP and RTP: asked, understood, thanked, hung up, each answer with its words', async () => {
  const { notes, phone, endedBy } = await call('Corner Clinic, good morning.', () => (line) => {
    if (line.includes('I am calling to')) return 'Sure, go ahead.';
    if (line.includes('open on Saturday')) return 'Yes, we are.';
    if (line.includes('suits you best')) return 'Tuesday would be best.';
    if (line.includes('seats')) return 'We have twelve left.';
    if (line.includes('anything else')) return 'Please bring your card.';
    return null;
  });
  assert.equal(phone.invites, 1);
  assert.equal(endedBy, 'caller');
  assert.deepEqual(
    notes.events.filter(({ kind }) => kind !== 'leg_changed').map(({ kind }) => kind),
    [
      ...notes.events.filter(({ kind }) => kind === 'acknowledged').map(() => 'acknowledged'),
      ...notes.events.filter(({ kind }) => kind === 'ringing').map(() => 'ringing'),
      'answered',
      'ended',
    ],
  );
  const turns = notes.segments.map((segment, index) => ({ ...segment, sequence: index + 1 }));
  const claims = readInterview(leavesOf(SCHEMA), turns, { now: systemClock.now() });
  assert.deepEqual(claims.map(({ path, value }) => [path, value]).slice(0, 3), [
    ['/open', true],
    ['/day', 'Tuesday'],
    ['/seats', 12],
  ]);
  assert.match(JSON.stringify(claims[3]?.value), /bring your card/);
  // What was kept is what the phone heard, line by line.
  const ours = notes.segments.filter(({ speaker }) => speaker === 'assistant').map(({ text }) => text);
  assert.equal(phone.heard.join(' '), ours.join(' '));
  assert.match(phone.heard[0] ?? '', /^Hello, this is an automated assistant calling for Ada Lovelace\./);
});

test('a phone that hangs up in the middle ends the call well', async () => {
  const { notes, endedBy } = await call(null, () => (line) => (line.includes('open on Saturday') ? HANG_UP : null));
  assert.equal(endedBy, 'us');
  const last = notes.events.at(-1);
  assert.ok(last?.kind === 'ended' && last.code === null, JSON.stringify(last));
});

test('a cancel in mid-call hangs up at the phone and is confirmed', async () => {
  const { notes, endedBy } = await call('Hello?', (notes) => (line) => {
    if (line.includes('open on Saturday')) notes.cancelling.abort();
    return null;
  });
  assert.equal(endedBy, 'caller');
  assert.deepEqual(notes.events.at(-1), { kind: 'hang_up_confirmed' });
});
