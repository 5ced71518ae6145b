// The statements of the ledger. Balances and entries change in one transaction; entries are only ever added.
import type { Queryable } from '../platform/database.ts';

export interface HoldRow {
  readonly workspace_id: string;
  readonly minutes: number;
  readonly included_minutes: number;
  readonly prepaid_minutes: number;
  readonly is_metered: boolean;
  readonly settled_at: Date | null;
  /** Whether the account's allowance is still of the month that the included minutes came from. */
  readonly is_current_month: boolean;
}

export type LedgerAccount = 'issued' | 'included' | 'prepaid' | 'unmetered' | 'held' | 'used' | 'expired';

export interface NewEntry {
  readonly kind: 'grant' | 'expire' | 'top_up' | 'correct' | 'hold' | 'charge' | 'release';
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  /** Whole minutes, at least 1 when written. */
  readonly minutes: number;
  readonly note: string | null;
}

export interface BalanceRow {
  readonly workspace_id: string;
  readonly plan: string;
  readonly is_metered: boolean;
  readonly included_minutes: number;
  readonly prepaid_minutes: number;
  readonly held_minutes: number;
}

/** Locks the account, then the hold: the order of every path. Null when the call has no hold. */
export async function lockHold(tx: Queryable, callId: string): Promise<HoldRow | null> {
  await tx.query(
    `SELECT 1 FROM minute_accounts WHERE workspace_id = (SELECT workspace_id FROM holds WHERE call_id = $1) FOR UPDATE`,
    [callId],
    'ledger_lock_account_of_hold',
  );
  const rows = await tx.query<HoldRow>(
    `SELECT h.workspace_id, h.minutes, h.included_minutes, h.prepaid_minutes, h.is_metered, h.settled_at,
            h.included_month = a.included_month AS is_current_month
       FROM holds h JOIN minute_accounts a USING (workspace_id)
      WHERE h.call_id = $1 FOR UPDATE OF h`,
    [callId],
    'ledger_lock_hold',
  );
  return rows[0] ?? null;
}

/** Adds to the balances; a CHECK refuses one below zero. */
export async function changeAccount(
  tx: Queryable,
  workspaceId: string,
  by: { readonly included: number; readonly prepaid: number; readonly held: number },
): Promise<void> {
  await tx.query(
    `UPDATE minute_accounts
        SET included_minutes = included_minutes + $2, prepaid_minutes = prepaid_minutes + $3, held_minutes = held_minutes + $4
      WHERE workspace_id = $1`,
    [workspaceId, by.included, by.prepaid, by.held],
    'ledger_change_account',
  );
}

/** Appends entries in one statement. */
export async function appendEntries(
  tx: Queryable,
  workspaceId: string,
  callId: string | null,
  entries: readonly NewEntry[],
  now: Date,
): Promise<void> {
  if (entries.length === 0) return;
  await tx.query(
    `INSERT INTO ledger_entries (workspace_id, call_id, kind, from_account, to_account, minutes, note, at)
     SELECT $1, $2, kind, from_account, to_account, minutes, note, $3
       FROM unnest($4::text[], $5::text[], $6::text[], $7::integer[], $8::text[]) AS t (kind, from_account, to_account, minutes, note)`,
    [
      workspaceId,
      callId,
      now,
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.from),
      entries.map((entry) => entry.to),
      entries.map((entry) => entry.minutes),
      entries.map((entry) => entry.note),
    ],
    'ledger_append',
  );
}

/** Marks a hold as settled. */
export async function closeHold(tx: Queryable, callId: string, usedMinutes: number, now: Date): Promise<void> {
  await tx.query(
    `UPDATE holds SET settled_at = $2, used_minutes = $3 WHERE call_id = $1 AND settled_at IS NULL`,
    [callId, now, usedMinutes],
    'ledger_close_hold',
  );
}

/** Opens the account of a new workspace with empty balances in the current month. */
export async function insertAccount(tx: Queryable, workspaceId: string, plan: string, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO minute_accounts (workspace_id, plan, included_minutes, included_month, prepaid_minutes, held_minutes)
     VALUES ($1, $2, 0, date_trunc('month', $3::timestamptz AT TIME ZONE 'UTC')::date, 0, 0)`,
    [workspaceId, plan, now],
  );
}

/** Locks the account and brings its allowance to the current month. Null when there is no such workspace. */
export async function lockBalance(tx: Queryable, workspaceId: string, now: Date): Promise<BalanceRow | null> {
  await tx.query(`SELECT 1 FROM minute_accounts WHERE workspace_id = $1 FOR UPDATE`, [workspaceId]);
  await tx.query(`SELECT roll_included_minutes($1, $2)`, [workspaceId, now]);
  return readBalance(tx, workspaceId);
}

/** The balance as it is saved. */
export async function readBalance(tx: Queryable, workspaceId: string): Promise<BalanceRow | null> {
  const rows = await tx.query<BalanceRow>(
    `SELECT a.workspace_id, a.plan, p.is_metered, a.included_minutes, a.prepaid_minutes, a.held_minutes
       FROM minute_accounts a JOIN plans p ON p.name = a.plan WHERE a.workspace_id = $1`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

/** Moves the account to another plan; the caller holds its lock. */
export async function updatePlan(tx: Queryable, workspaceId: string, plan: string): Promise<void> {
  await tx.query(`UPDATE minute_accounts SET plan = $2 WHERE workspace_id = $1`, [workspaceId, plan]);
}

/** The included minutes of a plan. */
export async function readPlan(tx: Queryable, plan: string): Promise<{ included_minutes: number } | null> {
  const rows = await tx.query<{ included_minutes: number }>(`SELECT included_minutes FROM plans WHERE name = $1`, [
    plan,
  ]);
  return rows[0] ?? null;
}

/** Writes the plans' figures as configured; one statement, safe to repeat and from several processes. */
export async function upsertPlans(
  tx: Queryable,
  plans: readonly {
    readonly name: string;
    readonly maxCallSeconds: number;
    readonly includedMinutes: number;
    readonly isMetered: boolean;
  }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO plans (name, max_call_seconds, included_minutes, is_metered)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[], $4::boolean[])
     ON CONFLICT (name) DO UPDATE SET max_call_seconds = excluded.max_call_seconds,
       included_minutes = excluded.included_minutes, is_metered = excluded.is_metered`,
    [
      plans.map((plan) => plan.name),
      plans.map((plan) => plan.maxCallSeconds),
      plans.map((plan) => plan.includedMinutes),
      plans.map((plan) => plan.isMetered),
    ],
  );
}

/** The sum of all postings, and how far the saved balances are from the entries: all zero while every promise holds. */
export async function auditLedger(
  tx: Queryable,
): Promise<{ readonly sum: number; readonly unbalanced: number; readonly held_without_hold: number }> {
  const rows = await tx.query<{ sum: number; unbalanced: number; held_without_hold: number }>(
    `WITH posted AS (
       SELECT workspace_id, account, sum(minutes)::integer AS minutes FROM ledger_postings GROUP BY workspace_id, account
     )
     SELECT (SELECT coalesce(sum(minutes), 0)::integer FROM posted) AS sum,
            (SELECT count(*)::integer FROM minute_accounts a WHERE
               a.included_minutes <> coalesce((SELECT minutes FROM posted p WHERE p.workspace_id = a.workspace_id AND account = 'included'), 0) OR
               a.prepaid_minutes <> coalesce((SELECT minutes FROM posted p WHERE p.workspace_id = a.workspace_id AND account = 'prepaid'), 0) OR
               a.held_minutes <> coalesce((SELECT minutes FROM posted p WHERE p.workspace_id = a.workspace_id AND account = 'held'), 0)) AS unbalanced,
            (SELECT count(*)::integer FROM minute_accounts a WHERE a.held_minutes <>
               coalesce((SELECT sum(minutes) FROM holds h WHERE h.workspace_id = a.workspace_id AND settled_at IS NULL), 0)) AS held_without_hold`,
  );
  return rows[0] ?? { sum: 0, unbalanced: 0, held_without_hold: 0 };
}
