// RTP packets and the arithmetic of their wrapping counters. Bytes come from strangers: parsing never throws.
// RTCP is neither sent nor read: nothing here needs it, and carriers do without.

/** One RTP packet, header extension and padding taken off. */
export interface RtpPacket {
  readonly hasMarker: boolean;
  /** 0 to 127. */
  readonly payloadType: number;
  /** 16 bits, wraps. */
  readonly sequence: number;
  /** 32 bits, wraps; unit: the payload's clock. */
  readonly timestamp: number;
  /** 32 bits. */
  readonly ssrc: number;
  /** A view on the bytes that were parsed. */
  readonly payload: Buffer;
}

/** Largest datagram that is looked at; ours stay far below an Ethernet frame. */
export const MAX_PACKET_BYTES = 2_048;
const HEADER_BYTES = 12;

/**
 * Parses one datagram.
 * @returns null for anything that is not a whole RTP version 2 packet; RTCP (types 192 to 223, RFC 5761 section 4) is null too
 * @see RFC 3550 section 5.1
 */
export function parseRtp(bytes: Buffer): RtpPacket | null {
  if (bytes.length < HEADER_BYTES || bytes.length > MAX_PACKET_BYTES) return null;
  const first = bytes.readUInt8(0);
  const second = bytes.readUInt8(1);
  if (first >> 6 !== 2 || (second >= 192 && second <= 223)) return null;
  let start = HEADER_BYTES + (first & 0x0f) * 4;
  if ((first & 0x10) !== 0) {
    if (start + 4 > bytes.length) return null;
    start += 4 + bytes.readUInt16BE(start + 2) * 4;
  }
  let end = bytes.length;
  if ((first & 0x20) !== 0) {
    const paddingBytes = bytes.readUInt8(end - 1);
    if (paddingBytes === 0) return null;
    end -= paddingBytes;
  }
  if (start > end) return null;
  return {
    hasMarker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, end),
  };
}

/** Writes one packet without extension, padding or contributing sources. Counters are taken modulo their width. */
export function buildRtp(packet: RtpPacket): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + packet.payload.length);
  bytes.writeUInt8(0x80, 0);
  bytes.writeUInt8((packet.hasMarker ? 0x80 : 0) | (packet.payloadType & 0x7f), 1);
  bytes.writeUInt16BE(packet.sequence & 0xffff, 2);
  bytes.writeUInt32BE(packet.timestamp >>> 0, 4);
  bytes.writeUInt32BE(packet.ssrc >>> 0, 8);
  packet.payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** How far `later` is ahead of `earlier`: -32,768 to 32,767; negative when it is behind. */
export function sequenceDistance(earlier: number, later: number): number {
  return ((later - earlier) << 16) >> 16;
}

/** How far `later` is ahead of `earlier`: -2^31 to 2^31 - 1; negative when it is behind. */
export function timestampDistance(earlier: number, later: number): number {
  return (later - earlier) | 0;
}
