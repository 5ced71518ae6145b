// Ports of 127.0.0.1 that nobody has, for peers that cannot take port 0. Another process may still take one before the peer
// binds it; the range that the system gives out is large enough for that not to happen in a test run.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** @returns a port free for UDP and TCP */
export async function freePort(): Promise<number> {
  for (;;) {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => {
      socket.bind(0, '127.0.0.1', resolve);
    });
    const { port } = socket.address();
    await new Promise<void>((resolve) => {
      socket.close(() => resolve());
    });
    if (await isFreeForTcp(port)) return port;
  }
}

function isFreeForTcp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true));
    });
  });
}

/** @returns an even port whose `count` successors look free too: the system gives ports out from below this range */
export async function freePortRange(count: number): Promise<number> {
  for (let first = 61_000 + 2 * Math.floor(Math.random() * 1_500); first + count < 65_535; first += count) {
    if (await isFreeForTcp(first)) return first;
  }
  throw new Error('no free range of ports');
}
