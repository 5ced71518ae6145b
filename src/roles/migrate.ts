// `errand migrate`: brings the database to this version and ends.
import { openStore } from './open-store.ts';
import type { Surroundings } from './role.ts';

export async function runMigrate(surroundings: Surroundings): Promise<void> {
  await using stack = new AsyncDisposableStack();
  await openStore(stack, surroundings);
}
