// The statements of dispatch. Stage and state are written by `updateCall` alone, which `advance` alone calls. Time is the
// database's: workers on several machines have several clocks, and a lease needs one.
import type { LegRecord } from '../line/line.ts';
import type { Queryable } from '../platform/database.ts';
import type { CallRow, Changeable } from './call-row.ts';

/** A call under its lock, with the database's time. */
export interface LockedCall {
  readonly row: CallRow;
  readonly now: Date;
}

const COLUMNS = `id, project_id, workspace_id, to_number, caller_name, max_duration_seconds, stage, state, error_code,
  claim_number, worker_id, lease_until, deadline_at, lookups, cancel_requested_at, leg, created_at, started_at, answered_at,
  completed_at`;

const asLocked = (rows: readonly (CallRow & { readonly now: Date })[]): LockedCall | null => {
  const found = rows[0];
  if (found === undefined) return null;
  const { now, ...row } = found;
  return { row, now };
};

/** Locks a call until the transaction ends. Null when there is no such call. */
export async function lockCall(tx: Queryable, callId: string): Promise<LockedCall | null> {
  return asLocked(
    await tx.query<CallRow & { now: Date }>(
      `SELECT ${COLUMNS}, clock_timestamp() AS now FROM calls WHERE id = $1 FOR UPDATE`,
      [callId],
      'dispatch_lock_call',
    ),
  );
}

/** Writes what an event may change. The caller holds the row's lock. */
export async function updateCall(tx: Queryable, callId: string, row: Changeable): Promise<void> {
  await tx.query(
    `UPDATE calls SET stage = $2, state = $3, error_code = $4, claim_number = $5, worker_id = $6, lease_until = $7,
            deadline_at = $8, lookups = $9, cancel_requested_at = $10, leg = $11, started_at = $12, answered_at = $13,
            completed_at = $14
      WHERE id = $1`,
    [
      callId,
      row.stage,
      row.state,
      row.error_code,
      row.claim_number,
      row.worker_id,
      row.lease_until,
      row.deadline_at,
      row.lookups,
      row.cancel_requested_at,
      row.leg === null ? null : JSON.stringify(row.leg),
      row.started_at,
      row.answered_at,
      row.completed_at,
    ],
    'dispatch_update_call',
  );
}

/** Appends to the call's log; numbers have no gaps, since the caller holds the call's lock. */
export async function insertEvent(
  tx: Queryable,
  callId: string,
  entry: { readonly event: string; readonly at: Date; readonly row: Changeable; readonly because: string | null },
): Promise<void> {
  await tx.query(
    `INSERT INTO call_events (call_id, number, at, event, stage, state, error_code, claim_number, because)
     SELECT $1, 1 + coalesce((SELECT max(number) FROM call_events WHERE call_id = $1), 0), $2, $3, $4, $5, $6, $7, $8`,
    [
      callId,
      entry.at,
      entry.event,
      entry.row.stage,
      entry.row.state,
      entry.row.error_code,
      entry.row.claim_number,
      entry.because,
    ],
    'dispatch_insert_event',
  );
}

/** Makes the job of the result, due now; a second one changes nothing. Its workers hear of it when the transaction commits. */
export async function oweResult(tx: Queryable, row: CallRow, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO results (call_id, project_id, status, due_at) VALUES ($1, $2, 'pending', $3) ON CONFLICT DO NOTHING`,
    [row.id, row.project_id, now],
    'dispatch_owe_result',
  );
  await tx.query(`SELECT pg_notify('results_due', '')`);
}

/** Tells the worker that holds the call to look at it, when the transaction commits. */
export async function notifyCallChanged(tx: Queryable, callId: string): Promise<void> {
  await tx.query(`SELECT pg_notify('call_changed', $1)`, [callId]);
}

/**
 * Projects with queued calls, the one that was served longest ago first, never served ones before all.
 * Skips from project to project in the index: the length of a project's queue costs nothing.
 */
export async function readTurns(tx: Queryable, limit: number): Promise<string[]> {
  const rows = await tx.query<{ project_id: string }>(
    `WITH RECURSIVE waiting AS (
       (SELECT project_id FROM calls WHERE stage = 'queued' ORDER BY project_id LIMIT 1)
       UNION ALL
       SELECT (SELECT c.project_id FROM calls c WHERE c.stage = 'queued' AND c.project_id > w.project_id
                ORDER BY c.project_id LIMIT 1)
         FROM waiting w WHERE w.project_id IS NOT NULL
     )
     SELECT w.project_id FROM waiting w LEFT JOIN project_turns t USING (project_id)
      WHERE w.project_id IS NOT NULL
      ORDER BY t.last_turn_at NULLS FIRST, w.project_id LIMIT $1`,
    [limit],
    'dispatch_read_turns',
  );
  return rows.map((row) => row.project_id);
}

/** Locks the oldest queued call of a project that nobody else is taking. Null when there is none; never waits. */
export async function lockNextQueued(tx: Queryable, projectId: string): Promise<LockedCall | null> {
  return asLocked(
    await tx.query<CallRow & { now: Date }>(
      `SELECT ${COLUMNS}, clock_timestamp() AS now FROM calls WHERE project_id = $1 AND stage = 'queued'
        ORDER BY project_id, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [projectId],
      'dispatch_lock_next_queued',
    ),
  );
}

/** The project was served now and goes to the end of the line. Waits for others that serve it at this moment. */
export async function writeTurn(tx: Queryable, projectId: string): Promise<void> {
  await tx.query(
    `INSERT INTO project_turns AS t (project_id, last_turn_at) VALUES ($1, clock_timestamp())
     ON CONFLICT (project_id) DO UPDATE SET last_turn_at = greatest(t.last_turn_at, excluded.last_turn_at)`,
    [projectId],
    'dispatch_write_turn',
  );
}

/** What decides whether a queued call may still be placed, and what its worker needs to know. */
export interface DispatchFacts {
  readonly is_live: boolean;
  readonly is_project_active: boolean;
  readonly is_key_valid: boolean;
  readonly is_assistant_ready: boolean;
  readonly has_hold: boolean;
  readonly assistant_name: string | null;
  readonly opening_line: string | null;
  readonly brief: unknown;
}

/** Reads them as they are committed at this moment. The caller holds the call's lock. */
export async function readDispatchFacts(tx: Queryable, callId: string): Promise<DispatchFacts | null> {
  const rows = await tx.query<DispatchFacts>(
    `SELECT coalesce((SELECT is_on FROM switches WHERE name = 'live_calls'), false) AS is_live,
            coalesce(p.is_active, false) AS is_project_active,
            k.id IS NOT NULL AND k.revoked_at IS NULL AND coalesce(k.expires_at > clock_timestamp(), true) AS is_key_valid,
            coalesce(a.is_active, false) AND a.name IS NOT NULL AS is_assistant_ready,
            EXISTS (SELECT 1 FROM holds h WHERE h.call_id = c.id AND h.settled_at IS NULL) AS has_hold,
            a.name AS assistant_name, a.opening_line, t.brief
       FROM calls c
       JOIN tasks t ON t.id = c.task_id
       LEFT JOIN projects p ON p.id = c.project_id
       LEFT JOIN api_keys k ON k.id = c.api_key_id AND k.project_id = c.project_id
       LEFT JOIN assistants a ON a.project_id = c.project_id
      WHERE c.id = $1`,
    [callId],
    'dispatch_read_facts',
  );
  return rows[0] ?? null;
}

export interface HeldCall {
  readonly id: string;
  readonly claim_number: number;
  readonly is_cancel_requested: boolean;
}

/**
 * Renews a worker's leases in one statement, without waiting for calls that somebody is writing: they are renewed next time.
 * @returns all the calls asked for, as they stand; a claim number other than the worker's means that it lost the call
 */
export async function renewLeases(
  database: Queryable,
  workerId: string,
  callIds: readonly string[],
  leaseMs: number,
): Promise<HeldCall[]> {
  return database.query<HeldCall>(
    `WITH mine AS (
       SELECT id FROM calls WHERE id = ANY ($2::uuid[]) AND worker_id = $1 AND completed_at IS NULL FOR UPDATE SKIP LOCKED
     ), renewed AS (
       UPDATE calls SET lease_until = clock_timestamp() + $3 * interval '1 millisecond' FROM mine WHERE calls.id = mine.id
     )
     SELECT id, claim_number, cancel_requested_at IS NOT NULL AS is_cancel_requested
       FROM calls WHERE id = ANY ($2::uuid[])`,
    [workerId, callIds, leaseMs],
    'dispatch_renew_leases',
  );
}

/** Renews one lease where the call was dispatched to this worker and nothing was heard of it. Null when it was not. */
export async function renewUnstarted(
  database: Queryable,
  workerId: string,
  call: { readonly id: string; readonly claimNumber: number },
  leaseMs: number,
): Promise<HeldCall | null> {
  const rows = await database.query<HeldCall>(
    `UPDATE calls SET lease_until = clock_timestamp() + $4 * interval '1 millisecond'
      WHERE id = $2 AND worker_id = $1 AND claim_number = $3 AND stage IN ('submitting', 'cancel_requested')
      RETURNING id, claim_number, cancel_requested_at IS NOT NULL AS is_cancel_requested`,
    [workerId, call.id, call.claimNumber, leaseMs],
  );
  return rows[0] ?? null;
}

/** A segment with its number. */
export interface NumberedSegment {
  readonly sequence: number;
  readonly speaker: string;
  readonly text: string;
  readonly about: string | null;
}

/**
 * Saves segments that were spoken `ageMs` ago. Safe to repeat: a number that is there stays as it is.
 * @returns false, and nothing is saved, when the claim is not the call's any more
 */
export async function insertSegments(
  database: Queryable,
  held: { readonly callId: string; readonly claimNumber: number },
  segments: readonly NumberedSegment[],
  ageMs: number,
): Promise<boolean> {
  const rows = await database.query<{ is_held: boolean }>(
    `WITH held AS (SELECT id FROM calls WHERE id = $1 AND claim_number = $2), saved AS (
       INSERT INTO transcript_segments (call_id, sequence, speaker, text, about, at)
       SELECT held.id, s.sequence, s.speaker, s.text, s.about, clock_timestamp() - $7 * interval '1 millisecond'
         FROM held, unnest($3::integer[], $4::text[], $5::text[], $6::text[]) AS s (sequence, speaker, text, about)
       ON CONFLICT DO NOTHING
     )
     SELECT EXISTS (SELECT 1 FROM held) AS is_held`,
    [
      held.callId,
      held.claimNumber,
      segments.map((segment) => segment.sequence),
      segments.map((segment) => segment.speaker),
      segments.map((segment) => segment.text),
      segments.map((segment) => segment.about),
      ageMs,
    ],
    'dispatch_insert_segments',
  );
  return rows[0]?.is_held === true;
}

/**
 * Calls whose lease has passed, the longest ago first.
 * `statement_timestamp()` does not change within a statement, so that the index finds them; `clock_timestamp()` would read all.
 */
export async function readExpiredLeases(database: Queryable, limit: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM calls WHERE lease_until <= statement_timestamp() ORDER BY lease_until LIMIT $1`,
    [limit],
    'dispatch_read_expired_leases',
  );
  return rows.map((row) => row.id);
}

/** Queued calls whose limit has passed, the longest ago first. */
export async function readExpiredQueued(database: Queryable, limit: number): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `SELECT id FROM calls WHERE deadline_at <= statement_timestamp() AND stage = 'queued' ORDER BY deadline_at LIMIT $1`,
    [limit],
    'dispatch_read_expired_queued',
  );
  return rows.map((row) => row.id);
}

export interface DoubtfulCall {
  readonly id: string;
  readonly leg: LegRecord;
}

/** Calls that are due for a look-up, the longest ago first, without those of `except`. */
export async function readDueLookUps(
  database: Queryable,
  except: readonly string[],
  limit: number,
): Promise<DoubtfulCall[]> {
  return database.query<DoubtfulCall>(
    `SELECT id, leg FROM calls
      WHERE deadline_at <= statement_timestamp() AND stage IN ('reconciling', 'cancel_requested') AND leg IS NOT NULL
        AND id <> ALL ($1::uuid[])
      ORDER BY deadline_at LIMIT $2`,
    [except, limit],
    'dispatch_read_due_look_ups',
  );
}

/** The database's time, and how long until the next deadline or lease passes, ms; null when there is none. */
export async function readNextDeadline(
  database: Queryable,
): Promise<{ readonly now: Date; readonly delay_ms: number | null }> {
  const rows = await database.query<{ now: Date; delay_ms: number | null }>(
    `SELECT now, (extract(epoch FROM least(
              (SELECT min(deadline_at) FROM calls WHERE deadline_at IS NOT NULL),
              (SELECT min(lease_until) FROM calls WHERE lease_until IS NOT NULL)) - now) * 1000)::float8 AS delay_ms
       FROM (SELECT clock_timestamp() AS now) AS clock`,
    [],
    'dispatch_read_next_deadline',
  );
  const found = rows[0];
  if (found === undefined) throw new Error('a SELECT without FROM a table gave no row');
  return { now: found.now, delay_ms: found.delay_ms === null ? null : Math.max(0, found.delay_ms) };
}
