// What two ends agree on: audio in G.711 with telephone events, real-time text with or without redundancy. Pure: SDP in,
// SDP out. Descriptions come from strangers: reading never throws. IPv4 and plain RTP only; anything else is declined.
import { isIPv4 } from 'node:net';
import { parse, write } from 'sdp-transform';
import type { MediaDescription, SessionDescription } from 'sdp-transform';
import { messageOf } from '../../platform/errors.ts';
import type { G711Law } from './g711.ts';
import { DEFAULT_CHARACTERS_PER_SECOND, GENERATIONS } from './t140.ts';
import type { TextFormat } from './t140.ts';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Where one stream of the far end is. */
interface StreamPlace {
  /** IPv4. */
  readonly host: string;
  readonly port: number;
  /** As the far end states it: `sendonly` means that it does not want to hear us. */
  readonly direction: Direction;
}

export interface RemoteAudio extends StreamPlace {
  readonly kind: 'audio';
  readonly law: G711Law;
  /** Payload type of `law`. */
  readonly audioType: number;
  /** Payload type of telephone events; null: none agreed. */
  readonly eventType: number | null;
}

export interface RemoteText extends StreamPlace {
  readonly kind: 'text';
  readonly format: TextFormat;
}

/** One m-line, in order; `declined` ones must still be answered. */
export type RemoteStream = RemoteAudio | RemoteText | { readonly kind: 'declined'; readonly line: MediaDescription };

export interface RemoteDescription {
  readonly streams: readonly RemoteStream[];
  readonly audio: RemoteAudio | null;
  readonly text: RemoteText | null;
}

/** Our side of a description. */
export interface LocalEnd {
  /** IPv4 at which we receive. */
  readonly host: string;
  readonly audioPort: number;
  readonly textPort: number;
  /** Decimal digits, the same for the life of the session. */
  readonly sessionId: string;
  readonly version: number;
}

/** What we offer. 96 for events because some senders of digits use it unasked. */
export const OFFERED = { PCMU: 0, PCMA: 8, events: 96, red: 100, text: 98 } as const;
/** What we say that we take: a text of one packet of 384 bytes every 300 ms. */
const OUR_CHARACTERS_PER_SECOND = 1_280;
const FASTEST_CHARACTERS_PER_SECOND = 10_000;
const MAX_SDP_CHARACTERS = 16_384;
const MAX_STREAMS = 16;
const DIRECTIONS: readonly Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];

/** Our offer: audio, and text with redundancy. @see RFC 3264 section 5, RFC 4103 section 7 */
export function buildOffer(local: LocalEnd): string {
  const { PCMU, PCMA, events, red, text } = OFFERED;
  return write(
    sessionOf(local, [
      audioLine(
        local.audioPort,
        [
          ['PCMU', PCMU],
          ['PCMA', PCMA],
        ],
        events,
        'sendrecv',
      ),
      textLine(local.textPort, { textType: text, redType: red, generations: GENERATIONS }, 'sendrecv'),
    ]),
  );
}

/**
 * Our answer to `remote`, an offer: its streams in its order with its payload numbers; of each kind the first that fits.
 * @see RFC 3264 section 6
 */
export function buildAnswer(local: LocalEnd, remote: RemoteDescription): string {
  const lines = remote.streams.map((stream): MediaDescription => {
    switch (stream.kind) {
      case 'audio':
        return audioLine(
          local.audioPort,
          [[stream.law, stream.audioType]],
          stream.eventType,
          mirrored(stream.direction),
        );
      case 'text':
        return textLine(local.textPort, stream.format, mirrored(stream.direction));
      case 'declined':
        return {
          type: stream.line.type,
          port: 0,
          protocol: stream.line.protocol,
          payloads: stream.line.payloads ?? '0',
          rtp: [],
          fmtp: [],
        };
    }
  });
  return write(sessionOf(local, lines));
}

/**
 * Reads the far end's offer or answer.
 * @param sdp any text
 * @returns a sentence for the log when it is not a description, or has neither audio nor text that we can do
 */
export function readDescription(sdp: string): RemoteDescription | { readonly because: string } {
  if (sdp.length > MAX_SDP_CHARACTERS) return { because: `SDP of ${sdp.length} characters` };
  let session: SessionDescription;
  try {
    session = parse(sdp);
  } catch (error) {
    return { because: `SDP cannot be parsed: ${messageOf(error)}` };
  }
  if (!Array.isArray(session.media) || session.media.length === 0) return { because: 'SDP without media' };
  if (session.media.length > MAX_STREAMS) return { because: `SDP with ${session.media.length} media lines` };
  let audio: RemoteAudio | null = null;
  let text: RemoteText | null = null;
  const streams = session.media.map((line): RemoteStream => {
    const place = placeOf(session, line);
    if (place !== null && audio === null && line.type === 'audio') audio = readAudio(line, place);
    else if (place !== null && text === null && line.type === 'text') text = readText(line, place);
    else return { kind: 'declined', line };
    return (line.type === 'audio' ? audio : text) ?? { kind: 'declined', line };
  });
  if (audio === null && text === null)
    return { because: 'SDP with neither G.711 audio nor T.140 text over plain RTP on IPv4' };
  return { streams, audio, text };
}

/** Whether the far end takes packets from us on this stream. */
export function mayBeSentTo(stream: StreamPlace): boolean {
  return (stream.direction === 'sendrecv' || stream.direction === 'recvonly') && stream.host !== '0.0.0.0';
}

function mirrored(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}

function sessionOf(local: LocalEnd, media: MediaDescription[]): SessionDescription {
  return {
    version: 0,
    origin: {
      username: 'errand',
      sessionId: local.sessionId,
      sessionVersion: local.version,
      netType: 'IN',
      ipVer: 4,
      address: local.host,
    },
    name: '-',
    connection: { version: 4, ip: local.host },
    timing: { start: 0, stop: 0 },
    media,
  };
}

function audioLine(
  port: number,
  laws: readonly (readonly [G711Law, number])[],
  eventType: number | null,
  direction: Direction,
): MediaDescription {
  const events = eventType === null ? [] : [eventType];
  return {
    type: 'audio',
    port,
    protocol: 'RTP/AVP',
    payloads: [...laws.map(([, payload]) => payload), ...events].join(' '),
    rtp: [
      ...laws.map(([codec, payload]) => ({ payload, codec, rate: 8_000 })),
      ...events.map((payload) => ({ payload, codec: 'telephone-event', rate: 8_000 })),
    ],
    fmtp: events.map((payload) => ({ payload, config: '0-15' })),
    ptime: 20,
    direction,
  };
}

function textLine(
  port: number,
  format: Pick<TextFormat, 'textType' | 'redType' | 'generations'>,
  direction: Direction,
): MediaDescription {
  const { textType, redType, generations } = format;
  const red = redType === null ? [] : [redType];
  return {
    type: 'text',
    port,
    protocol: 'RTP/AVP',
    payloads: [...red, textType].join(' '),
    rtp: [
      ...red.map((payload) => ({ payload, codec: 'red', rate: 1_000 })),
      { payload: textType, codec: 't140', rate: 1_000 },
    ],
    fmtp: [
      ...red.map((payload) => ({
        payload,
        config: Array<number>(generations + 1)
          .fill(textType)
          .join('/'),
      })),
      { payload: textType, config: `cps=${OUR_CHARACTERS_PER_SECOND}` },
    ],
    direction,
  };
}

/** Null: declined by the far end (port 0), or nothing that we can reach. */
function placeOf(session: SessionDescription, line: MediaDescription): StreamPlace | null {
  const connection = line.connection ?? session.connection;
  if (connection === undefined || connection.version !== 4 || !isIPv4(asText(connection.ip))) return null;
  if (line.protocol !== 'RTP/AVP' && line.protocol !== 'RTP/AVPF') return null;
  if (!Number.isInteger(line.port) || line.port < 1 || line.port > 65_535) return null;
  const stated = line.direction ?? session.direction;
  return {
    host: connection.ip,
    port: line.port,
    direction: DIRECTIONS.find((direction) => direction === stated) ?? 'sendrecv',
  };
}

/** The parser makes numbers of whatever looks like one, whatever its types say. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

interface Payload {
  readonly type: number;
  /** Lower case. */
  readonly codec: string;
  readonly config: string;
}

/** The payload types of a line in its order of preference, with what their attributes say. */
function payloadsOf(line: MediaDescription): Payload[] {
  return asText(line.payloads ?? '')
    .split(' ')
    .filter((each) => /^[0-9]{1,3}$/.test(each) && Number(each) <= 127)
    .map((each) => {
      const type = Number(each);
      const map = line.rtp.find((entry) => entry.payload === type);
      const unnamed = { 0: 'pcmu', 8: 'pcma' }[type] ?? ''; // RFC 3551: static types need no rtpmap
      return {
        type,
        codec: map === undefined ? unnamed : `${map.codec}/${map.rate ?? ''}`.toLowerCase().replace(/\/8000$/, ''),
        config: asText(line.fmtp.find((entry) => entry.payload === type)?.config ?? '').trim(),
      };
    });
}

function readAudio(line: MediaDescription, place: StreamPlace): RemoteAudio | null {
  const payloads = payloadsOf(line);
  const spoken = payloads.find((payload) => payload.codec === 'pcmu' || payload.codec === 'pcma');
  if (spoken === undefined) return null;
  const events = payloads.find((payload) => payload.codec === 'telephone-event');
  return {
    kind: 'audio',
    ...place,
    law: spoken.codec === 'pcmu' ? 'PCMU' : 'PCMA',
    audioType: spoken.type,
    eventType: events?.type ?? null,
  };
}

function readText(line: MediaDescription, place: StreamPlace): RemoteText | null {
  const payloads = payloadsOf(line);
  const plain = payloads.find((payload) => payload.codec === 't140/1000');
  if (plain === undefined) return null;
  // Redundancy of text names the type of T.140 once for each generation: `100 98/98/98`.
  const red = payloads.find(
    (payload) =>
      payload.codec === 'red/1000' &&
      (payload.config === '' || payload.config.split('/').every((each) => Number(each) === plain.type)),
  );
  const generations = red === undefined ? 0 : red.config === '' ? GENERATIONS : red.config.split('/').length - 1;
  const stated = Number(/(?:^|[;\s])cps=([0-9]{1,6})(?:$|[;\s])/i.exec(plain.config)?.[1] ?? 0);
  return {
    kind: 'text',
    ...place,
    format: {
      textType: plain.type,
      redType: red?.type ?? null,
      generations: Math.min(generations, GENERATIONS),
      charactersPerSecond:
        stated === 0 ? DEFAULT_CHARACTERS_PER_SECOND : Math.min(stated, FASTEST_CHARACTERS_PER_SECOND),
    },
  };
}
