// Compiles result schemas and validates values against them. Runs in a worker thread: it may take as long as it likes, its
// caller may not, and ends the thread when it takes too long.
import { Ajv } from 'ajv';
import type { AnySchemaObject, ErrorObject, Options, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { pointerStep } from '../../contract/json-pointer.ts';
import type { Dialect, SchemaFault } from './bounds.ts';
import { linearPatterns } from './linear-pattern.ts';

export type Checked = { readonly ok: true } | SchemaFault;
export type Validated = { readonly ok: true } | { readonly ok: false; readonly issues: readonly string[] };

/** Compiled schemas kept for the next validation. */
const CACHE_LIMIT = 64;
export const ISSUE_LIMIT = 20;

const OPTIONS: Options = {
  strict: false, // unknown keywords and formats are annotations
  allErrors: true,
  logger: false,
  validateFormats: true,
  code: { regExp: linearPatterns },
};

export class SchemaCompiler {
  private readonly engines = new Map<Dialect, Ajv>();
  private readonly compiled = new Map<string, ValidateFunction>();

  /** Checks a schema against its meta-schema and compiles it. Never throws. */
  check(text: string, dialect: Dialect): Checked {
    const schema = parse(text);
    const engine = this.engine(dialect);
    if (engine.validateSchema(schema) !== true) return faultOf(engine.errors ?? []);
    try {
      const validate = this.compile(text, dialect);
      validate(null); // a schema that only refers to itself never comes back: found here, not at the first answer
      return { ok: true };
    } catch (error) {
      return { ok: false, ...locate(schema, error) };
    }
  }

  /** @param text a schema that passed `check`. @throws when it does not compile or runs out of stack */
  validate(text: string, dialect: Dialect, value: unknown): Validated {
    const validate = this.compile(text, dialect);
    if (validate(value)) return { ok: true };
    const issues = (validate.errors ?? [])
      .slice(0, ISSUE_LIMIT)
      .map((error) => `${error.instancePath || '/'} ${error.message ?? 'is not valid'}`);
    return { ok: false, issues };
  }

  private compile(text: string, dialect: Dialect): ValidateFunction {
    const key = `${dialect}:${text}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known;
    const schema = parse(text);
    const engine = this.engine(dialect);
    const validate = engine.compile(schema);
    engine.removeSchema(schema);
    this.compiled.set(key, validate);
    const [oldest] = this.compiled.keys();
    if (this.compiled.size > CACHE_LIMIT && oldest !== undefined) this.compiled.delete(oldest);
    return validate;
  }

  private engine(dialect: Dialect): Ajv {
    const known = this.engines.get(dialect);
    if (known !== undefined) return known;
    const engine = dialect === '2020-12' ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
    addFormats.default(engine);
    this.engines.set(dialect, engine);
    return engine;
  }
}

/** The root's `$id` would name the schema in the engine, `$async` would change what validating means: neither belongs here. */
function parse(text: string): AnySchemaObject {
  const schema = JSON.parse(text) as AnySchemaObject; // the text was made from an object by checkBounds
  delete schema['$id'];
  delete schema['$async'];
  return schema;
}

/** The meta-schema's deepest complaint is the one about the word that is wrong. */
function faultOf(errors: readonly ErrorObject[]): SchemaFault {
  const depth = (error: ErrorObject) => error.instancePath.split('/').length;
  let worst = errors[0];
  for (const error of errors) if (worst === undefined || depth(error) > depth(worst)) worst = error;
  const allowed: unknown = worst?.params['allowedValues'];
  const choices = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  return {
    ok: false,
    pointer: worst?.instancePath ?? '',
    wanted: `a valid JSON Schema here (${worst?.message ?? 'not valid'}${choices})`,
  };
}

/** Where a compile error comes from: a pattern is found by trying each one, anything else is told of the root. */
function locate(schema: unknown, error: unknown): { readonly pointer: string; readonly wanted: string } {
  const pointer = findBadPattern(schema, '');
  if (pointer !== null)
    return { pointer, wanted: 'a regular expression without look-around, back-references and repeats above 1000' };
  if (error instanceof RangeError) return { pointer: '', wanted: 'a schema that does not refer to itself without end' };
  return {
    pointer: '',
    wanted: `a schema that can be compiled (${error instanceof Error ? error.message : 'unknown fault'})`,
  };
}

function findBadPattern(schema: unknown, pointer: string): string | null {
  if (typeof schema !== 'object' || schema === null) return null;
  for (const [name, inner] of Object.entries(schema)) {
    const here = pointer + pointerStep(name);
    if (name === 'pattern' && typeof inner === 'string' && !isPattern(inner)) return here;
    if (name === 'patternProperties' && typeof inner === 'object' && inner !== null) {
      const bad = Object.keys(inner).find((pattern) => !isPattern(pattern));
      if (bad !== undefined) return here + pointerStep(bad);
    }
    const found = findBadPattern(inner, here);
    if (found !== null) return found;
  }
  return null;
}

function isPattern(pattern: string): boolean {
  try {
    linearPatterns(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
