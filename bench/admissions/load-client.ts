// A process that posts calls as fast as they are answered: a number of keep-alive connections with one request in flight each,
// plain sockets, requests built by hand, so that the client costs as little of the machine as it can.
import { connect } from 'node:net';

export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** API keys, one a project; a request takes one at random. */
  readonly tokens: readonly string[];
  readonly body: string;
}

export interface LoadFigures {
  readonly admitted: number;
  readonly other: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

if (process.send !== undefined) {
  process.once('message', (order) => {
    void load(order as LoadOrder).then((figures) => process.send?.(figures, () => process.exit(0))); // sent by the bench alone
  });
}

async function load(order: LoadOrder): Promise<LoadFigures> {
  const run = `${process.pid}-${performance.timeOrigin.toString(36)}`;
  const latencies: number[] = [];
  let admitted = 0;
  let other = 0;
  let number = 0;
  const start = performance.now();
  const end = start + order.seconds * 1000;

  const nextRequest = (): string => {
    const token = order.tokens[Math.floor(Math.random() * order.tokens.length)] ?? '';
    number += 1;
    return (
      `POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAuthorization: Bearer ${token}\r\n` +
      `Idempotency-Key: ${run}-${number}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(order.body)}\r\n\r\n${order.body}`
    );
  };

  const connection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(order.port, '127.0.0.1');
      let sentMs = 0;
      let received = '';
      const send = (): void => {
        sentMs = performance.now();
        if (sentMs >= end) {
          socket.end();
          resolve();
          return;
        }
        socket.write(nextRequest());
      };
      socket.setNoDelay(true);
      socket.once('connect', send);
      socket.once('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const head = received.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
        if (received.length < head + 4 + length) return;
        latencies.push(performance.now() - sentMs);
        if (received.startsWith('HTTP/1.1 202')) admitted += 1;
        else other += 1;
        received = '';
        send();
      });
    });

  await Promise.all(Array.from({ length: order.connections }, connection));
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { admitted, other, perSecond: admitted / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
