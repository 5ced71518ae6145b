// SIPp as the far end of one call.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { freePort, freePortRange } from './free-ports.ts';
import { Program, workFolder } from './program.ts';
import { scenarioXml, type ScenarioName } from './sipp-scenarios.ts';
import { isUdpPortTaken } from './udp-port.ts';

export interface SippPeer extends AsyncDisposable {
  readonly port: number;
  /** Resolves when the call went as scripted. @throws {Error} with what SIPp printed when it did not */
  readonly asScripted: () => Promise<void>;
}

const STARTS = 3;
const START_LIMIT_MS = 5_000;

/** Starts SIPp and waits until it listens. It echoes RTP once media flows, and takes one call. */
export async function startSipp(name: ScenarioName): Promise<SippPeer> {
  const said: string[] = [];
  // A port that looked free may be taken by the time that SIPp binds it.
  for (let start = 0; start < STARTS; start += 1) {
    const peer = await tryStart(name, said);
    if (peer !== null) return peer;
  }
  throw new Error(`sipp did not start in ${STARTS} attempts:\n${said.join('\n')}`);
}

async function tryStart(name: ScenarioName, said: string[]): Promise<SippPeer | null> {
  const folder = await workFolder();
  const port = await freePort();
  const control = await freePort();
  const media = await freePortRange(8);
  const file = join(folder.path, `${name}.xml`);
  await writeFile(file, scenarioXml(name));
  const errors = join(folder.path, 'errors');
  const places = ['-i', '127.0.0.1', '-p', `${port}`, '-mi', '127.0.0.1', '-mp', `${media}`, '-cp', `${control}`];
  const ending = ['-m', '1', '-nostdin', '-timeout', '30s', '-timeout_error', '-trace_err', '-error_file', errors];
  const program = new Program('sipp', ['-sf', file, ...places, '-rtp_echo', ...ending], folder.path);
  const listening = until(`sipp listens on ${port}`, () => isUdpPortTaken(port), START_LIMIT_MS).then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([listening, program.ended.then(() => false)]))) {
    await program[Symbol.asyncDispose]();
    said.push(program.output);
    await folder[Symbol.asyncDispose]();
    return null;
  }
  return {
    port,
    async asScripted() {
      const status = await program.ended;
      if (status !== 0)
        throw new Error(`sipp ended with ${status}: the call did not go as scripted\n${program.output}`);
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
