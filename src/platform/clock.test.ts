import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovedClock } from '../../test/support/moved-clock.ts';
import { within } from './clock.ts';

test('work that ends in time gives its answer, or its failure, and leaves no timer', async () => {
  const clock = new MovedClock();
  assert.equal(await within(clock, 100, Promise.resolve('done'), () => 'late'), 'done');
  await assert.rejects(
    within(clock, 100, Promise.reject(new Error('failed')), () => 'late'),
    /failed/,
  );
  assert.equal(clock.waiting, 0);
});

test('work that takes longer gives what stands in its place, and its own end is dropped', async () => {
  const clock = new MovedClock();
  const work = Promise.withResolvers<string>();
  const answer = within(clock, 100, work.promise, () => 'late');
  clock.move(100);
  assert.equal(await answer, 'late');
  work.reject(new Error('nobody listens any more'));
});

test('what stands in its place may be a failure', async () => {
  const clock = new MovedClock();
  const answer = within(clock, 100, new Promise<never>(() => undefined), () => {
    throw new Error('too late');
  });
  clock.move(100);
  await assert.rejects(answer, /too late/);
});
