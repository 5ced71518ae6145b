// The seam between the queue and the phone call: dispatch owns claims and leases, a runner owns one call from dial to end.
import type { LegRecord } from '../line/line.ts';
import type { WorkerEvent } from './call-event.ts';

/** What an assistant needs to know to make the call; protected values are redacted. */
export interface Brief {
  readonly objective: string;
  readonly context: unknown;
  readonly constraints: readonly string[];
  readonly successCriteria: readonly string[];
  readonly resultSchema: Readonly<Record<string, unknown>>;
}

/** A call as its worker sees it. */
export interface ClaimedCall {
  readonly id: string;
  readonly projectId: string;
  /** E.164. */
  readonly to: string;
  /** For whom the assistant calls; null when the profile has no name. */
  readonly callerName: string | null;
  readonly assistantName: string | null;
  /** The project's own first sentence, said after the disclosure; null for the built-in one. */
  readonly openingLine: string | null;
  readonly maxDurationSeconds: number;
  readonly claimNumber: number;
  readonly leg: LegRecord;
  readonly brief: Brief;
}

/** One line of what was said, saved as it is spoken. */
export interface SpokenSegment {
  readonly speaker: 'assistant' | 'recipient' | 'system';
  /** 1 to 4,000 code points. */
  readonly text: string;
  /** JSON Pointer of the answer that an assistant turn asks for. */
  readonly about: string | null;
}

/** How a runner tells dispatch what happens. */
export interface CallDesk {
  /**
   * Writes news of the call, which happened now or `happenedMsAgo` earlier: a call that we ended is over when we hung up, not
   * when the far end acknowledged it. The desk keeps the order of everything it is told, so nothing has to wait for
   * the report before it.
   * @returns false when the claim is stale: the call belongs to somebody else now, stop without touching the line. True when
   *   it is written; also true, at once, while the database is away: it is then kept and written when the database is back
   */
  report(event: WorkerEvent, happenedMsAgo?: number): Promise<boolean>;
  /**
   * Saves segments, in order with the reports; sequence numbers are given in order, from 1.
   * @returns the sequence of the last one, when they are saved, or kept as reports are
   * @throws {RangeError} for a text of other lengths than 1 to 4,000 code points
   */
  record(segments: readonly SpokenSegment[]): Promise<number>;
  /** Aborted when somebody asked to cancel the call: hang up, then report. */
  readonly cancel: AbortSignal;
  /** Aborted when the process is stopping and its patience is over: say goodbye, hang up, report `call_interrupted`. */
  readonly stop: AbortSignal;
}

export interface CallRunner {
  /** Makes the leg record that is written with the intent to dial. Sends nothing, waits for nothing. */
  prepare(call: { readonly id: string; readonly to: string; readonly callerName: string | null }): LegRecord;
  /** Places the call and sees it to its end: reports a terminal event, or `unacknowledged`, before it resolves. */
  run(call: ClaimedCall, desk: CallDesk): Promise<void>;
}
