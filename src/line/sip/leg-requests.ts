// The requests of an outgoing call, made from its record: INVITE, CANCEL, ACK of a 2xx, BYE. Pure. Another process that has
// the record makes the same ones.
import { authorize, type ChallengedRequest } from './authorization.ts';
import { requestInDialog, type Dialog } from './dialog.ts';
import type { Credentials } from './digest.ts';
import { formatVia } from './header.ts';
import type { SipLegRecord } from './leg-record.ts';
import { makeRequest, type Header, type SipRequest } from './message.ts';
import type { SipAddress } from './uri.ts';

export interface RequestRules {
  /** What our Via names. */
  readonly local: SipAddress;
  /** Null when the trunk knows us by our address. */
  readonly credentials: Credentials | null;
  readonly userAgent: string;
}

/** Methods that the far end may send us inside a dialog. */
export const ALLOWED_METHODS = 'INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, INFO';

/** A fresh branch; the record counts them, so that a process that goes on with the leg repeats none. */
export function nextBranch(record: SipLegRecord): { readonly record: SipLegRecord; readonly branch: string } {
  const branches = record.branches + 1;
  return { record: { ...record, branches }, branch: `${record.branchSeed}.${record.epoch}.${branches}` };
}

interface Made {
  /** The record after it: branches and uses of nonces are counted. */
  readonly record: SipLegRecord;
  readonly request: SipRequest;
}

interface MadeInDialog extends Made {
  /** The URI of the next hop. */
  readonly hop: string;
}

/** The INVITE with the Via, CSeq and SDP of the record, and credentials for the challenges that it holds. */
export function makeInvite(record: SipLegRecord, rules: RequestRules): Made {
  const body = record.offer ?? '';
  const authorization = credentialsFor(record, { method: 'INVITE', uri: record.requestUri, body }, rules);
  const request = makeRequest(
    'INVITE',
    record.requestUri,
    [
      { name: 'via', value: record.inviteVia },
      { name: 'max-forwards', value: '70' },
      { name: 'from', value: `${record.from};tag=${record.localTag}` },
      { name: 'to', value: record.to },
      { name: 'call-id', value: record.reference },
      { name: 'cseq', value: `${record.inviteCSeq} INVITE` },
      { name: 'contact', value: record.contact },
      ...(record.assertedIdentity === null ? [] : [{ name: 'p-asserted-identity', value: record.assertedIdentity }]),
      ...authorization.headers,
      { name: 'allow', value: ALLOWED_METHODS },
      { name: 'user-agent', value: rules.userAgent },
      { name: 'content-type', value: 'application/sdp' },
    ],
    body,
  );
  return { record: authorization.record, request };
}

const SAME_IN_CANCEL: ReadonlySet<string> = new Set(['via', 'from', 'to', 'call-id', 'route']);

/** @see RFC 3261 section 9.1: the URI, Via, From, To, Call-ID and CSeq number of the INVITE */
export function makeCancel(invite: SipRequest, rules: RequestRules): SipRequest {
  return makeRequest('CANCEL', invite.uri, [
    ...invite.headers.filter((header) => SAME_IN_CANCEL.has(header.name)),
    { name: 'max-forwards', value: '70' },
    { name: 'cseq', value: `${invite.cseq.number} CANCEL` },
    { name: 'user-agent', value: rules.userAgent },
  ]);
}

const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);

/** The ACK of a 2xx: of the INVITE's CSeq and with its credentials (RFC 3261 sections 13.2.2.4 and 22.1). */
export function makeAck(record: SipLegRecord, dialog: Dialog, invite: SipRequest, rules: RequestRules): MadeInDialog {
  const branch = nextBranch(record);
  const { request, hop } = requestInDialog(dialog, {
    method: 'ACK',
    via: formatVia(rules.local, branch.branch),
    cseq: invite.cseq.number,
    headers: invite.headers.filter((header) => CREDENTIALS.has(header.name)),
  });
  return { record: branch.record, request, hop };
}

/** A BYE for `dialog`, which becomes the record's, with credentials for the known challenges, so that none need come. */
export function makeBye(record: SipLegRecord, dialog: Dialog, rules: RequestRules): MadeInDialog {
  const branch = nextBranch(record);
  const asked = { method: 'BYE', uri: dialog.remoteTarget, body: '' };
  const authorization = credentialsFor(branch.record, asked, rules);
  const bye = requestInDialog(dialog, {
    method: 'BYE',
    via: formatVia(rules.local, branch.branch),
    headers: [...authorization.headers, { name: 'user-agent', value: rules.userAgent }],
  });
  return { record: { ...authorization.record, dialog: bye.dialog }, request: bye.request, hop: bye.hop };
}

function credentialsFor(
  record: SipLegRecord,
  request: ChallengedRequest,
  rules: RequestRules,
): { readonly record: SipLegRecord; readonly headers: readonly Header[] } {
  if (rules.credentials === null || record.challenges.length === 0) return { record, headers: [] };
  const answerer = { credentials: rules.credentials, cnonceSeed: record.cnonceSeed };
  const { headers, challenges } = authorize(record.challenges, request, answerer);
  return { record: { ...record, challenges }, headers };
}
