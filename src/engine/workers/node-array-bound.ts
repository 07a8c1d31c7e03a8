/** Bounds the typed arrays that a program holds in this thread: the limits of a worker thread bound its heap only. */
import { MemoryBudgetError } from '../../math/autodiff/tape.ts';
import { watchContainers } from '../../math/library/machinery/memory.ts';

/** Threads count apart. Arrays given up and not yet collected count too: hence the tape's share once more. */
export function boundArrays(arrayBytes: number): void {
  const most = 2 * arrayBytes;
  watchContainers((bytesToCome) => {
    if (process.memoryUsage().arrayBuffers + bytesToCome <= most) return;
    const mebibytes = Math.round(most / 2 ** 20);
    throw new MemoryBudgetError(`the program holds more than ${mebibytes} MiB in its variables`);
  });
}
