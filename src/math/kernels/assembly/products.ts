/** Products of matrices. */
import { addColumn, addFourToTwo, addProductsOfFourWithTwo, productOf } from './columns';
import { at, get, set } from './numbers';

/** Columns of the left matrix that are used for all columns of the product while they are in the cache. */
const panelSize = 64;

/**
 * C = A B, or A Bᵀ, at `c`: A is rows × inner, and element (k, j) of the second factor is at k `step` + j `columnStep`.
 */
export function multiply(
  c: usize,
  a: usize,
  b: usize,
  rows: i32,
  inner: i32,
  cols: i32,
  step: i32,
  columnStep: i32,
): void {
  memory.fill(c, 0, (<usize>(rows * cols)) << 3);
  for (let start = 0; start < inner; start += panelSize) {
    const end = min(start + panelSize, inner);
    const whole = start + ((end - start) & ~3);
    for (let j = 0; j < cols; j += 2) {
      const first = at(c, j * rows);
      const second = at(first, rows);
      const f = at(b, j * columnStep);
      const g = at(f, columnStep);
      const isPair = j + 1 < cols;
      let k = start;
      if (isPair) {
        for (; k < whole; k += 4) {
          const p = at(a, k * rows);
          addFourToTwo(first, second, 0, rows, p, rows, at(f, k * step), at(g, k * step), step, 1);
        }
      }
      for (; k < end; k++) {
        addColumn(first, 0, rows, at(a, k * rows), get(f, k * step));
        if (isPair) addColumn(second, 0, rows, at(a, k * rows), get(g, k * step));
      }
    }
  }
}

/** C = Aᵀ B at `c`, with `inner` rows in A and B. */
export function multiplyTransposed(
  c: usize,
  a: usize,
  b: usize,
  rows: i32,
  inner: i32,
  cols: i32,
): void {
  memory.fill(c, 0, (<usize>(rows * cols)) << 3);
  for (let j = 0; j < cols; j += 2) pairOfColumns(c, a, b, rows, inner, cols, j, false);
}

/** Aᵀ A at `c` of a lower triangle of n rows, with zeros above its diagonal. */
export function squareOfLower(c: usize, a: usize, n: i32): void {
  memory.fill(c, 0, (<usize>(n * n)) << 3);
  for (let j = 0; j < n; j += 2) pairOfColumns(c, a, a, n, n, n, j, true);
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) set(c, j + i * n, get(c, i + j * n));
  }
}

/** Columns j and j + 1 of Aᵀ B, which are zeros so far; of triangles, from the diagonal on. */
function pairOfColumns(
  c: usize,
  a: usize,
  b: usize,
  rows: i32,
  inner: i32,
  cols: i32,
  j: i32,
  isTriangle: bool,
): void {
  const first = at(c, j * rows);
  const second = at(first, rows);
  const x = at(b, j * inner);
  const y = at(x, inner);
  const isPair = j + 1 < cols;
  let i = isTriangle ? j : 0;
  if (isPair) {
    for (; i + 3 < rows; i += 4) {
      const from = isTriangle ? i : 0;
      const p = at(a, i * inner);
      addProductsOfFourWithTwo(at(first, i), at(second, i), from, inner, p, inner, x, y, 1);
    }
  }
  for (; i < rows; i++) {
    const from = isTriangle ? i : 0;
    const p = at(a, i * inner);
    set(first, i, productOf(p, x, from, inner));
    if (isPair) set(second, i, productOf(p, y, from, inner));
  }
}
