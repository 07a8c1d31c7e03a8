/** Systems of equations with a lower triangle, whose numbers above the diagonal are not read. */
import { addColumn, addFourToTwo, addProductsOfFourWithTwo, productOf } from './columns';
import { at, get, set } from './numbers';
import { squareOfLower } from './products';

/** X ← L⁻¹ X for `cols` columns of n rows. */
export function solveLower(l: usize, x: usize, n: i32, cols: i32): void {
  for (let j = 0; j < cols; j += 2) {
    const first = at(x, j * n);
    if (j + 1 < cols) solvePair(l, n, first, at(first, n), 0);
    else solveColumn(l, n, first, 0, n);
  }
}

/** Two columns at once, whose first `from` elements are zeros. */
function solvePair(l: usize, n: i32, first: usize, second: usize, from: i32): void {
  for (let k = from; k < n; k += 4) {
    const end = min(k + 4, n);
    solveColumn(l, n, first, k, end);
    solveColumn(l, n, second, k, end);
    if (end === n) return;
    addFourToTwo(first, second, end, n, at(l, k * n), n, at(first, k), at(second, k), 1, -1);
  }
}

/** Rows `from` to `to − 1` of a column. */
function solveColumn(l: usize, n: i32, column: usize, from: i32, to: i32): void {
  for (let k = from; k < to; k++) {
    const p = at(l, k * n);
    const f = get(column, k) / get(p, k);
    set(column, k, f);
    addColumn(column, k + 1, to, p, -f);
  }
}

/** X ← L⁻ᵀ X for `cols` columns of n rows. */
export function solveLowerTransposed(l: usize, x: usize, n: i32, cols: i32): void {
  for (let j = 0; j < cols; j += 2) {
    const first = at(x, j * n);
    if (j + 1 === cols) {
      solveColumnTransposed(l, n, first, 0, n);
      return;
    }
    const second = at(first, n);
    for (let end = n; end > 0; end -= 4) {
      const k = max(0, end - 4);
      if (end < n) subtractBelow(l, n, first, second, k, end);
      solveColumnTransposed(l, n, first, k, end);
      solveColumnTransposed(l, n, second, k, end);
    }
  }
}

/** Rows k to `end − 1` of two columns less the products of the columns of L with what is known below. */
function subtractBelow(l: usize, n: i32, first: usize, second: usize, k: i32, end: i32): void {
  if (end - k === 4) {
    const p = at(l, k * n);
    addProductsOfFourWithTwo(at(first, k), at(second, k), end, n, p, n, first, second, -1);
    return;
  }
  for (let i = k; i < end; i++) {
    const p = at(l, i * n);
    set(first, i, get(first, i) - productOf(p, first, end, n));
    set(second, i, get(second, i) - productOf(p, second, end, n));
  }
}

/** Rows `from` to `to − 1` of a column. */
function solveColumnTransposed(l: usize, n: i32, column: usize, from: i32, to: i32): void {
  for (let k = to - 1; k >= from; k--) {
    const p = at(l, k * n);
    set(column, k, (get(column, k) - productOf(p, column, k + 1, to)) / get(p, k));
  }
}

/** (L Lᵀ)⁻¹ at `out`, symmetric; the n² numbers at `inverse` are overwritten. */
export function inverseOfFactored(l: usize, inverse: usize, out: usize, n: i32): void {
  memory.fill(inverse, 0, (<usize>(n * n)) << 3);
  for (let j = 0; j < n; j++) set(inverse, j * (n + 1), 1);
  for (let j = 0; j < n; j += 2) {
    const first = at(inverse, j * n);
    if (j + 1 < n) solvePair(l, n, first, at(first, n), j);
    else solveColumn(l, n, first, j, n);
  }
  squareOfLower(out, inverse, n);
}
