// Real-time text over RTP, both ways, as pure state: what to send when, and what was typed. The session owns the socket and
// asks at each 20 ms frame. Text is never sent above the far end's rate and never invented: what was lost shows as U+FFFD.
import { Outbox } from './outbox.ts';
import type { SendStep } from './outbox.ts';
import { buildRed, parseRed } from './red.ts';
import type { RedBlock } from './red.ts';
import { sequenceDistance } from './rtp.ts';
import type { RtpPacket } from './rtp.ts';

/** How text travels in one direction, as the SDP agreed it. */
export interface TextFormat {
  readonly textType: number;
  /** Payload type of RFC 2198; null: plain T.140, nothing repeated. */
  readonly redType: number | null;
  /** How many earlier blocks travel with each new one, 0 to 2. */
  readonly generations: number;
  /** Most characters a second that the receiver takes, averaged over 10 s. */
  readonly charactersPerSecond: number;
}

/** RFC 4103 section 6: what a receiver takes that does not say. */
export const DEFAULT_CHARACTERS_PER_SECOND = 30;
export const GENERATIONS = 2;
const BUFFER_MS = 300; // RFC 4103 section 4: the usual buffering time
const BLOCK_BYTES = 384; // three blocks, their headers and RTP's stay within an Ethernet frame
const KEEP_ALIVE_MS = 10_000; // under the 30 s after which NATs forget a UDP stream
const BYTE_ORDER_MARK = '\uFEFF'; // T.140 section 8.1: carries nothing; opens the stream and the NATs on its way
const LOST = '\uFFFD'; // RFC 4103 section 5.4: marks text that could not be recovered
const REORDER_MS = 500; // how long a missing packet may still come
const MAX_HELD_PACKETS = 64;

/** One packet to send; the session adds sequence and source. */
export interface TextPacket {
  readonly payloadType: number;
  readonly hasMarker: boolean;
  /** Whole milliseconds of the clock; the session adds its random start. */
  readonly timestamp: number;
  readonly payload: Buffer;
}

/** Decides what leaves when. @see RFC 4103 sections 4 and 5 */
export class TextSender {
  readonly outbox: Outbox;
  readonly #format: TextFormat;
  /** Blocks to repeat, oldest first, with the timestamps of their packets. */
  #earlier: { data: Buffer; timestamp: number }[] = [];
  /** From when on new text may leave, and from when on what is due to be repeated. */
  #typeMs: number;
  #repeatMs: number;
  #keepAliveMs: number;
  #isIdle = true;
  #allowance: number;
  #allowanceAtMs: number;

  /** @param outbox text that waits already, when the agreement changes during the call */
  constructor(format: TextFormat, nowMs: number, outbox = new Outbox()) {
    this.outbox = outbox;
    this.#format = format;
    this.#typeMs = nowMs;
    this.#repeatMs = nowMs;
    this.#keepAliveMs = nowMs;
    this.#allowance = this.#burst;
    this.#allowanceAtMs = nowMs;
  }

  /**
   * The packet that is due, if one is. Characters after a pause of 300 ms leave at once, whatever is still being repeated;
   * then one packet every 300 ms while there is something new or something to repeat.
   */
  poll(nowMs: number): SendStep<TextPacket> | null {
    if (nowMs < (this.outbox.isEmpty ? this.#repeatMs : this.#typeMs)) return null;
    const taken = this.outbox.take(this.#allowed(nowMs), BLOCK_BYTES);
    if (taken.text === '' && nowMs < this.#repeatMs) return null; // there is text, but the far end's rate holds it back
    const isRepeating = this.#earlier.some((block) => block.data.length > 0);
    if (taken.text === '' && !isRepeating) {
      this.#isIdle = true;
      // A byte order mark does not count as typing: text right after it still leaves at once.
      return nowMs < this.#keepAliveMs
        ? null
        : { packet: this.#packet(nowMs, BYTE_ORDER_MARK), settle: () => undefined };
    }
    this.#allowance -= [...taken.text].length;
    const packet = this.#packet(nowMs, taken.text);
    this.#isIdle = false;
    this.#repeatMs = nowMs + BUFFER_MS;
    if (taken.text !== '') this.#typeMs = this.#repeatMs;
    return { packet, settle: taken.settle };
  }

  #packet(nowMs: number, text: string): TextPacket {
    const { textType, redType, generations } = this.#format;
    const timestamp = Math.round(nowMs);
    const data = Buffer.from(text, 'utf8');
    const hasMarker = this.#isIdle;
    this.#keepAliveMs = nowMs + KEEP_ALIVE_MS;
    if (redType === null) return { payloadType: textType, hasMarker, timestamp, payload: data };
    const repeated: RedBlock[] = Array.from({ length: generations - this.#earlier.length }, () => ({
      payloadType: textType,
      timestampOffset: 0,
      data: Buffer.alloc(0),
    }));
    for (const block of this.#earlier) {
      repeated.push({ payloadType: textType, timestampOffset: timestamp - block.timestamp, data: block.data });
    }
    const repeatable = text === BYTE_ORDER_MARK ? Buffer.alloc(0) : data; // a lost mark is no loss
    this.#earlier = generations === 0 ? [] : [...this.#earlier, { data: repeatable, timestamp }].slice(-generations);
    const payload = buildRed([...repeated, { payloadType: textType, timestampOffset: 0, data }]);
    return { payloadType: redType, hasMarker, timestamp, payload };
  }

  /** How many characters 300 ms are worth. */
  get #burst(): number {
    return Math.max(1, Math.floor((this.#format.charactersPerSecond * BUFFER_MS) / 1_000));
  }

  /** A bucket filled so that no window of 10 s, the burst included, holds more than ten times the rate. */
  #allowed(nowMs: number): number {
    const windowCharacters = this.#format.charactersPerSecond * 10;
    const most = this.#burst + 1; // one more than leaves at once, so that fractions are not lost at low rates
    const perMs = (windowCharacters - most) / 10_000;
    this.#allowance = Math.min(most, this.#allowance + (nowMs - this.#allowanceAtMs) * perMs);
    this.#allowanceAtMs = nowMs;
    return Math.floor(this.#allowance);
  }
}

/**
 * Puts typed text together: in order, each packet once, losses filled from the redundancy of later packets, what stays lost
 * marked by one U+FFFD a gap. Characters may be split across packets.
 * @see RFC 4103 section 5.4
 */
export class TextReceiver {
  readonly #textTypes: ReadonlySet<number>;
  readonly #redTypes: ReadonlySet<number>;
  readonly #held = new Map<number, Buffer>();
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #ssrc: number | null = null;
  #next = 0;
  #gapSinceMs: number | null = null;
  #isAfterGap = false;
  /** Sequence that would confirm that the sender counts anew (RFC 3550 appendix A.1: two packets in a row). */
  #confirmsJump: number | null = null;

  constructor(textTypes: ReadonlySet<number>, redTypes: ReadonlySet<number>) {
    this.#textTypes = textTypes;
    this.#redTypes = redTypes;
  }

  /** Whether packets of this type are text. */
  takes(payloadType: number): boolean {
    return this.#textTypes.has(payloadType) || this.#redTypes.has(payloadType);
  }

  /** @returns what can be read now: nothing, one or more characters; byte order marks are left out */
  receive(packet: RtpPacket, nowMs: number): string {
    const blocks = this.#blocksOf(packet);
    if (blocks === null) return '';
    let text = '';
    if (this.#ssrc !== packet.ssrc) {
      text = this.#giveUpAll();
      this.#ssrc = packet.ssrc;
      this.#next = (packet.sequence - firstFilled(blocks)) & 0xffff;
    }
    const ahead = sequenceDistance(this.#next, packet.sequence);
    if (ahead >= MAX_HELD_PACKETS || ahead < -MAX_HELD_PACKETS) {
      const isConfirmed = this.#confirmsJump === packet.sequence;
      this.#confirmsJump = isConfirmed ? null : (packet.sequence + 1) & 0xffff;
      if (!isConfirmed) return text;
      text += this.#giveUpAll() + this.#markLoss();
      this.#next = (packet.sequence - firstFilled(blocks)) & 0xffff;
    }
    for (const [index, block] of blocks.entries()) {
      const sequence = (packet.sequence - (blocks.length - 1 - index)) & 0xffff;
      if (sequenceDistance(this.#next, sequence) >= 0 && !this.#held.has(sequence)) this.#held.set(sequence, block);
    }
    return text + this.#read(nowMs);
  }

  /** To be asked now and then: gives up on packets that have been missing for too long. @returns as `receive` */
  overdue(nowMs: number): string {
    if (this.#gapSinceMs === null || nowMs - this.#gapSinceMs < REORDER_MS) return '';
    return this.#skipGap() + this.#read(nowMs);
  }

  #blocksOf(packet: RtpPacket): readonly Buffer[] | null {
    if (this.#textTypes.has(packet.payloadType)) return [packet.payload];
    if (!this.#redTypes.has(packet.payloadType)) return null;
    const blocks = parseRed(packet.payload);
    if (blocks === null || !blocks.every((block) => this.#textTypes.has(block.payloadType))) return null;
    return blocks.map((block) => block.data);
  }

  /** Reads on as far as nothing is missing. */
  #read(nowMs: number): string {
    let text = '';
    for (let block = this.#held.get(this.#next); block !== undefined; block = this.#held.get(this.#next)) {
      this.#held.delete(this.#next);
      this.#next = (this.#next + 1) & 0xffff;
      text += this.#decode(block);
      this.#gapSinceMs = null;
    }
    if (this.#held.size > 0) this.#gapSinceMs ??= nowMs;
    return text.replaceAll(BYTE_ORDER_MARK, '');
  }

  #decode(block: Buffer): string {
    let start = 0;
    // The rest of a character whose beginning was lost would only be marked a second time.
    while (this.#isAfterGap && start < block.length && ((block[start] ?? 0) & 0xc0) === 0x80) start += 1;
    if (start < block.length) this.#isAfterGap = false;
    return this.#decoder.decode(block.subarray(start), { stream: true });
  }

  /** Goes on at the oldest packet that is held. */
  #skipGap(): string {
    const ahead = [...this.#held.keys()].map((sequence) => sequenceDistance(this.#next, sequence));
    this.#next = (this.#next + Math.min(...ahead)) & 0xffff;
    this.#gapSinceMs = null;
    return this.#markLoss();
  }

  #giveUpAll(): string {
    let text = '';
    while (this.#held.size > 0) text += this.#skipGap() + this.#read(0);
    this.#gapSinceMs = null;
    return text;
  }

  /** One mark for a gap, whether or not it cut a character in two. */
  #markLoss(): string {
    this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    this.#isAfterGap = true;
    return LOST;
  }
}

/** How many packets before this one its redundancy still tells of; blocks are oldest first. */
function firstFilled(blocks: readonly Buffer[]): number {
  const index = blocks.findIndex((block) => block.length > 0);
  return index === -1 ? 0 : blocks.length - 1 - index;
}
