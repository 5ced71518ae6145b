// Makes accounts whole: a workspace with its minutes, a project with a working assistant, a key that can call at once.
import type { Database, Queryable } from '../platform/database.ts';
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

interface Makers {
  readonly clock: Clock;
  readonly chance: Chance;
}

/** Makes a workspace that can place a call at once; all of it or nothing. */
export function foundWorkspace(parts: Makers & { readonly database: Database }, founding: Founding): Promise<Founded> {
  return parts.database.transaction((tx) => foundWorkspaceWith(tx, parts, founding));
}

/** The same inside a transaction of the caller. */
export async function foundWorkspaceWith(
  tx: Queryable,
  { clock, chance }: Makers,
  founding: Founding,
): Promise<Founded> {
  const now = clock.now();
  const { key, digest } = createApiKey(chance);
  const founded = { workspaceId: chance.uuid(), projectId: chance.uuid(), apiKeyId: chance.uuid(), apiKey: key };
  const { workspaceId, projectId } = founded;
  await insertWorkspace(tx, { id: workspaceId, name: founding.workspaceName, ownerName: founding.ownerName }, now);
  await openAccount(tx, workspaceId, founding.plan, now);
  await insertProject(tx, { id: projectId, workspaceId, name: founding.projectName }, now);
  await upsertAssistant(tx, projectId, { name: founding.assistantName });
  await insertKey(tx, { id: founded.apiKeyId, projectId, name: founding.keyName, digest, expiresAt: null }, now);
  return founded;
}
