/** The adjoint of a matrix from that of its Cholesky factor. */
import { addColumn, productOf } from './columns';
import { at, combine, get, getPair, set, setPair, sumOfPair } from './numbers';

/** Columns that are handled together: each element to their left is loaded and stored once for all. */
const blockSize = 4;

/**
 * The adjoint `g` of the n × n factor `l` becomes that of the matrix, in its lower triangle, as if only those elements
 * were read. Murray (2016), "Differentiation of the Cholesky decomposition", arXiv:1602.07527, blocked reverse algorithm.
 */
export function factorAdjoint(l: usize, g: usize, n: i32): void {
  for (let end = n; end > 0; end -= blockSize) {
    const start = max(0, end - blockSize);
    reverseBelow(l, g, n, start, end);
    reverseDiagonal(l, g, n, start, end);
    for (let k = 0; k < start; k++) reverseLeft(l, g, n, start, k);
  }
}

/** C̄ ← C̄ D⁻¹ and D̄ ← D̄ − tril(C̄ᵀ C), with the block D on the diagonal and the rows C below it. */
function reverseBelow(l: usize, g: usize, n: i32, start: i32, end: i32): void {
  for (let j = end - 1; j >= start; j--) {
    const column = at(g, j * n);
    const factors = at(l, j * n);
    for (let p = j + 1; p < end; p++) addColumn(column, end, n, at(g, p * n), -get(factors, p));
    const inverse = 1 / get(factors, j);
    for (let i = end; i < n; i++) set(column, i, get(column, i) * inverse);
  }
  for (let j = start; j < end; j++) {
    const column = at(g, j * n);
    const factors = at(l, j * n);
    for (let p = j; p < end; p++) {
      set(column, p, get(column, p) - productOf(at(g, p * n), factors, end, n));
    }
  }
}

/** The unblocked algorithm inside the block on the diagonal. */
function reverseDiagonal(l: usize, g: usize, n: i32, start: i32, end: i32): void {
  for (let j = end - 1; j >= start; j--) {
    const column = at(g, j * n);
    const factors = at(l, j * n);
    const d = get(factors, j);
    const dot = productOf(column, factors, j + 1, end);
    set(column, j, (get(column, j) - dot / d) / d);
    for (let i = j + 1; i < end; i++) set(column, i, get(column, i) / d);
    // g[j, k] −= g[j, j] l[j, k] + Σ_i g[i, j] l[i, k]; g[i, k] −= g[i, j] l[j, k] for k < j < i
    for (let k = start; k < j; k++) {
      const left = at(l, k * n);
      const leftAdjoint = at(g, k * n);
      const sum = productOf(column, left, j, end);
      addColumn(leftAdjoint, j + 1, end, column, -get(left, j));
      set(leftAdjoint, j, get(leftAdjoint, j) - sum);
    }
    set(column, j, 0.5 * get(column, j));
  }
}

/**
 * Column k of B̄ ← B̄ − C̄ R and R̄ ← R̄ − C̄ᵀ B − (D̄ + D̄ᵀ) R, with R left of the block of four rows from `start` and B
 * below R.
 */
function reverseLeft(l: usize, g: usize, n: i32, start: i32, k: i32): void {
  const c0 = at(g, start * n);
  const c1 = at(c0, n);
  const c2 = at(c1, n);
  const c3 = at(c2, n);
  const left = at(l, k * n);
  const leftAdjoint = at(g, k * n);
  const r0 = f64x2.splat(-get(left, start));
  const r1 = f64x2.splat(-get(left, start + 1));
  const r2 = f64x2.splat(-get(left, start + 2));
  const r3 = f64x2.splat(-get(left, start + 3));
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let i = start + blockSize;
  for (; i + 1 < n; i += 2) {
    const b = getPair(left, i);
    const g0 = getPair(c0, i);
    const g1 = getPair(c1, i);
    const g2 = getPair(c2, i);
    const g3 = getPair(c3, i);
    s0 = f64x2.add(s0, f64x2.mul(g0, b));
    s1 = f64x2.add(s1, f64x2.mul(g1, b));
    s2 = f64x2.add(s2, f64x2.mul(g2, b));
    s3 = f64x2.add(s3, f64x2.mul(g3, b));
    const taken = combine(g0, r0, g1, r1, g2, r2, g3, r3);
    setPair(leftAdjoint, i, f64x2.add(getPair(leftAdjoint, i), taken));
  }
  const rows = at(leftAdjoint, start);
  subtractFour(rows, sumOfPair(s0), sumOfPair(s1), sumOfPair(s2), sumOfPair(s3));
  subtractBlock(rows, at(left, start), at(c0, start), n);
  if (i === n) return;
  const b = get(left, i);
  const taken = combine(
    f64x2.splat(get(c0, i)),
    r0,
    f64x2.splat(get(c1, i)),
    r1,
    f64x2.splat(get(c2, i)),
    r2,
    f64x2.splat(get(c3, i)),
    r3,
  );
  set(leftAdjoint, i, get(leftAdjoint, i) + f64x2.extract_lane(taken, 0));
  subtractFour(rows, get(c0, i) * b, get(c1, i) * b, get(c2, i) * b, get(c3, i) * b);
}

/** (D̄ + D̄ᵀ) R of four rows; `d` is the lower block D̄, its columns n numbers apart, with a halved diagonal. */
function subtractBlock(rows: usize, r: usize, d: usize, n: i32): void {
  const d1 = at(d, n);
  const d2 = at(d1, n);
  const d3 = at(d2, n);
  const r0 = get(r, 0);
  const r1 = get(r, 1);
  const r2 = get(r, 2);
  const r3 = get(r, 3);
  subtractFour(
    rows,
    2 * get(d, 0) * r0 + get(d, 1) * r1 + (get(d, 2) * r2 + get(d, 3) * r3),
    get(d, 1) * r0 + 2 * get(d1, 1) * r1 + (get(d1, 2) * r2 + get(d1, 3) * r3),
    get(d, 2) * r0 + get(d1, 2) * r1 + (2 * get(d2, 2) * r2 + get(d2, 3) * r3),
    get(d, 3) * r0 + get(d1, 3) * r1 + (get(d2, 3) * r2 + 2 * get(d3, 3) * r3),
  );
}

function subtractFour(rows: usize, x0: f64, x1: f64, x2: f64, x3: f64): void {
  set(rows, 0, get(rows, 0) - x0);
  set(rows, 1, get(rows, 1) - x1);
  set(rows, 2, get(rows, 2) - x2);
  set(rows, 3, get(rows, 3) - x3);
}
