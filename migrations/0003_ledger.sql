-- Minutes, double entry: every row moves minutes from one account to another, so the sum over all accounts is always zero.

CREATE TABLE holds (
  call_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  minutes integer NOT NULL CHECK (minutes > 0),
  -- Where the minutes came from; both zero on an unmetered plan.
  included_minutes integer NOT NULL CHECK (included_minutes >= 0),
  included_month date NOT NULL,
  prepaid_minutes integer NOT NULL CHECK (prepaid_minutes >= 0),
  is_metered boolean NOT NULL,
  created_at timestamptz NOT NULL,
  settled_at timestamptz,
  used_minutes integer CHECK (used_minutes >= 0),
  CONSTRAINT metered_hold_has_source CHECK (included_minutes + prepaid_minutes = CASE WHEN is_metered THEN minutes ELSE 0 END),
  CONSTRAINT settled_says_used CHECK ((settled_at IS NULL) = (used_minutes IS NULL)),
  CONSTRAINT never_charged_above_hold CHECK (used_minutes <= minutes)
);
CREATE INDEX holds_open ON holds (workspace_id) WHERE settled_at IS NULL;

CREATE TABLE ledger_entries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  call_id uuid,
  kind text NOT NULL CHECK (kind IN ('grant', 'expire', 'top_up', 'correct', 'hold', 'charge', 'release')),
  -- issued: minutes that came from outside; included, prepaid, unmetered: what can be spent; held; used; expired.
  from_account text NOT NULL CHECK (from_account IN ('issued', 'included', 'prepaid', 'unmetered', 'held', 'used', 'expired')),
  to_account text NOT NULL CHECK (to_account IN ('issued', 'included', 'prepaid', 'unmetered', 'held', 'used', 'expired')),
  minutes integer NOT NULL CHECK (minutes > 0),
  note text,
  at timestamptz NOT NULL,
  CONSTRAINT moves_between_two CHECK (from_account <> to_account)
);
CREATE INDEX ledger_entries_workspace ON ledger_entries (workspace_id, id);

-- Each entry as its two postings; their sum is zero by construction.
CREATE VIEW ledger_postings AS
  SELECT id, workspace_id, call_id, kind, from_account AS account, -minutes AS minutes, at FROM ledger_entries
  UNION ALL
  SELECT id, workspace_id, call_id, kind, to_account AS account, minutes, at FROM ledger_entries;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER call_events_append_only BEFORE UPDATE OR DELETE ON call_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Starts a new calendar month (UTC) of included minutes where it is due: what is left expires, the plan's allowance is granted.
-- The caller holds the lock of the minute_accounts row.
CREATE FUNCTION roll_included_minutes(p_workspace uuid, p_now timestamptz) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
