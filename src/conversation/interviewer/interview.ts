// Where an interview stands, read from the turns that were really said, and the next step. Pure but for the time of day that
// relative dates are read by. Each question is asked a few times at most, so that the interview always comes to its end.
import type { Leaf, Understanding } from '../../answers/leaf.ts';
import { leavesOf } from '../../answers/leaves.ts';
import { stanceOf } from '../../answers/stance.ts';
import { understand } from '../../answers/understand.ts';
import type { Turn } from '../mind.ts';

/** Times that one question is asked, whatever for: once, once more in other words, and for repeats, asides and silences. */
const ASKS_LIMIT = 4;
/** Times that one question is asked because its answer was not understood. */
const ATTEMPTS_LIMIT = 2;
/** Times that one question is repeated word for word; after that it is asked in other words. */
const REPEATS_LIMIT = 1;
/** Corrections of earlier answers that are asked for in one call. */
const CORRECTIONS_LIMIT = 3;
/** Times that the recipient may ask for a moment. */
const HOLDS_LIMIT = 6;

/** Why a question is asked now; it decides the words before it. */
export type Because =
  | 'first'
  | 'answered'
  | 'no_answer'
  | 'unclear'
  | 'repeat'
  | 'crossed'
  /** An earlier answer was corrected, and it is clear which and how. */
  | 'noted'
  /** Something earlier was corrected or taken back: its question is asked again. */
  | 'correction'
  | 'silence'
  | 'question';

export type Step =
  | { readonly kind: 'ask'; readonly leaf: Leaf; readonly because: Because }
  | { readonly kind: 'state_purpose' }
  /** `times`: how often the recipient has asked for a moment, from 1. */
  | { readonly kind: 'hold'; readonly times: number }
  /** Everything was asked. */
  | { readonly kind: 'thank' }
  /** The recipient does not want to talk. */
  | { readonly kind: 'leave' }
  /** Corrected something after the goodbye. */
  | { readonly kind: 'note_and_leave' }
  /** Asked something after the goodbye. */
  | { readonly kind: 'answer_and_leave' }
  | { readonly kind: 'hang_up' };

interface Progress {
  readonly leaf: Leaf;
  asks: number;
  unclear: number;
  repeats: number;
  state: 'open' | 'answered' | 'given_up';
}

/** Understands what is said before the first question, where no answer is wanted yet. */
const [SMALL_TALK] = leavesOf({ type: 'boolean' });

export class Interview {
  readonly #progress: readonly Progress[];
  readonly #now: () => Date;
  #read = 0;
  /** The question that stands, or null before the first. */
  #current: Progress | null = null;
  /** What the last words of the recipient mean. */
  #last: Understanding['kind'] | 'final' | 'correction' | 'noted' = 'unclear';
  #corrected: Progress | null = null;
  #corrections = 0;
  #holds = 0;
  #purposes = 0;
  #isClosed = false;
  #hasAnsweredAfterwards = false;
  #hasCrossed = false;

  constructor(leaves: readonly Leaf[], now: () => Date) {
    this.#progress = leaves.map((leaf) => ({ leaf, asks: 0, unclear: 0, repeats: 0, state: 'open' }));
    this.#now = now;
  }

  /** Takes in the turns that are new since the last time. */
  read(turns: readonly Turn[]): void {
    for (const turn of turns.slice(this.#read)) {
      if (turn.speaker === 'assistant') this.#said(turn);
      else if (turn.speaker === 'recipient') this.#heard(turn.text);
    }
    this.#read = turns.length;
  }

  /** What was said before our first words: it answers no question of ours, and counts as none. */
  greeted(): 'leave' | 'hold' | 'go_on' {
    if (this.#last === 'final') return 'leave';
    return this.#last === 'hold' ? 'hold' : 'go_on';
  }

  /** The recipient has just said something. */
  heard(): Step {
    if (this.#last === 'final') return this.#isClosed ? { kind: 'hang_up' } : this.#close({ kind: 'leave' });
    if (this.#last === 'correction' && this.#corrected !== null) return this.#correct(this.#corrected);
    if (this.#isClosed) return this.#afterTheGoodbye();
    if (this.#last === 'hold' && this.#holds <= HOLDS_LIMIT) return { kind: 'hold', times: this.#holds };
    if (this.#current === null) return this.#beforeTheFirst();
    // Our question and the recipient's words crossed: they are no answer to it.
    if (this.#hasCrossed && this.#current.state === 'open') return this.#again(this.#current, 'crossed');
    switch (this.#last) {
      case 'repeat':
        if (this.#current.repeats <= REPEATS_LIMIT) return this.#again(this.#current, 'repeat');
        return this.#inOtherWords(this.#current);
      case 'question':
        return this.#again(this.#current, 'question');
      case 'noted':
        return this.#current.state === 'open' ? this.#again(this.#current, 'noted') : this.#next('noted');
      case 'unclear':
        return this.#inOtherWords(this.#current);
      case 'answer':
        return this.#next('answered');
      case 'unknown':
      case 'refusal':
      case 'hold':
      case 'correction':
        return this.#next('no_answer');
    }
  }

  /** Nothing was heard for as long as we waited. */
  silent(): Step {
    if (this.#isClosed) return { kind: 'hang_up' };
    return this.#current?.state === 'open' ? this.#again(this.#current, 'silence') : this.#next('first');
  }

  #said(turn: Turn): void {
    this.#hasCrossed = false;
    if (turn.about === null) return;
    const asked = this.#progress.find((progress) => progress.leaf.pointer === turn.about);
    if (asked === undefined) return;
    asked.asks += 1;
    asked.state = 'open';
    this.#current = asked;
    this.#hasCrossed = true;
  }

  #heard(text: string): void {
    this.#hasCrossed = false;
    const leaf = this.#current?.leaf ?? SMALL_TALK;
    if (leaf === undefined) return;
    const understood = this.#understand(leaf, text);
    this.#last = understood.kind;
    switch (understood.kind) {
      case 'answer':
      case 'unknown':
        if (understood.isCorrection && this.#isOfAnEarlierAnswer(text)) return;
        if (this.#current !== null) this.#current.state = understood.kind === 'answer' ? 'answered' : 'given_up';
        return;
      case 'refusal':
        if (understood.isFinal) this.#last = 'final';
        else if (this.#current !== null) this.#current.state = 'given_up';
        return;
      case 'hold':
        this.#holds += 1;
        return;
      case 'unclear':
        if (this.#isOfAnEarlierAnswer(text)) return;
        if (this.#current !== null) this.#current.unclear += 1;
        return;
      case 'repeat':
        if (this.#current !== null) this.#current.repeats += 1;
        return;
      case 'question':
    }
  }

  /** Whether the words correct or take back an answer other than the one that is asked for. */
  #isOfAnEarlierAnswer(text: string): boolean {
    if (this.#current?.state === 'answered' && this.#corrects(this.#current, text) !== null) return false;
    const earlier = this.#progress.filter((each) => each !== this.#current && each.state === 'answered').toReversed();
    const corrected = earlier.filter((each) => this.#corrects(each, text) !== null);
    const [latest] = corrected;
    if (latest === undefined) return false;
    const isClear = corrected.length === 1 && this.#corrects(latest, text) === 'answer';
    this.#last = isClear ? 'noted' : 'correction';
    this.#corrected = latest;
    if (this.#current !== null && this.#current.state === 'open' && this.#isAnsweredBefore(this.#current, text)) {
      this.#current.state = 'answered';
    }
    return true;
  }

  /** "Yes. Actually, we close at six": the yes is to the question that stands. */
  #isAnsweredBefore(progress: Progress, text: string): boolean {
    const { correction } = stanceOf(text);
    return correction !== null && this.#understand(progress.leaf, text.slice(0, correction.start)).kind === 'answer';
  }

  #corrects(progress: Progress, text: string): 'answer' | 'unknown' | null {
    const understood = this.#understand(progress.leaf, text);
    if (understood.kind !== 'answer' && understood.kind !== 'unknown') return null;
    return understood.isCorrection ? understood.kind : null;
  }

  #understand(leaf: Leaf, text: string): Understanding {
    return understand(leaf, text, { now: this.#now() });
  }

  #correct(corrected: Progress): Step {
    this.#corrected = null;
    this.#corrections += 1;
    if (this.#corrections > CORRECTIONS_LIMIT || corrected.asks >= ASKS_LIMIT) return this.#next('answered');
    this.#isClosed = false;
    return { kind: 'ask', leaf: corrected.leaf, because: 'correction' };
  }

  #afterTheGoodbye(): Step {
    if (this.#last === 'noted') return { kind: 'note_and_leave' };
    if (this.#last !== 'question' || this.#hasAnsweredAfterwards) return { kind: 'hang_up' };
    this.#hasAnsweredAfterwards = true;
    return { kind: 'answer_and_leave' };
  }

  #beforeTheFirst(): Step {
    if (this.#last === 'repeat' && this.#purposes === 0) {
      this.#purposes += 1;
      return { kind: 'state_purpose' };
    }
    return this.#next(this.#last === 'question' ? 'question' : 'first');
  }

  #inOtherWords(progress: Progress): Step {
    const attempts = progress.unclear + Math.max(progress.repeats - REPEATS_LIMIT, 0);
    return attempts < ATTEMPTS_LIMIT ? this.#again(progress, 'unclear') : this.#next('no_answer');
  }

  #again(progress: Progress, because: Because): Step {
    if (progress.asks < ASKS_LIMIT) return { kind: 'ask', leaf: progress.leaf, because };
    progress.state = 'given_up';
    return this.#next('no_answer');
  }

  /** The first question that is open, other than the one that stands. */
  #next(because: Because): Step {
    if (this.#current?.state === 'open') this.#current.state = 'given_up';
    const next = this.#progress.find((progress) => progress.state === 'open' && progress.asks < ASKS_LIMIT);
    return next === undefined ? this.#close({ kind: 'thank' }) : { kind: 'ask', leaf: next.leaf, because };
  }

  #close(step: Step): Step {
    this.#isClosed = true;
    return step;
  }
}
