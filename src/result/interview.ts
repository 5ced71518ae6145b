// Answers read from a transcript without a model: what the recipient said after a question is understood for the leaf that was
// asked. Pure. The words are only ever understood, never followed.
import type { Leaf, Understanding, UnderstandContext } from '../answers/leaf.ts';
import { understand } from '../answers/understand.ts';
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
  const standing: Standing = { asked: null, answered: [], hasHeard: false, isHolding: false };
  for (const turn of turns) {
    if (turn.speaker === 'assistant') hearQuestion(standing, leaves, turn);
    if (turn.speaker !== 'recipient' || isAutomatic(turn.text)) continue;
    const read = readTurn(standing, leaves, turn, context);
    standing.hasHeard = true;
    standing.isHolding = read?.understood.kind === 'hold';
    if (read === null || read.understood.kind !== 'answer') continue;
    const { value, quote } = read.understood;
    claims.push({ path: read.leaf.pointer, value, sequence: turn.sequence, quote });
    const place = standing.answered.indexOf(read.leaf);
    if (place >= 0) standing.answered.splice(place, 1);
    standing.answered.push(read.leaf);
  }
  return claims;
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
): { readonly leaf: Leaf; readonly understood: Understanding } | null {
  const { asked } = standing;
  const understood = asked === null ? null : understand(asked, turn.text, context);
  const isOpen = asked !== null && !standing.answered.includes(asked);
  const isPlain = understood?.kind === 'answer' && !understood.isCorrection;
  if (asked !== null && understood !== null && (isPlain || (!isOpen && understood.kind === 'answer'))) {
    return { leaf: asked, understood };
  }
  const earlier = correctedEarlier(standing, leaves, turn.text, context);
  if (earlier !== null) return earlier;
  return asked === null || understood === null ? null : { leaf: asked, understood };
}

/** "Sorry, I meant five", said to a later question: the latest answer that it can replace, those that it names first. */
function correctedEarlier(
  standing: Standing,
  leaves: readonly Leaf[],
  text: string,
  context: UnderstandContext,
): { readonly leaf: Leaf; readonly understood: Understanding } | null {
  const latestFirst = standing.answered.toReversed();
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
