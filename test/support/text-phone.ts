// A phone that types: answers one call over SIP, reads real-time text line by line and answers each line from a function.
// Hears and says exactly what goes over the wire.
import { systemChance, systemClock } from '../../src/platform/clock.ts';
import { IncomingCall } from '../../src/line/sip/incoming-call.ts';
import { openUdpTransport } from '../../src/line/sip/transport-udp.ts';
import type { SipTransport } from '../../src/line/sip/transport-udp.ts';
import { UserAgent } from '../../src/line/sip/user-agent.ts';
import type { Incoming } from '../../src/line/sip/user-agent.ts';
import type { Media, MediaSession } from '../../src/line/media/media-session.ts';

/** @returns the answer to a line, null for silence, or `hang_up` */
export type PhoneReply = (line: string) => string | null;

export const HANG_UP = '<hang up>';

const HOST = '127.0.0.1';

export class TextPhone implements AsyncDisposable {
  /** Lines that the caller typed. */
  readonly heard: string[] = [];
  invites = 0;
  /** Who ended the call, as soon as it is over. */
  readonly ended = Promise.withResolvers<'caller' | 'us' | 'network'>();
  readonly #transport: SipTransport;
  readonly #media: Media;
  readonly #reply: PhoneReply;
  readonly #greeting: string | null;
  readonly #userAgent: UserAgent;
  #call: IncomingCall | null = null;
  #session: MediaSession | null = null;
  #line = '';

  private constructor(transport: SipTransport, media: Media, greeting: string | null, reply: PhoneReply) {
    this.#transport = transport;
    this.#media = media;
    this.#greeting = greeting;
    this.#reply = reply;
    this.#userAgent = new UserAgent({
      transport,
      clock: systemClock,
      chance: systemChance,
      onRequest: (incoming) => this.#request(incoming),
      onBug: (error) => {
        throw error;
      },
    });
  }

  static async open(media: Media, greeting: string | null, reply: PhoneReply): Promise<TextPhone> {
    return new TextPhone(await openUdpTransport({ host: HOST, port: 0 }), media, greeting, reply);
  }

  /** For the line's trunk. */
  get uri(): string {
    return `sip:${HOST}:${this.#transport.local.port}`;
  }

  #request(incoming: Incoming): void {
    if (incoming.request.method === 'INVITE' && incoming.request.toTag === '') void this.#answer(incoming);
    else this.#call?.request(incoming);
  }

  async #answer(incoming: Incoming): Promise<void> {
    this.invites += 1;
    const call = new IncomingCall(incoming, this.#userAgent, `<${this.uri}>`, {
      cancelled: () => this.ended.resolve('caller'),
      established: () => this.#say(this.#greeting),
      ended: (by) => this.ended.resolve(by),
      offered: () => null,
    });
    this.#call = call;
    call.ring();
    this.#session = await this.#media.open({ heardText: (text) => this.#hear(text), heardDigit: () => undefined });
    const answer = this.#session.acceptOffer(incoming.request.body);
    if (answer.kind === 'refused') return call.refuse(488, 'Not Acceptable Here');
    this.#session.start();
    call.answer(answer.sdp);
  }

  #hear(text: string): void {
    const lines = `${this.#line}${text}`.split('\u2028');
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      this.heard.push(line);
      this.#say(this.#reply(line));
    }
  }

  #say(words: string | null): void {
    if (words === HANG_UP) void this.#call?.hangUp();
    else if (words !== null) void this.#session?.sendText(`${words}\u2028`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.close();
    this.#userAgent.close();
    await this.#transport[Symbol.asyncDispose]();
  }
}
