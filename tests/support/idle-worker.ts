/** A thread that does nothing, for tests of what keeps and ends threads. */
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';

class IdleWorker extends EventEmitter {
  isTerminated = false;
  /** Whether it keeps the process from ending. */
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
