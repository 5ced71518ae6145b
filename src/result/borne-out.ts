// Whether a sentence of a model's summary says no more than the words it quotes, as far as words can tell: every figure and
// every name of it was said, it denies only what was denied, and most of its words were spoken. Errs towards no.

/** Words that a report adds of its own accord; they claim nothing. */
const NEUTRAL = new Set(
  `a an and any are as at be been being but by can caller could did do does for from get gets give gives given gave had has have he her
  his i if in is it its me my of on or our out per said say says she should so some stated states than that the their them then there
  they this to told up us was we were what when where which who will with would you your recipient person staff place office also costs
  cost price priced confirmed confirms mentioned mentions answered answers replied replies asked offered offers according about
  currently please yes amount`.split(/\s+/),
);
const NEGATION = /\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|unable|unavailable)\b|n['’]t\b/i;
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  twenty`
    .split(/\s+/)
    .map((word, value) => [word, String(value)] as const)
    .concat([
      ['thirty', '30'],
      ['forty', '40'],
      ['fifty', '50'],
      ['sixty', '60'],
      ['seventy', '70'],
      ['eighty', '80'],
      ['ninety', '90'],
      ['hundred', '100'],
    ]),
);
/** So many of the words that claim something must have been spoken. */
const SPOKEN_SHARE = 0.6;
/** Inflections share so many letters: `open`, `opens`, `opening`. */
const STEM_LENGTH = 4;

/**
 * @param sentence what the model claims
 * @param quote the recipient's words that bear it out, found in the transcript already
 * @param question what the assistant said before them; empty where it said nothing
 */
export function isBorneOut(sentence: string, quote: string, question: string): boolean {
  if (NEGATION.test(sentence) !== NEGATION.test(quote)) return false;
  const spoken = wordsOf(`${quote} ${question}`);
  const spokenFigures = figuresOf(wordsOf(quote).concat(wordsOf(question)));
  if (figuresOf(wordsOf(sentence)).some((figure) => !spokenFigures.includes(figure))) return false;
  const isSpoken = (word: string): boolean => spoken.some((other) => other === word || stemOf(other) === stemOf(word));
  if (namesOf(sentence).some((name) => !isSpoken(name))) return false;
  const claiming = wordsOf(sentence).filter(
    (word) => !NEUTRAL.has(word) && !NUMBER_WORDS.has(word) && !/^\d/.test(word),
  );
  return claiming.filter(isSpoken).length >= claiming.length * SPOKEN_SHARE;
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Figures as digits, whether written so or as words: `half past five` and `5` both hold a 5. */
function figuresOf(words: readonly string[]): string[] {
  return words
    .flatMap((word) => NUMBER_WORDS.get(word) ?? word.match(/\d+/g) ?? [])
    .map((figure) => figure.replace(/^0+(?=\d)/, ''));
}

/** Words with a capital letter that do not begin the sentence. */
function namesOf(sentence: string): string[] {
  const names = [...sentence.matchAll(/(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}\p{N}]*/gu)].map(([name]) =>
    name.toLowerCase(),
  );
  return names.filter((name) => !NEUTRAL.has(name));
}

function stemOf(word: string): string {
  return word.length <= STEM_LENGTH ? word : word.slice(0, STEM_LENGTH);
}
