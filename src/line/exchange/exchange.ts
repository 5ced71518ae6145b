// The phone network in a box: a SIP server with phones behind it, reached over UDP on loopback like any trunk. It counts what
// reaches each phone before the phone does anything, and remembers it across restarts and kills.
import type { Chance, Clock } from '../../platform/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createMedia } from '../media/media.ts';
import type { Media } from '../media/media-session.ts';
import { parseNameAddress } from '../sip/header.ts';
import { ALLOWED_METHODS } from '../sip/leg-requests.ts';
import { headerValues } from '../sip/message.ts';
import type { SipRequest } from '../sip/message.ts';
import { openUdpTransport } from '../sip/transport-udp.ts';
import type { SipTransport } from '../sip/transport-udp.ts';
import { formatUri, parseUri } from '../sip/uri.ts';
import { UserAgent } from '../sip/user-agent.ts';
import type { Incoming } from '../sip/user-agent.ts';
import type { CallRecord, Entry } from './call-record.ts';
import { Journal } from './journal.ts';
import { muted } from './mute-network.ts';
import { PhoneCall } from './phone-call.ts';
import { NUMBER_PATTERN, readProgram } from './program.ts';
import type { PhoneProgram } from './program.ts';
import { READY_MADE, UNPROGRAMMED } from './ready-made.ts';

export interface ExchangeOptions {
  /** A loopback address. */
  readonly host: string;
  /** UDP; 0 takes a free one. */
  readonly port: number;
  /** File that programs and calls are kept in; its folder must exist. */
  readonly journal: string;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Logger;
}

/** A phone as it can be looked at. */
export interface Phone {
  /** Null: nobody programmed it, and it rings until the caller gives up. */
  readonly program: PhoneProgram | null;
  /** Oldest first. */
  readonly calls: readonly CallRecord[];
}

/** Calls at the same time; above, the network is congested (503) and no phone is reached. */
const MAX_LIVE_CALLS = 2_000;

/**
 * Opens the exchange.
 * @throws {Fault} when the port is not to be had or the journal cannot be used
 */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const { host, port, clock, chance, log } = options;
  const journal = Journal.open(options.journal);
  try {
    const transport = await openUdpTransport({ host, port });
    const onError = (error: unknown) => log.error({ reason: messageOf(error) }, 'a media frame of a phone failed');
    const media = createMedia({ host, firstPort: 0, lastPort: 0, clock, chance, onError });
    return new Exchange(options, journal, transport, media);
  } catch (error) {
    journal.close();
    throw error;
  }
}

export class Exchange implements AsyncDisposable {
  readonly #options: ExchangeOptions;
  readonly #journal: Journal;
  readonly #transport: SipTransport;
  readonly #media: Media;
  readonly #userAgent: UserAgent;
  /** By Call-ID and number. */
  readonly #live = new Map<string, PhoneCall>();
  #isClosed = false;

  constructor(options: ExchangeOptions, journal: Journal, transport: SipTransport, media: Media) {
    this.#options = options;
    this.#journal = journal;
    this.#media = media;
    // Calls that an earlier process left behind ended with it.
    for (const call of journal.book.openCalls()) {
      journal.append({ kind: 'ended', ...call, at: this.#now(), by: 'network' });
    }
    this.#transport = muted(transport, (request) => this.#swallows(request));
    this.#userAgent = new UserAgent({
      transport: this.#transport,
      clock: options.clock,
      chance: options.chance,
      onRequest: (incoming) => this.#request(incoming),
      onBug: (error) => options.log.error({ reason: messageOf(error) }, 'a SIP message of the exchange failed'),
    });
  }

  /** For `SIP_TRUNK_URI` and the like: `sip:127.0.0.1:PORT`. */
  get trunkUri(): string {
    const { host, port } = this.#transport.local;
    return formatUri('', host, port);
  }

  /**
   * Programs the phone of a number, from the next call on.
   * @param number E.164
   * @param input parsed JSON, anything
   * @returns the program as it was taken, or the field that is at fault
   */
  program(number: string, input: unknown): ReturnType<typeof readProgram> {
    const read = readProgram(input);
    if ('program' in read) this.#journal.append({ kind: 'program', number, program: read.program });
    return read;
  }

  /** The phone of a number: its own program, else the ready-made one. */
  phone(number: string): Phone {
    return { program: this.#programOf(number), calls: this.#journal.book.callsOf(number) };
  }

  /** Cuts off the calls that are there, sends nothing, closes the port and the journal. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const call of this.#live.values()) call.cutOff();
    this.#userAgent.close();
    await this.#transport[Symbol.asyncDispose]();
    await this.#media[Symbol.asyncDispose]();
    this.#journal.close();
  }

  #programOf(number: string): PhoneProgram | null {
    return this.#journal.book.programOf(number) ?? READY_MADE.get(number) ?? null;
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }

  /** Whether the mute network takes a request; a call that is under way already is not lost by a new program. */
  #swallows(request: SipRequest): boolean {
    const number = numberOf(request);
    if (number === null || this.#programOf(number)?.behaviour !== 'mute_network') return false;
    if (this.#live.has(keyOf(request, number))) return false;
    if (request.method === 'INVITE') this.#countInvite(request, number);
    return true;
  }

  /** @returns false for an INVITE that was counted before: its answer got lost with an earlier process */
  #countInvite(request: SipRequest, number: string): boolean {
    const transaction = `${request.via.params.get('branch') ?? ''} ${request.cseq.number}`;
    if (this.#journal.book.knows(number, request.callId, transaction)) return false;
    const caller = callerOf(request);
    this.#journal.append({
      kind: 'invite',
      number,
      sip_call_id: request.callId,
      transaction,
      caller,
      at: this.#now(),
    });
    return true;
  }

  #request(incoming: Incoming): void {
    const { request } = incoming;
    if (request.toTag !== '') {
      // Our Contact names the number, so the Request-URI inside a call does.
      const call = this.#live.get(keyOf(request, numberOf(request) ?? ''));
      if (call?.isAddressedBy(incoming) === true) call.request(incoming);
      else incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
    } else if (request.method === 'INVITE') this.#invite(incoming);
    else if (request.method === 'OPTIONS') {
      incoming.respond({ status: 200, reason: 'OK', headers: [{ name: 'allow', value: ALLOWED_METHODS }] });
    } else if (request.method === 'BYE' || request.method === 'UPDATE' || request.method === 'INFO') {
      incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
    } else {
      const headers = [{ name: 'allow', value: ALLOWED_METHODS }];
      incoming.respond({ status: 405, reason: 'Method Not Allowed', headers });
    }
  }

  #invite(incoming: Incoming): void {
    const { request } = incoming;
    const required = headerValues(request, 'require');
    const number = numberOf(request);
    if (required.length > 0) {
      const headers = required.map((value) => ({ name: 'unsupported', value }));
      incoming.respond({ status: 420, reason: 'Bad Extension', headers });
    } else if (number === null) {
      incoming.respond({ status: 404, reason: 'Not Found', headers: [{ name: 'reason', value: 'Q.850;cause=1' }] });
    } else if (this.#live.size >= MAX_LIVE_CALLS) {
      incoming.respond({
        status: 503,
        reason: 'Service Unavailable',
        headers: [{ name: 'reason', value: 'Q.850;cause=42' }],
      });
    } else if (!this.#countInvite(request, number)) {
      incoming.respond({ status: 480, reason: 'Temporarily Unavailable' });
    } else if (this.#live.has(keyOf(request, number))) {
      incoming.respond({ status: 482, reason: 'Loop Detected' }); // counted, and not rung a second time
    } else this.#reach(incoming, number);
  }

  /** Writes down what a call that was counted does; a disk that is full by now must not end the process. */
  #note(entry: Entry): void {
    try {
      this.#journal.append(entry);
    } catch (error) {
      this.#options.log.error({ reason: messageOf(error) }, 'the journal of the exchange cannot be written');
    }
  }

  /** The phone rings, or does whatever it is programmed to. */
  #reach(incoming: Incoming, number: string): void {
    const { clock, log } = this.#options;
    const key = keyOf(incoming.request, number);
    const ofCall = { number, sip_call_id: incoming.request.callId };
    const { host, port } = this.#transport.local;
    const call = new PhoneCall(incoming, this.#programOf(number) ?? UNPROGRAMMED, {
      userAgent: this.#userAgent,
      media: this.#media,
      clock,
      log,
      contact: `<${formatUri(number, host, port)}>`,
      note: (news) => this.#note('text' in news ? { ...ofCall, ...news } : { ...ofCall, ...news, at: this.#now() }),
      over: () => this.#live.delete(key),
    });
    this.#live.set(key, call);
    call.begin();
  }
}

function keyOf(request: SipRequest, number: string): string {
  return `${number} ${request.callId}`;
}

/** The number that is called; null when it is none. */
function numberOf(request: SipRequest): string | null {
  const user = parseUri(request.uri)?.user ?? '';
  return NUMBER_PATTERN.test(user) ? user : null;
}

function callerOf(request: SipRequest): string {
  const from = parseNameAddress(headerValues(request, 'from')[0] ?? '');
  return parseUri(from?.uri ?? '')?.user ?? '';
}
