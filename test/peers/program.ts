// A peer's process: started in a work folder of its own, its output kept for the message of a failed test, ended at the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Enough to see why a peer failed.
const MAX_OUTPUT_CHARACTERS = 200_000;

export class Program implements AsyncDisposable {
  /** The exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';

  constructor(command: string, args: readonly string[], cwd: string) {
    this.#child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (status) => resolve(status));
    });
    // Who never asks how it ended must not be hurt by a program that could not start: `until` fails instead.
    this.ended.catch(() => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARACTERS);
      });
    }
  }

  get output(): string {
    return this.#output;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Detached, it leads a group: what it forked ends with it.
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
    await this.ended.catch(() => undefined);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

/** A folder that is gone with the test. */
export async function workFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'errand-peer-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
