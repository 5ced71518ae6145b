// The words that the service itself says, whatever the mind: who is calling, first of all, and the goodbyes for the cases in
// which no mind can be asked. No call is opened without the disclosure.

export interface Caller {
  /** For whom the assistant calls; null when the profile has no name. */
  readonly callerName: string | null;
  /** The project's own first sentence; null for none. */
  readonly openingLine: string | null;
}

/** The first words of every call. */
export function disclosureOf(caller: Caller): string {
  const name = caller.callerName?.trim() ?? '';
  const forWhom = name === '' ? 'on behalf of a client' : `for ${name}`;
  const disclosure = `Hello, this is an automated assistant calling ${forWhom}.`;
  const opening = caller.openingLine?.trim() ?? '';
  return opening === '' ? disclosure : `${disclosure} ${opening}`;
}

/** Said when the service has to end a call by itself. */
export const GOODBYES = {
  silence: 'I cannot hear an answer, so I will end the call now. Thank you. Goodbye.',
  timeUp: 'I am sorry, my time for this call is over. Thank you for your help. Goodbye.',
  stop: 'I am sorry, I have to end this call now. Thank you. Goodbye.',
  mindFailed: 'I am sorry, I have a technical problem and have to end this call. Goodbye.',
  tooLong: 'I am sorry, I have to end this long conversation here. Thank you. Goodbye.',
} as const;
