// A line without a network: the test plays the carrier and the far end, event by event, and sees what the leg was told to do.
import assert from 'node:assert/strict';
import type { DialRequest, HangUp, Leg, LegEvent, LegRecord, Line, LookUp } from '../../src/line/line.ts';

export interface ScriptedLegOptions {
  /** What a hang-up comes to; `ended by us` follows a confirmed one after an answer, `refused 487` before it. */
  readonly hangUp?: HangUp;
  /** A far end that never answers a hang-up; its outcome does not come. */
  readonly isMuteToHangUp?: boolean;
  /** Whether text leaves at once; else the test calls `sent`. */
  readonly sendsAtOnce?: boolean;
}

export class ScriptedLeg implements Leg {
  readonly record: LegRecord;
  readonly texts: string[] = [];
  readonly digits: string[] = [];
  hangUps = 0;
  readonly #heard: (event: LegEvent) => void;
  readonly #options: ScriptedLegOptions;
  #isAnswered = false;
  #isOver = false;
  #hangUp: Promise<HangUp> | null = null;
  #leaving: PromiseWithResolvers<void> | null = null;

  constructor(record: LegRecord, heard: (event: LegEvent) => void, options: ScriptedLegOptions) {
    this.record = record;
    this.#heard = heard;
    this.#options = options;
  }

  /** All text that was typed to the far end. */
  get text(): string {
    return this.texts.join('');
  }

  tell(event: LegEvent): void {
    assert.ok(!this.#isOver, 'nothing follows the end of a leg');
    if (event.kind === 'answered') this.#isAnswered = true;
    if (event.kind === 'ended' || event.kind === 'refused' || event.kind === 'given_up') this.#isOver = true;
    this.#heard(event);
  }

  answer(): void {
    this.tell({ kind: 'acknowledged' });
    this.tell({ kind: 'answered', media: { hasText: true, audio: null, hasDigits: true } });
  }

  type(line: string): void {
    this.tell({ kind: 'text', text: `${line}\u2028` });
  }

  /** The text under way has left. */
  sent(): void {
    this.#leaving?.resolve();
    this.#leaving = null;
  }

  async sendText(text: string, signal?: AbortSignal): Promise<void> {
    if (this.#isOver || signal?.aborted === true) return;
    this.texts.push(text);
    if (this.#options.sendsAtOnce !== false) return;
    this.#leaving = Promise.withResolvers();
    signal?.addEventListener('abort', () => this.sent());
    await this.#leaving.promise;
  }

  async sendDigits(digits: string): Promise<void> {
    if (!this.#isOver) this.digits.push(digits);
  }

  hangUp(): Promise<HangUp> {
    this.hangUps += 1;
    this.#hangUp ??= this.#hangUpOnce();
    return this.#hangUp;
  }

  async #hangUpOnce(): Promise<HangUp> {
    await Promise.resolve(); // events come later, as from a network
    if (this.#options.isMuteToHangUp === true) return new Promise(() => undefined);
    const outcome = this.#options.hangUp ?? 'confirmed';
    if (this.#isOver || outcome === 'unconfirmed') return outcome;
    if (this.#isAnswered) this.tell({ kind: 'ended', by: 'us', because: 'BYE' });
    else this.tell({ kind: 'refused', verdict: { code: 'no_answer', because: '487 Request Terminated' } });
    return outcome;
  }
}

export class ScriptedLine implements Line {
  readonly legs: ScriptedLeg[] = [];
  readonly prepared: DialRequest[] = [];
  readonly #options: ScriptedLegOptions;

  constructor(options: ScriptedLegOptions = {}) {
    this.#options = options;
  }

  /** The only leg. */
  get leg(): ScriptedLeg {
    const [leg] = this.legs;
    assert.ok(leg !== undefined && this.legs.length === 1, 'one leg was dialled');
    return leg;
  }

  prepare(request: DialRequest): LegRecord {
    this.prepared.push(request);
    return { carrier: 'sip', reference: `${request.callId}@scripted` };
  }

  dial(record: LegRecord, heard: (event: LegEvent) => void): Leg {
    const leg = new ScriptedLeg(record, heard, this.#options);
    this.legs.push(leg);
    return leg;
  }

  lookUp(): Promise<LookUp> {
    return Promise.resolve({ kind: 'unknown' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.legs.map((leg) => leg.hangUp()));
  }
}
