// `npm run demo` as a newcomer runs it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

const DEMO = path.join(import.meta.dirname, '..', 'demo', 'demo.ts');

async function runDemo(
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [DEMO], {
    env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

test('the demo shows states, both sides and the record, and exits 0', async () => {
  const { code, output } = await runDemo({});
  assert.equal(code, 0, output);
  for (const wanted of [/ready at http/, /call +ringing/, /call +in_progress/, /call +completed/])
    assert.match(output, wanted);
  assert.match(output, /assistant +Hello, this is an automated assistant/);
  assert.match(output, /phone +Yes, we do take new patients/);
  const record = JSON.parse(/^\{[\s\S]*^\}/m.exec(output)?.[0] ?? '') as { result: Record<string, unknown> };
  assert.deepEqual(record.result, {
    takes_new_patients: true,
    insurance: 'accepted in part',
    earliest_time: '09:30',
    note: 'Please bring a photo ID and be there ten minutes early.',
  });
  assert.ok(!output.includes('\u001B['), 'no colours where standard output is no terminal');
});

test('the demo leaves nothing behind, and settings of the surroundings do not lead it to a real phone', async () => {
  const temporary = path.join(tmpdir(), `demo-test-${process.pid}`);
  const { mkdir, rm } = await import('node:fs/promises');
  await mkdir(temporary);
  const { code, output } = await runDemo({
    TMPDIR: temporary,
    SIP_TRUNK_URI: 'sip:carrier.example',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
  });
  assert.equal(code, 0, output);
  const left = (await readdir(temporary)).filter((name) => name.startsWith('errand'));
  assert.deepEqual(left, []);
  await rm(temporary, { recursive: true, force: true });
});
