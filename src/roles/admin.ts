// `errand admin ...`: one command against the store, beside a running service or without one.
import { runAdmin } from '../admin/admin.ts';
import type { AdminOutcome } from '../admin/admin.ts';
import { createDispatch } from './hall.ts';
import { openStore } from './open-store.ts';
import type { Surroundings } from './role.ts';

export function runAdminRole(args: readonly string[], surroundings: Surroundings): Promise<AdminOutcome> {
  return runAdmin(args, async () => {
    const stack = new AsyncDisposableStack();
    const database = await openStore(stack, surroundings);
    const { clock, chance } = surroundings;
    const dispatch = createDispatch(database, surroundings);
    return { database, clock, chance, dispatch, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  });
}
