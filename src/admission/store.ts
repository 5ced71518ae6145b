// The statements of admission: one function call admits a whole batch. What it guarantees is said in 0005_admission.sql.
import type { Queryable, SqlValue } from '../platform/database.ts';

/** Facts of an API key that never change while it exists. */
export interface KeyFacts {
  /** SHA-256 of the key, as PostgreSQL writes bytes: `\x` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly projectId: string;
  readonly workspaceId: string;
}

/** What the purpose screening found before the transaction began. */
export type Verdict = 'allowed' | 'blocked' | 'unknown';

/** One request, ready to become a call; nothing in it is a protected value in the clear. */
export interface AdmissionRow {
  readonly key: KeyFacts;
  /** 32 bytes each. */
  readonly idempotencyDigest: Buffer;
  readonly payloadDigest: Buffer;
  readonly taskId: string;
  readonly callId: string;
  /** E.164. */
  readonly to: string;
  /** 30 to 3,600; null when it was left out. */
  readonly limitSeconds: number | null;
  readonly verdict: Verdict;
  readonly sealed: Buffer | null;
  /** The stored brief: JSON in UTF-8. */
  readonly brief: Buffer;
}

export const ADMISSION_STATUSES = [
  'admitted',
  'replay',
  'idempotency_conflict',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'rate_limit_exceeded',
  'live_calls_disabled',
  'agent_project_inactive',
  'managed_agent_unavailable',
  'insufficient_credits',
  'insufficient_credits_for_call',
  'call_purpose_blocked',
  'purpose_unknown',
] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

export interface AdmissionOutcome {
  readonly status: AdmissionStatus;
  /** Of the new call, or of the one that the key belongs to; null when there is none. */
  readonly call_id: string | null;
  readonly caller_name: string | null;
  /** Minutes that can be spent; null on an unmetered plan or before they were looked at. */
  readonly remaining_minutes: number | null;
  readonly required_minutes: number | null;
  /** The longest call of the plan. */
  readonly ceiling_seconds: number | null;
  readonly retry_after_seconds: number | null;
}

export interface AdmissionPolicy {
  /** New calls a minute and key. */
  readonly createsPerMinute: number;
  /** A call that was not dispatched by then fails, ms. */
  readonly queueLimitMs: number;
}

const VERDICTS: Readonly<Record<Verdict, number>> = { allowed: 0, blocked: 1, unknown: 2 };

/**
 * Decides a batch in its order and admits what passes, in one transaction; one notification on `calls_queued` a batch.
 * @param rows at least one; the same project and Idempotency-Key may come more than once
 * @returns one outcome a row, in the order of the rows
 */
export function admitCalls(
  connection: Queryable,
  rows: readonly AdmissionRow[],
  policy: AdmissionPolicy,
  now: Date,
): Promise<AdmissionOutcome[]> {
  return callFunction(connection, rows, policy, now, true);
}

/** What would happen to a request that came alone, without admitting or counting anything. */
export async function foretell(
  connection: Queryable,
  row: AdmissionRow,
  policy: AdmissionPolicy,
  now: Date,
): Promise<AdmissionOutcome> {
  const [outcome] = await callFunction(connection, [row], policy, now, false);
  if (outcome === undefined) throw new Error('the admission function gave no row');
  return outcome;
}

async function callFunction(
  connection: Queryable,
  rows: readonly AdmissionRow[],
  policy: AdmissionPolicy,
  now: Date,
  isCommitted: boolean,
): Promise<AdmissionOutcome[]> {
  const outcomes = await connection.query<AdmissionOutcome>(
    `SELECT status, call_id, caller_name, remaining_minutes, required_minutes, ceiling_seconds, retry_after_seconds
       FROM admit_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [now.toISOString(), isCommitted, policy.createsPerMinute, policy.queueLimitMs, ...columnsOf(rows)],
    'admission_admit_calls',
  );
  if (outcomes.length !== rows.length) throw new Error('the admission function gave another number of rows');
  return outcomes;
}

/** The batch as arrays, one element a request, written as array literals: none of the elements needs quoting but names do. */
function columnsOf(rows: readonly AdmissionRow[]): SqlValue[] {
  const workspaces = new Numbering();
  const keys = new Numbering();
  const keyWorkspaces: number[] = [];
  const latest = new Map<string, number>();
  const columns: (string | number)[][] = Array.from({ length: 11 }, () => []);
  const contents: Buffer[] = [];
  for (const [index, row] of rows.entries()) {
    const key = keys.of(row.key.digest);
    keyWorkspaces[key - 1] = workspaces.of(row.key.workspaceId);
    const idempotency = `\\x${row.idempotencyDigest.toString('hex')}`;
    const identity = row.key.projectId + idempotency;
    const values = [
      key,
      latest.get(identity) ?? 0,
      quoted(idempotency),
      quoted(`\\x${row.payloadDigest.toString('hex')}`),
      row.taskId,
      row.callId,
      row.to,
      row.limitSeconds ?? 0,
      VERDICTS[row.verdict],
      row.sealed?.length ?? 0,
      row.brief.length,
    ];
    latest.set(identity, index + 1);
    for (const [column, value] of values.entries()) columns[column]?.push(value);
    if (row.sealed !== null) contents.push(row.sealed);
    contents.push(row.brief);
  }
  return [
    literal(workspaces.names),
    literal(keys.names.map(quoted)),
    literal(keyWorkspaces),
    ...columns.map(literal),
    Buffer.concat(contents),
  ];
}

/** Gives each different name a number, from 1. */
class Numbering {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.push(name);
    this.#numbers.set(name, number);
    return number;
  }
}

const literal = (elements: readonly (string | number)[]): string => `{${elements.join(',')}}`;

/** Quotes an element of an array literal; for what is made of hexadecimal digits and one backslash. */
const quoted = (bytes: string): string => `"\\${bytes}"`;

/**
 * Ties the database to a master key, once.
 * @returns whether the database belongs to this key; a key of another fingerprint changes nothing
 */
export async function claimMasterKey(database: Queryable, fingerprint: Buffer): Promise<boolean> {
  await database.query(`INSERT INTO master_keys (fingerprint) VALUES ($1) ON CONFLICT (is_only) DO NOTHING`, [
    fingerprint,
  ]);
  const rows = await database.query<{ is_ours: boolean }>(`SELECT fingerprint = $1 AS is_ours FROM master_keys`, [
    fingerprint,
  ]);
  return rows[0]?.is_ours ?? false;
}
