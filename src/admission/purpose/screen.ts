// The rules that always run: is the purpose of a call a prank, a nuisance, a threat or the like? Pure and bounded; a sentence at
// a time, in readings that evasions do not change. What may be said to the caller is the category, never the rule.
import { NESTING_LIMIT } from '../../contract/check-call-creation.ts';
import type { ScreenedTask, Screening } from '../screening.ts';
import { ENGLISH_ABUSE } from './english-abuse.ts';
import { ENGLISH_NUISANCE } from './english-nuisance.ts';
import { ENGLISH_PRANKS } from './english-pranks.ts';
import { ENGLISH_THREATS } from './english-threats.ts';
import { GERMANIC_AND_OTHERS } from './germanic-and-others.ts';
import { normalText } from './normal-text.ts';
import { OTHER_SCRIPTS } from './other-scripts.ts';
import { ROMANCE } from './romance.ts';
import type { Rule, RuleGroup } from './rule.ts';
import { SPELLED_OUT } from './spelled-out.ts';

interface Group {
  readonly stems: RegExp;
  readonly rules: readonly { readonly rule: Rule; readonly stems: RegExp | null }[];
}

const GROUPS: readonly RuleGroup[] = [
  ENGLISH_PRANKS,
  ENGLISH_NUISANCE,
  ENGLISH_THREATS,
  ENGLISH_ABUSE,
  ...ROMANCE,
  ...GERMANIC_AND_OTHERS,
  ...OTHER_SCRIPTS,
];
const LATIN = groupsOf('latin');
const FOLDED = groupsOf('folded');

/** Longer sentences are read in overlapping pieces, so that no pattern sees more than this. */
const PIECE_LENGTH = 600;
const PIECE_OVERLAP = 200;
const SENTENCE_END = /(?<=[.!?]['")]?)(?<!\b(?:mr|mrs|ms|dr|st|prof|no)\.)\s+|(?<=[。！？؟।])\s*|[\n\r\u2028;•]+/;
/** A long sentence rarely ends its thought with its clause; this far what stands around a match is looked at. */
const BEFORE_LIMIT = 110;
const AFTER_LIMIT = 70;
const CLAUSE_START = /[,;:()–—]\s|\b(?:so|but|instead|then)\b\s/g;

/** Screens every string that the caller wrote: objective first, then constraints, criteria, context and schema texts. */
export function screenByRules(task: ScreenedTask): Screening {
  for (const text of textsOf(task)) {
    const broken = findRule(text);
    if (broken !== null) return { allowed: false, category: broken.category };
  }
  return { allowed: true };
}

/** The first rule that the text breaks, or null. */
export function findRule(text: string): Rule | null {
  const { folded, latin, unmasked, spelled } = normalText(text);
  return (
    search(LATIN, latin) ??
    (unmasked === latin ? null : search(LATIN, unmasked)) ??
    search(FOLDED, folded) ??
    (spelled === '' ? null : (SPELLED_OUT.find(({ pattern }) => spelled.search(pattern) >= 0) ?? null))
  );
}

function search(
  { any, groups }: { readonly any: RegExp; readonly groups: readonly Group[] },
  text: string,
): Rule | null {
  if (!any.test(text)) return null;
  for (const sentence of text.split(SENTENCE_END)) {
    if (sentence.length > 0 && any.test(sentence)) {
      for (const piece of pieces(sentence)) {
        for (const { stems, rules } of groups) {
          if (!stems.test(piece)) continue;
          const broken = rules.find(({ rule, stems }) => stems?.test(piece) !== false && isBroken(rule, piece));
          if (broken !== undefined) return broken.rule;
        }
      }
    }
  }
  return null;
}

function isBroken(rule: Rule, text: string): boolean {
  const { pattern } = rule;
  // Not `matchAll`: it clones the expression each time, which costs more than the search.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length;
    if (end === match.index) pattern.lastIndex = end + 1;
    const isHarmless =
      rule.before?.test(clauseBefore(text, match.index)) === true ||
      rule.after?.test(text.slice(end, end + AFTER_LIMIT)) === true;
    if (!isHarmless) return true;
  }
  return false;
}

function clauseBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - BEFORE_LIMIT), end);
  let start = 0;
  for (const boundary of before.matchAll(CLAUSE_START)) start = boundary.index + boundary[0].length;
  return before.slice(start);
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
  if (task.callerName !== null) yield task.callerName;
  yield* stringsOf(task.context, 0);
  yield* stringsOf(task.resultSchema, 0);
}

/** Strings at every depth that a body may have, and the names of members, which callers write too: `{"make_a_prank_call": true}`. */
function* stringsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null || depth > NESTING_LIMIT) return;
  if (Array.isArray(value)) {
    for (const inner of value) yield* stringsOf(inner, depth + 1);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    yield name.replaceAll('_', ' ');
    yield* stringsOf(inner, depth + 1);
  }
}

function groupsOf(reading: RuleGroup['reading']): { readonly any: RegExp; readonly groups: readonly Group[] } {
  // Other scripts have no word boundary that a pattern knows.
  const begin = reading === 'latin' ? '\\b' : '';
  const anyOf = (stems: string) => new RegExp(`${begin}(?:${stems})`);
  const groups = GROUPS.filter((group) => group.reading === reading);
  return {
    any: anyOf(groups.map(({ stems }) => stems).join('|')),
    groups: groups.map(({ stems, rules }) => ({
      stems: anyOf(stems),
      rules: rules.map((rule) => ({ rule, stems: rule.stems === undefined ? null : anyOf(rule.stems) })),
    })),
  };
}
