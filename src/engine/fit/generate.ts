/**
 * Standalone generated quantities: each draw of a finished run is read back, and the program computes its quantities
 * there. Parameters stay exactly as they were read.
 */
import { ChainEnd } from '../chain-end.ts';
import type { SourceDraws } from '../chain-state.ts';
import type { Model } from '../model.ts';
import type { Approximation, Fit, FitRequest } from './fit.ts';
import { createPointReader, isOwnColumn } from './source-points.ts';

/** Columns that describe the draws of a run, not its program: they are copied. */
export function ownColumnsOf({ columns }: SourceDraws): readonly string[] {
  return columns.filter(isOwnColumn);
}

// A generator like the other fits, although nothing happens before the draws.
// oxlint-disable-next-line require-yield
export function* readDraws({ model, settings }: FitRequest): Fit {
  const { source } = settings;
  if (source === undefined)
    throw new ChainEnd('program-invalid', 'There is no finished run to read draws from.');
  return approximationOf(model, source);
}

function approximationOf(model: Model, source: SourceDraws): Approximation {
  const { columns, count, values } = source;
  const places = new Map(columns.map((name, c) => [name, c]));
  const own = ownColumnsOf(source).map((name) => places.get(name) ?? 0);
  const points = createPointReader(model, source);
  return {
    draw(index, _rng, q, statistics) {
      own.forEach((c, k) => {
        statistics[k] = values[c * count + index];
      });
      points.read(index, q);
    },
    overwrite(output) {
      output.set(points.row);
    },
  };
}
