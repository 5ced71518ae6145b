-- The sum of the migrations, for reading; nothing runs it. Written by: npm run schema

CREATE TABLE api_keys (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone
);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_digest_check CHECK ((octet_length(digest) = 32));
ALTER TABLE api_keys ADD CONSTRAINT api_keys_digest_key UNIQUE (digest);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)));
ALTER TABLE api_keys ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE api_keys ADD CONSTRAINT api_keys_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id);
CREATE INDEX api_keys_project ON public.api_keys USING btree (project_id);

CREATE TABLE assistants (
  project_id uuid NOT NULL,
  name text,
  opening_line text,
  language text NOT NULL DEFAULT 'en'::text,
  is_active boolean NOT NULL DEFAULT true
);
ALTER TABLE assistants ADD CONSTRAINT assistants_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 80)));
ALTER TABLE assistants ADD CONSTRAINT assistants_opening_line_check CHECK (((char_length(opening_line) >= 1) AND (char_length(opening_line) <= 500)));
ALTER TABLE assistants ADD CONSTRAINT assistants_pkey PRIMARY KEY (project_id);
ALTER TABLE assistants ADD CONSTRAINT assistants_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id);
COMMENT ON COLUMN assistants.name IS 'Null until the set-up is complete; an incomplete assistant places no calls.';

CREATE TABLE call_events (
  call_id uuid NOT NULL,
  number integer NOT NULL,
  at timestamp with time zone NOT NULL,
  event text NOT NULL,
  stage text NOT NULL,
  state text NOT NULL,
  error_code text,
  claim_number integer NOT NULL,
  because text
);
ALTER TABLE call_events ADD CONSTRAINT call_events_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id);
ALTER TABLE call_events ADD CONSTRAINT call_events_number_check CHECK ((number >= 1));
ALTER TABLE call_events ADD CONSTRAINT call_events_pkey PRIMARY KEY (call_id, number);
CREATE TRIGGER call_events_append_only BEFORE DELETE OR UPDATE ON public.call_events FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE calls (
  id uuid NOT NULL,
  task_id uuid NOT NULL,
  project_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  api_key_id uuid NOT NULL,
  to_number text NOT NULL,
  caller_name text,
  max_duration_seconds integer NOT NULL,
  stage text NOT NULL,
  state text NOT NULL,
  error_code text,
  claim_number integer NOT NULL DEFAULT 0,
  worker_id uuid,
  lease_until timestamp with time zone,
  deadline_at timestamp with time zone,
  lookups integer NOT NULL DEFAULT 0,
  cancel_requested_at timestamp with time zone,
  leg json,
  created_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  answered_at timestamp with time zone,
  completed_at timestamp with time zone
);
ALTER TABLE calls SET (fillfactor=70);
ALTER TABLE calls ADD CONSTRAINT calls_claim_number_check CHECK ((claim_number >= 0));
ALTER TABLE calls ADD CONSTRAINT calls_lookups_check CHECK ((lookups >= 0));
ALTER TABLE calls ADD CONSTRAINT calls_max_duration_seconds_check CHECK (((max_duration_seconds >= 30) AND (max_duration_seconds <= 3600)));
ALTER TABLE calls ADD CONSTRAINT calls_pkey PRIMARY KEY (id);
ALTER TABLE calls ADD CONSTRAINT calls_stage_check CHECK ((stage = ANY (ARRAY['queued'::text, 'submitting'::text, 'reconciling'::text, 'running'::text, 'cancel_requested'::text, 'cancelled'::text, 'failed'::text, 'completed'::text])));
ALTER TABLE calls ADD CONSTRAINT calls_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'dialing'::text, 'ringing'::text, 'in_progress'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])));
ALTER TABLE calls ADD CONSTRAINT calls_task_id_fkey FOREIGN KEY (task_id) REFERENCES tasks(id);
ALTER TABLE calls ADD CONSTRAINT calls_task_id_key UNIQUE (task_id);
ALTER TABLE calls ADD CONSTRAINT completed_was_answered CHECK (((stage <> 'completed'::text) OR (error_code IS NOT NULL) OR (answered_at IS NOT NULL)));
ALTER TABLE calls ADD CONSTRAINT dialed_has_leg CHECK (((stage <> ALL (ARRAY['submitting'::text, 'running'::text, 'reconciling'::text])) OR (leg IS NOT NULL)));
ALTER TABLE calls ADD CONSTRAINT failed_says_why CHECK (((stage <> 'failed'::text) OR (error_code IS NOT NULL)));
ALTER TABLE calls ADD CONSTRAINT lease_has_holder CHECK (((lease_until IS NULL) = (worker_id IS NULL)));
ALTER TABLE calls ADD CONSTRAINT open_call_is_watched CHECK (((completed_at IS NOT NULL) OR (deadline_at IS NOT NULL) OR (lease_until IS NOT NULL) OR (NOT (error_code IS DISTINCT FROM 'reconciliation_required'::text))));
ALTER TABLE calls ADD CONSTRAINT queued_can_expire CHECK (((stage <> 'queued'::text) OR ((deadline_at IS NOT NULL) AND (lease_until IS NULL))));
ALTER TABLE calls ADD CONSTRAINT queued_was_never_dialed CHECK (((stage <> 'queued'::text) OR ((leg IS NULL) AND (claim_number = 0) AND (state = 'queued'::text))));
ALTER TABLE calls ADD CONSTRAINT terminal_has_completed_at CHECK (((stage = ANY (ARRAY['cancelled'::text, 'failed'::text, 'completed'::text])) = (completed_at IS NOT NULL)));
ALTER TABLE calls ADD CONSTRAINT terminal_is_released CHECK (((completed_at IS NULL) OR ((deadline_at IS NULL) AND (lease_until IS NULL) AND (worker_id IS NULL))));
ALTER TABLE calls ADD CONSTRAINT terminal_stage_is_terminal_state CHECK (((stage = ANY (ARRAY['cancelled'::text, 'failed'::text, 'completed'::text])) = (state = ANY (ARRAY['cancelled'::text, 'failed'::text, 'completed'::text]))));
ALTER TABLE calls ADD CONSTRAINT terminal_stage_names_state CHECK (((stage <> ALL (ARRAY['cancelled'::text, 'failed'::text, 'completed'::text])) OR (stage = state)));
CREATE INDEX calls_due ON public.calls USING btree (deadline_at) WHERE (deadline_at IS NOT NULL);
CREATE INDEX calls_leased ON public.calls USING btree (lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX calls_queued ON public.calls USING btree (project_id, id) WHERE (stage = 'queued'::text);

CREATE TABLE holds (
  call_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  minutes integer NOT NULL,
  included_minutes integer NOT NULL,
  included_month date NOT NULL,
  prepaid_minutes integer NOT NULL,
  is_metered boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  settled_at timestamp with time zone,
  used_minutes integer
);
ALTER TABLE holds ADD CONSTRAINT holds_included_minutes_check CHECK ((included_minutes >= 0));
ALTER TABLE holds ADD CONSTRAINT holds_minutes_check CHECK ((minutes > 0));
ALTER TABLE holds ADD CONSTRAINT holds_pkey PRIMARY KEY (call_id);
ALTER TABLE holds ADD CONSTRAINT holds_prepaid_minutes_check CHECK ((prepaid_minutes >= 0));
ALTER TABLE holds ADD CONSTRAINT holds_used_minutes_check CHECK ((used_minutes >= 0));
ALTER TABLE holds ADD CONSTRAINT metered_hold_has_source CHECK (((included_minutes + prepaid_minutes) =
CASE
    WHEN is_metered THEN minutes
    ELSE 0
END));
ALTER TABLE holds ADD CONSTRAINT never_charged_above_hold CHECK ((used_minutes <= minutes));
ALTER TABLE holds ADD CONSTRAINT settled_says_used CHECK (((settled_at IS NULL) = (used_minutes IS NULL)));
CREATE INDEX holds_open ON public.holds USING btree (workspace_id) WHERE (settled_at IS NULL);

CREATE TABLE key_windows (
  api_key_id uuid NOT NULL,
  started_at timestamp with time zone NOT NULL,
  creates integer NOT NULL
);
ALTER TABLE key_windows SET (fillfactor=50);
ALTER TABLE key_windows ADD CONSTRAINT key_windows_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id);
ALTER TABLE key_windows ADD CONSTRAINT key_windows_creates_check CHECK ((creates >= 0));
ALTER TABLE key_windows ADD CONSTRAINT key_windows_pkey PRIMARY KEY (api_key_id);
COMMENT ON TABLE key_windows IS 'The rate window of each key: how many creates since started_at.';

CREATE TABLE ledger_entries (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  call_id uuid,
  kind text NOT NULL,
  from_account text NOT NULL,
  to_account text NOT NULL,
  minutes integer NOT NULL,
  note text,
  at timestamp with time zone NOT NULL
);
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_from_account_check CHECK ((from_account = ANY (ARRAY['issued'::text, 'included'::text, 'prepaid'::text, 'unmetered'::text, 'held'::text, 'used'::text, 'expired'::text])));
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'expire'::text, 'top_up'::text, 'correct'::text, 'hold'::text, 'charge'::text, 'release'::text])));
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_minutes_check CHECK ((minutes > 0));
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_pkey PRIMARY KEY (id);
ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_to_account_check CHECK ((to_account = ANY (ARRAY['issued'::text, 'included'::text, 'prepaid'::text, 'unmetered'::text, 'held'::text, 'used'::text, 'expired'::text])));
ALTER TABLE ledger_entries ADD CONSTRAINT moves_between_two CHECK ((from_account <> to_account));
CREATE INDEX ledger_entries_workspace ON public.ledger_entries USING btree (workspace_id, id);
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE master_keys (
  is_only boolean NOT NULL DEFAULT true,
  fingerprint bytea NOT NULL
);
ALTER TABLE master_keys ADD CONSTRAINT master_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 16));
ALTER TABLE master_keys ADD CONSTRAINT master_keys_is_only_check CHECK (is_only);
ALTER TABLE master_keys ADD CONSTRAINT master_keys_pkey PRIMARY KEY (is_only);
COMMENT ON TABLE master_keys IS 'Which master key this database belongs to: a fingerprint, never the key.';

CREATE TABLE messages (
  id uuid NOT NULL,
  channel text NOT NULL,
  to_address text NOT NULL,
  body text NOT NULL,
  sent_at timestamp with time zone NOT NULL
);
ALTER TABLE messages ADD CONSTRAINT messages_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'email'::text])));
ALTER TABLE messages ADD CONSTRAINT messages_pkey PRIMARY KEY (id);
ALTER TABLE messages ADD CONSTRAINT messages_to_address_check CHECK (((char_length(to_address) >= 3) AND (char_length(to_address) <= 320)));
CREATE INDEX messages_to ON public.messages USING btree (to_address, sent_at);

CREATE TABLE minute_accounts (
  workspace_id uuid NOT NULL,
  plan text NOT NULL,
  included_minutes integer NOT NULL,
  included_month date NOT NULL,
  prepaid_minutes integer NOT NULL,
  held_minutes integer NOT NULL
);
ALTER TABLE minute_accounts SET (fillfactor=50);
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_held_minutes_check CHECK ((held_minutes >= 0));
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_included_minutes_check CHECK ((included_minutes >= 0));
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_included_month_check CHECK ((included_month = (date_trunc('month'::text, (included_month)::timestamp with time zone))::date));
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_pkey PRIMARY KEY (workspace_id);
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name);
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_prepaid_minutes_check CHECK ((prepaid_minutes >= 0));
ALTER TABLE minute_accounts ADD CONSTRAINT minute_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);

CREATE TABLE plans (
  name text NOT NULL,
  max_call_seconds integer NOT NULL,
  included_minutes integer NOT NULL,
  is_metered boolean NOT NULL
);
ALTER TABLE plans ADD CONSTRAINT plans_included_minutes_check CHECK ((included_minutes >= 0));
ALTER TABLE plans ADD CONSTRAINT plans_max_call_seconds_check CHECK (((max_call_seconds >= 30) AND (max_call_seconds <= 3600)));
ALTER TABLE plans ADD CONSTRAINT plans_name_check CHECK ((name = ANY (ARRAY['free'::text, 'prepaid'::text, 'pro'::text, 'operator'::text])));
ALTER TABLE plans ADD CONSTRAINT plans_pkey PRIMARY KEY (name);

CREATE TABLE project_turns (
  project_id uuid NOT NULL,
  last_turn_at timestamp with time zone NOT NULL
);
ALTER TABLE project_turns SET (fillfactor=50);
ALTER TABLE project_turns ADD CONSTRAINT project_turns_pkey PRIMARY KEY (project_id);
ALTER TABLE project_turns ADD CONSTRAINT project_turns_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id);

CREATE TABLE projects (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL
);
ALTER TABLE projects ADD CONSTRAINT projects_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 160)));
ALTER TABLE projects ADD CONSTRAINT projects_pkey PRIMARY KEY (id);
ALTER TABLE projects ADD CONSTRAINT projects_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id);
CREATE INDEX projects_workspace ON public.projects USING btree (workspace_id);

CREATE TABLE results (
  call_id uuid NOT NULL,
  project_id uuid NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamp with time zone,
  lease_until timestamp with time zone,
  summary text,
  result json,
  result_schema_valid boolean,
  missing_fields json NOT NULL DEFAULT '[]'::json,
  evidence json NOT NULL DEFAULT '[]'::json,
  issues json NOT NULL DEFAULT '[]'::json
);
ALTER TABLE results ADD CONSTRAINT pending_is_due CHECK (((status = 'pending'::text) = (due_at IS NOT NULL)));
ALTER TABLE results ADD CONSTRAINT results_attempts_check CHECK ((attempts >= 0));
ALTER TABLE results ADD CONSTRAINT results_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id);
ALTER TABLE results ADD CONSTRAINT results_pkey PRIMARY KEY (call_id);
ALTER TABLE results ADD CONSTRAINT results_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'complete'::text, 'incomplete'::text, 'unavailable'::text, 'invalid'::text])));
ALTER TABLE results ADD CONSTRAINT withheld_is_null CHECK (((result_schema_valid IS TRUE) OR (result IS NULL) OR ((result)::text = 'null'::text)));
CREATE INDEX results_due ON public.results USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE TABLE switches (
  name text NOT NULL,
  is_on boolean NOT NULL,
  changed_at timestamp with time zone NOT NULL
);
ALTER TABLE switches ADD CONSTRAINT switches_name_check CHECK ((name = 'live_calls'::text));
ALTER TABLE switches ADD CONSTRAINT switches_pkey PRIMARY KEY (name);

CREATE TABLE tasks (
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  idempotency_digest bytea NOT NULL,
  payload_digest bytea NOT NULL,
  brief json NOT NULL,
  sealed_protected bytea,
  created_at timestamp with time zone NOT NULL
);
ALTER TABLE tasks ADD CONSTRAINT tasks_idempotency_digest_check CHECK ((octet_length(idempotency_digest) = 32));
ALTER TABLE tasks ADD CONSTRAINT tasks_payload_digest_check CHECK ((octet_length(payload_digest) = 32));
ALTER TABLE tasks ADD CONSTRAINT tasks_pkey PRIMARY KEY (id);
ALTER TABLE tasks ADD CONSTRAINT tasks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id);
ALTER TABLE tasks ADD CONSTRAINT tasks_project_id_idempotency_digest_key UNIQUE (project_id, idempotency_digest);
COMMENT ON COLUMN tasks.brief IS 'objective, context, constraints, success_criteria, result_schema: protected values redacted.';
COMMENT ON COLUMN tasks.idempotency_digest IS 'Keyed digest of the Idempotency-Key.';
COMMENT ON COLUMN tasks.payload_digest IS 'Keyed digest of the canonical body as sent, protected values included.';

CREATE TABLE transcript_segments (
  call_id uuid NOT NULL,
  sequence integer NOT NULL,
  speaker text NOT NULL,
  text text NOT NULL,
  about text,
  at timestamp with time zone NOT NULL
);
ALTER TABLE transcript_segments ADD CONSTRAINT transcript_segments_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id);
ALTER TABLE transcript_segments ADD CONSTRAINT transcript_segments_pkey PRIMARY KEY (call_id, sequence);
ALTER TABLE transcript_segments ADD CONSTRAINT transcript_segments_sequence_check CHECK ((sequence >= 1));
ALTER TABLE transcript_segments ADD CONSTRAINT transcript_segments_speaker_check CHECK ((speaker = ANY (ARRAY['assistant'::text, 'recipient'::text, 'system'::text, 'unknown'::text])));
ALTER TABLE transcript_segments ADD CONSTRAINT transcript_segments_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 4000)));
COMMENT ON COLUMN transcript_segments.about IS 'JSON Pointer of the answer that an assistant turn asks for, where it asks for one.';

CREATE TABLE workspaces (
  id uuid NOT NULL,
  name text NOT NULL,
  owner_name text,
  created_at timestamp with time zone NOT NULL
);
ALTER TABLE workspaces ADD CONSTRAINT workspaces_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 160)));
ALTER TABLE workspaces ADD CONSTRAINT workspaces_owner_name_check CHECK (((char_length(owner_name) >= 1) AND (char_length(owner_name) <= 160)));
ALTER TABLE workspaces ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);

-- sequences
CREATE SEQUENCE ledger_entries_id_seq AS bigint START 1 INCREMENT 1;

-- views
CREATE VIEW ledger_postings AS
 SELECT ledger_entries.id,
    ledger_entries.workspace_id,
    ledger_entries.call_id,
    ledger_entries.kind,
    ledger_entries.from_account AS account,
    (- ledger_entries.minutes) AS minutes,
    ledger_entries.at
   FROM ledger_entries
UNION ALL
 SELECT ledger_entries.id,
    ledger_entries.workspace_id,
    ledger_entries.call_id,
    ledger_entries.kind,
    ledger_entries.to_account AS account,
    ledger_entries.minutes,
    ledger_entries.at
   FROM ledger_entries;

-- functions
CREATE OR REPLACE FUNCTION public.admit_calls(p_now timestamp with time zone, p_commit boolean, p_creates_per_minute integer, p_queue_limit_ms integer, p_workspaces uuid[], p_key_digests bytea[], p_key_workspaces integer[], p_keys integer[], p_twins integer[], p_idempotency_digests bytea[], p_payload_digests bytea[], p_task_ids uuid[], p_call_ids uuid[], p_to_numbers text[], p_limit_seconds integer[], p_verdicts integer[], p_sealed_bytes integer[], p_brief_bytes integer[], p_contents bytea)
 RETURNS TABLE(ordinal integer, status text, call_id uuid, caller_name text, remaining_minutes integer, required_minutes integer, ceiling_seconds integer, retry_after_seconds integer)
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
DECLARE
  this_month date := date_trunc('month', p_now AT TIME ZONE 'UTC')::date;
  is_month_over boolean;
  is_live boolean;
  one record;
  w integer;
  k integer;
  root integer;
  left_minutes integer;
  is_anything_admitted boolean := false;
  none integer[] := array_fill(NULL::integer, ARRAY[cardinality(p_keys)]);
  -- By workspace: what is left as the batch goes on. There are never more workspaces or keys than requests.
  included integer[] := none;
  prepaid integer[] := none;
  held integer[] := none;
  months date[] := none::text[]::date[];
  -- By key.
  key_ids uuid[] := none::text[]::uuid[];
  windows timestamptz[] := none::text[]::timestamptz[];
  creates integer[] := none;
  -- By request; null where it was not admitted.
  limits integer[] := none;
  minutes integer[] := none;
  from_included integer[] := none;
  metered boolean[] := none::boolean[];
  names text[] := none::text[];
  projects uuid[] := none::text[]::uuid[];
BEGIN
  SELECT bool_or(included_month < this_month) INTO is_month_over FROM (
    SELECT included_month FROM minute_accounts WHERE workspace_id = ANY (p_workspaces) ORDER BY workspace_id FOR UPDATE
  ) AS locked;
  IF is_month_over THEN
    PERFORM roll_included_minutes(workspace, p_now) FROM unnest(p_workspaces) AS workspace;
  END IF;
  SELECT is_on INTO is_live FROM switches WHERE name = 'live_calls';

  FOR one IN
    SELECT i.at::integer AS at, i.key, i.twin, i.verdict, i.payload_digest, nullif(i.limit_seconds, 0) AS limit_seconds,
           key.id AS key_id, key.project_id, key.revoked_at IS NOT NULL AS is_revoked, key.expires_at <= p_now AS is_expired,
           project.id IS NOT NULL AS is_known, project.is_active,
           assistant.name IS NOT NULL AND assistant.is_active AS has_assistant, workspace.owner_name,
           account.included_minutes, account.included_month, account.prepaid_minutes, plan.is_metered, plan.max_call_seconds,
           frame.started_at, frame.creates,
           earlier.call_id AS earlier_call, earlier.payload_digest = i.payload_digest AS is_same
      FROM unnest(p_keys, p_twins, p_verdicts, p_limit_seconds, p_idempotency_digests, p_payload_digests)
           WITH ORDINALITY AS i (key, twin, verdict, limit_seconds, idempotency_digest, payload_digest, at)
      LEFT JOIN api_keys key ON key.digest = p_key_digests[i.key]
      LEFT JOIN projects project ON project.id = key.project_id AND project.workspace_id = p_workspaces[p_key_workspaces[i.key]]
      LEFT JOIN workspaces workspace ON workspace.id = project.workspace_id
      LEFT JOIN assistants assistant ON assistant.project_id = project.id
      LEFT JOIN minute_accounts account ON account.workspace_id = project.workspace_id
      LEFT JOIN plans plan ON plan.name = account.plan
      LEFT JOIN key_windows frame ON frame.api_key_id = key.id
      -- As a plain join the planner looks through every task of the project and filters; LIMIT makes both columns bounds.
      LEFT JOIN LATERAL (
        SELECT call.id AS call_id, task.payload_digest FROM tasks task JOIN calls call ON call.task_id = task.id
         WHERE task.project_id = project.id AND task.idempotency_digest = i.idempotency_digest LIMIT 1
      ) AS earlier ON true
     ORDER BY i.at
  LOOP
    ordinal := one.at;
    call_id := NULL;
    caller_name := NULL;
    remaining_minutes := NULL;
    required_minutes := NULL;
    ceiling_seconds := NULL;
    retry_after_seconds := NULL;
    status := CASE WHEN NOT one.is_known THEN 'invalid_api_key' WHEN one.is_revoked THEN 'api_key_revoked'
                   WHEN one.is_expired THEN 'api_key_expired' END;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    -- Replay: before every quota and policy.
    IF one.earlier_call IS NOT NULL THEN
      call_id := one.earlier_call;
      status := CASE WHEN one.is_same THEN 'replay' ELSE 'idempotency_conflict' END;
      RETURN NEXT;
      CONTINUE;
    END IF;
    root := one.twin;
    WHILE root > 0 AND minutes[root] IS NULL LOOP
      root := p_twins[root];
    END LOOP;
    IF root > 0 THEN
      call_id := p_call_ids[root];
      status := CASE WHEN p_payload_digests[root] = one.payload_digest THEN 'replay' ELSE 'idempotency_conflict' END;
      RETURN NEXT;
      CONTINUE;
    END IF;

    -- Rate: a window that begins with its first create. What is refused after this point counts.
    k := one.key;
    IF creates[k] IS NULL THEN
      key_ids[k] := one.key_id;
      windows[k] := one.started_at;
      creates[k] := coalesce(one.creates, 0);
      IF windows[k] IS NULL OR p_now >= windows[k] + interval '1 minute' THEN
        windows[k] := p_now;
        creates[k] := 0;
      END IF;
    END IF;
    IF creates[k] >= p_creates_per_minute THEN
      status := 'rate_limit_exceeded';
      retry_after_seconds := greatest(1, ceil(extract(epoch FROM windows[k] + interval '1 minute' - p_now)));
      RETURN NEXT;
      CONTINUE;
    END IF;
    creates[k] := creates[k] + 1;

    status := CASE WHEN is_live IS NOT TRUE THEN 'live_calls_disabled' WHEN NOT one.is_active THEN 'agent_project_inactive'
                   WHEN NOT one.has_assistant THEN 'managed_agent_unavailable' END;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    -- Minutes. Those on hold for other calls were already taken out of the balances.
    w := p_key_workspaces[k];
    IF held[w] IS NULL THEN
      included[w] := coalesce(one.included_minutes, 0);
      prepaid[w] := coalesce(one.prepaid_minutes, 0);
      held[w] := 0;
      months[w] := one.included_month;
    END IF;
    left_minutes := included[w] + prepaid[w];
    ceiling_seconds := one.max_call_seconds;
    one.limit_seconds := coalesce(one.limit_seconds, least(300, ceiling_seconds));
    remaining_minutes := CASE WHEN one.is_metered THEN left_minutes END;
    required_minutes := (one.limit_seconds + 59) / 60;
    status := CASE WHEN ceiling_seconds IS NULL OR one.is_metered AND left_minutes = 0 THEN 'insufficient_credits'
                   WHEN one.limit_seconds > ceiling_seconds OR one.is_metered AND left_minutes < required_minutes
                     THEN 'insufficient_credits_for_call'
                   WHEN one.verdict = 1 THEN 'call_purpose_blocked'
                   WHEN one.verdict <> 0 THEN 'purpose_unknown' END;
    IF status IS NOT NULL THEN
      RETURN NEXT;
      CONTINUE;
    END IF;

    is_anything_admitted := true;
    limits[ordinal] := one.limit_seconds;
    minutes[ordinal] := required_minutes;
    metered[ordinal] := one.is_metered;
    names[ordinal] := one.owner_name;
    projects[ordinal] := one.project_id;
    from_included[ordinal] := CASE WHEN one.is_metered THEN least(included[w], required_minutes) ELSE 0 END;
    IF one.is_metered THEN
      included[w] := included[w] - from_included[ordinal];
      prepaid[w] := prepaid[w] - (required_minutes - from_included[ordinal]);
    END IF;
    held[w] := held[w] + required_minutes;
    status := 'admitted';
    call_id := p_call_ids[ordinal];
    caller_name := one.owner_name;
    RETURN NEXT;
  END LOOP;

  IF NOT p_commit THEN
    RETURN;
  END IF;
  INSERT INTO key_windows (api_key_id, started_at, creates)
    SELECT id, started_at, count FROM unnest(key_ids, windows, creates) AS t (id, started_at, count) WHERE count > 0
    ON CONFLICT (api_key_id) DO UPDATE SET started_at = excluded.started_at, creates = excluded.creates;
  IF NOT is_anything_admitted THEN
    RETURN;
  END IF;
  WITH admitted AS MATERIALIZED (
    SELECT *, sum(sealed_bytes + brief_bytes) OVER (ORDER BY at) - sealed_bytes - brief_bytes AS offset_bytes
      FROM unnest(p_keys, p_idempotency_digests, p_payload_digests, p_task_ids, p_call_ids, p_to_numbers,
                  p_sealed_bytes, p_brief_bytes, limits, minutes, from_included, metered, names, projects)
           WITH ORDINALITY AS t (key, idempotency_digest, payload_digest, task_id, call_id, to_number,
                  sealed_bytes, brief_bytes, limit_seconds, minutes, from_included, is_metered, name, project_id, at)
  ), new_tasks AS (
    INSERT INTO tasks (id, project_id, idempotency_digest, payload_digest, brief, sealed_protected, created_at)
      SELECT task_id, project_id, idempotency_digest, payload_digest,
             convert_from(substring(p_contents FROM (offset_bytes + sealed_bytes + 1)::integer FOR brief_bytes), 'UTF8')::json,
             CASE WHEN sealed_bytes > 0 THEN substring(p_contents FROM (offset_bytes + 1)::integer FOR sealed_bytes) END, p_now
        FROM admitted WHERE minutes IS NOT NULL
  ), new_calls AS (
    INSERT INTO calls (id, task_id, project_id, workspace_id, api_key_id, to_number, caller_name, max_duration_seconds,
                       stage, state, deadline_at, created_at)
      SELECT call_id, task_id, project_id, p_workspaces[p_key_workspaces[key]], key_ids[key], to_number, name, limit_seconds,
             'queued', 'queued', p_now + p_queue_limit_ms * interval '1 millisecond', p_now
        FROM admitted WHERE minutes IS NOT NULL
  ), new_events AS (
    INSERT INTO call_events (call_id, number, at, event, stage, state, claim_number)
      SELECT call_id, 1, p_now, 'admitted', 'queued', 'queued', 0 FROM admitted WHERE minutes IS NOT NULL
  ), new_holds AS (
    INSERT INTO holds (call_id, workspace_id, minutes, included_minutes, included_month, prepaid_minutes, is_metered, created_at)
      SELECT call_id, p_workspaces[p_key_workspaces[key]], minutes, from_included, months[p_key_workspaces[key]],
             CASE WHEN is_metered THEN minutes - from_included ELSE 0 END, is_metered, p_now
        FROM admitted WHERE minutes IS NOT NULL
  ), new_entries AS (
    INSERT INTO ledger_entries (workspace_id, call_id, kind, from_account, to_account, minutes, at)
      SELECT p_workspaces[p_key_workspaces[key]], call_id, 'hold', part.account, 'held', part.minutes, p_now
        FROM admitted CROSS JOIN LATERAL (VALUES
               ('included', CASE WHEN is_metered THEN from_included ELSE 0 END),
               ('prepaid', CASE WHEN is_metered THEN admitted.minutes - from_included ELSE 0 END),
               ('unmetered', CASE WHEN is_metered THEN 0 ELSE admitted.minutes END)) AS part (account, minutes)
       WHERE part.minutes > 0
  )
  UPDATE minute_accounts a
     SET included_minutes = t.included, prepaid_minutes = t.prepaid, held_minutes = a.held_minutes + t.held
    FROM unnest(p_workspaces, included, prepaid, held) AS t (workspace_id, included, prepaid, held)
   WHERE a.workspace_id = t.workspace_id AND t.held > 0;
  NOTIFY calls_queued;
END $function$;
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $function$;
CREATE OR REPLACE FUNCTION public.roll_included_minutes(p_workspace uuid, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  this_month date := date_trunc('month', p_now AT TIME ZONE 'UTC')::date;
  left_over integer;
  allowance integer;
BEGIN
  SELECT a.included_minutes, p.included_minutes INTO left_over, allowance
    FROM minute_accounts a JOIN plans p ON p.name = a.plan
    WHERE a.workspace_id = p_workspace AND a.included_month < this_month;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE minute_accounts SET included_minutes = allowance, included_month = this_month WHERE workspace_id = p_workspace;
  IF left_over > 0 THEN
    INSERT INTO ledger_entries (workspace_id, kind, from_account, to_account, minutes, note, at)
      VALUES (p_workspace, 'expire', 'included', 'expired', left_over, 'month ended', p_now);
  END IF;
  IF allowance > 0 THEN
    INSERT INTO ledger_entries (workspace_id, kind, from_account, to_account, minutes, note, at)
      VALUES (p_workspace, 'grant', 'issued', 'included', allowance, 'monthly allowance', p_now);
  END IF;
END $function$;

-- extensions
CREATE EXTENSION plpgsql;
