// All media of a process: hands out ports, binds the sockets of each call, paces every stream with one wheel.
import type { Chance, Clock } from '../../platform/clock.ts';
import { Fault } from '../../platform/errors.ts';
import type { Media, MediaListener, MediaSession } from './media-session.ts';
import { Pacer } from './pacer.ts';
import { PortPool } from './port-pool.ts';
import { RtpSession } from './rtp-session.ts';
import { openRtpSocket } from './rtp-socket.ts';
import type { RtpSocket } from './rtp-socket.ts';
import type { RtpPacket } from './rtp.ts';

export interface MediaOptions {
  /** IPv4 that sockets are bound to and that the SDP names. */
  readonly host: string;
  /** The range of UDP ports; a call takes two even ones of it. From 0 to 0: any that the system has free. */
  readonly firstPort: number;
  readonly lastPort: number;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Told of bugs in a session's frame, which no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** Ports that other programs hold are passed over; after so many something else is wrong. */
const MAX_BIND_ATTEMPTS = 100;

type Ports = Pick<PortPool, 'take' | 'release'>;

/** The system chooses. */
const ANY_PORTS: Ports = { take: () => 0, release: () => undefined };

/** Binds nothing yet. */
export function createMedia(options: MediaOptions): Media {
  const { firstPort, lastPort } = options;
  const ports = lastPort === 0 ? ANY_PORTS : new PortPool(firstPort, lastPort, options.clock, options.chance);
  const pacer = new Pacer(options.clock, options.onError);
  const sessions = new Set<MediaSession>();
  return {
    async open(listener: MediaListener): Promise<MediaSession> {
      // The sockets are there before their session is; nothing is told before it starts.
      let session: RtpSession | null = null;
      const audio = await bindSocket(options, ports, false, (packet) => session?.heardAudio(packet) ?? false);
      const text = await bindSocket(options, ports, true, (packet) => session?.heardText(packet) ?? false).catch(
        async (error: unknown) => {
          const port = audio.port;
          await audio.close();
          ports.release(port);
          throw error;
        },
      );
      const taken = [audio.port, text.port];
      const { host, clock, chance } = options;
      const opened = new RtpSession(
        {
          host,
          clock,
          chance,
          pacer,
          listener,
          closed: () => {
            sessions.delete(opened);
            for (const port of taken) ports.release(port);
          },
        },
        { audio, text },
      );
      session = opened;
      sessions.add(opened);
      return opened;
    },

    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions].map((session) => session.close()));
      pacer[Symbol.dispose]();
    },
  };
}

async function bindSocket(
  options: MediaOptions,
  ports: Ports,
  holds: boolean,
  heard: (packet: RtpPacket) => boolean,
): Promise<RtpSocket> {
  const { host, clock, chance } = options;
  let cause: unknown;
  for (let attempt = 0; attempt < MAX_BIND_ATTEMPTS; attempt += 1) {
    const port = ports.take();
    if (port === null) break;
    try {
      return await openRtpSocket(host, port, { clock, chance, heard, holds });
    } catch (error) {
      ports.release(port);
      cause = error;
    }
  }
  const range = `${options.firstPort} to ${options.lastPort}`;
  throw new Fault(`no free media port on ${host} from ${range}`, { blame: 'us', retry: 'safe', cause });
}
