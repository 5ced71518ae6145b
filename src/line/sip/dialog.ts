// Dialogs (RFC 3261 section 12): what two user agents share after an INVITE, and the requests inside it. Pure; a dialog is
// plain JSON, so that another process can go on with it.
import { headerOf, headerValues, makeRequest, type Header, type SipRequest, type SipResponse } from './message.ts';
import { parseNameAddress } from './header.ts';
import { isLooseRoute } from './uri.ts';

export interface Dialog {
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** From of our requests without the tag, e.g. `"Ada" <sip:+15550100100@trunk.example>`. */
  readonly local: string;
  /** To of our requests without the tag. */
  readonly remote: string;
  /** Our Contact value. */
  readonly contact: string;
  /** The URI that our requests are for. */
  readonly remoteTarget: string;
  /** Route values in the order in which our requests carry them. */
  readonly routeSet: readonly string[];
  /** Of our last request. */
  readonly localCSeq: number;
  /** Of the far end's last request; null before the first. */
  readonly remoteCSeq: number | null;
}

/** The dialog that an answer to our INVITE makes; null when it has no To tag (RFC 3261 section 12.1.2). */
export function dialogOfAnswer(invite: SipRequest, response: SipResponse): Dialog | null {
  if (response.toTag === '') return null;
  return {
    callId: invite.callId,
    localTag: invite.fromTag,
    remoteTag: response.toTag,
    local: withoutTag(headerOf(invite, 'from') ?? ''),
    remote: withoutTag(headerOf(invite, 'to') ?? ''),
    contact: headerOf(invite, 'contact') ?? '',
    remoteTarget: contactOf(response) ?? invite.uri,
    routeSet: headerValues(response, 'record-route').reverse(),
    localCSeq: invite.cseq.number,
    remoteCSeq: null,
  };
}

/**
 * The dialog that our answer to an INVITE makes (RFC 3261 section 12.1.1).
 * @param contact our Contact value, the same as in the answer
 */
export function dialogOfRequest(invite: SipRequest, localTag: string, contact: string): Dialog {
  const from = headerOf(invite, 'from') ?? '';
  return {
    callId: invite.callId,
    localTag,
    remoteTag: invite.fromTag,
    local: withoutTag(headerOf(invite, 'to') ?? ''),
    remote: withoutTag(from),
    contact,
    remoteTarget: contactOf(invite) ?? parseNameAddress(from)?.uri ?? '',
    routeSet: headerValues(invite, 'record-route'),
    localCSeq: 0,
    remoteCSeq: invite.cseq.number,
  };
}

function contactOf(message: SipRequest | SipResponse): string | null {
  const [first] = headerValues(message, 'contact');
  return first === undefined ? null : (parseNameAddress(first)?.uri ?? null);
}

/** `"Ada" <sip:a@b>;tag=1` without its tag; other parameters stay. */
function withoutTag(value: string): string {
  const end = value.lastIndexOf('>');
  const head = value.slice(0, end + 1);
  const params = value.slice(end + 1);
  return `${head}${params.replace(/;\s*tag\s*=[^;]*/i, '')}`.trim();
}

export interface RequestParts {
  readonly method: string;
  /** The whole Via value, with a branch of its own. */
  readonly via: string;
  /** For ACK, that of its INVITE; otherwise the next number is taken. */
  readonly cseq?: number;
  readonly headers?: readonly Header[];
  readonly body?: string;
}

export interface DialogRequest {
  readonly request: SipRequest;
  /** The dialog after it. */
  readonly dialog: Dialog;
  /** The URI of the next hop: the first route, or the target. */
  readonly hop: string;
}

/** A request of ours inside the dialog (RFC 3261 section 12.2.1.1), strict routers included. */
export function requestInDialog(dialog: Dialog, parts: RequestParts): DialogRequest {
  const cseq = parts.cseq ?? dialog.localCSeq + 1;
  const { uri, routes } = routing(dialog);
  const request = makeRequest(
    parts.method,
    uri,
    [
      { name: 'via', value: parts.via },
      ...routes.map((value) => ({ name: 'route', value })),
      { name: 'max-forwards', value: '70' },
      { name: 'from', value: `${dialog.local};tag=${dialog.localTag}` },
      { name: 'to', value: dialog.remoteTag === '' ? dialog.remote : `${dialog.remote};tag=${dialog.remoteTag}` },
      { name: 'call-id', value: dialog.callId },
      { name: 'cseq', value: `${cseq} ${parts.method}` },
      { name: 'contact', value: dialog.contact },
      ...(parts.headers ?? []),
    ],
    parts.body,
  );
  const hop = dialog.routeSet[0];
  return {
    request,
    dialog: parts.cseq === undefined ? { ...dialog, localCSeq: cseq } : dialog,
    hop: hop === undefined ? dialog.remoteTarget : (parseNameAddress(hop)?.uri ?? dialog.remoteTarget),
  };
}

function routing(dialog: Dialog): { uri: string; routes: readonly string[] } {
  const [first, ...others] = dialog.routeSet;
  const firstUri = first === undefined ? null : (parseNameAddress(first)?.uri ?? null);
  if (firstUri === null || isLooseRoute(firstUri)) return { uri: dialog.remoteTarget, routes: dialog.routeSet };
  return { uri: firstUri, routes: [...others, `<${dialog.remoteTarget}>`] };
}

/**
 * Takes a request of the far end inside the dialog.
 * @returns the dialog after it, its target refreshed by INVITE and UPDATE; null when the request is older than the last
 *   one and must be refused with 500 (RFC 3261 section 12.2.2)
 */
export function takeRequest(dialog: Dialog, request: SipRequest): Dialog | null {
  if (dialog.remoteCSeq !== null && request.cseq.number < dialog.remoteCSeq) return null;
  const isRefresh = request.method === 'INVITE' || request.method === 'UPDATE';
  return {
    ...dialog,
    remoteCSeq: request.cseq.number,
    remoteTarget: (isRefresh ? contactOf(request) : null) ?? dialog.remoteTarget,
  };
}

/** Whether a request of the far end belongs to the dialog. */
export function isInDialog(dialog: Dialog, request: SipRequest): boolean {
  return request.callId === dialog.callId && request.toTag === dialog.localTag && request.fromTag === dialog.remoteTag;
}
