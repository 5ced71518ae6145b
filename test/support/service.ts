// A service in a process of its own, started the way a person starts it, with a data folder that is thrown away.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.join(import.meta.dirname, '..', '..', 'src', 'main.ts');
const READY_LIMIT_MS = 60_000;
const EXIT_LIMIT_MS = 60_000;

export type Settings = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
}

/** Runs `errand ...` to its end. */
export async function errand(
  args: readonly string[],
  settings: Settings,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = start(args, settings);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}

/** A new data folder under the system's temporary one; the caller removes it with `removeFolder`. */
export const makeFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'errand-test-'));
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 5 });

export class Service implements AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly log: string[];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string, folder: string, log: string[]) {
    this.#child = child;
    this.url = url;
    this.folder = folder;
    this.log = log;
  }

  /** Starts a role and waits until it says that it is ready. */
  static async start(folder: string, settings: Settings = {}, role = 'all'): Promise<Service> {
    const child = start([role], { ERRAND_DATA_DIR: folder, ...settings });
    const log: string[] = [];
    createInterface({ input: notNull(child.stderr) }).on('line', (line) => log.push(line));
    const ready = Promise.withResolvers<string>();
    createInterface({ input: notNull(child.stdout) }).on('line', (line) => {
      const url = /^errand (?:[a-z-]+ )?ready ?(\S*)/.exec(line);
      if (url !== null) ready.resolve(url[1] ?? '');
    });
    const tooLate = setTimeout(() => ready.reject(new Error(`not ready in time:\n${log.join('\n')}`)), READY_LIMIT_MS);
    child.once('exit', (code) => ready.reject(new Error(`ended with ${code} before it was ready:\n${log.join('\n')}`)));
    try {
      return new Service(child, await ready.promise, folder, log);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      clearTimeout(tooLate);
    }
  }

  get pid(): number {
    assert.ok(this.#child.pid !== undefined);
    return this.#child.pid;
  }

  /** The owner's key, as the first start left it. */
  async ownerKey(): Promise<string> {
    return (await readFile(path.join(this.folder, 'owner-key'), 'utf8')).trim();
  }

  async ask(
    method: string,
    route: string,
    options: { readonly headers?: Settings; readonly body?: unknown } = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.url}${route}`, {
      method,
      headers: { 'user-agent': 'errand-tests', ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, headers: response.headers, text, json };
  }

  /** SIGTERM, then waits. @returns the exit status */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** `kill -9`, then waits until the process is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    const tooLate = setTimeout(() => child.kill('SIGKILL'), EXIT_LIMIT_MS);
    await ended;
    clearTimeout(tooLate);
    return child.exitCode;
  }
}

function start(args: readonly string[], settings: Settings): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', HOME: tmpdir(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function collect(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const chunk of notNull(stream)) text += String(chunk);
  return text;
}

function notNull<T>(value: T | null): T {
  assert.ok(value !== null);
  return value;
}
