// The form of a screening rule. Patterns are looked for in one sentence at a time; they have no nested unbounded repetition and
// every gap in them is bounded, so that a sentence costs a bounded time.

export type Category = 'prank' | 'nuisance' | 'threat' | 'harassment' | 'scam';

export interface Rule {
  /** e.g. `en-prank-word`; for whoever mends the rules, never told to the caller. */
  readonly id: string;
  readonly category: Category;
  /** Where those of the group are too common: without one of these this rule cannot match. */
  readonly stems?: string;
  /** What is looked for, with the flag `g`: each place in the sentence is judged by its own surroundings. */
  readonly pattern: RegExp;
  /** Harmless when this is in the same clause before: a report, a negation, a question. */
  readonly before?: RegExp;
  /** Harmless when this follows closely: a product's name, "that we received". */
  readonly after?: RegExp;
}

/** Rules of one kind or language. */
export interface RuleGroup {
  /** No rule of the group can match a text without one of these; an alternation of plain stems. */
  readonly stems: string;
  /** Which reading: `latin` for languages in Latin script, `folded` for the others. */
  readonly reading: 'latin' | 'folded';
  readonly rules: readonly Rule[];
}

/** Part of a pattern over several lines; line breaks and the blanks that begin a line mean nothing. */
export function part(text: TemplateStringsArray, ...parts: readonly string[]): string {
  return String.raw(text, ...parts).replace(/\n */g, '');
}

/** One character of a gap in which no question begins: "ruf an und frag, ob die ganze Nacht offen ist". */
export const NO_QUESTION = String.raw`(?:(?!\b(?:frag|pregunt|demand|pergunt|chied|vraag|zapyt|reserv|inform)).)`;

/** What a rule looks for. */
export function pattern(text: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(part(text, ...parts), 'g');
}

/** What makes it harmless. */
export function context(text: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return new RegExp(part(text, ...parts));
}
