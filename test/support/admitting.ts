// What tests of admission need: accounts in any standing, requests, and an Admission on a fresh database.
import assert from 'node:assert/strict';
import { foundWorkspace } from '../../src/account/setup.ts';
import type { Founded } from '../../src/account/setup.ts';
import { Admission } from '../../src/admission/admission.ts';
import type { AdmissionParts, AdmissionRequest } from '../../src/admission/admission.ts';
import type { ProblemCode } from '../../src/contract/problems.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import { creditMinutes } from '../../src/ledger/credit.ts';
import { upsertPlans } from '../../src/ledger/store.ts';
import { systemChance } from '../../src/platform/clock.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { createLogger } from '../../src/platform/log.ts';

export const PLANS = [
  { name: 'free', maxCallSeconds: 180, includedMinutes: 10, isMetered: true },
  { name: 'prepaid', maxCallSeconds: 180, includedMinutes: 0, isMetered: true },
  { name: 'pro', maxCallSeconds: 600, includedMinutes: 60, isMetered: true },
  { name: 'operator', maxCallSeconds: 3600, includedMinutes: 0, isMetered: false },
] as const;

export const BILLING_URL = 'https://errand.example/dashboard/billing';

/** A clock whose wall time stands still until it is moved; timers run as ever. */
export class HeldClock implements Clock {
  #now: number;

  constructor(start = '2026-03-14T09:26:53.000Z') {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  move(ms: number): void {
    this.#now += ms;
  }

  moveTo(moment: string): void {
    this.#now = Date.parse(moment);
  }

  monotonicMs(): number {
    return performance.now();
  }

  after(delayMs: number, fire: () => void) {
    const timer = setTimeout(fire, delayMs);
    return { cancel: () => clearTimeout(timer) };
  }
}

/** An Admission whose result schemas all pass and whose screener blocks objectives with the word "prank". */
export function openAdmission(database: Database, clock: Clock, parts: Partial<AdmissionParts> = {}) {
  return Admission.open({
    database,
    clock,
    chance: systemChance,
    log: createLogger('silent'),
    masterKey: Buffer.alloc(32, 7),
    checkResultSchema: async () => ({ ok: true }),
    screenByRules: ({ objective }) =>
      objective.includes('prank') ? { allowed: false, category: 'prank' } : { allowed: true },
    judge: null,
    policy: { createsPerMinute: 120, queueLimitMs: 900_000 },
    billingUrl: BILLING_URL,
    ...parts,
  });
}

/** A workspace that can call at once; the plans are written first. */
export async function found(
  database: Database,
  clock: Clock,
  plan: (typeof PLANS)[number]['name'] = 'operator',
): Promise<Founded> {
  await upsertPlans(database, PLANS);
  return foundWorkspace(
    { database, clock, chance: systemChance },
    {
      workspaceName: 'Analytical Engines',
      ownerName: 'Ada Lovelace',
      plan,
      projectName: 'Errands',
      assistantName: 'Charles',
      keyName: 'test',
    },
  );
}

/** A workspace of the plan `prepaid` with so many minutes. */
export async function foundWithMinutes(database: Database, clock: Clock, minutes: number): Promise<Founded> {
  const account = await found(database, clock, 'prepaid');
  if (minutes > 0) await creditMinutes(database, account.workspaceId, minutes, 'test', clock.now());
  return account;
}

/** Asserts that a create is refused with this code. */
export async function refused(created: Promise<unknown>, code: ProblemCode): Promise<Refusal> {
  try {
    await created;
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    assert.equal(error.code, code, error.detail);
    return error;
  }
  assert.fail(`admitted instead of ${code}`);
}

export const BODY = {
  to: '+14155550123',
  objective: 'Ask whether they are open on Saturday.',
  result_schema: { type: 'object', properties: { open: { type: 'boolean' } } },
} as const;

export function requestOf(
  token: string | null,
  idempotencyKey: string | null,
  body: Readonly<Record<string, unknown>> = {},
): AdmissionRequest {
  return { token, idempotencyKey, body: { text: JSON.stringify({ ...BODY, ...body }) } };
}
