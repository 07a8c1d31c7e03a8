/** Bounds the typed arrays of a program in this thread: the limits of a worker thread only bound its heap. */
import { MemoryBudgetError } from '../../math/autodiff/tape.ts';
import { watchContainers } from '../../math/library/machinery/memory.ts';

/** Each thread counts separately. Arrays released but not yet collected also count, hence the factor of two. */
export function boundArrays(arrayBytes: number): void {
  const most = 2 * arrayBytes;
  watchContainers((bytesToCome) => {
    if (process.memoryUsage().arrayBuffers + bytesToCome <= most) return;
    const mebibytes = Math.round(most / 2 ** 20);
    throw new MemoryBudgetError(`the program holds more than ${mebibytes} MiB in its variables`);
  });
}
