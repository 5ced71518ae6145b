// Words and the BYE travel on two sockets: which of them is read first says nothing about which was sent first.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { buildRtp } from '../src/line/media/rtp.ts';
import { dialogOfRequest, requestInDialog } from '../src/line/sip/dialog.ts';
import { formatVia } from '../src/line/sip/header.ts';
import { openUdpTransport } from '../src/line/sip/transport-udp.ts';
import { UserAgent } from '../src/line/sip/user-agent.ts';
import type { Incoming } from '../src/line/sip/user-agent.ts';
import { systemChance, systemClock } from '../src/platform/clock.ts';
import { openSipCaller } from './support/sip-caller.ts';

test('words that arrive just behind the BYE are heard before the call is over', async () => {
  const rtp = createSocket('udp4');
  rtp.bind(0, '127.0.0.1');
  await once(rtp, 'listening');
  rtp.unref(); // a failed assertion must not keep the file alive
  const invited = Promise.withResolvers<Incoming>();
  await using transport = await openUdpTransport({ host: '127.0.0.1', port: 0 });
  const far = new UserAgent({
    transport,
    clock: systemClock,
    chance: systemChance,
    onRequest: (incoming) => (incoming.request.method === 'INVITE' ? invited.resolve(incoming) : undefined),
    onBug: (error) => {
      throw error;
    },
  });
  await using caller = await openSipCaller(transport.local.port);
  const call = caller.dial();
  const invite = await invited.promise;
  const contact = `<sip:far@127.0.0.1:${transport.local.port}>`;
  const textPort = Number(/m=text (\d+)/.exec(invite.request.body)?.[1]);
  const textType = Number(/a=rtpmap:(\d+) t140\/1000/.exec(invite.request.body)?.[1]);
  const headers = [
    { name: 'contact', value: contact },
    { name: 'content-type', value: 'application/sdp' },
  ];
  const body = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    'm=audio 0 RTP/AVP 0',
    `m=text ${rtp.address().port} RTP/AVP ${textType}`,
    `a=rtpmap:${textType} t140/1000`,
    '',
  ].join('\r\n');
  invite.respond({ status: 200, reason: 'OK', headers, body });
  await call.told('answered');

  const dialog = dialogOfRequest(invite.request, invite.localTag, contact);
  const via = formatVia(transport.local, far.newToken());
  const { request } = requestInDialog(dialog, { method: 'BYE', via, headers: [], body: '' });
  const target = Number(/:(\d+)>?$/.exec(dialog.remoteTarget)?.[1]);
  const acknowledged = Promise.withResolvers<void>();
  far.request(request, { host: '127.0.0.1', port: target }, (news) => {
    if (news.kind === 'response') acknowledged.resolve();
  });
  await acknowledged.promise; // the line has read the BYE; only now do the words leave
  const words = {
    hasMarker: true,
    payloadType: textType,
    sequence: 1,
    timestamp: 1,
    ssrc: 7,
    payload: Buffer.from('Until five.\u2028'),
  };
  rtp.send(buildRtp(words), textPort, '127.0.0.1');

  await call.told('ended');
  const kinds = call.kinds().slice(-2);
  assert.deepEqual(kinds, ['text', 'ended']);
  far.close();
  rtp.close();
});
