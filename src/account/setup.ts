// Makes accounts whole: a workspace with its minutes, a project with a working assistant, a key that can call at once.
import type { Database } from '../platform/database.ts';
import type { Chance, Clock } from '../platform/clock.ts';
import { openAccount } from '../ledger/credit.ts';
import { createApiKey } from './api-key.ts';
import { insertKey, insertProject, insertWorkspace, upsertAssistant } from './store.ts';

export interface Founding {
  readonly workspaceName: string;
  /** The profile name that recipients hear; null when there is none yet. */
  readonly ownerName: string | null;
  readonly plan: 'free' | 'prepaid' | 'pro' | 'operator';
  readonly projectName: string;
  readonly assistantName: string;
  readonly keyName: string;
}

export interface Founded {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly apiKeyId: string;
  /** The key in the clear: hand it over and forget it. */
  readonly apiKey: string;
}

/**
 * Makes a workspace that can place a call at once; all of it or nothing.
 * @param prepare runs inside the transaction, before the commit, with the key: what must not be lost is saved there
 */
export async function foundWorkspace(
  parts: { readonly database: Database; readonly clock: Clock; readonly chance: Chance },
  founding: Founding,
  prepare: (founded: Founded) => Promise<void> = async () => undefined,
): Promise<Founded> {
  const { chance } = parts;
  const now = parts.clock.now();
  const { key, digest } = createApiKey(chance);
  const founded = { workspaceId: chance.uuid(), projectId: chance.uuid(), apiKeyId: chance.uuid(), apiKey: key };
  return parts.database.transaction(async (tx) => {
    await insertWorkspace(
      tx,
      { id: founded.workspaceId, name: founding.workspaceName, ownerName: founding.ownerName },
      now,
    );
    await openAccount(tx, founded.workspaceId, founding.plan, now);
    await insertProject(
      tx,
      { id: founded.projectId, workspaceId: founded.workspaceId, name: founding.projectName },
      now,
    );
    await upsertAssistant(tx, founded.projectId, { name: founding.assistantName });
    await insertKey(
      tx,
      { id: founded.apiKeyId, projectId: founded.projectId, name: founding.keyName, digest, expiresAt: null },
      now,
    );
    await prepare(founded);
    return founded;
  });
}
