// The wheel, under a clock that the test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovedClock, SeededChance } from '../../../test/support/moved-clock.ts';
import { Pacer } from './pacer.ts';

const failing = (error: unknown): never => {
  throw error;
};

test('Over an hour of timers that are late by up to 3 ms, not one frame is lost or gained', () => {
  const clock = new MovedClock();
  const chance = new SeededChance(1);
  const pacer = new Pacer(clock, failing);
  let frames = 0;
  pacer.add((count) => {
    assert.equal(count, 1);
    frames += 1;
  });
  for (let second = 0; second < 3_600; second += 1) clock.move(1_000, chance.integer(30) / 10);
  assert.ok(Math.abs(frames - 180_000) <= 1, `${frames} frames`);
});

test('Streams are spread over the four slots of a frame', () => {
  const clock = new MovedClock();
  const pacer = new Pacer(clock, failing);
  const firedAt = new Map<number, number>();
  for (let stream = 0; stream < 40; stream += 1) {
    pacer.add(() => {
      const slot = clock.monotonicMs() % 20;
      firedAt.set(slot, (firedAt.get(slot) ?? 0) + 1);
    });
  }
  clock.move(20 * 50 - 1);
  assert.deepEqual(
    [...firedAt].sort(([a], [b]) => a - b),
    [0, 5, 10, 15].map((slot) => [slot, 10 * 50]),
  );
});

test('After a long stop of the process the frames that were missed are counted, not sent in a burst', () => {
  const clock = new MovedClock();
  const pacer = new Pacer(clock, failing);
  const counts: number[] = [];
  pacer.add((count) => counts.push(count));
  clock.move(100);
  counts.length = 0;
  clock.move(10_000, 10_000);
  assert.ok(counts.length <= 7, `${counts.length} frames in a burst`);
  assert.equal(
    counts.reduce((sum, each) => sum + each, 0),
    501, // from 120 ms to 10,120 ms, when the late timer fires
  );
});

test('One timer serves all, and none is left when nobody needs one', () => {
  const clock = new MovedClock();
  const pacer = new Pacer(clock, failing);
  assert.equal(clock.waiting, 0);
  const streams = Array.from({ length: 100 }, () => pacer.add(() => undefined));
  clock.move(137);
  assert.equal(clock.waiting, 1);
  for (const stream of streams) stream.stop();
  assert.equal(clock.waiting, 0);
  let frames = 0;
  pacer.add(() => (frames += 1));
  clock.move(59);
  assert.equal(frames, 3, 'a pacer that slept begins anew');
  pacer[Symbol.dispose]();
  assert.equal(clock.waiting, 0);
});

test('A stream that throws does not stop the others, and may stop itself in its frame', () => {
  const clock = new MovedClock();
  const errors: unknown[] = [];
  const pacer = new Pacer(clock, (error) => errors.push(error));
  let frames = 0;
  pacer.add(() => {
    throw new Error('broken');
  });
  const once = pacer.add(() => once.stop());
  pacer.add(() => (frames += 1));
  clock.move(199);
  assert.equal(errors.length, 10);
  assert.equal(frames, 10);
});
