// One call at a phone of the exchange, from the INVITE on: rings, answers or refuses as the program says, talks, hangs up, and
// notes everything. Each wait has a deadline.
import type { Clock, Timer } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { Media, MediaSession } from '../media/media-session.ts';
import { IncomingCall } from '../sip/incoming-call.ts';
import type { Header } from '../sip/message.ts';
import type { Incoming, UserAgent } from '../sip/user-agent.ts';
import type { PhoneProgram } from './program.ts';
import { TextPhone } from './text-phone.ts';

/** A phone that nobody answers stops to ring after so long: real networks give up far earlier. */
const LONGEST_RING_MS = 15 * 60_000;

export interface PhoneCallParts {
  readonly userAgent: UserAgent;
  readonly media: Media;
  readonly clock: Clock;
  readonly log: Logger;
  /** Our Contact value. */
  readonly contact: string;
  /** Writes news of the call down; what is not written did not happen. */
  readonly note: (news: PhoneNews) => void;
  /** Called once, when nothing of the call is left. */
  readonly over: () => void;
}

export type PhoneNews =
  | { readonly kind: 'answered' }
  | { readonly kind: 'heard' | 'said' | 'keys'; readonly text: string }
  | { readonly kind: 'ended'; readonly by: 'caller' | 'recipient' | 'network' };

interface Refusal {
  readonly status: number;
  readonly reason: string;
  /** Q.850 cause, as gateways to the telephone network give it. */
  readonly cause: number;
  readonly by: 'recipient' | 'network';
}

const BUSY: Refusal = { status: 486, reason: 'Busy Here', cause: 17, by: 'recipient' };
const REJECTED: Refusal = { status: 603, reason: 'Decline', cause: 21, by: 'recipient' };
const UNREACHABLE: Refusal = { status: 404, reason: 'Not Found', cause: 1, by: 'network' };
const UNANSWERED: Refusal = { status: 480, reason: 'Temporarily Unavailable', cause: 19, by: 'network' };
const NOTHING_IN_COMMON: Refusal = { status: 488, reason: 'Not Acceptable Here', cause: 88, by: 'network' };
const OUT_OF_ORDER: Refusal = { status: 503, reason: 'Service Unavailable', cause: 41, by: 'network' };

export class PhoneCall {
  readonly #parts: PhoneCallParts;
  readonly #program: PhoneProgram;
  readonly #call: IncomingCall;
  readonly #phone: TextPhone;
  #session: MediaSession | null = null;
  #timer: Timer | null = null;
  #isAnswered = false;
  #isOver = false;

  constructor(incoming: Incoming, program: PhoneProgram, parts: PhoneCallParts) {
    this.#parts = parts;
    this.#program = program;
    this.#call = new IncomingCall(incoming, parts.userAgent, parts.contact, {
      cancelled: () => this.#end('caller'),
      established: (sdp) => this.#established(sdp),
      ended: (by) => this.#end(by === 'us' ? 'recipient' : by),
      offered: (sdp) => this.#offered(sdp),
    });
    this.#phone = new TextPhone(
      program,
      {
        say: (line) => this.#say(line),
        press: async (keys) => this.#session?.sendDigits(keys),
        hangUp: () => this.#hangUp(),
        heard: (turn) => parts.note({ kind: 'heard', text: turn }),
      },
      parts.clock,
    );
  }

  /** Does what the program says. */
  begin(): void {
    const { behaviour, ring_ms } = this.#program;
    this.#call.trying();
    switch (behaviour) {
      case 'busy':
        return this.#refuse(BUSY);
      case 'unreachable':
        return this.#refuse(UNREACHABLE);
      case 'reject':
        return this.#ring(ring_ms, () => this.#refuse(REJECTED));
      case 'person':
      case 'silent':
        return this.#ring(ring_ms, () => this.#answer());
      case 'no_answer':
      case 'mute_network': // of a call that was on its way before the network fell silent
        return this.#ring(LONGEST_RING_MS, () => this.#refuse(UNANSWERED));
    }
  }

  isAddressedBy(incoming: Incoming): boolean {
    return this.#call.isAddressedBy(incoming.request);
  }

  /** A request inside the call. */
  request(incoming: Incoming): void {
    this.#call.request(incoming);
  }

  /** The exchange closes: the call is cut off without a word. */
  cutOff(): void {
    this.#end('network');
  }

  #ring(forMs: number, then: () => void): void {
    if (forMs > 0) this.#call.ring();
    this.#timer = this.#parts.clock.after(forMs, then);
  }

  #refuse({ status, reason, cause, by }: Refusal): void {
    if (this.#isOver) return;
    const headers: Header[] = [{ name: 'reason', value: `Q.850;cause=${cause}` }];
    this.#end(by); // written down first: the caller must not know of an end that the phone could forget
    this.#call.refuse(status, reason, headers);
  }

  #answer(): void {
    const heardText = (text: string) => this.#phone.hear(text);
    const heardDigit = (digit: string) => this.#parts.note({ kind: 'keys', text: digit });
    this.#parts.media.open({ heardText, heardDigit }).then(
      (session) => this.#answerWith(session),
      (error: unknown) => {
        this.#parts.log.error({ reason: messageOf(error) }, 'a phone has no media');
        this.#refuse(OUT_OF_ORDER);
      },
    );
  }

  #answerWith(session: MediaSession): void {
    if (this.#isOver) return void session.close();
    this.#session = session;
    const { invite, source } = this.#call;
    const agreement = invite.body === '' ? null : session.acceptOffer(invite.body, source.host);
    if (agreement?.kind === 'refused') return this.#refuse(NOTHING_IN_COMMON);
    this.#isAnswered = true;
    this.#parts.note({ kind: 'answered' });
    const { hang_up_after_ms } = this.#program;
    this.#timer = hang_up_after_ms === null ? null : this.#parts.clock.after(hang_up_after_ms, () => this.#hangUp());
    if (agreement !== null) session.start();
    this.#call.answer(agreement?.sdp ?? session.localSdp);
  }

  /** Words wait for the ACK: a caller that has not seen the answer does not listen yet. */
  #established(sdp: string): void {
    const session = this.#session;
    if (session === null || this.#isOver) return;
    if (session.agreed === null) {
      const agreement = session.acceptAnswer(sdp, this.#call.source.host);
      if (agreement.kind === 'refused') return this.#hangUp();
      session.start();
    }
    this.#phone.begin();
  }

  #offered(sdp: string): string | null {
    const answer = this.#session?.acceptOffer(sdp, this.#call.source.host);
    return answer?.kind === 'agreed' ? answer.sdp : null;
  }

  async #say(line: string): Promise<void> {
    const session = this.#session;
    if (session?.agreed?.hasText !== true || this.#isOver) return;
    await session.sendText(`${line}\u2028`);
    if (!this.#isOver) this.#parts.note({ kind: 'said', text: line });
  }

  #hangUp(): void {
    if (!this.#isAnswered || this.#isOver) return;
    this.#timer?.cancel();
    this.#phone.end();
    void this.#call.hangUp();
  }

  #end(by: 'caller' | 'recipient' | 'network'): void {
    if (this.#isOver) return;
    this.#timer?.cancel();
    this.#phone.end();
    this.#isOver = true;
    this.#parts.note({ kind: 'ended', by });
    void this.#session?.close();
    this.#parts.over();
  }
}
