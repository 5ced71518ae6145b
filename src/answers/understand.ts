// What a recipient's turn means for the leaf that was asked. Never invents: what could be two things is `unclear`. Pure.
import type { Leaf, Understanding, UnderstandContext } from './leaf.ts';
import { unknownChoice } from './kinds/choices.ts';
import { stanceOf } from './stance.ts';
import type { Place, Stance } from './stance.ts';
import { valueIn } from './value.ts';
import { quoteAround, sentencesOf, TEXT_LIMIT, tokensOf } from './words.ts';

const FREE_KINDS = new Set(['text', 'name', 'list']);

/**
 * Understands one turn.
 * @param text what the recipient said or typed, or `[keypad] 1`; more than 4,000 UTF-16 units are not read
 * @returns the value with a quote that stands in `text` word for word, or what the turn is instead; never throws
 */
export function understand(leaf: Leaf, text: string, context: UnderstandContext): Understanding {
  const said = text.slice(0, TEXT_LIMIT);
  const stance = stanceOf(said);
  if (stance.refusal?.isFinal === true) return { kind: 'refusal', isFinal: true };
  if (stance.isInstruction) return { kind: 'unclear' };

  const isFree = FREE_KINDS.has(leaf.kind) && (leaf.kind !== 'list' || FREE_KINDS.has(leaf.item?.kind ?? 'text'));
  const aside = asideOf(said, stance, isFree);
  if (aside !== null) return aside;

  const { correction } = stance;
  if (correction !== null) {
    const isCorrection = correction.isStrong || tokensOf(said.slice(0, correction.start)).length > 0;
    // "Forget what I said about Monday": Monday is what is taken back, not what is right.
    const start = endOfCorrection(correction, stance.retraction);
    const end = isFree ? said.length : start + withoutReplaced(said.slice(start)).length;
    const after = answerIn(leaf, said, { start, end }, context, stance);
    if (after !== null) return after.kind === 'answer' || after.kind === 'unknown' ? { ...after, isCorrection } : after;
  }
  if (stance.retraction !== null) return { kind: 'unknown', isCorrection: true };
  const readable = isFree ? statementsOf(withoutAsides(said, stance, true)) : withoutAsides(said, stance, false);
  const whole = answerIn(leaf, readable, { start: 0, end: said.length }, context, stance, said);
  if (whole !== null) return whole;
  if (stance.hold !== null) return { kind: 'hold' };
  if (stance.repeat !== null) return { kind: 'repeat' };
  return stance.isQuestion ? { kind: 'question' } : { kind: 'unclear' };
}

/**
 * Where the words take something back without saying what is right instead.
 * `needsTopic`: only doubt is voiced ("actually I'm not sure about the price"), which counts for what it names alone.
 */
export function retractionIn(text: string): (Place & { readonly needsTopic: boolean }) | null {
  const stance = stanceOf(text.slice(0, TEXT_LIMIT));
  if (stance.retraction !== null) return { ...stance.retraction, needsTopic: false };
  const { correction, unknown } = stance;
  const isDoubt = correction !== null && unknown !== null && unknown.start >= correction.start;
  return isDoubt ? { start: correction.start, end: unknown.end, needsTopic: true } : null;
}

/** Turns that do nothing but hold, ask for repetition, refuse or ask back. */
function asideOf(said: string, stance: Stance, isFree: boolean): Understanding | null {
  if (stance.refusal !== null) return { kind: 'refusal', isFinal: false };
  if (stance.repeat !== null && wordsOutside(said, stance.repeat) <= 3) return { kind: 'repeat' };
  if (
    stance.correction?.isStrong !== true &&
    stance.hold !== null &&
    wordsOutside(said, stance.hold) <= (isFree && !endsSentence(said, stance.hold) ? 4 : 0)
  ) {
    return { kind: 'hold' };
  }
  if (isFree && stance.isQuestion && !hasStatement(said)) return { kind: 'question' };
  return null;
}

/** Whether something was stated before the question at the end. */
function hasStatement(said: string): boolean {
  const sentences = sentencesOf(said);
  const isAsked = sentences.at(-1)?.value.endsWith('?') === true;
  return isAsked && sentences.slice(0, -1).some(({ value }) => !value.endsWith('?') && tokensOf(value).length >= 3);
}

function answerIn(
  leaf: Leaf,
  said: string,
  place: Place,
  context: UnderstandContext,
  stance: Stance,
  original = said,
): Understanding | null {
  const part = said.slice(place.start, place.end);
  const unknownAt = stance.unknown;
  if (unknownAt !== null && unknownAt.start >= place.start) return doubted(leaf, said, unknownAt, context, original);
  if (!/[\p{L}\p{N}]/u.test(part)) return null;
  const found = valueIn(leaf, part, context);
  if (found === null) return null;
  if (found === 'nothing') return { kind: 'unknown', isCorrection: false };
  if (stance.isQuestion && leaf.kind !== 'choice' && isAskedBack(part)) return { kind: 'question' };
  const quote = quoteAround(original, place.start + found.start, place.start + found.end);
  return { kind: 'answer', value: found.value, quote, isCorrection: false };
}

/** "I'm not sure, but I think five": what follows a "but" or an "I think" counts, in the recipient's own doubtful words. */
function doubted(
  leaf: Leaf,
  said: string,
  unknown: Place,
  context: UnderstandContext,
  original: string,
): Understanding {
  const rest = said.slice(unknown.end);
  const isHedged =
    /^[\s,.;-]*(?:but\b|(?:though|however)\b|i (?:think|believe|guess|would say)\b|i'd say\b|let me\b.*\byes\b)/i.test(
      rest,
    );
  const found = isHedged ? valueIn(leaf, rest, context) : null;
  if (found !== null && found !== 'nothing' && !FREE_KINDS.has(leaf.kind)) {
    const quote = quoteAround(original, unknown.start, unknown.end + found.end);
    return { kind: 'answer', value: found.value, quote, isCorrection: false };
  }
  const choice = unknownChoice(leaf);
  if (choice === null) return { kind: 'unknown', isCorrection: false };
  const quote = quoteAround(original, unknown.start, unknown.end);
  return { kind: 'answer', value: choice.value, quote, isCorrection: false };
}

function isAskedBack(part: string): boolean {
  return /\?\s*$/.test(part.trim()) && !/[.!]\s+\S+[^.!]*\?\s*$/.test(part.trim());
}

/**
 * "Let me check. Yes, we are.": the hold is blanked out so that its words are not read, and places still hold. Of free text the
 * shorter side of it goes as well: what is left is one stretch of the recipient's words.
 */
function withoutAsides(said: string, stance: Stance, isFree: boolean): string {
  let text = said;
  for (const place of [stance.hold, stance.repeat]) {
    if (place === null) continue;
    const isEarly = place.start < said.length - place.end;
    const from = isFree && isEarly ? 0 : place.start;
    const to = isFree && !isEarly ? said.length : place.end;
    text = text.slice(0, from) + ' '.repeat(to - from) + text.slice(to);
  }
  return text;
}

/** "It was the snow. Anything else?": the question at the end is blanked out. */
function statementsOf(said: string): string {
  const last = sentencesOf(said).at(-1);
  return last?.value.endsWith('?') === true ? said.slice(0, last.start) + ' '.repeat(said.length - last.start) : said;
}

function endOfCorrection(correction: Place, retraction: Place | null): number {
  const isWithin = retraction !== null && retraction.start <= correction.start && correction.end <= retraction.end;
  return isWithin ? retraction.end : correction.end;
}

/** "Tuesday, not Monday": what is replaced is no second answer. */
function withoutReplaced(corrected: string): string {
  const at = corrected.search(/(?<=[\p{L}\p{N}])(?:,| and| but|,? rather)? (?:not|instead of) (?!sure|certain)/iu);
  return at < 0 ? corrected : corrected.slice(0, at);
}

function endsSentence(said: string, place: Place): boolean {
  return /^\s*[.!;]\s*\S/.test(said.slice(place.end));
}

function wordsOutside(said: string, place: Place): number {
  return tokensOf(`${said.slice(0, place.start)} ${said.slice(place.end)}`).filter(
    (token) =>
      !/^(?:please|okay|ok|sure|um|uh|oh|yes|no|well|for|me|you|a|the|i|and|so|sorry|alright|just|that|it|one|second|moment|minute|now)$/.test(
        token.word,
      ),
  ).length;
}
