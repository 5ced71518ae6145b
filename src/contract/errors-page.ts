// Writes docs/errors.md out of the two lists of codes, so that the page cannot say anything else than the code does.
import { EXECUTION_ERROR_CODES } from './call.ts';
import { PROBLEMS } from './problems.ts';

/** The whole page, Markdown. */
export function buildErrorsPage(): string {
  const problems = Object.entries(PROBLEMS).map(
    ([code, { status, title, retryable, next }]) =>
      `| ${status} | \`${code}\` | ${title} | ${wordOf(retryable)} | ${next} |`,
  );
  const executionCodes = Object.entries(EXECUTION_ERROR_CODES).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return `${[
    '<!-- Written by `npm run contract` from src/contract; a test holds it fresh. -->',
    '# Errors',
    '',
    'Every error is a problem record (`application/problem+json`): `type`, `title`, `status`, `detail`, `code`, `retryable`,',
    'and `action_url` where a person can do something about it. Programs branch on `code`; `detail` names what is wrong with',
    'this very request. `retryable: false` means that automatic retries stop. Two answers are no problem records: a 422 of the',
    'onboarding routes (`detail` array) and a 503 of `/health/ready` (a status object).',
    '',
    'After a timeout, a lost connection, a 502 or a 503 on `POST /v1/calls` the call may exist. Send the same content with the',
    'same `Idempotency-Key` again: that finds the call, or makes it once.',
    '',
    '## Problem codes',
    '',
    '| HTTP | code | meaning | retryable | next |',
    '|---|---|---|---|---|',
    ...problems,
    '',
    '## `execution.error_code`',
    '',
    'What happened to a call, in its record. None of these is a reason to create another call by machine.',
    '',
    '| code | meaning |',
    '|---|---|',
    ...executionCodes,
  ].join('\n')}\n`;
}

function wordOf(retryable: boolean | null): string {
  if (retryable === null) return 'depends';
  return retryable ? 'yes' : 'no';
}
