/** Makes the model of a chain task from Stan source. */
import { compileModel } from '../compile-model.ts';
import { openStream } from '../random-streams.ts';
import type { ModelMaker } from './chain-loop.ts';

export const makeStanModel: ModelMaker = (task, { limits, print, tick }) => {
  const { source, files = {}, data, settings } = task;
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
