// A language model as the mind of a call. It may say, press, wait and hang up, nothing else; what it says is checked for the
// two things that no prompt can promise: it never passes as a human, and it never reads out a redaction mark.
import type * as Ai from 'ai';
import type { LanguageModel, ToolSet } from 'ai';
import { stanceOf } from '../answers/stance.ts';
import type { Clock } from '../platform/clock.ts';
import { Fault } from '../platform/errors.ts';
import { questionsOf } from './interviewer/interviewer.ts';
import type { Act, CreateMind, Mind, MindBrief, Prompt, Turn } from './mind.ts';
import { instructionsFor, messagesFor } from './model-prompt.ts';
import { SentenceCutter } from './sentences.ts';

export interface LanguageModelMindParts {
  readonly model: LanguageModel;
  readonly clock: Clock;
  /** How long one answer may take, its one retry included. */
  readonly timeoutMs: number;
}

const ATTEMPTS = 2;
/** Tokens of one answer: some twenty sentences. */
const OUTPUT_LIMIT_TOKENS = 800;

const PROPER_ENDS: ReadonlySet<string> = new Set(['stop', 'tool-calls', 'length']);

const HUMAN_CLAIM =
  /\b(?:I(?:'m| am)|this is|you(?:'re| are) (?:talking|speaking) (?:to|with)|yes,?)(?: (?:just|really|actually|definitely|of course|in fact))? (?:an? )?(?:real |actual |living |fellow |ordinary |normal )*(?:human|person)\b(?! (?:calling|assist))|\b(?:I(?:'m| am)|this is) (?:definitely |certainly |really |actually )?not (?:an? )?(?:\w+ )?(?:robot|bot|machine|computer|ai|a\.i\.|automated|automatic|recording|program)\b/i;
const ADMISSION = 'I am an automated assistant.';

type Sdk = typeof Ai;

/** Loads the SDK once. The minds it makes throw a `Fault` when the model fails twice, or once after it began to speak. */
export async function createLanguageModelMind(parts: LanguageModelMindParts): Promise<CreateMind> {
  const sdk = await import('ai');
  return (brief) => new LanguageModelMind(parts, sdk, brief);
}

class LanguageModelMind implements Mind {
  readonly #parts: LanguageModelMindParts;
  readonly #sdk: Sdk;
  readonly #instructions: string;
  /** Whether our last answer hung up: what is heard now was said to our goodbye. */
  #hasSaidGoodbye = false;

  constructor(parts: LanguageModelMindParts, sdk: Sdk, brief: MindBrief) {
    this.#parts = parts;
    this.#sdk = sdk;
    this.#instructions = instructionsFor(brief, questionsOf(brief));
  }

  /** After the goodbye only what asks for more is worth an answer; where the model has none, the call still ends well. */
  async *respond(prompt: Prompt, turns: readonly Turn[], signal: AbortSignal): AsyncIterable<Act> {
    const isAfterGoodbye = this.#hasSaidGoodbye && prompt.kind === 'heard';
    this.#hasSaidGoodbye = isAfterGoodbye && !wantsMore(prompt.text);
    if (this.#hasSaidGoodbye) return yield { kind: 'hang_up' };
    try {
      for await (const act of this.#tried(prompt, turns, signal)) {
        if (act.kind === 'hang_up') this.#hasSaidGoodbye = true;
        yield act;
      }
    } catch (error) {
      if (!isAfterGoodbye) throw error;
      yield { kind: 'hang_up' };
    }
  }

  async *#tried(prompt: Prompt, turns: readonly Turn[], signal: AbortSignal): AsyncIterable<Act> {
    const deadline = new AbortController();
    const timer = this.#parts.clock.after(this.#parts.timeoutMs, () => deadline.abort());
    const either = AbortSignal.any([signal, deadline.signal]);
    let hasBegun = false;
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          for await (const act of this.#answer(prompt, turns, either)) {
            hasBegun = true;
            yield act;
          }
          return;
        } catch (error) {
          if (signal.aborted) return;
          if (attempt < ATTEMPTS && !hasBegun && !deadline.signal.aborted) continue;
          const because = deadline.signal.aborted ? 'took too long' : 'could not answer';
          throw new Fault(`the language model ${because}`, { blame: 'vendor', retry: 'never', cause: error });
        }
      }
    } finally {
      timer.cancel();
    }
  }

  /** One request. @throws whatever went wrong with it, also an answer that is none */
  async *#answer(prompt: Prompt, turns: readonly Turn[], signal: AbortSignal): AsyncIterable<Act> {
    const { stream } = this.#sdk.streamText({
      model: this.#parts.model,
      instructions: this.#instructions,
      messages: messagesFor(prompt, turns),
      tools: this.#tools(),
      maxRetries: 0,
      maxOutputTokens: OUTPUT_LIMIT_TOKENS,
      abortSignal: signal,
      onError: () => undefined, // it comes as a part of the stream; the SDK would print it, and with it what was said
    });
    const sentences = new SentenceCutter();
    let isWhole = false;
    for await (const part of stream) {
      // Reasoning, sources and the like are not for the phone.
      if (part.type === 'text-delta') yield* said(sentences.push(part.text));
      if (part.type === 'text-end' || part.type === 'tool-call') yield* said(sentences.end());
      if (part.type === 'tool-call') yield* actOf(part.toolName, part.input);
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw new Error('the answer was given up');
      if (part.type === 'finish') isWhole = PROPER_ENDS.has(part.finishReason);
    }
    if (!isWhole) throw new Error('the answer has no proper end');
    yield* said(sentences.end());
  }

  #tools(): ToolSet {
    const { tool, jsonSchema } = this.#sdk;
    return {
      press_keys: tool({
        description: 'Presses keys of the telephone, for menus that ask for them.',
        inputSchema: jsonSchema({
          type: 'object',
          properties: { digits: { type: 'string', description: '0-9, * and #, in order' } },
          required: ['digits'],
          additionalProperties: false,
        }),
      }),
      wait: tool({
        description: 'Says nothing and goes on listening, for instance while the recipient looks something up.',
        inputSchema: jsonSchema({
          type: 'object',
          properties: { seconds: { type: 'number', description: '1 to 120' } },
          required: ['seconds'],
          additionalProperties: false,
        }),
      }),
      hang_up: tool({
        description: 'Ends the call after everything was said. Say goodbye first.',
        inputSchema: jsonSchema({ type: 'object', properties: {}, additionalProperties: false }),
      }),
    };
  }
}

function said(sentences: readonly string[]): Act[] {
  return sentences.map((sentence) => ({ kind: 'say', text: checked(sentence) }));
}

/** Whether somebody who heard our goodbye holds us back: with a correction, or a question of their own. */
function wantsMore(text: string): boolean {
  const { correction, retraction, hold, isQuestion, repeat } = stanceOf(text);
  return (
    correction !== null || retraction !== null || hold !== null || (isQuestion && repeat === null && text.length > 12)
  );
}

/** A tool call as an act; a call that makes no sense is nothing. */
function actOf(name: string, input: unknown): Act[] {
  const fields: Readonly<Record<string, unknown>> = typeof input === 'object' && input !== null ? { ...input } : {};
  const { digits, seconds } = fields;
  switch (name) {
    case 'press_keys':
      return typeof digits === 'string' ? [{ kind: 'press', digits }] : [];
    case 'wait':
      return typeof seconds === 'number' && Number.isFinite(seconds) ? [{ kind: 'wait', seconds }] : [];
    case 'hang_up':
      return [{ kind: 'hang_up' }];
    default:
      return [];
  }
}

/** A sentence as it may be said. */
function checked(sentence: string): string {
  if (HUMAN_CLAIM.test(sentence)) return ADMISSION;
  return sentence
    .replaceAll(/\[REDACTED:[a-z0-9_]*\]/gi, 'a private detail')
    .replaceAll(/<\/?(?:recipient|event)>/gi, '')
    .replaceAll(/\*\*|__|`/g, '');
}
