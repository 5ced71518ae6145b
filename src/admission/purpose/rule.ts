// The form of a screening rule. Patterns are looked for in one sentence at a time, have no nested repetition, and every gap in
// them is bounded, so that a sentence costs a bounded time.

export type Category = 'prank' | 'nuisance' | 'threat' | 'harassment' | 'scam';

export interface Rule {
  /** e.g. `en-prank-verb`; told in the log, never to the caller. */
  readonly id: string;
  readonly category: Category;
  /** What is looked for. */
  readonly pattern: RegExp;
  /** What makes it harmless in the same sentence: a report, a question about it, a product. */
  readonly unless?: RegExp;
  /** Which reading: `latin` for languages in Latin script, `folded` for the others. */
  readonly reading: 'latin' | 'folded';
}
