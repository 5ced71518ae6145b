// A language-model server on loopback that answers from a script, over the OpenAI-compatible chat-completions protocol,
// streaming and whole. It keeps every request as it came, so that a test can prove what a model was never told.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LanguageModelSettings } from '../../src/platform/language-model.ts';

export interface ScriptedCall {
  readonly name: string;
  /** An object becomes JSON; a string is sent as it stands, so that a test can send what is not JSON. */
  readonly arguments: object | string;
}

export type ScriptedAnswer =
  /** Says `text`, in pieces of `pieceLength` characters (default 7) when the client asked for a stream, then calls tools. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly calls?: readonly ScriptedCall[];
      readonly pieceLength?: number;
    }
  /** Structured output: `value` as JSON text. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** An HTTP error. */
  | { readonly kind: 'error'; readonly status: number; readonly message?: string; readonly retryAfter?: string }
  /** Says `text` if there is any and then nothing more, with the connection open. */
  | { readonly kind: 'stall'; readonly text?: string }
  /** Says `text` if there is any and then cuts the connection. */
  | { readonly kind: 'cut'; readonly text?: string }
  /** Answers 200 with these bytes, whatever they are. */
  | { readonly kind: 'garbage'; readonly body: string; readonly contentType?: string };

export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  /** The body parsed; null when it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly isStream: boolean;
}

/** The answers in order, or a function that gives the answer to the request of that number, from 0. */
export type ModelScript = readonly ScriptedAnswer[] | ((request: ModelRequest, number: number) => ScriptedAnswer);

const DEFAULT_PIECE_LENGTH = 7;
const REQUEST_LIMIT_BYTES = 4 * 1024 * 1024;
const MODEL = 'scripted';

/** A running server. When the script is used up it answers 500, so that an unexpected request fails its test. */
export class ScriptedModel {
  /** Every request so far, oldest first, with its headers: keys and prompts included. */
  readonly requests: ModelRequest[] = [];
  /** For `openLanguageModel`. */
  readonly settings: LanguageModelSettings;
  readonly #server: Server;
  readonly #script: ModelScript;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  private constructor(server: Server, script: ModelScript) {
    this.#server = server;
    this.#script = script;
    // as: a TCP server that listens has an address with a port
    const { port } = server.address() as AddressInfo;
    this.settings = {
      provider: 'openai-compatible',
      model: MODEL,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      apiKey: 'scripted-model-key',
    };
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy()); // the client sees a cut connection
    });
  }

  static async start(script: ModelScript): Promise<ScriptedModel> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedModel(server, script);
  }

  /** Resolves when at least `count` requests have come. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(message);
    const number = this.requests.push(request) - 1;
    for (const waiter of this.#waiting) if (this.requests.length >= waiter.count) waiter.resolve();
    const scripted = typeof this.#script === 'function' ? this.#script(request, number) : this.#script[number];
    const answer = scripted ?? { kind: 'error', status: 500, message: `the script has no answer number ${number}` };
    if (request.isStream) await stream(answer, response);
    else whole(answer, response);
  }
}

async function read(message: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    // as: without an encoding a request gives buffers
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > REQUEST_LIMIT_BYTES) throw new Error('request is too large for the scripted model');
    chunks.push(bytes);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const body = parseObject(text);
  return { path: message.url ?? '', headers: message.headers, text, body, isStream: body?.['stream'] === true };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    // as: a JSON value that is an object and no array is a record
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const ENVELOPE = { id: 'chatcmpl-scripted', created: 1_700_000_000, model: MODEL };
const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };

function whole(answer: ScriptedAnswer, response: ServerResponse): void {
  switch (answer.kind) {
    case 'text':
    case 'json': {
      const calls = answer.kind === 'text' ? toolCalls(answer.calls ?? []) : [];
      const content = answer.kind === 'text' ? answer.text : JSON.stringify(answer.value);
      const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
      const choice = { index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...ENVELOPE, object: 'chat.completion', choices: [choice], usage: USAGE }));
      return;
    }
    case 'error':
      return refuse(answer, response);
    case 'stall':
      return; // the client's deadline is what is being tested
    case 'cut':
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': answer.contentType ?? 'application/json' });
      response.end(answer.body);
  }
}

async function stream(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  if (answer.kind === 'error') return refuse(answer, response);
  response.writeHead(200, {
    'content-type': answer.kind === 'garbage' ? (answer.contentType ?? 'text/event-stream') : 'text/event-stream',
  });
  if (answer.kind === 'garbage') {
    response.end(answer.body);
    return;
  }
  const text = answer.kind === 'json' ? JSON.stringify(answer.value) : (answer.text ?? '');
  const pieceLength = answer.kind === 'text' ? (answer.pieceLength ?? DEFAULT_PIECE_LENGTH) : DEFAULT_PIECE_LENGTH;
  await send(response, { role: 'assistant', content: '' });
  for (let start = 0; start < text.length; start += pieceLength) {
    await send(response, { content: text.slice(start, start + pieceLength) });
  }
  if (answer.kind === 'stall') return;
  if (answer.kind === 'cut') {
    response.destroy();
    return;
  }
  const calls = answer.kind === 'text' ? toolCalls(answer.calls ?? []) : [];
  if (calls.length > 0) await send(response, { tool_calls: calls });
  await send(response, {}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

/** One server-sent event; resolves when the bytes have been handed to the socket. */
async function send(response: ServerResponse, delta: object, finish: string | null = null): Promise<void> {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  const usage = finish === null ? {} : { usage: USAGE };
  const line = `data: ${JSON.stringify({ ...ENVELOPE, object: 'chat.completion.chunk', choices, ...usage })}\n\n`;
  await new Promise<void>((resolve) => {
    response.write(line, () => resolve());
  });
}

function toolCalls(calls: readonly ScriptedCall[]): object[] {
  return calls.map((call, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
}

function refuse(answer: Extract<ScriptedAnswer, { kind: 'error' }>, response: ServerResponse): void {
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    ...(answer.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter }),
  });
  response.end(JSON.stringify({ error: { message: answer.message ?? 'scripted error', type: 'scripted' } }));
}
