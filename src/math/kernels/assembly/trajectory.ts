/**
 * The passes over vectors of a trajectory (`engine/hmc/trajectory-memory.ts`). `n` is an even number of elements: vectors
 * of an odd number of parameters end in a zero, which every pass leaves zero.
 */
import { at, combine, get, getPair, setPair, sumOfPair } from './numbers';

/** First half of a leapfrog step: momentum and velocity move by half of it, then the position by all. */
export function beginMove(
  q: usize,
  p: usize,
  gradient: usize,
  velocity: usize,
  acceleration: usize,
  stepSize: f64,
  n: i32,
): void {
  const step = f64x2.splat(stepSize);
  const half = f64x2.splat(0.5 * stepSize);
  for (let i = 0; i < n; i += 2) {
    setPair(p, i, plus(getPair(p, i), half, getPair(gradient, i)));
    const v = plus(getPair(velocity, i), half, getPair(acceleration, i));
    setPair(velocity, i, v);
    setPair(q, i, plus(getPair(q, i), step, v));
  }
}

/** Second half, with the acceleration at the new position. */
export function endMove(
  p: usize,
  gradient: usize,
  velocity: usize,
  acceleration: usize,
  stepSize: f64,
  n: i32,
): void {
  const half = f64x2.splat(0.5 * stepSize);
  for (let i = 0; i < n; i += 2) {
    setPair(p, i, plus(getPair(p, i), half, getPair(gradient, i)));
    setPair(velocity, i, plus(getPair(velocity, i), half, getPair(acceleration, i)));
  }
}

/** Copies the velocity to `out`; returns its product with the momentum. */
export function copyVelocity(out: usize, velocity: usize, p: usize, n: i32): f64 {
  let sum = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const v = getPair(velocity, i);
    setPair(out, i, v);
    sum = plus(sum, v, getPair(p, i));
  }
  return sumOfPair(sum);
}

/** `out` = diag(σ) (I + U diag(factors) Uᵀ) diag(σ) x, with `rank` columns U at `directions`. */
export function multiplyLowRank(
  out: usize,
  x: usize,
  scales: usize,
  factors: usize,
  directions: usize,
  n: i32,
  rank: i32,
): void {
  multiplyPairs(out, x, scales, n);
  correctLowRank(out, factors, directions, n, rank);
  multiplyPairs(out, out, scales, n);
}

function multiplyPairs(out: usize, x: usize, y: usize, n: i32): void {
  for (let i = 0; i < n; i += 2) setPair(out, i, f64x2.mul(getPair(x, i), getPair(y, i)));
}

/** x + U diag(factors) Uᵀ x in place: see `engine/hmc/low-rank.ts`. */
export function correctLowRank(
  x: usize,
  factors: usize,
  directions: usize,
  n: i32,
  rank: i32,
): void {
  let k = 0;
  for (; k + 3 < rank; k += 4) correctByFour(x, at(factors, k), at(directions, k * n), n);
  for (; k < rank; k++) correctByOne(x, get(factors, k), at(directions, k * n), n);
}

function correctByFour(x: usize, factors: usize, a: usize, n: i32): void {
  const b = at(a, n);
  const c = at(b, n);
  const d = at(c, n);
  let sumA = f64x2.splat(0);
  let sumB = f64x2.splat(0);
  let sumC = f64x2.splat(0);
  let sumD = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const pair = getPair(x, i);
    sumA = plus(sumA, getPair(a, i), pair);
    sumB = plus(sumB, getPair(b, i), pair);
    sumC = plus(sumC, getPair(c, i), pair);
    sumD = plus(sumD, getPair(d, i), pair);
  }
  const byA = f64x2.splat(get(factors, 0) * sumOfPair(sumA));
  const byB = f64x2.splat(get(factors, 1) * sumOfPair(sumB));
  const byC = f64x2.splat(get(factors, 2) * sumOfPair(sumC));
  const byD = f64x2.splat(get(factors, 3) * sumOfPair(sumD));
  for (let i = 0; i < n; i += 2) {
    const added = combine(
      byA,
      getPair(a, i),
      byB,
      getPair(b, i),
      byC,
      getPair(c, i),
      byD,
      getPair(d, i),
    );
    setPair(x, i, f64x2.add(getPair(x, i), added));
  }
}

function correctByOne(x: usize, factor: f64, a: usize, n: i32): void {
  let sum = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) sum = plus(sum, getPair(a, i), getPair(x, i));
  const by = f64x2.splat(factor * sumOfPair(sum));
  for (let i = 0; i < n; i += 2) setPair(x, i, plus(getPair(x, i), by, getPair(a, i)));
}

/**
 * Whether the summed momentum `rhoA` + `rhoB` no longer points along the velocity at both ends: see
 * `engine/hmc/nuts-tree.ts`.
 */
export function turnsOver(begin: usize, end: usize, rhoA: usize, rhoB: usize, n: i32): i32 {
  let alongBegin = f64x2.splat(0);
  let alongEnd = f64x2.splat(0);
  for (let i = 0; i < n; i += 2) {
    const rho = f64x2.add(getPair(rhoA, i), getPair(rhoB, i));
    alongBegin = plus(alongBegin, getPair(begin, i), rho);
    alongEnd = plus(alongEnd, getPair(end, i), rho);
  }
  return sumOfPair(alongBegin) > 0 && sumOfPair(alongEnd) > 0 ? 0 : 1;
}

export function addVector(target: usize, x: usize, n: i32): void {
  for (let i = 0; i < n; i += 2) setPair(target, i, f64x2.add(getPair(target, i), getPair(x, i)));
}

export function copyVector(target: usize, x: usize, n: i32): void {
  memory.copy(target, x, (<usize>n) << 3);
}

/** sum + a x */
function plus(sum: v128, a: v128, x: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, x));
}
