import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { envExample } from '../test/support/env-example.ts';
import { ConfigError, parseConfig, SETTINGS } from './config.ts';
import type { Environment } from './config.ts';

function faultsOf(environment: Environment): readonly string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    for (const fault of error.faults) assert.ok(error.message.includes(fault));
    return error.faults;
  }
  return [];
}

test('.env.example is what config.ts says (else run: npm run settings)', () => {
  assert.equal(readFileSync(new URL('../.env.example', import.meta.url), 'utf8'), envExample());
});

test('every setting is read: none is described that nothing looks at, and none is looked at that is not described', () => {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    // So that what depends on another setting is asked for too.
    {
      LLM_PROVIDER: 'openai-compatible',
      LLM_MODEL: 'm',
      LLM_BASE_URL: 'http://127.0.0.1:1',
      SIP_TRUNK_URI: 'sip:trunk.example',
    },
    {
      get: (target, name) => {
        asked.add(String(name));
        return Reflect.get(target, name) as string | undefined; // only strings are in it
      },
    },
  );
  parseConfig(environment);
  assert.deepEqual([...asked].sort(), Object.keys(SETTINGS).sort());
});

test('with nothing set the service is in local mode, on loopback, with an embedded database', () => {
  const config = parseConfig({});
  assert.equal(config.isLocalMode, true);
  assert.deepEqual(config.http, { host: '127.0.0.1', port: 8080, publicUrl: null });
  assert.equal(config.dataDir, '.errand');
  assert.equal(config.databaseUrl, null);
  assert.equal(config.masterKey, null);
  assert.equal(config.languageModel, null);
  assert.equal(config.dispatch.queueLimitMs, 900_000);
  assert.deepEqual(
    config.plans.map((plan) => [plan.name, plan.maxCallSeconds, plan.includedMinutes, plan.isMetered]),
    [
      ['free', 180, 10, true],
      ['prepaid', 180, 0, true],
      ['pro', 600, 0, true],
      ['operator', 3600, 0, false],
    ],
  );
});

test('an empty variable is an unset one', () => {
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));
  assert.deepEqual(parseConfig(empty), parseConfig({}));
});

/** What is set, and the setting that the one fault names; null: none. */
const TABLE: readonly (readonly [environment: Environment, named: string | null])[] = [
  [{ PORT: '0' }, null],
  [{ PORT: '65535' }, null],
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '-1' }, 'PORT'],
  [{ PORT: '80a' }, 'PORT'],
  [{ PORT: '8e1' }, 'PORT'],
  [{ PORT: ' 80' }, 'PORT'],
  [{ ERRAND_PUBLIC_URL: 'https://errand.example/' }, null],
  [{ ERRAND_PUBLIC_URL: 'errand.example' }, 'ERRAND_PUBLIC_URL'],
  [{ ERRAND_PUBLIC_URL: 'javascript:alert(1)' }, 'ERRAND_PUBLIC_URL'],
  [{ DATABASE_URL: 'postgresql://errand@db.example/errand' }, null],
  [{ DATABASE_URL: 'mysql://db.example/errand' }, 'DATABASE_URL'],
  [{ ERRAND_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }, null],
  [{ ERRAND_MASTER_KEY: Buffer.alloc(31, 7).toString('base64') }, 'ERRAND_MASTER_KEY'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ CONTROL_PLANE_TOKEN: 'x'.repeat(32) }, null],
  [{ CONTROL_PLANE_TOKEN: 'x'.repeat(31) }, 'CONTROL_PLANE_TOKEN'],
  [{ CONTROL_PLANE_TIMEOUT_MS: '99' }, 'CONTROL_PLANE_TIMEOUT_MS'],
  [{ HOST: '127.0.0.53' }, null],
  [{ HOST: '::1' }, null],
  [{ HOST: '0.0.0.0' }, 'HOST'],
  [{ HOST: '127.0.0.1.example.com' }, 'HOST'],
  [{ HOST: '0.0.0.0', SIP_TRUNK_URI: 'sip:trunk.example:5060' }, null],
  [{ SIP_TRUNK_URI: 'trunk.example' }, 'SIP_TRUNK_URI'],
  [{ SIP_TRUNK_URI: 'sip:user@trunk.example' }, 'SIP_TRUNK_URI'],
  [{ SIP_TRUNK_URI: 'sips:trunk.example' }, 'SIP_TRUNK_URI'],
  [{ SIP_TRUNK_URI: 'sip:trunk.example;transport=tcp' }, 'SIP_TRUNK_URI'],
  [{ SIP_TRUNK_URI: 'sip:[::1]:5060' }, 'SIP_TRUNK_URI'],
  [{ SIP_TRUNK_URI: 'sip:trunk.example;lr;transport=UDP' }, null],
  [{ SIP_CALLER_NUMBER: '+15550100100' }, null],
  [{ SIP_CALLER_NUMBER: '5550100' }, 'SIP_CALLER_NUMBER'],
  [{ RTP_PORTS: '30000-30003' }, null],
  [{ RTP_PORTS: '30000-30002' }, 'RTP_PORTS'],
  [{ RTP_PORTS: '1000-30000' }, 'RTP_PORTS'],
  [{ RTP_PORTS: '30000-70000' }, 'RTP_PORTS'],
  [{ RTP_PORTS: '30000' }, 'RTP_PORTS'],
  [{ LLM_PROVIDER: 'anthropic', LLM_MODEL: 'm' }, null],
  [{ LLM_PROVIDER: 'anthropic' }, 'LLM_MODEL'],
  [{ LLM_PROVIDER: 'openai-compatible', LLM_MODEL: 'm' }, 'LLM_BASE_URL'],
  [{ LLM_PROVIDER: 'somebody', LLM_MODEL: 'm' }, 'LLM_PROVIDER'],
  [{ FREE_MAX_SECONDS: '29' }, 'FREE_MAX_SECONDS'],
  [{ FREE_MAX_SECONDS: '3601' }, 'FREE_MAX_SECONDS'],
  [{ WORKER_CAPACITY: '0' }, 'WORKER_CAPACITY'],
];

test('a value out of bounds is a fault that names its setting', () => {
  for (const [environment, named] of TABLE) {
    const faults = faultsOf(environment);
    const shown = `${JSON.stringify(environment)}: ${faults.join(' | ')}`;
    if (named === null) assert.equal(faults.length, 0, shown);
    else assert.ok(faults.length === 1 && faults[0]?.startsWith(`${named} `), shown);
  }
});

test('all faults are reported at once', () => {
  const faults = faultsOf({ PORT: 'x', LOG_LEVEL: 'loud', RTP_PORTS: 'y', DATABASE_URL: 'z', WORKER_CAPACITY: '-1' });
  assert.deepEqual(faults.map((fault) => fault.split(' ')[0] ?? '').sort(), [
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'RTP_PORTS',
    'WORKER_CAPACITY',
  ]);
});

test('no fault repeats a value, so that a secret in the wrong place does not get into a log', () => {
  const planted = 'planted-secret-0123';
  for (const name of Object.keys(SETTINGS)) {
    for (const fault of faultsOf({ [name]: planted, LLM_PROVIDER: name === 'LLM_PROVIDER' ? planted : '' })) {
      assert.ok(!fault.includes(planted), fault);
    }
  }
});
