// The statements of the result job. Reads calls, tasks and transcripts, writes `results` alone.
import type { Queryable } from '../platform/database.ts';
import type { Speaker } from '../contract/call.ts';
import type { EndedCall } from './outcome.ts';
import type { Publication } from './publish.ts';
import type { TranscriptTurn } from './transcript.ts';

/** A job that this worker holds until `lease_until`; `attempts` counts this claim. */
export interface ClaimedResult {
  readonly call_id: string;
  readonly attempts: number;
}

/**
 * Takes due jobs, the longest due first, and leases them. No two workers hold one job within its lease; a job whose worker died
 * comes back when the lease has passed.
 */
export function claimDueResults(
  database: Queryable,
  now: Date,
  leaseUntil: Date,
  limit: number,
): Promise<ClaimedResult[]> {
  return database.query<ClaimedResult>(
    `UPDATE results SET lease_until = $2, attempts = attempts + 1
     WHERE call_id IN (
       SELECT call_id FROM results
       WHERE due_at <= $1 AND (lease_until IS NULL OR lease_until <= $1)
       ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     RETURNING call_id, attempts`,
    [now, leaseUntil, limit],
    'result_claim',
  );
}

/** When the next job comes due, leases counted; null when none waits. */
export async function nextDueAt(database: Queryable): Promise<Date | null> {
  const [row] = await database.query<{ due_at: Date | null }>(
    'SELECT min(greatest(due_at, coalesce(lease_until, due_at))) AS due_at FROM results WHERE due_at IS NOT NULL',
    [],
    'result_next_due',
  );
  return row?.due_at ?? null;
}

export interface ResultSource {
  readonly call: EndedCall;
  /** When the recipient spoke: the answer, else the end of the call. */
  readonly spokenAt: Date;
  readonly brief: StoredBrief;
  readonly turns: readonly TranscriptTurn[];
}

/** The task's brief as admission stored it. */
export interface StoredBrief {
  readonly objective: string;
  readonly context?: unknown;
  readonly success_criteria?: readonly string[];
  readonly result_schema: Readonly<Record<string, unknown>>;
}

interface SourceRow {
  readonly state: EndedCall['state'];
  readonly error_code: string | null;
  readonly started_at: Date | null;
  readonly answered_at: Date | null;
  readonly completed_at: Date | null;
  readonly created_at: Date;
  readonly brief: StoredBrief;
}

/** One ended call with everything that its result is made of; null while it has not ended. */
export async function readSource(database: Queryable, callId: string): Promise<ResultSource | null> {
  const [row] = await database.query<SourceRow>(
    `SELECT c.state, c.error_code, c.started_at, c.answered_at, c.completed_at, c.created_at, t.brief
     FROM calls c JOIN tasks t ON t.id = c.task_id
     WHERE c.id = $1 AND c.state IN ('completed', 'failed', 'cancelled')`,
    [callId],
    'result_source',
  );
  if (row === undefined) return null;
  const turns = await database.query<{ sequence: number; speaker: Speaker; text: string; about: string | null }>(
    'SELECT sequence, speaker, text, about FROM transcript_segments WHERE call_id = $1 ORDER BY sequence',
    [callId],
    'result_transcript',
  );
  return {
    call: {
      state: row.state,
      errorCode: row.error_code,
      isStarted: row.started_at !== null,
      isAnswered: row.answered_at !== null,
    },
    spokenAt: row.answered_at ?? row.completed_at ?? row.created_at,
    brief: row.brief,
    turns,
  };
}

/**
 * Writes summary and extraction together, only while the job is pending.
 * @param retryNotBefore kept in `lease_until`, which a finished job does not need: no retry begins before it
 * @returns false when somebody else was first
 */
export async function writeResult(
  database: Queryable,
  callId: string,
  written: { readonly summary: string | null; readonly publication: Publication; readonly retryNotBefore: Date },
): Promise<boolean> {
  const { publication } = written;
  const rows = await database.query(
    `UPDATE results
     SET status = $2, due_at = NULL, summary = $3, result = $4, result_schema_valid = $5,
         missing_fields = $6, evidence = $7, issues = $8, lease_until = $9
     WHERE call_id = $1 AND status = 'pending'
     RETURNING call_id`,
    [
      callId,
      publication.status,
      written.summary,
      publication.result_schema_valid === true ? JSON.stringify(publication.result) : null,
      publication.result_schema_valid,
      JSON.stringify(publication.missing_fields),
      JSON.stringify(publication.evidence),
      JSON.stringify(publication.issues),
      written.retryNotBefore,
    ],
    'result_write',
  );
  return rows.length === 1;
}

/** Puts a failed attempt back, due later; only while the job is pending. */
export async function postponeResult(database: Queryable, callId: string, dueAt: Date): Promise<void> {
  await database.query(
    `UPDATE results SET due_at = $2, lease_until = NULL WHERE call_id = $1 AND status = 'pending'`,
    [callId, dueAt],
    'result_postpone',
  );
}

/**
 * Makes a failed extraction pending again and wakes the workers; it is due when the pause after the last attempt is over. Only
 * where the recipient said something: nothing is to be extracted from a call that nobody answered.
 * @returns whether it did
 */
export async function reopenResult(database: Queryable, callId: string, now: Date): Promise<boolean> {
  const rows = await database.query(
    `WITH reopened AS (
       UPDATE results SET status = 'pending', due_at = GREATEST($2, lease_until), lease_until = NULL, attempts = 0, summary = NULL, result = NULL,
         result_schema_valid = NULL, missing_fields = '[]', evidence = '[]', issues = '[]'
       WHERE call_id = $1 AND status IN ('unavailable', 'invalid')
         AND EXISTS (SELECT 1 FROM transcript_segments s WHERE s.call_id = $1 AND s.speaker = 'recipient')
       RETURNING call_id
     )
     SELECT pg_notify('results_due', '') FROM reopened`,
    [callId, now],
    'result_reopen',
  );
  return rows.length === 1;
}
