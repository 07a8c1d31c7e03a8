/** Makes the model of a chain task from Stan source. */
import { MemoryBudgetError } from '../../math/autodiff/tape.ts';
import { watchContainers } from '../../math/library/containers-memory.ts';
import { compileModel } from '../compile-model.ts';
import { openStream } from '../random-streams.ts';
import type { ModelMaker } from './chain-loop.ts';

export const makeStanModel: ModelMaker = (task, { limits, print, tick }) => {
  const { source, files = {}, data, settings } = task;
  watchContainers((bytes) => boundArrays(bytes, limits.arrayBytes));
  const made = compileModel({
    source,
    files: new Map(Object.entries(files)),
    data,
    // transformed data is the same in all chains
    rng: openStream(settings.seed, 0, 'transformed-data'),
    print,
    limits: { tapeBytes: limits.arrayBytes, checkTime: tick },
  });
  if (made.ok) return made;
  const { message, diagnostics } = made;
  const details = { diagnostics, files: made.files };
  return { ok: false, error: { code: 'program-invalid', message, details } };
};

/** Arrays of this thread, those no longer in use but not yet collected included: hence the tape's share twice. */
function boundArrays(bytesToCome: number, arrayBytes: number): void {
  if (process.memoryUsage().arrayBuffers + bytesToCome <= 2 * arrayBytes) return;
  throw new MemoryBudgetError(
    `the variables of this program need more than ${Math.round(arrayBytes / 2 ** 20)} MiB`,
  );
}
