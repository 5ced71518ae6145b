// The problem record of every error (RFC 9457), made from the problem table.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { nullable } from './nullable.ts';
import { PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

export const ProblemDetail = Type.Object({
  type: Type.Optional(Type.String({ default: 'about:blank' })),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong with this request, and what is wanted.' }),
  code: Type.String({ description: 'A code of the error table; programs branch on this.' }),
  action_url: Type.Optional(nullable(Type.String({ description: 'Where a person can do something about it.' }))),
  retryable: Type.Optional(nullable(Type.Boolean({ description: 'false: automatic retries stop.' }))),
});
export type ProblemDetail = Static<typeof ProblemDetail>;

/**
 * The record for one refusal.
 * @param detail a sentence for the caller; never a secret
 * @param actionUrl where a person can do something about it
 */
export function problemOf(code: ProblemCode, detail: string, actionUrl?: string): ProblemDetail {
  const { status, title, retryable } = PROBLEMS[code];
  const record = { type: 'about:blank', title, status, detail, code, retryable };
  return actionUrl === undefined ? record : { ...record, action_url: actionUrl };
}
