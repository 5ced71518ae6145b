// Runs one call: the shell around the course (pure), which dials, speaks, listens, asks the mind and tells dispatch. It dials
// at most once, keeps news and transcript in one order, and after a stale claim does not touch the line any more.
import type { CallDesk, CallRunner, ClaimedCall, SpokenSegment } from '../dispatch/runner.ts';
import type { WorkerEvent } from '../dispatch/call-event.ts';
import type { Leg, Line } from '../line/line.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { Course } from './course.ts';
import type { CourseCommand, CourseEvent, CourseTimer } from './course.ts';
import type { CreateMind, Mind } from './mind.ts';

export interface CallRunnerParts {
  readonly line: Line;
  readonly createMind: CreateMind;
  readonly clock: Clock;
  readonly log: Logger;
}

/** News and segments that may wait for the store; above it the call is ended, since nothing of it could be kept. */
const NEWS_LIMIT = 2000;

/** Makes the runner that a worker hands its calls to. One runner serves any number of calls at once. */
export function createCallRunner(parts: CallRunnerParts): CallRunner {
  return {
    prepare: (call) => parts.line.prepare({ callId: call.id, to: call.to, callerName: call.callerName }),
    run: (call, desk) => new RunningCall(parts, call, desk).run(),
  };
}

type Command<Kind extends CourseCommand['kind']> = Extract<CourseCommand, { readonly kind: Kind }>;

class RunningCall {
  readonly #parts: CallRunnerParts;
  readonly #call: ClaimedCall;
  readonly #desk: CallDesk;
  readonly #course: Course;
  readonly #mind: Mind;
  readonly #timers = new Map<CourseTimer, Timer>();
  readonly #speech = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #thought = new AbortController();
  #leg: Leg | null = null;
  /** Everything that was told to dispatch, in order. */
  #news: Promise<void> = Promise.resolve();
  #newsWaiting = 0;
  /** When we hung up, on the clock's monotonic time; null while we have not. */
  #hungUpAtMs: number | null = null;
  #isLost = false;

  constructor(parts: CallRunnerParts, call: ClaimedCall, desk: CallDesk) {
    this.#parts = parts;
    this.#call = call;
    this.#desk = desk;
    const { callerName, assistantName, openingLine, maxDurationSeconds, brief } = call;
    this.#course = new Course({ callerName, openingLine, maxDurationSeconds });
    this.#mind = parts.createMind({ ...brief, callerName, assistantName, openingLine });
  }

  /** @throws what the desk threw, after an attempt to hang up: the worker decides what the call becomes */
  async run(): Promise<void> {
    const early = this.#outcomeWithoutDial();
    if (early !== null) {
      await this.#desk.report(early);
      return;
    }
    const cancelled = () => this.#happen({ kind: 'cancel' });
    const stopped = () => this.#happen({ kind: 'stop' });
    this.#desk.cancel.addEventListener('abort', cancelled);
    this.#desk.stop.addEventListener('abort', stopped);
    try {
      this.#carryOut(this.#course.start());
      await this.#over.promise;
      await this.#news;
    } finally {
      this.#desk.cancel.removeEventListener('abort', cancelled);
      this.#desk.stop.removeEventListener('abort', stopped);
      this.#finish();
    }
  }

  /** Nothing has left the house yet: an order to end the call then is obeyed without dialling. */
  #outcomeWithoutDial(): WorkerEvent | null {
    if (this.#desk.cancel.aborted) return { kind: 'hang_up_confirmed' };
    if (!this.#desk.stop.aborted) return null;
    return { kind: 'refused', code: 'submission_failed', because: 'the service was stopping before the dial' };
  }

  #happen(event: CourseEvent): void {
    if (!this.#isLost) this.#carryOut(this.#course.handle(event));
  }

  #carryOut(commands: readonly CourseCommand[]): void {
    for (const command of commands) this.#do(command);
  }

  #do(command: CourseCommand): void {
    switch (command.kind) {
      case 'dial':
        this.#leg = this.#parts.line.dial(this.#call.leg, (event) => this.#happen({ kind: 'leg', event }));
        return;
      case 'ask':
        void this.#ask(command);
        return;
      case 'abort':
        return this.#thought.abort();
      case 'say':
        return this.#utter((leg) => leg.sendText(command.text, this.#speech.signal));
      case 'press':
        return this.#utter((leg) => leg.sendDigits(command.digits, this.#speech.signal));
      case 'start':
        return this.#startTimer(command.timer, command.ms);
      case 'stop':
        return this.#stopTimer(command.timer);
      case 'hang_up':
        return this.#hangUp();
      case 'save':
        return this.#tell(() => this.#save(command.segment));
      case 'report':
        return this.#tell(() => this.#report(command.event));
      case 'finish':
        this.#finish();
        return this.#over.resolve();
    }
  }

  async #ask(command: Command<'ask'>): Promise<void> {
    const { ask } = command;
    const thought = new AbortController();
    this.#thought = thought;
    try {
      for await (const act of this.#mind.respond(command.prompt, command.turns, thought.signal)) {
        if (thought.signal.aborted) return;
        this.#happen({ kind: 'act', ask, act });
      }
      this.#happen({ kind: 'mind_done', ask });
    } catch (error) {
      if (thought.signal.aborted) return;
      // Causes are not logged: a vendor's error quotes the request, and with it what was said.
      this.#parts.log.warn({ call_id: this.#call.id, reason: messageOf(error) }, 'the mind failed');
      this.#happen({ kind: 'mind_failed', ask });
    }
  }

  #utter(send: (leg: Leg) => Promise<void>): void {
    if (this.#leg === null) return;
    send(this.#leg).then(
      () => this.#happen({ kind: 'uttered' }),
      (error: unknown) => this.#fail(error),
    );
  }

  #hangUp(): void {
    this.#speech.abort();
    this.#hungUpAtMs ??= this.#parts.clock.monotonicMs();
    this.#leg?.hangUp().then(
      (outcome) => this.#happen({ kind: 'hung_up', outcome }),
      (error: unknown) => this.#fail(error),
    );
  }

  #startTimer(timer: CourseTimer, ms: number): void {
    this.#stopTimer(timer);
    const running = this.#parts.clock.after(ms, () => {
      this.#timers.delete(timer);
      this.#happen({ kind: 'timer', timer });
    });
    this.#timers.set(timer, running);
  }

  #stopTimer(timer: CourseTimer): void {
    this.#timers.get(timer)?.cancel();
    this.#timers.delete(timer);
  }

  /** Tells dispatch after everything that was told before. */
  #tell(news: () => Promise<void>): void {
    this.#newsWaiting += 1;
    if (this.#newsWaiting > NEWS_LIMIT) return this.#fail(new Error('the news of a call cannot be kept'));
    this.#news = this.#news.then(async () => {
      if (!this.#isLost) await news();
      this.#newsWaiting -= 1;
    });
    this.#news.catch((error: unknown) => this.#fail(error));
  }

  async #save(segment: SpokenSegment): Promise<void> {
    await this.#desk.record([segment]);
  }

  async #report(event: WorkerEvent): Promise<void> {
    if (await this.#desk.report(event, this.#msSinceOurEnd(event))) return;
    this.#parts.log.warn({ call_id: this.#call.id, claim_number: this.#call.claimNumber }, 'the claim is stale');
    this.#carryOut(this.#course.handle({ kind: 'lost' }));
    this.#isLost = true;
    this.#finish();
    this.#over.resolve();
  }

  /** Nobody pays for the time in which our hang-up waits for its acknowledgement. */
  #msSinceOurEnd(event: WorkerEvent): number {
    const isEnd = event.kind === 'ended' || event.kind === 'hang_up_confirmed';
    return isEnd && this.#hungUpAtMs !== null ? this.#parts.clock.monotonicMs() - this.#hungUpAtMs : 0;
  }

  /** A bug, or a desk that gave up: the phone must not stay off the hook because of it. */
  #fail(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#parts.log.error({ call_id: this.#call.id, reason: messageOf(error) }, 'the call cannot go on');
    this.#finish();
    void hangUpQuietly(this.#leg);
    this.#over.reject(error);
  }

  #finish(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#thought.abort();
    this.#speech.abort();
  }
}

/** For a call that fails for another reason, which is the one to know. */
async function hangUpQuietly(leg: Leg | null): Promise<void> {
  try {
    await leg?.hangUp();
  } catch {
    // the line is as lost as the call
  }
}
