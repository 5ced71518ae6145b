// The public call record out of what is stored. Pure: reads nothing, decides nothing that the store has not decided.
import type { CallState, CallView, Evidence, ExtractionStatus, Stage, TranscriptSegment } from '../contract/call.ts';

/** A call as the store has it, with its result where there is one. */
export interface StoredCall {
  readonly id: string;
  readonly task_id: string;
  readonly stage: Stage;
  readonly state: CallState;
  readonly error_code: string | null;
  readonly to_number: string;
  readonly objective: string;
  readonly caller_name: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  /** Null before the call has ended. */
  readonly extraction_status: ExtractionStatus | null;
  readonly summary: string | null;
  readonly result: unknown;
  readonly result_schema_valid: boolean | null;
  readonly missing_fields: readonly string[] | null;
  readonly evidence: readonly Evidence[] | null;
  readonly issues: readonly string[] | null;
  /** Read only for an ended call without a summary. */
  readonly transcript: readonly TranscriptSegment[] | null;
}

/** A call that has just been admitted. */
export interface AdmittedCall {
  readonly id: string;
  readonly taskId: string;
  readonly to: string;
  /** With protected values redacted. */
  readonly objective: string;
  readonly callerName: string | null;
  readonly createdAt: Date;
}

/** The record of a stored call. */
export function viewOf(call: StoredCall): CallView {
  return {
    id: call.id,
    task_id: call.task_id,
    execution: { stage: call.stage, error_code: call.error_code },
    state: call.state,
    to: call.to_number,
    objective: call.objective,
    caller_identity: { name: call.caller_name },
    summary: call.summary,
    transcript: [...(call.transcript ?? [])],
    result: call.result ?? null,
    result_schema_valid: call.result_schema_valid,
    result_extraction: {
      status: call.extraction_status ?? 'pending',
      missing_fields: [...(call.missing_fields ?? [])],
      evidence: [...(call.evidence ?? [])],
      issues: [...(call.issues ?? [])],
    },
    created_at: call.created_at.toISOString(),
    started_at: call.started_at?.toISOString() ?? null,
    completed_at: call.completed_at?.toISOString() ?? null,
  };
}

/** The record of a call that has just been admitted, without a read: what `viewOf` would say of its fresh rows. */
export function freshViewOf(call: AdmittedCall): CallView {
  return viewOf({
    id: call.id,
    task_id: call.taskId,
    stage: 'queued',
    state: 'queued',
    error_code: null,
    to_number: call.to,
    objective: call.objective,
    caller_name: call.callerName,
    created_at: call.createdAt,
    started_at: null,
    completed_at: null,
    extraction_status: null,
    summary: null,
    result: null,
    result_schema_valid: null,
    missing_fields: null,
    evidence: null,
    issues: null,
    transcript: null,
  });
}
