// Which project and workspace a key belongs to, remembered so that a create costs one trip to the database. Only what can
// never change is kept: whether the key is still good is decided by the database, for every request.
import { authenticate } from '../account/keys.ts';
import { digestOfApiKey } from '../account/api-key.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../platform/database.ts';
import type { KeyFacts } from './store.ts';

/** About 400 bytes each. */
const CACHE_LIMIT = 20_000;

export interface KnownKey {
  readonly facts: KeyFacts;
  /** False when the key was looked up for this very request, and so is known to be good now. */
  readonly isFromCache: boolean;
}

export class KeyCache {
  readonly #database: Queryable;
  readonly #clock: Clock;
  /** By digest, in the order of their coming; the oldest goes when it is full. */
  readonly #facts = new Map<string, KeyFacts>();

  constructor(database: Queryable, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** @throws {Refusal} with a code of 401 for a key that was never seen here and is bad */
  async find(token: string | null): Promise<KnownKey> {
    const bytes = token === null ? null : digestOfApiKey(token);
    const digest = bytes === null ? '' : `\\x${bytes.toString('hex')}`;
    const known = this.#facts.get(digest);
    if (known !== undefined) return { facts: known, isFromCache: true };
    const { projectId, workspaceId } = await this.confirm(token);
    const facts = { digest, projectId, workspaceId };
    const [oldest] = this.#facts.size >= CACHE_LIMIT ? this.#facts.keys() : [];
    if (oldest !== undefined) this.#facts.delete(oldest);
    this.#facts.set(digest, facts);
    return { facts, isFromCache: false };
  }

  /** @throws {Refusal} with a code of 401 when the key is bad now */
  confirm(token: string | null): Promise<{ readonly projectId: string; readonly workspaceId: string }> {
    return authenticate(this.#database, token, this.#clock.now());
  }
}
