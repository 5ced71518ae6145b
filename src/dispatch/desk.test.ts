import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../platform/clock.ts';
import { openDatabase } from '../platform/database.ts';
import { createLogger } from '../platform/log.ts';
import { Dispatch } from './advance.ts';
import { Desk, OUTBOX_LIMIT } from './desk.ts';
import type { ClaimedCall } from './runner.ts';

const call: ClaimedCall = {
  id: '019d0000-0000-7000-8000-000000000000',
  projectId: '019d0000-0000-7000-8000-000000000001',
  to: '+15550100101',
  callerName: null,
  assistantName: 'Errand',
  openingLine: null,
  maxDurationSeconds: 180,
  claimNumber: 1,
  leg: { carrier: 'sip', reference: 'ref@errand' },
  brief: { objective: 'Ask.', context: null, constraints: [], successCriteria: [], resultSchema: {} },
};
const log = createLogger('silent');

/** A desk whose database is nowhere: nobody listens on port 1. */
function createStrandedDesk() {
  const database = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    poolSize: 1,
    statementTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
    onBackgroundError: () => undefined,
  });
  const settings = { leaseMs: 1_000, recovery: { lookups: 1, withinMs: 1_000 } };
  const desk = new Desk(call, {
    database,
    dispatch: new Dispatch({ database, settings, log }),
    clock: systemClock,
    log,
  });
  return { desk, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
const said = (text: string) => [{ speaker: 'assistant', text, about: null }] as const;

test('what waits for the database is bounded, and nobody waits for it', async () => {
  await using stranded = createStrandedDesk();
  const { desk } = stranded;
  assert.equal(await desk.report({ kind: 'acknowledged' }), true, 'kept, although the database is away');
  for (let sequence = 1; sequence < OUTBOX_LIMIT; sequence += 1) {
    assert.equal(await desk.record(said(`turn ${sequence}`)), sequence);
  }
  await assert.rejects(desk.record(said('one too many')), /wait for the database/);
  desk.abandon();
  await desk.close('test over');
});

test('a lost claim answers false to all that waits, without another word to the database', async () => {
  await using stranded = createStrandedDesk();
  const { desk } = stranded;
  desk.lose();
  assert.equal(await desk.report({ kind: 'ended', code: null, because: 'recipient hung up' }), false);
  assert.equal(await desk.record(said('Hello.')), 1);
  await desk.close('test over');
});

test('a segment has 1 to 4,000 characters, counted in code points', async () => {
  await using stranded = createStrandedDesk();
  const { desk } = stranded;
  desk.lose();
  await assert.rejects(desk.record([...said('Hello.'), ...said('')]), RangeError);
  await assert.rejects(desk.record(said('x'.repeat(4_001))), RangeError);
  assert.equal(await desk.record(said('📞'.repeat(4_000))), 1, 'what was refused took no number');
});
