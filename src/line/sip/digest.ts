// Digest authentication of the caller (RFC 3261 section 22, RFC 7616, RFC 8760). Pure: chance comes in as `cnonce`. The
// password is an argument of one function and is kept nowhere.
import { createHash } from 'node:crypto';
import { parseParams, quote, splitValues } from './header.ts';
import { linesOf, type Header, type SipResponse } from './message.ts';

/** The algorithms we know, the strongest first. */
const STRENGTH = ['sha-512-256', 'sha-256', 'md5'] as const;
type HashName = (typeof STRENGTH)[number];
const HASHES: Readonly<Record<HashName, string>> = {
  'sha-512-256': 'sha512-256',
  'sha-256': 'sha256',
  md5: 'md5',
};

/** One challenge, and how often it was answered: plain JSON, kept in the leg record. Holds no secret. */
export interface Challenge {
  /** Who asks: a proxy (407) or the far end itself (401). */
  readonly by: 'proxy' | 'server';
  readonly realm: string;
  readonly nonce: string;
  /** As it was written; null when the challenge names none, which means MD5. */
  readonly algorithm: string | null;
  /** Null: the old form without quality of protection (RFC 2069). */
  readonly qop: 'auth' | 'auth-int' | null;
  readonly opaque: string | null;
  /** The server says that only the nonce was too old. */
  readonly isStale: boolean;
  /** How many requests have used the nonce. */
  readonly uses: number;
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/**
 * Picks, for each realm of a 401 or 407, the strongest challenge that we can answer.
 * @returns one a realm, in order; empty when there is none
 */
export function challengesOf(response: SipResponse): Challenge[] {
  const by = response.status === 407 ? 'proxy' : 'server';
  const best = new Map<string, Challenge>();
  for (const line of linesOf(response, by === 'proxy' ? 'proxy-authenticate' : 'www-authenticate')) {
    for (const challenge of parseChallenges(line, by)) {
      const known = best.get(challenge.realm);
      if (known === undefined || strengthOf(challenge) < strengthOf(known)) best.set(challenge.realm, challenge);
    }
  }
  return [...best.values()];
}

/** Reads a header line, which can hold several challenges; those that we cannot answer are left out. */
function parseChallenges(line: string, by: Challenge['by']): Challenge[] {
  const groups: string[][] = [];
  for (const part of splitValues(line)) {
    const scheme = /^([A-Za-z][A-Za-z0-9-]*)\s+([^\s=].*)$/s.exec(part);
    if (scheme === null) groups.at(-1)?.push(part);
    else groups.push([(scheme[1] ?? '').toLowerCase(), scheme[2] ?? '']);
  }
  return groups.flatMap(([scheme, ...params]) => {
    if (scheme !== 'digest') return [];
    const found = readChallenge(params, by);
    return found === null ? [] : [found];
  });
}

function readChallenge(parts: readonly string[], by: Challenge['by']): Challenge | null {
  // Semicolons stand inside quotes or not at all, so the parameters of other headers read these too.
  const params = new Map(parts.flatMap((part) => [...parseParams(part)]));
  const realm = params.get('realm');
  const nonce = params.get('nonce');
  const algorithm = params.get('algorithm') ?? null;
  if (realm === undefined || nonce === undefined || hashNameOf(algorithm) === null) return null;
  const qops = params
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/);
  const qop =
    qops === undefined ? null : qops.includes('auth') ? 'auth' : qops.includes('auth-int') ? 'auth-int' : false;
  if (qop === false) return null;
  return {
    by,
    realm,
    nonce,
    algorithm,
    qop,
    opaque: params.get('opaque') ?? null,
    isStale: params.get('stale')?.toLowerCase() === 'true',
    uses: 0,
  };
}

function hashNameOf(algorithm: string | null): HashName | null {
  const name = (algorithm ?? 'MD5').toLowerCase().replace(/-sess$/, '');
  return STRENGTH.find((known) => known === name) ?? null;
}

function strengthOf(challenge: Challenge): number {
  const name = hashNameOf(challenge.algorithm);
  return name === null ? STRENGTH.length : STRENGTH.indexOf(name);
}

export interface Answered {
  readonly header: Header;
  /** The challenge with its use counted; it must be kept, as a nonce count may not repeat. */
  readonly challenge: Challenge;
}

/**
 * Answers a challenge for one request.
 * @param cnonce 8 characters or more that the server could not foresee; letters and digits
 * @returns the Authorization or Proxy-Authorization header
 */
export function answerChallenge(
  challenge: Challenge,
  credentials: Credentials,
  request: { readonly method: string; readonly uri: string; readonly body: string },
  cnonce: string,
): Answered {
  const name = hashNameOf(challenge.algorithm) ?? 'md5';
  const hash = (text: string): string => createHash(HASHES[name]).update(text).digest('hex');
  const isSession = /-sess$/i.test(challenge.algorithm ?? '');
  const uses = challenge.uses + 1;
  const count = uses.toString(16).padStart(8, '0');
  const secret = hash(`${credentials.user}:${challenge.realm}:${credentials.password}`);
  const a1 = isSession ? hash(`${secret}:${challenge.nonce}:${cnonce}`) : secret;
  const bodyPart = challenge.qop === 'auth-int' ? `:${hash(request.body)}` : '';
  const a2 = hash(`${request.method}:${request.uri}${bodyPart}`);
  const middle = challenge.qop === null ? challenge.nonce : `${challenge.nonce}:${count}:${cnonce}:${challenge.qop}`;
  const fields = [
    `username=${quote(credentials.user)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${hash(`${a1}:${middle}:${a2}`)}"`,
  ];
  if (challenge.algorithm !== null) fields.push(`algorithm=${challenge.algorithm}`);
  if (challenge.opaque !== null) fields.push(`opaque=${quote(challenge.opaque)}`);
  if (challenge.qop !== null) fields.push(`qop=${challenge.qop}`, `nc=${count}`);
  if (challenge.qop !== null || isSession) fields.push(`cnonce="${cnonce}"`);
  const headerName = challenge.by === 'proxy' ? 'proxy-authorization' : 'authorization';
  return { header: { name: headerName, value: `Digest ${fields.join(', ')}` }, challenge: { ...challenge, uses } };
}
