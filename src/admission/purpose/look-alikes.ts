// Letters that can pass for Latin ones: Cyrillic, Greek, Armenian, Cherokee, phonetic small capitals, enclosed letters, digits and
// signs. After compatible forms were folded and case was lowered; not complete (Unicode's list is UTS #39), but what keyboards
// and "fancy text" pages give.

const LETTERS: Readonly<Record<string, string>> = {
  a: 'аαɑᴀꭺɐåạ',
  b: 'вьβʙᏼꮟƅ',
  c: 'сςϲᴄꮯƈ',
  d: 'ԁđðᴅꭰɗժ',
  e: 'еёєεᴇꭼɛəɘҽ',
  f: 'ғꜰƒϝ',
  g: 'ɡɢցǥ',
  h: 'һнʜհħ',
  i: 'іїιıɪíɩ',
  j: 'јᴊյ',
  k: 'кκᴋқҡ',
  l: 'ӏłʟⅼɭ',
  m: 'мᴍꮇɱ',
  n: 'пиηɴոռñɳ',
  o: 'оοσøᴏօɵө',
  p: 'рρᴘþƿ',
  q: 'ԛզɋ',
  r: 'гяʀгɾɹꮁ',
  s: 'ѕꜱʂꮪ',
  t: 'тτᴛƭŧ',
  u: 'υμᴜսʉ',
  v: 'ѵνᴠ',
  w: 'ѡԝωшᴡա',
  x: 'хχҳ',
  y: 'уүγʏყ',
  z: 'ᴢʐƶ',
  ss: 'ß',
  ae: 'æ',
  oe: 'œ',
};

/** U+1F150 (negative circled), U+1F170 (negative squared) and U+1F1E6 (regional indicator) begin an alphabet each. */
const ENCLOSED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6];

const MAP: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LETTERS).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
  ...ENCLOSED_ALPHABETS.flatMap((start) =>
    Array.from({ length: 26 }, (_, at) => [String.fromCodePoint(start + at), String.fromCodePoint(0x61 + at)] as const),
  ),
]);

/** Every look-alike as the Latin letter it passes for. */
export function readAsLatin(text: string): string {
  let read = '';
  for (const character of text) read += MAP.get(character) ?? character;
  return read;
}

const DIGITS_AND_SIGNS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
  '€': 'e',
  '+': 't',
};

/** A word of letters and digits or signs, as its letters: `pr4nk`, `b0mb`, `ki11`. */
export function lettersOfWord(word: string): string {
  return word
    .replace(/11|(?<=l)1/g, (ones) => 'l'.repeat(ones.length))
    .replace(/[^a-z]/g, (sign) => DIGITS_AND_SIGNS[sign] ?? sign);
}
