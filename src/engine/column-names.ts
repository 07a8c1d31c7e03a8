/** Flat names of output columns: `theta[1,2]`, 1-based, first index fastest. */
import type { OutputVariable } from '../language/program.ts';

export function columnNames(variables: readonly OutputVariable[]): string[] {
  return variables.flatMap(({ name, dims }) => {
    if (dims.length === 0) return [name];
    const count = dims.reduce((n, size) => n * size, 1);
    return Array.from({ length: count }, (_, k) => `${name}[${indexAt(k, dims).join(',')}]`);
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
