// What every role is given, and what it gives back: parts to be closed in the reverse order of their making.
import type { Config } from '../config.ts';
import type { Chance, Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Ends the process in order, with exit status 1, when the role cannot go on. */
  readonly fail: (because: string) => void;
}

/** Something that is wrong with how the service was started; told in one sentence, exit status 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** A role that runs until its parts are disposed. */
export interface Running {
  readonly parts: AsyncDisposable;
  /** Lines for standard output, the last of them once everything can be used. */
  readonly announcement: readonly string[];
}

/** Builds a role; what was built before a failure is closed again. */
export async function building(build: (stack: AsyncDisposableStack) => Promise<readonly string[]>): Promise<Running> {
  const stack = new AsyncDisposableStack();
  try {
    const announcement = await build(stack);
    return { parts: stack, announcement };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/**
 * Waits for a server to listen.
 * @param setting the one that names the port
 * @throws {StartError} when the port is taken; whatever else went wrong as it is
 */
export async function listening<T>(setting: 'PORT' | 'CONTROL_PLANE_PORT', work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') throw error;
    const { address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }; // as Node's listen fails
    throw new StartError(`${address}:${port} is taken; stop what listens there, or set ${setting}`);
  }
}
