// The statements of accounts: workspaces, projects, assistants, keys, switches.
import type { Queryable } from '../platform/database.ts';

export interface KeyRow {
  readonly id: string;
  readonly project_id: string;
  readonly workspace_id: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** The key with that digest, whatever its standing. */
export async function findKey(database: Queryable, digest: Buffer): Promise<KeyRow | null> {
  const rows = await database.query<KeyRow>(
    `SELECT k.id, k.project_id, p.workspace_id, k.expires_at, k.revoked_at
       FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.digest = $1`,
    [digest],
    'account_find_key',
  );
  return rows[0] ?? null;
}

export interface NewWorkspace {
  readonly id: string;
  readonly name: string;
  readonly ownerName: string | null;
}

/** Writes a workspace alone; it can hold no minutes before `ledger` gave it an account. @throws when the id is taken */
export async function insertWorkspace(tx: Queryable, workspace: NewWorkspace, now: Date): Promise<void> {
  await tx.query(`INSERT INTO workspaces (id, name, owner_name, created_at) VALUES ($1, $2, $3, $4)`, [
    workspace.id,
    workspace.name,
    workspace.ownerName,
    now,
  ]);
}

/** Writes an active project, without an assistant: none can call before `upsertAssistant`. @throws when the workspace is unknown */
export async function insertProject(
  tx: Queryable,
  project: { readonly id: string; readonly workspaceId: string; readonly name: string },
  now: Date,
): Promise<void> {
  await tx.query(`INSERT INTO projects (id, workspace_id, name, is_active, created_at) VALUES ($1, $2, $3, true, $4)`, [
    project.id,
    project.workspaceId,
    project.name,
    now,
  ]);
}

export interface AssistantChange {
  readonly name?: string | null;
  readonly openingLine?: string | null;
  readonly language?: string;
  readonly isActive?: boolean;
}

export interface AssistantRow {
  readonly project_id: string;
  readonly name: string | null;
  readonly opening_line: string | null;
  readonly language: string;
  readonly is_active: boolean;
}

/** Makes the assistant of a project or changes what is named; what is not named stays. */
export async function upsertAssistant(
  tx: Queryable,
  projectId: string,
  change: AssistantChange,
): Promise<AssistantRow | null> {
  const rows = await tx.query<AssistantRow>(
    `INSERT INTO assistants AS a (project_id, name, opening_line, language, is_active)
     VALUES ($1, $2, $3, coalesce($4, 'en'), coalesce($5, true))
     ON CONFLICT (project_id) DO UPDATE SET
       name = CASE WHEN $6 THEN excluded.name ELSE a.name END,
       opening_line = CASE WHEN $7 THEN excluded.opening_line ELSE a.opening_line END,
       language = coalesce($4, a.language), is_active = coalesce($5, a.is_active)
     RETURNING *`,
    [
      projectId,
      change.name ?? null,
      change.openingLine ?? null,
      change.language ?? null,
      change.isActive ?? null,
      change.name !== undefined,
      change.openingLine !== undefined,
    ],
  );
  return rows[0] ?? null;
}

export interface NewKey {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly expiresAt: Date | null;
}

/** Writes a key by its digest. @throws when the project is unknown or the digest is taken */
export async function insertKey(tx: Queryable, key: NewKey, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO api_keys (id, project_id, name, digest, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
    [key.id, key.projectId, key.name, key.digest, now, key.expiresAt],
  );
}

/** @returns false when there is no such key; a key that was revoked before keeps its first moment */
export async function revokeKey(tx: Queryable, keyId: string, now: Date): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id`,
    [keyId, now],
  );
  return rows.length === 1;
}

/** @returns false when there is no such key */
export async function expireKey(tx: Queryable, keyId: string, expiresAt: Date | null): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(`UPDATE api_keys SET expires_at = $2 WHERE id = $1 RETURNING id`, [
    keyId,
    expiresAt,
  ]);
  return rows.length === 1;
}

/** @returns false when there is no such project */
export async function setProjectActive(tx: Queryable, projectId: string, isActive: boolean): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(`UPDATE projects SET is_active = $2 WHERE id = $1 RETURNING id`, [
    projectId,
    isActive,
  ]);
  return rows.length === 1;
}

/** @returns false when there is no such workspace */
export async function setOwnerName(tx: Queryable, workspaceId: string, ownerName: string | null): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(`UPDATE workspaces SET owner_name = $2 WHERE id = $1 RETURNING id`, [
    workspaceId,
    ownerName,
  ]);
  return rows.length === 1;
}

/** Safe to repeat; admissions and dispatches that have read the switch already go on. */
export async function setSwitch(tx: Queryable, name: 'live_calls', isOn: boolean, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO switches (name, is_on, changed_at) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET is_on = excluded.is_on, changed_at = excluded.changed_at`,
    [name, isOn, now],
  );
}

/** A switch that was never set is off. */
export async function readSwitch(tx: Queryable, name: 'live_calls'): Promise<boolean> {
  const rows = await tx.query<{ is_on: boolean }>(`SELECT is_on FROM switches WHERE name = $1`, [name]);
  return rows[0]?.is_on ?? false;
}

export interface WorkspaceListing {
  readonly id: string;
  readonly name: string;
  readonly owner_name: string | null;
  readonly plan: string;
  readonly included_minutes: number;
  readonly prepaid_minutes: number;
  readonly held_minutes: number;
  readonly created_at: Date;
}

/** Oldest first, at most `limit`. */
export function listWorkspaces(tx: Queryable, limit: number): Promise<WorkspaceListing[]> {
  return tx.query<WorkspaceListing>(
    `SELECT w.id, w.name, w.owner_name, a.plan, a.included_minutes, a.prepaid_minutes, a.held_minutes, w.created_at
       FROM workspaces w JOIN minute_accounts a ON a.workspace_id = w.id ORDER BY w.created_at, w.id LIMIT $1`,
    [limit],
  );
}

export interface ProjectListing {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly assistant_name: string | null;
  readonly assistant_is_active: boolean | null;
  readonly created_at: Date;
}

/** Oldest first, at most `limit`; of one workspace or of all. */
export function listProjects(tx: Queryable, workspaceId: string | null, limit: number): Promise<ProjectListing[]> {
  return tx.query<ProjectListing>(
    `SELECT p.id, p.workspace_id, p.name, p.is_active, s.name AS assistant_name, s.is_active AS assistant_is_active, p.created_at
       FROM projects p LEFT JOIN assistants s ON s.project_id = p.id
      WHERE $1::uuid IS NULL OR p.workspace_id = $1 ORDER BY p.created_at, p.id LIMIT $2`,
    [workspaceId, limit],
  );
}

export interface KeyListing {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** Oldest first, at most `limit`; of one project or of all. Never the digest. */
export function listKeys(tx: Queryable, projectId: string | null, limit: number): Promise<KeyListing[]> {
  return tx.query<KeyListing>(
    `SELECT id, project_id, name, created_at, expires_at, revoked_at FROM api_keys
      WHERE $1::uuid IS NULL OR project_id = $1 ORDER BY created_at, id LIMIT $2`,
    [projectId, limit],
  );
}

/** Whether any workspace exists: a first start makes one. */
export async function hasWorkspaces(tx: Queryable): Promise<boolean> {
  const rows = await tx.query<{ found: boolean }>(`SELECT EXISTS (SELECT 1 FROM workspaces) AS found`);
  return rows[0]?.found ?? false;
}

/** Lets one process at a time look whether there are workspaces and make the first; until the transaction ends. */
export async function lockFounding(tx: Queryable): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('errand founding', 0))`);
}
