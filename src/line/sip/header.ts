// The inside of SIP header values: lists, parameters, addresses with names, Via, CSeq, Reason. Pure; reading gives null for
// what cannot be read and never throws; every scan goes forward once, so that no value can make it slow.

/** Parameters after `;`: names in lower case, values without their quotes; a parameter without a value maps to ''. */
export type Params = ReadonlyMap<string, string>;

/** `"Name" <uri>;params`, or the short form `uri;params`, whose parameters belong to the header. */
export interface NameAddress {
  /** Unquoted; empty when there is none. */
  readonly name: string;
  readonly uri: string;
  readonly params: Params;
}

/** One Via value (RFC 3261 section 20.42). */
export interface Via {
  /** `UDP`, `TCP`, ... in upper case. */
  readonly transport: string;
  /** sent-by as it stands, IPv6 in brackets. */
  readonly host: string;
  /** Null when the header names none. */
  readonly port: number | null;
  readonly params: Params;
}

/** `number` is from 0 to 2^31 - 1. */
export interface CSeq {
  readonly number: number;
  readonly method: string;
}

/** Splits at `separator` outside of quotes and angle brackets; values are trimmed, empty ones are left out. */
export function splitValues(value: string, separator: ',' | ';' = ','): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let isInBrackets = false;
  let start = 0;
  for (let at = 0; at < value.length; at++) {
    const character = value[at];
    if (isQuoted) {
      if (character === '\\') at++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '<') isInBrackets = true;
    else if (character === '>') isInBrackets = false;
    else if (character === separator && !isInBrackets) {
      parts.push(value.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** Reads `a=1;b;c="x"`, with or without a leading semicolon; of a repeated name the first counts. */
export function parseParams(text: string): Params {
  const params = new Map<string, string>();
  for (const part of splitValues(text, ';')) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name !== '' && !params.has(name)) params.set(name, equals === -1 ? '' : unquote(part.slice(equals + 1).trim()));
  }
  return params;
}

/** Takes the quotes and backslashes off a quoted string; anything else is given back as it is. */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}

/**
 * Writes a quoted string (RFC 3261 section 25.1). Control characters, line ends included, become spaces: nothing that a
 * person typed as a name can leave the string.
 */
export function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must not pass
  return `"${text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** Reads From, To, Contact, Route and Record-Route values; null when there is no URI in it. */
export function parseNameAddress(value: string): NameAddress | null {
  const open = indexOfBracket(value);
  if (open === -1) {
    const semicolon = value.indexOf(';');
    const uri = (semicolon === -1 ? value : value.slice(0, semicolon)).trim();
    if (!/^[^\s"<>]+$/.test(uri)) return null;
    return { name: '', uri, params: parseParams(semicolon === -1 ? '' : value.slice(semicolon + 1)) };
  }
  const close = value.indexOf('>', open);
  if (close === -1) return null;
  const uri = value.slice(open + 1, close).trim();
  if (uri === '' || /\s/.test(uri)) return null;
  return { name: unquote(value.slice(0, open).trim()), uri, params: parseParams(value.slice(close + 1)) };
}

/** The first `<` that is not inside a quoted name. */
function indexOfBracket(value: string): number {
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\' && isQuoted) at++;
    else if (value[at] === '"') isQuoted = !isQuoted;
    else if (value[at] === '<' && !isQuoted) return at;
  }
  return -1;
}

/** One Via value, RFC 3261 section 20.42. @returns null for what is none; the transport in upper case */
export function parseVia(value: string): Via | null {
  const match =
    /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9-]{1,16})\s+(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})\s*(?::\s*([0-9]{1,5}))?\s*(;.*)?$/i.exec(
      value,
    );
  if (match === null) return null;
  const port = match[3] === undefined ? null : Number(match[3]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return {
    transport: (match[1] ?? '').toUpperCase(),
    host: match[2] ?? '',
    port,
    params: parseParams(match[4] ?? ''),
  };
}

const MAGIC_COOKIE = 'z9hG4bK';

/**
 * The Via value of a request of ours; `rport` asks for answers to the port that they come from (RFC 3581).
 * @param branch without the magic cookie; unique for each transaction
 */
export function formatVia(local: { readonly host: string; readonly port: number }, branch: string): string {
  return `SIP/2.0/UDP ${local.host}:${local.port};branch=${MAGIC_COOKIE}${branch};rport`;
}

/** Whether a branch is one that names a transaction on its own (RFC 3261 section 17.2.3); older software sends others. */
export function isUniqueBranch(branch: string): boolean {
  return branch.toLowerCase().startsWith(MAGIC_COOKIE.toLowerCase());
}

/** @see RFC 3261 section 8.1.1.5: the number is below 2^31 */
export function parseCSeq(value: string): CSeq | null {
  const match = /^([0-9]{1,10})\s+([A-Za-z0-9.!%*_+`'~-]{1,64})$/.exec(value);
  if (match === null || Number(match[1]) >= 2 ** 31) return null;
  return { number: Number(match[1]), method: match[2] ?? '' };
}

/** The Q.850 cause in Reason values (RFC 3326): 1 to 127, or null. @param values one a reason */
export function q850Cause(values: readonly string[]): number | null {
  for (const value of values) {
    const [protocol = '', ...rest] = splitValues(value, ';');
    if (protocol.toUpperCase() !== 'Q.850') continue;
    const cause = parseParams(rest.join(';')).get('cause') ?? '';
    if (/^[0-9]{1,3}$/.test(cause) && Number(cause) >= 1 && Number(cause) <= 127) return Number(cause);
  }
  return null;
}
