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
