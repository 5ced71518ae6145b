// The cheap bounds on a result schema, checked on the main thread before anything is compiled: size, depth, number of
// subschemas, dialect, and that no reference leaves the document. Pure; its cost is linear in the size.

import { pointerStep } from '../../contract/json-pointer.ts';

export const SIZE_LIMIT_BYTES = 64 * 1024;
/** Schemas within schemas, the root counted. */
export const DEPTH_LIMIT = 32;
/** Objects and arrays within one another: a schema in `properties` stands two of them deeper than the one around it. */
const JSON_DEPTH_LIMIT = 2 * DEPTH_LIMIT;
export const SUBSCHEMA_LIMIT = 1_000;

export type Dialect = '2020-12' | 'draft-07';

/** What is wrong: a JSON Pointer into the schema, and in plain words what is wanted there. */
export interface SchemaFault {
  readonly ok: false;
  readonly pointer: string;
  readonly wanted: string;
}

export interface BoundedSchema {
  readonly ok: true;
  readonly dialect: Dialect;
  /** The schema as JSON text; also what identifies it. */
  readonly text: string;
}

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema#', '2020-12'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['http://json-schema.org/draft-07/schema#', 'draft-07'],
]);

/** Keywords whose value is one schema, an array of schemas, or a map of schemas, in both dialects. */
const ONE = [
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
];
const ONE_MORE = ['propertyNames', 'if', 'then', 'else', 'not', 'contentSchema'];
const MANY = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const MAP = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'];
const REFERENCES = ['$ref', '$dynamicRef'];

const fault = (pointer: string, wanted: string): SchemaFault => ({ ok: false, pointer, wanted });

/** Checks every bound that needs no compiler. @returns the first fault in document order, references last */
export function checkBounds(schema: unknown): BoundedSchema | SchemaFault {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return fault('', 'a JSON Schema object');
  const walk = new SchemaWalk();
  walk.visit(schema, '', 1);
  if (jsonDepth(schema) > JSON_DEPTH_LIMIT)
    return walk.fault ?? fault('', `at most ${JSON_DEPTH_LIMIT} levels of objects and arrays`);
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > SIZE_LIMIT_BYTES) return fault('', `at most ${SIZE_LIMIT_BYTES / 1024} KiB`);
  const named: unknown = '$schema' in schema ? schema.$schema : undefined;
  const dialect = named === undefined ? '2020-12' : typeof named === 'string' ? DIALECTS.get(named) : undefined;
  if (dialect === undefined) return fault('/$schema', 'JSON Schema 2020-12 or draft-07');
  return walk.fault ?? walk.danglingReference() ?? { ok: true, dialect, text };
}

/** Levels of nesting of a JSON value; stops counting just above the limit, so that hostile depth costs nothing. */
function jsonDepth(value: unknown, depth = 1): number {
  if (typeof value !== 'object' || value === null || depth > JSON_DEPTH_LIMIT) return depth;
  let deepest = depth;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null) deepest = Math.max(deepest, jsonDepth(inner, depth + 1));
    if (deepest > JSON_DEPTH_LIMIT) break;
  }
  return deepest;
}

/** Goes to every place where a schema stands, and to no other: `{const: {$ref: ...}}` is data. */
class SchemaWalk {
  fault: SchemaFault | null = null;
  private readonly places = new Set<string>();
  private readonly references: { readonly pointer: string; readonly target: string }[] = [];

  visit(schema: unknown, pointer: string, level: number): void {
    if (this.fault !== null) return;
    if (level > DEPTH_LIMIT) {
      this.fault = fault(pointer, `at most ${DEPTH_LIMIT} levels of schemas`);
      return;
    }
    this.places.add(pointer);
    if (this.places.size > SUBSCHEMA_LIMIT) {
      this.fault = fault(pointer, `at most ${SUBSCHEMA_LIMIT} subschemas`);
      return;
    }
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return; // booleans; the rest the meta-schema refuses
    const own: Readonly<Record<string, unknown>> = { ...schema };
    this.checkIdentifiers(own, pointer);
    for (const keyword of [...ONE, ...ONE_MORE]) {
      if (Object.hasOwn(own, keyword) && !Array.isArray(own[keyword]))
        this.visit(own[keyword], `${pointer}/${keyword}`, level + 1);
    }
    for (const keyword of MANY) {
      const parts: unknown = own[keyword];
      if (Array.isArray(parts)) parts.forEach((part, at) => this.visit(part, `${pointer}/${keyword}/${at}`, level + 1));
    }
    for (const keyword of MAP) {
      const parts: unknown = own[keyword];
      if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) continue;
      for (const [name, part] of Object.entries(parts)) {
        if (!Array.isArray(part)) this.visit(part, `${pointer}/${keyword}${pointerStep(name)}`, level + 1);
      }
    }
  }

  private checkIdentifiers(own: Readonly<Record<string, unknown>>, pointer: string): void {
    for (const keyword of REFERENCES) {
      const target = own[keyword];
      if (typeof target !== 'string') continue;
      if (target.startsWith('#')) this.references.push({ pointer: `${pointer}/${keyword}`, target: target.slice(1) });
      else this.fault ??= fault(`${pointer}/${keyword}`, 'a reference within this document, starting with #');
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = own[keyword];
      if (typeof name === 'string') this.places.add(name);
    }
    if (own['$id'] !== undefined && pointer !== '') this.fault ??= fault(`${pointer}/$id`, 'no $id below the root');
    if (own['$recursiveRef'] !== undefined)
      this.fault ??= fault(`${pointer}/$recursiveRef`, 'a $ref of 2020-12 or draft-07');
  }

  danglingReference(): SchemaFault | null {
    const dangling = this.references.find(
      ({ target }) => !this.places.has(target) && !this.places.has(decoded(target)),
    );
    return dangling === undefined ? null : fault(dangling.pointer, 'a reference to a schema that is in this document');
  }
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
