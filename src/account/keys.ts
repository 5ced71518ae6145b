// Who is asking: a bearer token becomes the holder of a key, or a 401 that says which of the three things is wrong with it.
import type { Queryable } from '../platform/database.ts';
import { Refusal } from '../contract/refusal.ts';
import { digestOfApiKey } from './api-key.ts';
import { findKey } from './store.ts';

export interface KeyHolder {
  readonly apiKeyId: string;
  readonly projectId: string;
  readonly workspaceId: string;
}

/**
 * @param token the bearer token, or null when there was none in the right form
 * @throws {Refusal} invalid_api_key, api_key_revoked or api_key_expired, in this order
 */
export async function authenticate(database: Queryable, token: string | null, now: Date): Promise<KeyHolder> {
  const digest = token === null ? null : digestOfApiKey(token);
  const key = digest === null ? null : await findKey(database, digest);
  if (key === null) throw refuseKey('invalid_api_key');
  if (key.revoked_at !== null) throw refuseKey('api_key_revoked');
  if (key.expires_at !== null && key.expires_at <= now) throw refuseKey('api_key_expired');
  return { apiKeyId: key.id, projectId: key.project_id, workspaceId: key.workspace_id };
}

const DETAILS = {
  invalid_api_key: 'Send `Authorization: Bearer <API key>` with a key of this service. No call was created.',
  api_key_revoked:
    'This API key was revoked. No call was created. Create a replacement; an Idempotency-Key used before still finds its call.',
  api_key_expired:
    'This API key has expired. No call was created. Create a replacement; an Idempotency-Key used before still finds its call.',
} as const;

/** The refusal for each way in which a key can be bad. */
export function refuseKey(code: keyof typeof DETAILS): Refusal {
  return new Refusal(code, DETAILS[code]);
}
