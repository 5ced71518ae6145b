// The first start: a workspace for the owner of the installation, whose key waits in a file. The key is on disk before the
// workspace is committed, so that no workspace exists whose key nobody has.
import { access, chmod, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Chance, Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { foundWorkspaceWith } from './setup.ts';
import { hasWorkspaces, lockFounding } from './store.ts';

const KEY_FILE = 'owner-key';

/**
 * Makes the owner's workspace where there is none. Safe to repeat and from several processes at once.
 * @returns the path of the file with the owner's key (mode 0600), or null where this data folder has none: the workspaces of
 *   the database were made from elsewhere
 */
export async function foundOwner(
  parts: { readonly database: Database; readonly clock: Clock; readonly chance: Chance },
  dataDir: string,
): Promise<string | null> {
  const file = path.join(dataDir, KEY_FILE);
  await parts.database.transaction(async (tx) => {
    await lockFounding(tx);
    if (await hasWorkspaces(tx)) return;
    const founded = await foundWorkspaceWith(tx, parts, {
      workspaceName: 'Home',
      ownerName: null,
      plan: 'operator',
      projectName: 'Errands',
      assistantName: 'Errand',
      keyName: 'owner',
    });
    const fresh = `${file}.${process.pid}`;
    await writeFile(fresh, `${founded.apiKey}\n`, { mode: 0o600, flush: true });
    await chmod(fresh, 0o600);
    await rename(fresh, file);
  });
  return access(file).then(
    () => file,
    () => null,
  );
}
