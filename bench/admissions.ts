// The claim: admissions in groups over HTTP beat the same SQL function called row by row by pgbench, on the same server in the
// same run. Goals: 1.2 times pgbench at 64 connections, 4 times on one hot project, p50 of a lone request 1.5 ms.
import { execFile, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApiKey } from '../src/account/api-key.ts';
import { systemChance, systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/database.ts';
import type { Database } from '../src/platform/database.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';
import { migrate } from '../src/platform/migrate.ts';
import type { LoadFigures, LoadOrder } from './admissions/load-client.ts';

const PROJECTS = 1_000;
const CONNECTIONS = [1, 8, 32, 64] as const;
const HOT_CONNECTIONS = 64;
const SECONDS = 4;
const WARM_SECONDS = 2;
const QUIET_FUNCTION = 'admit_calls_quietly';

const BODY = {
  to: '+14155550123',
  objective: 'Ask the front desk whether they are open on Saturday, and which is the first free appointment next week.',
  context: { caller: 'Ada Lovelace', reason: 'yearly check-up' },
  constraints: ['Do not agree to a price'],
  success_criteria: ['We know whether Saturday is possible'],
  result_schema: {
    type: 'object',
    properties: {
      open_on_saturday: { type: 'boolean', title: 'Open on Saturday' },
      first_appointment: { type: 'string', title: 'First free appointment' },
      note: { type: ['string', 'null'], title: 'Anything else' },
    },
    required: ['open_on_saturday', 'first_appointment'],
  },
  limits: { max_duration_seconds: 120 },
};
const BRIEF = JSON.stringify({ ...BODY, to: undefined, limits: undefined });

interface Round {
  readonly name: string;
  readonly connections: number;
  /** Null where pgbench is not installed. */
  readonly pgbench: RowByRow | null;
  readonly http: LoadFigures;
}

/** Admissions a second, one row at a time. */
interface RowByRow {
  /** The very function, which notifies the workers: once a row here, once a batch in the service. */
  readonly perSecond: number;
  /** A copy of it that notifies nobody: what is left is the writing of rows. The goals are held against this one. */
  readonly quietPerSecond: number;
}

/** About 90 s; everything it makes is in a temporary folder and goes with it. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-bench-'));
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), clock: systemClock });
  cleanUp.defer(() => postgres.stop());
  const { url } = postgres;
  const database = cleanUp.use(
    openDatabase({
      url,
      poolSize: 2,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 5_000,
      onBackgroundError: () => undefined,
    }),
  );
  await migrate(database);
  await makeQuietFunction(database);
  const tokens = await seed(database);
  const server = fork(join(import.meta.dirname, 'admissions', 'server.ts'), [url]);
  cleanUp.defer(() => ended(server));
  const port = await message<number>(server);
  const pgbench = await Pgbench.find(folder, url);
  if (pgbench === null) console.log('pgbench is not installed (Debian: postgresql-contrib), so nothing is compared.');

  const order = { port, tokens, body: JSON.stringify(BODY) };
  await load({ ...order, connections: HOT_CONNECTIONS, seconds: WARM_SECONDS });
  const rounds: Round[] = [];
  for (const connections of CONNECTIONS) {
    rounds.push({
      name: `${PROJECTS} projects`,
      connections,
      pgbench: (await pgbench?.both(connections, PROJECTS)) ?? null,
      http: await load({ ...order, connections, seconds: SECONDS }),
    });
    say(rounds.at(-1));
  }
  rounds.push({
    name: 'one hot project',
    connections: HOT_CONNECTIONS,
    pgbench: (await pgbench?.both(HOT_CONNECTIONS, 1)) ?? null,
    http: await load({ ...order, tokens: tokens.slice(0, 1), connections: HOT_CONNECTIONS, seconds: SECONDS }),
  });
  say(rounds.at(-1));
  console.log(JSON.stringify({ claim: 'admissions', rounds }));
}

function say(round: Round | undefined): void {
  if (round === undefined) return;
  const { http, pgbench } = round;
  const times = (rows: number) => `${(http.perSecond / rows).toFixed(2)} times (${Math.round(rows)}/s)`;
  const ratio =
    pgbench === null
      ? ''
      : `  against pgbench ${times(pgbench.quietPerSecond)}, with its notifications ${times(pgbench.perSecond)}`;
  console.log(
    `${round.name.padEnd(16)} ${String(round.connections).padStart(3)} connections: ${Math.round(http.perSecond)}/s` +
      `  p50 ${http.p50Ms.toFixed(2)} ms  p99 ${http.p99Ms.toFixed(2)} ms${ratio}${http.other > 0 ? `  ${http.other} not admitted` : ''}`,
  );
}

/** The admission function without its NOTIFY, made from the text of the one that is measured. */
async function makeQuietFunction(database: Database): Promise<void> {
  const [row] = await database.query<{ text: string }>(
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = 'admit_calls'`,
  );
  const quiet = (row?.text ?? '').replace('admit_calls', QUIET_FUNCTION).replace('NOTIFY calls_queued;', 'NULL;');
  if (!quiet.includes('NULL;')) throw new Error('the admission function notifies in another way now; mend this bench');
  await database.query(quiet);
}

/** Projects of one prepaid workspace each, with a key for HTTP and one whose digest pgbench can work out. @returns the keys */
async function seed(database: Database): Promise<string[]> {
  const keys = Array.from({ length: PROJECTS }, () => createApiKey(systemChance));
  await database.query(`INSERT INTO plans VALUES ('prepaid', 180, 0, true)`);
  const numbered = `FROM generate_series(1, ${PROJECTS}) AS n`;
  const id = `lpad(to_hex(n), 32, '0')::uuid`;
  await database.query(`INSERT INTO workspaces SELECT ${id}, 'w' || n, 'Ada', now() ${numbered}`);
  await database.query(
    `INSERT INTO minute_accounts SELECT ${id}, 'prepaid', 0, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1000000000, 0 ${numbered}`,
  );
  await database.query(`INSERT INTO projects SELECT ${id}, ${id}, 'p' || n, true, now() ${numbered}`);
  await database.query(`INSERT INTO assistants SELECT ${id}, 'Charles', null, 'en', true ${numbered}`);
  await database.query(
    `INSERT INTO api_keys SELECT gen_random_uuid(), ${id}, 'bench', sha256(int8send(n)), now() ${numbered}`,
  );
  await database.query(
    `INSERT INTO api_keys SELECT gen_random_uuid(), ${id}, 'http', ($1::bytea[])[n], now() ${numbered}`,
    [keys.map(({ digest }) => digest)],
  );
  return keys.map(({ key }) => key);
}

/** Calls the admission function with one row at a time, as many at once as there are connections. */
class Pgbench {
  readonly #program: string;
  readonly #folder: string;
  readonly #url: string;

  constructor(program: string, folder: string, url: string) {
    this.#program = program;
    this.#folder = folder;
    this.#url = url;
  }

  static async find(folder: string, url: string): Promise<Pgbench | null> {
    const [newest] = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().reverse();
    const program = newest ?? (existsSync('/usr/bin/pgbench') ? '/usr/bin/pgbench' : null);
    return program === null ? null : new Pgbench(program, folder, url);
  }

  async both(connections: number, projects: number): Promise<RowByRow> {
    const quietPerSecond = await this.#run(QUIET_FUNCTION, connections, projects);
    return { quietPerSecond, perSecond: await this.#run('admit_calls', connections, projects) };
  }

  /** @returns admissions a second */
  async #run(name: string, connections: number, projects: number): Promise<number> {
    const script = join(this.#folder, 'row.sql');
    const id = `lpad(to_hex(:p::bigint), 32, '0')::uuid`;
    await writeFile(
      script,
      `\\set p random(1, ${projects})
\\set n random(1, 1000000000000000000)
SELECT * FROM ${name}(now(), true, 1000000000, 900000, ARRAY[${id}], ARRAY[sha256(int8send(:p::bigint))], '{1}', '{1}', '{0}',
  ARRAY[sha256(int8send(:n::bigint))], ARRAY[sha256(int8send(:n::bigint))], ARRAY[uuidv7()], ARRAY[uuidv7()], '{${BODY.to}}', '{120}', '{0}', '{0}',
  '{${Buffer.byteLength(BRIEF)}}', '\\x${Buffer.from(BRIEF).toString('hex')}')\n`,
    );
    const { stdout } = await promisify(execFile)(
      this.#program,
      `-n -M prepared -f ${script} -c ${connections} -j 1 -T ${SECONDS}`.split(' ').concat(this.#url),
    );
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1];
    const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    if (failed !== '0' || Number.isNaN(perSecond)) throw new Error(`pgbench did not go through:\n${stdout}`);
    return perSecond;
  }
}

async function load(order: LoadOrder): Promise<LoadFigures> {
  const client = fork(join(import.meta.dirname, 'admissions', 'load-client.ts'));
  client.send(order);
  return message<LoadFigures>(client);
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T)); // our own processes send what their types say
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code} before it answered`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (!child.connected) return Promise.resolve(); // it went by itself, and that was told
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.disconnect();
  });
}
