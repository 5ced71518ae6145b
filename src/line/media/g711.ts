// G.711, both laws, by table. The tables are filled from the Recommendation's formulas once, when this file is loaded.

/** 8,000 samples a second in frames of 20 ms. */
export const FRAME_SAMPLES = 160;

export type G711Law = 'PCMU' | 'PCMA';

const ULAW_BIAS = 132; // 33 in the 14-bit scale of the Recommendation, 132 in 16 bits
const ULAW_CLIP = 32_635;

/** The byte of silence: sample value 0 (PCMA has no 0; this is the smallest positive step). */
export const SILENCE: Readonly<Record<G711Law, number>> = { PCMU: 0xff, PCMA: 0xd5 };

const DECODED: Readonly<Record<G711Law, Int16Array>> = {
  PCMU: Int16Array.from({ length: 256 }, (_, byte) => decodeUlaw(byte)),
  PCMA: Int16Array.from({ length: 256 }, (_, byte) => decodeAlaw(byte)),
};

/** One entry for each value of the upper 14 (PCMU) or 13 (PCMA) bits would do; 65,536 spare the shift. Indexed by value + 32,768. */
const ENCODED: Readonly<Record<G711Law, Uint8Array>> = {
  PCMU: Uint8Array.from({ length: 65_536 }, (_, index) => encodeUlaw(index - 32_768)),
  PCMA: Uint8Array.from({ length: 65_536 }, (_, index) => encodeAlaw(index - 32_768)),
};

/**
 * Decodes one G.711 payload to linear PCM.
 * @param payload one byte a sample; 160 bytes are 20 ms at 8,000 Hz
 * @returns as many signed 16-bit samples, mono, 8,000 Hz; never throws, every byte is valid
 * @see ITU-T G.711 (11/88), tables 1 and 2
 */
export function decodeG711(law: G711Law, payload: Uint8Array): Int16Array {
  const table = DECODED[law];
  const samples = new Int16Array(payload.length);
  for (const [index, byte] of payload.entries()) samples[index] = table[byte] ?? 0;
  return samples;
}

/**
 * Encodes linear PCM.
 * @param samples signed 16-bit, mono, 8,000 Hz
 * @returns one byte a sample
 * @see ITU-T G.711 (11/88), tables 1 and 2
 */
export function encodeG711(law: G711Law, samples: Int16Array): Buffer {
  const table = ENCODED[law];
  const payload = Buffer.allocUnsafe(samples.length);
  for (const [index, sample] of samples.entries()) payload[index] = table[sample + 32_768] ?? 0;
  return payload;
}

/** 20 ms of silence in each law; shared, not to be written to. */
export const SILENCE_FRAME: Readonly<Record<G711Law, Buffer>> = {
  PCMU: Buffer.alloc(FRAME_SAMPLES, SILENCE.PCMU),
  PCMA: Buffer.alloc(FRAME_SAMPLES, SILENCE.PCMA),
};

function decodeUlaw(byte: number): number {
  const value = ~byte & 0xff;
  const magnitude = ((((value & 0x0f) << 3) + ULAW_BIAS) << ((value & 0x70) >> 4)) - ULAW_BIAS;
  return (value & 0x80) === 0 ? magnitude : -magnitude;
}

function encodeUlaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), ULAW_CLIP) + ULAW_BIAS;
  const exponent = 24 - Math.clz32(magnitude); // the highest bit is between 7 and 14
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

function decodeAlaw(byte: number): number {
  const value = byte ^ 0x55;
  const exponent = (value & 0x70) >> 4;
  const mantissa = ((value & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return (value & 0x80) === 0 ? -magnitude : magnitude;
}

function encodeAlaw(sample: number): number {
  const isNegative = sample < 0;
  const magnitude = isNegative ? -sample - 1 : sample; // ones' complement, as the Recommendation counts
  const exponent = Math.max(0, 24 - Math.clz32(magnitude | 0x7f));
  const mantissa = (exponent === 0 ? magnitude >> 4 : magnitude >> (exponent + 3)) & 0x0f;
  return ((isNegative ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}
