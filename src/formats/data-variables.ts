/** The numeric variables of data, flattened: what is observed, and what groups the observations. */
import type { DataVariable } from '../posterior/predictive/pairing.ts';

/** Scalars and rectangular arrays of numbers, the last index running fastest; everything else is left out. */
export function dataVariables(values: Readonly<Record<string, unknown>>): DataVariable[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const dims: number[] = [];
    let level: readonly unknown[] = [value];
    while (level.length > 0 && level.every((entry) => Array.isArray(entry))) {
      const size = level[0].length;
      if (level.some((entry) => entry.length !== size)) return [];
      dims.push(size);
      level = level.flat();
    }
    const isNumeric = level.length > 0 && level.every((entry) => typeof entry === 'number');
    return isNumeric ? [{ name, dims, values: Float64Array.from(level as number[]) }] : [];
  });
}
