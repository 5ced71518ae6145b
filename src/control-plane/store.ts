// What the control plane reads for a call record. One statement a record, and every one names its project.
import type { Queryable } from '../platform/database.ts';
import type { StoredCall } from './call-view.ts';

/**
 * Reads one call with its result, and with its transcript where it has ended without a summary: one snapshot.
 * @returns null when the project has no such call, whoever else may have it
 */
export async function readCall(database: Queryable, projectId: string, callId: string): Promise<StoredCall | null> {
  const rows = await database.query<StoredCall>(
    `SELECT c.id, c.task_id, c.stage, c.state, c.error_code, c.to_number, t.brief ->> 'objective' AS objective,
            c.caller_name, c.created_at, c.started_at, c.completed_at,
            r.status AS extraction_status, r.summary, r.result, r.result_schema_valid,
            r.missing_fields, r.evidence, r.issues,
            CASE WHEN c.completed_at IS NOT NULL AND r.summary IS NULL THEN (
              SELECT json_agg(json_build_object('sequence', s.sequence, 'speaker', s.speaker, 'text', s.text)
                              ORDER BY s.sequence)
                FROM transcript_segments s WHERE s.call_id = c.id) END AS transcript
       FROM calls c JOIN tasks t ON t.id = c.task_id LEFT JOIN results r ON r.call_id = c.id
      WHERE c.id = $1 AND c.project_id = $2`,
    [callId, projectId],
    'control_plane_read_call',
  );
  return rows[0] ?? null;
}

/** Resolves when the store answers. */
export async function ping(database: Queryable): Promise<void> {
  await database.query('SELECT 1');
}
