// What a person does to minutes: opening an account, topping up, correcting, changing the plan. Every change leaves an entry
// with a note; nothing here touches a hold.
import type { Queryable } from '../platform/database.ts';
import { appendEntries, changeAccount, insertAccount, lockBalance, readPlan, updatePlan } from './store.ts';
import type { BalanceRow } from './store.ts';

/** How many minutes one act may move. */
export const CREDIT_LIMIT_MINUTES = 1_000_000;

/** Opens the account of a new workspace and grants the first month's allowance. */
export async function openAccount(tx: Queryable, workspaceId: string, plan: string, now: Date): Promise<void> {
  await insertAccount(tx, workspaceId, plan, now);
  await grantAllowance(tx, workspaceId, plan, now);
}

/**
 * Adds prepaid minutes, or takes them back with a negative figure.
 * @param minutes a whole number other than 0, at most CREDIT_LIMIT_MINUTES either way
 * @returns the balance after it; null when there is no such workspace
 * @throws {RangeError} when more is taken back than is left
 */
export async function creditMinutes(
  tx: Queryable,
  workspaceId: string,
  minutes: number,
  note: string,
  now: Date,
): Promise<BalanceRow | null> {
  const balance = await lockBalance(tx, workspaceId, now);
  if (balance === null) return null;
  if (balance.prepaid_minutes + minutes < 0) {
    throw new RangeError(`only ${balance.prepaid_minutes} prepaid minutes are left, ${-minutes} cannot be taken back`);
  }
  await changeAccount(tx, workspaceId, { included: 0, prepaid: minutes, held: 0 });
  const entry =
    minutes > 0
      ? ({ kind: 'top_up', from: 'issued', to: 'prepaid', minutes, note } as const)
      : ({ kind: 'correct', from: 'prepaid', to: 'issued', minutes: -minutes, note } as const);
  await appendEntries(tx, workspaceId, null, [entry], now);
  return { ...balance, prepaid_minutes: balance.prepaid_minutes + minutes };
}

/**
 * Moves a workspace to another plan: what is left of the old allowance expires, the new one is granted for this month.
 * @returns the balance after it; null when there is no such workspace
 */
export async function changePlan(
  tx: Queryable,
  workspaceId: string,
  plan: string,
  now: Date,
): Promise<BalanceRow | null> {
  const balance = await lockBalance(tx, workspaceId, now);
  if (balance === null) return null;
  if (balance.plan !== plan) {
    if (balance.included_minutes > 0) {
      await changeAccount(tx, workspaceId, { included: -balance.included_minutes, prepaid: 0, held: 0 });
      const expired = {
        kind: 'expire',
        from: 'included',
        to: 'expired',
        minutes: balance.included_minutes,
        note: `left plan ${balance.plan}`,
      } as const;
      await appendEntries(tx, workspaceId, null, [expired], now);
    }
    await updatePlan(tx, workspaceId, plan);
    await grantAllowance(tx, workspaceId, plan, now);
  }
  return lockBalance(tx, workspaceId, now);
}

async function grantAllowance(tx: Queryable, workspaceId: string, plan: string, now: Date): Promise<void> {
  const figures = await readPlan(tx, plan);
  const minutes = figures?.included_minutes ?? 0;
  if (minutes === 0) return;
  await changeAccount(tx, workspaceId, { included: minutes, prepaid: 0, held: 0 });
  await appendEntries(
    tx,
    workspaceId,
    null,
    [{ kind: 'grant', from: 'issued', to: 'included', minutes, note: 'monthly allowance' }],
    now,
  );
}
