/**
 * Normal regressions whose outcomes and predictors are data: with the QR factorisation of [1 X], computed once,
 * |y − α − X β|² = |Q′y − R (α, β)|² + |the rest of y|², so a gradient takes D² operations instead of N D. The errors are as
 * small as those of the direct sum (Golub & Van Loan, *Matrix Computations*, section 5.3), since X is never squared.
 */
import { ActiveVector, type Matrix, slotAt } from '../autodiff/containers.ts';
import type { Tape } from '../autodiff/tape.ts';
import { mostOperations, reflectBelow } from '../linalg/householder.ts';
import { dotRange } from '../linalg/products.ts';
import { halfLogTwoPi } from '../special/constants.ts';
import { normalIdGlmLpdf } from './glm.ts';
import { normalLpdf } from './normal.ts';

interface Factors {
  /** D + 1 columns of D + 1 numbers: R, upper triangular. */
  readonly r: Float64Array;
  /** The first D + 1 elements of Q′y. */
  readonly q: Float64Array;
  /** The sum of squares of the others. */
  readonly rest: number;
}

/** y and X, with their factors if these save work. */
export class SettledRegression {
  private readonly factors: Factors | null;
  private readonly z: Float64Array;

  constructor(
    private readonly y: Float64Array,
    private readonly x: Matrix,
    /** Column by column of X: any invalid input is then reported by `normal`. */
    private readonly isByColumns = false,
  ) {
    this.factors = factorsOf(y, x);
    this.z = new Float64Array(x.cols + 1);
  }

  /**
   * `normal_id_glm(y | X, α, β, σ)` of an active β; `kinds` of α, β and σ. Invalid input is left to
   * functions of the library, which report what is wrong.
   */
  density(
    tape: Tape,
    propto: boolean,
    kinds: string,
    alpha: number,
    beta: ActiveVector,
    sigma: number,
  ): number {
    const { factors, x, y, z } = this;
    const isAlphaActive = kinds[0] === 'v';
    const isSigmaActive = kinds[2] === 'v';
    const scale = isSigmaActive ? tape.value[sigma] : sigma;
    const isUsual = factors !== null && beta.n === x.cols && scale > 0 && scale < Infinity;
    const sum = isUsual
      ? this.residuals(factors, tape, isAlphaActive ? tape.value[alpha] : alpha, beta)
      : Infinity;
    if (factors === null || !(sum < Infinity)) {
      if (this.isByColumns) return this.asWritten(tape, propto, kinds, alpha, beta, sigma);
      return normalIdGlmLpdf(tape, propto, `RM${kinds}`, y, x, alpha, beta, sigma);
    }
    const n = y.length;
    const precision = 1 / (scale * scale);
    const count = x.cols + (isAlphaActive ? 1 : 0) + (isSigmaActive ? 1 : 0);
    tape.reserveEdges(count);
    const { edgeSlot, edgePartial } = tape;
    let e = tape.numEdges;
    for (let j = isAlphaActive ? 0 : 1; j <= x.cols; j++) {
      edgeSlot[e] = j === 0 ? alpha : slotAt(beta, j - 1);
      edgePartial[e++] = precision * dotRange(factors.r, j * z.length, z, 0, j + 1);
    }
    const squares = sum * precision;
    if (isSigmaActive) {
      edgeSlot[e] = sigma;
      edgePartial[e] = (squares - n) / scale;
    }
    const withScale = !propto || isSigmaActive;
    const constant = (withScale ? n * Math.log(scale) : 0) + (propto ? 0 : n * halfLogTwoPi);
    return tape.endRow(-0.5 * squares - constant, count);
  }

  /** With a slot for each α + Xᵢ β. */
  private asWritten(
    tape: Tape,
    propto: boolean,
    kinds: string,
    alpha: number,
    beta: ActiveVector,
    sigma: number,
  ): number {
    const { x, y } = this;
    const isAlphaActive = kinds[0] === 'v';
    const first = tape.numSlots;
    for (let i = 0; i < x.rows; i++) {
      tape.reserveEdges(x.cols + 1);
      const { edgeSlot, edgePartial } = tape;
      let e = tape.numEdges;
      let mu = isAlphaActive ? tape.value[alpha] : alpha;
      if (isAlphaActive) {
        edgeSlot[e] = alpha;
        edgePartial[e++] = 1;
      }
      for (let j = 0; j < x.cols; j++) {
        const slot = slotAt(beta, j);
        edgeSlot[e] = slot;
        edgePartial[e++] = x.data[i + j * x.rows];
        mu += x.data[i + j * x.rows] * tape.value[slot];
      }
      tape.endRow(mu, e - tape.numEdges);
    }
    const location = new ActiveVector(x.rows, first);
    return normalLpdf(tape, propto, `RV${kinds[2]}`, y, location, sigma);
  }

  /** Fills `z` with Q′y − R (α, β), and returns the sum of squares of all residuals. */
  private residuals(
    { r, q, rest }: Factors,
    tape: Tape,
    alpha: number,
    beta: ActiveVector,
  ): number {
    const { z } = this;
    const size = z.length;
    for (let i = 0; i < size; i++) z[i] = q[i];
    z[0] -= r[0] * alpha;
    for (let j = 1; j < size; j++) {
      const b = tape.value[slotAt(beta, j - 1)];
      const column = j * size;
      for (let i = 0; i <= j; i++) z[i] -= r[column + i] * b;
    }
    let sum = rest;
    for (let i = 0; i < size; i++) sum += z[i] * z[i];
    return sum;
  }
}

/** By Householder reflections of [1 X y] (ibid., algorithm 5.2.1); null if nothing is saved, or values are not finite. */
function factorsOf(y: Float64Array, { rows: n, cols, data }: Matrix): Factors | null {
  const size = cols + 1;
  const fits = y.length === n && n > size && n * size * size <= mostOperations;
  if (!fits || !y.every(Number.isFinite) || !data.every(Number.isFinite)) return null;
  const w = new Float64Array(n * (size + 1));
  w.fill(1, 0, n);
  w.set(data, n);
  w.set(y, n * size);
  for (let j = 0; j < size; j++) reflectBelow(w, n, size, j);
  const r = new Float64Array(size * size);
  for (let j = 0; j < size; j++) {
    for (let i = 0; i <= j; i++) r[i + j * size] = w[i + j * n];
  }
  const last = n * size;
  const rest = dotRange(w, last + size, w, last + size, n - size);
  const isFinite = rest < Infinity && r.every(Number.isFinite);
  return isFinite ? { r, q: w.slice(last, last + size), rest } : null;
}
