// The rules that always run: is the purpose of a call a prank, a nuisance, a threat or the like? Pure and bounded; a sentence at
// a time, in a reading that evasions do not change. What may be said to the caller is the category, never the rule.
import type { ScreenedTask, Screening } from '../screening.ts';
import { normalText } from './normal-text.ts';
import type { NormalText } from './normal-text.ts';
import type { Rule } from './rule.ts';
import { ENGLISH } from './rules-english.ts';
import { WORLD } from './rules-world.ts';

const RULES: readonly Rule[] = [...ENGLISH, ...WORLD];

/** Longer sentences are read in overlapping pieces, so that no pattern sees more than this. */
const PIECE_LENGTH = 600;
const PIECE_OVERLAP = 200;
const SENTENCE_END = /(?<=[.!?。！？؟।])\s+|[\n\r\u2028;]+/;
const DEPTH_LIMIT = 64;

/** Screens every string that the caller wrote: objective first, then constraints, criteria, context and schema texts. */
export function screenByRules(task: ScreenedTask): Screening {
  const found = findRule(textsOf(task));
  return found === null ? { allowed: true } : { allowed: false, category: found.category };
}

/** The first rule that any of the texts breaks, or null. */
export function findRule(texts: Iterable<string>): Rule | null {
  for (const text of texts) {
    for (const sentence of text.split(SENTENCE_END)) {
      for (const piece of pieces(sentence)) {
        const reading = normalText(piece);
        const broken = RULES.find((rule) => isBroken(rule, reading));
        if (broken !== undefined) return broken;
      }
    }
  }
  return null;
}

function isBroken(rule: Rule, reading: NormalText): boolean {
  const text = reading[rule.reading];
  return rule.pattern.test(text) && rule.unless?.test(text) !== true;
}

function* pieces(sentence: string): Generator<string> {
  for (let at = 0; at < sentence.length; at += PIECE_LENGTH - PIECE_OVERLAP) {
    yield sentence.slice(at, at + PIECE_LENGTH);
    if (at + PIECE_LENGTH >= sentence.length) return;
  }
}

function* textsOf(task: ScreenedTask): Generator<string> {
  yield task.objective;
  yield* task.constraints;
  yield* task.successCriteria;
  yield* stringsOf(task.context, 0);
  yield* stringsOf(task.resultSchema, 0);
}

/** Strings at any depth, with the member's name before a short one: `{"plan": "prank him"}`. */
function* stringsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null || depth > DEPTH_LIMIT) return;
  for (const inner of Object.values(value)) yield* stringsOf(inner, depth + 1);
}
