// The hall: one interface between the door and the rooms behind it. `all` calls it in process, `gateway` over internal HTTP;
// both answers mean the same. What the caller can act on is thrown as a `Refusal`, a failure of the outside as a `Fault`.
import type { CallView } from '../contract/call.ts';

/** Who asks: the bearer token as it came, and the id that answers and logs carry. */
export interface Caller {
  /** Null when there was no well-formed `Authorization: Bearer` header. */
  readonly token: string | null;
  readonly requestId: string;
}

/** A create as it came through the door, unchecked: the order of checks (key first, then header, then body) is the hall's. */
export interface CreateCallRequest extends Caller {
  /** Null when the header is missing; may be empty. */
  readonly idempotencyKey: string | null;
  /** The body's text; `too_large` when it is above the size limit; `not_utf8` when it is no UTF-8. */
  readonly body: { readonly text: string } | 'too_large' | 'not_utf8';
}

export interface CallRequest extends Caller {
  /** As it stands in the path, unchecked. */
  readonly callId: string;
}

export interface CreatedCall {
  readonly call: CallView;
  /** Whether the call existed before this request. */
  readonly isReplay: boolean;
}

/**
 * What the service can be asked. Every method throws `Refusal` for what the caller can act on, and `Fault` when something
 * outside failed: for a create that means that a call may exist, and the same key finds it.
 */
export interface ControlPlane {
  createCall(request: CreateCallRequest): Promise<CreatedCall>;
  /** Saved state only. */
  getCall(request: CallRequest): Promise<CallView>;
  syncCall(request: CallRequest): Promise<CallView>;
  cancelCall(request: CallRequest): Promise<CallView>;
  /** Resolves when the store answers. @throws {Fault} when it does not */
  ready(): Promise<void>;
}
