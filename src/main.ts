#!/usr/bin/env node
// errand [all | gateway | control-plane | worker | migrate | admin ...]: parses the configuration, builds the role, runs it until
// it is told to stop. The only file besides config.ts that sees the environment, and it only hands it on.
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

const SERVICES: Readonly<Record<string, (surroundings: Surroundings) => Promise<Running>>> = {
  all: async (surroundings) => (await import('./roles/all.ts')).runAll(surroundings),
  gateway: async (surroundings) => (await import('./roles/gateway.ts')).runGateway(surroundings),
  'control-plane': async (surroundings) => (await import('./roles/control-plane.ts')).runControlPlane(surroundings),
  worker: async (surroundings) => (await import('./roles/worker.ts')).runWorker(surroundings),
};

async function main(args: readonly string[]): Promise<number> {
  const [role = 'all', ...rest] = args;
  if (role === '--help' || role === '-h' || role === 'help') {
    process.stdout.write(USAGE);
    return 0;
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
  const service = Object.hasOwn(SERVICES, role) ? SERVICES[role] : undefined;
  if (service === undefined || rest.length > 0) {
    process.stderr.write(`errand: there is no role "${args.join(' ')}"\n\n${USAGE}`);
    return 2;
  }
  // A signal that comes while the parts are being built stops them as soon as they are.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stopping.resolve(0);
      process.once(signal, () => process.exit(130)); // the second one is meant
    });
  }
  await using parts = new AsyncDisposableStack();
  const running = await service(surroundings);
  parts.use(running.parts);
  for (const line of running.announcement) process.stdout.write(`${line}\n`);
  return await stopping.promise;
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
