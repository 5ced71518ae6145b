// The summary: how the call ended, then what the recipient said, each with their words. Claims only what was verified, never
// that the errand succeeded. Pure.
import type { JsonValue, Leaf } from '../answers/leaf.ts';
import { subjectOf } from '../answers/question.ts';
import type { Claim, Verified } from './evidence.ts';
import { isBorneOut } from './borne-out.ts';
import { findQuote } from './evidence.ts';
import { isAutomatic } from './interview.ts';
import { outcomeOf } from './outcome.ts';
import type { EndedCall } from './outcome.ts';
import type { TranscriptTurn } from './transcript.ts';

/** A sentence that somebody proposes for the summary, with the words that it rests on. */
export interface ProposedSentence {
  readonly sentence: string;
  readonly sequence: number;
  readonly quote: string;
}

const SUMMARY_LIMIT = 4000; // UTF-16 units
const SENTENCE_LIMIT = 400;
const SENTENCES_LIMIT = 12;
const QUOTE_SHOWN = 120;

/** Without a model: the outcome, every verified answer with its quote, and what is missing. */
export function plainSummary(
  call: EndedCall,
  turns: readonly TranscriptTurn[],
  leaves: readonly Leaf[],
  verified: Verified,
): string {
  const outcome = outcomeOf(call, turns);
  if (!call.isAnswered) return outcome;
  const said = verified.claims.map((claim) => answerSentence(claim, leaves));
  return clipped([outcome, ...said, ...missingSentence(leaves, verified, turns)]);
}

/**
 * With a model: the outcome by code, then the proposed sentences whose quotes stand in the recipient's turns and bear them out.
 * @returns null when none of them does; the plain summary is used then
 */
export function verifiedSummary(
  call: EndedCall,
  turns: readonly TranscriptTurn[],
  leaves: readonly Leaf[],
  verified: Verified,
  proposed: readonly ProposedSentence[],
): string | null {
  const words = new Map(turns.filter((turn) => turn.speaker === 'recipient').map((turn) => [turn.sequence, turn.text]));
  const kept = proposed.slice(0, SENTENCES_LIMIT).flatMap(({ sentence, sequence, quote }) => {
    const text = words.get(sequence);
    const found = text === undefined ? null : findQuote(text, quote);
    const plain = sentence.replace(/\s+/g, ' ').trim();
    if (found === null || plain === '' || plain.length > SENTENCE_LIMIT) return [];
    if (!isBorneOut(plain, found, questionBefore(turns, sequence))) return [];
    return [`${plain.replace(/[.!?]*$/, '')} ("${shown(found)}").`];
  });
  if (kept.length === 0) return null;
  return clipped([outcomeOf(call, turns), ...kept, ...missingSentence(leaves, verified, turns)]);
}

/** What the assistant said last before a turn. */
function questionBefore(turns: readonly TranscriptTurn[], sequence: number): string {
  return turns.findLast((turn) => turn.speaker === 'assistant' && turn.sequence < sequence)?.text ?? '';
}

function answerSentence(claim: Claim, leaves: readonly Leaf[]): string {
  const leaf = leaves.find((each) => each.pointer === claim.path);
  const what = leaf === undefined ? claim.path : subjectOf(leaf);
  const name = what === 'your answer' ? 'Answer' : what.charAt(0).toUpperCase() + what.slice(1);
  return `${name}: ${spoken(claim.value, leaf)} ("${shown(claim.quote)}").`;
}

function spoken(value: JsonValue, leaf: Leaf | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => spoken(item, leaf?.item ?? undefined));
    return items.length === 0 ? 'none' : items.join(', ');
  }
  const choice = leaf?.choices.find((each) => each.value === value);
  if (choice !== undefined) return choice.label;
  return typeof value === 'string' ? shown(value) : JSON.stringify(value);
}

function missingSentence(
  leaves: readonly Leaf[],
  verified: Verified,
  turns: readonly TranscriptTurn[],
): readonly string[] {
  const answered = verified.claims.map((claim) => claim.path);
  const missing = leaves.filter(
    (leaf) => leaf.isRequired && !answered.some((path) => path === leaf.pointer || path.startsWith(`${leaf.pointer}/`)),
  );
  if (missing.length === 0) return [];
  if (answered.length === 0) {
    const isMachine = turns.some((turn) => turn.speaker === 'recipient' && isAutomatic(turn.text));
    return [
      isMachine ? 'Nothing that was asked for was answered by a person.' : 'Nothing that was asked for was answered.',
    ];
  }
  return [`Not answered: ${missing.map(subjectOf).join('; ')}.`];
}

function shown(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= QUOTE_SHOWN ? flat : `${flat.slice(0, QUOTE_SHOWN).replace(/\s+\S*$/, '')}…`;
}

/** Whole sentences only. */
function clipped(sentences: readonly string[]): string {
  let summary = '';
  for (const sentence of sentences) {
    if (summary.length + sentence.length + 1 > SUMMARY_LIMIT) break;
    summary = summary === '' ? sentence : `${summary} ${sentence}`;
  }
  return summary;
}
