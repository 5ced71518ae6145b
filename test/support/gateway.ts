// A gateway on a free port over a control plane that a test scripts: the seam between door and hall, and nothing else, is faked.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import type { CallView } from '../../src/contract/call.ts';
import type {
  CallRequest,
  ControlPlane,
  CreateCallRequest,
  CreatedCall,
} from '../../src/control-plane/control-plane.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import type { Gateway, GatewayOptions } from '../../src/gateway/gateway.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';

/** A record as admission makes it. */
export const FRESH_CALL: CallView = {
  id: '0199aa00-0000-7000-8000-000000000001',
  task_id: '0199aa00-0000-7000-8000-000000000002',
  execution: { stage: 'queued', error_code: null },
  state: 'queued',
  to: '+15550100101',
  objective: 'Ask when they open.',
  caller_identity: { name: 'Ada' },
  summary: null,
  transcript: [],
  result: null,
  result_schema_valid: null,
  result_extraction: { status: 'pending', missing_fields: [], evidence: [], issues: [] },
  created_at: '2026-11-20T12:00:00.000Z',
  started_at: null,
  completed_at: null,
};

/** Answers as a test says, and keeps what it was asked. */
export class ScriptedControlPlane implements ControlPlane {
  readonly asked: (CreateCallRequest | CallRequest)[] = [];
  create: (request: CreateCallRequest) => Promise<CreatedCall> = async () => ({ call: FRESH_CALL, isReplay: false });
  /** For get, sync and cancel. */
  answer: (request: CallRequest) => Promise<CallView> = async () => FRESH_CALL;
  readiness: () => Promise<void> = async () => undefined;

  createCall(request: CreateCallRequest): Promise<CreatedCall> {
    this.asked.push(request);
    return this.create(request);
  }

  getCall(request: CallRequest): Promise<CallView> {
    this.asked.push(request);
    return this.answer(request);
  }

  syncCall(request: CallRequest): Promise<CallView> {
    this.asked.push(request);
    return this.answer(request);
  }

  cancelCall(request: CallRequest): Promise<CallView> {
    this.asked.push(request);
    return this.answer(request);
  }

  ready(): Promise<void> {
    return this.readiness();
  }
}

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly gateway: Gateway;
  /** Every log line so far. */
  readonly logLines: string[];
}

/** Starts a gateway; `controlPlane` is a scripted one unless the test brings its own. */
export async function startGateway(options: Partial<GatewayOptions> = {}): Promise<TestGateway> {
  const logLines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void logLines.push(line) });
  const gateway = await createGateway({
    controlPlane: new ScriptedControlPlane(),
    host: '127.0.0.1',
    port: 0,
    log,
    clock: systemClock,
    chance: systemChance,
    ...options,
  });
  const url = await gateway.listen();
  return {
    url,
    port: Number(new URL(url).port),
    gateway,
    logLines,
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface Asking {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** One request over a connection of its own. Path and headers go out as they are, malformed ones too. */
export function ask(port: number, asking: Asking): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { method = 'GET', path, headers = {}, body } = asking;
  const request = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
    });
  });
  request.on('error', reject);
  request.end(typeof body === 'string' ? Buffer.from(body) : body); // as a string it would take the headers' bytes along as UTF-8
  return promise;
}

/** Writes bytes to a fresh connection and gives back all that came until it was closed at the other end. */
export function askRaw(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined); // a reset ends the answer; `close` follows
  socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  for (const piece of pieces) socket.write(piece);
  return promise;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
