// The course of one phone call as a pure machine, from the dial to the last report: what the line tells, a cancel, a stop and
// the conversation itself, brought into one order. It asks for the dial once, reports only what the line has confirmed, and
// after a stale claim touches nothing any more.
import type { WorkerEvent } from '../dispatch/call-event.ts';
import type { HangUp, LegEvent, Verdict } from '../line/line.ts';
import { disclosureOf } from './disclosure.ts';
import type { Caller } from './disclosure.ts';
import type { Act } from './mind.ts';
import { GOODBYES } from './disclosure.ts';
import type { TurnTimer } from './pace.ts';
import { Turns } from './turns.ts';
import type { Ending, TurnCommand } from './turns.ts';

/** A hang-up that nobody answered for so long is unconfirmed: above SIP's Timer F of 32 s (RFC 3261, 17.1.2.2). */
export const HANG_UP_LIMIT_MS = 40_000;
/** How long the end of the leg may come after its hang-up was confirmed: both are made from the same packet. */
export const SETTLE_MS = 2000;

export type CourseTimer = TurnTimer | 'hang_up' | 'settle';

export type CourseEvent =
  | { readonly kind: 'leg'; readonly event: LegEvent }
  | { readonly kind: 'timer'; readonly timer: CourseTimer }
  | { readonly kind: 'act'; readonly ask: number; readonly act: Act }
  | { readonly kind: 'mind_done'; readonly ask: number }
  | { readonly kind: 'mind_failed'; readonly ask: number }
  /** What we were saying or pressing has left. */
  | { readonly kind: 'uttered' }
  | { readonly kind: 'hung_up'; readonly outcome: HangUp }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'stop' }
  /** The claim is stale: the call belongs to somebody else. */
  | { readonly kind: 'lost' };

export type CourseCommand =
  | Exclude<TurnCommand, { readonly kind: 'leave' | 'start' | 'stop' }>
  | { readonly kind: 'start'; readonly timer: CourseTimer; readonly ms: number }
  | { readonly kind: 'stop'; readonly timer: CourseTimer }
  | { readonly kind: 'dial' }
  | { readonly kind: 'hang_up' }
  | { readonly kind: 'report'; readonly event: WorkerEvent }
  /** Nothing follows: timers and whatever is being said are given up. */
  | { readonly kind: 'finish' };

export interface CourseSettings extends Caller {
  readonly maxDurationSeconds: number;
}

const NO_TEXT = 'The call was answered, but the line carries no text: the assistant could neither be heard nor hear.';

/** One call. `start` once, then `handle` for each event; the commands of each are returned in the order of their doing. */
export class Course {
  readonly #settings: CourseSettings;
  readonly #turns: Turns;
  #commands: CourseCommand[] = [];
  #phase: 'dialing' | 'talking' | 'hanging_up' | 'over' = 'dialing';
  /** Why we hang up; a cancel is told from every other reason. */
  #reason: 'cancel' | Ending | null = null;
  #wasAnswered = false;
  #hungUp: HangUp | null = null;
  #hasLegEnded = false;

  constructor(settings: CourseSettings) {
    this.#settings = settings;
    this.#turns = new Turns(disclosureOf(settings), (command) => this.#carryOut(command));
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  start(): readonly CourseCommand[] {
    return this.#collect(() => this.#emit({ kind: 'dial' }));
  }

  handle(event: CourseEvent): readonly CourseCommand[] {
    return this.#collect(() => {
      if (this.#phase !== 'over') this.#take(event);
    });
  }

  #take(event: CourseEvent): void {
    switch (event.kind) {
      case 'leg':
        return this.#legTold(event.event);
      case 'timer':
        return this.#timerFired(event.timer);
      case 'act':
        return this.#turns.act(event.ask, event.act);
      case 'mind_done':
        return this.#turns.mindIsDone(event.ask);
      case 'mind_failed':
        return this.#turns.mindFailed(event.ask);
      case 'uttered':
        return this.#turns.uttered();
      case 'hung_up':
        this.#hungUp = event.outcome;
        return this.#hangUpSettled();
      case 'cancel':
        return this.#hangUpBecause('cancel');
      case 'stop':
        return this.#stopped();
      case 'lost':
        this.#phase = 'over';
        return this.#emit({ kind: 'finish' });
    }
  }

  #legTold(event: LegEvent): void {
    switch (event.kind) {
      case 'acknowledged':
      case 'ringing':
        return this.#report({ kind: event.kind });
      case 'answered':
        return this.#answered(event.media.hasText);
      case 'refused':
        return this.#refused(event.verdict);
      case 'unacknowledged':
        return this.#report({ kind: 'unacknowledged', because: 'no word from the carrier within the limit' });
      case 'given_up':
        return this.#finish(
          this.#reason === 'cancel'
            ? { kind: 'hang_up_unconfirmed' }
            : { kind: 'unacknowledged', because: 'no word from the carrier within the life of the transaction' },
        );
      case 'text':
        return this.#wasAnswered ? this.#turns.hear(event.text) : undefined;
      case 'digit':
        return this.#wasAnswered ? this.#turns.press(event.digit) : undefined;
      case 'ended':
        return this.#legEnded(event);
      case 'record':
        return this.#report({ kind: 'leg_changed', record: event.record });
    }
  }

  #answered(hasText: boolean): void {
    if (this.#wasAnswered) return;
    this.#wasAnswered = true;
    this.#report({ kind: 'answered' });
    if (this.#phase !== 'dialing') return; // the answer crossed our hang-up, which goes on as a BYE
    this.#phase = 'talking';
    if (hasText) return this.#turns.begin(this.#settings.maxDurationSeconds);
    this.#emit({ kind: 'save', segment: { speaker: 'system', text: NO_TEXT, about: null } });
    this.#hangUpBecause({ code: 'call_interrupted', because: 'the line carries no text' });
  }

  #refused(verdict: Verdict): void {
    const isOurs = this.#reason !== null && isOwnCancel(verdict);
    if (!isOurs) return this.#finish({ kind: 'refused', code: verdict.code, because: verdict.because });
    this.#finish(this.#neverAnswered());
  }

  /** How a call ended that we gave up before anybody answered. */
  #neverAnswered(): WorkerEvent {
    if (this.#reason === 'cancel') return { kind: 'hang_up_confirmed' };
    return { kind: 'refused', code: 'no_answer', because: this.#reason?.because ?? 'the dial was given up' };
  }

  #stopped(): void {
    const ending: Ending = { code: 'call_interrupted', because: 'the service is stopping' };
    if (this.#phase === 'dialing') return this.#hangUpBecause(ending);
    if (this.#phase === 'talking') this.#turns.takeLeave(ending, GOODBYES.stop);
  }

  #hangUpBecause(reason: 'cancel' | Ending): void {
    if (this.#phase === 'hanging_up' || this.#phase === 'over') return; // the first reason is the one that counts
    this.#phase = 'hanging_up';
    this.#reason = reason;
    this.#turns.close();
    this.#emit({ kind: 'start', timer: 'hang_up', ms: HANG_UP_LIMIT_MS });
    this.#emit({ kind: 'hang_up' });
  }

  #legEnded(event: Extract<LegEvent, { kind: 'ended' }>): void {
    this.#hasLegEnded = true;
    this.#turns.close();
    switch (event.by) {
      case 'recipient':
        return this.#finish({ kind: 'ended', code: null, because: event.because });
      case 'network':
        return this.#finish({ kind: 'ended', code: 'call_interrupted', because: event.because });
      case 'us':
        return this.#hangUpSettled();
    }
  }

  /** The end of a call that we end is known when the leg is over and, for a cancel, when it is known how. */
  #hangUpSettled(): void {
    if (this.#reason === null) {
      if (!this.#hasLegEnded) return;
      return this.#finish({ kind: 'ended', code: 'call_interrupted', because: 'the line ended the call' });
    }
    if (this.#reason === 'cancel') {
      if (this.#hungUp === 'unconfirmed') return this.#finish({ kind: 'hang_up_unconfirmed' });
      if (this.#hungUp === 'confirmed' && this.#hasLegEnded) return this.#finish({ kind: 'hang_up_confirmed' });
    } else if (this.#hasLegEnded) {
      return this.#finish({ kind: 'ended', code: this.#reason.code, because: this.#reason.because });
    }
    if (this.#hungUp !== null) this.#emit({ kind: 'start', timer: 'settle', ms: SETTLE_MS });
  }

  #timerFired(timer: CourseTimer): void {
    if (timer !== 'hang_up' && timer !== 'settle') return this.#turns.timer(timer);
    const isConfirmed = timer === 'settle' && this.#hungUp === 'confirmed';
    this.#turns.close();
    if (this.#reason === 'cancel') {
      return this.#finish({ kind: isConfirmed ? 'hang_up_confirmed' : 'hang_up_unconfirmed' });
    }
    if (this.#wasAnswered && this.#reason !== null) {
      return this.#finish({ kind: 'ended', code: this.#reason.code, because: this.#reason.because });
    }
    // Given up while it rang: without a confirmation the phone may still ring, so that the call is not over for us.
    this.#finish(
      isConfirmed ? this.#neverAnswered() : { kind: 'unacknowledged', because: 'the hang-up was not acknowledged' },
    );
  }

  #carryOut(command: TurnCommand): void {
    if (command.kind === 'leave') this.#hangUpBecause(command.ending);
    else this.#emit(command);
  }

  #report(event: WorkerEvent): void {
    this.#emit({ kind: 'report', event });
  }

  #finish(event: WorkerEvent): void {
    this.#phase = 'over';
    this.#report(event);
    this.#emit({ kind: 'finish' });
  }

  #emit(command: CourseCommand): void {
    this.#commands.push(command);
  }

  #collect(act: () => void): readonly CourseCommand[] {
    this.#commands = [];
    act();
    return this.#commands;
  }
}

/** Whether a refusal is what our own CANCEL brought about. @see RFC 3261, 9.1: the INVITE is answered with 487 */
function isOwnCancel(verdict: Verdict): boolean {
  return verdict.because.startsWith('487');
}
