-- Who may call, and what they may spend. Balances live in one narrow row a workspace, the first lock of every admission.

CREATE TABLE plans (
  name text PRIMARY KEY CHECK (name IN ('free', 'prepaid', 'pro', 'operator')),
  max_call_seconds integer NOT NULL CHECK (max_call_seconds BETWEEN 30 AND 3600),
  included_minutes integer NOT NULL CHECK (included_minutes >= 0),
  is_metered boolean NOT NULL
);

CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 160),
  owner_name text CHECK (char_length(owner_name) BETWEEN 1 AND 160),
  created_at timestamptz NOT NULL
);

CREATE TABLE minute_accounts (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
  plan text NOT NULL REFERENCES plans (name),
  included_minutes integer NOT NULL CHECK (included_minutes >= 0),
  included_month date NOT NULL CHECK (included_month = date_trunc('month', included_month)::date),
  prepaid_minutes integer NOT NULL CHECK (prepaid_minutes >= 0),
  held_minutes integer NOT NULL CHECK (held_minutes >= 0)
) WITH (fillfactor = 50);

CREATE TABLE projects (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL REFERENCES workspaces (id),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 160),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL
);
CREATE INDEX projects_workspace ON projects (workspace_id);

CREATE TABLE assistants (
  project_id uuid PRIMARY KEY REFERENCES projects (id),
  name text CHECK (char_length(name) BETWEEN 1 AND 80),
  opening_line text CHECK (char_length(opening_line) BETWEEN 1 AND 500),
  language text NOT NULL DEFAULT 'en',
  is_active boolean NOT NULL DEFAULT true
);
COMMENT ON COLUMN assistants.name IS 'Null until the set-up is complete; an incomplete assistant places no calls.';

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  project_id uuid NOT NULL REFERENCES projects (id),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX api_keys_project ON api_keys (project_id);

CREATE TABLE key_windows (
  api_key_id uuid PRIMARY KEY REFERENCES api_keys (id),
  started_at timestamptz NOT NULL,
  creates integer NOT NULL CHECK (creates >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE key_windows IS 'The rate window of each key: how many creates since started_at.';

CREATE TABLE switches (
  name text PRIMARY KEY CHECK (name IN ('live_calls')),
  is_on boolean NOT NULL,
  changed_at timestamptz NOT NULL
);
INSERT INTO switches (name, is_on, changed_at) VALUES ('live_calls', true, now());
