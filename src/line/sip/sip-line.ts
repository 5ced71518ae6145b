// A phone line over a SIP trunk: one UDP port, one user agent, a leg for each call. It dials what it has prepared, once; it
// takes no calls. What the far end sends about calls that are not there gets the answer that the standard gives for it.
import type { Chance, Clock } from '../../platform/clock.ts';
import { Fault, messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { DialRequest, Leg, LegEvent, LegRecord, Line, LookUp } from '../line.ts';
import type { Media } from '../media/media-session.ts';
import type { Credentials } from './digest.ts';
import { formatVia, quote } from './header.ts';
import { ALLOWED_METHODS } from './leg-requests.ts';
import { readSipLegRecord, type SipLegRecord } from './leg-record.ts';
import { headerValues, type SipResponse } from './message.ts';
import type { CallRules } from './outgoing-call.ts';
import { refuseMethod, SipLeg } from './sip-leg.ts';
import { DEFAULT_TIMES, lifetimeMs, type SipTimes } from './timers.ts';
import { localAddressTowards, openUdpTransport, type SipTransport } from './transport-udp.ts';
import { resolveTrunk } from './trunk-address.ts';
import { DEFAULT_SIP_PORT, formatUri, parseUri, type SipUri } from './uri.ts';
import { UserAgent, type Incoming } from './user-agent.ts';
import { within } from '../../platform/clock.ts';

export interface SipLineSettings {
  /** `sip:host` or `sip:host:port`. */
  readonly trunkUri: string;
  /** Null when the trunk knows us by our address. */
  readonly credentials: Credentials | null;
  /** E.164. */
  readonly callerNumber: string;
  /** IPv4 address that Via and Contact name; `chooseLocalAddress` finds it. */
  readonly localAddress: string;
  /** 0 takes a free one. */
  readonly localPort: number;
  /** How long a phone may ring, ms. */
  readonly ringMs: number;
  /** How long the carrier may stay mute, ms. */
  readonly acknowledgeMs: number;
  /** Whether the INVITE asserts the caller's number too (P-Asserted-Identity, RFC 3325): some trunks want it. */
  readonly assertsIdentity?: boolean;
  readonly times?: SipTimes;
}

export interface SipLineParts {
  /** Of the same local address. Stays the caller's to close, after the line. */
  readonly media: Media;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Logger;
}

const USER_AGENT = 'Errand';

// Names are for a phone's display.
const MAX_NAME_CHARACTERS = 80;
// Closing waits this long for the hang-ups of calls that are still there.
const CLOSE_PATIENCE_MS = 4_000;

/**
 * Opens the line: binds its port; sends nothing.
 * @throws {Fault} `blame: 'us'` when the trunk's URI is no UDP trunk or the port is not to be had
 */
export async function openSipLine(settings: SipLineSettings, parts: SipLineParts): Promise<SipLine> {
  const trunk = readTrunk(settings.trunkUri);
  const transport = await openUdpTransport({ host: settings.localAddress, port: settings.localPort });
  return new SipLine(settings, trunk, transport, parts);
}

/**
 * The IPv4 address for SIP and media: the configured one, else the one this machine uses towards the trunk.
 * @throws {Fault} when the trunk's URI cannot be read
 */
export async function chooseLocalAddress(trunkUri: string, configured: string | null): Promise<string> {
  const trunk = readTrunk(trunkUri);
  return configured ?? localAddressTowards({ host: trunk.host, port: trunk.port ?? DEFAULT_SIP_PORT });
}

function readTrunk(text: string): SipUri {
  const uri = parseUri(text);
  const transport = uri?.params.get('transport')?.toLowerCase() ?? 'udp';
  if (uri !== null && uri.scheme === 'sip' && transport === 'udp' && !uri.host.startsWith('[')) return uri;
  throw new Fault(`SIP_TRUNK_URI must name a UDP trunk with an IPv4 address or a name, like sip:host:5060: ${text}`, {
    blame: 'us',
    retry: 'never',
  });
}

export class SipLine implements Line {
  readonly #settings: SipLineSettings;
  readonly #trunk: SipUri;
  readonly #transport: SipTransport;
  readonly #parts: SipLineParts;
  readonly #userAgent: UserAgent;
  readonly #rules: CallRules;
  readonly #times: SipTimes;
  /** By Call-ID; a leg that is over stays for the lifetime of a transaction, for late and repeated answers. */
  readonly #legs = new Map<string, { readonly leg: SipLeg; isOver: boolean }>();
  #isClosed = false;

  constructor(settings: SipLineSettings, trunk: SipUri, transport: SipTransport, parts: SipLineParts) {
    this.#settings = settings;
    this.#trunk = trunk;
    this.#transport = transport;
    this.#parts = parts;
    this.#times = settings.times ?? DEFAULT_TIMES;
    this.#rules = {
      local: transport.local,
      credentials: settings.credentials,
      userAgent: USER_AGENT,
      ringMs: settings.ringMs,
      acknowledgeMs: settings.acknowledgeMs,
      cancelledMs: lifetimeMs(this.#times),
    };
    this.#userAgent = new UserAgent({
      transport,
      clock: parts.clock,
      chance: parts.chance,
      times: this.#times,
      onRequest: (incoming) => this.#request(incoming),
      onStrayAnswer: (response) => this.#strayAnswer(response),
      onBug: (error) => parts.log.error({ reason: messageOf(error) }, 'a SIP message failed'),
    });
  }

  /** What Via and Contact name. */
  get localPort(): number {
    return this.#transport.local.port;
  }

  prepare(request: DialRequest): SipLegRecord {
    const { local } = this.#transport;
    const { callerNumber, assertsIdentity } = this.#settings;
    const branchSeed = this.#userAgent.newToken();
    const caller = `<${formatUri(callerNumber, this.#trunk.host, null)}>`;
    const name = request.callerName?.trim().slice(0, MAX_NAME_CHARACTERS) ?? '';
    const from = name === '' ? caller : `${quote(name)} ${caller}`;
    return {
      carrier: 'sip',
      version: 1,
      reference: `${request.callId}@errand`,
      epoch: 0,
      requestUri: formatUri(request.to, this.#trunk.host, this.#trunk.port),
      from,
      to: `<${formatUri(request.to, this.#trunk.host, null)}>`,
      contact: `<${formatUri('errand', local.host, local.port)}>`,
      assertedIdentity: assertsIdentity === true ? from : null,
      localTag: this.#userAgent.newToken(),
      inviteCSeq: 1,
      inviteVia: formatVia(local, `${branchSeed}.0.0`),
      branchSeed,
      cnonceSeed: this.#userAgent.newToken(),
      branches: 0,
      challenges: [],
      offer: null,
      answer: null,
      dialog: null,
      isAnswered: false,
      lastAck: null,
    };
  }

  /** @throws {Error} when the record is not one fresh from `prepare`, or was dialled: a bug, and nothing rings for it */
  dial(record: LegRecord, heard: (event: LegEvent) => void): Leg {
    const ours = readSipLegRecord(record);
    if (ours === null || ours.offer !== null || ours.isAnswered || this.#legs.has(ours.reference)) {
      throw new Error(`a leg is dialled once: ${record.reference}`);
    }
    if (this.#isClosed) throw new Error('the line is closed');
    const leg: SipLeg = new SipLeg(
      ours,
      {
        userAgent: this.#userAgent,
        media: this.#parts.media,
        clock: this.#parts.clock,
        log: this.#parts.log,
        rules: this.#rules,
        findTrunk: () => resolveTrunk(this.#trunk),
        onOver: () => this.#over(ours.reference),
      },
      heard,
    );
    this.#legs.set(ours.reference, { leg, isOver: false });
    return leg;
  }

  #over(reference: string): void {
    const entry = this.#legs.get(reference);
    if (entry === undefined) return;
    entry.isOver = true;
    this.#parts.clock.after(lifetimeMs(this.#times), () => this.#legs.delete(reference));
  }

  /**
   * SIP has no question for an INVITE whose sender died: a proxy may have forked it, and any request about it could only be
   * answered inside its dialog. So the line does not know. Asking inside the dialog belongs to taking the call over.
   */
  async lookUp(_record: LegRecord): Promise<LookUp> {
    return { kind: 'unknown' };
  }

  #request(incoming: Incoming): void {
    const { request } = incoming;
    const required = headerValues(request, 'require');
    if (required.length > 0) {
      const headers = required.map((value) => ({ name: 'unsupported', value }));
      incoming.respond({ status: 420, reason: 'Bad Extension', headers });
      return;
    }
    const entry = this.#legs.get(request.callId);
    if (request.toTag !== '') {
      if (entry === undefined) incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
      else entry.leg.request(incoming);
    } else if (request.method === 'OPTIONS') {
      incoming.respond({ status: 200, reason: 'OK', headers: [{ name: 'allow', value: ALLOWED_METHODS }] });
    } else if (request.method === 'INVITE') {
      // Errand calls and is not called.
      incoming.respond({ status: 480, reason: 'Temporarily Unavailable' });
    } else if (request.method === 'BYE' || request.method === 'UPDATE' || request.method === 'INFO') {
      incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
    } else refuseMethod(incoming);
  }

  #strayAnswer(response: SipResponse): void {
    this.#legs.get(response.callId)?.leg.strayAnswer(response);
  }

  /** Hangs up what is still there, waits for that a little, and closes the port. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const alive = [...this.#legs.values()].filter((entry) => !entry.isOver);
    const hungUp = Promise.all(alive.map((entry) => entry.leg.hangUp()));
    await within(this.#parts.clock, CLOSE_PATIENCE_MS, hungUp, () => undefined);
    this.#userAgent.close();
    await this.#transport[Symbol.asyncDispose]();
  }
}
