// What can happen to a call. Every event goes through `advance`; no other path changes a call's stage or state.
import type { ExecutionErrorCode } from '../contract/call.ts';
import type { LegRecord } from '../line/line.ts';

/** News from the worker that holds the call; believed only with the number of its current claim. */
export type WorkerEvent =
  /** The carrier acknowledged the call. */
  | { readonly kind: 'acknowledged' }
  | { readonly kind: 'ringing' }
  | { readonly kind: 'answered' }
  /** Never answered; why, as one of the `failed` codes. */
  | { readonly kind: 'refused'; readonly code: ExecutionErrorCode; readonly because: string }
  /** No word from the carrier within the limit, or the transaction was given up: the dial may have happened. */
  | { readonly kind: 'unacknowledged'; readonly because: string }
  /** The answered call is over. `code` says what cut it short, null for a natural end. */
  | { readonly kind: 'ended'; readonly code: ExecutionErrorCode | null; readonly because: string }
  /** Our hang-up after a cancel request was acknowledged before a natural end. */
  | { readonly kind: 'hang_up_confirmed' }
  /** Our hang-up after a cancel request was not acknowledged within its timers. */
  | { readonly kind: 'hang_up_unconfirmed' }
  | { readonly kind: 'leg_changed'; readonly record: LegRecord };

/** News from anywhere else. */
export type OtherEvent =
  | { readonly kind: 'dispatched'; readonly workerId: string; readonly leg: LegRecord }
  /** The recheck before the dial found that the call may not, or cannot, be placed any more. */
  | {
      readonly kind: 'withdrawn';
      readonly code: 'permission_revoked' | 'insufficient_credits' | 'carrier_unavailable';
      readonly because: string;
    }
  | { readonly kind: 'cancel_requested' }
  /** The queue limit has passed; believed only if it has, under the lock. */
  | { readonly kind: 'queue_expired' }
  /** The worker's lease has passed; believed only if it has, under the lock. */
  | { readonly kind: 'lease_expired' }
  /** One bounded look-up was made; `not_placed` settles the call. */
  | { readonly kind: 'looked_up'; readonly found: 'unknown' | 'not_placed'; readonly because: string }
  | { readonly kind: 'operator_resolved'; readonly outcome: 'completed' | 'failed'; readonly because: string };

export type CallEvent = WorkerEvent | OtherEvent;
