/** A thread that does nothing, for tests of how threads are kept and stopped. */
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

class IdleWorker extends EventEmitter {
  isTerminated = false;
  /** Whether it keeps the process alive. */
  isHeld = true;

  terminate(): Promise<number> {
    this.isTerminated = true;
    return Promise.resolve(0);
  }

  ref(): void {
    this.isHeld = true;
  }

  unref(): void {
    this.isHeld = false;
  }
}

export function idleWorker(): Worker & IdleWorker {
  return new IdleWorker() as unknown as Worker & IdleWorker;
}
