/**
 * Eigenvalues and eigenvectors of symmetric matrices by reduction to tridiagonal form and implicit QL (Golub & Van Loan,
 * Matrix Computations, sections 8.3.1 and 8.3.3). Much faster than the Jacobi rotations of `../eigen.ts`, and less
 * accurate for tiny eigenvalues: for estimates, not for programs.
 */
import { addColumn, productOf } from './columns';
import { at, get, getPair, set, setPair } from './numbers';

/** Iterations for one eigenvalue; two or three are usual. */
const maxIterations = 50;
const epsilon: f64 = 2.220446049250313e-16;

/**
 * The n eigenvalues of the n × n matrix at `s`, in no particular order, at `d`, and their vectors in the columns at `v`; 0
 * if the iteration does not converge. `s` and the 3 n numbers behind the eigenvalues are overwritten.
 */
export function symmetricEigen(s: usize, n: i32, v: usize, d: usize): i32 {
  const e = at(d, n);
  tridiagonalise(s, n, v, e, at(d, 2 * n), at(d, 3 * n));
  for (let i = 0; i < n; i++) set(d, i, get(s, i * (n + 1)));
  for (let low = 0; low < n; low++) {
    for (let iteration = 0; ; iteration++) {
      const high = firstNegligible(d, e, n, low);
      if (high === low) break;
      if (iteration >= maxIterations) return 0;
      stepQl(d, e, v, n, low, high);
    }
  }
  return 1;
}

/** S = V T Vᵀ by one Householder reflection I − β u uᵀ per column; T is the diagonal of S, with `e` below it. */
function tridiagonalise(s: usize, n: i32, v: usize, e: usize, u: usize, w: usize): void {
  memory.fill(v, 0, (<usize>(n * n)) << 3);
  for (let k = 0; k < n; k++) set(v, k * (n + 1), 1);
  for (let k = 0; k < n - 1; k++) {
    const from = k + 1;
    const column = at(s, k * n);
    const norm = Math.sqrt(productOf(column, column, from, n));
    const head = get(column, from);
    if (norm === 0 || from === n - 1) {
      set(e, k, head);
      continue;
    }
    const below = head > 0 ? -norm : norm;
    set(e, k, below);
    for (let i = from; i < n; i++) set(u, i, get(column, i) / norm);
    set(u, from, get(u, from) - below / norm);
    const beta = 1 / Math.abs(get(u, from));
    reflect(s, n, from, beta, u, w);
    reflectFromRight(v, n, from, beta, u, w);
  }
}

/** S becomes H S H in rows and columns from `from` on: S − u wᵀ − w uᵀ. */
function reflect(s: usize, n: i32, from: i32, beta: f64, u: usize, w: usize): void {
  for (let i = from; i < n; i++) set(w, i, 0);
  for (let j = from; j < n; j++) addColumn(w, from, n, at(s, j * n), beta * get(u, j));
  addColumn(w, from, n, u, -0.5 * beta * productOf(u, w, from, n));
  for (let j = from; j < n; j++) {
    const column = at(s, j * n);
    addColumn(column, from, n, u, -get(w, j));
    addColumn(column, from, n, w, -get(u, j));
  }
}

/** V becomes V H. */
function reflectFromRight(v: usize, n: i32, from: i32, beta: f64, u: usize, w: usize): void {
  for (let i = 0; i < n; i++) set(w, i, 0);
  for (let j = from; j < n; j++) addColumn(w, 0, n, at(v, j * n), beta * get(u, j));
  for (let j = from; j < n; j++) addColumn(at(v, j * n), 0, n, w, -get(u, j));
}

/** The end of the block that begins at `low`: the first place after which the matrix decouples. */
function firstNegligible(d: usize, e: usize, n: i32, low: i32): i32 {
  let high = low;
  for (; high < n - 1; high++) {
    const size = Math.abs(get(d, high)) + Math.abs(get(d, high + 1));
    if (!(Math.abs(get(e, high)) > epsilon * size)) break;
  }
  return high;
}

/** One implicit QL step with Wilkinson's shift, from the bottom of the block to its top. */
function stepQl(d: usize, e: usize, v: usize, n: i32, low: i32, high: i32): void {
  const half = (get(d, low + 1) - get(d, low)) / (2 * get(e, low));
  const root = Math.sqrt(half * half + 1);
  let g = get(d, high) - get(d, low) + get(e, low) / (half + (half < 0 ? -root : root));
  let s: f64 = 1;
  let c: f64 = 1;
  let p: f64 = 0;
  for (let i = high - 1; i >= low; i--) {
    const f = s * get(e, i);
    const b = c * get(e, i);
    const r = Math.sqrt(f * f + g * g);
    set(e, i + 1, r);
    if (r === 0) {
      set(d, i + 1, get(d, i + 1) - p);
      set(e, high, 0);
      return;
    }
    s = f / r;
    c = g / r;
    const shifted = get(d, i + 1) - p;
    const t = (get(d, i) - shifted) * s + 2 * c * b;
    p = s * t;
    set(d, i + 1, shifted + p);
    g = c * t - b;
    rotate(at(v, i * n), at(v, (i + 1) * n), n, c, s);
  }
  set(d, low, get(d, low) - p);
  set(e, low, g);
  set(e, high, 0);
}

/** The plane rotation of two columns. */
function rotate(left: usize, right: usize, n: i32, c: f64, s: f64): void {
  const cosines = f64x2.splat(c);
  const sines = f64x2.splat(s);
  let k = 0;
  for (; k + 1 < n; k += 2) {
    const x = getPair(right, k);
    const y = getPair(left, k);
    setPair(right, k, f64x2.add(f64x2.mul(sines, y), f64x2.mul(cosines, x)));
    setPair(left, k, f64x2.sub(f64x2.mul(cosines, y), f64x2.mul(sines, x)));
  }
  if (k === n) return;
  const x = get(right, k);
  const y = get(left, k);
  set(right, k, s * y + c * x);
  set(left, k, c * y - s * x);
}
