import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { createDispatching, ENDED, heldRun, LEASE_MS } from '../../test/support/dispatching.ts';
import type { Dispatching, Run } from '../../test/support/dispatching.ts';
import { queueCalls } from '../../test/support/queued-calls.ts';
import { until } from '../../test/support/until.ts';
import { systemClock } from '../platform/clock.ts';
import type { Clock } from '../platform/clock.ts';

let room: Dispatching;
beforeEach(async () => {
  room = await createDispatching();
});
afterEach(() => room[Symbol.asyncDispose]());

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

test('several workers run each call once, from claim to end', async () => {
  const ids = await queueCalls(room.db.database, room.caller, { count: 30 });
  const runs: string[] = [];
  const run: Run = async (call, desk) => {
    runs.push(call.id);
    for (const event of [{ kind: 'acknowledged' }, { kind: 'ringing' }, { kind: 'answered' }] as const) {
      assert.ok(await desk.report(event));
    }
    assert.equal(await desk.record([{ speaker: 'assistant', text: 'Hello.', about: null }]), 1);
    assert.ok(await desk.report(ENDED));
  };
  await using workers = new AsyncDisposableStack();
  for (let each = 0; each < 4; each += 1) await workers.use(room.createWorker(run, { capacity: 3 })).start();
  await until('all calls are completed', async () => {
    const rows = await room.db.database.query(`SELECT 1 FROM calls WHERE stage = 'completed'`);
    return rows.length === ids.length;
  });
  assert.deepEqual(runs.toSorted(), ids);
});

test('a queued call is picked up by its notification, well before the next poll', async () => {
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  const startedMs = performance.now();
  await queueCalls(room.db.database, room.caller);
  await running.started;
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs < 500, `picked up after ${tookMs} ms`);
  running.release();
});

test('a call whose notification was lost is picked up by the poll', async () => {
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  await queueCalls(room.db.database, room.caller, { isNotified: false });
  await running.started;
  running.release();
});

test('a worker never holds more calls than its capacity', async () => {
  let running = 0;
  let most = 0;
  const run: Run = async (_call, desk) => {
    running += 1;
    most = Math.max(most, running);
    await desk.report({ kind: 'answered' });
    await desk.report(ENDED);
    running -= 1;
  };
  await using worker = room.createWorker(run, { capacity: 2 });
  await worker.start();
  await queueCalls(room.db.database, room.caller, { count: 12 });
  await until('all calls are completed', async () => {
    const rows = await room.db.database.query(`SELECT 1 FROM calls WHERE stage = 'completed'`);
    return rows.length === 12;
  });
  assert.equal(most, 2);
});

test('a cancel request reaches the running call at once', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const started = Promise.withResolvers<void>();
  await using worker = room.createWorker(async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    started.resolve();
    await aborted(desk.cancel);
    await desk.report({ kind: 'hang_up_confirmed' });
  });
  await worker.start();
  await started.promise;
  await room.dispatch.advance(id, { kind: 'cancel_requested' });
  await room.inStage(id, 'cancelled');
});

test('a cancel request whose notification was lost arrives with the next renewal', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  const desk = await running.started;
  await room.db.database.query(
    `UPDATE calls SET stage = 'cancel_requested', cancel_requested_at = now() WHERE id = $1`,
    [id],
  );
  await aborted(desk.cancel);
  running.release();
  await room.inStage(id, 'completed');
});

test('leases are renewed for as long as calls run', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  await running.started;
  const first = (await room.readCall(id)).lease_until?.getTime() ?? 0;
  await until('the lease was renewed past its first end', async () => {
    const lease = (await room.readCall(id)).lease_until?.getTime() ?? 0;
    return lease > first + LEASE_MS;
  });
  assert.ok(!(await room.dispatch.advance(id, { kind: 'lease_expired' })).isApplied);
  running.release();
});

test('a runner that fails leaves its call to recovery, with what was said', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  await using worker = room.createWorker(async (_call, desk) => {
    await desk.report({ kind: 'answered' });
    await desk.record([{ speaker: 'recipient', text: 'Hello?', about: null }]);
    throw new Error('a bug');
  });
  await worker.start();
  await room.inStage(id, 'reconciling');
  const row = await room.readCall(id);
  assert.deepEqual([row.state, row.error_code], ['in_progress', 'submission_unconfirmed']);
  const said = await room.db.database.query(`SELECT text FROM transcript_segments WHERE call_id = $1`, [id]);
  assert.deepEqual(said, [{ text: 'Hello?' }]);
  await until('the worker is free again', () => worker.load === 0);
});

test('a runner that never ends is stopped, then its call is left to recovery and its place is free', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const isStopped = Promise.withResolvers<boolean>();
  // Waits of half a minute and more are over at once.
  const hasty: Clock = { ...systemClock, after: (ms, fire) => systemClock.after(ms >= 30_000 ? 0 : ms, fire) };
  const run: Run = async (_call, desk) => {
    await aborted(desk.stop);
    isStopped.resolve(true);
    await new Promise(() => undefined);
  };
  await using worker = room.createWorker(run, { clock: hasty });
  await worker.start();
  assert.ok(await isStopped.promise);
  await room.inStage(id, 'reconciling');
  await until('the worker is free again', () => worker.load === 0);
});

test('a worker that lost its claim is told so, and writes nothing more', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const running = heldRun();
  await using worker = room.createWorker(running.run);
  await worker.start();
  const desk = await running.started;
  await room.db.database.query(
    `UPDATE calls SET claim_number = 2, worker_id = NULL, lease_until = NULL, stage = 'reconciling', deadline_at = now()
      WHERE id = $1`,
    [id],
  );
  assert.equal(await desk.record([{ speaker: 'assistant', text: 'Anything else?', about: null }]), 1);
  assert.equal(await desk.report(ENDED), false);
  assert.deepEqual(await room.db.database.query(`SELECT 1 FROM transcript_segments WHERE call_id = $1`, [id]), []);
  assert.equal((await room.readCall(id)).stage, 'reconciling');
  running.release();
});

test('a stopping worker takes no more calls and lets those that run end by themselves', async () => {
  const running = heldRun();
  const worker = room.createWorker(running.run, { capacity: 1 });
  await worker.start();
  const [first = '', second = ''] = await queueCalls(room.db.database, room.caller, { count: 2 });
  const desk = await running.started;
  const stopped = worker[Symbol.asyncDispose]();
  running.release();
  await stopped;
  assert.ok(!desk.stop.aborted);
  assert.equal((await room.readCall(first)).stage, 'completed');
  assert.equal((await room.readCall(second)).stage, 'queued');
});

test('a stopping worker ends its calls when its patience is over', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const started = Promise.withResolvers<void>();
  const worker = room.createWorker(
    async (_call, desk) => {
      await desk.report({ kind: 'answered' });
      started.resolve();
      await aborted(desk.stop);
      await desk.report({ kind: 'ended', code: 'call_interrupted', because: 'the service is stopping' });
    },
    { drainMs: 50 },
  );
  await worker.start();
  await started.promise;
  await worker[Symbol.asyncDispose]();
  const row = await room.readCall(id);
  assert.deepEqual([row.stage, row.error_code], ['completed', 'call_interrupted']);
});

test('a stopping worker does not wait for a runner that never ends', async () => {
  const [id = ''] = await queueCalls(room.db.database, room.caller);
  const started = Promise.withResolvers<void>();
  const worker = room.createWorker(
    async (_call, desk) => {
      await desk.report({ kind: 'acknowledged' });
      started.resolve();
      await new Promise(() => undefined);
    },
    { drainMs: 10, stopGraceMs: 50 },
  );
  await worker.start();
  await started.promise;
  await worker[Symbol.asyncDispose]();
  assert.equal((await room.readCall(id)).stage, 'running', 'recovery finds it when the lease has passed');
});
