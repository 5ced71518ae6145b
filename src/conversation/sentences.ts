// Cuts a stream of text into sentences, so that each can be said as soon as it is whole. Pure; loses nothing but blanks.

/** A sentence that finds no end is cut between words here, in UTF-16 units. */
const SENTENCE_LIMIT = 500;

/** A stop behind these ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|no|nr|vs|etc|approx|dept|ext|inc|ltd|co|jr|sr|[a-z](?:\.[a-z])*)\.$/i;

/** An end mark, closing quotes and brackets, and the blank that shows that it really is the end; or a new line. */
const END = /[.!?…]+["'”’)\]]*(?=\s)|[。！？]|\n/g;

export class SentenceCutter {
  #rest = '';

  /** @returns the sentences that became whole, trimmed, none empty */
  push(text: string): string[] {
    this.#rest += text;
    const sentences: string[] = [];
    let start = 0;
    for (const match of this.#rest.matchAll(END)) {
      const end = match.index + match[0].length;
      const sentence = this.#rest.slice(start, end);
      if (match[0] !== '\n' && ABBREVIATION.test(sentence)) continue;
      sentences.push(sentence);
      start = end;
    }
    this.#rest = this.#rest.slice(start);
    while (this.#rest.length > SENTENCE_LIMIT) {
      const blank = this.#rest.lastIndexOf(' ', SENTENCE_LIMIT);
      const end = blank > 0 ? blank : SENTENCE_LIMIT;
      sentences.push(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
    }
    return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
  }

  /** The text has ended. @returns what is left of it */
  end(): string[] {
    const rest = this.#rest.trim();
    this.#rest = '';
    return rest === '' ? [] : [rest];
  }
}
