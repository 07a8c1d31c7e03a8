/**
 * What all kernels consist of: multiples of columns added to columns, and products of columns with columns. Four
 * columns on one side and two on the other need all sixteen registers, and so little memory that arithmetic sets the pace.
 */
import { at, combine, get, getPair, set, setPair, sumOfPair } from './numbers';

/**
 * Rows `from` to `to − 1` of the columns `first` and `second` plus `scale` times the four columns at `p`, `stride`
 * numbers apart, times their factors: those at `f` for `first` and at `g` for `second`, `step` numbers apart.
 */
export function addFourToTwo(
  first: usize,
  second: usize,
  from: i32,
  to: i32,
  p: usize,
  stride: i32,
  f: usize,
  g: usize,
  step: i32,
  scale: f64,
): void {
  const p1 = at(p, stride);
  const p2 = at(p1, stride);
  const p3 = at(p2, stride);
  const f0 = f64x2.splat(scale * get(f, 0));
  const f1 = f64x2.splat(scale * get(f, step));
  const f2 = f64x2.splat(scale * get(f, 2 * step));
  const f3 = f64x2.splat(scale * get(f, 3 * step));
  const g0 = f64x2.splat(scale * get(g, 0));
  const g1 = f64x2.splat(scale * get(g, step));
  const g2 = f64x2.splat(scale * get(g, 2 * step));
  const g3 = f64x2.splat(scale * get(g, 3 * step));
  let i = from;
  for (; i + 1 < to; i += 2) {
    const x0 = getPair(p, i);
    const x1 = getPair(p1, i);
    const x2 = getPair(p2, i);
    const x3 = getPair(p3, i);
    setPair(first, i, f64x2.add(getPair(first, i), combine(f0, x0, f1, x1, f2, x2, f3, x3)));
    setPair(second, i, f64x2.add(getPair(second, i), combine(g0, x0, g1, x1, g2, x2, g3, x3)));
  }
  if (i === to) return;
  const x0 = f64x2.splat(get(p, i));
  const x1 = f64x2.splat(get(p1, i));
  const x2 = f64x2.splat(get(p2, i));
  const x3 = f64x2.splat(get(p3, i));
  set(first, i, get(first, i) + f64x2.extract_lane(combine(f0, x0, f1, x1, f2, x2, f3, x3), 0));
  set(second, i, get(second, i) + f64x2.extract_lane(combine(g0, x0, g1, x1, g2, x2, g3, x3), 0));
}

/** Rows `from` to `to − 1` of a column plus `factor` times another. */
export function addColumn(target: usize, from: i32, to: i32, p: usize, factor: f64): void {
  const f = f64x2.splat(factor);
  let i = from;
  for (; i + 1 < to; i += 2) {
    setPair(target, i, f64x2.add(getPair(target, i), f64x2.mul(f, getPair(p, i))));
  }
  if (i < to) set(target, i, get(target, i) + factor * get(p, i));
}

/**
 * The numbers 0 to 3 at `first` and `second` plus `scale` times the products of the four columns at `p`, `stride`
 * numbers apart, with the columns `x` and `y`, over rows `from` to `to − 1`.
 */
export function addProductsOfFourWithTwo(
  first: usize,
  second: usize,
  from: i32,
  to: i32,
  p: usize,
  stride: i32,
  x: usize,
  y: usize,
  scale: f64,
): void {
  const p1 = at(p, stride);
  const p2 = at(p1, stride);
  const p3 = at(p2, stride);
  let s0 = f64x2.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  let i = from;
  for (; i + 1 < to; i += 2) {
    const u = getPair(x, i);
    const v = getPair(y, i);
    const c0 = getPair(p, i);
    s0 = f64x2.add(s0, f64x2.mul(c0, u));
    t0 = f64x2.add(t0, f64x2.mul(c0, v));
    const c1 = getPair(p1, i);
    s1 = f64x2.add(s1, f64x2.mul(c1, u));
    t1 = f64x2.add(t1, f64x2.mul(c1, v));
    const c2 = getPair(p2, i);
    s2 = f64x2.add(s2, f64x2.mul(c2, u));
    t2 = f64x2.add(t2, f64x2.mul(c2, v));
    const c3 = getPair(p3, i);
    s3 = f64x2.add(s3, f64x2.mul(c3, u));
    t3 = f64x2.add(t3, f64x2.mul(c3, v));
  }
  let a0 = sumOfPair(s0);
  let a1 = sumOfPair(s1);
  let a2 = sumOfPair(s2);
  let a3 = sumOfPair(s3);
  let b0 = sumOfPair(t0);
  let b1 = sumOfPair(t1);
  let b2 = sumOfPair(t2);
  let b3 = sumOfPair(t3);
  if (i < to) {
    const u = get(x, i);
    const v = get(y, i);
    a0 += get(p, i) * u;
    a1 += get(p1, i) * u;
    a2 += get(p2, i) * u;
    a3 += get(p3, i) * u;
    b0 += get(p, i) * v;
    b1 += get(p1, i) * v;
    b2 += get(p2, i) * v;
    b3 += get(p3, i) * v;
  }
  addTo(first, 0, scale * a0);
  addTo(first, 1, scale * a1);
  addTo(first, 2, scale * a2);
  addTo(first, 3, scale * a3);
  addTo(second, 0, scale * b0);
  addTo(second, 1, scale * b1);
  addTo(second, 2, scale * b2);
  addTo(second, 3, scale * b3);
}

function addTo(base: usize, index: i32, x: f64): void {
  set(base, index, get(base, index) + x);
}

/** The product of two columns over rows `from` to `to − 1`. */
export function productOf(x: usize, y: usize, from: i32, to: i32): f64 {
  let s = f64x2.splat(0);
  let t = f64x2.splat(0);
  let i = from;
  for (; i + 3 < to; i += 4) {
    s = f64x2.add(s, f64x2.mul(getPair(x, i), getPair(y, i)));
    t = f64x2.add(t, f64x2.mul(getPair(x, i + 2), getPair(y, i + 2)));
  }
  let sum = sumOfPair(f64x2.add(s, t));
  for (; i < to; i++) sum += get(x, i) * get(y, i);
  return sum;
}
