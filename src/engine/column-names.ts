/** Flat names of output columns: `theta[1,2]`, 1-based, first index fastest; for tuple members `x:1`, `x[3]:2[1]`. */
import type { OutputVariable } from '../language/program.ts';
import { MemoryBudgetError } from '../math/autodiff/tape.ts';
import { placeName } from '../math/library/program/place-name.ts';

/** The most values a draw may have: each becomes a name here and a row of the summary. */
const maxColumns = 250_000;

export function columnNames(variables: readonly OutputVariable[]): string[] {
  const sizeOf = ({ dims }: OutputVariable) => dims.reduce((n, size) => n * size, 1);
  const total = variables.reduce((sum, variable) => sum + sizeOf(variable), 0);
  if (total > maxColumns) {
    const largest = variables.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
    throw new MemoryBudgetError(
      `a draw of this program has ${total} values, of which \`${largest.name}\` has ${sizeOf(largest)}: at most ${maxColumns} can be stored`,
    );
  }
  return variables.flatMap(({ name, dims, tuple }) => {
    const count = dims.reduce((n, size) => n * size, 1);
    const pattern = tuple?.pattern ?? name;
    return Array.from({ length: count }, (_, k) => placeName(pattern, indexAt(k, dims)));
  });
}

function indexAt(k: number, dims: readonly number[]): number[] {
  let rest = k;
  return dims.map((size) => {
    const i = (rest % size) + 1;
    rest = Math.floor(rest / size);
    return i;
  });
}
