// Programs of others that tests speak to: what each is called, where it is, and how to install it.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';

interface Peer {
  /** Names of the program, best first; an absolute path stands for a file that has to be there. */
  readonly anyOf: readonly string[];
  /** Debian packages. */
  readonly packages: readonly string[];
}

const PEERS = {
  sipp: { anyOf: ['sipp'], packages: ['sip-tester'] },
  baresip: { anyOf: ['baresip'], packages: ['baresip-core'] },
  kamailio: { anyOf: ['kamailio'], packages: ['kamailio'] },
  sox: { anyOf: ['sox'], packages: ['sox', 'libsox-fmt-base'] },
  'espeak-ng': { anyOf: ['espeak-ng'], packages: ['espeak-ng'] },
  tshark: { anyOf: ['tshark'], packages: ['tshark'] },
  cc: { anyOf: ['cc', 'gcc'], packages: ['gcc', 'libc6-dev'] },
  liblinphone: { anyOf: ['/usr/include/linphone/core.h'], packages: ['liblinphone-dev'] },
  chromium: { anyOf: ['chromium', 'chromium-browser', 'google-chrome'], packages: ['chromium'] },
} as const satisfies Record<string, Peer>;

export type PeerName = keyof typeof PEERS;

/** Every Debian package that some peer needs. */
export const PEER_PACKAGES: readonly string[] = Object.values(PEERS).flatMap((peer) => peer.packages);

/**
 * The path of a peer's program. Where it is missing the test is skipped by name with the command that installs it, or,
 * with CI=true in the environment, fails: so `const sipp = requirePeer(t, 'sipp'); if (sipp === undefined) return;`.
 */
export function requirePeer(t: TestContext, name: PeerName): string | undefined {
  const found = findPeer(name);
  if (found !== undefined) return found;
  const missing = `${name} is missing: apt-get install -y --no-install-recommends ${PEERS[name].packages.join(' ')}`;
  if (process.env['CI'] === 'true') throw new Error(missing);
  t.skip(missing);
  return undefined;
}

/** Looks along PATH and where Debian keeps servers. */
export function findPeer(name: PeerName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin', '/usr/local/bin'];
  for (const program of PEERS[name].anyOf) {
    const candidates = program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program));
    const found = candidates.find((path) => (program.startsWith('/') ? existsSync(path) : isExecutable(path)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
