// The reference page in a real browser: it shows every operation, asks nobody but this server, and breaks none of its own rules.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { OPERATIONS } from '../src/contract/operations.ts';
import { startGateway } from './support/gateway.ts';
import { requirePeer } from './support/peers.ts';

test('the page shows every operation and makes no request elsewhere', async (t) => {
  const executablePath = requirePeer(t, 'chromium');
  if (executablePath === undefined) return;
  await using door = await startGateway();
  await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${door.url}/docs`);
  await page
    .locator('.opblock')
    .nth(OPERATIONS.length - 1)
    .waitFor();
  const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map((block) => block.textContent));
  assert.equal(shown.length, OPERATIONS.length);
  for (const { path, summary } of OPERATIONS) {
    assert.ok(
      shown.some((text) => text.replaceAll('\u200b', '').includes(path) && text.includes(summary)),
      path,
    );
  }
  await page.locator('.opblock-post .opblock-summary-control').first().click();
  await page.locator('.opblock-body').first().waitFor();
  assert.equal(await page.locator('.try-out').count(), 0);
  assert.deepEqual(complaints, []);
  for (const url of requested) assert.ok(url.startsWith(door.url) || url.startsWith('data:'), url);
});
