// The part of the network that never says a word: it stands before SIP's transactions, counts the calls that are lost in it and
// drops them, so that not even a CANCEL is answered.
import { parseMessage } from '../sip/message.ts';
import type { SipRequest } from '../sip/message.ts';
import type { SipTransport } from '../sip/transport-udp.ts';

/**
 * @param swallows asked for each request outside of a dialog; true: it is lost
 * @returns the transport without what is lost
 */
export function muted(transport: SipTransport, swallows: (request: SipRequest) => boolean): SipTransport {
  return {
    local: transport.local,
    send: (datagram, to, unsendable) => transport.send(datagram, to, unsendable),
    reply: (datagram, to) => transport.reply(datagram, to),
    listen: (listener) =>
      transport.listen({
        refused: listener.refused,
        received: (datagram, from) => {
          const parsed = parseMessage(datagram);
          const isRequest = 'message' in parsed && parsed.message.kind === 'request';
          if (isRequest && parsed.message.toTag === '' && swallows(parsed.message)) return;
          listener.received(datagram, from);
        },
      }),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
