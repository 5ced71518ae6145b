// From the 202 of an admission to the first INVITE at the phone: an idle service, one call after the other, the far end is a bare
// UDP socket in this process that answers busy, so that both moments are on one clock.
import dgram from 'node:dgram';
import { once } from 'node:events';
import { Service, makeFolder, removeFolder } from '../test/support/service.ts';
import { report, spread } from './support/report.ts';

const CALLS = 200;
const GOAL_P99_MS = 50;

export async function run(): Promise<void> {
  await using made = new AsyncDisposableStack();
  const trunk = dgram.createSocket('udp4');
  made.defer(() => void trunk.close());
  trunk.bind(0, '127.0.0.1');
  await once(trunk, 'listening');
  const { port } = trunk.address();
  const invited = new Map<string, (at: number) => void>();
  trunk.on('message', (bytes, from) => {
    const at = performance.now();
    const text = bytes.toString('latin1');
    const number = /^INVITE sip:([^@;]+)/.exec(text)?.[1];
    if (number === undefined) return;
    invited.get(number)?.(at);
    trunk.send(busy(text), from.port, from.address);
  });

  const folder = await makeFolder();
  made.defer(() => removeFolder(folder));
  const started = await Service.start(folder, {
    SIP_TRUNK_URI: `sip:127.0.0.1:${port}`,
    LOG_LEVEL: 'warn',
    CREATES_PER_MINUTE: '1000000',
  });
  const service = made.use(started);
  const authorization = `Bearer ${await service.ownerKey()}`;
  const fromAnswer: number[] = [];
  const fromRequest: number[] = [];
  const admission: number[] = [];
  for (let at = 0; at < CALLS; at++) {
    const to = `+1555300${String(at).padStart(4, '0')}`;
    const invite = new Promise<number>((resolve) => invited.set(to, resolve));
    const asked = performance.now();
    const answer = await service.ask('POST', '/v1/calls', {
      headers: { authorization, 'idempotency-key': to },
      body: {
        to,
        objective: 'Ask the price.',
        result_schema: { type: 'object', properties: { price: { type: 'number' } } },
      },
    });
    const answered = performance.now();
    if (answer.status !== 202) throw new Error(answer.text);
    const rang = await invite;
    if (at < 20) continue; // the code is warm from here on
    admission.push(answered - asked);
    fromAnswer.push(Math.max(0, rang - answered));
    fromRequest.push(rang - asked);
  }
  await service.stop();
  report('first-invite', {
    create_ms: spread(admission),
    answer_to_invite_ms: spread(fromAnswer),
    request_to_invite_ms: spread(fromRequest),
    goal_p99_ms: GOAL_P99_MS,
  });
}

function busy(invite: string): string {
  const lines = invite.split('\r\n');
  const kept = lines.filter((line) => /^(via|from|call-id|cseq|v|f|i):/i.test(line));
  const to = lines.find((line) => /^(to|t):/i.test(line)) ?? 'To: <sip:nobody@127.0.0.1>';
  return ['SIP/2.0 486 Busy Here', ...kept, `${to};tag=bench`, 'Content-Length: 0', '', ''].join('\r\n');
}
