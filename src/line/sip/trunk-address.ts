// Where a trunk is: its port and IPv4 address by the part of RFC 3263 that a UDP trunk needs.
import { resolveSrv } from 'node:dns/promises';
import { resolveHost } from './transport-udp.ts';
import { DEFAULT_SIP_PORT, type SipAddress, type SipUri } from './uri.ts';

/**
 * Resolves a trunk: a name without a port is looked for as `_sip._udp` service first (the first of the lowest priority).
 * @throws when the name has no address
 */
export async function resolveTrunk(uri: SipUri): Promise<SipAddress> {
  const isAddress = /^[0-9.]+$/.test(uri.host);
  if (uri.port === null && !isAddress) {
    const services = await resolveSrv(`_sip._udp.${uri.host}`).catch(() => []);
    const [first] = services.sort((one, other) => one.priority - other.priority || other.weight - one.weight);
    if (first !== undefined) return { host: await resolveHost(first.name), port: first.port };
  }
  return { host: await resolveHost(uri.host), port: uri.port ?? DEFAULT_SIP_PORT };
}
