-- A task, its one call, what happened to it, what was said, and what came of it.

CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects (id),
  idempotency_digest bytea NOT NULL CHECK (octet_length(idempotency_digest) = 32),
  payload_digest bytea NOT NULL CHECK (octet_length(payload_digest) = 32),
  brief json NOT NULL,
  sealed_protected bytea,
  created_at timestamptz NOT NULL,
  UNIQUE (project_id, idempotency_digest)
);
COMMENT ON COLUMN tasks.brief IS 'objective, context, constraints, success_criteria, result_schema: protected values redacted.';
COMMENT ON COLUMN tasks.idempotency_digest IS 'Keyed digest of the Idempotency-Key.';
COMMENT ON COLUMN tasks.payload_digest IS 'Keyed digest of the canonical body as sent, protected values included.';

CREATE TABLE calls (
  id uuid PRIMARY KEY,
  task_id uuid NOT NULL UNIQUE REFERENCES tasks (id),
  project_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  to_number text NOT NULL,
  caller_name text,
  max_duration_seconds integer NOT NULL CHECK (max_duration_seconds BETWEEN 30 AND 3600),

  stage text NOT NULL CHECK (stage IN ('queued', 'submitting', 'reconciling', 'running', 'cancel_requested', 'cancelled', 'failed', 'completed')),
  state text NOT NULL CHECK (state IN ('queued', 'dialing', 'ringing', 'in_progress', 'completed', 'failed', 'cancelled')),
  error_code text,
  -- Who holds the call. A worker's news carries the number of its claim; a stale number changes nothing.
  claim_number integer NOT NULL DEFAULT 0 CHECK (claim_number >= 0),
  worker_id uuid,
  lease_until timestamptz,
  -- When the stage itself has to be looked at: queue expiry, next look-up. Null: only the lease counts.
  deadline_at timestamptz,
  lookups integer NOT NULL DEFAULT 0 CHECK (lookups >= 0),
  cancel_requested_at timestamptz,
  leg json,

  created_at timestamptz NOT NULL,
  started_at timestamptz,
  answered_at timestamptz,
  completed_at timestamptz,

  CONSTRAINT terminal_stage_is_terminal_state CHECK ((stage IN ('cancelled', 'failed', 'completed')) = (state IN ('cancelled', 'failed', 'completed'))),
  CONSTRAINT terminal_stage_names_state CHECK (stage NOT IN ('cancelled', 'failed', 'completed') OR stage = state),
  CONSTRAINT terminal_has_completed_at CHECK ((stage IN ('cancelled', 'failed', 'completed')) = (completed_at IS NOT NULL)),
  CONSTRAINT queued_was_never_dialed CHECK (stage <> 'queued' OR (leg IS NULL AND claim_number = 0 AND state = 'queued')),
  CONSTRAINT dialed_has_leg CHECK (stage NOT IN ('submitting', 'running', 'reconciling') OR leg IS NOT NULL),
  CONSTRAINT completed_was_answered CHECK (stage <> 'completed' OR error_code IS NOT NULL OR answered_at IS NOT NULL),
  -- Nothing is ever forgotten: an open call has a lease or a deadline, or waits for an operator.
  CONSTRAINT open_call_is_watched CHECK (completed_at IS NOT NULL OR deadline_at IS NOT NULL OR lease_until IS NOT NULL
    OR error_code IS NOT DISTINCT FROM 'reconciliation_required'),
  CONSTRAINT queued_can_expire CHECK (stage <> 'queued' OR (deadline_at IS NOT NULL AND lease_until IS NULL)),
  CONSTRAINT terminal_is_released CHECK (completed_at IS NULL OR (deadline_at IS NULL AND lease_until IS NULL AND worker_id IS NULL)),
  CONSTRAINT lease_has_holder CHECK ((lease_until IS NULL) = (worker_id IS NULL)),
  CONSTRAINT failed_says_why CHECK (stage <> 'failed' OR error_code IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX calls_queued ON calls (project_id, id) WHERE stage = 'queued';
CREATE INDEX calls_due ON calls (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX calls_leased ON calls (lease_until) WHERE lease_until IS NOT NULL;

-- Whose turn it is: the project that was served longest ago goes first.
CREATE TABLE project_turns (
  project_id uuid PRIMARY KEY REFERENCES projects (id),
  last_turn_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE call_events (
  call_id uuid NOT NULL REFERENCES calls (id),
  number integer NOT NULL CHECK (number >= 1),
  at timestamptz NOT NULL,
  event text NOT NULL,
  stage text NOT NULL,
  state text NOT NULL,
  error_code text,
  claim_number integer NOT NULL,
  because text,
  PRIMARY KEY (call_id, number)
);

CREATE TABLE transcript_segments (
  call_id uuid NOT NULL REFERENCES calls (id),
  sequence integer NOT NULL CHECK (sequence >= 1),
  speaker text NOT NULL CHECK (speaker IN ('assistant', 'recipient', 'system', 'unknown')),
  text text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 4000),
  about text,
  at timestamptz NOT NULL,
  PRIMARY KEY (call_id, sequence)
);
COMMENT ON COLUMN transcript_segments.about IS 'JSON Pointer of the answer that an assistant turn asks for, where it asks for one.';

-- One row a call, made in the transaction that ends the call; the row is the job.
CREATE TABLE results (
  call_id uuid PRIMARY KEY REFERENCES calls (id),
  project_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'complete', 'incomplete', 'unavailable', 'invalid')),
  attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  due_at timestamptz,
  lease_until timestamptz,
  summary text,
  result json,
  result_schema_valid boolean,
  missing_fields json NOT NULL DEFAULT '[]',
  evidence json NOT NULL DEFAULT '[]',
  issues json NOT NULL DEFAULT '[]',
  CONSTRAINT pending_is_due CHECK ((status = 'pending') = (due_at IS NOT NULL)),
  CONSTRAINT withheld_is_null CHECK (result_schema_valid IS TRUE OR result IS NULL OR result::text = 'null')
);
CREATE INDEX results_due ON results (due_at) WHERE due_at IS NOT NULL;
