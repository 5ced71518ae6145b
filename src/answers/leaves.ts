// The answers that a result schema asks for, in schema order. Reads JSON Schema 2020-12 and draft-07 as people write them;
// what it cannot ask for as one spoken answer (maps, free-form objects) it leaves out, and validation has the last word.
import type { Choice, JsonScalar, Leaf, LeafKind } from './leaf.ts';
import { kindOf } from './leaf-kind.ts';
import { pointerStep } from '../contract/json-pointer.ts';
import { wordsOf } from './names.ts';
import { isSchemaObject, listOf, typesOf, viewOf, WALK_BUDGET } from './schema-view.ts';
import type { SchemaView, Walk } from './schema-view.ts';

/** Nobody answers more questions than this in one call. */
export const LEAF_LIMIT = 60;
const CHOICE_LIMIT = 200;
const PARENT_DEPTH_LIMIT = 12;

interface Place {
  readonly pointer: string;
  readonly name: string;
  readonly parents: readonly string[];
  readonly isRequired: boolean;
  /** Inside a list only a single spoken value can be an item. */
  readonly isItem: boolean;
}

/**
 * The askable leaves of a result schema.
 * @param schema a JSON Schema that passed admission's check; anything else gives what can be read of it
 * @returns at most LEAF_LIMIT leaves in schema order; none where nothing can be asked for; never throws
 */
export function leavesOf(schema: unknown): Leaf[] {
  const walk: Walk = { root: schema, budget: WALK_BUDGET };
  const view = viewOf(walk, schema, new Set());
  if (view === null) return [];
  const leaves: Leaf[] = [];
  collect(walk, view, { pointer: '', name: '', parents: [], isRequired: true, isItem: false }, leaves);
  return leaves;
}

function collect(walk: Walk, view: SchemaView, place: Place, leaves: Leaf[]): void {
  if (leaves.length >= LEAF_LIMIT) return;
  if (!place.isItem && isObjectLike(view)) return collectProperties(walk, view, place, leaves);
  if (!place.isItem && isTuple(view)) return collectTuple(walk, view, place, leaves);
  if (!place.isItem && isListLike(view)) {
    const itemView = viewOf(walk, itemsOf(view), view.seen);
    const isListOfObjects = itemView !== null && (isObjectLike(itemView) || isTuple(itemView) || isListLike(itemView));
    if (isListOfObjects) {
      // Of a list of records the first one is asked for.
      const isRequired = place.isRequired;
      const first = { ...place, pointer: `${place.pointer}/0`, isRequired };
      return collect(walk, itemView, first, leaves);
    }
  }
  const leaf = leafOf(walk, view, place);
  if (leaf !== null) leaves.push(leaf);
}

function collectProperties(walk: Walk, view: SchemaView, place: Place, leaves: Leaf[]): void {
  if (place.parents.length >= PARENT_DEPTH_LIMIT) return;
  const { properties, required } = objectShape(view);
  const parents = place.name === '' ? place.parents : [...place.parents, spokenName(view, place.name)];
  for (const [name, schema] of properties) {
    const inner = viewOf(walk, schema, view.seen);
    if (inner === null) continue;
    const isRequired = place.isRequired && (required === null || required.has(name));
    const pointer = place.pointer + pointerStep(name);
    collect(walk, inner, { pointer, name: wordsOf(name), parents, isRequired, isItem: false }, leaves);
  }
}

function collectTuple(walk: Walk, view: SchemaView, place: Place, leaves: Leaf[]): void {
  for (const [index, schema] of tupleOf(view).entries()) {
    const inner = viewOf(walk, schema, view.seen);
    if (inner === null) continue;
    const least = numberOrNull(view.own['minItems']) ?? Number.POSITIVE_INFINITY;
    const isRequired = place.isRequired && index < least;
    collect(walk, inner, { ...place, pointer: `${place.pointer}/${index}`, isRequired }, leaves);
  }
}

/** Properties of the object itself, then of the object branches of its anyOf/oneOf; required: null without the keyword. */
function objectShape(view: SchemaView): {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string> | null;
} {
  const properties = new Map<string, unknown[]>();
  const objects = view.branches.filter(isObjectLike);
  for (const part of [view, ...objects]) {
    for (const [name, schema] of Object.entries(isSchemaObject(part.own['properties']) ? part.own['properties'] : {})) {
      const known = properties.get(name) ?? [];
      if (!known.includes(schema)) properties.set(name, [...known, schema]);
    }
  }
  const ownRequired = requiredOf(view);
  const branchRequired = objects.map(requiredOf);
  const everywhere = [...properties.keys()].filter((name) => branchRequired.every((names) => names?.has(name) ?? true));
  const isSilent = ownRequired === null && branchRequired.every((names) => names === null);
  const required = objects.length === 0 ? (ownRequired ?? new Set()) : new Set([...(ownRequired ?? []), ...everywhere]);
  return {
    properties: new Map(
      [...properties].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }]),
    ),
    required: isSilent ? null : required,
  };
}

function requiredOf(view: SchemaView): ReadonlySet<string> | null {
  const required = view.own['required'];
  return Array.isArray(required) ? new Set(required.filter((name) => typeof name === 'string')) : null;
}

function leafOf(walk: Walk, view: SchemaView, place: Place): Leaf | null {
  const scalars = view.branches.filter((branch) => !isObjectLike(branch) && !isListLike(branch) && !isTuple(branch));
  if (view.branches.length > 0) {
    if (scalars.length === 0) {
      const [first] = view.branches;
      return first === undefined || !isListLike(first) || isTuple(first) ? null : leafOf(walk, first, place);
    }
    const choices = scalars.map(choicesOf);
    if (choices.every((each) => each.length > 0)) return choiceLeaf(view, place, choices.flat());
    const readings = scalars
      .map((branch) => leafOf(walk, branch, place))
      .filter((leaf) => leaf !== null)
      .sort((left, right) => rankOf(left.kind) - rankOf(right.kind));
    const [first, ...others] = distinctKinds(readings);
    if (first === undefined) return null;
    const said = textsOf(view);
    const isNullable = view.isNullable || readings.some((leaf) => leaf.isNullable);
    return {
      ...first,
      isNullable,
      title: said.title ?? first.title,
      description: said.description ?? first.description,
      alternatives: others,
    };
  }
  const choices = choicesOf(view);
  if (choices.length > 0) return choiceLeaf(view, place, choices);
  if (isListLike(view)) return listLeaf(walk, view, place);
  if (isObjectLike(view)) return null;
  return plainLeaf(view, place);
}

function choiceLeaf(view: SchemaView, place: Place, choices: readonly Choice[]): Leaf {
  const distinct = choices.filter(
    (choice, index) => choices.findIndex((other) => other.value === choice.value) === index,
  );
  const leaf = plainLeaf(view, place);
  const isBoolean = distinct.every((choice) => typeof choice.value === 'boolean');
  const isWholeBoolean = isBoolean && distinct.length === 2;
  return {
    ...leaf,
    kind: isBoolean ? 'boolean' : 'choice',
    choices: isWholeBoolean ? [] : distinct.slice(0, CHOICE_LIMIT),
  };
}

function listLeaf(walk: Walk, view: SchemaView, place: Place): Leaf | null {
  const itemView = viewOf(walk, itemsOf(view), view.seen);
  const item = itemView === null ? null : leafOf(walk, itemView, { ...place, isItem: true });
  if (item === null || item.kind === 'list') return null;
  return { ...plainLeaf(view, place), kind: 'list', item };
}

function plainLeaf(view: SchemaView, place: Place): Leaf {
  const { own } = view;
  const said = textsOf(view);
  return {
    pointer: place.pointer,
    kind: kindOf(view, place.name),
    name: place.name,
    parents: place.parents,
    ...said,
    choices: [],
    format: stringOrNull(own['format']),
    pattern: stringOrNull(own['pattern']),
    minimum: numberOrNull(own['minimum']),
    maximum: numberOrNull(own['maximum']),
    exclusiveMinimum: numberOrNull(own['exclusiveMinimum']),
    exclusiveMaximum: numberOrNull(own['exclusiveMaximum']),
    multipleOf: numberOrNull(own['multipleOf']),
    minLength: numberOrNull(own['minLength']),
    maxLength: numberOrNull(own['maxLength']),
    minItems: numberOrNull(own['minItems']),
    maxItems: numberOrNull(own['maxItems']),
    isRequired: place.isRequired,
    isNullable: view.isNullable,
    item: null,
    alternatives: [],
  };
}

function choicesOf(view: SchemaView): readonly Choice[] {
  const { own } = view;
  if (view.branches.length > 0) {
    const each = view.branches.map(choicesOf);
    return each.every((choices) => choices.length > 0) ? each.flat() : [];
  }
  const hasConst = 'const' in own;
  const values = hasConst ? [own['const']] : listOf(own['enum']);
  const types = typesOf(view);
  const description = hasConst || values.length === 1 ? wordsOrNull(own['description']) : null;
  return values.filter(isScalar).flatMap((value): readonly Choice[] => {
    if (value === null || (types.length > 0 && !types.some((type) => isOfType(value, type)))) return [];
    const title = hasConst || values.length === 1 ? wordsOrNull(own['title']) : null;
    return [{ value, label: title ?? (typeof value === 'string' ? spokenValue(value) : String(value)), description }];
  });
}

const WEEKDAY_SHORT: ReadonlyMap<string, string> = new Map(
  ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((day) => [
    day.slice(0, 3).toLowerCase(),
    day,
  ]),
);

/** `after_hours` -> `after hours`; what holds spaces or other signs is said as it is. */
function spokenValue(value: string): string {
  const weekday = WEEKDAY_SHORT.get(value.toLowerCase());
  if (weekday !== undefined) return weekday;
  if (/^\p{Lu}\p{Ll}*$/u.test(value)) return value; // "Monday", "S": a word as it is written
  return /^[\p{L}\p{N}_-]+$/u.test(value) && /[\p{L}]/u.test(value) ? wordsOf(value) : value;
}

function distinctKinds(leaves: readonly Leaf[]): readonly Leaf[] {
  return leaves.filter((leaf, index) => leaves.findIndex((other) => other.kind === leaf.kind) === index);
}

const MOST_SPECIFIC_FIRST: readonly LeafKind[] = [
  'choice',
  'boolean',
  'date_time',
  'date',
  'time',
  'email',
  'phone',
  'uri',
  'integer',
  'number',
  'list',
  'name',
  'text',
];

function rankOf(kind: LeafKind): number {
  return MOST_SPECIFIC_FIRST.indexOf(kind);
}

function isObjectLike(view: SchemaView): boolean {
  const types = typesOf(view);
  if (types.length > 0)
    return types[0] === 'object' || (types.includes('object') && isSchemaObject(view.own['properties']));
  if (isSchemaObject(view.own['properties']) || 'additionalProperties' in view.own) return true;
  return view.branches.length > 0 && view.branches.every(isObjectLike);
}

function isTuple(view: SchemaView): boolean {
  const types = typesOf(view);
  return (types.length === 0 || types.includes('array')) && tupleOf(view).length > 0;
}

function tupleOf(view: SchemaView): readonly unknown[] {
  const prefix = listOf(view.own['prefixItems']);
  return prefix.length > 0 ? prefix : listOf(view.own['items']);
}

function isListLike(view: SchemaView): boolean {
  const types = typesOf(view);
  return types.length > 0 ? types[0] === 'array' : 'items' in view.own;
}

function itemsOf(view: SchemaView): unknown {
  return view.own['items'] ?? (isSchemaObject(view.own['contains']) ? view.own['contains'] : true);
}

function textsOf(view: SchemaView): { readonly title: string | null; readonly description: string | null } {
  return { title: wordsOrNull(view.own['title']), description: wordsOrNull(view.own['description']) };
}

function spokenName(view: SchemaView, name: string): string {
  return wordsOrNull(view.own['title']) ?? name;
}

function isScalar(value: unknown): value is JsonScalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isOfType(value: JsonScalar, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** What a schema says in words, as it can be said: the mark that stands for a protected value is not for anybody's ears. */
function wordsOrNull(value: unknown): string | null {
  return stringOrNull(value)?.replaceAll(/\[REDACTED:[a-z0-9_]+\]/g, 'a private detail') ?? null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
