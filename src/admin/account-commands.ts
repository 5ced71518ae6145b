// Operators' commands on workspaces, projects, assistants, keys and the live-calls switch.
import { createApiKey } from '../account/api-key.ts';
import {
  expireKey,
  insertKey,
  insertProject,
  insertWorkspace,
  listKeys,
  listProjects,
  listWorkspaces,
  readSwitch,
  revokeKey,
  setOwnerName,
  setProjectActive,
  setSwitch,
  upsertAssistant,
} from '../account/store.ts';
import type { AssistantChange } from '../account/store.ts';
import { openAccount } from '../ledger/credit.ts';
import { UsageError } from './command.ts';
import type { Command } from './command.ts';
import { choiceOf, momentOf, textOf, uuidOf } from './values.ts';

const LIST_LIMIT = 1_000;
export const PLAN_NAMES = ['free', 'prepaid', 'pro', 'operator'] as const;

const name = (means: string, isRequired: boolean) => ({ means, value: 'NAME', isRequired });
const project = { means: 'only those of this project', value: 'ID' };

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'workspace create',
    means: 'Makes a workspace with its minute account.',
    operands: [],
    options: {
      name: name('name of the workspace', true),
      owner: name('profile name that recipients hear', false),
      plan: { means: `${PLAN_NAMES.join(', ')}; default free`, value: 'PLAN' },
    },
    async run({ database, clock, chance }, words) {
      const plan = choiceOf('--plan', words.option('plan') ?? 'free', PLAN_NAMES);
      const owner = words.option('owner');
      const workspace = {
        id: chance.uuid(),
        name: textOf('--name', words.option('name'), 160),
        ownerName: owner === undefined ? null : textOf('--owner', owner, 160),
      };
      const now = clock.now();
      await database.transaction(async (tx) => {
        await insertWorkspace(tx, workspace, now);
        await openAccount(tx, workspace.id, plan, now);
      });
      return { workspace_id: workspace.id, name: workspace.name, owner_name: workspace.ownerName, plan };
    },
  },
  {
    name: 'workspace list',
    means: 'Lists workspaces with plan and minutes.',
    operands: [],
    options: {},
    run: ({ database }) => listWorkspaces(database, LIST_LIMIT),
  },
  {
    name: 'workspace owner',
    means: 'Sets the profile name that recipients of new calls hear.',
    operands: ['WORKSPACE'],
    options: { name: name('the new profile name', true) },
    async run({ database }, words) {
      const id = uuidOf('WORKSPACE', words.operands[0]);
      const owner = textOf('--name', words.option('name'), 160);
      found(await setOwnerName(database, id, owner), 'workspace', id);
      return { workspace_id: id, owner_name: owner };
    },
  },
  {
    name: 'project create',
    means: 'Makes a project; it needs an assistant before it can call.',
    operands: ['WORKSPACE'],
    options: { name: name('name of the project', true) },
    async run({ database, clock, chance }, words) {
      const workspaceId = uuidOf('WORKSPACE', words.operands[0]);
      const made = { id: chance.uuid(), workspaceId, name: textOf('--name', words.option('name'), 160) };
      const workspaces = await listWorkspaces(database, LIST_LIMIT);
      found(
        workspaces.some((each) => each.id === workspaceId),
        'workspace',
        workspaceId,
      );
      await insertProject(database, made, clock.now());
      return { project_id: made.id, workspace_id: workspaceId, name: made.name };
    },
  },
  {
    name: 'project list',
    means: 'Lists projects with their assistants.',
    operands: [],
    options: { workspace: { means: 'only those of this workspace', value: 'ID' } },
    run: ({ database }, words) => {
      const workspace = words.option('workspace');
      return listProjects(database, workspace === undefined ? null : uuidOf('--workspace', workspace), LIST_LIMIT);
    },
  },
  ...(['activate', 'deactivate'] as const).map((verb): Command => ({
    name: `project ${verb}`,
    means:
      verb === 'activate'
        ? 'Lets a project call again.'
        : 'Stops a project: new calls are refused with agent_project_inactive.',
    operands: ['PROJECT'],
    options: {},
    async run({ database }, words) {
      const id = uuidOf('PROJECT', words.operands[0]);
      found(await setProjectActive(database, id, verb === 'activate'), 'project', id);
      return { project_id: id, is_active: verb === 'activate' };
    },
  })),
  {
    name: 'assistant set',
    means:
      'Sets up the assistant of a project; what is not named stays. Without a name it is incomplete and cannot call.',
    operands: ['PROJECT'],
    options: {
      name: name('its name, or - for none', false),
      'opening-line': { means: 'first sentence after the disclosure, or - for the built-in one', value: 'TEXT' },
      language: { means: 'BCP 47 tag, default en', value: 'TAG' },
      active: { means: 'on or off', value: 'SWITCH' },
    },
    async run({ database }, words) {
      const id = uuidOf('PROJECT', words.operands[0]);
      const projects = await listProjects(database, null, LIST_LIMIT);
      found(
        projects.some((each) => each.id === id),
        'project',
        id,
      );
      const assistant = await upsertAssistant(database, id, assistantChange(words.option));
      return { ...assistant };
    },
  },
  {
    name: 'key create',
    means: 'Makes an API key and prints it; it is shown this once.',
    operands: ['PROJECT'],
    options: {
      name: name('what the key is for', true),
      expires: { means: 'a moment, or never (default)', value: 'MOMENT' },
    },
    async run({ database, clock, chance }, words) {
      const projectId = uuidOf('PROJECT', words.operands[0]);
      const keyName = textOf('--name', words.option('name'), 80);
      const expiresAt = momentOf('--expires', words.option('expires') ?? 'never');
      const projects = await listProjects(database, null, LIST_LIMIT);
      found(
        projects.some((each) => each.id === projectId),
        'project',
        projectId,
      );
      const { key, digest } = createApiKey(chance);
      const id = chance.uuid();
      await insertKey(database, { id, projectId, name: keyName, digest, expiresAt }, clock.now());
      return { api_key: key, key_id: id, project_id: projectId, name: keyName, expires_at: expiresAt };
    },
  },
  {
    name: 'key list',
    means: 'Lists keys, never the keys themselves.',
    operands: [],
    options: { project },
    run: ({ database }, words) => {
      const id = words.option('project');
      return listKeys(database, id === undefined ? null : uuidOf('--project', id), LIST_LIMIT);
    },
  },
  {
    name: 'key revoke',
    means: 'Revokes a key at once and for good.',
    operands: ['KEY_ID'],
    options: {},
    async run({ database, clock }, words) {
      const id = uuidOf('KEY_ID', words.operands[0]);
      found(await revokeKey(database, id, clock.now()), 'key', id);
      return { key_id: id, is_revoked: true };
    },
  },
  {
    name: 'key expire',
    means: 'Sets when a key expires; a moment in the past ends it at once.',
    operands: ['KEY_ID'],
    options: { at: { means: 'a moment, or never', value: 'MOMENT', isRequired: true } },
    async run({ database }, words) {
      const id = uuidOf('KEY_ID', words.operands[0]);
      const expiresAt = momentOf('--at', words.option('at') ?? '');
      found(await expireKey(database, id, expiresAt), 'key', id);
      return { key_id: id, expires_at: expiresAt };
    },
  },
  ...(['on', 'off'] as const).map((word): Command => ({
    name: `live-calls ${word}`,
    means:
      word === 'on'
        ? 'Lets calls be placed.'
        : 'Refuses every new call with live_calls_disabled and places none that waits.',
    operands: [],
    options: {},
    async run({ database, clock }) {
      await setSwitch(database, 'live_calls', word === 'on', clock.now());
      return { live_calls: word };
    },
  })),
  {
    name: 'live-calls show',
    means: 'Tells whether calls are placed.',
    operands: [],
    options: {},
    run: async ({ database }) => ({ live_calls: (await readSwitch(database, 'live_calls')) ? 'on' : 'off' }),
  },
];

function assistantChange(option: (name: string) => string | undefined): AssistantChange {
  const [assistantName, line, language, active] = [
    option('name'),
    option('opening-line'),
    option('language'),
    option('active'),
  ];
  return {
    ...(assistantName === undefined
      ? {}
      : { name: assistantName === '-' ? null : textOf('--name', assistantName, 80) }),
    ...(line === undefined ? {} : { openingLine: line === '-' ? null : textOf('--opening-line', line, 500) }),
    ...(language === undefined ? {} : { language: textOf('--language', language, 35) }),
    ...(active === undefined ? {} : { isActive: choiceOf('--active', active, ['on', 'off']) === 'on' }),
  };
}

/** @throws {UsageError} when there is no such thing */
export function found(isFound: boolean, what: string, id: string): void {
  if (!isFound) throw new UsageError(`there is no ${what} ${id}`);
}
