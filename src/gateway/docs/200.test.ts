import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, startGateway } from '../../../test/support/gateway.ts';

const ASSETS = ['/docs', '/docs/viewer.js', '/docs/viewer.css', '/docs/start.js'];

test('the page and all it loads come from here, under a policy that lets it talk to nobody else', async () => {
  await using door = await startGateway();
  for (const path of ASSETS) {
    const answer = await ask(door.port, { path });
    assert.equal(answer.status, 200, path);
    const policy = String(answer.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  }
  const page = (await ask(door.port, { path: '/docs' })).text;
  const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
  assert.ok(
    loaded.every((url) => url.startsWith('/') || url === 'data:,'),
    loaded.join(' '),
  );
  for (const url of loaded.filter((each) => each.startsWith('/docs'))) assert.ok(ASSETS.includes(url), url);
});

test('the viewer is sent packed to who takes gzip, plain to who does not', async () => {
  await using door = await startGateway();
  const size = async (accept: Record<string, string>): Promise<readonly [unknown, number]> => {
    const response = await fetch(`${door.url}/docs/viewer.js`, { headers: accept });
    const bytes = await response.arrayBuffer();
    return [response.headers.get('content-encoding'), bytes.byteLength];
  };
  const packed = await size({ 'accept-encoding': 'br, gzip;q=0.8' });
  const plain = await size({ 'accept-encoding': 'identity' });
  const refused = await size({ 'accept-encoding': 'gzip;q=0' });
  assert.equal(packed[0], 'gzip');
  assert.deepEqual([plain[0], refused[0]], [null, null]);
  assert.deepEqual([packed[1], refused[1]], [plain[1], plain[1]]); // fetch unpacks
});

test('nothing can be tried out from the page: every create rings a real phone', async () => {
  await using door = await startGateway();
  assert.match((await ask(door.port, { path: '/docs/start.js' })).text, /supportedSubmitMethods: \[\]/);
});
