// One reading of a text that evasions do not change: full-width and styled letters, look-alikes of other scripts, digits for
// letters, invisible characters, marks, and letters spaced apart. Pure; its cost is linear in the length.

/** Look-alikes of Latin letters in Cyrillic, Greek and other scripts, after lower-casing. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    ғ: 'f',
    һ: 'h',
    н: 'h',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    у: 'y',
    ѵ: 'v',
    ѡ: 'w',
    ԝ: 'w',
    х: 'x',
    ү: 'y',
    з: '3',
    ь: 'b',
    я: 'r',
    и: 'n',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'u',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ω: 'w',
    γ: 'y',
    σ: 'o',
    ı: 'i',
    ł: 'l',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'p',
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ɑ: 'a',
    ɡ: 'g',
    ʀ: 'r',
    ɴ: 'n',
    ᴋ: 'k',
    ᴘ: 'p',
    ᴀ: 'a',
    ʙ: 'b',
    ᴏ: 'o',
    ᴍ: 'm',
  }),
);

const LEET: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '8': 'b',
    '@': 'a',
    $: 's',
    '!': 'i',
    '|': 'l',
    '€': 'e',
    '+': 't',
  }),
);

/** Default-ignorable code points: soft hyphen, joiners, direction marks, variation selectors, tags, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Marks over and under European letters; those of other scripts are part of the writing. */
// oxlint-disable-next-line no-misleading-character-class -- the marks by themselves are meant
const MARKS = /[\u0300-\u036F]/g;
const NOT_ASCII = /[^\x00-\x7F]/; // oxlint-disable-line no-control-regex -- the whole of ASCII is meant
/** Three or more single letters kept apart by the same few separators: `p r a n k`, `p.r.a.n.k`, `p-r-a-n-k`. */
const SPACED = /(?<![\p{L}\p{N}])[\p{L}\p{N}@$!](?:[ .\-_*~·•/\\|,]{1,3}[\p{L}\p{N}@$!]){3,}(?![\p{L}\p{N}])/gu;
const SEPARATOR = /[ .\-_*~·•/\\|,]+/g;
/** A word with a digit or sign between letters: `pr4nk`, `b0mb`, `k!ll`. */
const LEET_WORD =
  /(?<![a-z0-9@$])(?=[a-z0-9@$!|€+]*[a-z])(?=[a-z0-9@$!|€+]*[0-9@$!|€+][a-z0-9@$!|€+]*[a-z])[a-z0-9@$!|€+]{3,20}(?![a-z0-9])/g;
const LETTERS_KEPT_APART_BY_SIGNS = /(?<=\p{L})[*_~^`´]+(?=\p{L})/gu;

export interface NormalText {
  /** Lower case, compatible forms folded, invisible characters and marks gone, spaced letters joined; script as written. */
  readonly folded: string;
  /** The same with every look-alike read as Latin, and digits within words as letters. */
  readonly latin: string;
}

/** Reads a text. Most texts are plain ASCII and take the short way. */
export function normalText(text: string): NormalText {
  const isAscii = !NOT_ASCII.test(text);
  const open = isAscii ? text.toLowerCase() : unfold(text);
  const folded = open
    .replace(LETTERS_KEPT_APART_BY_SIGNS, '')
    .replace(SPACED, (letters) => letters.replace(SEPARATOR, ''));
  const latin = (isAscii ? folded : readAsLatin(folded)).replace(LEET_WORD, (word) => mapEach(word, LEET));
  return { folded, latin };
}

function unfold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC');
}

function readAsLatin(text: string): string {
  return mapEach(text, LOOK_ALIKES);
}

function mapEach(text: string, map: ReadonlyMap<string, string>): string {
  let mapped = '';
  for (const character of text) mapped += map.get(character) ?? character;
  return mapped;
}
