// Takes the next queued call: fair turns between projects, permission checked again, the intent to dial committed before
// anybody dials. Never dials itself, and never gives one call to two workers.
import type { Database, Queryable } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { LegRecord } from '../line/line.ts';
import type { Dispatch } from './advance.ts';
import type { OtherEvent } from './call-event.ts';
import type { CallRow } from './call-row.ts';
import type { Brief, CallRunner, ClaimedCall } from './runner.ts';
import { lockNextQueued, readDispatchFacts, readTurns, writeTurn } from './store.ts';
import type { DispatchFacts, LockedCall } from './store.ts';

/** Projects tried for one claim, when the calls of those in turn are just being taken by others. */
const TURNS_LIMIT = 64;

export type Claim =
  /** The intent to dial is committed; run it. */
  | { readonly kind: 'claimed'; readonly call: ClaimedCall }
  /** The next call could not be placed any more and was ended; there may be others. */
  | { readonly kind: 'withdrawn'; readonly callId: string }
  | { readonly kind: 'none' }
  /** The database was lost while the claim was committed: ask again before running it. */
  | { readonly kind: 'unsure'; readonly call: ClaimedCall; readonly cause: Fault };

interface Claiming {
  readonly database: Database;
  readonly dispatch: Dispatch;
  readonly runner: Pick<CallRunner, 'prepare'>;
  readonly workerId: string;
}

/**
 * Claims the next call in turn, in one transaction.
 * @throws {Fault} when the database cannot be reached and nothing can have been claimed
 */
export async function claimNext(claiming: Claiming): Promise<Claim> {
  const { database, dispatch } = claiming;
  let attempt: ClaimedCall | null = null;
  try {
    const taken = await database.transaction(async (tx) => {
      const locked = await lockInTurn(tx);
      if (locked === null) return null;
      const facts = await readDispatchFacts(tx, locked.row.id);
      const decision = decide(claiming, locked.row, facts);
      const advanced = await dispatch.advanceLocked(tx, locked, decision.event);
      if (decision.prepare !== null) attempt = decision.prepare(advanced.call.claim_number);
      await writeTurn(tx, locked.row.project_id);
      return { advanced, event: decision.event };
    });
    if (taken === null) return { kind: 'none' };
    dispatch.logChange(taken.advanced.call, taken.event);
    return attempt === null
      ? { kind: 'withdrawn', callId: taken.advanced.call.id }
      : { kind: 'claimed', call: attempt };
  } catch (error) {
    if (error instanceof Fault && attempt !== null) return { kind: 'unsure', call: attempt, cause: error };
    throw error;
  }
}

async function lockInTurn(tx: Queryable): Promise<LockedCall | null> {
  for (const projectId of await readTurns(tx, TURNS_LIMIT)) {
    const locked = await lockNextQueued(tx, projectId);
    if (locked !== null) return locked;
  }
  return null;
}

type Withdrawal = Extract<OtherEvent, { readonly kind: 'withdrawn' }>;

interface Decision {
  readonly event: Withdrawal | Extract<OtherEvent, { readonly kind: 'dispatched' }>;
  /** The call as its worker will see it; null for a withdrawal. */
  readonly prepare: ((claimNumber: number) => ClaimedCall) | null;
}

function decide(claiming: Claiming, row: CallRow, facts: DispatchFacts | null): Decision {
  if (facts === null) return { event: revoked('the task is gone'), prepare: null };
  const refusal = refusalOf(facts);
  if (refusal !== null) return { event: refusal, prepare: null };
  try {
    const leg = claiming.runner.prepare({ id: row.id, to: row.to_number, callerName: row.caller_name });
    const call = claimedCall(row, leg, facts);
    return {
      event: { kind: 'dispatched', workerId: claiming.workerId, leg },
      prepare: (claimNumber) => ({ ...call, claimNumber }),
    };
  } catch (error) {
    // A call that cannot be prepared would be first in turn for ever, and nobody behind it would be served.
    const because = `no leg could be prepared: ${messageOf(error)}`;
    return { event: { kind: 'withdrawn', code: 'carrier_unavailable', because }, prepare: null };
  }
}

const revoked = (because: string): Withdrawal => ({ kind: 'withdrawn', code: 'permission_revoked', because });

/** Why the call may not be placed any more; null when it may. */
export function refusalOf(facts: DispatchFacts): Withdrawal | null {
  if (!facts.is_live) return revoked('live calls are switched off');
  if (!facts.is_project_active) return revoked('the project is inactive');
  if (!facts.is_key_valid) return revoked('the API key was revoked or has expired');
  if (!facts.is_assistant_ready) return revoked('the assistant is not set up or not active');
  if (!facts.has_hold) return { kind: 'withdrawn', code: 'insufficient_credits', because: 'no minutes are on hold' };
  return null;
}

function claimedCall(row: CallRow, leg: LegRecord, facts: DispatchFacts): ClaimedCall {
  return {
    id: row.id,
    projectId: row.project_id,
    to: row.to_number,
    callerName: row.caller_name,
    assistantName: facts.assistant_name,
    openingLine: facts.opening_line,
    maxDurationSeconds: row.max_duration_seconds,
    claimNumber: row.claim_number,
    leg,
    brief: briefOf(facts.brief),
  };
}

/** The saved brief, as admission wrote it: members that the caller left out are missing there. */
function briefOf(saved: unknown): Brief {
  // Written by admission from a checked request, in this shape and no other.
  const brief = saved as {
    readonly objective: string;
    readonly context?: unknown;
    readonly constraints?: readonly string[] | null;
    readonly success_criteria?: readonly string[] | null;
    readonly result_schema: Readonly<Record<string, unknown>>;
  };
  return {
    objective: brief.objective,
    context: brief.context ?? null,
    constraints: brief.constraints ?? [],
    successCriteria: brief.success_criteria ?? [],
    resultSchema: brief.result_schema,
  };
}
