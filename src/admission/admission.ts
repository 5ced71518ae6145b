// A request becomes a call, or a refusal. The order of checks is fixed: key, Idempotency-Key, body, result schema, replay,
// rate, switch, project, assistant, minutes, purpose; then one transaction. A protected value in the clear lives in this
// process only while its request is being handled, and is in no row, log, error or notification.
import assert from 'node:assert/strict';
import { BODY_LIMIT_BYTES } from '../contract/call.ts';
import type { CallCreation } from '../contract/call.ts';
import { fieldFaultDetail, parseCallCreation } from '../contract/check-call-creation.ts';
import type { ParsedCallCreation } from '../contract/check-call-creation.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Chance, Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Fault, messageOf } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { idempotencyDigest, payloadDigest } from './identity.ts';
import { KeyCache } from './key-cache.ts';
import { LANE_LIMITS, Lanes } from './lanes.ts';
import type { LaneLimits } from './lanes.ts';
import { deriveKeys } from './master-key.ts';
import type { Keys } from './master-key.ts';
import { redact } from './redaction.ts';
import type { StoredBrief } from './redaction.ts';
import {
  bodyTooLarge,
  IDEMPOTENCY_KEY_LIMIT,
  invalidCall,
  longIdempotencyKey,
  missingIdempotencyKey,
  refusalOf,
} from './refusals.ts';
import { Court } from './screening.ts';
import type { Judge, ScreenByRules, ScreenedTask } from './screening.ts';
import { seal } from './sealing.ts';
import { admitCalls, claimMasterKey, foretell } from './store.ts';
import type { AdmissionOutcome, AdmissionPolicy, AdmissionRow, KeyFacts, Verdict } from './store.ts';

/** A create as the door hands it over; `ControlPlane.createCall` takes the same. */
export interface AdmissionRequest {
  readonly token: string | null;
  readonly idempotencyKey: string | null;
  readonly body: { readonly text: string } | 'too_large' | 'not_utf8';
}

export interface NewCall {
  readonly id: string;
  readonly taskId: string;
  readonly to: string;
  /** As stored: protected values redacted. */
  readonly objective: string;
  readonly callerName: string | null;
  readonly createdAt: Date;
}

export type Admitted =
  | { readonly kind: 'new'; readonly call: NewCall }
  | { readonly kind: 'replay'; readonly callId: string; readonly projectId: string };

export type SchemaVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly pointer: string; readonly wanted: string };

export interface AdmissionParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Logger;
  /** 32 bytes. */
  readonly masterKey: Buffer;
  /** Checks a result schema within its bounds, off the main thread; `pointer` is into the schema. */
  readonly checkResultSchema: (schema: unknown) => Promise<SchemaVerdict>;
  readonly screenByRules: ScreenByRules;
  /** Null where no language model is configured. */
  readonly judge: Judge | null;
  readonly policy: AdmissionPolicy;
  /** The page where minutes are bought. */
  readonly billingUrl: string;
  readonly lanes?: Partial<LaneLimits>;
}

interface Outcome extends AdmissionOutcome {
  readonly decidedAt: Date;
}

interface Candidate {
  readonly row: AdmissionRow;
  readonly brief: StoredBrief;
}

export class Admission implements AsyncDisposable {
  readonly #parts: AdmissionParts;
  readonly #keys: Keys;
  readonly #keyCache: KeyCache;
  readonly #lanes: Lanes<AdmissionRow, Outcome>;
  readonly #court: Court | null;

  private constructor(parts: AdmissionParts, keys: Keys, lanes: Lanes<AdmissionRow, Outcome>) {
    this.#parts = parts;
    this.#keys = keys;
    this.#keyCache = new KeyCache(parts.database, parts.clock);
    this.#lanes = lanes;
    this.#court = parts.judge === null ? null : new Court(parts.judge);
  }

  /**
   * Opens the lanes on a migrated database.
   * @throws {Error} when the database belongs to another master key: retries would become new calls
   * @throws {Fault} when the database cannot be reached
   */
  static async open(parts: AdmissionParts): Promise<Admission> {
    const keys = deriveKeys(parts.masterKey);
    if (!(await claimMasterKey(parts.database, keys.fingerprint))) {
      throw new Error(
        'this database belongs to another master key: bring back the file `master-key` of its data folder, or its ERRAND_MASTER_KEY',
      );
    }
    const lanes = await Lanes.open<AdmissionRow, Outcome>({
      database: parts.database,
      clock: parts.clock,
      log: parts.log,
      limits: { ...LANE_LIMITS, ...parts.lanes },
      sizeOf: (row) => row.brief.length + (row.sealed?.length ?? 0),
      run: async (connection, rows) => {
        const decidedAt = parts.clock.now();
        const outcomes = await admitCalls(connection, rows, parts.policy, decidedAt);
        return outcomes.map((outcome) => Object.assign(outcome, { decidedAt }));
      },
    });
    return new Admission(parts, keys, lanes);
  }

  /**
   * Admits a call or finds the one that this Idempotency-Key already made.
   * @throws {Refusal} what the caller can act on; no call came of this request
   * @throws {Fault} `safe`: no call came of it; `never`: one may exist, and the same key finds it
   */
  async createCall(request: AdmissionRequest): Promise<Admitted> {
    const candidate = await nothingSent(() => this.#examine(request));
    const { row } = candidate;
    const outcome = await this.#lanes.submit({ ...row, verdict: await nothingSent(() => this.#screen(candidate)) });
    const { status } = outcome;
    if (status === 'admitted') return { kind: 'new', call: newCall(candidate, outcome) };
    if (status === 'replay' && outcome.call_id !== null) {
      return { kind: 'replay', callId: outcome.call_id, projectId: row.key.projectId };
    }
    assert(status !== 'replay', 'a replay names its call');
    throw refusalOf(status, outcome, this.#parts.billingUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#court?.close();
    await this.#lanes[Symbol.asyncDispose]();
  }

  /** The key, then the request under it. @throws {Refusal} */
  async #examine(request: AdmissionRequest): Promise<Candidate> {
    const { facts, isFromCache } = await this.#keyCache.find(request.token);
    try {
      return await this.#prepare(facts, request);
    } catch (error) {
      // The key comes first: a bad request under a key that was revoked since is a 401.
      if (error instanceof Refusal && isFromCache) await this.#keyCache.confirm(request.token);
      throw error;
    }
  }

  /** All that can be known without the state of the account. @throws {Refusal} */
  async #prepare(facts: KeyFacts, request: AdmissionRequest): Promise<Candidate> {
    const idempotencyKey = checkIdempotencyKey(request.idempotencyKey);
    const { body, json } = parseBody(request.body);
    const schema = await this.#parts.checkResultSchema(body.result_schema);
    if (!schema.ok) throw invalidCall(fieldFaultDetail(`/result_schema${schema.pointer}`, schema.wanted));
    const redaction = redact(body);
    if (!redaction.ok) {
      throw invalidCall(
        fieldFaultDetail(
          redaction.pointer,
          'no protected value here: in a result schema it may stand in titles, descriptions, comments, defaults and examples alone',
        ),
      );
    }
    const { chance, screenByRules } = this.#parts;
    const taskId = chance.uuid();
    return {
      brief: redaction.brief,
      row: {
        key: facts,
        idempotencyDigest: idempotencyDigest(this.#keys, facts.projectId, idempotencyKey),
        payloadDigest: payloadDigest(this.#keys, json),
        taskId,
        callId: chance.uuid(),
        to: body.to,
        limitSeconds: body.limits?.max_duration_seconds ?? null,
        verdict: screenByRules(taskAsSent(body)).allowed ? 'allowed' : 'blocked',
        sealed: seal(this.#keys, chance, taskId, body.protected_context ?? {}),
        brief: Buffer.from(JSON.stringify(redaction.brief), 'utf8'),
      },
    };
  }

  /** The rules have spoken already; a judge, where there is one, can only refuse more. */
  async #screen({ row, brief }: Candidate): Promise<Verdict> {
    if (this.#court === null || row.verdict !== 'allowed') return row.verdict;
    // Nobody is asked about a call that would not be admitted anyway, and a retry finds its call without the judge.
    const { database, policy, clock } = this.#parts;
    const foretold = await foretell(database, row, policy, clock.now());
    // Should it pass after all because something changed in between, then nobody has judged it.
    return foretold.status === 'admitted' ? this.#hear(this.#court, row.callId, brief) : 'unknown';
  }

  async #hear(court: Court, callId: string, brief: StoredBrief): Promise<Verdict> {
    try {
      return (await court.hear(taskAsStored(brief))).allowed ? 'allowed' : 'blocked';
    } catch (error) {
      this.#parts.log.warn({ call_id: callId, reason: messageOf(error) }, 'purpose judge cannot answer');
      return 'unknown';
    }
  }
}

/** Before a row is handed to a lane no call can come of a request, whatever failed. */
async function nothingSent<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault) || error.retry === 'safe') throw error;
    throw new Fault(`nothing was admitted: ${error.message}`, { blame: error.blame, retry: 'safe', cause: error });
  }
}

function checkIdempotencyKey(key: string | null): string {
  if (key === null || key === '') throw missingIdempotencyKey();
  if (key.length > IDEMPOTENCY_KEY_LIMIT && [...key].length > IDEMPOTENCY_KEY_LIMIT) throw longIdempotencyKey();
  return key;
}

function parseBody(body: AdmissionRequest['body']): ParsedCallCreation {
  if (body === 'too_large') throw bodyTooLarge(BODY_LIMIT_BYTES);
  if (body === 'not_utf8') throw invalidCall(fieldFaultDetail('', 'JSON in UTF-8'));
  const parsed = parseCallCreation(body.text);
  if (!parsed.ok) throw invalidCall(fieldFaultDetail(parsed.pointer, parsed.wanted));
  return parsed;
}

/** The rules run in this process and see what was sent, so that nothing hides behind a redaction. */
function taskAsSent(body: CallCreation): ScreenedTask {
  return {
    objective: body.objective,
    context: body.context ?? null,
    constraints: body.constraints ?? [],
    successCriteria: body.success_criteria ?? [],
    resultSchema: body.result_schema,
    callerName: null,
  };
}

/** A judge may be a vendor's model: it sees what is stored, protected values redacted. */
function taskAsStored(brief: StoredBrief): ScreenedTask {
  return {
    objective: brief.objective,
    context: brief.context,
    constraints: brief.constraints,
    successCriteria: brief.success_criteria,
    resultSchema: brief.result_schema,
    callerName: null,
  };
}

function newCall({ row, brief }: Candidate, outcome: Outcome): NewCall {
  return {
    id: row.callId,
    taskId: row.taskId,
    to: row.to,
    objective: brief.objective,
    callerName: outcome.caller_name,
    createdAt: outcome.decidedAt,
  };
}
