// sip: and sips: URIs. Pure; reading gives null for what is none, and never throws.
import { parseParams, type Params } from './header.ts';

export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  /** Decoded; empty when there is none. A password in a URI is dropped (RFC 3261 section 19.1.1 advises against it). */
  readonly user: string;
  /** A name or an IPv4 address, or IPv6 in brackets; lower case. */
  readonly host: string;
  /** Null when the URI names none. */
  readonly port: number | null;
  readonly params: Params;
}

/** An address that datagrams go to: an IPv4 address and a port. */
export interface SipAddress {
  readonly host: string;
  readonly port: number;
}

export const DEFAULT_SIP_PORT = 5060;

const MAX_URI_CHARACTERS = 2_048;

/** @see RFC 3261 section 25.1; headers after `?` are ignored */
export function parseUri(text: string): SipUri | null {
  if (text.length > MAX_URI_CHARACTERS) return null;
  const scheme = /^(sips?):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== 'sip' && scheme !== 'sips') return null;
  const question = text.indexOf('?');
  const rest = text.slice(scheme.length + 1, question === -1 ? undefined : question);
  // A user part may hold `;` and `:`, so the last @ divides.
  const at = rest.lastIndexOf('@');
  const user = decodeUser(at === -1 ? '' : (rest.slice(0, at).split(':')[0] ?? ''));
  const place = /^(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(?::([0-9]{1,5}))?(;.*)?$/s.exec(rest.slice(at + 1));
  if (user === null || place === null) return null;
  const port = place[2] === undefined ? null : Number(place[2]);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { scheme, user, host: (place[1] ?? '').toLowerCase(), port, params: parseParams(place[3] ?? '') };
}

function decodeUser(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Writes a URI without parameters. @param user any text; what the grammar does not allow is escaped */
export function formatUri(user: string, host: string, port: number | null): string {
  // encodeURIComponent leaves letters, digits and -_.!~*'(), all of them `unreserved`; a leading + is allowed as it is.
  const escaped = encodeURIComponent(user).replace(/%2B/g, '+');
  return `sip:${user === '' ? '' : `${escaped}@`}${host}${port === null ? '' : `:${port}`}`;
}

/** Whether a route's URI asks for loose routing (RFC 3261 section 16.12.1.1). */
export function isLooseRoute(uri: string): boolean {
  return parseUri(uri)?.params.has('lr') ?? false;
}
