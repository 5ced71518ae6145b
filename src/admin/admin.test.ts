import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import type { TestDatabase } from '../../test/support/database.ts';
import { authenticate } from '../account/keys.ts';
import { Dispatch } from '../dispatch/advance.ts';
import { auditLedger, upsertPlans } from '../ledger/store.ts';
import { systemChance, systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/log.ts';
import { runAdmin } from './admin.ts';

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
  await upsertPlans(db.database, [
    { name: 'free', maxCallSeconds: 180, includedMinutes: 10, isMetered: true },
    { name: 'prepaid', maxCallSeconds: 180, includedMinutes: 0, isMetered: true },
    { name: 'pro', maxCallSeconds: 600, includedMinutes: 0, isMetered: true },
    { name: 'operator', maxCallSeconds: 3600, includedMinutes: 0, isMetered: false },
  ]);
});
after(() => db[Symbol.asyncDispose]());

function admin(...args: string[]) {
  const { database } = db;
  const settings = { leaseMs: 1_000, recovery: { lookups: 3, withinMs: 1_000 } };
  const dispatch = new Dispatch({ database, settings, log: createLogger('silent') });
  const tools = {
    database,
    clock: systemClock,
    chance: systemChance,
    dispatch,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return runAdmin(args, async () => tools);
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const outcome = await admin(...args, '--json');
  assert.equal(outcome.exitCode, 0, outcome.stderr);
  return JSON.parse(outcome.stdout) as Record<string, unknown>;
}

async function workspaceOf(plan: string): Promise<string> {
  return String((await json('workspace', 'create', '--name', 'Lab', '--plan', plan))['workspace_id']);
}

test('an operator makes a workspace, a project, an assistant and a key that authenticates', async () => {
  const workspace = await workspaceOf('operator');
  const project = String((await json('project', 'create', workspace, '--name', 'Errands'))['project_id']);
  const assistant = await json('assistant', 'set', project, '--name', 'Errand', '--opening-line', 'It is short.');
  assert.deepEqual(
    [assistant['name'], assistant['opening_line'], assistant['is_active']],
    ['Errand', 'It is short.', true],
  );
  const key = String((await json('key', 'create', project, '--name', 'bot'))['api_key']);
  assert.equal((await authenticate(db.database, key, new Date())).projectId, project);
});

test('what an assistant command does not name stays', async () => {
  const workspace = await workspaceOf('free');
  const project = String((await json('project', 'create', workspace, '--name', 'P'))['project_id']);
  await json('assistant', 'set', project, '--name', 'One', '--language', 'fr');
  const off = await json('assistant', 'set', project, '--active', 'off');
  assert.deepEqual([off['name'], off['language'], off['is_active']], ['One', 'fr', false]);
  assert.equal((await json('assistant', 'set', project, '--name=-'))['name'], null);
});

test('a key is revoked and expired at once', async () => {
  const workspace = await workspaceOf('free');
  const project = String((await json('project', 'create', workspace, '--name', 'P'))['project_id']);
  const made = await json('key', 'create', project, '--name', 'bot');
  await json('key', 'expire', String(made['key_id']), '--at', '2020-01-01');
  await assert.rejects(authenticate(db.database, String(made['api_key']), new Date()), /api_key_expired/);
  await json('key', 'revoke', String(made['key_id']));
  await assert.rejects(authenticate(db.database, String(made['api_key']), new Date()), /api_key_revoked/);
});

test('minutes are added, taken back, and the books stay right', async () => {
  const workspace = await workspaceOf('prepaid');
  await json('credit', 'add', workspace, '--minutes', '30', '--note', 'paid by invoice 7');
  assert.equal((await json('credit', 'add', workspace, '--minutes=-10', '--note', 'refund'))['prepaid_minutes'], 20);
  const tooMuch = await admin('credit', 'add', workspace, '--minutes=-21', '--note', 'refund');
  assert.equal(tooMuch.exitCode, 1, 'the words were right');
  assert.match(tooMuch.stderr, /^errand admin: .*only 20 prepaid minutes are left.*\n$/);
  assert.equal((await json('plan', 'set', workspace, 'free'))['included_minutes'], 10);
  assert.deepEqual(await auditLedger(db.database), { sum: 0, unbalanced: 0, held_without_hold: 0 });
});

test('the live-calls switch is turned and shown', async () => {
  assert.deepEqual(await json('live-calls', 'off'), { live_calls: 'off' });
  assert.deepEqual(await json('live-calls', 'show'), { live_calls: 'off' });
  assert.deepEqual(await json('live-calls', 'on'), { live_calls: 'on' });
});

test('a list is a table for people and an array with --json', async () => {
  await workspaceOf('pro');
  const table = await admin('workspace', 'list');
  assert.match(table.stdout, /^id +name +owner_name +plan/);
  assert.ok(Array.isArray(await json('workspace', 'list')));
});

test('no listing shows a key or its digest', async () => {
  const workspace = await workspaceOf('free');
  const project = String((await json('project', 'create', workspace, '--name', 'P'))['project_id']);
  await json('key', 'create', project, '--name', 'bot');
  const { stdout } = await admin('key', 'list', '--json');
  assert.doesNotMatch(stdout, /erk_|digest/);
});

const NOBODY = '01900000-0000-7000-8000-000000000000';
const WRONG: readonly (readonly [string[], RegExp])[] = [
  [['workspace', 'destroy'], /no command "workspace destroy"/],
  [['workspace', 'create'], /needs --name/],
  [['workspace', 'create', '--name', ''], /1 to 160/],
  [['workspace', 'create', '--name', 'x', '--plan', 'gold'], /free, prepaid, pro, operator/],
  [['workspace', 'create', '--name', 'x', '--colour', 'red'], /colour/],
  [['project', 'create', 'abc', '--name', 'x'], /UUID/],
  [['project', 'create', NOBODY, '--name', 'x'], /no workspace/],
  [['project', 'deactivate', NOBODY], /no project/],
  [['assistant', 'set', NOBODY, '--name', 'x'], /no project/],
  [['key', 'create', NOBODY, '--name', 'x'], /no project/],
  [['key', 'revoke', NOBODY], /no key/],
  [['key', 'expire', NOBODY, '--at', 'soon'], /must be a moment/],
  [['key', 'expire', NOBODY, '--at', '2027-02-30T12:00:00Z'], /must be a moment/],
  [['credit', 'add', NOBODY, '--minutes', '1', '--note', 'x'], /no workspace/],
  [['credit', 'add', NOBODY, '--minutes', '0', '--note', 'x'], /must not be 0/],
  [['plan', 'set', NOBODY, 'free'], /no workspace/],
  [['calls', 'events', NOBODY], /no call/],
  [['calls', 'resolve', NOBODY, '--outcome', 'failed', '--reason', 'x'], /no call/],
  [['calls', 'resolve', NOBODY, '--outcome', 'redial', '--reason', 'x'], /completed, failed/],
];
for (const [args, message] of WRONG) {
  test(`wrong words are named, exit 2: ${args.join(' ')}`, async () => {
    const outcome = await admin(...args);
    assert.equal(outcome.exitCode, 2);
    assert.match(outcome.stderr, message);
    assert.equal(outcome.stdout, '');
  });
}

test('every command has help that needs no database', async () => {
  const overview = await runAdmin(['--help'], () => assert.fail('opened a database'));
  const names = [...overview.stdout.matchAll(/^ {2}([a-z-]+ [a-z-]+)/gm)].map((match) => match[1] ?? '');
  assert.ok(names.length >= 18, `${names.length} commands`);
  for (const name of names) {
    const help = await runAdmin([...name.split(' '), '--help'], () => assert.fail('opened a database'));
    assert.equal(help.exitCode, 0);
    assert.match(help.stdout, new RegExp(`^errand admin ${name}`));
    assert.match(help.stdout, /--json/);
  }
});
