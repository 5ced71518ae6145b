// Key presses as telephone events, both ways. Pure: packets in, digits out, and the other way round.
import type { RtpPacket } from './rtp.ts';
import { timestampDistance } from './rtp.ts';
import { FRAME_SAMPLES } from './g711.ts';

/** The keys in the order of their event numbers, 0 to 15. */
const KEYS = '0123456789*#ABCD';
const VOLUME_DBM0 = 10; // -10 dBm0, what telephones send
const PRESS_FRAMES = 5; // 100 ms: over the 40 ms that every receiver must take (Q.24)
const END_REPEATS = 2; // the last packet is sent three times, RFC 4733 section 2.5.1.4
const PAUSE_FRAMES = 5;
const LONGEST_DURATION = 0xffff;
const LATEST_TICKS = 80_000; // 10 s: further back is a sender that began to count anew

/** What one 20 ms frame of a key press carries. */
export interface EventFrame {
  /** Set on the first packet of the press. */
  readonly hasMarker: boolean;
  /** Four bytes. */
  readonly payload: Buffer;
}

/** Whether `character` is a key that can be pressed; letters in capitals. */
export function isKey(character: string): boolean {
  return character.length === 1 && KEYS.includes(character);
}

/**
 * One key press and the pause after it, frame by frame.
 * @param key one of 0-9 * # A-D
 * @returns ten frames of 20 ms; null: an ordinary audio frame. All event packets carry the timestamp at which the press began.
 * @see RFC 4733 section 2.5.1
 */
export function pressFrames(key: string): readonly (EventFrame | null)[] {
  const event = KEYS.indexOf(key);
  if (!isKey(key)) throw new RangeError(`not a key: ${JSON.stringify(key)}`);
  return Array.from({ length: PRESS_FRAMES + PAUSE_FRAMES }, (_, index) => {
    if (index >= PRESS_FRAMES + END_REPEATS) return null;
    const isEnd = index >= PRESS_FRAMES - 1;
    const payload = Buffer.alloc(4);
    payload.writeUInt8(event, 0);
    payload.writeUInt8((isEnd ? 0x80 : 0) | VOLUME_DBM0, 1);
    payload.writeUInt16BE(Math.min(index + 1, PRESS_FRAMES) * FRAME_SAMPLES, 2);
    return { hasMarker: index === 0, payload };
  });
}

/**
 * Hears key presses, each once: at its first packet that arrives, whichever that is, so that lost starts and lost ends do no
 * harm. Packets of one press share a timestamp; a press too long for the duration field goes on under a new timestamp that
 * follows without a gap (RFC 4733 section 2.5.1.3) and is still one.
 */
export class DigitReceiver {
  #last: { ssrc: number; timestamp: number; event: number; duration: number } | null = null;

  /** @returns the key of a press that is new, or null for repeats, latecomers, other events and malformed payloads */
  receive(packet: RtpPacket): string | null {
    if (packet.payload.length < 4) return null;
    const event = packet.payload.readUInt8(0);
    const duration = packet.payload.readUInt16BE(2);
    const key = KEYS[event];
    if (key === undefined) return null;
    const last = this.#last;
    if (last !== null && last.ssrc === packet.ssrc) {
      const ahead = timestampDistance(last.timestamp, packet.timestamp);
      if (ahead < 0 && ahead > -LATEST_TICKS) return null;
      if (ahead === 0) {
        last.duration = Math.max(last.duration, duration);
        return null;
      }
      if (!packet.hasMarker && event === last.event && ahead === LONGEST_DURATION) {
        last.timestamp = packet.timestamp;
        last.duration = duration;
        return null;
      }
    }
    this.#last = { ssrc: packet.ssrc, timestamp: packet.timestamp, event, duration };
    return key;
  }
}
