// The read limit of a key, from both sides of each bound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadWindows } from './read-windows.ts';

test('a key may read as often as the limit says, then waits for the end of its window', () => {
  const windows = new ReadWindows(3);
  for (const nowMs of [1000, 1500, 2000]) assert.equal(windows.take('a', nowMs), null);
  assert.equal(windows.take('a', 2000), 59);
  assert.equal(windows.take('a', 2001), 59);
  assert.equal(windows.take('a', 60_999.5), 1);
  assert.equal(windows.take('a', 61_000), null);
});

test('a window is anchored at its first request, and refused requests do not prolong it', () => {
  const windows = new ReadWindows(1);
  assert.equal(windows.take('a', 0), null);
  for (let nowMs = 100; nowMs < 60_000; nowMs += 100) assert.notEqual(windows.take('a', nowMs), null);
  assert.equal(windows.take('a', 60_000), null);
});

test('keys do not share a window', () => {
  const windows = new ReadWindows(1);
  assert.equal(windows.take('a', 0), null);
  assert.equal(windows.take('b', 0), null);
  assert.equal(windows.take('a', 1), 60);
});

test('beyond the bound the oldest window is forgotten, a renewed one is not the oldest', () => {
  const windows = new ReadWindows(1, 2);
  windows.take('a', 0);
  windows.take('b', 1);
  windows.take('a', 60_000); // renewed: younger than b's
  windows.take('c', 60_000); // b's is forgotten
  assert.notEqual(windows.take('a', 60_001), null);
  assert.equal(windows.take('b', 60_002), null);
});
