/** The Cholesky factor of a matrix. */
import { addColumn, addFourToTwo } from './columns';
import { at, get, set } from './numbers';

/** Columns whose share is taken from everything to their right at once, while they are in the cache. */
const panelSize = 64;

/**
 * The lower triangle of the n × n matrix at `l` becomes that of its factor; 0 if the matrix is not positive definite.
 * Golub & Van Loan, Matrix Computations, algorithms 4.2.1 (inside a panel) and 4.2.3. Nothing above the diagonal changes.
 */
export function factor(l: usize, n: i32): i32 {
  for (let start = 0; start < n; start += panelSize) {
    const end = min(start + panelSize, n);
    for (let j = start; j < end; j += 2) {
      subtractColumns(l, n, j, start, j);
      if (!scalePair(l, n, j)) return 0;
    }
    for (let j = end; j < n; j += 2) subtractColumns(l, n, j, start, end);
  }
  return 1;
}

/** Columns j and j + 1 less their shares of columns `from` to `to − 1`, an even number of them. */
function subtractColumns(l: usize, n: i32, j: i32, from: i32, to: i32): void {
  const first = at(l, j * n);
  const isPair = j + 1 < n;
  const second = at(first, n);
  let k = from;
  if (isPair) {
    for (; k + 3 < to; k += 4) {
      const p = at(l, k * n);
      const f = at(p, j);
      set(first, j, get(first, j) - squaresOfFour(f, n));
      addFourToTwo(first, second, j + 1, n, p, n, f, at(f, 1), n, -1);
    }
  }
  for (; k < to; k++) {
    const p = at(l, k * n);
    addColumn(first, j, n, p, -get(p, j));
    if (isPair) addColumn(second, j + 1, n, p, -get(p, j + 1));
  }
}

function squaresOfFour(f: usize, step: i32): f64 {
  const f0 = get(f, 0);
  const f1 = get(f, step);
  const f2 = get(f, 2 * step);
  const f3 = get(f, 3 * step);
  return f0 * f0 + f1 * f1 + (f2 * f2 + f3 * f3);
}

function scalePair(l: usize, n: i32, j: i32): bool {
  const first = at(l, j * n);
  if (!scaleColumn(first, j, n)) return false;
  if (j + 1 === n) return true;
  const second = at(first, n);
  addColumn(second, j + 1, n, first, -get(first, j + 1));
  return scaleColumn(second, j + 1, n);
}

function scaleColumn(column: usize, j: i32, n: i32): bool {
  const d = get(column, j);
  if (!(d > 0 && d < Infinity)) return false;
  const root = Math.sqrt(d);
  const inverse = 1 / root;
  set(column, j, root);
  for (let i = j + 1; i < n; i++) set(column, i, get(column, i) * inverse);
  return true;
}
