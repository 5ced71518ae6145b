// One call's media at work: two sockets, the agreement, and what happens in each frame of 20 ms. Sends nothing before the
// call is answered, and tells nothing that came from anybody but the far end.
import type { Chance, Clock } from '../../platform/clock.ts';
import type { LegMedia } from '../line.ts';
import { DigitReceiver, isKey, pressFrames } from './dtmf.ts';
import type { EventFrame } from './dtmf.ts';
import { FRAME_SAMPLES, SILENCE_FRAME } from './g711.ts';
import type { Agreement, AnswerToOffer, MediaCounts, MediaListener, MediaSession } from './media-session.ts';
import { Outbox } from './outbox.ts';
import type { Pacer, Pacing } from './pacer.ts';
import type { RtpPacket } from './rtp.ts';
import type { RtpSocket } from './rtp-socket.ts';
import { buildAnswer, buildOffer, mayBeSentTo, OFFERED, readDescription } from './sdp.ts';
import type { LocalEnd, RemoteAudio, RemoteDescription, RemoteText } from './sdp.ts';
import { TextReceiver, TextSender } from './t140.ts';

export interface SessionParts {
  /** IPv4 that the sockets are bound to and the SDP names. */
  readonly host: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly pacer: Pacer;
  readonly listener: MediaListener;
  /** Called once, when the sockets are closed. */
  readonly closed: () => void;
}

/** The payload types that we understand on the way in. */
interface ReceivedTypes {
  readonly event: Set<number>;
  readonly text: Set<number>;
  readonly red: Set<number>;
}

/** The press under way: what is left of it, and the timestamp at which it began. */
interface Press {
  frames: readonly (EventFrame | null)[];
  readonly timestamp: number;
  readonly settle: () => void;
}

interface Sockets {
  readonly audio: RtpSocket;
  readonly text: RtpSocket;
}

export class RtpSession implements MediaSession {
  readonly #parts: SessionParts;
  readonly #sockets: Sockets;
  readonly #digits = new Outbox();
  readonly #digitReceiver = new DigitReceiver();
  #local: LocalEnd;
  #localSdp: string;
  #audio: RemoteAudio | null = null;
  #eventTypes: ReadonlySet<number> = new Set();
  #text: RemoteText | null = null;
  #textSender: TextSender | null = null;
  #textReceiver: TextReceiver;
  #agreed: LegMedia | null = null;
  #pacing: Pacing | null = null;
  #isClosed: Promise<void> | null = null;
  #audioTimestamp: number;
  #textTimestamp: number;
  #isFirstFrame = true;
  #press: Press | null = null;

  constructor(parts: SessionParts, sockets: Sockets) {
    this.#parts = parts;
    this.#sockets = sockets;
    this.#audioTimestamp = parts.chance.integer(2 ** 32);
    this.#textTimestamp = parts.chance.integer(2 ** 32);
    this.#local = {
      host: parts.host,
      audioPort: sockets.audio.port,
      textPort: sockets.text.port,
      sessionId: String(parts.chance.integer(2 ** 32)),
      version: 1,
    };
    this.#localSdp = buildOffer(this.#local);
    this.#textReceiver = new TextReceiver(new Set(), new Set());
  }

  get localSdp(): string {
    return this.#localSdp;
  }

  get agreed(): LegMedia | null {
    return this.#agreed;
  }

  get counts(): MediaCounts {
    const { audio, text } = this.#sockets;
    return {
      audioSent: audio.sent,
      audioReceived: audio.received,
      textSent: text.sent,
      textReceived: text.received,
      ignored: audio.ignored + text.ignored,
    };
  }

  acceptAnswer(sdp: string, signallingHost?: string): Agreement {
    const remote = readDescription(sdp);
    if ('because' in remote) return { kind: 'refused', because: remote.because };
    return { kind: 'agreed', media: this.#adopt(remote, signallingHost, typesOfAnswer(remote)) };
  }

  acceptOffer(sdp: string, signallingHost?: string): AnswerToOffer {
    const remote = readDescription(sdp);
    if ('because' in remote) return { kind: 'refused', because: remote.because };
    const media = this.#adopt(remote, signallingHost, typesOfOffer(remote));
    const same = buildAnswer(this.#local, remote);
    if (same !== this.#localSdp) {
      this.#local = { ...this.#local, version: this.#local.version + 1 };
      this.#localSdp = buildAnswer(this.#local, remote);
    }
    return { kind: 'agreed', media, sdp: this.#localSdp };
  }

  start(): void {
    if (this.#pacing !== null || this.#isClosed !== null) return;
    this.#pacing = this.#parts.pacer.add((frames) => this.#frame(frames));
    this.#sockets.text.release();
  }

  async sendText(text: string, signal?: AbortSignal): Promise<void> {
    if (!this.#isRunning || this.#textSender === null) return;
    const sent = this.#textSender.outbox.push(text, signal);
    this.#pollText(); // the first characters after a pause do not wait for the next frame
    await sent;
  }

  async sendDigits(digits: string, signal?: AbortSignal): Promise<void> {
    if (!this.#isRunning || (this.#audio?.eventType ?? null) === null) return;
    await this.#digits.push([...digits].filter(isKey).join(''), signal);
  }

  close(): Promise<void> {
    this.#isClosed ??= this.#end();
    return this.#isClosed;
  }

  async #end(): Promise<void> {
    this.#pacing?.stop();
    this.#press?.settle();
    this.#press = null;
    this.#digits.clear();
    this.#textSender?.outbox.clear();
    await Promise.all([this.#sockets.audio.close(), this.#sockets.text.close()]);
    this.#parts.closed();
  }

  /** Takes over what the far end said. Text that waits goes on under the new agreement. */
  #adopt(remote: RemoteDescription, signallingHost: string | undefined, types: ReceivedTypes): LegMedia {
    const { audio, text } = remote;
    this.#audio = audio;
    this.#eventTypes = types.event;
    if (audio === null || audio.eventType === null) {
      this.#digits.clear();
      this.#press?.settle();
      this.#press = null;
    }
    if (audio !== null) this.#sockets.audio.connect(audio, signallingHost);
    if (text !== null) this.#sockets.text.connect(text, signallingHost);
    if (JSON.stringify(text?.format) !== JSON.stringify(this.#text?.format)) this.#agreeOnText(text, types);
    this.#text = text;
    this.#agreed = {
      hasText: text !== null,
      audio: audio?.law ?? null,
      hasDigits: audio !== null && audio.eventType !== null,
    };
    return this.#agreed;
  }

  #agreeOnText(text: RemoteText | null, types: ReceivedTypes): void {
    const before = this.#textSender?.outbox;
    if (text === null) before?.clear();
    this.#textSender = text === null ? null : new TextSender(text.format, this.#parts.clock.monotonicMs(), before);
    this.#textReceiver = new TextReceiver(types.text, types.red);
  }

  /** Told by the audio socket. @returns whether the payload type was agreed */
  heardAudio(packet: RtpPacket): boolean {
    const audio = this.#audio;
    if (audio === null) return false;
    if (this.#eventTypes.has(packet.payloadType)) {
      const digit = this.#digitReceiver.receive(packet);
      if (digit !== null && this.#isRunning) this.#parts.listener.heardDigit(digit);
      return true;
    }
    // Either law may come whichever we send (RFC 3264 section 6.1); the static types are the same for both ends.
    return (
      packet.payloadType === audio.audioType ||
      packet.payloadType === OFFERED.PCMU ||
      packet.payloadType === OFFERED.PCMA
    );
  }

  /** Told by the text socket, which holds packets back until `start`. @returns whether the payload type was agreed */
  heardText(packet: RtpPacket): boolean {
    if (this.#text === null || !this.#textReceiver.takes(packet.payloadType)) return false;
    this.#tellText(this.#textReceiver.receive(packet, this.#parts.clock.monotonicMs()));
    return true;
  }

  get #isRunning(): boolean {
    return this.#pacing !== null && this.#isClosed === null;
  }

  #tellText(text: string): void {
    if (text !== '' && this.#isRunning) this.#parts.listener.heardText(text);
  }

  #frame(frames: number): void {
    this.#audioTimestamp = (this.#audioTimestamp + frames * FRAME_SAMPLES) >>> 0;
    if (this.#audio !== null && mayBeSentTo(this.#audio)) this.#sendAudio(this.#audio);
    this.#pollText();
    this.#tellText(this.#textReceiver.overdue(this.#parts.clock.monotonicMs()));
  }

  /** One packet every frame, silence when there is nothing else: NATs and carriers want to see media. */
  #sendAudio(audio: RemoteAudio): void {
    const press = this.#currentPress(audio);
    const event = press?.frames[0] ?? null;
    if (press !== null) {
      press.frames = press.frames.slice(1);
      if (press.frames.length === 0) {
        this.#press = null;
        press.settle();
      }
    }
    if (press !== null && event !== null && audio.eventType !== null) {
      this.#sockets.audio.send({ ...event, payloadType: audio.eventType, timestamp: press.timestamp });
      return;
    }
    this.#sockets.audio.send({
      payloadType: audio.audioType,
      hasMarker: this.#isFirstFrame,
      timestamp: this.#audioTimestamp,
      payload: SILENCE_FRAME[audio.law],
    });
    this.#isFirstFrame = false;
  }

  #currentPress(audio: RemoteAudio): Press | null {
    if (this.#press === null && audio.eventType !== null && !this.#digits.isEmpty) {
      const { text, settle } = this.#digits.take(1, 1);
      this.#press = { frames: pressFrames(text), timestamp: this.#audioTimestamp, settle };
    }
    return this.#press;
  }

  #pollText(): void {
    if (this.#text === null || this.#textSender === null || !mayBeSentTo(this.#text)) return;
    const step = this.#textSender.poll(this.#parts.clock.monotonicMs());
    if (step === null) return;
    const timestamp = (this.#textTimestamp + step.packet.timestamp) >>> 0;
    this.#sockets.text.send({ ...step.packet, timestamp });
    step.settle();
  }
}

/** After an offer of theirs: the numbers they offered, which our answer repeats. */
function typesOfOffer(remote: RemoteDescription): ReceivedTypes {
  const numbers = (...types: (number | null | undefined)[]) =>
    new Set(types.filter((type) => typeof type === 'number'));
  return {
    event: numbers(remote.audio?.eventType),
    text: numbers(remote.text?.format.textType),
    red: numbers(remote.text?.format.redType),
  };
}

/** After an answer to our offer: our numbers (RFC 3264 section 5.1), and theirs where they mean nothing else to us. */
function typesOfAnswer(remote: RemoteDescription): ReceivedTypes {
  const theirs = typesOfOffer(remote);
  return {
    event: theirs.event.add(OFFERED.events),
    text: new Set([OFFERED.text, ...theirs.text].filter((type) => type !== OFFERED.red)),
    red: new Set([OFFERED.red, ...theirs.red].filter((type) => type !== OFFERED.text)),
  };
}
