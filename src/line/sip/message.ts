// SIP messages as values: reading bytes from the network, writing bytes for it. Pure. Reading never throws, whatever the
// bytes are: it gives a message or the reason why there is none. Writing refuses what would break the framing.
import { parseCSeq, parseNameAddress, parseVia, splitValues, type CSeq, type Via } from './header.ts';

/** One header line: `name` in lower case and never compact, `value` unfolded and trimmed. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

interface Essentials {
  readonly headers: readonly Header[];
  /** UTF-8 text; empty when there is none. */
  readonly body: string;
  /** The top Via value. */
  readonly via: Via;
  readonly callId: string;
  readonly cseq: CSeq;
  /** Tag of From; empty when there is none (RFC 2543). */
  readonly fromTag: string;
  /** Tag of To; empty outside a dialog. */
  readonly toTag: string;
}

export interface SipRequest extends Essentials {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
}

export interface SipResponse extends Essentials {
  readonly kind: 'response';
  /** 100 to 699. */
  readonly status: number;
  readonly reason: string;
}

export type SipMessage = SipRequest | SipResponse;

export type Parsed = { readonly message: SipMessage } | { readonly fault: string };

// A UDP datagram cannot be longer; the other bounds are several times what carriers send.
export const MAX_MESSAGE_BYTES = 65_535;
const MAX_HEAD_BYTES = 32_768;
const MAX_HEADER_LINES = 256;
const MAX_LINE_CHARACTERS = 8_192;

// Tab is white space. What is read without these can be written again, in answers, as it is.
// oxlint-disable-next-line no-control-regex -- control characters are what must not pass
const CONTROL_CHARACTER = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const TOKEN = /^[A-Za-z0-9.!%*_+`'~-]{1,64}$/;

/** RFC 3261 section 7.3.3 and the registry of compact forms. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['a', 'accept-contact'],
  ['b', 'referred-by'],
  ['c', 'content-type'],
  ['d', 'request-disposition'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['j', 'reject-contact'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['o', 'event'],
  ['r', 'refer-to'],
  ['s', 'subject'],
  ['t', 'to'],
  ['u', 'allow-events'],
  ['v', 'via'],
  ['x', 'session-expires'],
  ['y', 'identity'],
]);

/**
 * Reads one datagram.
 * @param bytes the whole datagram; what follows the body by Content-Length is ignored (RFC 3261 section 18.3)
 * @returns the message, or why the bytes are none; `keep-alive` for line ends alone (RFC 5626 section 3.5.1)
 */
export function parseMessage(bytes: Buffer): Parsed {
  if (bytes.length > MAX_MESSAGE_BYTES) return { fault: `longer than ${MAX_MESSAGE_BYTES} bytes` };
  const start = firstContent(bytes);
  if (start === bytes.length) return { fault: 'keep-alive' };
  const frame = findBody(bytes, start);
  if (frame === null) return { fault: `no empty line within ${MAX_HEAD_BYTES} bytes` };
  const lines = unfold(decode(bytes.subarray(start, frame.headEnd)));
  const startLine = lines.shift() ?? '';
  if (lines.length > MAX_HEADER_LINES) return { fault: `more than ${MAX_HEADER_LINES} header lines` };
  if (CONTROL_CHARACTER.test(startLine)) return { fault: 'a control character in the start line' };
  const headers: Header[] = [];
  for (const line of lines) {
    if (line.length > MAX_LINE_CHARACTERS) return { fault: `a header line of ${line.length} characters` };
    if (CONTROL_CHARACTER.test(line)) return { fault: 'a control character in a header' };
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!TOKEN.test(name)) return { fault: 'a header line without a name' };
    headers.push({ name: LONG_NAMES.get(name) ?? name, value: line.slice(colon + 1).trim() });
  }
  const body = cutBody(headers, bytes.subarray(frame.bodyStart));
  if (typeof body !== 'object') return { fault: body };
  return readStartLine(startLine, headers, body.text);
}

/** Where the first byte that is no line end stands: empty lines before a message are legal (RFC 3261 section 7.5). */
function firstContent(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length && (bytes[at] === 0x0d || bytes[at] === 0x0a)) at++;
  return at;
}

/** Finds the empty line; a bare LF ends a line too, as some equipment sends it. */
function findBody(bytes: Buffer, start: number): { headEnd: number; bodyStart: number } | null {
  const limit = Math.min(bytes.length, start + MAX_HEAD_BYTES);
  for (let at = bytes.indexOf(0x0a, start); at !== -1 && at < limit; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return { headEnd: at, bodyStart: at + 2 };
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return { headEnd: at, bodyStart: at + 3 };
  }
  return null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** SIP is UTF-8; a head that is not (names in old character sets) is read as Latin-1, so that its call can still end. */
function decode(head: Buffer): string {
  try {
    return utf8.decode(head);
  } catch {
    return head.toString('latin1');
  }
}

/** Splits a head into lines, a line that begins with white space being the continuation of the one before it. */
function unfold(head: string): string[] {
  const lines: string[] = [];
  for (const raw of head.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (lines.length > 1 && (line.startsWith(' ') || line.startsWith('\t'))) {
      const before = lines.pop() ?? '';
      lines.push(`${before} ${line.trim()}`.slice(0, MAX_LINE_CHARACTERS + 1));
    } else lines.push(line);
  }
  return lines;
}

function cutBody(headers: readonly Header[], rest: Buffer): { text: string } | string {
  const lengths = new Set(headers.filter((each) => each.name === 'content-length').map((each) => each.value));
  if (lengths.size === 0) return { text: rest.toString('utf8') };
  const [length = ''] = lengths;
  if (lengths.size > 1 || !/^[0-9]{1,6}$/.test(length)) return 'Content-Length is not one number';
  if (Number(length) > rest.length) return `the body is ${rest.length} bytes, not the ${length} of its Content-Length`;
  return { text: rest.toString('utf8', 0, Number(length)) };
}

function readStartLine(startLine: string, headers: readonly Header[], body: string): Parsed {
  const essentials = readEssentials(headers, body);
  if (typeof essentials === 'string') return { fault: essentials };
  if (/^SIP\/2\.0 /i.test(startLine)) {
    const match = /^[^ ]+ ([1-6][0-9]{2})(?: (.*))?$/.exec(startLine);
    if (match === null) return { fault: 'a status line without a status from 100 to 699' };
    return { message: { kind: 'response', status: Number(match[1]), reason: match[2] ?? '', ...essentials } };
  }
  const [method = '', uri = '', version = '', ...more] = startLine.split(' ');
  if (version.toUpperCase() !== 'SIP/2.0' || more.length > 0 || !TOKEN.test(method) || uri === '') {
    return { fault: 'neither a request line nor a status line' };
  }
  if (essentials.cseq.method !== method) return { fault: `CSeq names ${essentials.cseq.method}, not ${method}` };
  return { message: { kind: 'request', method, uri, ...essentials } };
}

/** The five headers that every message has (RFC 3261 section 8.1.1), read once; a string says what is wrong. */
function readEssentials(headers: readonly Header[], body: string): Essentials | string {
  const single = (name: string): string | undefined => {
    const found = headers.filter((each) => each.name === name);
    return found.length === 1 ? found[0]?.value : undefined;
  };
  const via = parseVia(splitValues(headers.find((each) => each.name === 'via')?.value ?? '')[0] ?? '');
  if (via === null) return 'no readable Via';
  const callId = single('call-id') ?? '';
  if (callId === '' || callId.length > 512) return 'no Call-ID';
  const cseq = parseCSeq(single('cseq') ?? '');
  if (cseq === null) return 'no readable CSeq';
  const from = parseNameAddress(single('from') ?? '');
  const to = parseNameAddress(single('to') ?? '');
  if (from === null || to === null) return 'no readable From and To';
  const tagOf = (address: typeof from): string => address.params.get('tag') ?? '';
  return { headers, body, via, callId, cseq, fromTag: tagOf(from), toTag: tagOf(to) };
}

/** The first value of a header as it stands, or undefined. @param name in lower case */
export function headerOf(message: SipMessage, name: string): string | undefined {
  return message.headers.find((each) => each.name === name)?.value;
}

/** All values of a header whose values are separated by commas or lines, in order. @param name in lower case */
export function headerValues(message: SipMessage, name: string): string[] {
  return linesOf(message, name).flatMap((value) => splitValues(value));
}

/** The lines of a header as they stand, for headers with commas inside one value (challenges). @param name in lower case */
export function linesOf(message: SipMessage, name: string): string[] {
  return message.headers.filter((each) => each.name === name).map((each) => each.value);
}

const OUR_SPELLING: ReadonlyMap<string, string> = new Map([
  ['call-id', 'Call-ID'],
  ['cseq', 'CSeq'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

function spell(name: string): string {
  return OUR_SPELLING.get(name) ?? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Writes a message; Content-Length is added, and one among the headers is left out.
 * @throws {RangeError} when a start line, name or value holds a line end or another control character: it could smuggle
 *   headers in
 */
export function buildMessage(message: SipMessage): Buffer {
  const startLine =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`;
  const lines = [startLine];
  for (const { name, value } of message.headers) {
    if (name !== 'content-length') lines.push(`${spell(name)}: ${value}`);
  }
  for (const line of lines) {
    if (CONTROL_CHARACTER.test(line)) throw new RangeError('a SIP header holds a control character');
  }
  lines.push(`Content-Length: ${Buffer.byteLength(message.body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${message.body}`);
}

/**
 * A request from its parts.
 * @param headers must hold Via, From, To, Call-ID and CSeq of this method
 * @throws {RangeError} when they do not: a bug of the caller
 */
export function makeRequest(method: string, uri: string, headers: readonly Header[], body = ''): SipRequest {
  const essentials = readEssentials(headers, body);
  if (typeof essentials === 'string') throw new RangeError(`${method} cannot be made: ${essentials}`);
  return { kind: 'request', method, uri, ...essentials };
}

export interface ResponseParts {
  readonly status: number;
  readonly reason: string;
  /** Our tag; used where the request's To has none, and never for 100. */
  readonly toTag?: string;
  readonly headers?: readonly Header[];
  readonly body?: string;
}

/** A response to `request` (RFC 3261 section 8.2.6): Via, From, To, Call-ID, CSeq and Record-Route are the request's. */
export function makeResponse(request: SipRequest, parts: ResponseParts): SipResponse {
  const isTagged = request.toTag !== '' || parts.status === 100 || parts.toTag === undefined;
  const headers: Header[] = [];
  for (const header of request.headers) {
    if (header.name === 'to' && !isTagged) headers.push({ name: 'to', value: `${header.value};tag=${parts.toTag}` });
    else if (COPIED.has(header.name)) headers.push(header);
    else if (header.name === 'record-route' && parts.status > 100 && parts.status < 300) headers.push(header);
  }
  headers.push(...(parts.headers ?? []));
  return {
    kind: 'response',
    status: parts.status,
    reason: parts.reason,
    headers,
    body: parts.body ?? '',
    via: request.via,
    callId: request.callId,
    cseq: request.cseq,
    fromTag: request.fromTag,
    toTag: isTagged ? request.toTag : (parts.toTag ?? ''),
  };
}

const COPIED: ReadonlySet<string> = new Set(['via', 'from', 'to', 'call-id', 'cseq']);

/** One line for logs: what it is, without numbers, names or addresses. */
export function describe(message: SipMessage): string {
  return message.kind === 'request' ? message.method : `${message.status} to ${message.cseq.method}`;
}
