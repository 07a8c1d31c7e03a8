/** Makes the models of chain tasks from Stan source. */
import { makeCalibrationModel } from '../calibration/make-calibration-model.ts';
import { compileModel } from '../compile-model.ts';
import type { Model } from '../model.ts';
import { openStream } from '../random-streams.ts';
import type { ModelHooks, ModelMaker } from './chain-loop.ts';

/** A model, the lines printed while it was made, and the hooks of the chain that uses it now. */
interface Kept {
  readonly model: Model;
  readonly printed: readonly string[];
  readonly current: { hooks: ModelHooks };
}

/** Maximum number of lines that are printed again for the next chain. */
const mostPrinted = 200;

/** The next chain of the same run reuses the model, since code that V8 has optimised belongs to it. */
export function createStanModelMaker(): ModelMaker {
  let kept: Kept | null = null;
  return (task, hooks, again) => {
    if (again && kept !== null) {
      kept.current.hooks = hooks;
      for (const text of kept.printed) hooks.print(text);
      return { ok: true, model: kept.model };
    }
    kept = null;
    const { limits, beat, log } = hooks;
    const current = { hooks };
    const printed: string[] = [];
    let isMaking = true;
    const { source, files = {}, data, settings, chain } = task;
    const options = {
      source,
      files: new Map(Object.entries(files)),
      data,
      print: (text: string) => {
        if (isMaking && printed.length < mostPrinted) printed.push(text);
        current.hooks.print(text);
      },
      limits: { tapeBytes: limits.arrayBytes, checkTime: () => current.hooks.tick() },
    };
    const { calibration: choice } = settings;
    const made =
      choice === undefined
        ? // transformed data is the same in all chains
          compileModel({ ...options, rng: openStream(settings.seed, 0, 'transformed-data') })
        : makeCalibrationModel({ options, settings, choice, chain, log, beat });
    isMaking = false;
    if (made.ok) {
      // each chain of a calibration has separate data
      if (choice === undefined) kept = { model: made.model, printed, current };
      return made;
    }
    const { message, diagnostics } = made;
    const details = { diagnostics, files: made.files };
    return { ok: false, error: { code: 'program-invalid', message, details } };
  };
}
