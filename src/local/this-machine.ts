// Whether a request comes from this machine and means it. A web page elsewhere can make a browser here send requests, and can
// give its own name our address (DNS rebinding): the Host and Origin headers tell. Pure.

export interface Asker {
  /** Of the connection's other end. */
  readonly address: string | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** True for a loopback connection whose Host is a loopback name and whose Origin, if any, is too. */
export function isFromThisMachine({ address, host, origin }: Asker): boolean {
  if (address === undefined || !isLoopbackAddress(address)) return false;
  if (host === undefined || !isLoopbackUrl(`http://${host}`)) return false;
  return origin === undefined || isLoopbackUrl(origin);
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, protocol, username } = new URL(text);
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '') return false;
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'));
}

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127(\.[0-9]{1,3}){3}$/i.test(address);
}
