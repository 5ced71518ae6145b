// Result schemas: is one within the bounds, and does a value fit it. Compiling and validating happen off the main thread with
// a deadline; verdicts are remembered by content, so that a schema in daily use costs microseconds.
import { hash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { Fault } from '../../platform/errors.ts';
import { checkBounds } from './bounds.ts';
import type { BoundedSchema } from './bounds.ts';
import type { Checked, Validated } from './compiler.ts';
import { WorkerPool } from './worker-pool.ts';

export type { Checked, Validated } from './compiler.ts';

const VERDICT_LIMIT = 5_000;
/** A schema of ordinary size compiles in milliseconds; the first one waits for its thread to start as well. */
const DEADLINE_MS = 3_000;

export class ResultSchemas implements AsyncDisposable {
  private readonly pool: WorkerPool;
  private readonly verdicts = new Map<string, Promise<Checked>>();

  constructor(clock: Clock, deadlineMs: number = DEADLINE_MS) {
    this.pool = new WorkerPool(clock, deadlineMs);
  }

  /**
   * Whether a schema can be used: 2020-12 or draft-07, within size, depth and number, closed in itself, patterns linear.
   * @returns the first fault with its JSON Pointer in the schema
   * @throws {Fault} when too many schemas wait
   */
  async check(schema: unknown): Promise<Checked> {
    const bounded = checkBounds(schema);
    if (!bounded.ok) return bounded;
    const key = hash('sha256', bounded.text, 'base64');
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = this.compile(bounded);
    this.verdicts.set(key, verdict);
    const [oldest] = this.verdicts.keys();
    if (this.verdicts.size > VERDICT_LIMIT && oldest !== undefined) this.verdicts.delete(oldest);
    verdict.catch(() => this.verdicts.delete(key)); // a full queue says nothing about the schema
    return verdict;
  }

  /**
   * Whether a value fits a schema.
   * @returns at most 20 issues, each with the JSON Pointer of the place in the value
   * @throws {Fault} when the schema is not usable, or validating takes too long
   */
  async validate(schema: unknown, value: unknown): Promise<Validated> {
    const bounded = checkBounds(schema);
    if (!bounded.ok)
      throw new Fault(`result schema is not usable: ${bounded.pointer} ${bounded.wanted}`, {
        blame: 'us',
        retry: 'never',
      });
    const answer = await this.pool.run({ kind: 'validate', text: bounded.text, dialect: bounded.dialect, value });
    if (answer !== 'overran' && answer.kind === 'validated') return answer.validated;
    const because = answer !== 'overran' && answer.kind === 'broken' ? answer.because : 'it took too long';
    throw new Fault(`a value could not be validated: ${because}`, { blame: 'caller', retry: 'never' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pool[Symbol.asyncDispose]();
  }

  private async compile(bounded: BoundedSchema): Promise<Checked> {
    const answer = await this.pool.run({ kind: 'check', text: bounded.text, dialect: bounded.dialect });
    if (answer !== 'overran' && answer.kind === 'checked') return answer.checked;
    return { ok: false, pointer: '', wanted: 'a simpler schema: this one takes too long to compile' };
  }
}
