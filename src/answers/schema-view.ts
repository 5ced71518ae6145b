// One JSON Schema as the walk over it sees it: references resolved, `allOf` merged, null branches taken out. Never throws on a
// schema that passed admission's check; what it cannot read it leaves out.
import { pointerSteps } from '../contract/json-pointer.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A schema with its references and `allOf` folded in; `branches` are the non-null alternatives of anyOf/oneOf, if any. */
export interface SchemaView {
  readonly own: Schema;
  readonly branches: readonly SchemaView[];
  readonly isNullable: boolean;
  /** References and parents on the way here, so that recursion ends. */
  readonly seen: ReadonlySet<unknown>;
}

/** The document, and how many more schemas may be looked at: shared definitions can be met exponentially often. */
export interface Walk {
  readonly root: unknown;
  budget: number;
}

export const WALK_BUDGET = 20_000; // twenty times the subschemas that admission lets through

const DEPTH_LIMIT = 32; // the nesting that admission lets through

export function isSchemaObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Looks at `schema` from where the walk stands.
 * @param seen schemas that are being walked already; meeting one again ends the walk there
 * @returns null for `false`, for a schema that only allows null, for recursion, and when the budget is used up
 */
export function viewOf(walk: Walk, schema: unknown, seen: ReadonlySet<unknown>, depth = 0): SchemaView | null {
  if (schema === true) return { own: {}, branches: [], isNullable: false, seen };
  walk.budget -= 1;
  if (!isSchemaObject(schema) || depth > DEPTH_LIMIT || seen.has(schema) || walk.budget < 0) return null;
  const within = new Set(seen).add(schema);
  let merged: SchemaView = { own: withoutApplicators(schema), branches: [], isNullable: false, seen: within };

  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    const target = viewOf(walk, resolve(walk.root, reference), within, depth + 1);
    if (target === null) return null;
    merged = merge(merged, target);
  }
  for (const part of listOf(schema['allOf'])) {
    const view = viewOf(walk, part, within, depth + 1);
    if (view === null) return null;
    merged = merge(merged, view);
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const parts = listOf(schema[keyword]);
    if (parts.length === 0) continue;
    const open = parts
      .filter((part) => !isNullOnly(part))
      .map((part) => viewOf(walk, part, within, depth + 1))
      .filter((view) => view !== null);
    if (open.length === 0) return null;
    const hasNull = parts.some(isNullOnly) || open.some((view) => view.isNullable);
    const [only] = open;
    if (open.length === 1 && only !== undefined) merged = merge(merged, only);
    else merged = { ...merged, branches: [...merged.branches, ...open.map((view) => underOwn(merged, view))] };
    if (hasNull && allowsNull(schema)) merged = { ...merged, isNullable: true };
  }
  return withoutNull(merged);
}

/** The types left after null is taken out; empty when the schema names none. */
export function typesOf(view: SchemaView): readonly string[] {
  return stringsOf(view.own['type']).filter((type) => type !== 'null');
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function stringsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

function withoutApplicators(schema: Schema): Schema {
  const { $ref: _ref, $dynamicRef: _dynamic, allOf: _all, anyOf: _any, oneOf: _one, ...own } = schema;
  return own;
}

function isNullOnly(schema: unknown): boolean {
  if (!isSchemaObject(schema)) return false;
  return schema['type'] === 'null' || schema['const'] === null || isOnlyNull(schema['enum']);
}

function isOnlyNull(values: unknown): boolean {
  return Array.isArray(values) && values.length > 0 && values.every((value) => value === null);
}

function allowsNull(schema: Schema): boolean {
  const types = stringsOf(schema['type']);
  return types.length === 0 || types.includes('null');
}

function withoutNull(view: SchemaView): SchemaView | null {
  const { own } = view;
  const types = stringsOf(own['type']);
  if (types.length > 0 && types.every((type) => type === 'null')) return null;
  if (own['const'] === null || isOnlyNull(own['enum'])) return null;
  const values = own['enum'];
  const enumAllowsNull = !Array.isArray(values) || values.includes(null);
  const typeSaysNull = types.includes('null');
  const isNullable = view.isNullable || (typeSaysNull && enumAllowsNull && !('const' in own));
  const nullFromEnum = Array.isArray(values) && values.includes(null) && (types.length === 0 || typeSaysNull);
  return {
    ...view,
    own: Array.isArray(values) ? { ...own, enum: values.filter((value) => value !== null) } : own,
    isNullable: isNullable || nullFromEnum,
  };
}

/** A branch says its own words; what it leaves open, the schema around it says. */
function underOwn(around: SchemaView, branch: SchemaView): SchemaView {
  const { title: _title, description: _description, ...shared } = around.own;
  return { ...merge({ ...around, own: shared, branches: [] }, branch), branches: branch.branches };
}

/** Both hold; of two titles or descriptions the outer one is said. */
function merge(outer: SchemaView, inner: SchemaView): SchemaView {
  const own: Record<string, unknown> = { ...inner.own, ...outer.own };
  const outerTypes = stringsOf(outer.own['type']);
  const innerTypes = stringsOf(inner.own['type']);
  if (outerTypes.length > 0 && innerTypes.length > 0) {
    const both = outerTypes.filter(
      (type) => innerTypes.includes(type) || (type === 'number' && innerTypes.includes('integer')),
    );
    own['type'] = both.map((type) => (type === 'number' && !innerTypes.includes('number') ? 'integer' : type));
  }
  if (Array.isArray(outer.own['enum']) && Array.isArray(inner.own['enum'])) {
    const allowed = new Set<unknown>(inner.own['enum']);
    own['enum'] = outer.own['enum'].filter((value) => allowed.has(value));
  }
  if (isSchemaObject(outer.own['properties']) && isSchemaObject(inner.own['properties'])) {
    own['properties'] = mergeProperties(inner.own['properties'], outer.own['properties']);
  }
  if (Array.isArray(outer.own['required']) || Array.isArray(inner.own['required'])) {
    own['required'] = [...new Set([...stringsOf(inner.own['required']), ...stringsOf(outer.own['required'])])];
  }
  tighten(own, outer.own, inner.own);
  return {
    own,
    branches: [...outer.branches, ...inner.branches],
    isNullable: inner.isNullable && (outerTypes.length === 0 || outerTypes.includes('null')),
    seen: new Set([...outer.seen, ...inner.seen]),
  };
}

function tighten(own: Record<string, unknown>, outer: Schema, inner: Schema): void {
  for (const [keywords, pick] of [
    [['minimum', 'exclusiveMinimum', 'minLength', 'minItems'], Math.max],
    [['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'], Math.min],
  ] as const) {
    for (const keyword of keywords) {
      const [left, right] = [outer[keyword], inner[keyword]];
      if (typeof left === 'number' && typeof right === 'number') own[keyword] = pick(left, right);
    }
  }
}

function mergeProperties(first: Schema, second: Schema): Schema {
  const merged = new Map(Object.entries(first));
  for (const [name, schema] of Object.entries(second)) {
    merged.set(name, merged.has(name) ? { allOf: [schema, merged.get(name)] } : schema);
  }
  return Object.fromEntries(merged); // defines own properties, `__proto__` included
}

/** Finds a reference inside the document: `#`, `#/json/pointer`, `#anchor`. @returns undefined when it leads nowhere */
function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let fragment: string;
  try {
    fragment = decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
  if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(root, fragment, 0);
  let found: unknown = root;
  for (const step of pointerSteps(fragment) ?? []) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[step]; // hasOwn above
  }
  return found;
}

function findAnchor(within: unknown, anchor: string, depth: number): unknown {
  if (typeof within !== 'object' || within === null || depth > 2 * DEPTH_LIMIT) return undefined;
  if (isSchemaObject(within)) {
    if (within['$anchor'] === anchor || within['$dynamicAnchor'] === anchor || within['$id'] === `#${anchor}`)
      return within;
  }
  for (const part of Object.values(within)) {
    const found = findAnchor(part, anchor, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
