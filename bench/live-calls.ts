// Memory of a live text call: many phones that answer and stay silent, in an exchange of another process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pause } from '../src/platform/clock.ts';
import { Service, makeFolder, removeFolder } from '../test/support/service.ts';
import { memoryOf } from './support/memory-of.ts';
import { report } from './support/report.ts';

const CALLS = 100;
const DEADLINE_MS = 60_000;

export async function run(): Promise<void> {
  await using made = new AsyncDisposableStack();
  const folder = await makeFolder();
  made.defer(() => removeFolder(folder));
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'support', 'silent-phones.ts'), folder, String(CALLS)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  made.defer(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const started = await Service.start(path.join(folder, 'data'), {
    SIP_TRUNK_URI: `sip:127.0.0.1:${port}`,
    LOG_LEVEL: 'warn',
    CREATES_PER_MINUTE: '1000000',
    READS_PER_MINUTE: '1000000',
    WORKER_CAPACITY: '1000',
  });
  const service = made.use(started);
  const authorization = `Bearer ${await service.ownerKey()}`;
  const before = await memoryOf(service);
  const ids: string[] = [];
  for (let at = 0; at < CALLS; at++) {
    const to = `+1555400${String(at).padStart(4, '0')}`;
    const answer = await service.ask('POST', '/v1/calls', {
      headers: { authorization, 'idempotency-key': to },
      body: {
        to,
        objective: 'Ask the price.',
        result_schema: { type: 'object', properties: { price: { type: 'number' } } },
      },
    });
    ids.push((answer.json as { id: string }).id);
  }
  const giveUpAt = performance.now() + DEADLINE_MS;
  for (;;) {
    const states = await Promise.all(
      ids.map(
        async (id) =>
          ((await service.ask('GET', `/v1/calls/${id}`, { headers: { authorization } })).json as { state: string })
            .state,
      ),
    );
    if (states.every((state) => state === 'in_progress')) break;
    if (performance.now() > giveUpAt) throw new Error(`not all calls are live: ${states.join(' ')}`);
    await pause(100);
  }
  await pause(2_000); // every call has said its opening and listens
  const live = await memoryOf(service);
  report('live-calls', {
    calls: CALLS,
    idle_mb: before,
    live_mb: live,
    service_kb_per_call: Math.round(((live.service - before.service) * 1024) / CALLS),
  });
}
