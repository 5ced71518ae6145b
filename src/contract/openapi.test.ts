// The committed documents are fresh, the OpenAPI document is valid 3.1, and it says what the interface says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseCallCreation } from './check-call-creation.ts';
import { buildErrorsPage } from './errors-page.ts';
import { buildOpenApi } from './openapi.ts';
import { OPERATIONS } from './operations.ts';
import { PROBLEMS } from './problems.ts';

const root = new URL('../../', import.meta.url);

interface ShownOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security: unknown;
  readonly responses: Readonly<Record<string, { readonly headers: object; readonly content: object }>>;
}

interface ShownDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document: ShownDocument = JSON.parse(JSON.stringify(buildOpenApi()));

/** The structure of an OpenAPI 3.1 document, as far as this one uses it; unknown members are faults. */
const objectOf = (properties: object, required: readonly string[], rest: unknown = false) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: rest,
});
const text = { type: 'string', minLength: 1 };
const mapOf = (schema: unknown) => ({ type: 'object', additionalProperties: schema });
const schemaOrReference = { type: 'object' };
const mediaTypes = {
  ...mapOf(objectOf({ schema: schemaOrReference, examples: mapOf(objectOf({ value: true }, ['value'])) }, ['schema'])),
  minProperties: 1,
};
const parameter = objectOf(
  {
    name: text,
    in: { enum: ['path', 'header'] },
    required: { type: 'boolean' },
    description: text,
    schema: schemaOrReference,
  },
  ['name', 'in', 'required', 'schema'],
);
const operation = objectOf(
  {
    operationId: text,
    tags: { type: 'array', items: text, minItems: 1 },
    summary: text,
    description: text,
    security: { type: 'array', items: mapOf({ type: 'array', items: text }) },
    parameters: { type: 'array', items: parameter, minItems: 1 },
    requestBody: objectOf({ required: { const: true }, content: mediaTypes }, ['required', 'content']),
    responses: {
      type: 'object',
      patternProperties: {
        '^[1-5][0-9][0-9]$': objectOf({ description: text, headers: mapOf(schemaOrReference), content: mediaTypes }, [
          'description',
        ]),
      },
      additionalProperties: false,
      minProperties: 1,
    },
  },
  ['operationId', 'tags', 'summary', 'security', 'responses'],
);
const STRUCTURE = objectOf(
  {
    openapi: { const: '3.1.0' },
    info: objectOf(
      {
        title: text,
        version: text,
        summary: text,
        description: text,
        license: objectOf({ name: text, identifier: text }, ['name']),
      },
      ['title', 'version'],
    ),
    servers: { type: 'array', items: objectOf({ url: text }, ['url']) },
    tags: { type: 'array', items: objectOf({ name: text, description: text }, ['name']) },
    paths: {
      type: 'object',
      patternProperties: { '^/': objectOf({ get: operation, post: operation }, []) },
      additionalProperties: false,
    },
    components: objectOf(
      {
        schemas: mapOf({ type: 'object' }),
        headers: mapOf(objectOf({ description: text, schema: schemaOrReference }, ['schema'])),
        securitySchemes: mapOf(
          objectOf({ type: { const: 'http' }, scheme: { const: 'bearer' }, description: text }, ['type', 'scheme']),
        ),
      },
      ['schemas', 'securitySchemes'],
    ),
  },
  ['openapi', 'info', 'paths'],
);

/** Statuses of each operation, as the interface lists them, with 405 and 413, which it leaves to us. */
const STATUSES: Readonly<Record<string, string>> = {
  createCall: '202 400 401 402 403 405 409 413 422 429 502 503',
  getCall: '200 401 403 404 405 409 422 429 502 503',
  syncCall: '200 401 403 404 405 409 422 429 502 503',
  cancelCall: '200 401 403 404 405 409 422 429 502 503',
  startOnboarding: '200 400 405 409 413 422 429 502 503',
  resendCode: '200 401 405 429 502 503',
  verifyPhone: '200 400 401 405 413 422 429 502 503',
  completeOnboarding: '200 401 405 409 429 502 503',
  health: '200 405',
  ready: '200 405 503',
};

/** Every `$ref` inside the document. */
function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === '$ref' && typeof member === 'string') yield member;
    else yield* referencesIn(member);
  }
}

function resolve(reference: string): unknown {
  let value: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/'))
    value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

function operationsIn(): readonly (readonly [path: string, operation: ShownOperation])[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => [path, operation] as const),
  );
}

test('openapi.json in the repository is what the schemas say today (else: npm run contract)', async () => {
  assert.deepEqual(JSON.parse(await readFile(new URL('openapi.json', root), 'utf8')), document);
});

test('docs/errors.md in the repository is what the lists of codes say today (else: npm run contract)', async () => {
  assert.equal(await readFile(new URL('docs/errors.md', root), 'utf8'), buildErrorsPage());
});

test('the document has the structure of OpenAPI 3.1', () => {
  const validate = new Ajv2020({ strict: false }).compile(STRUCTURE);
  assert.ok(validate(document), JSON.stringify(validate.errors));
});

test('the structural check finds a response without a description and an unknown member', () => {
  const validate = new Ajv2020({ strict: false }).compile(STRUCTURE);
  for (const damage of [
    (copy: any) => delete copy.paths['/health'].get.responses['200'].description, // oxlint-disable-line typescript/no-explicit-any -- damaging
    (copy: any) => (copy.paths['/health'].get.response = {}), // oxlint-disable-line typescript/no-explicit-any -- damaging
  ]) {
    const copy = structuredClone(document);
    damage(copy);
    assert.equal(validate(copy), false);
  }
});

test('every schema is a valid JSON Schema of 2020-12', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${JSON.stringify(ajv.errors)}`);
  }
});

test('every reference resolves, and every named schema is referred to', () => {
  const references = [...referencesIn(document)];
  for (const reference of references) assert.notEqual(resolve(reference), undefined, reference);
  for (const name of Object.keys(document.components.schemas)) {
    assert.ok(references.includes(`#/components/schemas/${name}`), name);
  }
});

test('every operation has every status of the interface, its path parameter and one id', () => {
  const found = operationsIn().map(([path, { operationId, parameters, responses }]) => {
    const inPath = (parameters ?? []).filter((each) => each.in === 'path').map((each) => `{${each.name}}`);
    assert.deepEqual(inPath, path.match(/\{[^}]+\}/g) ?? []);
    return [operationId, Object.keys(responses).join(' ')];
  });
  assert.deepEqual(Object.fromEntries(found), STATUSES);
  assert.equal(found.length, OPERATIONS.length);
});

test('errors are problem records, but for the 422 of onboarding and the 503 of readiness', () => {
  const others: string[] = [];
  for (const [, { operationId, responses }] of operationsIn()) {
    for (const [status, { content }] of Object.entries(responses)) {
      const types = Object.keys(content).join(' ');
      if (status.startsWith('2')) assert.equal(types, 'application/json');
      else if (types !== 'application/problem+json') others.push(`${operationId} ${status} ${types}`);
    }
  }
  assert.deepEqual(others.sort(), [
    'ready 503 application/json',
    'startOnboarding 422 application/json',
    'verifyPhone 422 application/json',
  ]);
});

test('headers: every answer has a request id; 401, 405, 429 and the replayed 202 have theirs', () => {
  const wanted: Readonly<Record<string, string>> = {
    '202': 'Idempotency-Replayed',
    '401': 'WWW-Authenticate',
    '405': 'Allow',
    '429': 'Retry-After',
  };
  for (const [, { operationId, responses }] of operationsIn()) {
    for (const [status, { headers }] of Object.entries(responses)) {
      const special = wanted[status];
      const names = special === undefined ? ['X-Request-Id'] : ['X-Request-Id', special];
      assert.deepEqual(Object.keys(headers), names, `${operationId} ${status}`);
    }
  }
});

test('calls want an API key, the rest of onboarding its token, start and health nothing', () => {
  const security = Object.fromEntries(
    operationsIn().map(([, each]) => [each.operationId, JSON.stringify(each.security)]),
  );
  for (const id of ['createCall', 'getCall', 'syncCall', 'cancelCall']) assert.equal(security[id], '[{"api_key":[]}]');
  for (const id of ['resendCode', 'verifyPhone', 'completeOnboarding']) {
    assert.equal(security[id], '[{"onboarding_token":[]}]');
  }
  for (const id of ['health', 'ready', 'startOnboarding']) assert.equal(security[id], '[]');
});

test('every problem code that an HTTP operation can answer stands in the document', () => {
  const outsideOperations = new Set(['not_found', 'bad_request', 'request_timeout', 'headers_too_large']);
  const shown = new Set(OPERATIONS.flatMap((each) => each.problems));
  for (const code of Object.keys(PROBLEMS)) {
    assert.ok(outsideOperations.has(code) || shown.has(code as keyof typeof PROBLEMS), code);
  }
});

test('the example of a create that the document shows is a valid one', () => {
  const { CallCreation } = document.components.schemas;
  assert.ok(CallCreation !== undefined && 'examples' in CallCreation && Array.isArray(CallCreation.examples));
  for (const example of CallCreation.examples) assert.ok(parseCallCreation(JSON.stringify(example)).ok);
});

/** What each record requires, as the tables of the interface say; the rest may be left out. */
const REQUIRED: Readonly<Record<string, string>> = {
  CallCreation: 'to objective result_schema',
  CallView: 'id task_id state to objective summary result result_schema_valid created_at started_at completed_at',
  TranscriptSegment: 'sequence speaker text',
  ProblemDetail: 'title status detail code',
  OnboardingStart: 'name email phone_number acceptable_use_accepted',
  OnboardingView: 'onboarding_token expires_at phone',
  PhoneStatus: 'verified',
  PhoneVerify: 'challenge_id code',
  OnboardingKey: 'api_key project_id workspace_id login_url recharge_url password_setup_email',
  Readiness: 'status components',
};

test('each record requires what the interface requires, and null is the default of what may be left out or null', () => {
  for (const [name, required] of Object.entries(REQUIRED)) {
    const schema: { readonly required?: readonly string[] } | undefined = document.components.schemas[name];
    assert.deepEqual([...(schema?.required ?? [])].sort(), required.split(' ').sort(), name);
  }
  const { properties } = document.components.schemas['CallView'] as {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  for (const name of ['execution', 'result_extraction']) assert.equal(properties[name]?.default, null, name);
});

test('every enumeration of words says that it is a string', () => {
  const untyped: unknown[] = [];
  JSON.stringify(document, (_name, value: unknown) => {
    const isOfWords = typeof value === 'object' && value !== null && 'enum' in value && Array.isArray(value.enum);
    if (isOfWords && (value as { type?: unknown }).type !== 'string') untyped.push(value.enum);
    return value;
  });
  assert.deepEqual(untyped, []);
});
