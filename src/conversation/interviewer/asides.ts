// What the interviewer answers when it is asked something itself: the truth about itself and nothing about anybody else. It
// knows no more than that, and says so.

export interface AsideFacts {
  readonly callerName: string | null;
  readonly assistantName: string | null;
  /** The statement of the call's purpose. */
  readonly purpose: string;
}

type Aside = (facts: AsideFacts) => string;

const forWhom = (facts: AsideFacts): string => facts.callerName?.trim() || 'a client';

/** The first that fits is the answer. */
const ASIDES: readonly (readonly [RegExp, Aside])[] = [
  [
    /\b(?:robot|bot|a machine|computer|automated|a\.?i\.?|artificial|recording|real person|human|actual person|living person)\b/i,
    (facts) => `Yes, I am an automated assistant, not a person. I am calling for ${forWhom(facts)}.`,
  ],
  [
    /\b(?:how|where) (?:did|do|have) you (?:get|got|find|found|have)\b.*\b(?:number|contact)\b|\bwho gave you\b/i,
    (facts) => `${capital(forWhom(facts))} gave me this number for this one call. I do not know where it was found.`,
  ],
  [
    /\b(?:is this|are you|am i being|this being) (?:call )?(?:being )?record(?:ed|ing)\b|\brecording this\b/i,
    () => 'A transcript of this call is kept for my client.',
  ],
  [
    /\b(?:who (?:is|are|am i|do you)|who's|who am|your name|with whom|whom am i|calling from|what company|which company|on whose behalf|for whom|represent)\b/i,
    (facts) => {
      const name = facts.assistantName?.trim() ?? '';
      return `${name === '' ? 'I am' : `My name is ${name}, and I am`} an automated assistant calling for ${forWhom(facts)}.`;
    },
  ],
  [
    /\b(?:why (?:are|do|did) you|what(?:'s| is) (?:this|it) (?:about|regarding|for|concerning)|what do you (?:want|need)|what are you calling|reason for (?:your|the|this) call)\b/i,
    (facts) => facts.purpose,
  ],
  // Our question is the answer.
  [
    /^\W*(?:yes|yeah|yep|ok|okay|sure|right|hm+|uh-?huh|hello|hi|really|and|so|what now|go (?:on|ahead))\W*\?\W*$/i,
    () => '',
  ],
  [/\b(?:what|how) (?:can|may|could) (?:i|we) (?:do|help|be of)\b/i, () => ''],
];

/** @returns an honest answer to what the recipient asked, or that it is not known; empty when our question says it all */
export function asideTo(text: string, facts: AsideFacts): string {
  return knownAsideTo(text, facts) ?? 'I am sorry, I do not know that.';
}

/** As `asideTo`, but null for what is not known. */
export function knownAsideTo(text: string, facts: AsideFacts): string | null {
  return ASIDES.find(([pattern]) => pattern.test(text))?.[1](facts) ?? null;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
