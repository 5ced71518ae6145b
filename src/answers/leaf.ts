// What one askable answer of a result schema is, and what can be understood from words about it. Shapes only.

export type JsonScalar = string | number | boolean | null;
export type JsonValue = JsonScalar | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** How an answer is asked for and understood. */
export type LeafKind =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'choice'
  | 'date'
  | 'time'
  | 'date_time'
  | 'email'
  | 'phone'
  | 'uri'
  | 'name'
  | 'text'
  | 'list';

/** One value of an enum (or of `const`, or of a union of them). */
export interface Choice {
  readonly value: JsonScalar;
  /** How it is said: the branch's title, else the value in words. */
  readonly label: string;
  readonly description: string | null;
}

/** One answer that a result schema asks for. */
export interface Leaf {
  /** JSON Pointer (RFC 6901) of the answer in the result; empty for a scalar or list root. */
  readonly pointer: string;
  readonly kind: LeafKind;
  /** The property's name in words (`closing time`); empty for the root. */
  readonly name: string;
  /** Names in words of the objects around it, outermost first. */
  readonly parents: readonly string[];
  readonly title: string | null;
  readonly description: string | null;
  /** Empty unless `kind` is `choice`; a `const` is a choice of one. For `boolean`: only when one of the two is excluded. */
  readonly choices: readonly Choice[];
  /** The schema's own `format`; null when it has none, also where the kind was read from the words. */
  readonly format: string | null;
  readonly pattern: string | null;
  /** Inclusive. */
  readonly minimum: number | null;
  /** Inclusive. */
  readonly maximum: number | null;
  readonly exclusiveMinimum: number | null;
  readonly exclusiveMaximum: number | null;
  readonly multipleOf: number | null;
  /** Code points. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  /** Required through all parents; in an object without a `required` keyword every property counts as asked for. */
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** What a list holds; null unless `kind` is `list`. */
  readonly item: Leaf | null;
  /** Further readings of a union of different kinds, tried in order after this one. */
  readonly alternatives: readonly Leaf[];
}

/** Relative words ("tomorrow", "next Tuesday") are read from here. */
export interface UnderstandContext {
  /** When it was said. */
  readonly now: Date;
  /** IANA name of the recipient's time zone, where known; UTC decides what "today" is otherwise. */
  readonly timezone?: string;
}

/**
 * What a recipient's words mean for one leaf. `quote` is a substring of the text, word for word. `isCorrection`: the words
 * themselves say that they replace or take back something said before.
 */
export type Understanding =
  | { readonly kind: 'answer'; readonly value: JsonValue; readonly quote: string; readonly isCorrection: boolean }
  /** "I don't know", or taken back: there is no answer to be had here. */
  | { readonly kind: 'unknown'; readonly isCorrection: boolean }
  /** "One moment": be quiet and go on listening. */
  | { readonly kind: 'hold' }
  /** "Stop calling", "wrong number", "I will not answer that": `isFinal` when no further question is welcome. */
  | { readonly kind: 'refusal'; readonly isFinal: boolean }
  /** "Say that again?" */
  | { readonly kind: 'repeat' }
  /** The recipient asks something back. */
  | { readonly kind: 'question' }
  /** In doubt: nothing is assumed. */
  | { readonly kind: 'unclear' };
