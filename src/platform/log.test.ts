// What of an error reaches the logs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeError } from './log.ts';

test('an error is its name, message, code, stack and causes, and no other member', () => {
  const refused = Object.assign(new Error('violates a check'), {
    code: '23514',
    detail: 'Failing row contains (+15550100101, what was said)',
  });
  const described = describeError(new TypeError('outer', { cause: refused }));
  assert.deepEqual([described.name, described.message, described.cause?.code], ['TypeError', 'outer', '23514']);
  assert.match(described.stack ?? '', /log\.test/);
  assert.ok(!JSON.stringify(described).includes('15550100101'));
});

test('what is no Error is told as text', () => {
  assert.deepEqual(describeError('gone'), { name: 'string', message: 'gone' });
  assert.deepEqual(describeError(undefined), { name: 'undefined', message: 'undefined' });
});

test('a chain of causes that bites its own tail has an end', () => {
  const error = new Error('round');
  error.cause = error;
  assert.ok(JSON.stringify(describeError(error)).length > 0);
});
