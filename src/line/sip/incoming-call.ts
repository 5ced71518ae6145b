// One call that comes in, from the INVITE to the end of its dialog: what a phone needs in order to ring, answer, refuse and
// hang up. The line takes no calls; the exchange's phones do. Knows no media: SDP passes through as text.
import type { HangUp } from '../line.ts';
import { dialogOfRequest, isInDialog, requestInDialog, takeRequest, type Dialog } from './dialog.ts';
import { formatVia } from './header.ts';
import { ALLOWED_METHODS } from './leg-requests.ts';
import type { Header, SipRequest } from './message.ts';
import { resolveHost } from './transport-udp.ts';
import { DEFAULT_SIP_PORT, parseUri, type SipAddress } from './uri.ts';
import type { Incoming, UserAgent } from './user-agent.ts';

export interface IncomingCallListener {
  /** The caller gave up before the answer; the 487 is sent already. Nothing follows. */
  readonly cancelled: () => void;
  /** The caller acknowledged the answer. @param sdp of the ACK; empty unless the INVITE had no offer */
  readonly established: (sdp: string) => void;
  /** The answered call is over. `network`: our answer was never acknowledged, and we sent BYE. Nothing follows. */
  readonly ended: (by: 'caller' | 'us' | 'network') => void;
  /** A new offer inside the call. @returns the answer's SDP, or null to refuse it and go on as before */
  readonly offered: (sdp: string) => string | null;
}

type Phase = 'incoming' | 'answered' | 'ending' | 'over';

export class IncomingCall {
  readonly invite: SipRequest;
  readonly source: SipAddress;
  readonly #incoming: Incoming;
  readonly #userAgent: UserAgent;
  readonly #listener: IncomingCallListener;
  readonly #contact: string;
  readonly #hangUp = Promise.withResolvers<HangUp>();
  #dialog: Dialog;
  #phase: Phase = 'incoming';

  /** Sends nothing yet. @param contact our Contact value, `<sip:...>` */
  constructor(incoming: Incoming, userAgent: UserAgent, contact: string, listener: IncomingCallListener) {
    this.invite = incoming.request;
    this.source = incoming.source;
    this.#incoming = incoming;
    this.#userAgent = userAgent;
    this.#contact = contact;
    this.#listener = listener;
    this.#dialog = dialogOfRequest(incoming.request, incoming.localTag, contact);
    incoming.listen({
      cancelled: () => this.#cancelled(),
      acknowledged: (ack) => {
        if (this.#phase === 'answered') listener.established(ack.body);
      },
      unacknowledged: () => this.#unacknowledged(),
    });
  }

  /** Whether a request names this call. */
  isAddressedBy(request: SipRequest): boolean {
    return isInDialog(this.#dialog, request);
  }

  /** 100: stops the caller's retransmissions. */
  trying(): void {
    this.#incoming.respond({ status: 100, reason: 'Trying' });
  }

  ring(): void {
    this.#incoming.respond({ status: 180, reason: 'Ringing', headers: [this.#contactHeader()] });
  }

  /** @param sdp the answer to the INVITE's offer; an offer, if it had none */
  answer(sdp: string): void {
    if (this.#phase !== 'incoming') return;
    this.#phase = 'answered';
    this.#incoming.respond({ status: 200, reason: 'OK', headers: this.#headersWithSdp(), body: sdp });
  }

  /** @param status 300 to 699 */
  refuse(status: number, reason: string, headers: readonly Header[] = []): void {
    if (this.#phase !== 'incoming') return;
    this.#phase = 'over';
    this.#incoming.respond({ status, reason, headers });
  }

  /**
   * Ends an answered call with BYE; an unanswered one is refused with 480.
   * @returns whether the caller confirmed; repeated calls give the first one's promise
   */
  hangUp(): Promise<HangUp> {
    if (this.#phase === 'incoming') {
      this.refuse(480, 'Temporarily Unavailable');
      this.#hangUp.resolve('confirmed');
    } else if (this.#phase === 'answered') {
      this.#phase = 'ending';
      this.#sendBye().then(
        (how) => this.#over('us', how),
        () => this.#over('us', 'unconfirmed'),
      );
    }
    return this.#hangUp.promise;
  }

  /** Takes a request inside the call; `isAddressedBy` has been asked. */
  request(incoming: Incoming): void {
    const { request } = incoming;
    const taken = takeRequest(this.#dialog, request);
    if (this.#phase !== 'answered' && this.#phase !== 'ending') {
      incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
    } else if (taken === null) {
      incoming.respond({ status: 500, reason: 'Request Out Of Order' });
    } else {
      this.#dialog = taken;
      this.#answerRequest(incoming);
    }
  }

  #answerRequest(incoming: Incoming): void {
    const { request } = incoming;
    switch (request.method) {
      case 'BYE':
        incoming.respond({ status: 200, reason: 'OK' });
        this.#over(this.#phase === 'ending' ? 'us' : 'caller', 'confirmed');
        break;
      case 'INVITE':
      case 'UPDATE':
        this.#renegotiate(incoming);
        break;
      case 'INFO':
      case 'OPTIONS':
        incoming.respond({ status: 200, reason: 'OK', headers: [{ name: 'allow', value: ALLOWED_METHODS }] });
        break;
      default:
        incoming.respond({
          status: 405,
          reason: 'Method Not Allowed',
          headers: [{ name: 'allow', value: ALLOWED_METHODS }],
        });
    }
  }

  #renegotiate(incoming: Incoming): void {
    if (incoming.request.body === '') {
      // An UPDATE without SDP refreshes the session; a re-INVITE without an offer is not something our callers send.
      if (incoming.request.method === 'UPDATE') {
        incoming.respond({ status: 200, reason: 'OK', headers: [this.#contactHeader()] });
      } else incoming.respond({ status: 488, reason: 'Not Acceptable Here' });
      return;
    }
    const answer = this.#listener.offered(incoming.request.body);
    if (answer === null) incoming.respond({ status: 488, reason: 'Not Acceptable Here' });
    else incoming.respond({ status: 200, reason: 'OK', headers: this.#headersWithSdp(), body: answer });
  }

  #cancelled(): void {
    if (this.#phase !== 'incoming') return;
    this.refuse(487, 'Request Terminated');
    this.#listener.cancelled();
  }

  /** @see RFC 3261 section 13.3.1.4: an answer without its ACK ends in a BYE */
  #unacknowledged(): void {
    if (this.#phase !== 'answered') return;
    this.#sendBye().catch(() => undefined); // whoever does not acknowledge may not be found either

    this.#over('network', 'unconfirmed');
  }

  #over(by: 'caller' | 'us' | 'network', how: HangUp): void {
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    this.#hangUp.resolve(how);
    this.#listener.ended(by);
  }

  async #sendBye(): Promise<HangUp> {
    const { request, dialog, hop } = requestInDialog(this.#dialog, {
      method: 'BYE',
      via: formatVia(this.#userAgent.local, this.#userAgent.newToken()),
    });
    this.#dialog = dialog;
    const uri = parseUri(hop);
    const host = uri === null ? this.source.host : await resolveHost(uri.host);
    const to = uri === null ? this.source : { host, port: uri.port ?? DEFAULT_SIP_PORT };
    return new Promise((resolve) => {
      this.#userAgent.request(request, to, (news) => {
        if (news.kind !== 'response') resolve('unconfirmed');
        else if (news.response.status >= 200) resolve('confirmed');
      });
    });
  }

  #contactHeader(): Header {
    return { name: 'contact', value: this.#contact };
  }

  #headersWithSdp(): Header[] {
    return [
      this.#contactHeader(),
      { name: 'allow', value: ALLOWED_METHODS },
      { name: 'content-type', value: 'application/sdp' },
    ];
  }
}
