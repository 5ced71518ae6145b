// From an ended call to its summary and extraction: who proposes the answers (the interview's own pairs, or a model), the one
// check that all go through, the candidate and what is published. Touches no database.
import type { Leaf, UnderstandContext } from '../answers/leaf.ts';
import { leavesOf } from '../answers/leaves.ts';
import { Fault } from '../platform/errors.ts';
import { verify } from './evidence.ts';
import type { Claim, Verified } from './evidence.ts';
import { isAutomatic, readInterview } from './interview.ts';
import type { ExtractByModel } from './model-extraction.ts';
import { outcomeOf } from './outcome.ts';
import { candidateOf, publicationOf, unavailable } from './publish.ts';
import type { Publication } from './publish.ts';
import type { ResultSource } from './store.ts';
import { plainSummary, verifiedSummary } from './summary.ts';
import type { ProposedSentence } from './summary.ts';

/** Validates a candidate; the issues name places and rules, not values. */
export type ValidateResult = (
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly issues: readonly string[] }>;

export interface Computed {
  readonly summary: string | null;
  readonly publication: Publication;
}

export interface ComputeParts {
  readonly validate: ValidateResult;
  /** Null: the interview's own question-and-answer pairs are the source. */
  readonly extractByModel: ExtractByModel | null;
}

/** @throws {Fault} when the model or the validation failed and another attempt may help */
export async function computeResult(parts: ComputeParts, source: ResultSource, signal: AbortSignal): Promise<Computed> {
  const { call, brief, turns } = source;
  const leaves = leavesOf(brief.result_schema);
  const heard = turns.filter((turn) => turn.speaker === 'recipient');
  if (!call.isAnswered || heard.length === 0) {
    const because = call.isAnswered ? 'no words of the recipient were received' : 'the call was never answered';
    return { summary: outcomeOf(call, turns), publication: unavailable(leaves, because) };
  }

  const proposed = await proposalFor(parts, source, leaves, signal);
  const checked = verify(proposed.claims, turns, leaves);
  const verified: Verified = {
    ...checked,
    issues: [...proposed.issues, ...checked.issues, ...placeholderIssues(checked.claims, leaves, source)],
  };
  const candidate = candidateOf(leaves, verified);
  const publication = publicationOf(candidate, await issuesOf(parts.validate, brief.result_schema, candidate.value));
  const byModel = verifiedSummary(call, turns, leaves, verified, proposed.sentences);
  return { summary: byModel ?? plainSummary(call, turns, leaves, verified), publication };
}

/** What is written when no attempt is left. The summary stays empty, so that the record shows the transcript instead. */
export function givenUp(source: ResultSource): Computed {
  const leaves = leavesOf(source.brief.result_schema);
  return {
    summary: null,
    publication: unavailable(leaves, 'the extraction failed; a sync of this call tries it again'),
  };
}

interface Proposal {
  readonly claims: readonly Claim[];
  readonly sentences: readonly ProposedSentence[];
  readonly issues: readonly string[];
}

function proposalFor(
  parts: ComputeParts,
  source: ResultSource,
  leaves: readonly Leaf[],
  signal: AbortSignal,
): Promise<Proposal> {
  const { brief, turns } = source;
  if (parts.extractByModel === null) {
    return Promise.resolve({ claims: readInterview(leaves, turns, contextOf(source)), sentences: [], issues: [] });
  }
  // A machine's announcement answers nothing; the model need not be asked about it.
  if (turns.every((turn) => turn.speaker !== 'recipient' || isAutomatic(turn.text))) {
    return Promise.resolve({ claims: [], sentences: [], issues: [] });
  }
  const wanted = {
    objective: brief.objective,
    successCriteria: brief.success_criteria ?? [],
    resultSchema: brief.result_schema,
  };
  return parts.extractByModel(wanted, leaves, turns, signal);
}

/** @returns null where there is no candidate */
async function issuesOf(
  validate: ValidateResult,
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
): Promise<readonly string[] | null> {
  if (value === undefined) return null;
  try {
    const validated = await validate(schema, value);
    return validated.ok ? [] : validated.issues;
  } catch (error) {
    // A candidate that cannot be validated is not published; another attempt may find the validator less busy.
    throw new Fault('the candidate could not be validated', { blame: 'us', retry: 'safe', cause: error });
  }
}

/** RFC 3339 wants an offset; where no time zone is known, it is a placeholder, and the record says so. */
function placeholderIssues(claims: readonly Claim[], leaves: readonly Leaf[], source: ResultSource): readonly string[] {
  if (timezoneOf(source.brief.context) !== null) return [];
  return claims.flatMap((claim) => {
    const leaf = leaves.find((each) => each.pointer === claim.path);
    const isLocal = leaf?.format === 'time' || leaf?.format === 'date-time';
    const isPlaceholder = isLocal && typeof claim.value === 'string' && /Z$/i.test(claim.value);
    return isPlaceholder ? [`${claim.path}: no time zone was said; Z stands for the local time of the recipient`] : [];
  });
}

function contextOf(source: ResultSource): UnderstandContext {
  const timezone = timezoneOf(source.brief.context);
  return { now: source.spokenAt, ...(timezone === null ? {} : { timezone }) };
}

/** An IANA time zone that the caller gave in the context, as `timezone` or `time_zone`. */
function timezoneOf(context: unknown): string | null {
  if (typeof context !== 'object' || context === null) return null;
  const named = 'timezone' in context ? context.timezone : 'time_zone' in context ? context.time_zone : null;
  if (typeof named !== 'string' || !/^[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+){0,2}$/.test(named)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: named }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
