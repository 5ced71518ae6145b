// A small pool of schema threads, started when first needed. A job that overruns its deadline costs its thread its life, and
// the next job gets a new one; the main thread never waits for a compiler.
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../platform/clock.ts';
import { Fault } from '../../platform/errors.ts';
import type { SchemaAnswer, SchemaJob } from './messages.ts';

const POOL_SIZE = 2;
/** Jobs that wait for a thread; more are refused at once. */
const QUEUE_LIMIT = 500;
const MEMORY_LIMIT_MB = 192;

interface Waiting {
  readonly job: SchemaJob;
  readonly settle: (answer: SchemaAnswer | 'overran' | Fault) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Waiting | null;
  deadline: Timer | null;
}

export class WorkerPool implements AsyncDisposable {
  private readonly clock: Clock;
  private readonly deadlineMs: number;
  private readonly threads = new Set<Thread>();
  private readonly queue: Waiting[] = [];
  private isClosed = false;

  /** @param deadlineMs how long one job may run */
  constructor(clock: Clock, deadlineMs: number) {
    this.clock = clock;
    this.deadlineMs = deadlineMs;
  }

  /** @returns the answer, or `overran` when the job took longer than the deadline. @throws {Fault} when the queue is full */
  run(job: SchemaJob): Promise<SchemaAnswer | 'overran'> {
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (answer) => (answer instanceof Fault ? reject(answer) : resolve(answer));
      if (this.isClosed || this.queue.length >= QUEUE_LIMIT) {
        settle(new Fault('too many result schemas wait to be checked', { blame: 'us', retry: 'safe' }));
        return;
      }
      this.queue.push({ job, settle });
      this.assign();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
    const closed = new Fault('the service is stopping', { blame: 'us', retry: 'safe' });
    for (const waiting of this.queue.splice(0)) waiting.settle(closed);
    await Promise.all([...this.threads].map((thread) => this.end(thread, closed)));
  }

  private assign(): void {
    while (this.queue.length > 0) {
      const idle = [...this.threads].find((thread) => thread.current === null) ?? this.startThread();
      if (idle === null) return;
      const waiting = this.queue.shift();
      if (waiting === undefined) return;
      idle.current = waiting;
      idle.worker.ref();
      idle.deadline = this.clock.after(this.deadlineMs, () => void this.end(idle, 'overran').then(() => this.assign()));
      idle.worker.postMessage(waiting.job);
    }
  }

  private startThread(): Thread | null {
    if (this.threads.size >= POOL_SIZE) return null;
    const worker = new Worker(new URL('schema-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
      stdin: false,
    });
    const thread: Thread = { worker, current: null, deadline: null };
    this.threads.add(thread);
    worker.unref();
    worker.on('message', (answer: SchemaAnswer) => {
      this.finish(thread, answer);
      worker.unref();
      this.assign();
    });
    // Out of memory or a crash: the job is too much, like one that overruns.
    worker.on('error', () => void this.end(thread, 'overran').then(() => this.assign()));
    return thread;
  }

  private finish(thread: Thread, answer: SchemaAnswer | 'overran' | Fault): void {
    const { current } = thread;
    thread.deadline?.cancel();
    thread.deadline = null;
    thread.current = null;
    current?.settle(answer);
  }

  private async end(thread: Thread, answer: 'overran' | Fault): Promise<void> {
    this.threads.delete(thread);
    this.finish(thread, answer);
    await thread.worker.terminate();
  }
}
