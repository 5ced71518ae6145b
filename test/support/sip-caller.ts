// A SIP line with media, on loopback, and what its legs tell: for tests that place calls to real far ends.
import { createMedia } from '../../src/line/media/media.ts';
import type { MediaCounts, MediaSession } from '../../src/line/media/media-session.ts';
import type { Leg, LegEvent } from '../../src/line/line.ts';
import { openSipLine, type SipLine, type SipLineSettings } from '../../src/line/sip/sip-line.ts';
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { createLogger } from '../../src/platform/log.ts';
import { freePortRange } from '../peers/free-ports.ts';
import { until } from './until.ts';

type EventOf<Kind extends LegEvent['kind']> = Extract<LegEvent, { readonly kind: Kind }>;

/** One dialled call. */
export interface DialledCall {
  readonly leg: Leg;
  /** Everything that was told, in order. */
  readonly events: readonly LegEvent[];
  /** The kinds, without `record`. */
  readonly kinds: () => string[];
  /** Waits for the first event of a kind. */
  readonly told: <Kind extends LegEvent['kind']>(kind: Kind) => Promise<EventOf<Kind>>;
  /** RTP packets of the call's media so far. */
  readonly counts: () => MediaCounts;
}

export interface SipCaller extends AsyncDisposable {
  readonly line: SipLine;
  readonly dial: (to?: string, callId?: string) => DialledCall;
}

/** @param port of the trunk on 127.0.0.1 */
export async function openSipCaller(port: number, settings: Partial<SipLineSettings> = {}): Promise<SipCaller> {
  const parts = { clock: systemClock, chance: systemChance };
  const firstPort = await freePortRange(60);
  const media = createMedia({
    ...parts,
    host: '127.0.0.1',
    firstPort,
    lastPort: firstPort + 59,
    onError: (error) => {
      throw error;
    },
  });
  const sessions: MediaSession[] = [];
  const line = await openSipLine(
    {
      trunkUri: `sip:127.0.0.1:${port}`,
      credentials: null,
      callerNumber: '+15550100100',
      localAddress: '127.0.0.1',
      localPort: 0,
      ringMs: 10_000,
      acknowledgeMs: 5_000,
      ...settings,
    },
    {
      ...parts,
      log: createLogger('silent'),
      media: {
        async open(listener) {
          const session = await media.open(listener);
          sessions.push(session);
          return session;
        },
        [Symbol.asyncDispose]: () => media[Symbol.asyncDispose](),
      },
    },
  );
  return {
    line,
    dial(to = '+15550100199', callId = systemChance.uuid()) {
      const events: LegEvent[] = [];
      const index = sessions.length;
      const leg = line.dial(line.prepare({ callId, to, callerName: 'Ada "the Countess" Lovelace' }), (event) => {
        events.push(event);
      });
      return {
        leg,
        events,
        kinds: () => events.filter((event) => event.kind !== 'record').map((event) => event.kind),
        told: (kind) =>
          until(`the leg tells ${kind}`, () =>
            events.find((event): event is EventOf<typeof kind> => event.kind === kind),
          ),
        counts: () => sessions[index]?.counts ?? NOTHING,
      };
    },
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await media[Symbol.asyncDispose]();
    },
  };
}

const NOTHING: MediaCounts = { audioSent: 0, audioReceived: 0, textSent: 0, textReceived: 0, ignored: 0 };
