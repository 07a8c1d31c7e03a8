/** The block of the program that declares each output column. */
import type { OutputVariable } from '../language/program.ts';

/** One entry per column, in the order of `columnNames`. */
export function columnBlocks(variables: readonly OutputVariable[]): OutputVariable['block'][] {
  return variables.flatMap(({ block, dims }) =>
    Array.from({ length: dims.reduce((n, size) => n * size, 1) }, () => block),
  );
}
