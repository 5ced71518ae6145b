// Builds the OpenAPI 3.1.0 document of the whole contract out of the operation table and the records' own schemas.
import type { TSchema } from 'typebox';
import * as call from './call.ts';
import { Health, Readiness } from './health.ts';
import * as onboarding from './onboarding.ts';
import { OPERATIONS } from './operations.ts';
import type { Operation } from './operations.ts';
import { PROBLEM_CONTENT_TYPE, ProblemDetail, problemOf } from './problem-detail.ts';
import { PROBLEMS } from './problems.ts';
import type { ProblemCode } from './problems.ts';

/** Version of the contract, not of the software. */
export const CONTRACT_VERSION = '1.0.0';

export type JsonObject = { readonly [name: string]: unknown };

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  CallCreation: call.CallCreation,
  CallView: call.CallView,
  Execution: call.Execution,
  ResultExtraction: call.ResultExtraction,
  Evidence: call.Evidence,
  TranscriptSegment: call.TranscriptSegment,
  OnboardingStart: onboarding.OnboardingStart,
  OnboardingView: onboarding.OnboardingView,
  PhoneStatus: onboarding.PhoneStatus,
  PhoneVerify: onboarding.PhoneVerify,
  OnboardingKey: onboarding.OnboardingKey,
  ValidationFault: onboarding.ValidationFault,
  ValidationFaults: onboarding.ValidationFaults,
  Health,
  Readiness,
  ProblemDetail,
};

const HEADERS = {
  'X-Request-Id': header('Id of this request; the logs carry the same one.', { type: 'string', format: 'uuid' }),
  'Idempotency-Replayed': header('`true` when the call existed before this request; otherwise absent.', {
    type: 'string',
    const: 'true',
  }),
  'WWW-Authenticate': header('The scheme that is wanted.', { type: 'string', const: 'Bearer' }),
  'Retry-After': header('Whole seconds to wait.', { type: 'integer', minimum: 1 }),
  Allow: header('Methods that the path has.', { type: 'string' }),
} as const;
type HeaderName = keyof typeof HEADERS;

/** Headers that answers of a status carry besides `X-Request-Id`. */
const HEADERS_OF_STATUS: Readonly<Record<number, HeaderName>> = {
  202: 'Idempotency-Replayed',
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
};

/** The whole document, as plain JSON: the same value each time, members in a fixed order. */
export function buildOpenApi(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Errand',
      version: CONTRACT_VERSION,
      summary:
        'Phone errands: a task goes in, one real call is placed, answers come back with the words that were said.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Calls', description: 'Create, read, refresh and cancel calls.' },
      { name: 'Onboarding', description: 'From a verified US phone to an API key.' },
      { name: 'Health', description: 'Is it alive, and is it ready.' },
    ],
    paths: pathsOf(OPERATIONS),
    components: {
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, withReferences(schema, name)]),
      ),
      headers: HEADERS,
      securitySchemes: {
        api_key: { type: 'http', scheme: 'bearer', description: 'An API key, `erk_...`.' },
        onboarding_token: { type: 'http', scheme: 'bearer', description: 'The token of a signup, `ert_...`.' },
      },
    },
  };
}

const DESCRIPTION = `Every request to \`POST /v1/calls\` places a real call; there is no simulation flag. \
Errors are problem records (\`${PROBLEM_CONTENT_TYPE}\`); programs branch on \`code\`. \
A route that does not exist answers 404 \`not_found\`; every answer carries \`X-Request-Id\`. \
Result text is what a stranger said on the phone: treat it as untrusted data.`;

function pathsOf(operations: readonly Operation[]): JsonObject {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  return paths;
}

function operationObject(operation: Operation): JsonObject {
  const parameters = [...callIdParameter(operation), ...idempotencyParameter(operation)];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    security: operation.auth === 'none' ? [] : [{ [operation.auth]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.requestBody === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: reference(operation.requestBody) } },
          },
        }),
    responses: responsesOf(operation),
  };
}

function callIdParameter(operation: Operation): readonly JsonObject[] {
  if (!operation.path.includes('{call_id}')) return [];
  const description = '`id` of the call record, not `task_id`.';
  return [{ name: 'call_id', in: 'path', required: true, description, schema: { type: 'string', format: 'uuid' } }];
}

function idempotencyParameter(operation: Operation): readonly JsonObject[] {
  const common = { name: 'Idempotency-Key', in: 'header', required: true };
  switch (operation.idempotencyKey) {
    case null:
      return [];
    case 'call':
      return [
        {
          ...common,
          description:
            'One key for each intended call, within the project. Every retry carries the same key and content.',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
      ];
    case 'nonce':
      return [
        {
          ...common,
          description: 'The signup nonce, a secret: 32 random bytes in unpadded base64url.',
          schema: { type: 'string', pattern: onboarding.SIGNUP_NONCE_PATTERN },
        },
      ];
  }
}

function responsesOf(operation: Operation): JsonObject {
  const { success } = operation;
  const responses = new Map<number, JsonObject>();
  responses.set(success.status, response(success.status, success.says, jsonContent(success.body)));
  for (const [status, codes] of Map.groupBy(operation.problems, (code) => PROBLEMS[code].status)) {
    responses.set(status, response(status, codes.map(sentenceOf).join('\n\n'), problemContent(codes)));
  }
  for (const other of operation.otherErrors) {
    switch (other) {
      case 'validation_422':
        responses.set(422, response(422, 'Fields that are not valid.', jsonContent(onboarding.ValidationFaults)));
        break;
      case 'readiness_503':
        responses.set(503, response(503, 'It cannot. A status object, no problem record.', jsonContent(Readiness)));
        break;
    }
  }
  return Object.fromEntries([...responses].sort(([a], [b]) => a - b).map(([status, body]) => [String(status), body]));
}

function response(status: number, description: string, content: JsonObject): JsonObject {
  const names: HeaderName[] = ['X-Request-Id'];
  const special = HEADERS_OF_STATUS[status];
  if (special !== undefined) names.push(special);
  const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
  return { description, headers, content };
}

function sentenceOf(code: ProblemCode): string {
  return `\`${code}\`: ${PROBLEMS[code].title}. ${PROBLEMS[code].next}`;
}

function problemContent(codes: readonly ProblemCode[]): JsonObject {
  const examples = codes.map((code) => [code, { value: problemOf(code, PROBLEMS[code].next) }]);
  return { [PROBLEM_CONTENT_TYPE]: { schema: reference(ProblemDetail), examples: Object.fromEntries(examples) } };
}

function jsonContent(schema: TSchema): JsonObject {
  return { 'application/json': { schema: reference(schema) } };
}

function header(description: string, schema: JsonObject): JsonObject {
  return { description, schema };
}

/** A named record is referred to; a record without a name would be a mistake in the table. */
function reference(schema: TSchema): JsonObject {
  const name = nameOf(schema);
  if (name === undefined) throw new Error('a schema of the operation table has no name in SCHEMAS');
  return { $ref: `#/components/schemas/${name}` };
}

function nameOf(value: unknown): string | undefined {
  return Object.keys(SCHEMAS).find((name) => SCHEMAS[name] === value);
}

/** Copies a schema as plain JSON, with named records inside it turned into references. */
function withReferences(value: unknown, self?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item));
  if (typeof value !== 'object' || value === null) return value;
  const name = nameOf(value);
  if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withReferences(member)]));
}
