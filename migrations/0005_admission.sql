-- How requests become calls: one function for one request and for many, so that both decide alike.

-- Digests and sealed values are worthless under another master key: a second one would take retries for new calls.
CREATE TABLE master_keys (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 16)
);
COMMENT ON TABLE master_keys IS 'Which master key this database belongs to: a fingerprint, never the key.';

-- Admits the requests of one batch, each as if it came alone, in their order: key, replay, rate, switch, project, assistant,
-- minutes, purpose; what passes becomes task, call, event, hold and ledger entries in this transaction.
--
-- Locks: the minute_accounts rows first, by workspace id, always; they also guard key_windows and the Idempotency-Keys of
-- their projects, so two identical requests at one moment make one call. Every later statement sees what was committed
-- before the lock was got (READ COMMITTED, volatile).
--
-- p_workspaces: distinct; p_key_digests, p_key_workspaces: the distinct keys of the batch and the workspace of each (index
-- from 1). All other arrays have one element a request. p_keys: index of its key. p_twins: the latest earlier request of the
-- batch with the same project and Idempotency-Key, 0 for none. p_limit_seconds: 0 when left out. p_verdicts: 0 allowed, 1
-- blocked, 2 the judge could not tell. p_contents: for each request its sealed values and its brief, one after the other.
-- Without p_commit nothing is written but a month that is due: the answer says what would happen.
CREATE FUNCTION admit_calls(
  p_now timestamptz, p_commit boolean, p_creates_per_minute integer, p_queue_limit_ms integer,
  p_workspaces uuid[], p_key_digests bytea[], p_key_workspaces integer[],
  p_keys integer[], p_twins integer[], p_idempotency_digests bytea[], p_payload_digests bytea[],
  p_task_ids uuid[], p_call_ids uuid[], p_to_numbers text[], p_limit_seconds integer[], p_verdicts integer[],
  p_sealed_bytes integer[], p_brief_bytes integer[], p_contents bytea
) RETURNS TABLE (
  ordinal integer, status text, call_id uuid, caller_name text,
  remaining_minutes integer, required_minutes integer, ceiling_seconds integer, retry_after_seconds integer
) LANGUAGE plpgsql
-- A plan made while the tables are empty would be kept and be ruinous when they are not: one plan, by index, for good.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $$
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
END $$;
