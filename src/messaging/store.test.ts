// Messages on a real database.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/database.ts';
import { systemChance } from '../platform/clock.ts';
import { listMessages, MAX_LISTED_MESSAGES, recordMessage } from './store.ts';
import type { Message } from './store.ts';

const message = (to: string, second: number, channel: Message['channel'] = 'sms'): Message => ({
  id: systemChance.uuid(),
  channel,
  to,
  body: `Your code is ${100_000 + second}.`,
  sent_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
});

test('Messages are listed oldest first, for one recipient or for all, each once', async () => {
  await using store = await createTestDatabase();
  const { database } = store;
  const messages = [message('+15550100123', 1), message('ada@example.com', 2, 'email'), message('+15550100123', 3)];
  for (const each of [...messages].reverse()) await recordMessage(database, each);
  for (const each of messages) await recordMessage(database, { ...each, body: 'again' });
  assert.deepEqual(await listMessages(database, null), messages);
  assert.deepEqual(await listMessages(database, '+15550100123'), [messages[0], messages[2]]);
  assert.deepEqual(await listMessages(database, 'nobody@example.com'), []);
});

test('Of more messages than the bound the latest are listed', async () => {
  await using store = await createTestDatabase();
  const { database } = store;
  await database.transaction(async (tx) => {
    for (let second = 0; second < MAX_LISTED_MESSAGES + 5; second += 1)
      await recordMessage(tx, message('a@b.c', second));
  });
  const listed = await listMessages(database, null);
  assert.equal(listed.length, MAX_LISTED_MESSAGES);
  assert.equal(listed[0]?.body, 'Your code is 100005.');
});
