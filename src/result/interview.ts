// Answers read from a transcript without a model: what the recipient said after a question is understood for the leaf that was
// asked. Pure. The words are only ever understood, never followed.
import type { Leaf, Understanding, UnderstandContext } from '../answers/leaf.ts';
import { stanceOf } from '../answers/stance.ts';
import { retractionIn, understand } from '../answers/understand.ts';
import { contentStems, sentencesOf } from '../answers/words.ts';
import type { Claim } from './evidence.ts';
import { leavesNamedIn } from './evidence.ts';
import type { TranscriptTurn } from './transcript.ts';

interface Standing {
  /** The leaf that was asked for last, while its question stands. */
  asked: Leaf | null;
  /** Leaves with an answer, the latest last. */
  readonly answered: Leaf[];
  /** Whether the recipient has spoken since the question. */
  hasHeard: boolean;
  /** Whether the recipient's last words were a "one moment". */
  isHolding: boolean;
  /** Leaves that were asked for, and whether something was said to them that settles them: an answer, "I don't know", a no. */
  readonly settled: Map<Leaf, boolean>;
}

/**
 * Reads the claims of an interview.
 * @param turns the whole transcript, oldest first; assistant turns carry the pointer that they ask for in `about`
 * @returns claims in the order in which they were made: of several for one path the last one counts. Unverified: they go
 *   through `verify` like a model's
 */
export function readInterview(
  leaves: readonly Leaf[],
  turns: readonly TranscriptTurn[],
  context: UnderstandContext,
): readonly Claim[] {
  const claims: Claim[] = [];
  const standing: Standing = { asked: null, answered: [], hasHeard: false, isHolding: false, settled: new Map() };
  for (const turn of turns) {
    if (turn.speaker === 'assistant') hearQuestion(standing, leaves, turn);
    if (turn.speaker !== 'recipient' || isAutomatic(turn.text)) continue;
    const readings = readTurn(standing, leaves, turn, context);
    standing.hasHeard = true;
    standing.isHolding = readings[0]?.understood.kind === 'hold';
    for (const { leaf, understood } of readings) {
      if (SETTLING.has(understood.kind)) standing.settled.set(leaf, true);
      if (understood.kind !== 'answer') continue;
      const { value, quote } = understood;
      claims.push({ path: leaf.pointer, value, sequence: turn.sequence, quote });
      const place = standing.answered.indexOf(leaf);
      if (place >= 0) standing.answered.splice(place, 1);
      standing.answered.push(leaf);
    }
  }
  return [...volunteered(standing, turns, context), ...claims];
}

const SETTLING: ReadonlySet<Understanding['kind']> = new Set(['answer', 'unknown', 'refusal']);
/** What can be told from words that nobody asked for: not any text, and not a number without its question. */
const TELLING = new Set<Leaf['kind']>(['boolean', 'choice', 'date', 'time', 'date_time', 'integer', 'number']);

/**
 * "Yes, we are open on Saturday", said to the purpose before any question: counts for a question that was asked then and got
 * nothing clear, where the words name what it asks for.
 */
function volunteered(
  standing: Standing,
  turns: readonly TranscriptTurn[],
  context: UnderstandContext,
): readonly Claim[] {
  const opening = turns.findIndex((turn) => turn.speaker === 'assistant');
  const firstQuestion = turns.findIndex((turn) => turn.about !== null);
  const said = turns.slice(opening, Math.max(opening, firstQuestion)).filter((turn) => turn.speaker === 'recipient');
  const claims: Claim[] = [];
  for (const [leaf, isSettled] of standing.settled) {
    if (isSettled || !TELLING.has(leaf.kind)) continue;
    for (const turn of said) {
      if (isAutomatic(turn.text) || !namesTopic(leaf, turn.text)) continue;
      const understood = understand(leaf, turn.text, context);
      if (understood.kind !== 'answer' || understood.isCorrection) continue;
      claims.push({ path: leaf.pointer, value: understood.value, sequence: turn.sequence, quote: understood.quote });
    }
  }
  return claims;
}

/** Whether the words hold a word of the leaf's own, or one of its choices by name. */
function namesTopic(leaf: Leaf, text: string): boolean {
  const said = contentStems([text]);
  const labels = leaf.choices
    .map((choice) => choice.label)
    .filter((label) => !/^(?:yes|no|maybe|true|false)$/i.test(label));
  return [...contentStems([leaf.name, leaf.title, leaf.description, ...labels])].some((stem) => said.has(stem));
}

/** A machine's announcement answers nothing that was asked of a person. */
export function isAutomatic(text: string): boolean {
  return /(?:leave (?:a|your|us a) (?:brief |short |detailed )?(?:message|name)|(?:after|at) the (?:tone|beep)|voice ?mail|mailbox (?:is|of)|(?:press|dial) (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|pound|star)\b|your call is (?:very )?important|you have reached the (?:voice|mailbox)|all (?:of )?our (?:agents|representatives|lines) are (?:currently )?busy)/i.test(
    text,
  );
}

function hearQuestion(standing: Standing, leaves: readonly Leaf[], turn: TranscriptTurn): void {
  const leaf = turn.about === null ? undefined : leaves.find((each) => each.pointer === turn.about);
  if (leaf !== undefined) {
    standing.asked = leaf;
    if (!standing.settled.has(leaf)) standing.settled.set(leaf, false);
    standing.hasHeard = false;
    standing.isHolding = false;
    return;
  }
  // Another sentence right after the question, or during a hold, leaves it standing; after an answer it is over.
  if (standing.hasHeard && !standing.isHolding) standing.asked = null;
}

function readTurn(
  standing: Standing,
  leaves: readonly Leaf[],
  turn: TranscriptTurn,
  context: UnderstandContext,
): readonly Reading[] {
  const { asked } = standing;
  const aboutOther = asked === null ? null : placeOfOther(standing, asked, leaves, turn.text);
  const own = aboutOther === null ? turn.text : turn.text.slice(0, aboutOther);
  const understood = asked === null ? null : understand(asked, own, context);
  const isOpen = asked !== null && !standing.answered.includes(asked);
  const isPlain = understood?.kind === 'answer' && !understood.isCorrection;
  if (asked !== null && understood !== null && (isPlain || (!isOpen && understood.kind === 'answer'))) {
    const behind = behindAnswer(turn.text, understood.quote);
    const corrected = behind === null ? null : correctedEarlier(standing, leaves, asked, behind, context);
    return corrected === null ? [{ leaf: asked, understood }] : [{ leaf: asked, understood }, corrected];
  }
  const earlier = correctedEarlier(standing, leaves, null, turn.text, context);
  if (earlier !== null) {
    const before = asked === null || asked === earlier.leaf ? null : answerBefore(asked, turn.text, context);
    return before === null ? [earlier] : [before, earlier];
  }
  return asked === null || understood === null ? [] : [{ leaf: asked, understood }];
}

interface Reading {
  readonly leaf: Leaf;
  readonly understood: Understanding;
}

/** Where a turn goes over from what was asked to taking back an earlier answer, at the beginning of that sentence. */
function placeOfOther(standing: Standing, asked: Leaf, leaves: readonly Leaf[], text: string): number | null {
  const place = retractionIn(text);
  if (place === null) return null;
  const sentence = sentencesOf(text).findLast((each) => each.start <= place.start);
  if (sentence === undefined || sentence.start === 0) return null;
  const named = leavesNamedIn(text.slice(place.start), leaves);
  const isOther = named.some((leaf) => leaf !== asked && standing.answered.includes(leaf));
  return isOther && !named.includes(asked) ? sentence.start : null;
}

/** "Yes. Actually, we close at six": the yes is to what was asked. */
function answerBefore(asked: Leaf, text: string, context: UnderstandContext): Reading | null {
  const { correction } = stanceOf(text);
  if (correction === null) return null;
  const understood = understand(asked, text.slice(0, correction.start), context);
  return understood.kind === 'answer' ? { leaf: asked, understood } : null;
}

/** The words from a correction on that stands behind the answer's own words; null for none. */
function behindAnswer(text: string, quote: string): string | null {
  const { correction } = stanceOf(text);
  if (correction?.isStrong !== true || text.indexOf(quote) + quote.length > correction.start) return null;
  return text.slice(correction.start);
}

/** "Sorry, I meant five", said to a later question: the latest answer that it can replace, those that it names first. */
function correctedEarlier(
  standing: Standing,
  leaves: readonly Leaf[],
  except: Leaf | null,
  text: string,
  context: UnderstandContext,
): Reading | null {
  const latestFirst = standing.answered.filter((leaf) => leaf !== except).toReversed();
  const named = leavesNamedIn(text, leaves);
  const candidates = [
    ...latestFirst.filter((leaf) => named.includes(leaf)),
    ...latestFirst.filter((leaf) => !named.includes(leaf)),
  ];
  for (const leaf of candidates) {
    const understood = understand(leaf, text, context);
    if (understood.kind === 'answer' && understood.isCorrection) return { leaf, understood };
  }
  return null;
}
