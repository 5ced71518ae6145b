// A call as its row says: what the chart decides on and what `advance` writes. Field names are the columns' names.
import type { CallState, ExecutionErrorCode, Stage } from '../contract/call.ts';
import type { LegRecord } from '../line/line.ts';

/** What an event may change. */
export interface Changeable {
  readonly stage: Stage;
  readonly state: CallState;
  readonly error_code: ExecutionErrorCode | null;
  /** 0 until the dispatch; goes up by one whenever the call changes hands. */
  readonly claim_number: number;
  /** Who holds the call; null together with `lease_until`. */
  readonly worker_id: string | null;
  readonly lease_until: Date | null;
  /** When the stage itself has to be looked at: the queue limit, or the next look-up. */
  readonly deadline_at: Date | null;
  /** Look-ups made in this recovery. */
  readonly lookups: number;
  readonly cancel_requested_at: Date | null;
  readonly leg: LegRecord | null;
  /** The carrier's acknowledgement. */
  readonly started_at: Date | null;
  readonly answered_at: Date | null;
  readonly completed_at: Date | null;
}

export interface CallRow extends Changeable {
  readonly id: string;
  readonly project_id: string;
  readonly workspace_id: string;
  readonly to_number: string;
  readonly caller_name: string | null;
  readonly max_duration_seconds: number;
  readonly created_at: Date;
}

export type Changes = Partial<Changeable>;

/** Whether the call can still change. */
export function isOpen(row: Pick<CallRow, 'completed_at'>): boolean {
  return row.completed_at === null;
}

/** Whether bounded recovery is used up and an operator has to decide. */
export function isPaused(row: Pick<CallRow, 'completed_at' | 'error_code'>): boolean {
  return isOpen(row) && row.error_code === 'reconciliation_required';
}
