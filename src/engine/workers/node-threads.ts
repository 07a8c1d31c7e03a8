/**
 * Threads that have run a chain and wait for another one of the same run. Starting a thread and running code that V8 has
 * not compiled yet take longer than a whole chain of a small model.
 */
import type { Worker } from 'node:worker_threads';

/** Milliseconds that a thread waits: a service has stored the end of a chain and found the next one by then. */
const patienceMs = 3000;

interface Idle {
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
  readonly forget: () => void;
}

const idle = new Map<string, Idle[]>();

/** To be called when nobody listens to the thread any more. */
export function keepThread(run: string, worker: Worker): void {
  const drop = () => {
    const others = (idle.get(run) ?? []).filter((one) => one.worker !== worker);
    if (others.length > 0) idle.set(run, others);
    else idle.delete(run);
  };
  const forget = () => {
    clearTimeout(timer);
    worker.off('error', drop).off('exit', drop);
    drop();
  };
  const timer = setTimeout(() => {
    forget();
    void worker.terminate();
  }, patienceMs).unref();
  // a thread that waits keeps no process from ending, nor takes it down
  worker.on('error', drop).on('exit', drop).unref();
  idle.set(run, [...(idle.get(run) ?? []), { worker, timer, forget }]);
}

/** A thread that has run a chain of this run; null when none waits. */
export function takeThread(run: string): Worker | null {
  const found = idle.get(run)?.[0];
  if (found === undefined) return null;
  found.forget();
  found.worker.ref();
  return found.worker;
}

export function countIdleThreads(): number {
  return [...idle.values()].flat().length;
}

/** No chain of the run will follow; without a name, of any run. */
export async function endThreads(run?: string): Promise<void> {
  const waiting = run === undefined ? [...idle.values()].flat() : (idle.get(run) ?? []);
  for (const { forget } of waiting) forget();
  await Promise.all(waiting.map(({ worker }) => worker.terminate()));
}
