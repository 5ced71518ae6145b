// One leg on a SIP line: carries out what the call machine decides, with real transactions, timers and media, and answers the
// far end's requests inside the dialog. It dials at most once, and says nothing after the end.
import type { Logger } from '../../platform/log.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { HangUp, Leg, LegEvent, LegMedia, LegRecord } from '../line.ts';
import type { Media, MediaSession } from '../media/media-session.ts';
import { takeRequest } from './dialog.ts';
import { ALLOWED_METHODS } from './leg-requests.ts';
import type { SipLegRecord } from './leg-record.ts';
import { headerOf, type SipRequest, type SipResponse } from './message.ts';
import { newCall, nextCall, type CallAction, type CallEvent, type CallRules, type CallState } from './outgoing-call.ts';
import { resolveHost } from './transport-udp.ts';
import { DEFAULT_SIP_PORT, parseUri, type SipAddress } from './uri.ts';
import type { Incoming, UserAgent } from './user-agent.ts';
import { within } from '../../platform/clock.ts';

export interface SipLegParts {
  readonly userAgent: UserAgent;
  readonly media: Media;
  readonly clock: Clock;
  readonly log: Logger;
  readonly rules: CallRules;
  /** Where the INVITE goes. @throws when the trunk's name cannot be resolved */
  readonly findTrunk: () => Promise<SipAddress>;
  /** Told once, when the call is over; 2xx that come later are still for this leg. */
  readonly onOver: () => void;
}

// An ACK or BYE cannot wait for a name server longer than this.
const HOP_LIMIT_MS = 2_000;

const NO_MEDIA: LegMedia = { hasText: false, audio: null, hasDigits: false };

export class SipLeg implements Leg {
  readonly #parts: SipLegParts;
  readonly #heard: (event: LegEvent) => void;
  readonly #timers = new Map<string, Timer>();
  readonly #hangUp = Promise.withResolvers<HangUp>();
  #state: CallState;
  #session: MediaSession | null = null;
  #trunk: SipAddress | null = null;
  #isTold = false;
  /** Requests to hosts that must be looked up leave in order. */
  #routing: Promise<void> = Promise.resolve();

  constructor(record: SipLegRecord, parts: SipLegParts, heard: (event: LegEvent) => void) {
    this.#state = newCall(record);
    this.#parts = parts;
    this.#heard = heard;
    void this.#dial();
  }

  get record(): LegRecord {
    return this.#state.record;
  }

  hangUp(): Promise<HangUp> {
    // Later, as every event: the caller may hold no promise yet.
    queueMicrotask(() => this.#feed({ kind: 'hang_up' }));
    return this.#hangUp.promise;
  }

  async sendText(text: string, signal?: AbortSignal): Promise<void> {
    if (this.#state.phase === 'answered') await this.#session?.sendText(text, signal);
  }

  async sendDigits(digits: string, signal?: AbortSignal): Promise<void> {
    if (this.#state.phase === 'answered') await this.#session?.sendDigits(digits, signal);
  }

  /** A 2xx to the INVITE after its transaction was forgotten. */
  strayAnswer(response: SipResponse): void {
    this.#feed({ kind: 'invite_news', news: { kind: 'response', response } });
  }

  async #dial(): Promise<void> {
    const { media, clock, rules } = this.#parts;
    try {
      const session = await media.open({
        heardText: (text) => this.#tellWhileAnswered({ kind: 'text', text }),
        heardDigit: (digit) => this.#tellWhileAnswered({ kind: 'digit', digit }),
      });
      this.#session = session;
    } catch (error) {
      this.#feed({ kind: 'undialable', code: 'submission_failed', because: messageOf(error) });
      return;
    }
    try {
      const unresolved = `the trunk's name was not resolved within ${rules.acknowledgeMs} ms`;
      this.#trunk = await within(clock, rules.acknowledgeMs, this.#parts.findTrunk(), () => {
        throw new Error(unresolved);
      });
    } catch (error) {
      this.#feed({ kind: 'undialable', code: 'carrier_unavailable', because: messageOf(error) });
      await this.#session.close();
      return;
    }
    if (this.#state.phase === 'ready') this.#feed({ kind: 'dial', offer: this.#session.localSdp });
    else await this.#session.close(); // hung up meanwhile
  }

  #tellWhileAnswered(event: LegEvent): void {
    if (this.#state.phase === 'answered') this.#tell(event);
  }

  #tell(event: LegEvent): void {
    if (this.#isTold) return;
    if (event.kind === 'refused' || event.kind === 'ended' || event.kind === 'given_up') this.#isTold = true;
    this.#guard(() => this.#heard(event));
  }

  #feed(event: CallEvent): void {
    this.#guard(() => this.#advance(event));
  }

  /** A bug here, or in whoever listens, must not take the process with it: the other calls go on. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      const { reference } = this.#state.record;
      this.#parts.log.error({ reference, reason: messageOf(error) }, 'a leg failed');
    }
  }

  #advance(event: CallEvent): void {
    const before = this.#state.phase;
    const step = nextCall(this.#state, event, this.#parts.rules);
    this.#state = step.state;
    for (const action of step.actions) this.#do(action);
    if (before === 'over' || this.#state.phase !== 'over') return;
    void this.#session?.close();
    this.#parts.onOver();
  }

  #do(action: CallAction): void {
    const { userAgent, clock } = this.#parts;
    switch (action.kind) {
      case 'invite':
        userAgent.request(action.request, this.#trunkAddress(), (news) => this.#feed({ kind: 'invite_news', news }));
        break;
      case 'cancel':
        // Its answer says only that the next hop has it; the INVITE's own end is what counts.
        userAgent.request(action.request, this.#trunkAddress(), () => undefined);
        break;
      case 'bye':
        this.#towards(action.hop, (to) =>
          userAgent.request(action.request, to, (news) => {
            if (action.isOurs) this.#feed({ kind: 'bye_news', news });
          }),
        );
        break;
      case 'ack':
        this.#towards(action.hop, (to) => userAgent.sendOnce(action.request, to));
        break;
      case 'arm':
        this.#timers.get(action.timer)?.cancel();
        this.#timers.set(
          action.timer,
          clock.after(action.delayMs, () => this.#feed({ kind: 'timer', timer: action.timer })),
        );
        break;
      case 'disarm':
        this.#timers.get(action.timer)?.cancel();
        break;
      case 'answered':
        this.#tell({ kind: 'answered', media: this.#agree(action.sdp) });
        break;
      case 'tell':
        this.#tell(action.event);
        break;
      case 'hung_up':
        this.#hangUp.resolve(action.how);
        break;
    }
  }

  /** What the answer's SDP lets us say and hear; nothing, when it cannot be used. */
  #agree(sdp: string): LegMedia {
    const agreement = this.#session?.acceptAnswer(sdp, this.#trunk?.host);
    if (agreement?.kind !== 'agreed') {
      this.#parts.log.warn(
        { reference: this.#state.record.reference, reason: agreement?.because },
        'the answer holds no media',
      );
      return NO_MEDIA;
    }
    this.#session?.start();
    return agreement.media;
  }

  #trunkAddress(): SipAddress {
    if (this.#trunk === null) throw new Error('a leg sends nothing before its trunk is known');
    return this.#trunk;
  }

  /** Sends to the next hop; when its name cannot be resolved, the trunk is asked to pass it on. */
  #towards(hop: string, send: (to: SipAddress) => void): void {
    const uri = parseUri(hop);
    const port = uri?.port ?? DEFAULT_SIP_PORT;
    this.#routing = this.#routing.then(async () => {
      const found = uri === null ? null : within(this.#parts.clock, HOP_LIMIT_MS, resolveHost(uri.host), () => null);
      const host = (await found?.catch(() => null)) ?? null;
      send(host === null ? this.#trunkAddress() : { host, port });
    });
  }

  /** Answers a request of the far end that names this call. */
  request(incoming: Incoming): void {
    const { request } = incoming;
    const { dialog } = this.#state.record;
    const isAlive = this.#state.phase === 'answered' || this.#state.phase === 'ending';
    if (dialog === null || request.toTag !== dialog.localTag || request.fromTag !== dialog.remoteTag || !isAlive) {
      incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
      return;
    }
    if (takeRequest(dialog, request) === null) {
      incoming.respond({ status: 500, reason: 'Request Out Of Order' });
      return;
    }
    switch (request.method) {
      case 'BYE':
      case 'OPTIONS':
        incoming.respond({ status: 200, reason: 'OK', headers: [{ name: 'allow', value: ALLOWED_METHODS }] });
        break;
      case 'INVITE':
      case 'UPDATE':
        this.#renegotiate(incoming);
        break;
      case 'INFO':
        incoming.respond({ status: 200, reason: 'OK' });
        this.#digitOf(request);
        break;
      default:
        refuseMethod(incoming);
    }
    if (request.method !== 'BYE') this.#feed({ kind: 'request', request });
    else this.#parts.clock.after(LAST_WORDS_MS, () => this.#feed({ kind: 'request', request }));
  }

  /** re-INVITE and UPDATE: a new offer is answered, hold included; none asks for ours (RFC 3261 section 14.2). */
  #renegotiate(incoming: Incoming): void {
    const { request } = incoming;
    const contact = { name: 'contact', value: this.#state.record.contact };
    const session = this.#session;
    if (session === null || this.#state.phase !== 'answered') {
      incoming.respond({ status: 491, reason: 'Request Pending' });
    } else if (request.body === '') {
      const isOffering = request.method === 'INVITE';
      const media = isOffering ? { headers: [contact, SDP_TYPE], body: session.localSdp } : { headers: [contact] };
      incoming.respond({ status: 200, reason: 'OK', ...media });
      incoming.listen({
        acknowledged: (ack) => {
          if (isOffering && ack.body !== '') session.acceptAnswer(ack.body, incoming.source.host);
        },
      });
    } else {
      const answer = session.acceptOffer(request.body, incoming.source.host);
      if (answer.kind === 'agreed') {
        incoming.respond({ status: 200, reason: 'OK', headers: [contact, SDP_TYPE], body: answer.sdp });
      } else incoming.respond({ status: 488, reason: 'Not Acceptable Here' });
    }
  }

  /** A key press that a gateway sends in SIP instead of RTP. */
  #digitOf(request: SipRequest): void {
    const type = (headerOf(request, 'content-type') ?? '').toLowerCase();
    if (!type.startsWith('application/dtmf')) return;
    const digit = /^(?:Signal\s*=\s*)?([0-9*#A-D])\s*$/im.exec(request.body)?.[1];
    if (digit !== undefined) this.#tellWhileAnswered({ kind: 'digit', digit: digit.toUpperCase() });
  }
}

/** Words travel on another socket than the BYE that was sent behind them: so long are they still listened for. */
const LAST_WORDS_MS = 40;

const SDP_TYPE = { name: 'content-type', value: 'application/sdp' };

const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...ALLOWED_METHODS.split(', '),
  'MESSAGE',
  'NOTIFY',
  'PRACK',
  'PUBLISH',
  'REFER',
  'REGISTER',
  'SUBSCRIBE',
]);

/** 405 for a method that we know and do not take here, 501 for one that we do not know (RFC 3261 section 8.2.1). */
export function refuseMethod(incoming: Incoming): void {
  const isKnown = KNOWN_METHODS.has(incoming.request.method);
  incoming.respond({
    status: isKnown ? 405 : 501,
    reason: isKnown ? 'Method Not Allowed' : 'Not Implemented',
    headers: [{ name: 'allow', value: ALLOWED_METHODS }],
  });
}
