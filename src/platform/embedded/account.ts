// Under which account the embedded server runs. PostgreSQL refuses to run as root, so root lends it another account;
// everybody else runs it as themselves. Never creates accounts.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** A numeric account; `undefined` elsewhere in this room means "as whoever we are". */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

const CANDIDATES = ['postgres', '_postgres', 'nobody'];

/**
 * Picks the account that the server runs under.
 * @param clusterDir where the cluster is or will be; the owner of an existing one goes on owning it
 * @returns undefined when this process is not root
 * @throws {Error} as root, when no unprivileged account is known
 */
export function serverAccount(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(clusterDir, { throwIfNoEntry: false });
  if (existing !== undefined && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n').map(parseAccount);
  for (const name of CANDIDATES) {
    const row = rows.find((each) => each !== undefined && each.name === name && each.uid !== 0);
    if (row !== undefined) return { uid: row.uid, gid: row.gid };
  }
  throw new Error(
    `the embedded PostgreSQL does not run as root and /etc/passwd has none of ${CANDIDATES.join(', ')}: ` +
      'start as an ordinary user, or set DATABASE_URL',
  );
}

function parseAccount(line: string): { name: string; uid: number; gid: number } | undefined {
  const [name, , uid, gid] = line.split(':');
  if (name === undefined || uid === undefined || gid === undefined) return undefined;
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** Tells from the mode bits whether `account` may enter every folder down to `path` and read what is there. */
export function canReach(path: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  if (!allows(path, account, 0o5)) return false;
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!allows(at, account, 0o1)) return false;
    if (at === dirname(at)) return true;
  }
}

function allows(path: string, account: Account, wanted: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & wanted) === wanted;
}
