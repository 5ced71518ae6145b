// How long a conversation waits and how much of it there may be: every timer and every limit of one call.

/** Milliseconds. People's pauses, except where another source is named. */
export const PACE = {
  /** How long we wait for a greeting before we open. */
  greeting: 1000,
  /** A pause this long ends a turn without a line end: longer than a slow typist's gap between two keys. */
  line: 1200,
  /** Lines that follow this quickly belong to one turn; machines send them in one go. */
  more_lines: 150,
  /** A pause this long ends a series of keys. */
  keys: 1000,
  /** Nobody says anything: as long as phone menus wait. Whoever types, however slowly, is not silent. */
  silence: 7000,
  /** How long a sentence may wait for the next one, so that both are one line. */
  next_act: 30,
  /** How long we stay after our goodbye: for the recipient's, and for the two repeats of our last words (RFC 4103, 300 ms each). */
  linger: 700,
  /** The most that our last words may take. */
  farewell: 4000,
  /** How long before the duration limit we take our leave: longer than a farewell, so that the limit itself is never passed. */
  time_up: 5000,
} as const;

export type TurnTimer = keyof typeof PACE | 'wait';

/** Most seconds of one wait. */
export const WAIT_LIMIT_SECONDS = 120;
/** Silences in a row after which we say goodbye. */
export const SILENCE_LIMIT = 3;
/** Turns of the recipient after which the conversation is ended. */
export const RECIPIENT_TURN_LIMIT = 200;
/** Turns of the recipient that are kept after that, while we say goodbye. */
export const LAST_TURNS_LIMIT = 20;
/** Times that the mind is asked. */
export const ASK_LIMIT = 300;
/** Acts of one answer of the mind. */
export const ACT_LIMIT = 40;
/** Code points of one `say`. The transcript's own bound. */
export const SAY_LIMIT = 4000;
/** Times that the recipient can hold us back after our goodbye. */
export const REOPEN_LIMIT = 2;
