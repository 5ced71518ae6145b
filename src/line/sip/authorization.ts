// Which challenges a leg answers, and how often: each realm once, and once more when the server says that only the nonce was
// too old. Pure; the leg record keeps the result.
import { createHash } from 'node:crypto';
import { answerChallenge, challengesOf, type Challenge, type Credentials } from './digest.ts';
import type { Header, SipResponse } from './message.ts';

export interface Authorization {
  readonly headers: readonly Header[];
  /** The challenges with this use counted; they must be kept, as a nonce count may not repeat. */
  readonly challenges: readonly Challenge[];
}

// A call through a few proxies meets a few realms; more are a loop.
const MAX_REALMS = 4;

export interface ChallengedRequest {
  readonly method: string;
  readonly uri: string;
  readonly body: string;
}

export interface Answerer {
  readonly credentials: Credentials;
  /** Random text of the leg, from which client nonces are made: one a nonce, as the `-sess` algorithms want it. */
  readonly cnonceSeed: string;
}

/**
 * Takes up the challenges of a 401 or 407.
 * @param known those that the leg answered before; they will be answered again, with the new ones
 * @param repeats `stale_only`: one that was answered may come again once, and only as stale, else the credentials are
 *   wrong (an INVITE); `always`: it may, and the caller counts (a BYE, which may be repeated without harm)
 * @returns all that are to be answered from now on; null when there is nothing that we can or may answer
 */
export function takeChallenges(
  known: readonly Challenge[],
  response: SipResponse,
  repeats: 'stale_only' | 'always',
): Challenge[] | null {
  const fresh = challengesOf(response);
  if (fresh.length === 0) return null;
  for (const challenge of fresh) {
    const before = known.find((each) => isSame(each, challenge));
    // A second stale answer in a row would go on for ever.
    if (repeats === 'stale_only' && before !== undefined && (!challenge.isStale || before.isStale)) return null;
  }
  const kept = known.filter((each) => !fresh.some((challenge) => isSame(each, challenge)));
  return kept.length + fresh.length > MAX_REALMS ? null : [...kept, ...fresh];
}

/** The credentials of one request for all challenges that were taken up. */
export function authorize(
  challenges: readonly Challenge[],
  request: ChallengedRequest,
  answerer: Answerer,
): Authorization {
  const answered = challenges.map((challenge) => {
    const cnonce = createHash('sha256').update(`${answerer.cnonceSeed}:${challenge.nonce}`).digest('hex').slice(0, 24);
    return answerChallenge(challenge, answerer.credentials, request, cnonce);
  });
  return {
    headers: answered.map((each) => each.header),
    challenges: answered.map((each) => each.challenge),
  };
}

function isSame(one: Challenge, other: Challenge): boolean {
  return one.by === other.by && one.realm === other.realm;
}
