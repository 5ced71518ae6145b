// Parses the body of POST /v1/calls: JSON, bounds, characters, shape, protected values. Looks at nothing else and keeps
// nothing: a fault names the field and what is wanted there, never the value that was sent.
import { CallCreation, PROTECTED_CONTEXT_LIMIT_BYTES } from './call.ts';
import { compile } from './compile.ts';
import type { Checked } from './compile.ts';
import { namesForbiddenSecret } from './forbidden-names.ts';
import { pointerStep } from './json-pointer.ts';

/** Levels of objects and arrays in a body. Keeps every later walk over it recursive and safe. */
export const NESTING_LIMIT = 128;

/** A pointer longer than this is cut where it is shown: member names are the caller's and have no limit of their own. */
const SHOWN_POINTER_LIMIT = 200;

/** `wanted` is a noun phrase, such as "a string of 1 to 4000 characters". */
export interface FieldFault {
  readonly ok: false;
  /** JSON Pointer (RFC 6901) of the first bad field; empty for the body itself. */
  readonly pointer: string;
  readonly wanted: string;
}

export interface ParsedCallCreation {
  readonly ok: true;
  readonly body: CallCreation;
  /** The same value as sent, before any default: what the payload's identity is taken from. */
  readonly json: unknown;
}

const FIELDS = Object.keys(CallCreation.properties).join(', ');

/** What is wanted at each place, by pointer; array items and protected values share the entry of their parent. */
const WANTED: Readonly<Record<string, string>> = {
  '': 'a JSON object',
  '/to': 'a phone number in E.164 form as a string: +, then 8 to 15 digits, the first not 0',
  '/objective': 'a string of 1 to 4000 characters',
  '/context': 'a JSON object',
  '/protected_context': 'an object of at most 20 members, each a string',
  '/protected_context/*': 'a string of 1 to 2000 characters',
  '/constraints': 'an array of at most 50 strings',
  '/constraints/*': 'a string of at most 500 characters',
  '/success_criteria': 'an array of at most 50 strings',
  '/success_criteria/*': 'a string of at most 500 characters',
  '/result_schema': 'a JSON Schema as a JSON object',
  '/limits': 'an object with no member but max_duration_seconds',
  '/limits/max_duration_seconds': 'a whole number from 30 to 3600',
};

const checkShape = compile(CallCreation);

/**
 * Parses and checks the body of POST /v1/calls, all but the meaning of `result_schema`. Of members with the same name the
 * last one counts, as `JSON.parse` has it. Never throws.
 */
export function parseCallCreation(text: string): ParsedCallCreation | FieldFault {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, pointer: '', wanted: 'JSON' };
  }
  // Only an escape can bring NUL or a lone surrogate into a text that was decoded from UTF-8.
  const checkCharacters = text.includes('\\u') || !text.isWellFormed();
  const content = findBadContent(json, checkCharacters, 1);
  if (content !== null) return content;
  const shape = checkShape(json);
  if (!shape.ok) return explain(shape);
  return (
    checkProtectedContext(shape.value.protected_context) ?? {
      ok: true,
      body: shape.value,
      json,
    }
  );
}

/** The public sentence about a bad field. */
export function fieldFaultDetail(pointer: string, wanted: string): string {
  const shown = pointer.length > SHOWN_POINTER_LIMIT ? `${pointer.slice(0, SHOWN_POINTER_LIMIT)}...` : pointer;
  const place = pointer === '' ? 'The body' : `Field ${JSON.stringify(shown.toWellFormed())}`;
  return `${place} is not valid. Wanted: ${wanted}.`;
}

/** Depth first, in document order. @returns the first place with something that cannot be kept as it was sent */
function findBadContent(value: unknown, checkCharacters: boolean, level: number): FieldFault | null {
  if (typeof value === 'string') {
    return checkCharacters && !isStorable(value) ? bad('text without NUL characters and lone surrogates') : null;
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? null : bad('a number within the range of a double');
  }
  if (typeof value !== 'object' || value === null) return null;
  if (level > NESTING_LIMIT) return bad(`at most ${NESTING_LIMIT} levels of nesting`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = findBadContent(value[index], checkCharacters, level + 1);
      if (fault !== null) return below(index, fault);
    }
    return null;
  }
  for (const [name, member] of Object.entries(value)) {
    if (checkCharacters && !isStorable(name)) {
      return below(name, bad('a name without NUL characters and lone surrogates'));
    }
    const fault = findBadContent(member, checkCharacters, level + 1);
    if (fault !== null) return below(name, fault);
  }
  return null;
}

function checkProtectedContext(values: CallCreation['protected_context']): FieldFault | null {
  if (values === undefined) return null;
  let bytes = 0;
  for (const [name, value] of Object.entries(values)) {
    if (namesForbiddenSecret(name)) {
      return below('protected_context', below(name, bad('no passwords, card PINs, card codes or one-time codes')));
    }
    bytes += Buffer.byteLength(value);
  }
  if (bytes <= PROTECTED_CONTEXT_LIMIT_BYTES) return null;
  return below(
    'protected_context',
    bad(`values of at most ${PROTECTED_CONTEXT_LIMIT_BYTES} bytes together, counted in UTF-8`),
  );
}

function explain(shape: Extract<Checked<CallCreation>, { ok: false }>): FieldFault {
  const { pointer, fault } = shape;
  if (fault.keyword !== 'additionalProperties') {
    const place = pointer in WANTED ? pointer : pointer.replace(/\/[^/]*$/, '/*');
    const required = fault.keyword === 'required' ? ' (it is required)' : '';
    return { ok: false, pointer, wanted: `${WANTED[place] ?? 'what the contract says'}${required}` };
  }
  if (fault.instancePath === '/protected_context') {
    return {
      ok: false,
      pointer,
      wanted: 'a name of 1 to 64 small letters, digits and underscores that begins with a letter',
    };
  }
  const known = fault.instancePath === '' ? FIELDS : 'max_duration_seconds';
  return { ok: false, pointer, wanted: `no such field; the fields here are ${known}` };
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function bad(wanted: string): FieldFault {
  return { ok: false, pointer: '', wanted };
}

function below(step: string | number, fault: FieldFault): FieldFault {
  return { ...fault, pointer: pointerStep(step) + fault.pointer };
}
