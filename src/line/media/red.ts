// Redundant payloads of RFC 2198: the blocks of earlier packets travel with the new one. Pure; parsing never throws.

/** One block of a redundant payload. */
export interface RedBlock {
  /** 0 to 127. */
  readonly payloadType: number;
  /** How much earlier than the packet's timestamp it was new; 0 for the primary block. 14 bits. */
  readonly timestampOffset: number;
  /** At most 1,023 bytes for a redundant block. */
  readonly data: Buffer;
}

const MAX_REDUNDANT_BLOCKS = 15; // nobody sends more than a handful
const LONGEST_OFFSET = 0x3fff;
const LONGEST_BLOCK = 0x3ff;

/**
 * Takes a redundant payload apart.
 * @returns oldest first, the primary block last; null when the headers and the bytes do not fit together
 * @see RFC 2198 section 3
 */
export function parseRed(payload: Buffer): readonly RedBlock[] | null {
  const headers: { payloadType: number; timestampOffset: number; length: number }[] = [];
  let at = 0;
  let primaryType: number | null = null;
  while (primaryType === null) {
    if (at >= payload.length || headers.length > MAX_REDUNDANT_BLOCKS) return null;
    const first = payload.readUInt8(at);
    if ((first & 0x80) === 0) {
      primaryType = first & 0x7f;
      at += 1;
    } else {
      if (at + 4 > payload.length) return null;
      const rest = payload.readUIntBE(at + 1, 3);
      headers.push({ payloadType: first & 0x7f, timestampOffset: rest >> 10, length: rest & LONGEST_BLOCK });
      at += 4;
    }
  }
  const blocks: RedBlock[] = [];
  for (const { payloadType, timestampOffset, length } of headers) {
    if (at + length > payload.length) return null;
    blocks.push({ payloadType, timestampOffset, data: payload.subarray(at, at + length) });
    at += length;
  }
  blocks.push({ payloadType: primaryType, timestampOffset: 0, data: payload.subarray(at) });
  return blocks;
}

/**
 * Puts a redundant payload together. Offsets too large for their field are cut to it; receivers of text do not use them.
 * @param blocks oldest first, the primary block last; at least one
 * @throws {RangeError} for a redundant block that is too long: a bug of the caller
 */
export function buildRed(blocks: readonly RedBlock[]): Buffer {
  const primary = blocks.at(-1);
  if (primary === undefined) throw new RangeError('a redundant payload needs its primary block');
  const parts: Buffer[] = [];
  for (const block of blocks.slice(0, -1)) {
    if (block.data.length > LONGEST_BLOCK) throw new RangeError(`redundant block of ${block.data.length} bytes`);
    const header = Buffer.alloc(4);
    header.writeUInt8(0x80 | (block.payloadType & 0x7f), 0);
    header.writeUIntBE((Math.min(block.timestampOffset, LONGEST_OFFSET) << 10) | block.data.length, 1, 3);
    parts.push(header);
  }
  parts.push(Buffer.of(primary.payloadType & 0x7f), ...blocks.map((block) => block.data));
  return Buffer.concat(parts);
}
