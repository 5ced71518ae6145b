// Workspaces that can call and calls that wait in the queue, written the way admission leaves them: task, call, hold, ledger.
import { foundWorkspace } from '../../src/account/setup.ts';
import type { Founded } from '../../src/account/setup.ts';
import { creditMinutes } from '../../src/ledger/credit.ts';
import { upsertPlans } from '../../src/ledger/store.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';

const PREPAID_MINUTES = 500_000;

/** A workspace on the plan `prepaid` with a project, an assistant, a key and minutes for many calls. */
export async function createCaller(database: Database): Promise<Founded> {
  await upsertPlans(database, [{ name: 'prepaid', maxCallSeconds: 3600, includedMinutes: 0, isMetered: true }]);
  const parts = { database, clock: systemClock, chance: systemChance };
  const founded = await foundWorkspace(parts, {
    workspaceName: 'Lovelace Household',
    ownerName: 'Ada Lovelace',
    plan: 'prepaid',
    projectName: 'Errands',
    assistantName: 'Errand',
    keyName: 'test',
  });
  await database.transaction((tx) =>
    creditMinutes(tx, founded.workspaceId, PREPAID_MINUTES, 'test', systemClock.now()),
  );
  return founded;
}

export interface QueuedCalls {
  readonly count?: number;
  readonly maxDurationSeconds?: number;
  readonly queueLimitMs?: number;
  /** How long ago they were admitted. */
  readonly ageMs?: number;
  /** Told by one notification, as admission tells of a batch. */
  readonly isNotified?: boolean;
}

/** Queues calls of a project, oldest first. @returns their ids in the order of the queue */
export async function queueCalls(database: Database, caller: Founded, calls: QueuedCalls = {}): Promise<string[]> {
  // Ids made within one millisecond are in no order; the queue's order is theirs.
  const ids = Array.from({ length: calls.count ?? 1 }, () => systemChance.uuid()).sort();
  const maxDurationSeconds = calls.maxDurationSeconds ?? 180;
  const minutes = Math.ceil(maxDurationSeconds / 60);
  const brief = { objective: 'Ask whether they are open.', result_schema: { type: 'boolean' } };
  await database.transaction(async (tx) => {
    await tx.query(
      `UPDATE minute_accounts SET prepaid_minutes = prepaid_minutes - $2, held_minutes = held_minutes + $2 WHERE workspace_id = $1`,
      [caller.workspaceId, minutes * ids.length],
    );
    await tx.query(
      `INSERT INTO tasks (id, project_id, idempotency_digest, payload_digest, brief, created_at)
       SELECT id, $1, sha256(id::text::bytea), sha256('same'), $3, clock_timestamp() FROM unnest($2::uuid[]) AS id`,
      [caller.projectId, ids, JSON.stringify(brief)],
    );
    await tx.query(
      `INSERT INTO calls (id, task_id, project_id, workspace_id, api_key_id, to_number, caller_name, max_duration_seconds,
                          stage, state, deadline_at, created_at)
       SELECT id, id, $1, $2, $3, '+15550100101', 'Ada Lovelace', $4, 'queued', 'queued',
              clock_timestamp() + $5 * interval '1 millisecond', clock_timestamp() - $7 * interval '1 millisecond'
         FROM unnest($6::uuid[]) AS id`,
      [
        caller.projectId,
        caller.workspaceId,
        caller.apiKeyId,
        maxDurationSeconds,
        calls.queueLimitMs ?? 900_000,
        ids,
        calls.ageMs ?? 0,
      ],
    );
    await tx.query(
      `INSERT INTO holds (call_id, workspace_id, minutes, included_minutes, included_month, prepaid_minutes, is_metered, created_at)
       SELECT id, $1, $2, 0, a.included_month, $2, true, clock_timestamp()
         FROM unnest($3::uuid[]) AS id, minute_accounts a WHERE a.workspace_id = $1`,
      [caller.workspaceId, minutes, ids],
    );
    await tx.query(
      `INSERT INTO ledger_entries (workspace_id, call_id, kind, from_account, to_account, minutes, at)
       SELECT $1, id, 'hold', 'prepaid', 'held', $2, clock_timestamp() FROM unnest($3::uuid[]) AS id`,
      [caller.workspaceId, minutes, ids],
    );
    if (calls.isNotified ?? true) await tx.query(`SELECT pg_notify('calls_queued', '')`);
  });
  return ids;
}
