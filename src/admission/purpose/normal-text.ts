// Readings of a text that evasions do not change: full-width and styled letters, look-alikes of other scripts, digits for
// letters, invisible characters, marks, and letters kept apart. Pure; the cost is linear in the length.
import { lettersOfWord, readAsLatin } from './look-alikes.ts';

export interface NormalText {
  /** Lower case, compatible forms folded, invisible characters gone, spaced letters joined; script and marks as written. */
  readonly folded: string;
  /** The same without marks, every look-alike read as Latin. */
  readonly latin: string;
  /** `latin` with digits in words read as letters, signs within words gone and drawn-out letters shortened; mostly the same. */
  readonly unmasked: string;
  /** Only what stood letter by letter, each run joined to one word, since nobody knows where its words end; mostly empty. */
  readonly spelled: string;
}

/** Default-ignorable code points: soft hyphen, joiners, direction marks, variation selectors, tags, fillers; Arabic tatweel. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u0640]/gu;
/** Marks over and through letters. Those that belong to other scripts' writing are not among them, but for Arabic vowels. */
// oxlint-disable-next-line no-misleading-character-class -- the marks by themselves are meant
const MARKS = /[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/g;
// oxlint-disable-next-line no-misleading-character-class -- the marks by themselves are meant
const OPTIONAL_MARKS = /[\u064B-\u0652\u0670\u093C]/g;
const NOT_ASCII = /[^\x00-\x7F]/; // oxlint-disable-line no-control-regex -- the whole of ASCII is meant
const OTHER_SCRIPT = /[\u0600-\u06FF\u0900-\u097F\u3040-\u30FF\u3400-\u9FFF]/;

/** Four or more single letters kept apart by few separators: `p r a n k`, `p.r.a.n.k`, one letter a line. */
const SPACED = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[\s.\-_*~·•/\\|,+]{1,3}[\p{L}\p{N}@$!]){3,}(?![\p{L}\p{N}])/gu;
/** The same with pieces of two: `pr an k`. */
const SPACED_PIECES =
  /(?<![\p{L}\p{N}])[\p{L}@$!]{1,2}(?:[\s.\-_*~·•/\\|,]{1,3}[\p{L}\p{N}@$!]{1,2}){2,}(?![\p{L}\p{N}])/gu;
const SEPARATORS = /[\s.\-_*~·•/\\|,+]+/g;
const NOT_LETTERS = /[^\p{L}\p{N}@$!]+/gu;
/** Ideographs and kana kept apart. */
const SPACED_IDEOGRAPHS = /(?<=[\u3040-\u30FF\u3400-\u9FFF])[ .\-_*~·•/\\|,]{1,3}(?=[\u3040-\u30FF\u3400-\u9FFF])/g;

const MASKED = /[a-z][0-9@$!|+*_~^`.\-/\\·•]+[a-z]|\d[a-z]|[a-z]\d|[@$][a-z]|([a-z])\1\1/;
const SIGNS_WITHIN = /(?<=[a-z0-9])[*_~^`´.\-/\\·•]+(?=[a-z0-9])/g;
const WORD_WITH_DIGITS = /(?<![a-z0-9@$!|€+])(?=[0-9@$!|€+]{0,8}[a-z])[a-z0-9@$!|€+]{3,24}(?![a-z0-9])/g;
const DRAWN_OUT = /([a-z])\1{2,}/g;

/** Reads a text. Most texts are plain ASCII without disguise and take the short way. */
export function normalText(text: string): NormalText {
  const isAscii = !NOT_ASCII.test(text);
  const open = isAscii ? text.toLowerCase() : unfold(text);
  const folded = open.replace(SPACED, joinLetters);
  const latin = isAscii ? folded : readAsLatin(folded.normalize('NFD').replace(MARKS, '').normalize('NFC'));
  return { folded, latin, unmasked: MASKED.test(latin) ? unmask(latin) : latin, spelled: spelledOut(open) };
}

function unfold(text: string): string {
  const folded = text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'");
  if (!OTHER_SCRIPT.test(folded)) return folded;
  return folded
    .replace(/[أإآٱ]/g, 'ا')
    .normalize('NFD')
    .replace(OPTIONAL_MARKS, '')
    .normalize('NFC')
    .replace(SPACED_IDEOGRAPHS, '');
}

/** Joins letters; where two kinds or widths of separators are used, the wider one is taken to end a word. */
function joinLetters(run: string): string {
  const separators = run.match(SEPARATORS) ?? [];
  const narrowest = Math.min(...separators.slice(0, 64).map((separator) => separator.length));
  const hasSigns = separators.some((separator) => separator.trim() !== '');
  return run.replace(SEPARATORS, (separator) => {
    const endsWord = hasSigns ? separator.trim() === '' : separator.length > narrowest;
    return endsWord ? ' ' : '';
  });
}

function spelledOut(open: string): string {
  const runs = open.match(SPACED_PIECES);
  if (runs === null) return '';
  return runs.map((run) => lettersOfWord(readAsLatin(run.replace(NOT_LETTERS, '')))).join(' ');
}

function unmask(latin: string): string {
  return latin.replace(SIGNS_WITHIN, '').replace(WORD_WITH_DIGITS, lettersOfWord).replace(DRAWN_OUT, '$1');
}
