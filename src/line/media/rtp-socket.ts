// One UDP socket that carries one RTP stream: numbers what leaves, and lets in only what comes from where the far end said
// it would be. Behind a NAT that is another port, so the first good packet from an allowed host decides (latching).
import { createSocket } from 'node:dgram';
import type { RemoteInfo, Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Chance, Clock } from '../../platform/clock.ts';
import { buildRtp, parseRtp } from './rtp.ts';
import type { RtpPacket } from './rtp.ts';

/** After so long without a packet another port of an allowed host may take the stream over (a gateway that moved). */
const RELATCH_MS = 1_000;
/** Packets that overtake the signalling are kept for so long, and so many of them. */
const HOLD_MS = 1_000;
const MAX_HELD_PACKETS = 32;

export interface RtpPlace {
  readonly host: string;
  readonly port: number;
}

export interface RtpSocketParts {
  readonly clock: Clock;
  readonly chance: Chance;
  /** @returns whether the packet's payload type was agreed: others neither latch nor count */
  readonly heard: (packet: RtpPacket) => boolean;
  /** Whether packets wait for `release`: the first words of a call may arrive before the answer that says whose they are. */
  readonly holds: boolean;
}

/** Opens a socket on one address and port. @throws the error of `bind`, e.g. `EADDRINUSE` */
export async function openRtpSocket(host: string, port: number, parts: RtpSocketParts): Promise<RtpSocket> {
  const socket = createSocket({ type: 'udp4', lookup: passAddress });
  const bound = once(socket, 'listening');
  socket.bind(port, host);
  try {
    await bound;
  } catch (error) {
    socket.close();
    throw error;
  }
  return new RtpSocket(socket, parts);
}

/** Nothing is resolved here: SDP with anything but an IPv4 address was refused. Saves every packet a turn of the event loop. */
function passAddress(
  address: string,
  _options: unknown,
  found: (error: null, address: string, family: number) => void,
): void {
  found(null, address, 4);
}

export class RtpSocket {
  readonly #socket: Socket;
  readonly #parts: RtpSocketParts;
  readonly #ssrc: number;
  #sequence: number;
  #remote: RtpPlace | null = null;
  #allowedHosts: ReadonlySet<string> = new Set();
  #latched: (RtpPlace & { heardAtMs: number }) | null = null;
  #held: { bytes: Buffer; from: RemoteInfo; atMs: number }[] | null;
  #isClosed = false;
  sent = 0;
  received = 0;
  ignored = 0;

  constructor(socket: Socket, parts: RtpSocketParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#held = parts.holds ? [] : null;
    this.#ssrc = parts.chance.integer(2 ** 32);
    this.#sequence = parts.chance.integer(2 ** 15); // low, as RFC 3711 advises, so that no wrap comes early
    socket.on('message', (bytes, from) => this.#receive(bytes, from));
    socket.on('error', () => undefined); // a datagram that cannot leave is a lost packet
  }

  get port(): number {
    return this.#isClosed ? 0 : this.#socket.address().port;
  }

  /** Where to send, and which hosts to hear; forgets what it latched on to. */
  connect(remote: RtpPlace, signallingHost: string | undefined): void {
    this.#remote = remote;
    this.#allowedHosts = new Set([remote.host, ...(signallingHost === undefined ? [] : [signallingHost])]);
    this.#latched = null;
  }

  /** Sends one packet to where the far end is heard from, or else where it said that it is. */
  send(packet: Pick<RtpPacket, 'payloadType' | 'hasMarker' | 'timestamp' | 'payload'>): void {
    const target = this.#latched ?? this.#remote;
    if (target === null || this.#isClosed) return;
    const bytes = buildRtp({ ...packet, sequence: this.#sequence, ssrc: this.#ssrc });
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.sent += 1;
    this.#socket.send(bytes, target.port, target.host);
  }

  /** Hears what was held, unless it is old, and from now on everything at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    const sinceMs = this.#parts.clock.monotonicMs() - HOLD_MS;
    for (const { bytes, from, atMs } of held) if (atMs >= sinceMs) this.#take(bytes, from);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const closed = once(this.#socket, 'close');
    this.#socket.close();
    await closed;
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    if (this.#held === null) return this.#take(bytes, from);
    this.#held.push({ bytes, from, atMs: this.#parts.clock.monotonicMs() });
    if (this.#held.length > MAX_HELD_PACKETS) this.#held.shift();
  }

  #take(bytes: Buffer, from: RemoteInfo): void {
    const nowMs = this.#parts.clock.monotonicMs();
    const packet = this.#isAllowed(from, nowMs) ? parseRtp(bytes) : null;
    if (packet === null || !this.#parts.heard(packet)) {
      this.ignored += 1;
      return;
    }
    this.received += 1;
    this.#latched = { host: from.address, port: from.port, heardAtMs: nowMs };
  }

  #isAllowed(from: RemoteInfo, nowMs: number): boolean {
    if (!this.#allowedHosts.has(from.address)) return false;
    const latched = this.#latched;
    if (latched === null || (latched.host === from.address && latched.port === from.port)) return true;
    return nowMs - latched.heardAtMs >= RELATCH_MS;
  }
}
