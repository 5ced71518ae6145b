// What becomes of verified answers: the candidate, its status, and what of it is published. Pure. `result` is never anything
// but a candidate that validates.
import type { JsonValue, Leaf } from '../answers/leaf.ts';
import { pointerSteps } from '../contract/json-pointer.ts';
import type { Evidence, ExtractionStatus } from '../contract/call.ts';
import type { Verified } from './evidence.ts';

/** What is written into the `results` row. */
export interface Publication {
  readonly status: Exclude<ExtractionStatus, 'pending'>;
  readonly result: JsonValue;
  readonly result_schema_valid: boolean | null;
  readonly missing_fields: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly issues: readonly string[];
}

export interface Candidate {
  /** Undefined where there is nothing that could be one: a scalar root without an answer. */
  readonly value: JsonValue | undefined;
  readonly evidence: readonly Evidence[];
  /** Asked for and not answered, then whatever else was dropped. */
  readonly missing: readonly string[];
  /** Whether something required is missing. */
  readonly isIncomplete: boolean;
  readonly issues: readonly string[];
}

const ISSUE_LIMIT = 20;
const ISSUE_LENGTH = 300; // UTF-16 units
const MISSING_LIMIT = 200;

/** Puts verified answers together; a required nullable leaf without an answer becomes null and stays missing. */
export function candidateOf(leaves: readonly Leaf[], verified: Verified): Candidate {
  const { renamed, evidence } = withoutHoles(leaves, verified);
  const isRootValue = leaves.some((leaf) => leaf.pointer === '');
  const tree: Tree = { value: isRootValue ? undefined : {} };
  for (const claim of renamed) place(tree, claim.path, claim.value);
  const answered = new Set(renamed.map((claim) => claim.path));
  const isAnswered = (leaf: Leaf): boolean =>
    answered.has(leaf.pointer) ||
    [...answered].some((path) => path.startsWith(`${leaf.pointer}/`) && leaf.pointer !== '');
  const isRootAnswered = isRootValue && answered.size > 0;
  const unanswered = leaves.filter((leaf) => leaf.isRequired && !isAnswered(leaf) && !isRootAnswered);
  for (const leaf of unanswered) if (leaf.isNullable) place(tree, leaf.pointer, null);
  const nothing = leaves.length === 0 && answered.size === 0 ? [''] : [];
  const missing = [...new Set([...unanswered.map((leaf) => leaf.pointer), ...nothing, ...verified.dropped])];
  const isIncomplete = unanswered.length > 0 || answered.size === 0;
  return { value: tree.value, evidence, missing, isIncomplete, issues: verified.issues };
}

/** @param validated the issues of the candidate under the schema; empty when it validates; null when there is no candidate */
export function publicationOf(candidate: Candidate, validated: readonly string[] | null): Publication {
  const { value, evidence, missing, isIncomplete } = candidate;
  const isValid = value !== undefined && validated !== null && validated.length === 0;
  const issues = bounded([...candidate.issues, ...(isValid || isIncomplete ? [] : (validated ?? []))]);
  const common = { missing_fields: missing.slice(0, MISSING_LIMIT), evidence, issues };
  if (isValid)
    return { status: isIncomplete ? 'incomplete' : 'complete', result: value, result_schema_valid: true, ...common };
  if (isIncomplete) return { status: 'incomplete', result: null, result_schema_valid: null, ...common };
  return { status: 'invalid', result: null, result_schema_valid: false, ...common };
}

/** Extraction could not run: nothing is known, everything that was asked for is missing. */
export function unavailable(leaves: readonly Leaf[], because: string): Publication {
  const asked = leaves.filter((leaf) => leaf.isRequired).map((leaf) => leaf.pointer);
  return {
    status: 'unavailable',
    result: null,
    result_schema_valid: null,
    missing_fields: asked.length > 0 ? asked : leaves.length === 0 ? [''] : leaves.map((leaf) => leaf.pointer),
    evidence: [],
    issues: bounded([because]),
  };
}

function bounded(issues: readonly string[]): readonly string[] {
  const distinct = [...new Set(issues)].map((issue) =>
    issue.length > ISSUE_LENGTH ? `${issue.slice(0, ISSUE_LENGTH - 1)}…` : issue,
  );
  return distinct.slice(0, ISSUE_LIMIT);
}

interface Tree {
  value: JsonValue | undefined;
}

/** Containers that are being built; frozen to the outside by the types. */
type Container = JsonValue[] | Record<string, JsonValue>;

function place(tree: Tree, path: string, value: JsonValue): void {
  const steps = pointerSteps(path) ?? [];
  const [first, ...rest] = steps;
  if (first === undefined) {
    tree.value = value;
    return;
  }
  if (!isContainer(tree.value) || (Array.isArray(tree.value) !== isIndex(first) && isEmpty(tree.value))) {
    tree.value = isIndex(first) ? [] : {};
  }
  let at = tree.value as Container; // made or checked just above
  let step = first;
  for (const next of rest) {
    const known = read(at, step);
    const inner: Container = isContainer(known) ? (known as Container) : isIndex(next) ? [] : {}; // as: we built it
    write(at, step, inner);
    at = inner;
    step = next;
  }
  write(at, step, value);
}

function read(container: Container, step: string): JsonValue | undefined {
  if (Array.isArray(container)) return container[Number(step)];
  return Object.hasOwn(container, step) ? container[step] : undefined;
}

/** Defines an own property whatever its name, `__proto__` included; holes of an array become null. */
function write(container: Container, step: string, value: JsonValue): void {
  if (!Array.isArray(container)) {
    Object.defineProperty(container, step, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const index = Number(step);
  if (!Number.isInteger(index) || index > ARRAY_LIMIT) return;
  while (container.length < index) container.push(null);
  container[index] = value;
}

const ARRAY_LIMIT = 200;

function isContainer(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isIndex(step: string): boolean {
  return /^(?:0|[1-9]\d{0,5})$/.test(step);
}

/**
 * Closes the gaps that dropped items leave in lists, in the paths of answers and evidence alike; places of a tuple, which the
 * schema names one by one, stay where they are.
 */
function withoutHoles(leaves: readonly Leaf[], verified: Verified) {
  const used = new Map<string, number[]>();
  for (const { path } of verified.claims) {
    for (const [list, index] of indexesIn(path)) {
      const known = used.get(list) ?? [];
      if (!known.includes(index))
        used.set(
          list,
          [...known, index].sort((left, right) => left - right),
        );
    }
  }
  const isTuple = (list: string): boolean => leaves.some((leaf) => leaf.pointer.startsWith(`${list}/1`));
  const rename = (path: string): string => {
    let renamed = '';
    let original = '';
    for (const part of path.split('/').slice(1)) {
      const index = used.get(original)?.indexOf(Number(part)) ?? -1;
      renamed += isIndex(part) && index >= 0 && !isTuple(original) ? `/${index}` : `/${part}`;
      original += `/${part}`;
    }
    return renamed;
  };
  return {
    renamed: verified.claims.map((claim) => ({ ...claim, path: rename(claim.path) })),
    evidence: verified.evidence.map((each) => ({ ...each, path: rename(each.path) })),
  };
}

function indexesIn(path: string): readonly (readonly [list: string, index: number])[] {
  const found: (readonly [string, number])[] = [];
  let list = '';
  for (const part of path.split('/').slice(1)) {
    if (isIndex(part)) found.push([list, Number(part)]);
    list += `/${part}`;
  }
  return found;
}
