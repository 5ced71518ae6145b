// Takes protected values out of what is stored as ordinary task data: every exact occurrence becomes `[REDACTED:name]`.
// In a result schema only annotations are rewritten; anywhere else a value would change what the schema means, so it is refused.
import type { CallCreation } from '../contract/call.ts';
import { pointerStep } from '../contract/json-pointer.ts';

/** Shorter values are not looked for: they would turn up by chance in most texts. Code points. */
export const REDACTABLE_LENGTH = 4;

/** Members of a schema that say something and decide nothing: JSON Schema 2020-12 validation, section 9. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', '$comment', 'default', 'examples']);
/** Members whose own members are named by the caller: a property called `title` is no annotation. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);
/** Members that hold plain JSON and no schema: an annotation's name in there is a value of the caller. */
const PLAIN_VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'required', 'dependentRequired', '$vocabulary']);

/** What is stored of a task: field for field the request, protected values redacted. */
export interface StoredBrief {
  readonly objective: string;
  readonly context: unknown;
  readonly constraints: readonly string[];
  readonly success_criteria: readonly string[];
  readonly result_schema: unknown;
}

export type Redaction =
  | { readonly ok: true; readonly brief: StoredBrief }
  /** A protected value stands in a part of the result schema that is not an annotation. JSON Pointer into the body. */
  | { readonly ok: false; readonly pointer: string };

/**
 * Redacts a request. An objective may come out longer than it went in.
 * @param body a request that passed its checks; its nesting is bounded
 */
export function redact(body: CallCreation): Redaction {
  const plain: StoredBrief = {
    objective: body.objective,
    context: body.context ?? null,
    constraints: body.constraints ?? [],
    success_criteria: body.success_criteria ?? [],
    result_schema: body.result_schema,
  };
  const redactor = Redactor.of(body.protected_context ?? {});
  if (redactor === null) return { ok: true, brief: plain };
  const schema = redactor.schema(plain.result_schema, '/result_schema');
  if (!schema.ok) return schema;
  return {
    ok: true,
    brief: {
      objective: redactor.text(plain.objective),
      context: redactor.json(plain.context),
      constraints: plain.constraints.map((each) => redactor.text(each)),
      success_criteria: plain.success_criteria.map((each) => redactor.text(each)),
      result_schema: schema.schema,
    },
  };
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Span {
  readonly from: number;
  to: number;
  readonly name: string;
}

type RedactedSchema =
  | { readonly ok: true; readonly schema: unknown }
  | { readonly ok: false; readonly pointer: string };

class Redactor {
  /** Longest first: where values overlap, the longest names the place. */
  readonly #secrets: readonly Secret[];

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets;
  }

  static of(values: Readonly<Record<string, string>>): Redactor | null {
    const secrets = Object.entries(values)
      .map(([name, value]) => ({ name, value }))
      .filter(({ value }) => isRedactable(value))
      .sort((a, b) => b.value.length - a.value.length);
    return secrets.length === 0 ? null : new Redactor(secrets);
  }

  /** Every occurrence is covered, overlapping ones too: where spans touch each other's inside, one mark stands for all. */
  text(text: string): string {
    const spans: Span[] = [];
    for (const { name, value } of this.#secrets) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
        spans.push({ from: at, to: at + value.length, name });
      }
    }
    if (spans.length === 0) return text;
    let redacted = '';
    let end = 0;
    for (const span of merge(spans)) {
      redacted += `${text.slice(end, span.from)}[REDACTED:${span.name}]`;
      end = span.to;
    }
    return redacted + text.slice(end);
  }

  /** Any JSON: strings and member names at every depth; a number or boolean that spells a value becomes a string. */
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number' || typeof value === 'boolean') {
      const spelled = JSON.stringify(value);
      const redacted = this.text(spelled);
      return redacted === spelled ? value : redacted;
    }
    if (Array.isArray(value)) return value.map((item) => this.json(item));
    if (typeof value !== 'object' || value === null) return value;
    const members: Record<string, unknown> = emptyMembers();
    for (const [name, member] of Object.entries(value)) {
      members[freeName(members, this.text(name))] = this.json(member);
    }
    return members;
  }

  /** A schema: annotations are redacted, a value anywhere else is a fault at that pointer. */
  schema(schema: unknown, pointer: string): RedactedSchema {
    if (Array.isArray(schema)) return this.#schemas(schema, pointer);
    if (typeof schema !== 'object' || schema === null) return this.#untouched(schema, pointer);
    const members: Record<string, unknown> = emptyMembers();
    for (const [name, member] of Object.entries(schema)) {
      const place = pointer + pointerStep(this.text(name));
      if (this.text(name) !== name) return { ok: false, pointer: place };
      const kept = ANNOTATIONS.has(name)
        ? { ok: true as const, schema: this.json(member) }
        : this.#keyword(name, member, place);
      if (!kept.ok) return kept;
      members[name] = kept.schema;
    }
    return { ok: true, schema: members };
  }

  #keyword(name: string, member: unknown, pointer: string): RedactedSchema {
    if (PLAIN_VALUES.has(name)) return this.#untouched(member, pointer);
    if (!NAMED_SCHEMAS.has(name) || typeof member !== 'object' || member === null || Array.isArray(member)) {
      return this.schema(member, pointer);
    }
    const members: Record<string, unknown> = emptyMembers();
    for (const [each, schema] of Object.entries(member)) {
      const place = pointer + pointerStep(this.text(each));
      if (this.text(each) !== each) return { ok: false, pointer: place };
      const kept = this.schema(schema, place);
      if (!kept.ok) return kept;
      members[each] = kept.schema;
    }
    return { ok: true, schema: members };
  }

  #schemas(items: readonly unknown[], pointer: string): RedactedSchema {
    const kept: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const each = this.schema(item, `${pointer}/${index}`);
      if (!each.ok) return each;
      kept.push(each.schema);
    }
    return { ok: true, schema: kept };
  }

  /** Plain JSON that must stay as it is: strings, numbers and member names at every depth. */
  #untouched(value: unknown, pointer: string): RedactedSchema {
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const place = pointer + pointerStep(this.text(name));
        if (!Array.isArray(value) && this.text(name) !== name) return { ok: false, pointer: place };
        const kept = this.#untouched(member, place);
        if (!kept.ok) return kept;
      }
      return { ok: true, schema: value };
    }
    return this.json(value) === value ? { ok: true, schema: value } : { ok: false, pointer };
  }
}

function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  // Where two begin at one place the longer comes first: sort() is stable and the secrets were longest first.
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || span.from >= last.to) merged.push({ ...span });
    else last.to = Math.max(last.to, span.to);
  }
  return merged;
}

function isRedactable(value: string): boolean {
  let length = 0;
  for (const _ of value) if (++length >= REDACTABLE_LENGTH) return true;
  return false;
}

/** Without a prototype, a member called `__proto__` is one like any other. */
function emptyMembers(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>; // Object.create is typed `any`
}

/** Two names that redact to the same must not swallow one another. */
function freeName(members: Readonly<Record<string, unknown>>, name: string): string {
  let free = name;
  for (let count = 2; free in members; count++) free = `${name} (${count})`;
  return free;
}
