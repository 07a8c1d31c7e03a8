/**
 * Threads that read what would block the event loop: large bodies, data, settings. They start when they are needed
 * and end after some time without work.
 */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ErrorCode } from '../../contract/errors.ts';
import { builtServerFile } from '../built-file.ts';
import { limitExceeded, ServiceError, unavailable } from '../http/service-error.ts';
import type {
  ReadingAnswer,
  ReadingRequest,
  ReadingTask,
  TaskInput,
  TaskOutput,
} from './reading-work.ts';

export interface ReadingThreads {
  /** `transfer`: buffers of the input that the caller gives up. Throws the task's errors. */
  run<N extends ReadingTask>(
    name: N,
    input: TaskInput<N>,
    transfer?: readonly ArrayBuffer[],
  ): Promise<TaskOutput<N>>;
  close(): Promise<void>;
}

const MOST_THREADS = 2;
/** Several times what the largest body with the maximum number of values needs. */
const HEAP_MB = 1024;
const DEADLINE_MS = 60_000;
/** Tasks that should be short have less time. */
const deadlines: Partial<Record<ReadingTask, number>> = { checkProgram: 20_000, settings: 20_000 };
/** How the error for a task that took too long names it. */
const subjects: Partial<Record<ReadingTask, string>> = {
  checkProgram: 'Checking the program',
  settings: 'Reading the settings',
  packageSettings: 'Reading the settings',
  runData: 'Reading the data',
  dataFormat: 'Reading the data',
};
const IDLE_MS = 10_000;
/** Bytes that may wait for a thread. */
const WAITING_BYTES = 256 * 2 ** 20;

interface Job {
  readonly request: ReadingRequest;
  readonly transfer: readonly ArrayBuffer[];
  readonly bytes: number;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | null;
  timer: NodeJS.Timeout | undefined;
}

export interface ReadingThreadsOptions {
  readonly threads?: number;
  readonly deadlineMs?: number;
  readonly heapMb?: number;
}

export function createReadingThreads({
  threads: most = Math.min(MOST_THREADS, availableParallelism()),
  deadlineMs = DEADLINE_MS,
  heapMb = HEAP_MB,
}: ReadingThreadsOptions = {}): ReadingThreads {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let waitingBytes = 0;
  let isClosed = false;

  const start = (): Thread => {
    const worker = new Worker(pathToFileURL(builtServerFile('node-reading-worker.js')), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      env: {},
      // a library's message about a user's text must not reach the log
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const thread: Thread = { worker, job: null, timer: undefined };
    worker.on('message', (answer: ReadingAnswer) => {
      const { job } = thread;
      thread.job = null;
      if (job !== null) settle(job, answer);
      next(thread);
    });
    worker.on('error', (error) => drop(thread, errorOf(error, heapMb)));
    worker.on('exit', () => drop(thread, new Error('A reading thread ended.')));
    threads.add(thread);
    return thread;
  };
  const drop = (thread: Thread, error: Error) => {
    threads.delete(thread);
    clearTimeout(thread.timer);
    thread.job?.reject(error);
    thread.job = null;
    void thread.worker.terminate();
    if (waiting.length > 0 && !isClosed && threads.size < most) next(start());
  };
  const next = (thread: Thread) => {
    clearTimeout(thread.timer);
    const job = waiting.shift();
    if (job === undefined) {
      thread.timer = setTimeout(() => drop(thread, new Error('idle')), IDLE_MS).unref();
      thread.worker.unref();
      return;
    }
    waitingBytes -= job.bytes;
    thread.job = job;
    thread.worker.ref();
    const ms = deadlineOf(job.request.name, deadlineMs);
    thread.timer = setTimeout(() => drop(thread, tookTooLong(job.request.name, ms)), ms);
    thread.worker.postMessage(job.request, [...job.transfer]);
  };

  return {
    run(name, input, transfer = []) {
      const bytes = transfer.reduce((sum, buffer) => sum + buffer.byteLength, 0);
      if (isClosed) return Promise.reject(new Error('The reading threads have ended.'));
      if (waitingBytes > 0 && waitingBytes + bytes > WAITING_BYTES)
        return Promise.reject(unavailable('Too many large requests at once; try again.', 5));
      return new Promise((resolve, reject) => {
        const request = { name, input };
        waiting.push({ request, transfer, bytes, resolve: resolve as Job['resolve'], reject });
        waitingBytes += bytes;
        const idle = [...threads].find((thread) => thread.job === null);
        if (idle !== undefined) next(idle);
        else if (threads.size < most) next(start());
      });
    },
    async close() {
      isClosed = true;
      const ended = [...threads].map(({ worker }) => worker.terminate());
      for (const job of waiting.splice(0)) job.reject(new Error('The service is stopping.'));
      await Promise.all(ended);
    },
  };
}

function settle(job: Job, answer: ReadingAnswer): void {
  if ('output' in answer) job.resolve(answer.output);
  else if ('fault' in answer) job.reject(new Error(answer.fault));
  else {
    const { code, message, details } = answer.refusal;
    const options = details === undefined ? {} : { details: details as Record<string, unknown> };
    job.reject(new ServiceError(code as ErrorCode, message, options));
  }
}

const deadlineOf = (name: ReadingTask, most: number) => Math.min(most, deadlines[name] ?? most);

const tookTooLong = (name: ReadingTask, ms: number) =>
  limitExceeded(
    `${subjects[name] ?? 'Reading this'} took longer than ${Math.round(ms / 1000)} s, so it was stopped; make it smaller.`,
  );

function errorOf(error: unknown, heapMb: number): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error as Error;
  const message = `Reading this takes more than ${heapMb} MB of memory; send less at once.`;
  return limitExceeded(message);
}
