// Compiles schemas of the contract into checks, once. Only for schemas of ours: a caller's schema never comes here, because
// compiling one is code generation on the main thread without a bound.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { pointerStep } from './json-pointer.ts';

/** Lower or upper case, any version. ajv-formats would also take a `urn:uuid:` prefix. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** RFC 3339 with `T`; the calendar is checked by `Date`. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export type Checked<Shape> =
  | { readonly ok: true; readonly value: Shape }
  /** The first fault: where (JSON Pointer) and which keyword of the schema was not met. */
  | { readonly ok: false; readonly pointer: string; readonly fault: ErrorObject };

const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { uuid: UUID, 'date-time': isMoment } });

/**
 * Compiles a schema of the contract. Lengths count code points; formats `uuid` and `date-time` are checked.
 * @returns a check that never throws and never changes the value
 */
export function compile<Schema extends TSchema>(schema: Schema): (value: unknown) => Checked<Static<Schema>> {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return { ok: true, value: value as Static<Schema> }; // what the schema has just established
    const fault = validate.errors?.[0];
    if (fault === undefined) throw new Error('the validator failed without saying why');
    return { ok: false, pointer: pointerOf(fault), fault };
  };
}

/** A missing or unknown member is named itself, not the object that lacks or has it. */
function pointerOf(fault: ErrorObject): string {
  const { missingProperty, additionalProperty } = fault.params as Record<string, unknown>; // depends on the keyword
  const member = missingProperty ?? additionalProperty;
  return typeof member === 'string' ? fault.instancePath + pointerStep(member) : fault.instancePath;
}

function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}
