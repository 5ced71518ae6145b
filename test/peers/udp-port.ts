// Whether somebody has bound a UDP port of 127.0.0.1.
import { createSocket } from 'node:dgram';

export function isUdpPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close(() => resolve(true));
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.close(() => resolve(false));
    });
  });
}
