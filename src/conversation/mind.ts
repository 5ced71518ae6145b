// What decides what to say: one interface, behind it the built-in interviewer and language models. A mind never touches the
// line; it is asked when it is its turn and answers with acts.
import type { Brief } from '../dispatch/runner.ts';

export interface MindBrief extends Brief {
  readonly callerName: string | null;
  readonly assistantName: string | null;
  readonly openingLine: string | null;
}

/** A turn of the conversation so far. */
export interface Turn {
  readonly speaker: 'assistant' | 'recipient' | 'system';
  readonly text: string;
  readonly about: string | null;
}

/** Why the mind is asked. */
export type Prompt =
  /**
   * The call was answered; `heard` is what the recipient said first, or null when they waited for us. The disclosure and the
   * project's opening line are said before whatever the mind says (see disclosure.ts): the mind goes on from there.
   */
  | { readonly kind: 'opening'; readonly heard: string | null }
  /** The recipient finished a turn (typed text, or key presses as `[keypad] 12`). */
  | { readonly kind: 'heard'; readonly text: string }
  /** The wait that the mind asked for is over, and nothing was heard. */
  | { readonly kind: 'waited' }
  /** The recipient has been silent for the silence limit. `times` counts them in a row, from 1. */
  | { readonly kind: 'silence'; readonly times: number };

export type Act =
  /** One or more sentences; `about` is the JSON Pointer of the answer asked for. */
  | { readonly kind: 'say'; readonly text: string; readonly about?: string }
  /** 0-9 * # A-D. */
  | { readonly kind: 'press'; readonly digits: string }
  /** Be quiet and go on listening, for instance on hold, for at most so many seconds. The last act of its turn. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** Everything that was said so far is said, then the call is ended. The last act of its turn. */
  | { readonly kind: 'hang_up' };

/** A mind with the memory of one call. */
export interface Mind {
  /**
   * Asked once at a time. When the recipient says something before the answer was said, the signal is aborted, the rest of the
   * answer is dropped, and the mind is asked again: only `turns` tells what was really said.
   * @param turns the whole conversation so far, oldest first
   * @returns the acts of this turn, as soon as each is known; none means: go on listening
   * @throws {Fault} when a vendor failed; the call then ends politely
   */
  respond(prompt: Prompt, turns: readonly Turn[], signal: AbortSignal): AsyncIterable<Act>;
}

export type CreateMind = (brief: MindBrief) => Mind;
