/**
 * Threads that have run a chain and wait for another one. Starting a thread and running code that V8 has not compiled
 * yet take longer than a complete chain of a small model, and the sampler is the same code for every model.
 */
import type { Worker } from 'node:worker_threads';

/**
 * Milliseconds in which only the run's own chains may take a thread: within that time a service has stored the end of a
 * chain and found the next one.
 */
export const headStartMs = 500;
/** Milliseconds that a thread waits: long only if few are waiting and it uses little memory. */
const longPatienceMs = 3_600_000;
const shortPatienceMs = 3000;
/** Threads that wait for long. */
export const keptThreads = 4;
const littleBytes = 64 * 2 ** 20;

export interface ThreadNeeds {
  /** The run: its chains share program, data, seed and limits. */
  readonly run: string;
  /** What was fixed when the thread started: its code and its limits. */
  readonly kind: string;
}

interface Idle extends ThreadNeeds {
  readonly worker: Worker;
  readonly since: number;
  readonly forget: () => void;
}

/** The longest waiting first. */
let idle: readonly Idle[] = [];

/** To be called when the thread has no listeners left. `bytes`: memory it uses, including the last chain's model. */
export function keepThread({ run, kind }: ThreadNeeds, worker: Worker, bytes: number): void {
  const forget = () => {
    clearTimeout(timer);
    worker.off('error', forget).off('exit', forget);
    idle = idle.filter((one) => one.worker !== worker);
  };
  const end = () => {
    forget();
    void worker.terminate();
  };
  const isCheap = idle.length < keptThreads && bytes <= littleBytes;
  const timer = setTimeout(end, isCheap ? longPatienceMs : shortPatienceMs).unref();
  // a waiting thread neither keeps a process from exiting nor takes it down
  worker.on('error', forget).on('exit', forget).unref();
  idle = [...idle, { run, kind, worker, since: performance.now(), forget }];
}

const isFree = ({ since }: Idle) => performance.now() - since >= headStartMs;

/** A waiting thread, and whether it ran a chain of the same run; null if there is none. */
export function takeThread(needs: ThreadNeeds): { worker: Worker; isOfRun: boolean } | null {
  const fitting = idle.filter(({ kind }) => kind === needs.kind);
  const own = fitting.find(({ run }) => run === needs.run);
  const found = own ?? fitting.findLast(isFree);
  if (found === undefined) return null;
  found.forget();
  found.worker.ref();
  return { worker: found.worker, isOfRun: found === own };
}

export function countIdleThreads(): number {
  return idle.length;
}

export async function endThreads(): Promise<void> {
  const waiting = idle;
  for (const { forget } of waiting) forget();
  await Promise.all(waiting.map(({ worker }) => worker.terminate()));
}
