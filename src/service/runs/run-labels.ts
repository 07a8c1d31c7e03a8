/** The labels that data provide for the variables of a program, as an experiment stores them. */
import type { WireLabels } from '../../contract/experiment.ts';
import type { DimensionNames } from '../../language/dimensions.ts';
import type { DataLabels } from '../content/data-labels.ts';

/** Null: no variable of the program has a dimension with labels. */
export function labelsOfRun(
  dimensions: ReadonlyMap<string, readonly DimensionNames[]>,
  data: DataLabels,
): WireLabels | null {
  const coords: Record<string, string[]> = {};
  const dims: Record<string, string[]> = {};
  for (const [variable, axes] of dimensions) {
    const names = axes.map((axis) => axis.find((name) => Object.hasOwn(data, name)) ?? '');
    if (names.every((name) => name === '')) continue;
    dims[variable] = names;
    for (const name of names) if (name !== '') coords[name] = [...(data[name] ?? [])];
  }
  return Object.keys(dims).length === 0 ? null : { coords, dims };
}
