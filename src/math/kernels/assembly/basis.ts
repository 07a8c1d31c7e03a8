/** An orthonormal basis of the space that columns span. */
import { addColumn, productOf } from './columns';
import { at, get, set } from './numbers';

/**
 * Gram–Schmidt, applied twice, to the `cols` columns of n numbers at `v`, in order and in place: the basis takes the first
 * places. A column of which hardly anything is left is dropped. Returns how many remain.
 */
export function orthonormalise(v: usize, n: i32, cols: i32): i32 {
  let kept = 0;
  for (let j = 0; j < cols; j++) {
    const column = at(v, j * n);
    const before = Math.sqrt(productOf(column, column, 0, n));
    for (let pass = 0; pass < 2; pass++) {
      for (let k = 0; k < kept; k++) {
        const other = at(v, k * n);
        addColumn(column, 0, n, other, -productOf(column, other, 0, n));
      }
    }
    const left = Math.sqrt(productOf(column, column, 0, n));
    if (!(left > 1e-8 * before)) continue;
    const target = at(v, kept * n);
    for (let i = 0; i < n; i++) set(target, i, get(column, i) / left);
    kept++;
  }
  return kept;
}
