#!/usr/bin/env node
// errand [all | gateway | control-plane | worker | migrate | admin ...]: parses the configuration, builds the role, runs it until
// it is told to stop. The only file besides config.ts that sees the environment, and it only hands it on.
import assert from 'node:assert/strict';
import { enableCompileCache } from 'node:module';
import { ConfigError, parseConfig } from './config.ts';
import { systemChance, systemClock } from './platform/clock.ts';
import { messageOf } from './platform/errors.ts';
import { createLogger } from './platform/log.ts';
import { StartError } from './roles/role.ts';
import type { Running, Surroundings } from './roles/role.ts';

enableCompileCache();

const USAGE = `errand [role]

  all            everything in one process (default)
  gateway        the public HTTP door; asks a control plane
  control-plane  admission and reads, behind internal HTTP
  worker         places calls and works out results
  migrate        brings the database to this version and ends
  admin          operator's commands: errand admin --help

Settings come from the environment; .env.example lists them.
`;

/** Ctrl+C comes twice, from the terminal and from npm, which passes it on. */
const SAME_PRESS_MS = 500;

const SERVICES: Readonly<Record<string, (surroundings: Surroundings) => Promise<Running>>> = {
  all: async (surroundings) => (await import('./roles/all.ts')).runAll(surroundings),
  gateway: async (surroundings) => (await import('./roles/gateway.ts')).runGateway(surroundings),
  'control-plane': async (surroundings) => (await import('./roles/control-plane.ts')).runControlPlane(surroundings),
  worker: async (surroundings) => (await import('./roles/worker.ts')).runWorker(surroundings),
};

async function main(args: readonly string[]): Promise<number> {
  const [role = 'all', ...rest] = args;
  const usage = usageFor(role, rest);
  if (usage !== null) {
    if (usage.mistake === null) process.stdout.write(USAGE);
    else process.stderr.write(`errand: ${usage.mistake}\n\n${USAGE}`);
    return usage.mistake === null ? 0 : 2;
  }
  const stopping = Promise.withResolvers<number>();
  const config = parseConfig(process.env);
  const surroundings: Surroundings = {
    config,
    log: createLogger(config.logLevel),
    clock: systemClock,
    chance: systemChance,
    fail: (because) => {
      process.stderr.write(`errand: ${because}\n`);
      stopping.resolve(1);
    },
  };
  if (role === 'admin') {
    const { runAdminRole } = await import('./roles/admin.ts');
    const outcome = await runAdminRole(rest, surroundings);
    process.stdout.write(outcome.stdout);
    process.stderr.write(outcome.stderr);
    return outcome.exitCode;
  }
  if (role === 'migrate') {
    const { runMigrate } = await import('./roles/migrate.ts');
    await runMigrate(surroundings);
    process.stdout.write('errand: the database is up to date\n');
    return 0;
  }
  const service = SERVICES[role];
  assert(service !== undefined, 'every other role is a service');
  // A signal that comes while the parts are being built stops them as soon as they are.
  let toldAtMs: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const nowMs = systemClock.monotonicMs();
      toldAtMs ??= nowMs;
      if (nowMs - toldAtMs > SAME_PRESS_MS) process.exit(130); // a second one is meant
      stopping.resolve(0);
    });
  }
  await using parts = new AsyncDisposableStack();
  const running = await service(surroundings);
  parts.use(running.parts);
  for (const line of running.announcement) process.stdout.write(`${line}\n`);
  return await stopping.promise;
}

/** Whether usage is to be printed instead of a start, and because of which mistake. The words of `admin` are its own matter. */
function usageFor(role: string, rest: readonly string[]): { readonly mistake: string | null } | null {
  const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h' || word === 'help';
  if (isHelp(role)) return { mistake: null };
  if (role === 'admin') return null;
  if (role !== 'migrate' && !Object.hasOwn(SERVICES, role)) return { mistake: `there is no role "${role}"` };
  if (isHelp(rest[0])) return { mistake: null };
  return rest.length === 0 ? null : { mistake: `errand ${role} takes no further word; "${rest.join(' ')}" was given` };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(isExpected ? `errand: ${error.message}\n` : `errand: ${describe(error)}\n`);
  process.exitCode = 1;
}

/** A failed start in words, with its causes; the stack only where it is a bug of ours. */
function describe(error: unknown): string {
  const lines = [messageOf(error)];
  for (let cause = error instanceof Error ? error.cause : undefined; cause !== undefined && lines.length < 5;) {
    lines.push(`because ${messageOf(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const isBug = error instanceof TypeError || error instanceof ReferenceError;
  return isBug && error.stack !== undefined ? error.stack : lines.join('\n  ');
}
