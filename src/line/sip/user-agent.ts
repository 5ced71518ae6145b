// The shell around SIP's transactions: matches messages to them, keeps their timers, sends what they say. Used by the line,
// which calls, and by the exchange, which answers. Knows nothing of dialogs or media; no datagram can make it throw.
import type { Chance, Clock, Timer } from '../../platform/clock.ts';
import {
  newClientTransaction,
  nextClient,
  type ClientEvent,
  type ClientNews,
  type ClientState,
} from './client-transaction.ts';
import { isUniqueBranch, splitValues } from './header.ts';
import {
  buildMessage,
  makeResponse,
  parseMessage,
  type ResponseParts,
  type SipRequest,
  type SipResponse,
} from './message.ts';
import { newServerTransaction, nextServer, type ServerEvent, type ServerState } from './server-transaction.ts';
import { DEFAULT_TIMES, type SipTimes } from './timers.ts';
import type { SipTransport } from './transport-udp.ts';
import { DEFAULT_SIP_PORT, type SipAddress } from './uri.ts';

export interface UserAgentOptions {
  readonly transport: SipTransport;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly times?: SipTimes;
  /** A new request, inside a dialog or not; never ACK or CANCEL. It must be answered with `respond`, now or later. */
  readonly onRequest: (incoming: Incoming) => void;
  /** A 2xx to an INVITE that no transaction knows any more: it must be acknowledged and ended. */
  readonly onStrayAnswer?: (response: SipResponse, from: SipAddress) => void;
  /** An exception while a datagram was handled: a bug; the datagram is dropped. */
  readonly onBug: (error: unknown) => void;
}

// Each live transaction holds a message and up to two timers, about 4 kB. A flood of requests ends at the bound: what comes
// above is not answered, and the far end tries again.
const MAX_CLIENT_TRANSACTIONS = 50_000;
const MAX_SERVER_TRANSACTIONS = 20_000;

interface ClientEntry {
  state: ClientState;
  readonly to: SipAddress;
  readonly heard: (news: ClientNews) => void;
  readonly timers: Map<string, Timer>;
}

interface ServerEntry {
  state: ServerState;
  readonly incoming: Incoming;
  readonly to: SipAddress;
  readonly timers: Map<string, Timer>;
}

/** What the one who answers an INVITE may want to know later. */
export interface IncomingListener {
  /** The caller gave up before the final answer; the CANCEL is answered already, the INVITE wants its 487. */
  readonly cancelled?: (cancel: SipRequest) => void;
  /** The ACK of our 2xx, which may carry SDP. Repeated ACKs are told once. */
  readonly acknowledged?: (ack: SipRequest) => void;
  /** The ACK of our 2xx did not come within 64 T1: the call must be ended. */
  readonly unacknowledged?: () => void;
}

/** One request of the far end. */
export class Incoming {
  readonly request: SipRequest;
  /** Where it came from. */
  readonly source: SipAddress;
  /** The To tag that our answers carry when the request has none. */
  readonly localTag: string;
  readonly #respond: (parts: ResponseParts) => void;
  #listener: IncomingListener = {};

  constructor(request: SipRequest, source: SipAddress, localTag: string, respond: (parts: ResponseParts) => void) {
    this.request = request;
    this.source = source;
    this.localTag = localTag;
    this.#respond = respond;
  }

  /** Answers; after a final answer nothing more is sent. A 2xx to an INVITE is repeated until its ACK. */
  respond(parts: ResponseParts): void {
    this.#respond(parts);
  }

  listen(listener: IncomingListener): void {
    this.#listener = listener;
  }

  get listener(): IncomingListener {
    return this.#listener;
  }
}

export class UserAgent {
  readonly local: SipAddress;
  readonly #options: UserAgentOptions;
  readonly #times: SipTimes;
  readonly #clients = new Map<string, ClientEntry>();
  readonly #servers = new Map<string, ServerEntry>();
  /** Answered INVITEs by dialog and CSeq, for their ACKs. */
  readonly #unacknowledged = new Map<string, ServerEntry>();

  constructor(options: UserAgentOptions) {
    this.#options = options;
    this.#times = options.times ?? DEFAULT_TIMES;
    this.local = options.transport.local;
    options.transport.listen({
      received: (datagram, from) => this.#guard(() => this.#received(datagram, from)),
      refused: (to, because) => this.#guard(() => this.#refused(to, because)),
    });
  }

  /** Random text for a tag or a branch: nobody can guess it, and it never comes twice. */
  newToken(): string {
    return this.#options.chance.bytes(8).toString('hex');
  }

  /**
   * Starts a client transaction.
   * @param request any method but ACK, with its Via
   * @param heard called for every provisional and final response, repeated 2xx to an INVITE included, or once with
   *   `timed_out` or `not_sent`; never before this returns
   */
  request(request: SipRequest, to: SipAddress, heard: (news: ClientNews) => void): void {
    const key = clientKey(request.via.params.get('branch') ?? '', request.method);
    if (this.#clients.size >= MAX_CLIENT_TRANSACTIONS) {
      const because = `more than ${MAX_CLIENT_TRANSACTIONS} SIP transactions are open`;
      queueMicrotask(() => heard({ kind: 'not_sent', because }));
      return;
    }
    this.#clients.set(key, { state: newClientTransaction(request, this.#times), to, heard, timers: new Map() });
    this.#clientEvent(key, { kind: 'started' });
  }

  /** Sends an ACK of a 2xx, which has no transaction: it is sent again when the 2xx is. */
  sendOnce(request: SipRequest, to: SipAddress): void {
    this.#options.transport.send(buildMessage(request), to, () => undefined); // lost, as on the way
  }

  /** Forgets every transaction; sends nothing. */
  close(): void {
    for (const entry of [...this.#clients.values(), ...this.#servers.values()]) {
      for (const timer of entry.timers.values()) timer.cancel();
    }
    this.#clients.clear();
    this.#servers.clear();
    this.#unacknowledged.clear();
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onBug(error);
    }
  }

  #received(datagram: Buffer, from: SipAddress): void {
    const parsed = parseMessage(datagram);
    if (!('message' in parsed)) return; // nobody who speaks SIP waits for an answer to this
    if (parsed.message.kind === 'response') this.#response(parsed.message, from);
    else this.#requestReceived(parsed.message, from);
  }

  #response(response: SipResponse, from: SipAddress): void {
    const key = clientKey(response.via.params.get('branch') ?? '', response.cseq.method);
    if (this.#clients.has(key)) this.#clientEvent(key, { kind: 'response', response });
    else if (response.cseq.method === 'INVITE' && response.status >= 200 && response.status < 300) {
      this.#options.onStrayAnswer?.(response, from);
    }
  }

  #refused(to: SipAddress, because: string): void {
    for (const [key, entry] of this.#clients) {
      const isThere = entry.to.host === to.host && entry.to.port === to.port;
      if (isThere && entry.state.phase === 'calling') {
        this.#clientEvent(key, { kind: 'refused_by_network', because });
      }
    }
  }

  #clientEvent(key: string, event: ClientEvent): void {
    const entry = this.#clients.get(key);
    if (entry === undefined) return;
    const step = nextClient(entry.state, event, this.#times);
    entry.state = step.state;
    if (step.state.phase === 'over') {
      this.#clients.delete(key);
      for (const timer of entry.timers.values()) timer.cancel();
    }
    for (const action of step.actions) {
      switch (action.kind) {
        case 'send':
          this.#options.transport.send(buildMessage(action.request), entry.to, (because) =>
            this.#guard(() => this.#clientEvent(key, { kind: 'unsendable', because })),
          );
          break;
        case 'arm':
          this.#arm(entry.timers, action.timer, action.delayMs, () =>
            this.#clientEvent(key, { kind: 'timer', timer: action.timer }),
          );
          break;
        case 'disarm':
          entry.timers.get(action.timer)?.cancel();
          break;
        case 'tell':
          this.#guard(() => entry.heard(action.news));
          break;
      }
    }
  }

  #arm(timers: Map<string, Timer>, name: string, delayMs: number, fire: () => void): void {
    timers.get(name)?.cancel();
    timers.set(
      name,
      this.#options.clock.after(delayMs, () => this.#guard(fire)),
    );
  }

  #requestReceived(request: SipRequest, from: SipAddress): void {
    const key = serverKey(request, request.method);
    if (request.method === 'ACK') {
      this.#acknowledged(request);
      return;
    }
    if (this.#servers.has(key)) {
      this.#serverEvent(key, { kind: 'repeated' });
      return;
    }
    if (this.#servers.size >= MAX_SERVER_TRANSACTIONS) return;
    const answerable = withSource(request, from);
    const incoming = new Incoming(answerable, from, this.newToken(), (parts) => {
      const response = makeResponse(answerable, { toTag: incoming.localTag, ...parts });
      this.#serverEvent(key, { kind: 'respond', response });
    });
    const entry = { state: newServerTransaction(answerable), incoming, to: answerTo(request, from), timers: new Map() };
    this.#servers.set(key, entry);
    if (request.method === 'CANCEL') this.#cancelled(incoming);
    else this.#options.onRequest(incoming);
  }

  #cancelled(incoming: Incoming): void {
    const invite = this.#servers.get(serverKey(incoming.request, 'INVITE'));
    if (invite === undefined) {
      incoming.respond({ status: 481, reason: 'Call/Transaction Does Not Exist' });
      return;
    }
    incoming.respond({ status: 200, reason: 'OK', toTag: invite.incoming.localTag });
    const isOpen = invite.state.phase === 'trying' || invite.state.phase === 'proceeding';
    if (isOpen) invite.incoming.listener.cancelled?.(incoming.request);
  }

  #acknowledged(ack: SipRequest): void {
    const refused = serverKey(ack, 'INVITE');
    if (this.#servers.has(refused)) this.#serverEvent(refused, { kind: 'ack' });
    const key = ackKey(ack, ack.toTag);
    const answered = this.#unacknowledged.get(key);
    if (answered === undefined) return;
    this.#unacknowledged.delete(key);
    this.#serverEvent(serverKey(answered.incoming.request, 'INVITE'), { kind: 'ack' });
    answered.incoming.listener.acknowledged?.(ack);
  }

  #serverEvent(key: string, event: ServerEvent): void {
    const entry = this.#servers.get(key);
    if (entry === undefined) return;
    const before = entry.state.phase;
    const step = nextServer(entry.state, event, this.#times);
    entry.state = step.state;
    if (step.state.phase === 'accepted' && before !== 'accepted') {
      this.#unacknowledged.set(ackKey(entry.state.request, step.state.last?.toTag ?? ''), entry);
    }
    if (step.state.phase === 'over') {
      this.#servers.delete(key);
      this.#unacknowledged.delete(ackKey(entry.state.request, step.state.last?.toTag ?? ''));
      for (const timer of entry.timers.values()) timer.cancel();
    }
    for (const action of step.actions) {
      switch (action.kind) {
        case 'send':
          // An answer that cannot leave is an answer that got lost: the far end repeats its request.
          this.#options.transport.reply(buildMessage(action.response), entry.to);
          break;
        case 'arm':
          this.#arm(entry.timers, action.timer, action.delayMs, () =>
            this.#serverEvent(key, { kind: 'timer', timer: action.timer }),
          );
          break;
        case 'disarm':
          entry.timers.get(action.timer)?.cancel();
          break;
        case 'tell_unacknowledged':
          entry.incoming.listener.unacknowledged?.();
          break;
      }
    }
  }
}

function clientKey(branch: string, method: string): string {
  return `${branch} ${method}`;
}

/** @see RFC 3261 section 17.2.3; other branches come from RFC 2543 and tell nothing */
function serverKey(request: SipRequest, method: string): string {
  const branch = request.via.params.get('branch') ?? '';
  const sentBy = `${request.via.host.toLowerCase()}:${request.via.port ?? DEFAULT_SIP_PORT}`;
  if (isUniqueBranch(branch)) return `${branch} ${sentBy} ${method}`;
  return [request.uri, request.fromTag, request.callId, request.cseq.number, sentBy, branch, method].join(' ');
}

/** Names an answered INVITE by what its ACK repeats. */
function ackKey(request: SipRequest, localTag: string): string {
  return `${request.callId} ${request.fromTag} ${localTag} ${request.cseq.number}`;
}

/** Where answers go: the source, at its own port if it asked for that, else at the port of its Via (RFC 3581, 18.2.2). */
function answerTo(request: SipRequest, from: SipAddress): SipAddress {
  const hasRport = request.via.params.has('rport');
  return { host: from.host, port: hasRport ? from.port : (request.via.port ?? DEFAULT_SIP_PORT) };
}

/** The request with `received` and `rport` filled in in its top Via, as every answer has to carry them. */
function withSource(request: SipRequest, from: SipAddress): SipRequest {
  const { via } = request;
  const hasRport = via.params.has('rport');
  if (via.host === from.host && !hasRport) return request;
  const at = request.headers.findIndex((header) => header.name === 'via');
  const [top = '', ...others] = splitValues(request.headers[at]?.value ?? '');
  const bare = splitValues(top, ';').filter((part) => !/^(rport|received)\s*(=|$)/i.test(part));
  const filled = [...bare, `received=${from.host}`, ...(hasRport ? [`rport=${from.port}`] : [])].join(';');
  const headers = request.headers.with(at, { name: 'via', value: [filled, ...others].join(', ') });
  return { ...request, headers };
}
