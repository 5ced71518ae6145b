// What can go wrong on the outside. A `Fault` says whom to blame and whether the act may be tried again; what a caller of
// the API can act on is a `Refusal` (contract/refusal.ts); anything else that is thrown is a bug of ours.

export type Blame = 'caller' | 'us' | 'carrier' | 'vendor' | 'unknown';
export type Retry = 'safe' | 'never';

/** The outside failed: a database, a carrier, a model, another process. Carries its `cause`; the logger prints the chain. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly blame: Blame;
  readonly retry: Retry;

  constructor(message: string, options: { readonly blame: Blame; readonly retry: Retry; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.blame = options.blame;
    this.retry = options.retry;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
