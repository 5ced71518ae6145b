// Installs the Debian packages that the peers' tests need, where this process may: as root on a machine with apt-get.
// Never fails a run: a test whose peer is missing says so itself.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { PEER_PACKAGES } from './peers.ts';

const APT_LIMIT_MS = 900_000;

/** @returns the packages that are still missing */
export function installPeers(): string[] {
  const missing = missingPackages();
  if (missing.length === 0) return [];
  console.log(`installing what the peers' tests need: ${missing.join(' ')}`);
  if (!hasPackageLists()) apt(['update']);
  if (!install(missing)) {
    apt(['update']);
    // One by one, so that a package that cannot be had does not hide the others.
    if (!install(missing)) for (const name of missing) install([name]);
  }
  return missingPackages();
}

/** Whether this process may install packages here. */
export function canInstall(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

function missingPackages(): string[] {
  return PEER_PACKAGES.filter((name) => {
    const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' });
    return stdout !== 'install ok installed';
  });
}

function hasPackageLists(): boolean {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => name.includes('_Packages'));
  } catch {
    return false;
  }
}

const install = (names: readonly string[]): boolean => apt(['install', '-y', '--no-install-recommends', ...names]);

function apt(words: readonly string[]): boolean {
  const { status, stderr } = spawnSync('apt-get', ['-q', ...words], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: APT_LIMIT_MS,
  });
  if (status !== 0) console.log(`apt-get ${words[0]}: ${stderr.trim().split('\n').slice(-2).join(' | ')}`);
  return status === 0;
}
