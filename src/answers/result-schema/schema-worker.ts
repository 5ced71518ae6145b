// The thread that compiles and validates: one job at a time, one answer a job.
import { parentPort } from 'node:worker_threads';
import { SchemaCompiler } from './compiler.ts';
import type { SchemaAnswer, SchemaJob } from './messages.ts';

const compiler = new SchemaCompiler();

function answer(job: SchemaJob): SchemaAnswer {
  try {
    return job.kind === 'check'
      ? { kind: 'checked', checked: compiler.check(job.text, job.dialect) }
      : { kind: 'validated', validated: compiler.validate(job.text, job.dialect, job.value) };
  } catch (error) {
    return { kind: 'broken', because: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (job: SchemaJob) => parentPort?.postMessage(answer(job)));
