/** Makes the model of a chain task from Stan source. */
import { makeCalibrationModel } from '../calibration/make-calibration-model.ts';
import { compileModel } from '../compile-model.ts';
import { openStream } from '../random-streams.ts';
import type { ModelMaker } from './chain-loop.ts';

export const makeStanModel: ModelMaker = (task, { limits, print, tick, beat, log }) => {
  const { source, files = {}, data, settings, chain } = task;
  const options = {
    source,
    files: new Map(Object.entries(files)),
    data,
    print,
    limits: { tapeBytes: limits.arrayBytes, checkTime: tick },
  };
  const { calibration: choice } = settings;
  const made =
    choice === undefined
      ? // transformed data is the same in all chains
        compileModel({ ...options, rng: openStream(settings.seed, 0, 'transformed-data') })
      : makeCalibrationModel({ options, settings, choice, chain, log, beat });
  if (made.ok) return made;
  const { message, diagnostics } = made;
  const details = { diagnostics, files: made.files };
  return { ok: false, error: { code: 'program-invalid', message, details } };
};
