// The hall in process: finds out who asks, then hands on to the room that knows. Refuses in the order of the rulings: key, rate,
// the id's form, the call. Decides nothing about a call itself.
import { authenticate } from '../account/keys.ts';
import type { KeyHolder } from '../account/keys.ts';
import type { CallView } from '../contract/call.ts';
import { UUID } from '../contract/compile.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queryable } from '../platform/database.ts';
import type { Logger } from '../platform/log.ts';
import { freshViewOf, viewOf } from './call-view.ts';
import type { AdmittedCall, StoredCall } from './call-view.ts';
import type { CallRequest, ControlPlane, CreateCallRequest, CreatedCall } from './control-plane.ts';
import { ReadWindows } from './read-windows.ts';
import { ping, readCall } from './store.ts';

/** What admission made of a create. */
export type Admitted =
  | { readonly kind: 'new'; readonly call: AdmittedCall }
  | { readonly kind: 'replay'; readonly callId: string; readonly projectId: string };

/** The rooms behind the hall, as narrow as they are needed here. */
export interface ControlPlaneParts {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  readonly admission: { createCall(request: CreateCallRequest): Promise<Admitted> };
  readonly dispatch: { advance(callId: string, event: { readonly kind: 'cancel_requested' }): Promise<unknown> };
  /** Asks for a failed extraction to be made again; never dials. Safe to repeat. */
  readonly retryResult: (callId: string) => Promise<unknown>;
  /** Reads, syncs and cancels a key may make in a minute. */
  readonly readsPerMinute: number;
}

export class ControlPlaneService implements ControlPlane {
  readonly #parts: ControlPlaneParts;
  readonly #windows: ReadWindows;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
    this.#windows = new ReadWindows(parts.readsPerMinute);
  }

  async createCall(request: CreateCallRequest): Promise<CreatedCall> {
    const { admission, log } = this.#parts;
    const admitted = await admission.createCall(request);
    const callId = admitted.kind === 'new' ? admitted.call.id : admitted.callId;
    // From here on the logs speak of the call by its id; this line ties it to the request.
    log.info(
      { call_id: callId, request_id: request.requestId },
      admitted.kind === 'new' ? 'call admitted' : 'create replayed',
    );
    if (admitted.kind === 'new') return { call: freshViewOf(admitted.call), isReplay: false };
    const call = await this.#read(admitted.projectId, admitted.callId);
    return { call: viewOf(call), isReplay: true };
  }

  async getCall(request: CallRequest): Promise<CallView> {
    const { call } = await this.#find(request);
    return viewOf(call);
  }

  async syncCall(request: CallRequest): Promise<CallView> {
    const { call, holder } = await this.#find(request);
    if (!hasFailedExtraction(call)) return viewOf(call);
    await this.#parts.retryResult(call.id);
    return viewOf(await this.#read(holder.projectId, call.id));
  }

  async cancelCall(request: CallRequest): Promise<CallView> {
    const { call, holder } = await this.#find(request);
    if (call.completed_at !== null) return viewOf(call);
    await this.#parts.dispatch.advance(call.id, { kind: 'cancel_requested' });
    return viewOf(await this.#read(holder.projectId, call.id));
  }

  ready(): Promise<void> {
    return ping(this.#parts.database);
  }

  async #find(request: CallRequest): Promise<{ readonly call: StoredCall; readonly holder: KeyHolder }> {
    const { database, clock } = this.#parts;
    const holder = await authenticate(database, request.token, clock.now());
    const retryAfterSeconds = this.#windows.take(holder.apiKeyId, clock.monotonicMs());
    if (retryAfterSeconds !== null) {
      throw new Refusal(
        'rate_limit_exceeded',
        `This key has used up its reads of this minute. Try again in ${retryAfterSeconds} s; nothing was changed.`,
        { retryAfterSeconds },
      );
    }
    if (!UUID.test(request.callId)) {
      throw new Refusal('invalid_call', 'The call id in the path is not a UUID. Wanted: the `id` of a call record.');
    }
    return { call: await this.#read(holder.projectId, request.callId), holder };
  }

  async #read(projectId: string, callId: string): Promise<StoredCall> {
    const call = await readCall(this.#parts.database, projectId, callId);
    if (call !== null) return call;
    throw new Refusal('call_not_found', 'There is no call with this id in the project of this key.');
  }
}

function hasFailedExtraction(call: StoredCall): boolean {
  return call.extraction_status === 'unavailable' || call.extraction_status === 'invalid';
}
