// `npm run demo`: a whole errand on this machine. Starts the service as `npm start` does, but with free ports and a data
// folder that is thrown away; programs a phone; posts a task; shows the call live; prints the record. Exits 0 when every
// answer was found, 1 otherwise.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { CLINIC, FRONT_DESK, TASK } from './errand.ts';
import { show } from './terminal.ts';

const DEADLINE_MS = 60_000;
const POLL_MS = 100;
const TERMINAL: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

interface Service {
  readonly url: string;
  readonly key: string;
  readonly child: ChildProcess;
  readonly log: string[];
}

interface PhoneCall {
  readonly heard: readonly string[];
  readonly said: readonly string[];
}

interface Call {
  readonly id: string;
  readonly state: string;
  readonly execution: { readonly stage: string; readonly error_code: string | null };
  readonly summary: string | null;
  readonly result_extraction: { readonly status: string } | null;
}

async function main(): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-demo-'));
  let service: Service | null = null;
  try {
    show.step('starting the service, with a data folder that is thrown away');
    service = await start(folder);
    show.step(`ready at ${service.url}`);
    return await runErrand(service);
  } catch (error) {
    show.bad(error instanceof Error ? error.message : String(error));
    process.stderr.write(`${service?.log.slice(-20).join('\n') ?? ''}\n`);
    return 1;
  } finally {
    if (service !== null && service.child.exitCode === null) {
      const ended = once(service.child, 'exit');
      service.child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }); // an interrupted database may still be ending
  }
}

async function start(folder: string): Promise<Service> {
  const main = path.join(import.meta.dirname, '..', 'src', 'main.ts');
  const child = spawn(process.execPath, [main, 'all'], {
    env: { ...process.env, PORT: '0', ERRAND_DATA_DIR: folder, DATABASE_URL: '', SIP_TRUNK_URI: '', LLM_PROVIDER: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Whoever interrupts the demo ends the service too: what still asks it then fails, and the folder is taken away.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGTERM'));
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (each) => log.push(each));
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (each) => {
      const ready = /^errand ready (\S+)/.exec(each);
      if (ready?.[1] !== undefined) resolve(ready[1]);
    });
    child.once('exit', (code) =>
      reject(new Error(`the service ended with ${code} before it was ready:\n${log.join('\n')}`)),
    );
  });
  const key = await readFile(path.join(folder, 'owner-key'), 'utf8');
  return { url, key: key.trim(), child, log };
}

async function runErrand(service: Service): Promise<number> {
  const phone = `${service.url}/local/phones/${CLINIC}`;
  await ask('PUT', phone, {}, FRONT_DESK);
  show.step(`a phone is programmed: ${CLINIC}, a clinic's front desk that types (real-time text over SIP and RTP)`);

  const headers = { authorization: `Bearer ${service.key}`, 'idempotency-key': crypto.randomUUID() };
  const created = (await ask('POST', `${service.url}/v1/calls`, headers, TASK)) as Call;
  show.step(`202, call ${created.id}: ${TASK.objective}`);
  show.blank();

  const call = await follow(service, created, phone);
  show.blank();
  show.record(call);
  show.blank();
  const isComplete = call.state === 'completed' && call.result_extraction?.status === 'complete';
  if (isComplete)
    show.good('Every answer was found, each with the words that were said. Next: README.md, "Start the service".');
  else show.bad(`The errand ended as ${call.state}, extraction ${call.result_extraction?.status ?? 'none'}.`);
  return isComplete ? 0 : 1;
}

/** Polls the call and the phone, prints what is new, until the result is there. */
async function follow(service: Service, created: Call, phone: string): Promise<Call> {
  const giveUpAt = performance.now() + DEADLINE_MS;
  const seen = { state: '', heard: 0, said: 0 };
  for (;;) {
    const authorization = `Bearer ${service.key}`;
    const call = (await ask('GET', `${service.url}/v1/calls/${created.id}`, { authorization })) as Call;
    const { calls } = (await ask('GET', phone, {})) as { readonly calls: readonly PhoneCall[] };
    showWords(calls.at(-1), seen);
    const state = `${call.state} (stage ${call.execution.stage}${call.execution.error_code === null ? '' : `, ${call.execution.error_code}`})`;
    if (state !== seen.state) show.state(state);
    seen.state = state;
    if (TERMINAL.has(call.state) && call.result_extraction?.status !== 'pending') return call;
    if (performance.now() > giveUpAt) throw new Error(`no result within ${DEADLINE_MS / 1000} s; last state ${state}`);
    await pause(POLL_MS);
  }
}

/** Words in the order they fall: the front desk greets first, and from then on each line it says answers one it heard. */
function showWords(call: PhoneCall | undefined, seen: { heard: number; said: number }): void {
  if (call === undefined) return;
  for (;;) {
    const [said, heard] = [call.said[seen.said], call.heard[seen.heard]];
    if (said !== undefined && (seen.said <= seen.heard || heard === undefined)) {
      show.recipient(said);
      seen.said += 1;
    } else if (heard !== undefined) {
      show.assistant(heard);
      seen.heard += 1;
    } else return;
  }
}

async function ask(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: {
      'user-agent': 'errand-demo',
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
}

process.exitCode = await main();
