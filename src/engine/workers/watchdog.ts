/** Ends a chain that does not come back: one iteration, or the entire run, took longer than allowed. */
import type { FailureReason } from '../events.ts';
import { controlSlots, workerStates } from './protocol.ts';

export interface WatchRequest {
  readonly control: Int32Array;
  readonly iterationSeconds: number;
  /** Null: no limit. Time in pauses does not count. */
  readonly runSeconds: number | null;
  readonly onExceeded: (reason: FailureReason, message: string) => void;
}

/** Returns a function that stops watching. */
export function watchChain(request: WatchRequest): () => void {
  const { control, iterationSeconds, runSeconds, onExceeded } = request;
  const shortest = Math.min(iterationSeconds, runSeconds ?? Number.POSITIVE_INFINITY);
  const intervalMs = Math.min(1000, Math.max(10, (shortest * 1000) / 10));
  let last = performance.now();
  let heartbeat = -1;
  let quietMs = 0;
  let runMs = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    // the chain is not to blame if the machine slept or the host was busy
    const elapsed = Math.min(now - last, 2 * intervalMs);
    last = now;
    const state = Atomics.load(control, controlSlots.state);
    if (state === workerStates.waiting || state === workerStates.ended) {
      quietMs = 0;
      return;
    }
    runMs += elapsed;
    const beat = Atomics.load(control, controlSlots.heartbeat);
    quietMs = beat === heartbeat ? quietMs + elapsed : 0;
    heartbeat = beat;
    if (quietMs > iterationSeconds * 1000) {
      const what = state === workerStates.starting ? 'Starting the program' : 'One iteration';
      onExceeded(
        'iteration-timeout',
        `${what} took longer than ${iterationSeconds} seconds (iteration_timeout).`,
      );
    } else if (runSeconds !== null && runMs > runSeconds * 1000) {
      onExceeded('run-timeout', `The chain took longer than ${runSeconds} seconds (timeout).`);
    }
  }, intervalMs);
  return () => clearInterval(timer);
}
