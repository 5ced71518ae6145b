// The control plane seen from a gateway in another process: the same interface over internal HTTP. Believes nothing that comes
// back before it has been checked against the contract; throws a `Refusal`, or an `UpstreamFailure` that says which way it failed.
import { compile } from '../contract/compile.ts';
import type { Checked } from '../contract/compile.ts';
import { CallView } from '../contract/call.ts';
import {
  INTERNAL_PATHS,
  InternalCreated,
  InternalFailed,
  InternalReady,
  InternalRefused,
  REFUSED_STATUS,
} from '../contract/internal.ts';
import { isProblemCode } from '../contract/problems.ts';
import { Refusal } from '../contract/refusal.ts';
import type { CallRequest, ControlPlane, CreateCallRequest, CreatedCall } from '../control-plane/control-plane.ts';
import { InternalHttp } from './internal-http.ts';
import type { InternalAnswer, InternalHttpOptions } from './internal-http.ts';
import { UpstreamFailure } from './upstream-failure.ts';

const checkCall = compile(CallView);
const checkCreated = compile(InternalCreated);
const checkReady = compile(InternalReady);
const checkRefused = compile(InternalRefused);
const checkFailed = compile(InternalFailed);

export class ControlPlaneClient implements ControlPlane {
  readonly #http: InternalHttp;

  constructor(options: InternalHttpOptions) {
    this.#http = new InternalHttp(options);
  }

  async createCall(request: CreateCallRequest): Promise<CreatedCall> {
    return understand(await this.#http.send('POST', INTERNAL_PATHS.createCall, request), checkCreated);
  }

  async getCall(request: CallRequest): Promise<CallView> {
    return understand(await this.#http.send('POST', INTERNAL_PATHS.getCall, request), checkCall);
  }

  async syncCall(request: CallRequest): Promise<CallView> {
    return understand(await this.#http.send('POST', INTERNAL_PATHS.syncCall, request), checkCall);
  }

  async cancelCall(request: CallRequest): Promise<CallView> {
    return understand(await this.#http.send('POST', INTERNAL_PATHS.cancelCall, request), checkCall);
  }

  async ready(): Promise<void> {
    understand(await this.#http.send('GET', INTERNAL_PATHS.ready, null), checkReady);
  }

  [Symbol.dispose](): void {
    this.#http[Symbol.dispose]();
  }
}

/**
 * Reads an answer.
 * @throws {Refusal} when it is one, with a code of the table
 * @throws {UpstreamFailure} `control_plane_error` for a failure of its own, `invalid_control_plane_response` for anything else
 */
function understand<Shape>(answer: InternalAnswer, check: (value: unknown) => Checked<Shape>): Shape {
  const upstreamStatus = `http ${answer.status}`;
  if (answer.status === 401) {
    throw new UpstreamFailure('control_plane_error', 'the control plane refused the credential', {
      retry: 'safe',
      upstreamStatus,
    });
  }
  const json = parse(answer.text);
  if (answer.status >= 500) {
    const failed = checkFailed(json);
    const retry = failed.ok ? failed.value.failure.retry : 'never';
    throw new UpstreamFailure('control_plane_error', 'the control plane failed', { retry, upstreamStatus });
  }
  if (answer.status === REFUSED_STATUS) throw refusalOf(json, upstreamStatus);
  if (answer.status !== 200) throw outOfContract(`status ${answer.status}`, upstreamStatus);
  const checked = check(json);
  if (!checked.ok) throw outOfContract(`${checked.fault.keyword} at "${checked.pointer}"`, upstreamStatus);
  return checked.value;
}

function refusalOf(json: unknown, upstreamStatus: string): Refusal | UpstreamFailure {
  const checked = checkRefused(json);
  if (!checked.ok) return outOfContract('a refusal out of shape', upstreamStatus);
  const { code, detail, details } = checked.value.refusal;
  return isProblemCode(code) ? new Refusal(code, detail, details) : outOfContract('an unknown refusal', upstreamStatus);
}

function outOfContract(what: string, upstreamStatus: string): UpstreamFailure {
  return new UpstreamFailure('invalid_control_plane_response', `the control plane answered out of contract: ${what}`, {
    upstreamStatus,
  });
}

/** @returns undefined for what is not JSON, which no schema of the contract takes */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
