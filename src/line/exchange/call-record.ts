// What a phone knows about a call that reached it: counted at the phone, not by the service. Pure: entries in, records out,
// so that a journal of the entries gives the same records again.
import type { PhoneProgram } from './program.ts';

export interface CallRecord {
  /** The Call-ID that the caller gave. */
  readonly sip_call_id: string;
  /** How many INVITE transactions reached the phone: retransmissions of one are one. More than 1 is a second ring. */
  readonly invites: number;
  /** User part of From: the caller's number. */
  readonly caller: string;
  /** RFC 3339, as all times here. */
  readonly started_at: string;
  readonly answered_at: string | null;
  readonly ended_at: string | null;
  /** `network`: neither end did it (no such number, a call cut off with the exchange). */
  readonly ended_by: 'caller' | 'recipient' | 'network' | null;
  /** The caller's turns. */
  readonly heard: readonly string[];
  /** The phone's own. */
  readonly said: readonly string[];
  /** Keys that the caller pressed. */
  readonly keys: string;
}

interface OfCall {
  readonly number: string;
  readonly sip_call_id: string;
}

/** One line of the journal. */
export type Entry =
  | { readonly kind: 'program'; readonly number: string; readonly program: PhoneProgram }
  | (OfCall & { readonly kind: 'invite'; readonly transaction: string; readonly caller: string; readonly at: string })
  | (OfCall & { readonly kind: 'answered'; readonly at: string })
  | (OfCall & { readonly kind: 'heard' | 'said' | 'keys'; readonly text: string })
  | (OfCall & { readonly kind: 'ended'; readonly at: string; readonly by: 'caller' | 'recipient' | 'network' })
  /** A whole call: what compaction leaves of its entries. */
  | {
      readonly kind: 'call';
      readonly number: string;
      readonly record: CallRecord;
      readonly transactions: readonly string[];
    };

/** The oldest calls are forgotten beyond this. */
export const MAX_CALLS = 20_000;
const MAX_TRANSACTIONS_KEPT = 100;
const MAX_SAYINGS = 500;
const MAX_KEYS = 1_000;

interface Kept {
  number: string;
  record: CallRecord;
  transactions: readonly string[];
}

/** The programs and calls of all phones. */
export class PhoneBook {
  readonly #programs = new Map<string, PhoneProgram>();
  /** By number and Call-ID, oldest first. */
  readonly #calls = new Map<string, Kept>();
  readonly #byNumber = new Map<string, Set<Kept>>();

  programOf(number: string): PhoneProgram | null {
    return this.#programs.get(number) ?? null;
  }

  /** Oldest first. */
  callsOf(number: string): CallRecord[] {
    return [...(this.#byNumber.get(number) ?? [])].map((kept) => kept.record);
  }

  /** Whether this INVITE is one that was counted already. */
  knows(number: string, sipCallId: string, transaction: string): boolean {
    return this.#calls.get(`${number} ${sipCallId}`)?.transactions.includes(transaction) ?? false;
  }

  /** Calls that have begun and not ended. */
  openCalls(): { number: string; sip_call_id: string }[] {
    return [...this.#calls.values()]
      .filter((kept) => kept.record.ended_at === null)
      .map((kept) => ({ number: kept.number, sip_call_id: kept.record.sip_call_id }));
  }

  /** The fewest entries that give this book again. */
  *entries(): Iterable<Entry> {
    for (const [number, program] of this.#programs) yield { kind: 'program', number, program };
    for (const { number, record, transactions } of this.#calls.values())
      yield { kind: 'call', number, record, transactions };
  }

  /** Takes one entry in; entries about calls that are forgotten change nothing. */
  apply(entry: Entry): void {
    switch (entry.kind) {
      case 'program':
        this.#programs.set(entry.number, entry.program);
        break;
      case 'call':
        this.#keep({ number: entry.number, record: entry.record, transactions: entry.transactions });
        break;
      case 'invite':
        this.#invited(entry);
        break;
      case 'answered':
        this.#change(entry, () => ({ answered_at: entry.at }));
        break;
      case 'heard':
        this.#change(entry, ({ heard }) => (heard.length < MAX_SAYINGS ? { heard: [...heard, entry.text] } : {}));
        break;
      case 'said':
        this.#change(entry, ({ said }) => (said.length < MAX_SAYINGS ? { said: [...said, entry.text] } : {}));
        break;
      case 'keys':
        this.#change(entry, ({ keys }) => ({ keys: (keys + entry.text).slice(0, MAX_KEYS) }));
        break;
      case 'ended':
        this.#change(entry, () => ({ ended_at: entry.at, ended_by: entry.by }));
        break;
    }
  }

  #invited(entry: Extract<Entry, { kind: 'invite' }>): void {
    const { number, sip_call_id, transaction, caller, at } = entry;
    const known = this.#calls.get(`${number} ${sip_call_id}`);
    if (known !== undefined) {
      known.transactions = [...known.transactions, transaction].slice(-MAX_TRANSACTIONS_KEPT);
      known.record = { ...known.record, invites: known.record.invites + 1, ended_at: null, ended_by: null };
      return;
    }
    const record: CallRecord = {
      sip_call_id,
      invites: 1,
      caller,
      started_at: at,
      answered_at: null,
      ended_at: null,
      ended_by: null,
      heard: [],
      said: [],
      keys: '',
    };
    this.#keep({ number, record, transactions: [transaction] });
  }

  #keep(kept: Kept): void {
    this.#calls.set(`${kept.number} ${kept.record.sip_call_id}`, kept);
    const ofNumber = this.#byNumber.get(kept.number) ?? new Set();
    this.#byNumber.set(kept.number, ofNumber.add(kept));
    if (this.#calls.size <= MAX_CALLS) return;
    const [oldest] = this.#calls;
    if (oldest === undefined) return;
    this.#calls.delete(oldest[0]);
    const others = this.#byNumber.get(oldest[1].number);
    others?.delete(oldest[1]);
    if (others?.size === 0) this.#byNumber.delete(oldest[1].number);
  }

  #change(call: OfCall, change: (record: CallRecord) => Partial<CallRecord>): void {
    const kept = this.#calls.get(`${call.number} ${call.sip_call_id}`);
    if (kept !== undefined) kept.record = { ...kept.record, ...change(kept.record) };
  }
}
