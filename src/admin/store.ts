// What an operator reads about calls. Reading only: a call changes through dispatch alone.
import type { Queryable } from '../platform/database.ts';

export interface ReviewRow {
  readonly call_id: string;
  readonly project_id: string;
  readonly stage: string;
  readonly state: string;
  readonly error_code: string;
  readonly to_number: string;
  readonly held_minutes: number | null;
  readonly created_at: Date;
  readonly last_event_at: Date;
}

/** Calls whose outcome is not settled: under recovery first, then those that wait for a decision; oldest first. */
export function listUnderReview(tx: Queryable, limit: number): Promise<ReviewRow[]> {
  return tx.query<ReviewRow>(
    `SELECT c.id AS call_id, c.project_id, c.stage, c.state, c.error_code, c.to_number,
            (SELECT h.minutes FROM holds h WHERE h.call_id = c.id AND h.settled_at IS NULL) AS held_minutes,
            c.created_at, (SELECT max(e.at) FROM call_events e WHERE e.call_id = c.id) AS last_event_at
       FROM calls c
      WHERE c.error_code IN ('reconciliation_required', 'submission_unconfirmed', 'cancellation_unconfirmed')
        AND c.stage IN ('reconciling', 'cancel_requested')
      ORDER BY c.error_code <> 'reconciliation_required', c.id LIMIT $1`,
    [limit],
  );
}

export interface EventRow {
  readonly number: number;
  readonly at: Date;
  readonly event: string;
  readonly stage: string;
  readonly state: string;
  readonly error_code: string | null;
  readonly because: string | null;
}

/** Everything that happened to one call, in order. */
export function listEvents(tx: Queryable, callId: string): Promise<EventRow[]> {
  return tx.query<EventRow>(
    `SELECT number, at, event, stage, state, error_code, because FROM call_events WHERE call_id = $1 ORDER BY number`,
    [callId],
  );
}
