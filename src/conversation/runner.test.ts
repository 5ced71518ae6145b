// A whole call through the runner: real minds, a line whose far end the test plays, and a desk that keeps what it is told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { MovedClock } from '../../test/support/moved-clock.ts';
import { ScriptedLine } from '../../test/support/scripted-line.ts';
import type { ScriptedLeg, ScriptedLegOptions } from '../../test/support/scripted-line.ts';
import { ScriptedModel } from '../../test/support/scripted-model.ts';
import type { WorkerEvent } from '../dispatch/call-event.ts';
import type { CallDesk, ClaimedCall, SpokenSegment } from '../dispatch/runner.ts';
import { openLanguageModel } from '../platform/language-model.ts';
import { createLogger } from '../platform/log.ts';
import { createInterviewer } from './interviewer/interviewer.ts';
import { createLanguageModelMind } from './language-model-mind.ts';
import type { CreateMind } from './mind.ts';
import { PACE } from './pace.ts';
import { createCallRunner } from './runner.ts';

const CALL: ClaimedCall = {
  id: '019a0000-0000-7000-8000-000000000001',
  projectId: '019a0000-0000-7000-8000-000000000002',
  to: '+15550100101',
  callerName: 'Ada Lovelace',
  assistantName: null,
  openingLine: null,
  maxDurationSeconds: 60,
  claimNumber: 1,
  leg: { carrier: 'sip', reference: 'x' },
  brief: {
    objective: 'Ask whether they are open on Saturday',
    context: {},
    constraints: [],
    successCriteria: [],
    resultSchema: {
      type: 'object',
      properties: { open: { type: 'boolean', description: 'Are you open on Saturday?' } },
    },
  },
};

/** Keeps news and segments in one list, in the order in which they are written. */
class KeptDesk implements CallDesk {
  readonly kept: string[] = [];
  readonly segments: SpokenSegment[] = [];
  readonly cancelling = new AbortController();
  readonly stopping = new AbortController();
  /** The report from which on the claim is stale. */
  staleFrom: WorkerEvent['kind'] | null = null;
  failsWith: Error | null = null;
  #isStale = false;

  get cancel(): AbortSignal {
    return this.cancelling.signal;
  }

  get stop(): AbortSignal {
    return this.stopping.signal;
  }

  /** How long ago the last report's event happened. */
  lastAgeMs = 0;

  async report(event: WorkerEvent, happenedMsAgo = 0): Promise<boolean> {
    this.lastAgeMs = happenedMsAgo;
    await setImmediate(); // as slow as a store
    if (this.failsWith !== null) throw this.failsWith;
    if (event.kind === this.staleFrom) this.#isStale = true;
    if (this.#isStale) return false;
    const code = 'code' in event ? `: ${event.code}` : '';
    this.kept.push(`${event.kind}${code}`);
    return true;
  }

  async record(segments: readonly SpokenSegment[]): Promise<number> {
    await setImmediate();
    this.segments.push(...segments);
    for (const { speaker, text } of segments) this.kept.push(`${speaker}: ${text}`);
    return this.segments.length;
  }
}

interface Setting {
  readonly createMind?: CreateMind;
  readonly line?: ScriptedLegOptions;
}

/** A call in the making: the clock stands, the far end does nothing by itself. */
class Play {
  readonly clock = new MovedClock();
  readonly desk = new KeptDesk();
  readonly line: ScriptedLine;
  readonly #setting: Setting;
  done: Promise<void> = Promise.resolve();

  constructor(setting: Setting = {}) {
    this.#setting = setting;
    this.line = new ScriptedLine(setting.line);
  }

  start(): void {
    const runner = createCallRunner({
      line: this.line,
      createMind: this.#setting.createMind ?? createInterviewer(this.clock),
      clock: this.clock,
      log: createLogger('silent'),
    });
    this.done = runner.run(CALL, this.desk);
    this.done.catch(() => undefined); // who awaits it sees it
  }

  get leg(): ScriptedLeg {
    return this.line.leg;
  }

  /** Moves the clock and lets everything that follows happen. */
  async pass(ms: number): Promise<void> {
    this.clock.move(ms);
    for (let round = 0; round < 20; round += 1) await setImmediate();
  }

  /** Lets the call come to its end. @throws when it does not within its own limit, or with what the runner threw */
  async over(): Promise<void> {
    const state = { isDone: false };
    this.done.finally(() => (state.isDone = true)).catch(() => undefined);
    for (let ms = 0; !state.isDone && ms < CALL.maxDurationSeconds * 1000; ms += 100) await this.pass(100);
    assert.ok(state.isDone, 'the call has not come to its end');
    await this.done;
  }

  async tell(line: string): Promise<void> {
    this.leg.type(line);
    await this.pass(PACE.more_lines);
  }
}

test('a call from the dial to the goodbye: news and transcript in one order, the outcome last', async () => {
  const play = new Play();
  play.start();
  play.leg.tell({ kind: 'record', record: { carrier: 'sip', reference: 'x', tag: 'y' } });
  play.leg.tell({ kind: 'acknowledged' });
  play.leg.tell({ kind: 'ringing' });
  play.leg.tell({ kind: 'answered', media: { hasText: true, audio: null, hasDigits: true } });
  await play.tell('Corner Clinic, hello.');
  await play.tell('Yes?');
  await play.tell('Yes, until five.');
  await play.pass(PACE.linger);
  await play.over();
  assert.deepEqual(play.desk.kept, [
    'leg_changed',
    'acknowledged',
    'ringing',
    'answered',
    'recipient: Corner Clinic, hello.',
    'assistant: Hello, this is an automated assistant calling for Ada Lovelace.',
    'assistant: I am calling to ask whether you are open on Saturday.',
    'recipient: Yes?',
    'assistant: Are you open on Saturday?',
    'recipient: Yes, until five.',
    'assistant: Thank you very much, that is all I wanted to know. Goodbye.',
    'ended: null',
  ]);
  assert.equal(play.desk.segments[4]?.about, '/open');
  assert.equal(play.leg.hangUps, 1);
  assert.equal(play.clock.waiting, 0);
  assert.equal(play.leg.text.split('\u2028').length, 4, 'three turns of ours, a line each');
});

test('prepare asks the line for its record and dials nobody', () => {
  const line = new ScriptedLine();
  const clock = new MovedClock();
  const runner = createCallRunner({ line, createMind: createInterviewer(clock), clock, log: createLogger('silent') });
  assert.equal(runner.prepare(CALL).reference, `${CALL.id}@scripted`);
  assert.deepEqual(line.prepared, [{ callId: CALL.id, to: CALL.to, callerName: CALL.callerName }]);
  assert.equal(line.legs.length, 0);
});

test('a call that is cancelled before the dial is never dialled', async () => {
  const play = new Play();
  play.desk.cancelling.abort();
  play.start();
  await play.over();
  assert.equal(play.line.legs.length, 0);
  assert.deepEqual(play.desk.kept, ['hang_up_confirmed']);
});

test('a call that is stopped before the dial is never dialled', async () => {
  const play = new Play();
  play.desk.stopping.abort();
  play.start();
  await play.over();
  assert.equal(play.line.legs.length, 0);
  assert.deepEqual(play.desk.kept, ['refused: submission_failed']);
});

test('a cancel while it rings is confirmed by the line', async () => {
  const play = new Play();
  play.start();
  play.leg.tell({ kind: 'ringing' });
  play.desk.cancelling.abort();
  await play.over();
  assert.deepEqual(play.desk.kept, ['ringing', 'hang_up_confirmed']);
});

test('a cancel in mid-sentence hangs up at once', async () => {
  const play = new Play({ line: { sendsAtOnce: false } });
  play.start();
  play.leg.answer();
  await play.pass(PACE.greeting);
  play.desk.cancelling.abort();
  await play.over();
  assert.deepEqual(play.desk.kept, [
    'acknowledged',
    'answered',
    'system: The assistant was cut off in: Hello, this is an automated assistant calling for Ada Lovelace.',
    'hang_up_confirmed',
  ]);
  assert.equal(play.leg.texts.length, 1);
});

test('a cancel that nobody acknowledges is unconfirmed', async () => {
  const play = new Play({ line: { hangUp: 'unconfirmed' } });
  play.start();
  play.leg.answer();
  play.desk.cancelling.abort();
  await play.over();
  assert.equal(play.desk.kept.at(-1), 'hang_up_unconfirmed');
});

test('a call that we ended is over when we hung up, however long its acknowledgement takes', async () => {
  const play = new Play({ line: { isMuteToHangUp: true } });
  play.start();
  play.leg.answer();
  await play.pass(PACE.greeting);
  play.desk.stopping.abort();
  await play.over();
  assert.equal(play.desk.kept.at(-1), 'ended: call_interrupted');
  assert.ok(play.desk.lastAgeMs >= 30_000, `${play.desk.lastAgeMs} ms`);
});

test('a call that the recipient ended is over when it was told', async () => {
  const play = new Play();
  play.start();
  play.leg.answer();
  play.leg.tell({ kind: 'ended', by: 'recipient', because: 'BYE' });
  await play.over();
  assert.deepEqual([play.desk.kept.at(-1), play.desk.lastAgeMs], ['ended: null', 0]);
});

test('a stop says goodbye and hangs up', async () => {
  const play = new Play();
  play.start();
  play.leg.answer();
  await play.pass(PACE.greeting);
  play.desk.stopping.abort();
  await play.over();
  assert.match(play.leg.text, /I have to end this call now/);
  assert.equal(play.desk.kept.at(-1), 'ended: call_interrupted');
});

test('after a stale claim the line is not touched', async () => {
  const play = new Play();
  play.desk.staleFrom = 'answered';
  play.start();
  play.leg.answer();
  await play.pass(0);
  await play.over();
  play.leg.type('Hello?');
  await play.pass(PACE.greeting + PACE.silence);
  assert.deepEqual(play.leg.texts, []);
  assert.equal(play.leg.hangUps, 0);
  assert.deepEqual(play.desk.kept, ['acknowledged']);
  assert.equal(play.clock.waiting, 0);
});

test('a desk that fails ends the call: the phone does not stay off the hook', async () => {
  const play = new Play();
  play.start();
  play.leg.answer();
  play.desk.failsWith = new Error('the store is gone');
  await assert.rejects(play.over(), /the store is gone/);
  assert.equal(play.leg.hangUps, 1);
  assert.equal(play.clock.waiting, 0);
});

test('a mind that breaks ends the call with an apology', async () => {
  const createMind: CreateMind = () => ({
    // oxlint-disable-next-line require-yield -- it breaks before it says anything
    async *respond() {
      throw new Error('broken');
    },
  });
  const play = new Play({ createMind });
  play.start();
  play.leg.answer();
  await play.pass(PACE.greeting);
  await play.over();
  assert.match(play.leg.text, /^Hello, this is an automated assistant .*technical problem.*Goodbye\.\u2028$/);
  assert.equal(play.desk.kept.at(-1), 'ended: call_interrupted');
});

test('a language model holds a call over its protocol', async () => {
  await using server = await ScriptedModel.start([
    { kind: 'text', text: 'I have one question. Are you open on Saturday?' },
    { kind: 'text', text: 'Thank you. Goodbye.', calls: [{ name: 'hang_up', arguments: {} }] },
  ]);
  const clock = new MovedClock();
  const model = await openLanguageModel(server.settings);
  const play = new Play({ createMind: await createLanguageModelMind({ model, clock, timeoutMs: 5000 }) });
  play.start();
  play.leg.answer();
  await play.pass(PACE.greeting);
  await typed(play, 'Are you open on Saturday?\u2028');
  await play.tell('Yes, we are.');
  await typed(play, 'Goodbye.\u2028');
  await play.pass(PACE.linger);
  await play.over();
  assert.deepEqual(play.desk.kept.slice(2), [
    'assistant: Hello, this is an automated assistant calling for Ada Lovelace.',
    'assistant: I have one question.',
    'assistant: Are you open on Saturday?',
    'recipient: Yes, we are.',
    'assistant: Thank you.',
    'assistant: Goodbye.',
    'ended: null',
  ]);
  assert.equal(server.requests.length, 2);
});

/** Waits for what comes over a socket; the clock moves so that sentences may leave one by one. */
async function typed(play: Play, end: string): Promise<void> {
  for (let round = 0; round < 2000 && !play.leg.text.endsWith(end); round += 1) await play.pass(5);
  assert.ok(play.leg.text.endsWith(end), play.leg.text);
}
