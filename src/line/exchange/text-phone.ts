// The person at a text phone: listens to what is typed, turn by turn, and answers as programmed. Knows no SIP and no RTP; it
// never answers while it is still being spoken to, and never says two things at once.
import type { RE2JS } from 're2js';
import type { Clock, Timer } from '../../platform/clock.ts';
import { compileHears } from './program.ts';
import type { PhoneProgram, PhoneReply } from './program.ts';

/** What the phone can do on its call. */
export interface PhoneHands {
  /** Types one line. @returns when it has left, or the call is over */
  readonly say: (line: string) => Promise<void>;
  readonly press: (keys: string) => Promise<void>;
  readonly hangUp: () => void;
  /** Notes a turn of the caller. */
  readonly heard: (turn: string) => void;
}

/** Lines that follow this quickly belong to one turn. */
const GATHER_MS = 150;
/** A pause this long ends a turn that has no line end: longer than the 300 ms between two packets of a running text. */
const IDLE_MS = 800;
/** From the last words to the hang-up: long enough that they arrive, and are repeated once, before the call is gone. */
const LAST_WORDS_MS = 350;
const MAX_TURN_CHARACTERS = 4_000;
/** Turns that may wait for their answers; somebody who types on without listening gets no answer to the rest. */
const MAX_WAITING_TURNS = 16;
/** T.140's new line, and what older equipment sends for it. */
const LINE_END = /[\u2028\u2029\r\n]/;

export class TextPhone {
  readonly #program: PhoneProgram;
  readonly #hands: PhoneHands;
  readonly #clock: Clock;
  readonly #used = new Set<PhoneReply>();
  #buffer = '';
  #turnEnd: Timer | null = null;
  #waiting: string[] = [];
  #isAnswering = false;
  #isOver = false;

  constructor(program: PhoneProgram, hands: PhoneHands, clock: Clock) {
    this.#program = program;
    this.#hands = hands;
    this.#clock = clock;
  }

  /** The call is answered: says the greeting. */
  begin(): void {
    const { greeting } = this.#program;
    if (this.#isSpeaking && greeting !== null && greeting !== '') void this.#work(() => this.#hands.say(greeting));
  }

  /** Real-time text as it arrives. */
  hear(text: string): void {
    for (const character of text) {
      this.#buffer = character === '\b' ? [...this.#buffer].slice(0, -1).join('') : this.#buffer + character;
      if (this.#buffer.length >= MAX_TURN_CHARACTERS) this.#finishTurn();
    }
    this.#turnEnd?.cancel();
    const isLineEnd = LINE_END.test(this.#buffer.at(-1) ?? '');
    this.#turnEnd = this.#clock.after(isLineEnd ? GATHER_MS : IDLE_MS, () => this.#finishTurn());
  }

  /** The call is over: what was begun is noted, nothing more is said. */
  end(): void {
    this.#finishTurn();
    this.#isOver = true;
    this.#waiting = [];
  }

  get #isSpeaking(): boolean {
    return this.#program.behaviour === 'person' && !this.#isOver;
  }

  #finishTurn(): void {
    this.#turnEnd?.cancel();
    this.#turnEnd = null;
    const turn = this.#buffer.replace(/[\s\u2028\u2029]+/gu, ' ').trim();
    this.#buffer = '';
    if (turn === '' || this.#isOver) return;
    this.#hands.heard(turn);
    if (!this.#isSpeaking || this.#waiting.length >= MAX_WAITING_TURNS) return;
    this.#waiting.push(turn);
    if (!this.#isAnswering) void this.#work(async () => undefined);
  }

  /** Does one thing and then answers what was heard meanwhile, one after the other. */
  async #work(first: () => Promise<void>): Promise<void> {
    this.#isAnswering = true;
    await first();
    for (let turn = this.#waiting.shift(); turn !== undefined; turn = this.#waiting.shift()) await this.#answer(turn);
    this.#isAnswering = false;
  }

  async #answer(turn: string): Promise<void> {
    const reply = this.#program.replies.find((each) => !this.#used.has(each) && patternOf(each).matcher(turn).find());
    if (reply?.once === true) this.#used.add(reply);
    const line = reply === undefined ? this.#program.otherwise : reply.says;
    if (line !== '') await this.#hands.say(line);
    if (reply?.keys !== undefined) await this.#hands.press(reply.keys);
    if (reply?.hang_up === true) this.#clock.after(LAST_WORDS_MS, () => this.#hands.hangUp());
  }
}

/** Compiled once a reply, when it is first needed. */
const patterns = new WeakMap<PhoneReply, RE2JS>();

function patternOf(reply: PhoneReply): RE2JS {
  const known = patterns.get(reply);
  if (known !== undefined) return known;
  const pattern = compileHears(reply.hears);
  patterns.set(reply, pattern);
  return pattern;
}
