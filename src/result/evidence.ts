// Whether an answer was really said: its quote is looked for, word for word, in the recipient's turn that it names. Pure; the
// one gate that every answer goes through, whoever claims it. Knows nothing of how claims are made.
import type { JsonScalar, JsonValue, Leaf } from '../answers/leaf.ts';
import { pointerSteps } from '../contract/json-pointer.ts';
import { contentStems, stemOf, tokensOf } from '../answers/words.ts';
import { retractionIn } from '../answers/understand.ts';
import type { Evidence } from '../contract/call.ts';
import type { TranscriptTurn } from './transcript.ts';

/** An answer with the words that it is said to rest on. */
export interface Claim {
  /** JSON Pointer of a scalar, or of a list of scalars, in the result. */
  readonly path: string;
  readonly value: JsonValue;
  readonly sequence: number;
  readonly quote: string;
}

export interface Verified {
  /** The last verified claim of each path; the quote as it stands in the turn. */
  readonly claims: readonly Claim[];
  /** Evidence of those claims; a list has it for itself and for each of its items. */
  readonly evidence: readonly Evidence[];
  /** Paths that were claimed and have no verified answer, in the order of the claims. */
  readonly dropped: readonly string[];
  /** Why, one sentence each; holds no words of the call. */
  readonly issues: readonly string[];
}

const QUOTE_LIMIT = 1000; // UTF-16 units; longer than any sentence that answers a question
const CLAIM_LIMIT = 400; // as many leaves as are asked for, several times over
const LIST_LIMIT = 100;

/**
 * Keeps the claims that the recipient's own words bear out.
 * @param claims in the order in which they were made: of two verified ones for one path the later sequence wins, then the later
 */
export function verify(claims: readonly Claim[], turns: readonly TranscriptTurn[], leaves: readonly Leaf[]): Verified {
  const issues: string[] = [];
  const found: Claim[] = [];
  const words = new Map(turns.filter((turn) => turn.speaker === 'recipient').map((turn) => [turn.sequence, turn.text]));
  for (const claim of claims.slice(0, CLAIM_LIMIT)) {
    const fault = shapeFault(claim);
    const text = words.get(claim.sequence);
    const quote = text === undefined ? null : findQuote(text, claim.quote);
    if (fault !== null) issues.push(`${claim.path}: ${fault}`);
    else if (text === undefined) issues.push(`${claim.path}: turn ${claim.sequence} is not a turn of the recipient`);
    else if (quote === null) issues.push(`${claim.path}: the quote is not in turn ${claim.sequence}`);
    else found.push({ ...claim, quote });
  }
  const standing = withoutRetracted(found, turns, leaves);
  for (const claim of found) if (!standing.includes(claim)) issues.push(`${claim.path}: taken back by the recipient`);
  const last = lastOfEachPath(standing);
  const paths = new Set(last.map((claim) => claim.path));
  const dropped = [...new Set(claims.slice(0, CLAIM_LIMIT).map((claim) => claim.path))].filter(
    (path) => !paths.has(path),
  );
  return { claims: last, evidence: last.flatMap(evidenceOf), dropped, issues };
}

/**
 * Looks for a quote in a turn, white space and case folded, both in NFC; whole words only.
 * @returns the words as they stand in the turn (NFC), or null
 */
export function findQuote(text: string, quote: string): string | null {
  const wanted = foldedWithPlaces(quote.slice(0, QUOTE_LIMIT + 1));
  if (quote.length > QUOTE_LIMIT || !/[\p{L}\p{N}]/u.test(wanted.text)) return null;
  const needle = wanted.text.trim();
  const hay = foldedWithPlaces(text);
  for (let at = hay.text.indexOf(needle); at >= 0; at = hay.text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    if (isInsideWord(hay.text, at) || isInsideWord(hay.text, end)) continue;
    const from = hay.places[at] ?? 0;
    return hay.original.slice(from, hay.places[end] ?? hay.original.length).trim();
  }
  return null;
}

/** Leaves whose own words are mentioned; a word that several leaves share names none of them. */
export function leavesNamedIn(text: string, leaves: readonly Leaf[]): readonly Leaf[] {
  const said = new Set(tokensOf(text).map((token) => stemOf(token.word)));
  const stemsOf = new Map(leaves.map((leaf) => [leaf, contentStems([leaf.name, leaf.title])]));
  const owners = new Map<string, number>();
  for (const stems of stemsOf.values()) for (const stem of stems) owners.set(stem, (owners.get(stem) ?? 0) + 1);
  return leaves.filter((leaf) =>
    [...(stemsOf.get(leaf) ?? [])].some((stem) => said.has(stem) && owners.get(stem) === 1),
  );
}

function shapeFault(claim: Claim): string | null {
  if (pointerSteps(claim.path) === null || claim.path.length > 1000) return 'not a JSON Pointer';
  if (claim.value === null) return 'null is no answer';
  if (Array.isArray(claim.value)) {
    const isFlat = claim.value.length <= LIST_LIMIT && claim.value.every((item) => isScalar(item) && item !== null);
    return isFlat ? null : 'a list needs evidence for each of its items';
  }
  return isScalar(claim.value) ? null : 'an object needs evidence for each of its members';
}

function isScalar(value: JsonValue): value is JsonScalar {
  return value === null || typeof value !== 'object';
}

/** A retraction takes back what it names; one that names nothing takes back what was said right before it. */
function withoutRetracted(
  claims: readonly Claim[],
  turns: readonly TranscriptTurn[],
  leaves: readonly Leaf[],
): readonly Claim[] {
  let standing = claims;
  for (const turn of turns) {
    if (turn.speaker !== 'recipient') continue;
    const retraction = retractionIn(turn.text);
    if (retraction === null) continue;
    const named = new Set(leavesNamedIn(turn.text.slice(retraction.start), leaves).map((leaf) => leaf.pointer));
    if (retraction.needsTopic && named.size === 0) continue;
    const isReplaced = standing.some(
      (claim) => claim.sequence === turn.sequence && !isBefore(claim, turn, retraction.start),
    );
    const latest = Math.max(
      0,
      ...standing.filter((claim) => isSaidBefore(claim, turn, retraction.start)).map((claim) => claim.sequence),
    );
    standing = standing.filter((claim) => {
      if (!isSaidBefore(claim, turn, retraction.start)) return true;
      if (named.size > 0) return !named.has(leafPathOf(claim.path, named));
      return isReplaced || claim.sequence !== latest;
    });
  }
  return standing;
}

function isSaidBefore(claim: Claim, turn: TranscriptTurn, retractedAt: number): boolean {
  return claim.sequence < turn.sequence || isBefore(claim, turn, retractedAt);
}

function isBefore(claim: Claim, turn: TranscriptTurn, retractedAt: number): boolean {
  return claim.sequence === turn.sequence && turn.text.indexOf(claim.quote) + claim.quote.length <= retractedAt;
}

function leafPathOf(path: string, named: ReadonlySet<string>): string {
  return [...named].find((pointer) => path === pointer || path.startsWith(`${pointer}/`)) ?? path;
}

function lastOfEachPath(claims: readonly Claim[]): readonly Claim[] {
  const last = new Map<string, Claim>();
  for (const claim of claims) {
    const known = last.get(claim.path);
    if (known === undefined || known.sequence <= claim.sequence) last.set(claim.path, claim);
  }
  return [...last.values()];
}

function evidenceOf(claim: Claim): readonly Evidence[] {
  const { path, sequence, quote } = claim;
  const items = Array.isArray(claim.value)
    ? claim.value.map((_, index) => ({ path: `${path}/${index}`, sequence, quote }))
    : [];
  return [{ path, sequence, quote }, ...items];
}

interface Folded {
  readonly original: string;
  readonly text: string;
  /** For each UTF-16 unit of `text`, and for its end, the place in `original`. */
  readonly places: readonly number[];
}

/** Lower case, every run of white space one space, NFC; an apostrophe is an apostrophe however it is typed. */
function foldedWithPlaces(text: string): Folded {
  const original = text.normalize('NFC');
  let foldedText = '';
  const places: number[] = [];
  let at = 0;
  for (const character of original) {
    const isSpace = /\s/u.test(character);
    const piece = isSpace ? (foldedText.endsWith(' ') ? '' : ' ') : character.toLowerCase().replace(/[’‘]/, "'");
    for (let unit = 0; unit < piece.length; unit += 1) places.push(at);
    foldedText += piece;
    at += character.length;
  }
  places.push(original.length);
  return { original, text: foldedText, places };
}

/** Whether a place has a letter or digit (or a mark on one) on both of its sides. */
function isInsideWord(text: string, at: number): boolean {
  return (
    /[\p{L}\p{N}\p{M}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^[\p{L}\p{N}\p{M}]/u.test(text.slice(at, at + 2))
  );
}
