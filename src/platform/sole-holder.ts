// One process at a time for one name, held by a session lock of the database: it goes when the process goes, however it goes.
import type { Clock } from './clock.ts';
import { pause } from './clock.ts';
import type { Database, DedicatedConnection } from './database.ts';

/** The server notices within moments that a killed holder is gone; so long is waited for that. */
const PATIENCE_MS = 3_000;
const RETRY_MS = 50;
/** How long a lost connection is tried again before the hold counts as lost. */
const REGAIN_LIMIT_MS = 120_000;

export interface SoleHolderParts {
  readonly database: Database;
  readonly clock: Clock;
  /** What is held; processes that use the same name exclude each other. */
  readonly name: string;
  /** Told once when another process took the name after our connection was lost: stop at once. */
  readonly lost: (because: string) => void;
}

/** @returns null when another process holds the name and keeps it; otherwise the hold, until disposed */
export async function holdAlone(parts: SoleHolderParts): Promise<AsyncDisposable | null> {
  const first = await take(parts, PATIENCE_MS);
  if (first === null) return null;
  const hold = { connection: first, isReleased: false };
  void watch(parts, hold);
  return {
    async [Symbol.asyncDispose]() {
      hold.isReleased = true;
      await hold.connection.release().catch(() => undefined); // a lost connection holds nothing
    },
  };
}

interface Hold {
  connection: DedicatedConnection;
  isReleased: boolean;
}

async function watch(parts: SoleHolderParts, hold: Hold): Promise<void> {
  for (;;) {
    await hold.connection.ended;
    const again = await regain(parts, () => hold.isReleased);
    if (hold.isReleased) {
      await again?.release();
      return;
    }
    if (again === null) {
      parts.lost(`${parts.name} is held by another process now`);
      return;
    }
    hold.connection = again;
  }
}

async function take(
  { database, clock, name }: SoleHolderParts,
  patienceMs: number,
): Promise<DedicatedConnection | null> {
  const giveUpAt = clock.monotonicMs() + patienceMs;
  const connection = await database.connect();
  for (;;) {
    const [row] = await connection.query<{ is_ours: boolean }>(
      'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS is_ours',
      [name],
    );
    if (row?.is_ours === true) return connection;
    if (clock.monotonicMs() >= giveUpAt) break;
    await pause(RETRY_MS);
  }
  await connection.release();
  return null;
}

/** After an outage of the database: the hold again, or null when somebody else has it or the outage does not end. */
async function regain(parts: SoleHolderParts, isReleased: () => boolean): Promise<DedicatedConnection | null> {
  const giveUpAt = parts.clock.monotonicMs() + REGAIN_LIMIT_MS;
  while (!isReleased() && parts.clock.monotonicMs() < giveUpAt) {
    try {
      return await take(parts, PATIENCE_MS);
    } catch {
      await pause(500); // the database is away; whoever asks it says so in the log
    }
  }
  return null;
}
