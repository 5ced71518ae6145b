// A call on paper: drives the course of a call with a clock that is moved, a mind that answers at once or on demand, and a
// line that says everything in no time unless told otherwise. Keeps what the course asked for.
import assert from 'node:assert/strict';
import { Course } from '../../src/conversation/course.ts';
import type { CourseCommand, CourseEvent, CourseTimer } from '../../src/conversation/course.ts';
import type { Act, Prompt, Turn } from '../../src/conversation/mind.ts';
import type { WorkerEvent } from '../../src/dispatch/call-event.ts';
import type { SpokenSegment } from '../../src/dispatch/runner.ts';
import type { HangUp, LegMedia } from '../../src/line/line.ts';

export const TEXT_LEG: LegMedia = { hasText: true, audio: null, hasDigits: true };

/** What the mind answers: acts at once, `later` for answers that the test gives by hand, `fails`. */
export type StageMind = (prompt: Prompt, turns: readonly Turn[]) => readonly Act[] | 'later' | 'fails';

export interface StageOptions {
  readonly mind?: StageMind;
  readonly callerName?: string | null;
  readonly openingLine?: string | null;
  readonly maxDurationSeconds?: number;
  /** Whether what we say has left at once; else the test calls `uttered`. */
  readonly speaksAtOnce?: boolean;
  /** What a hang-up comes to, at once; null: the test says it. */
  readonly hangUp?: HangUp | null;
}

export class Stage {
  readonly course: Course;
  readonly prompts: Prompt[] = [];
  readonly aborted: number[] = [];
  /** Everything that left on the line, one entry a command. */
  readonly said: string[] = [];
  readonly keys: string[] = [];
  readonly segments: SpokenSegment[] = [];
  readonly reports: WorkerEvent[] = [];
  readonly hangUpsAtMs: number[] = [];
  dials = 0;
  finishes = 0;
  nowMs = 0;
  #ask = 0;
  readonly #timers = new Map<CourseTimer, number>();
  readonly #events: CourseEvent[] = [];
  readonly #options: StageOptions;

  constructor(options: StageOptions = {}) {
    this.#options = options;
    this.course = new Course({
      callerName: options.callerName === undefined ? 'Ada Lovelace' : options.callerName,
      openingLine: options.openingLine ?? null,
      maxDurationSeconds: options.maxDurationSeconds ?? 300,
    });
    this.#carryOut(this.course.start());
  }

  /** Lets an event happen, and everything that follows from it at the same moment. */
  happen(event: CourseEvent): void {
    this.#events.push(event);
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const wasOver = this.course.isOver;
      const commands = this.course.handle(next);
      if (wasOver) assert.deepEqual(commands, [], 'a call that is over asks for nothing');
      this.#carryOut(commands);
    }
  }

  answer(media: LegMedia = TEXT_LEG): void {
    this.happen({ kind: 'leg', event: { kind: 'acknowledged' } });
    this.happen({ kind: 'leg', event: { kind: 'answered', media } });
  }

  type(text: string): void {
    this.happen({ kind: 'leg', event: { kind: 'text', text } });
  }

  press(digits: string): void {
    for (const digit of digits) this.happen({ kind: 'leg', event: { kind: 'digit', digit } });
  }

  /** A line that is whole, and the pause that ends the turn. */
  tell(text: string): void {
    this.type(`${text}\u2028`);
    this.pass(150);
  }

  uttered(): void {
    this.happen({ kind: 'uttered' });
  }

  /** The mind's answer by hand, to the last question put to it. */
  think(...acts: readonly Act[]): void {
    for (const act of acts) this.happen({ kind: 'act', ask: this.#ask, act });
  }

  thought(): void {
    this.happen({ kind: 'mind_done', ask: this.#ask });
  }

  ended(by: 'recipient' | 'us' | 'network'): void {
    this.happen({ kind: 'leg', event: { kind: 'ended', by, because: `ended by ${by}` } });
  }

  /** Moves the clock; timers fire in the order of their moments. */
  pass(ms: number): void {
    const until = this.nowMs + ms;
    for (;;) {
      const [first] = [...this.#timers].filter(([, at]) => at <= until).sort(([, a], [, b]) => a - b);
      if (first === undefined) break;
      const [timer, at] = first;
      this.nowMs = at;
      this.#timers.delete(timer);
      this.happen({ kind: 'timer', timer });
    }
    this.nowMs = until;
  }

  get runningTimers(): readonly CourseTimer[] {
    return [...this.#timers.keys()];
  }

  get prompt(): Prompt | undefined {
    return this.prompts.at(-1);
  }

  /** The transcript in short: `assistant: ...`. */
  get transcript(): readonly string[] {
    return this.segments.map((segment) => `${segment.speaker}: ${segment.text}`);
  }

  /** The last report. */
  get outcome(): WorkerEvent | undefined {
    return this.reports.at(-1);
  }

  #carryOut(commands: readonly CourseCommand[]): void {
    for (const command of commands) this.#do(command);
  }

  #do(command: CourseCommand): void {
    switch (command.kind) {
      case 'dial':
        this.dials += 1;
        return;
      case 'ask':
        return this.#answerAsk(command.ask, command.prompt, command.turns);
      case 'abort':
        this.aborted.push(command.ask);
        return;
      case 'say':
        this.said.push(command.text);
        if (this.#options.speaksAtOnce !== false) this.#events.push({ kind: 'uttered' });
        return;
      case 'press':
        this.keys.push(command.digits);
        if (this.#options.speaksAtOnce !== false) this.#events.push({ kind: 'uttered' });
        return;
      case 'start':
        this.#timers.set(command.timer, this.nowMs + command.ms);
        return;
      case 'stop':
        this.#timers.delete(command.timer);
        return;
      case 'hang_up':
        return this.#hangUp();
      case 'save':
        this.segments.push(command.segment);
        return;
      case 'report':
        this.reports.push(command.event);
        return;
      case 'finish':
        this.finishes += 1;
        this.#timers.clear();
    }
  }

  #answerAsk(ask: number, prompt: Prompt, turns: readonly Turn[]): void {
    this.#ask = ask;
    this.prompts.push(prompt);
    const answer = this.#options.mind?.(prompt, turns) ?? [];
    if (answer === 'later') return;
    if (answer === 'fails') {
      this.#events.push({ kind: 'mind_failed', ask });
      return;
    }
    for (const act of answer) this.#events.push({ kind: 'act', ask, act });
    this.#events.push({ kind: 'mind_done', ask });
  }

  #hangUp(): void {
    this.hangUpsAtMs.push(this.nowMs);
    const outcome = this.#options.hangUp === undefined ? 'confirmed' : this.#options.hangUp;
    if (outcome === null) return;
    this.#events.push({ kind: 'hung_up', outcome });
    if (outcome === 'confirmed') {
      this.#events.push({ kind: 'leg', event: { kind: 'ended', by: 'us', because: 'BYE' } });
    }
  }
}
