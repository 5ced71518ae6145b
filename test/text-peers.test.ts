// Real-time text against another maker's stack: our line calls it, and it calls a phone of our exchange.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openExchange } from '../src/line/exchange/exchange.ts';
import { systemChance, systemClock } from '../src/platform/clock.ts';
import { createLogger } from '../src/platform/log.ts';
import { startTextPeer } from './peers/rttpeer.ts';
import { requirePeer } from './support/peers.ts';
import { openSipCaller } from './support/sip-caller.ts';
import { until } from './support/until.ts';

test('liblinphone, called: what each types the other reads, to the letter', async (t) => {
  const compiler = requirePeer(t, 'cc');
  if (compiler === undefined || requirePeer(t, 'liblinphone') === undefined) return;
  await using peer = await startTextPeer(compiler, { types: 'Hi there, who is it?' });
  await using caller = await openSipCaller(peer.port);
  const call = caller.dial();
  const { media } = await call.told('answered');
  assert.equal(media.hasText, true);
  const heard = () => call.events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
  await until('its line is read', () => heard().endsWith('\u2028'), 20_000);
  assert.equal(heard(), 'Hi there, who is it?\u2028');
  const line = 'Grüße 你好: a line that takes more than one packet at thirty characters a second.\u2028';
  await call.leg.sendText(line);
  await until('our line is read', () => peer.read().endsWith('\u2028'));
  assert.equal(peer.read(), line);
  assert.equal(await call.leg.hangUp(), 'confirmed');
  await until('it knows that the call is over', () => /^state \S*End/m.test(peer.output()));
});

test('liblinphone, calling: a phone of the exchange reads it and answers', async (t) => {
  const compiler = requirePeer(t, 'cc');
  if (compiler === undefined || requirePeer(t, 'liblinphone') === undefined) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-text-peer-'));
  t.after(() => rm(folder, { recursive: true }));
  await using exchange = await openExchange({
    host: '127.0.0.1',
    port: 0,
    journal: path.join(folder, 'exchange.jsonl'),
    clock: systemClock,
    chance: systemChance,
    log: createLogger('warn'),
  });
  const number = '+15550142077';
  exchange.program(number, { replies: [{ hears: 'open', says: 'Yes, until five.' }] });
  const uri = exchange.trunkUri.replace('sip:', `sip:${number}@`);
  await using peer = await startTextPeer(compiler, { types: 'Are you open?', dials: uri });
  await until('the answer is read', () => peer.read().endsWith('\u2028'), 20_000);
  assert.equal(peer.read(), 'Yes, until five.\u2028');
  const [call] = exchange.phone(number).calls;
  assert.deepEqual([call?.invites, call?.heard, call?.said], [1, ['Are you open?'], ['Yes, until five.']]);
});
