// The pool of ports, under a clock that the test moves.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovedClock, SeededChance } from '../../../test/support/moved-clock.ts';
import { PortPool } from './port-pool.ts';

function take(pool: PortPool, count: number): (number | null)[] {
  return Array.from({ length: count }, () => pool.take());
}

test('Only even ports whose odd neighbour is in the range are given out, each once', () => {
  const pool = new PortPool(2_001, 2_010, new MovedClock(), new SeededChance(2));
  const taken = take(pool, 5);
  assert.deepEqual(
    taken.slice(0, 4).sort((a, b) => Number(a) - Number(b)),
    [2_002, 2_004, 2_006, 2_008],
  );
  assert.equal(taken[4], null);
});

test('A port that was given back rests before it is used again', () => {
  const clock = new MovedClock();
  const pool = new PortPool(2_000, 2_003, clock, new SeededChance(2));
  const [first, second] = take(pool, 2);
  assert.ok(first && second);
  pool.release(second);
  clock.move(1_000);
  pool.release(first);
  assert.equal(pool.take(), null);
  clock.move(1_000);
  assert.equal(pool.take(), second);
  assert.equal(pool.take(), null);
  clock.move(1_000);
  assert.equal(pool.take(), first);
});

test('Pools on one range begin at different places', () => {
  const clock = new MovedClock();
  const starts = new Set(
    Array.from({ length: 20 }, (_, seed) => new PortPool(20_000, 29_999, clock, new SeededChance(seed)).take()),
  );
  assert.ok(starts.size > 15);
});

test('A range without a pair gives nothing', () => {
  assert.equal(new PortPool(2_001, 2_002, new MovedClock(), new SeededChance(2)).take(), null);
});
