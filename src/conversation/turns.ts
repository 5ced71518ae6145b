// The conversation of one answered call as a pure machine: what happened goes in, what to do comes out. It knows no time, no
// line and no model. It never speaks over the recipient on purpose, never says what the recipient has overtaken by a turn the
// mind has not seen, and always comes to a hang-up: each wait has a timer, each count a limit.
import type { ExecutionErrorCode } from '../contract/call.ts';
import type { SpokenSegment } from '../dispatch/runner.ts';
import { GOODBYES } from './disclosure.ts';
import { cleanAct } from './act.ts';
import { Hearing } from './hearing.ts';
import type { Act, Prompt, Turn } from './mind.ts';
import {
  ACT_LIMIT,
  ASK_LIMIT,
  LAST_TURNS_LIMIT,
  PACE,
  RECIPIENT_TURN_LIMIT,
  REOPEN_LIMIT,
  SILENCE_LIMIT,
} from './pace.ts';
import type { TurnTimer } from './pace.ts';

/** Why the call is over on our side; `code` as in `WorkerEvent` `ended`. */
export interface Ending {
  readonly code: ExecutionErrorCode | null;
  readonly because: string;
}

export type TurnCommand =
  | { readonly kind: 'ask'; readonly ask: number; readonly prompt: Prompt; readonly turns: readonly Turn[] }
  | { readonly kind: 'abort'; readonly ask: number }
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'press'; readonly digits: string }
  | { readonly kind: 'start'; readonly timer: TurnTimer; readonly ms: number }
  | { readonly kind: 'stop'; readonly timer: TurnTimer }
  | { readonly kind: 'save'; readonly segment: SpokenSegment }
  | { readonly kind: 'leave'; readonly ending: Ending };

type Utterance =
  | { readonly kind: 'words'; readonly text: string; readonly about: string | null }
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'line_end' };

/** Code points of a sentence that was cut off, in the transcript. */
const CUT_OFF_LIMIT = 500;
/** T.140's new line: the end of a turn of ours. */
const LINE_END = '\u2028';

/** What drives it calls one method for each event and carries out the commands it has collected, in order. */
export class Turns {
  readonly #emit: (command: TurnCommand) => void;
  readonly #disclosure: string;
  readonly #hearing = new Hearing();
  readonly #turns: Turn[] = [];
  #phase: 'greeting' | 'talking' | 'leaving' | 'over' = 'greeting';
  /** Set while leaving. */
  #ending: Ending = { code: null, because: 'the conversation was over' };

  #ask = 0;
  #isThinking = false;
  /** What the mind is being asked, as long as nothing of its answer was carried out. */
  #prompt: Prompt | null = null;
  #acts: Act[] = [];
  /** Whether the mind is still to be asked for its opening. */
  #owesOpening = false;
  /** Words of our own: they go before the mind's and are never dropped. */
  #ownWords: string[] = [];
  /** Turns of the recipient that the mind was not asked about. */
  #unseen: string[] = [];
  #reopened = 0;

  #utterance: Utterance | null = null;
  #isLineOpen = false;
  #mayGoAlone = false;
  /** What we said while the recipient had begun a turn: it goes behind that turn in the transcript. */
  #held: Turn[] = [];
  #hasCrossed = false;
  #waitingFor: 'silence' | 'wait' | 'linger' | null = null;
  #silences = 0;
  #recipientTurns = 0;

  /** @param disclosure the first words of the call */
  constructor(disclosure: string, emit: (command: TurnCommand) => void) {
    this.#disclosure = disclosure;
    this.#emit = emit;
  }

  /** The call was answered on a leg that carries text. */
  begin(maxDurationSeconds: number): void {
    this.#start('greeting');
    this.#start('time_up', maxDurationSeconds * 1000 - PACE.time_up);
  }

  hear(text: string): void {
    const wasActive = this.#hearing.isActive;
    const whole = this.#hearing.hear(text);
    this.#noticed(wasActive);
    for (const turn of whole) this.#finishTurn(turn);
    const waits = this.#hearing.waitsForText;
    this.#expect(waits);
    if (waits === 'nothing') this.#proceed();
  }

  press(digit: string): void {
    const wasActive = this.#hearing.isActive;
    const whole = this.#hearing.press(digit);
    this.#noticed(wasActive);
    for (const turn of whole) this.#finishTurn(turn);
    if (whole.length === 0) this.#start('keys');
    else this.#stop('keys');
    this.#proceed();
  }

  act(ask: number, act: Act): void {
    if (ask !== this.#ask || !this.#isThinking) return;
    for (const part of cleanAct(act)) this.#acts.push(part);
    if (this.#acts.length >= ACT_LIMIT) {
      this.#acts.length = ACT_LIMIT;
      this.#abortMind();
    }
    this.#proceed();
  }

  mindIsDone(ask: number): void {
    if (ask !== this.#ask || !this.#isThinking) return;
    this.#isThinking = false;
    if (this.#acts.length === 0) this.#prompt = null; // to listen on is an answer too
    this.#proceed();
  }

  mindFailed(ask: number): void {
    if (ask !== this.#ask || !this.#isThinking) return;
    this.#isThinking = false;
    this.#keep({ speaker: 'system', text: 'The assistant could not think of an answer.', about: null });
    this.takeLeave({ code: 'call_interrupted', because: 'the mind failed' }, GOODBYES.mindFailed);
  }

  /** What we were saying or pressing has left. */
  uttered(): void {
    const utterance = this.#utterance;
    if (utterance === null) return;
    this.#utterance = null;
    if (utterance.kind !== 'line_end') {
      const about = utterance.kind === 'words' ? utterance.about : null;
      const turn: Turn = { speaker: 'assistant', text: utterance.text, about };
      if (this.#hearing.isActive && this.#hasCrossed) this.#held.push(turn);
      else this.#keep(turn);
    }
    this.#proceed();
  }

  // oxlint-disable-next-line max-lines-per-function -- one case a timer
  timer(timer: TurnTimer): void {
    switch (timer) {
      case 'greeting':
        return this.#open();
      case 'line':
      case 'more_lines':
        for (const turn of this.#hearing.takeText()) this.#finishTurn(turn);
        return this.#proceed();
      case 'keys':
        for (const turn of this.#hearing.takeKeys()) this.#finishTurn(turn);
        return this.#proceed();
      case 'next_act':
        this.#mayGoAlone = true;
        return this.#proceed();
      case 'silence':
        this.#waitingFor = null;
        this.#silences += 1;
        if (this.#silences < SILENCE_LIMIT) return this.#askMind({ kind: 'silence', times: this.#silences });
        return this.takeLeave({ code: null, because: 'the recipient stayed silent' }, GOODBYES.silence);
      case 'wait':
        this.#waitingFor = null;
        return this.#askMind({ kind: 'waited' });
      case 'linger':
        this.#waitingFor = null;
        return this.#leave();
      case 'farewell':
        return this.#leave();
      case 'time_up':
        return this.takeLeave({ code: 'duration_limit_reached', because: 'the duration limit' }, GOODBYES.timeUp);
    }
  }

  /** Says the last words, once, and leaves. What is being said is finished first, within the farewell's time. */
  takeLeave(ending: Ending, words: string): void {
    if (this.#phase === 'leaving' || this.#phase === 'over') return;
    const isOpened = this.#phase === 'talking';
    this.#phase = 'leaving';
    this.#ending = ending;
    this.#abortMind();
    this.#acts = [];
    this.#ownWords.push(isOpened ? words : `${this.#disclosure} ${words}`);
    for (const timer of ['greeting', 'silence', 'wait', 'linger', 'next_act', 'time_up'] as const) this.#stop(timer);
    this.#waitingFor = null;
    this.#start('farewell');
    this.#proceed();
  }

  /** The leg is over, or is being ended without words: what was begun is kept, nothing more is said. */
  close(): void {
    this.#phase = 'over';
    this.#abortMind();
    for (const turn of this.#hearing.takeText()) this.#finishTurn(turn);
    for (const turn of this.#hearing.takeKeys()) this.#finishTurn(turn);
    for (const turn of this.#held.splice(0)) this.#keep(turn);
    const cutOff = this.#utterance;
    this.#utterance = null;
    if (cutOff?.kind === 'words') this.#keep({ speaker: 'system', text: cutShort(cutOff.text), about: null });
  }

  #open(): void {
    if (this.#phase !== 'greeting') return;
    this.#phase = 'talking';
    this.#stop('greeting');
    this.#ownWords.push(this.#disclosure);
    this.#owesOpening = true;
    this.#proceed();
  }

  /** The recipient has typed or pressed something. */
  #noticed(wasActive: boolean): void {
    if (!wasActive) this.#hasCrossed = this.#utterance !== null;
    this.#silences = 0;
    if (this.#waitingFor !== null) this.#stop(this.#waitingFor);
    this.#waitingFor = null;
  }

  #expect(waits: 'line' | 'more_lines' | 'nothing'): void {
    for (const timer of ['line', 'more_lines'] as const) if (timer !== waits) this.#stop(timer);
    if (waits !== 'nothing' && this.#phase !== 'over') this.#start(waits);
  }

  #finishTurn(text: string): void {
    this.#recipientTurns += 1;
    if (this.#recipientTurns > RECIPIENT_TURN_LIMIT + LAST_TURNS_LIMIT) return;
    this.#keep({ speaker: 'recipient', text, about: null });
    for (const turn of this.#held.splice(0)) this.#keep(turn);
    this.#hasCrossed = this.#utterance !== null;
    this.#unseen.push(text);
    if (this.#recipientTurns === RECIPIENT_TURN_LIMIT + LAST_TURNS_LIMIT) {
      this.#keep({ speaker: 'system', text: 'What the recipient said from here on was not kept.', about: null });
    }
    if (this.#phase === 'greeting') this.#open();
    if (this.#recipientTurns === RECIPIENT_TURN_LIMIT) {
      this.takeLeave({ code: 'call_interrupted', because: 'the limit of turns' }, GOODBYES.tooLong);
    }
  }

  /** The one place where the next step is chosen. */
  #proceed(): void {
    if (this.#phase === 'greeting' || this.#phase === 'over' || this.#utterance !== null) return;
    // Our last words do not wait for the recipient's: they have little time.
    if (this.#hearing.isActive && this.#phase !== 'leaving') return;
    for (const turn of this.#hearing.isActive ? [] : this.#held.splice(0)) this.#keep(turn);
    if ((this.#unseen.length > 0 || this.#owesOpening) && this.#phase === 'talking') {
      this.#askAboutUnseen();
      return this.#proceed();
    }
    const own = this.#ownWords[0];
    if (own !== undefined) return this.#sayOwn(own);
    const [act] = this.#acts;
    if (act === undefined) return this.#endOfActs();
    if (act.kind === 'say') return this.#sayAct(act);
    if (this.#isLineOpen) return this.#utter({ kind: 'line_end' });
    this.#prompt = null;
    switch (act.kind) {
      case 'press':
        this.#acts.shift();
        return this.#utter({ kind: 'keys', text: `[keypad] ${act.digits}` });
      case 'wait':
        this.#abortMind();
        this.#acts = [];
        return this.#wait('wait', act.seconds * 1000);
      case 'hang_up':
        this.#abortMind();
        this.#acts = [act];
        return this.#wait('linger', PACE.linger);
    }
  }

  #sayOwn(words: string): void {
    if (this.#mustWaitForMore(0)) return;
    this.#ownWords.shift();
    this.#utter({ kind: 'words', text: words, about: null });
  }

  #sayAct(act: Extract<Act, { kind: 'say' }>): void {
    if (this.#mustWaitForMore(1)) return;
    this.#prompt = null;
    this.#acts.shift();
    this.#utter({ kind: 'words', text: act.text, about: act.about ?? null });
  }

  /** Whether it is not known yet if a sentence is the last of its line. */
  #mustWaitForMore(actsBefore: number): boolean {
    if (!this.#isThinking || this.#acts.length > actsBefore || this.#mayGoAlone) return false;
    this.#start('next_act');
    return true;
  }

  #endOfActs(): void {
    if (this.#isThinking) return;
    if (this.#isLineOpen) return this.#utter({ kind: 'line_end' });
    if (this.#phase === 'leaving') return this.#wait('linger', PACE.linger);
    this.#wait('silence', PACE.silence);
  }

  #askAboutUnseen(): void {
    const heard = this.#unseen.splice(0);
    const isGoodbyeSaid = this.#acts[0]?.kind === 'hang_up';
    if (isGoodbyeSaid && this.#reopened >= REOPEN_LIMIT) return this.#leave();
    if (isGoodbyeSaid) this.#reopened += 1;
    const earlier = this.#prompt;
    if (this.#owesOpening || earlier?.kind === 'opening') {
      this.#owesOpening = false;
      const before = earlier?.kind === 'opening' ? earlier.heard : null;
      return this.#askMind({ kind: 'opening', heard: joined([before, ...heard]) });
    }
    const before = earlier?.kind === 'heard' ? earlier.text : null;
    this.#askMind({ kind: 'heard', text: joined([before, ...heard]) ?? '' });
  }

  #askMind(prompt: Prompt): void {
    this.#abortMind();
    this.#acts = [];
    if (this.#ask >= ASK_LIMIT) {
      return this.takeLeave({ code: 'call_interrupted', because: 'the limit of turns' }, GOODBYES.tooLong);
    }
    this.#ask += 1;
    this.#isThinking = true;
    this.#prompt = prompt;
    this.#emit({ kind: 'ask', ask: this.#ask, prompt, turns: [...this.#turns] });
  }

  #abortMind(): void {
    if (!this.#isThinking) return;
    this.#isThinking = false;
    this.#emit({ kind: 'abort', ask: this.#ask });
  }

  #utter(utterance: Utterance): void {
    this.#stop('next_act');
    this.#mayGoAlone = false;
    this.#utterance = utterance;
    if (utterance.kind === 'keys') {
      return this.#emit({ kind: 'press', digits: utterance.text.slice('[keypad] '.length) });
    }
    const before = this.#isLineOpen && utterance.kind === 'words' ? ' ' : '';
    this.#isLineOpen = utterance.kind === 'words' && this.#goesOn();
    const words = utterance.kind === 'words' ? utterance.text : '';
    this.#emit({ kind: 'say', text: `${before}${words}${this.#isLineOpen ? '' : LINE_END}` });
  }

  /** Whether more words of this line follow, or may. */
  #goesOn(): boolean {
    if (this.#ownWords.length > 0) return true;
    return this.#acts.length > 0 ? this.#acts[0]?.kind === 'say' : this.#isThinking;
  }

  #wait(timer: 'silence' | 'wait' | 'linger', ms: number): void {
    if (this.#waitingFor === timer) return;
    this.#waitingFor = timer;
    this.#start(timer, ms);
  }

  #leave(): void {
    if (this.#phase === 'over') return;
    this.close();
    this.#emit({ kind: 'leave', ending: this.#ending });
  }

  #keep(turn: Turn): void {
    this.#turns.push(turn);
    this.#emit({ kind: 'save', segment: turn });
  }

  #start(timer: TurnTimer, ms: number = PACE[timer as keyof typeof PACE]): void {
    this.#emit({ kind: 'start', timer, ms });
  }

  #stop(timer: TurnTimer): void {
    this.#emit({ kind: 'stop', timer });
  }
}

/** How much of a sentence had left when the call ended nobody knows: it does not count as said. */
function cutShort(text: string): string {
  return `The assistant was cut off in: ${Array.from(text).slice(0, CUT_OFF_LIMIT).join('')}`;
}

function joined(parts: readonly (string | null)[]): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : said.join(' ');
}
