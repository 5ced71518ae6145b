// What a caller of the API can act on, as a value that travels from the room that found it to the door that says it.
import type { ProblemCode } from './problems.ts';

export interface RefusalDetails {
  /** Where a person can do something about it, e.g. the billing page. */
  readonly actionUrl?: string;
  /** Whole seconds, at least 1; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/** A refusal with a code of the problem table and a sentence that the caller may read: never a secret, never a cause of ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  /** The public `detail`: names what is wrong and what is wanted. */
  readonly detail: string;
  readonly details: RefusalDetails;

  constructor(code: ProblemCode, detail: string, details: RefusalDetails = {}) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.details = details;
  }
}
