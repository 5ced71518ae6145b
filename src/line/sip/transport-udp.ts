// SIP over UDP: one local port, shared by a socket that listens to everybody and one connected socket for each far end we
// send to. Connected, because the system tells only those that nobody listens at the other end (ICMP). Knows datagrams, no SIP.
import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { Fault, messageOf } from '../../platform/errors.ts';
import type { SipAddress } from './uri.ts';

export interface TransportListener {
  readonly received: (datagram: Buffer, from: SipAddress) => void;
  /** The system says that nobody listens at `to`; which of the datagrams sent there it means is not known. */
  readonly refused: (to: SipAddress, because: string) => void;
}

export interface SipTransport extends AsyncDisposable {
  /** What Via and Contact name. */
  readonly local: SipAddress;
  /** @param unsendable called when the datagram surely has not left; later, never before `send` has returned */
  send(datagram: Buffer, to: SipAddress, unsendable: (because: string) => void): void;
  /**
   * Sends an answer, which may get lost like any datagram. From the listening socket: whoever sends us requests, under
   * whatever addresses, takes up none of the connected ones.
   */
  reply(datagram: Buffer, to: SipAddress): void;
  /** Must be called once, before the first `send`. */
  listen(listener: TransportListener): void;
}

// A trunk is one far end; its routes and the targets of its calls add a few. Beyond the bound the listening socket sends.
const MAX_CONNECTED = 64;
const BIND_ATTEMPTS = 5;
// 4 MB of datagrams can wait while the process is busy; the system may give less.
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

/**
 * Binds the port.
 * @param local port 0 takes a free one
 * @throws {Fault} `blame: 'us'` when the port or address is not to be had
 */
export async function openUdpTransport(local: SipAddress): Promise<SipTransport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await bindTransport(local);
    } catch (error) {
      // Between the two binds of a free port another process can take it.
      if (local.port === 0 && attempt < BIND_ATTEMPTS) continue;
      throw new Fault(`SIP cannot use UDP ${local.host}:${local.port}: ${messageOf(error)}`, {
        blame: 'us',
        retry: 'safe',
        cause: error,
      });
    }
  }
}

async function bindTransport(local: SipAddress): Promise<SipTransport> {
  // The shared bind below would succeed beside another process that shares too: an exclusive one comes first to find out.
  const probe = createSocket({ type: 'udp4' });
  await bind(probe, local);
  const { port } = probe.address();
  await close(probe);
  const listening = createSocket({ type: 'udp4', reuseAddr: true, recvBufferSize: RECEIVE_BUFFER_BYTES });
  await bind(listening, { host: local.host, port });
  return new UdpTransport(listening, { host: local.host, port });
}

class UdpTransport implements SipTransport {
  readonly local: SipAddress;
  readonly #listening: Socket;
  readonly #connected = new Map<string, Connected>();
  #listener: TransportListener | undefined;
  #isClosed = false;

  constructor(listening: Socket, local: SipAddress) {
    this.local = local;
    this.#listening = listening;
  }

  listen(listener: TransportListener): void {
    this.#listener = listener;
    this.#hear(this.#listening);
    this.#listening.on('error', () => undefined); // belongs to no far end that we know
  }

  send(datagram: Buffer, to: SipAddress, unsendable: (because: string) => void): void {
    if (this.#isClosed) {
      queueMicrotask(() => unsendable('the line is closed'));
      return;
    }
    const flow = this.#flowTo(to);
    if (flow === null) this.#sendUnconnected(datagram, to, unsendable);
    else flow.send(datagram, unsendable);
  }

  reply(datagram: Buffer, to: SipAddress): void {
    if (!this.#isClosed) this.#sendUnconnected(datagram, to, () => undefined);
  }

  #sendUnconnected(datagram: Buffer, to: SipAddress, unsendable: (because: string) => void): void {
    this.#listening.send(datagram, to.port, to.host, (error) => {
      if (error !== null) unsendable(messageOf(error));
    });
  }

  #flowTo(to: SipAddress): Connected | null {
    const key = `${to.host}:${to.port}`;
    const known = this.#connected.get(key);
    if (known !== undefined) return known;
    if (this.#connected.size >= MAX_CONNECTED) return null;
    const socket = createSocket({ type: 'udp4', reuseAddr: true, recvBufferSize: RECEIVE_BUFFER_BYTES });
    this.#hear(socket);
    const fresh = new Connected(socket, this.local, to, {
      refused: (because) => this.#listener?.refused(to, because),
      broken: () => this.#connected.delete(key), // the next send tries anew: a route may be back
    });
    this.#connected.set(key, fresh);
    return fresh;
  }

  #hear(socket: Socket): void {
    socket.on('message', (datagram, from) => {
      if (from.port === 0) return; // forged: nothing can be sent back there
      this.#listener?.received(datagram, { host: from.address, port: from.port });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const flows = [...this.#connected.values()];
    this.#connected.clear();
    await Promise.all([close(this.#listening), ...flows.map((flow) => flow.close())]);
  }
}

interface Waiting {
  readonly datagram: Buffer;
  readonly unsendable: (because: string) => void;
}

// Binding and connecting take a millisecond; what is sent meanwhile waits.
const MAX_WAITING = 10_000;

interface ConnectedListener {
  readonly refused: (because: string) => void;
  /** The socket could not be connected; it is closed and of no more use. */
  readonly broken: () => void;
}

/** One connected socket. A pending ICMP error fails the next send before it leaves, so that one is sent a second time. */
class Connected {
  readonly #socket: Socket;
  readonly #listener: ConnectedListener;
  #isClosed = false;
  #waiting: Waiting[] | null = [];
  #fault: string | null = null;

  constructor(socket: Socket, local: SipAddress, to: SipAddress, listener: ConnectedListener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.on('error', (error) => this.#failed(error));
    this.#open(local, to).then(
      () => this.#release(null),
      (error: unknown) => this.#release(messageOf(error)),
    );
  }

  async #open(local: SipAddress, to: SipAddress): Promise<void> {
    await bind(this.#socket, local);
    await new Promise<void>((resolve, reject) => {
      this.#socket.connect(to.port, to.host, (error?: Error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  #release(fault: string | null): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#fault = fault;
    for (const each of waiting) this.send(each.datagram, each.unsendable);
    if (fault === null) return;
    this.#listener.broken();
    void this.close();
  }

  #failed(error: Error): void {
    // Before the connection stands, its promise tells.
    if (this.#waiting === null) this.#listener.refused(messageOf(error));
  }

  send(datagram: Buffer, unsendable: (because: string) => void, isSecondTry = false): void {
    if (this.#waiting !== null) {
      if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ datagram, unsendable });
      else queueMicrotask(() => unsendable(`more than ${MAX_WAITING} datagrams wait`));
      return;
    }
    const fault = this.#isClosed ? 'the line is closed' : this.#fault;
    if (fault !== null) {
      queueMicrotask(() => unsendable(fault));
      return;
    }
    this.#socket.send(datagram, (error) => {
      if (error === null) return;
      const isPending = 'code' in error && error.code === 'ECONNREFUSED';
      if (isPending && !isSecondTry) this.send(datagram, unsendable, true);
      else unsendable(messageOf(error));
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await close(this.#socket);
  }
}

function bind(socket: Socket, local: SipAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ address: local.host, port: local.port }, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

function close(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.close(() => resolve());
  });
}

/**
 * The address that this machine uses towards `to`, so that Via, Contact and SDP name one that can be reached.
 * Never throws: when `to` cannot be resolved now, it is the first address of an outside interface, or loopback.
 */
export async function localAddressTowards(to: SipAddress): Promise<string> {
  const socket = createSocket('udp4');
  try {
    const host = await resolveHost(to.host);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(to.port, host, (error?: Error) => (error === undefined ? resolve() : reject(error)));
    });
    return socket.address().address;
  } catch {
    const outside = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    return outside.find((each) => each.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.1';
  } finally {
    await close(socket);
  }
}

/** An IPv4 address of a host. @throws when there is none */
export async function resolveHost(host: string): Promise<string> {
  if (/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(host)) return host;
  return (await lookup(host, { family: 4 })).address;
}
