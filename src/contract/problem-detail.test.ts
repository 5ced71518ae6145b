// Every code of the table makes a problem record that fits the contract.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from './compile.ts';
import { ProblemDetail, problemOf } from './problem-detail.ts';
import { isProblemCode, PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';

test('every code makes a record of the contract, with the status and retryable of the table', () => {
  const check = compile(ProblemDetail);
  for (const code of Object.keys(PROBLEMS) as ProblemCode[]) {
    const record = problemOf(code, 'What is wrong.');
    assert.ok(check(record).ok, code);
    assert.deepEqual([record.status, record.retryable], [PROBLEMS[code].status, PROBLEMS[code].retryable]);
    assert.ok(!('action_url' in record));
  }
});

test('an action link is carried where there is one', () => {
  assert.equal(problemOf('insufficient_credits', 'x', 'http://h/billing').action_url, 'http://h/billing');
});

test('only codes of the table are codes', () => {
  assert.equal(isProblemCode('invalid_call'), true);
  for (const text of ['', 'toString', '__proto__', 'INVALID_CALL']) assert.equal(isProblemCode(text), false, text);
});
