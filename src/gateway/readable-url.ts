// A request target as a path that the router can read. Nothing is refused here: what does not decode is taken literally.

/**
 * Strips scheme and authority of the absolute form (RFC 9112, section 3.2.2) and makes `%` literal where the path does not
 * decode, so that a malformed id is an unknown id and a malformed path an unknown route.
 * @returns begins with `/`; the query is left as it is
 */
export function readableUrl(target: string): string {
  const relative = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const rooted = relative.startsWith('/') ? relative : `/${relative}`;
  const end = rooted.search(/[?#]/);
  const path = end === -1 ? rooted : rooted.slice(0, end);
  return isDecodable(path) ? rooted : path.replaceAll('%', '%25') + rooted.slice(path.length);
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
