// What SIPp does as the far end of one call, as its XML. Each scenario is an exact script: anything else that arrives ends it
// with a failure, so the exit status is an assertion about every message that was sent to it.

const TAG = '[pid]SIPpTag[call_number]';
const CONTACT = 'Contact: <sip:sipp@[local_ip]:[local_port];transport=[transport]>';
const ALLOW = 'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, INFO, PRACK';

const SDP = [
  'v=0',
  'o=sipp 53655765 1 IN IP[local_ip_type] [local_ip]',
  's=-',
  'c=IN IP[media_ip_type] [media_ip]',
  't=0 0',
  'm=audio [auto_media_port] RTP/AVP 0 101',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:101 telephone-event/8000',
  'a=fmtp:101 0-16',
  'a=ptime:20',
  'a=sendrecv',
];

interface Reply {
  readonly hasSdp?: boolean;
  readonly headers?: readonly string[];
  /** Sent again until what follows arrives. */
  readonly isRepeated?: boolean;
  /** Inside a dialog To has a tag already. */
  readonly isInDialog?: boolean;
}

function send(head: readonly string[], hasSdp: boolean, isRepeated: boolean): string {
  const tail = hasSdp
    ? ['Content-Type: application/sdp', 'Content-Length: [len]', '', ...SDP]
    : ['Content-Length: 0', ''];
  return `<send${isRepeated ? ' retrans="500"' : ''}><![CDATA[\n${[...head, ...tail].join('\n')}\n]]></send>\n`;
}

/** A response to the request that came last. */
function reply(status: number, reason: string, options: Reply = {}): string {
  const to = options.isInDialog === true || status === 100 ? '[last_To:]' : `[last_To:];tag=${TAG}`;
  const head = [
    `SIP/2.0 ${status} ${reason}`,
    '[last_Via:]',
    '[last_From:]',
    to,
    '[last_Call-ID:]',
    '[last_CSeq:]',
    '[last_Record-Route:]',
    CONTACT,
    ALLOW,
    ...(options.headers ?? []),
  ];
  return send(head, options.hasSdp ?? false, options.isRepeated ?? false);
}

/** A response to the INVITE when another request came since. */
function replyToInvite(status: number, reason: string, hasSdp = false): string {
  const head = [
    `SIP/2.0 ${status} ${reason}`,
    '[$vias]',
    'From: [$from]',
    `To: [$to];tag=${TAG}`,
    'Call-ID: [call_id]',
    'CSeq: [$cseq]',
    CONTACT,
  ];
  return send(head, hasSdp, true);
}

function header(name: string, variable: string, pattern = '[^ ].*', isChecked = false): string {
  const check = isChecked ? ' check_it="true"' : '';
  return `<ereg regexp="${pattern}" search_in="hdr" header="${name}:" assign_to="${variable}"${check}/>\n`;
}

function invite(...checks: readonly string[]): string {
  const via = 'Via: [^[:cntrl:]]*';
  return [
    '<recv request="INVITE" rrs="true"><action>\n',
    `<ereg regexp="${via}([[:cntrl:]]+${via})*" search_in="msg" assign_to="vias,vias_last"/>\n`,
    header('From', 'from'),
    header('To', 'to'),
    header('CSeq', 'cseq'),
    header('Contact', 'target', 'sips?:[^&gt;]*'),
    ...checks,
    '</action></recv>\n<Reference variables="vias,vias_last,from,to,cseq,target"/>\n',
  ].join('');
}

const receive = (method: string): string => `<recv request="${method}"/>\n`;
const pauseMs = (ms: number): string => `<pause milliseconds="${ms}"/>\n`;
const cause = (code: number): string => `Reason: Q.850;cause=${code}`;

const INVITE = invite();
const ACK = receive('ACK');
const TRYING = reply(100, 'Trying');
const RINGING = reply(180, 'Ringing');
const ANSWER = reply(200, 'OK', { hasSdp: true, isRepeated: true }) + ACK;
const THEY_END = receive('BYE') + reply(200, 'OK', { isInDialog: true });
const WE_END =
  send(
    [
      'BYE [$target] SIP/2.0',
      'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
      'Max-Forwards: 70',
      '[routes]',
      `From: [$to];tag=${TAG}`,
      'To: [$from]',
      'Call-ID: [call_id]',
      'CSeq: 1 BYE',
      cause(16),
    ],
    false,
    true,
  ) + '<recv response="200"/>\n';

function refuse(status: number, reason: string, ...headers: readonly string[]): string {
  return reply(status, reason, { headers, isRepeated: true }) + ACK;
}

const CHALLENGE = 'Proxy-Authenticate: Digest realm="trunk.example", nonce="[call_id]", algorithm=MD5, qop="auth"';
const CREDENTIALS = [
  'username=&quot;alice&quot;',
  'realm=&quot;trunk.example&quot;',
  'response=&quot;[0-9a-f]{32}&quot;',
  'nonce=&quot;[^&quot;]+&quot;',
  'qop=&quot;?auth',
  'nc=00000001',
  'cnonce=&quot;[^&quot;]+&quot;',
];

/** The far ends, by name. */
export const SCENARIOS = {
  busy: INVITE + TRYING + refuse(486, 'Busy Here', cause(17)),
  declined: INVITE + TRYING + RINGING + pauseMs(200) + refuse(603, 'Decline'),
  unanswered: INVITE + TRYING + RINGING + pauseMs(500) + refuse(480, 'Temporarily Unavailable', cause(19)),
  unknownNumber: INVITE + refuse(404, 'Not Found', cause(1)),
  congested: INVITE + refuse(503, 'Service Unavailable', 'Retry-After: 5'),
  /** Takes the INVITE and says nothing; its repetitions are SIPp's to swallow. */
  mute: receive('INVITE') + pauseMs(3_000),
  ringsUntilCancelled:
    INVITE + TRYING + RINGING + receive('CANCEL') + reply(200, 'OK') + replyToInvite(487, 'Request Terminated') + ACK,
  /** Answers although a CANCEL has come: the answer wins, and must get ACK and BYE. */
  answersDespiteCancel: INVITE + TRYING + RINGING + receive('CANCEL') + replyToInvite(200, 'OK', true) + ACK + THEY_END,
  answers: INVITE + TRYING + RINGING + pauseMs(200) + ANSWER + THEY_END,
  /** 183 with SDP, half a second of early media, then the answer. */
  earlyMedia: INVITE + TRYING + reply(183, 'Session Progress', { hasSdp: true }) + pauseMs(500) + ANSWER + THEY_END,
  hangsUp: INVITE + RINGING + ANSWER + pauseMs(500) + WE_END,
  challenges:
    INVITE +
    refuse(407, 'Proxy Authentication Required', CHALLENGE) +
    invite(...CREDENTIALS.map((pattern) => header('Proxy-Authorization', 'auth', pattern, true))) +
    '<Reference variables="auth"/>\n' +
    RINGING +
    ANSWER +
    THEY_END,
} as const satisfies Record<string, string>;

export type ScenarioName = keyof typeof SCENARIOS;

export function scenarioXml(name: ScenarioName): string {
  return [
    '<?xml version="1.0" encoding="ISO-8859-1" ?>',
    '<!DOCTYPE scenario SYSTEM "sipp.dtd">',
    `<scenario name="${name}">\n${SCENARIOS[name]}</scenario>\n`,
  ].join('\n');
}
