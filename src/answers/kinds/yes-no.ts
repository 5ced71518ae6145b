// Yes or no, in the many ways people say it. Signs for both sides, or hedges, are neither. Pure.
import type { Leaf } from '../leaf.ts';
import { contentStems, folded, sentencesOf, stemOf, tokensOf } from '../words.ts';
import type { Found } from '../words.ts';

const bounded = (patterns: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}'])(?:${patterns.join('|')})(?![\\p{L}'])`, 'giu');

/** Read before everything else; each replaces the words it covers. */
const FIXED: readonly (readonly ['yes' | 'no' | 'unsure' | 'nothing', RegExp])[] = [
  [
    'no',
    bounded([
      "i(?:'m| am) afraid not",
      'afraid not',
      'not (?:really|at all|yet|anymore|any more|any longer|today|currently|at the moment|right now|that i know(?: of)?|as far as i know|possible|available)',
      "i (?:don't|do not) (?:think|believe) (?:so|that|we do|it is|they do)",
      'no way',
      '(?:absolutely|definitely|certainly|of course|unfortunately|sadly|surely|obviously) not',
      'no longer',
      'not a chance',
      'by no means',
      'i wish',
      'no can do',
      'out of the question',
    ]),
  ],
  [
    'yes',
    bounded([
      'no problem(?: at all)?',
      'not a problem',
      'no worries',
      "(?:there(?:'s| is) )?no doubt",
      'why not',
      '(?:i )?(?:think|believe) so',
      'by all means',
      'sounds (?:good|great|fine|right)',
      'you bet',
      'of course',
      'for sure',
      'sure thing',
      'uh[- ]?huh',
      'mm[- ]?hm+',
      'm+hm+',
      "that(?:'s| is| would be) (?:right|correct|true|fine|ok|okay|possible)",
      'you are (?:right|correct)',
      "you(?:'re| are) right",
      'happy to',
      "can't complain",
      'not only',
    ]),
  ],
  [
    'unsure',
    bounded([
      'yes,? speaking',
      'yes and no',
      'yes no',
      'yeah,? no',
      'no,? yeah',
      'yes,? no',
      'no,? yes',
      'maybe(?: not)?',
      'perhaps',
      'possibly',
      'probably(?: not)?',
      'might(?: be| not)?',
      'it depends(?: on [^.!?]*)?',
      '(?:that )?depends(?: on [^.!?]*)?',
      'sometimes',
      'usually(?: not)?',
      'not always',
      'i guess(?: so| not)?',
      "i(?:'d| would) have to check",
      'more or less',
      'yes,? speaking',
      'sort of',
      'kind of',
      'not necessarily',
      'i suppose(?: so| not)?',
    ]),
  ],
  [
    'nothing',
    bounded([
      'no need to [^.!?,]*',
      'no later than [^.!?,]*',
      "don't worry(?: about (?:it|that))?",
      "you(?:'re| are) welcome",
      'thank you(?: very much)?',
      'thanks(?: for (?:calling|asking|waiting))?',
      'if not',
    ]),
  ],
];
const YES_WORDS = bounded([
  'yes',
  'yeah',
  'yea',
  'yep',
  'yup',
  'yess+',
  'ya',
  'aye',
  'sure',
  'absolutely',
  'certainly',
  'definitely',
  'indeed',
  'correct',
  'exactly',
  'affirmative',
  'true',
  'totally',
  'oui',
  'si',
  'gladly',
  'agreed',
  'confirmed',
  'y',
]);
const NO_WORDS = bounded([
  'nope',
  'nah',
  'naw',
  'negative',
  'never',
  'false',
  'nay',
  'n',
  "no(?= sir| ma'am| madam)",
  'incorrect',
  "unfortunately(?=,? (?:we|it|they|i|that|there|you|he|she)\\b[^.!?]*(?:not|n't))",
]);
/** "no" before a noun is not an answer by itself: "no appointment needed". */
const NO_ALONE =
  /(?<![\p{L}'])no(?=\s*(?:$|[,.!?;:\-–—]|\s(?:we|i|it|they|you|he|she|sir|ma'am|thanks|thank|sorry|not|never|unfortunately|that|there|this|sadly|i'm|it's|we're|that's|there's|they're|you're|the)(?![\p{L}])))/giu;
const NEGATED_VERB =
  /(?<![\p{L}'])(?:(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|am|i'm|it's|we're|they're|that's|you're)\s+(?:\p{L}+\s+){0,1}?not|(?:isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|cannot|couldn't|won't|wouldn't|shouldn't|hasn't|haven't|hadn't|ain't))(?![\p{L}'])/giu;
const SHORT_NEGATIVE =
  /^\W*(?:(?:well|sorry|um|uh|oh|unfortunately|sadly|no)\W+)*(?:not|(?:i|we|you|it|they|he|she|that|this|there)\s*(?:'m|'re|'s)?\s*(?:is|are|am|do|does|can|will|would|have|has)?\s*(?:not|isn't|aren't|don't|doesn't|can't|cannot|won't|wouldn't|haven't|hasn't))\b/iu;
const SHORT_POSITIVE =
  /^\W*(?:(?:well|um|uh|oh|and|so|ok|okay)\W+)*(?:(?:i|we|you|it|they|he|she|that|this|there)\s+(?:sure |certainly |definitely |really |absolutely |indeed |always )?(?:is|are|am|do|does|can|will|would|have|has|did|was|were|could|should)(?: indeed| so| sure)?|(?:it|that) (?:sure|certainly) (?:is|does|will))\W*$/iu;
const QUALIFIED = /(?<![\p{L}'])(?:but|except|although|though|however)(?![\p{L}'])/iu;

/** Words that answer a question about their opposite. */
const OPPOSITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['open', ['closed', 'shut', 'close']],
  ['availabl', ['unavailable', 'sold', 'booked', 'full', 'gone', 'taken']],
  ['possibl', ['impossible']],
  ['closed', ['open']],
  ['clos', ['open']],
  ['stock', ['sold']],
  ['accept', ['decline', 'refuse']],
  ['allow', ['forbidden', 'prohibited', 'banned']],
  ['free', ['booked', 'busy', 'taken']],
  ['includ', ['excluded', 'extra']],
  ['working', ['broken']],
]);
const DAY_NAMES = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^weekends?$|^weekdays?$/;

interface Sign {
  readonly value: boolean;
  readonly start: number;
  readonly end: number;
}

/** @returns yes or no with its place; null where nothing is said about it, where both are, and in doubt */
export function yesOrNo(leaf: Leaf, text: string): Found<boolean> | null {
  const lower = folded(text);
  if (lower.length !== text.length) return yesOrNo(leaf, lower.slice(0, text.length));
  const foreign = FOREIGN.exec(lower);
  if (foreign !== null) return { value: foreign[1] !== undefined, start: 0, end: text.trimEnd().length };
  const signs: Sign[] = [];
  let rest = lower;
  for (const [meaning, pattern] of FIXED) {
    for (const match of rest.matchAll(pattern)) {
      if (meaning === 'unsure') return null;
      const [start, end] = [match.index, match.index + match[0].length];
      if (meaning !== 'nothing') signs.push({ value: meaning === 'yes', start, end });
      rest = rest.slice(0, start) + '\u0000'.repeat(end - start) + rest.slice(end);
    }
  }
  for (const [pattern, value] of [
    [YES_WORDS, true],
    [NO_WORDS, false],
    [NO_ALONE, false],
  ] as const) {
    for (const match of rest.matchAll(pattern))
      signs.push({ value, start: match.index, end: match.index + match[0].length });
  }
  const topic = contentStems([leaf.name, leaf.title, leaf.description, ...leaf.parents]);
  for (const clause of clausesOf(rest)) {
    const hasWordsBefore = /\p{L}/u.test(
      rest.slice(0, clause.start).replace(/sorry|unfortunately|well|but|sadly/g, ''),
    );
    const sign = clauseSign(clause, topic, { hasSign: signs.length > 0, hasWordsBefore });
    if (sign === 'unsure') return null;
    if (sign !== null) signs.push(sign);
  }
  return settled(lower, signs);
}

/** A bare yes or no in German, Spanish or French, with at most a courtesy behind it: more of those languages is not understood. */
const FOREIGN =
  /^\W*(?:(ja|jawohl|sí|si|oui)|(nein|nee|non))(?:[\s,.!]+(?:natürlich|klar|gerne?|bitte|danke|leider|claro|gracias|señora?|por supuesto|bien sûr|merci|madame|monsieur))*[\s.!]*$/iu;

/** Words that turn an agreeing statement round, or leave it open. */
const TURNING =
  /(?<![\p{L}])(?:not|never|no|none|nobody|nothing|neither|nor|without|stopped|quit|unable|unlikely|doubt|hardly|barely|rarely|seldom|almost|nearly|refuse|used to|\p{L}+n't|cannot)(?![\p{L}])/iu;

function settled(text: string, signs: readonly Sign[]): Found<boolean> | null {
  const questions = sentencesOf(text).filter((sentence) => sentence.value.endsWith('?'));
  const sorted = signs
    .filter((sign) => !questions.some((question) => question.start <= sign.start && sign.end <= question.end))
    .sort((left, right) => left.start - right.start);
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return null;
  if (sorted.some((sign) => sign.value !== first.value)) return null;
  const qualifier = QUALIFIED.exec(text.slice(first.end));
  if (first.value && qualifier !== null) {
    const after = text.slice(first.end + qualifier.index);
    if (/(?<![\p{L}])(?:not|no|never|cannot|\p{L}+n't|only if|closed)(?![\p{L}])/iu.test(after)) return null;
  }
  const isTurned = first.value && sorted.some((sign) => TURNING.test(withoutFixed(clauseOf(text, sign))));
  return isTurned ? null : { value: first.value, start: first.start, end: last.end };
}

/** The words around a sign, up to the next comma or stop. */
function clauseOf(text: string, sign: Sign): string {
  const before =
    text
      .slice(0, sign.start)
      .split(/[,.;!?\n–—]/)
      .at(-1) ?? '';
  const after = text.slice(sign.end).split(/[,.;!?\n–—]/)[0] ?? '';
  return before + text.slice(sign.start, sign.end) + after;
}

/** "No problem" and the like agree although a "no" is in them. */
function withoutFixed(clause: string): string {
  return FIXED.filter(([meaning]) => meaning !== 'no').reduce(
    (rest, [, pattern]) => rest.replace(pattern, ' '),
    clause,
  );
}

function clausesOf(text: string): readonly { readonly text: string; readonly start: number }[] {
  const clauses: { text: string; start: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(/[,.;!?\n]+(?!\d)|(?<![\p{L}])(?:but|because|so that|and)(?![\p{L}])/giu)) {
    clauses.push({ text: text.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  clauses.push({ text: text.slice(start), start });
  return clauses.filter((clause) => /\p{L}/u.test(clause.text));
}

/** What a statement says about the leaf: by echo of its words, by their opposites, or by a bare verb ("we don't", "it is"). */
function clauseSign(
  clause: { readonly text: string; readonly start: number },
  topic: ReadonlySet<string>,
  around: { readonly hasSign: boolean; readonly hasWordsBefore: boolean },
): Sign | 'unsure' | null {
  const { text, start } = clause;
  const { hasSign, hasWordsBefore } = around;
  const words = tokensOf(text).map((token) => token.word);
  const end = start + text.trimEnd().length;
  const stems = new Set(words.map(stemOf));
  const negated = [...text.matchAll(NEGATED_VERB)];
  const isShort = words.length <= 4;
  const echoes = [...topic].filter((stem) => stems.has(stem));
  const opposite = words.some((word) => [...topic].some((stem) => OPPOSITES.get(stem)?.includes(word) === true));
  if (isOtherDay(words, topic)) return hasSign ? null : 'unsure';
  const none = /^\W*(?:(?:sorry|unfortunately|sadly)\W+)?no (\p{L}+)/iu.exec(text)?.[1];
  if (none !== undefined && topic.has(stemOf(none))) return { value: false, start, end };
  if (SHORT_POSITIVE.test(text)) return { value: true, start, end };
  if (!hasWordsBefore && /^\W*(?:sorry\W+)?not (?:on|in|at|for|before|after|this|until|here|from)\b/.test(text)) {
    return { value: false, start, end };
  }
  if (hasWordsBefore && /^\W*not\b/.test(text)) return 'unsure';
  if (SHORT_NEGATIVE.test(text) && (isShort || echoes.length > 0 || opposite)) {
    return { value: opposite && echoes.length === 0, start, end };
  }
  if (negated.length > 0) {
    if (echoes.length === 0 && !opposite) return null;
    return { value: opposite && echoes.length === 0, start, end };
  }
  if (
    opposite &&
    !(
      /\b(?:at|until|till)\b/.test(text) &&
      /\d|\b(?:noon|one|two|three|four|five|six|seven|eight|nine|ten)\b/.test(text)
    )
  ) {
    return { value: false, start, end };
  }
  const isStatement =
    /^\W*(?:well\W+)?(?:i|we|they|it|you|he|she|there|that|this|the|our|i'm|we're|they're|it's|there's|you're)\b/.test(
      text,
    );
  const isEcho = echoes.length >= Math.min(2, topic.size) || echoes.some((stem) => OPPOSITES.has(stem));
  return isStatement && isEcho && !/\?\s*$/.test(text) ? { value: true, start, end } : null;
}

/** "We are open on weekdays" does not answer a question about Saturday. */
function isOtherDay(words: readonly string[], topic: ReadonlySet<string>): boolean {
  const asked = [...topic].filter((stem) => DAY_NAMES.test(stem));
  const said = words.filter((word) => DAY_NAMES.test(word)).map(stemOf);
  return asked.length > 0 && said.length > 0 && !said.some((stem) => asked.includes(stem));
}
