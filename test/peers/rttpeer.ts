// A phone with real-time text of another make (liblinphone): compiled from rtt/rttpeer.c where a compiler and the library are.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';
import { freePort, freePortRange } from './free-ports.ts';
import { Program, workFolder } from './program.ts';
import { isUdpPortTaken } from './udp-port.ts';

export interface TextPeer extends AsyncDisposable {
  readonly port: number;
  /** What it has read so far. */
  readonly read: () => string;
  /** Everything it printed. */
  readonly output: () => string;
}

export interface TextPeerOptions {
  /** Types this, a character every 60 ms, one second after the media runs, and ends the line. */
  readonly types: string;
  /** Calls this URI; without it the phone answers. */
  readonly dials?: string;
}

/** @param compiler path of a C compiler */
export async function startTextPeer(compiler: string, options: TextPeerOptions): Promise<TextPeer> {
  const folder = await workFolder();
  const program = join(folder.path, 'rttpeer');
  const source = join(import.meta.dirname, 'rtt', 'rttpeer.c');
  await promisify(execFile)(compiler, [source, '-o', program, '-llinphone', '-lbctoolbox']);
  const port = await freePort();
  const media = await freePortRange(8);
  const dial = options.dials === undefined ? [] : ['--dial', options.dials];
  const ports = [port, media, media + 4].map(String);
  const args = [...ports, join(folder.path, 'files'), '--text', options.types, '--seconds', '40', ...dial];
  const peer = new Program(program, args, folder.path);
  await until('the text phone is up', () => isUdpPortTaken(port));
  return {
    port,
    read: () => readFrom(peer.output),
    output: () => peer.output,
    async [Symbol.asyncDispose]() {
      await peer[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** It prints a line for each character: `received U+0041 A`. */
function readFrom(output: string): string {
  return [...output.matchAll(/^received U\+([0-9A-F]{4,6})/gm)]
    .map((match) => String.fromCodePoint(Number.parseInt(match[1] ?? '', 16)))
    .join('');
}
