// Free answers: the recipient's words without the filler around them, names, and codes that have to fit a pattern. Pure.
import { RE2JS } from 're2js';
import type { Leaf } from '../leaf.ts';
import { isOptionalRemark } from '../question.ts';
import { contentStems, sentencesOf, stemOf, tokensOf } from '../words.ts';
import type { Found } from '../words.ts';
import { editDistance } from './choices.ts';
import { dictatedCodesIn } from './codes.ts';
import { numbersIn } from './numbers.ts';
import { spelledIn } from './spelled.ts';

/** One step of filler; a run of them is followed by `runOf`, which never goes back and so stays linear. */
const LEADING =
  /[\s,.!;:…-]+|(?:um+|uh+|uhm|er+|erm|hm+|well|so|oh|ah|okay|ok|alright|all right|right|let's see|let me see|let me think|you know|i mean|like|yeah so|yes so|hello|hi|hey|good (?:morning|afternoon|evening)|sure|of course|certainly|no problem|thanks for (?:waiting|holding))(?=[\s,.!;:…-]|$)/iuy;
const TRAILING =
  /(?:[\s,.!;:…-]|(?<=[\s,.!;:])(?:thank you(?: very much)?|thanks(?: a lot)?|bye|goodbye|have a (?:nice|good|great) (?:day|one|evening)|you know|okay|ok|please|i think that's (?:it|all)|that's (?:it|all))(?!\p{L}))+$/iu;
const NOTHING_MORE =
  /[\s,.!]+|(?:nothing (?:else|more)|not really|not at the moment|not that i can think of|no thank you|no thanks?|that will be|that'll be|that's|that is|i don't think so|i think|i guess|other than that|i'm good|we're good|for now|have a (?:nice|good) day|you too|thank you|thanks?|no|nope|nah|nothing|none|it|all|everything|so|is|was|else|good|just|okay|ok|bye|goodbye)(?!\p{L})/iuy;
const ACKNOWLEDGED =
  /[\s,.!?]+|(?:you're welcome|you too|take care|good (?:morning|afternoon|evening)|have a (?:nice|good) day|thank you|go ahead|all right|yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|right|fine|alright|good|great|hello|hi|hey|bye|goodbye|thanks|speaking|sorry|please|uh+|um+|hm+|mm+|ah+|oh+)(?!\p{L})/iuy;
const NAME_LEAD =
  /(?:yes|yeah|sure|okay|ok|well|it's|it is|that's|that is|that would be|that'd be|my name is|my name's|the name is|name is|his name is|her name is|their name is|this is|i am|i'm|you are speaking (?:to|with)|you're speaking (?:to|with)|you're talking to|speaking with|you can ask for|ask for|you want|call me|he is|she is|he's|she's|spelled|that's spelled)[\s,.:]+/iuy;

/** Where a run of steps that begins at `from` ends. */
function runOf(step: RegExp, text: string, from = 0): number {
  let at = from;
  while (at < text.length) {
    step.lastIndex = at;
    const length = step.exec(text)?.[0].length ?? 0;
    if (length === 0) break;
    at += length;
  }
  return at;
}

function isOnly(step: RegExp, text: string): boolean {
  return runOf(step, text) === text.length;
}

/** So few words are a name of a thing, not a sentence: the stop behind them is no part of it. */
const FEW_WORDS = 3;

/** The words without filler at their ends; null for no answer: bare "yes", goodbyes, "nothing else". */
export function freeTextIn(leaf: Leaf, text: string): Found<string> | 'nothing' | null {
  const { start, end } = stripped(text, 0, text.length);
  const value = text.slice(start, end);
  if (!/[\p{L}\p{N}]/u.test(value)) return null;
  if (isOptionalRemark(leaf) && isOnly(NOTHING_MORE, value)) return 'nothing';
  if (isOnly(ACKNOWLEDGED, value)) return null;
  const lead = leadOf(leaf, value);
  const remark = isOptionalRemark(leaf) ? (/^(?:yes|yeah|yep|sure)[\s,.!]+/i.exec(value)?.[0].length ?? 0) : lead;
  const isSentence = tokensOf(value.slice(remark)).length > FEW_WORDS || /[.!?].*[.!?]/.test(value);
  const said = isSentence ? value.slice(remark) : withoutStop(value.slice(remark));
  const found = { value: said, start: start + remark, end: start + remark + said.length };
  return fitLength(leaf, text, found);
}

/** "Our address is 12 Harbour Street" answers the question for the address from "12" on. */
function leadOf(leaf: Leaf, value: string): number {
  const lead =
    /^(?:it's|it is|that's|that is|that would be|(?:our|the|my|its|their|your) (?:\p{L}+ ){1,4}is)[:,]? +(?=\S)/iu.exec(
      value,
    )?.[0];
  if (lead === undefined) return 0;
  if (/^(?:it|that)/i.test(lead)) return lead.length;
  const topic = contentStems([leaf.name, leaf.title]);
  return tokensOf(lead).some((token) => topic.has(stemOf(token.word))) ? lead.length : 0;
}

/** Text that has to fit a pattern: as said, and as spelled or dictated letter by letter. */
export function codeIn(pattern: string, text: string): Found<string> | null {
  const fits = matcherOf(pattern);
  if (fits === null) return null;
  const { start, end } = stripped(text, 0, text.length);
  const dictated = dictatedCodesIn(text);
  const whole = dictated.filter((run) => fits(run.value) || fits(run.value.toLowerCase()));
  const [only] = whole;
  if (whole.length === 1 && only !== undefined) {
    return fits(only.value) ? only : { ...only, value: only.value.toLowerCase() };
  }
  const tokens = tokensOf(text.slice(start, end));
  const spans: { readonly said: string; readonly from: number; readonly to: number }[] = [];
  const lengthLimit = 24; // tokens; a code is not longer
  for (let from = 0; from < tokens.length && from < 60; from += 1) {
    for (let to = Math.min(tokens.length, from + lengthLimit); to > from; to -= 1) {
      const said = text.slice(start + (tokens[from]?.start ?? 0), start + (tokens[to - 1]?.end ?? 0));
      spans.push({ said, from: start + (tokens[from]?.start ?? 0), to: start + (tokens[to - 1]?.end ?? 0) });
    }
  }
  spans.sort((left, right) => right.said.length - left.said.length);
  for (const span of spans) {
    if (dictated.some((run) => isPartOf(span, run))) continue;
    for (const value of spellings(span.said)) if (fits(value)) return { value, start: span.from, end: span.to };
  }
  return null;
}

/** A part of a dictated code is another code. */
function isPartOf(span: { readonly from: number; readonly to: number }, run: Found<string>): boolean {
  const isApart = span.to <= run.start || run.end <= span.from;
  return !isApart && (span.from > run.start || span.to < run.end);
}

/** Whether `value` fits `pattern` as JSON Schema means it (unanchored), on a linear-time engine; null for no valid pattern. */
export function matcherOf(pattern: string): ((value: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern);
    return (value) => compiled.matcher(value).find();
  } catch {
    return null;
  }
}

function spellings(said: string): readonly string[] {
  const tokens = tokensOf(said);
  const joined = tokens.map((token) => token.word).join('');
  const digits = tokens.map((token) => numbersIn([token])[0]?.value ?? token.word).join('');
  const spelled = tokens.length > 1 || digits !== joined;
  const compact = spelled ? [joined, joined.toUpperCase(), digits, digits.toUpperCase()] : [said.toUpperCase()];
  const signs = digits.replace(/(?:dash|hyphen|minus)/g, '-').replace(/(?:slash)/g, '/');
  return [said, ...compact, signs, signs.toUpperCase()];
}

/** A person's or a firm's name, put together with its spelling where it was spelled. */
export function nameIn(text: string): Found<string> | null {
  const { start, end } = stripped(text, 0, text.length);
  const lead = runOf(NAME_LEAD, text.slice(start, end));
  const said = text.slice(start + lead, end);
  const spelled = spelledIn(said);
  if (spelled !== null) return spelledName(said, spelled, start + lead);
  const whole = said.replace(/[,;]?\s+(?:speaking|here|is my name|is the name)[\s.!]*$/i, '');
  const words = tokensOf(whole);
  if (words.length === 0 || words.length > 8 || isOnly(ACKNOWLEDGED, whole) || /[?]/.test(whole)) return null;
  const sentence = sentencesOf(whole)[0];
  if (sentence === undefined) return null;
  const value = withoutStop(sentence.value);
  const at = start + lead + sentence.start;
  if (tokensOf(value).length > 6 || /(?<![\p{L}])(?:don't|can't|not|we|you|they|is|are|have)(?![\p{L}])/iu.test(value))
    return null;
  return { value, start: at, end: at + value.length };
}

const SPELLING_WORDS = new Set(
  "that's that is it's and spelled spelt spelling so as in last first name surname".split(' '),
);

function spelledName(said: string, spelled: Found<string>, offset: number): Found<string> {
  const name = spelled.value.charAt(0).toUpperCase() + spelled.value.slice(1);
  const introduced = said.slice(runOf(NAME_LEAD, said), spelled.start);
  const words = introduced.split(/[^\p{L}\p{M}'.-]+/u).filter((word) => /\p{L}/u.test(word));
  while (SPELLING_WORDS.has(words.at(-1)?.toLowerCase() ?? '')) words.pop();
  const end = offset + spelled.end;
  const last = words.at(-1);
  const isWhole = words.join('').toLowerCase() === spelled.value && words.length > 1;
  if (isWhole) return { value: words.join(' '), start: offset + said.indexOf(words[0] ?? ''), end };
  if (last === undefined || words.length > 4 || spelled.value.length > 40)
    return { value: name, start: offset + spelled.start, end };
  const isSame = editDistance(last.toLowerCase(), spelled.value) <= Math.max(1, Math.floor(spelled.value.length / 3));
  const kept = isSame ? words.slice(0, -1) : words;
  const start = offset + said.indexOf(kept[0] ?? last);
  return { value: [...kept, name].join(' '), start, end };
}

/** A text that is longer than the schema allows is cut at a sentence, never inside one. */
function fitLength(leaf: Leaf, text: string, found: Found<string>): Found<string> | null {
  const most = leaf.maxLength ?? Number.POSITIVE_INFINITY;
  const length = Array.from(found.value).length;
  if (length < (leaf.minLength ?? 0)) return null;
  if (length <= most) return found;
  const first = sentencesOf(text.slice(found.start, found.end)).find((each) => Array.from(each.value).length <= most);
  return first === undefined
    ? null
    : { value: first.value, start: found.start + first.start, end: found.start + first.end };
}

function stripped(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  const lead = runOf(LEADING, text.slice(from, to));
  const isAll = from + lead >= to;
  const start = isAll ? from + (/^\s*/.exec(text.slice(from, to))?.[0].length ?? 0) : from + lead;
  const tail = TRAILING.exec(text.slice(start, to))?.[0] ?? '';
  const isOnlyAStop = /^[.!)]\s*$/.test(tail);
  if (isOnlyAStop) return { start, end: to - tail.length + 1 };
  return { start, end: tail.length >= to - start ? to : to - tail.length };
}

function withoutStop(text: string): string {
  return text.replace(/[\s.,;:!?]+$/, '');
}
