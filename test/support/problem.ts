// What every test of a refusal checks: a problem record of the table, its content type and the request id.
import assert from 'node:assert/strict';
import { compile, UUID } from '../../src/contract/compile.ts';
import { ProblemDetail } from '../../src/contract/problem-detail.ts';
import { PROBLEMS } from '../../src/contract/problems.ts';
import type { ProblemCode } from '../../src/contract/problems.ts';
import type { Answer } from './gateway.ts';

const check = compile(ProblemDetail);

/** Asserts that the answer is the problem with this code, and gives its record. */
export function assertProblem(answer: Answer, code: ProblemCode): ProblemDetail {
  const checked = check(answer.json);
  assert.ok(checked.ok, answer.text);
  assert.equal(checked.value.code, code);
  assert.equal(answer.status, PROBLEMS[code].status);
  assert.equal(checked.value.status, answer.status);
  assert.equal(checked.value.title, PROBLEMS[code].title);
  assert.equal(checked.value.retryable, PROBLEMS[code].retryable);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
  assert.match(String(answer.headers['x-request-id']), UUID);
  return checked.value;
}
