/** Wishart and inverse Wishart densities, of covariance matrices and of their Cholesky factors. */
import { Matrix } from '../autodiff/containers.ts';
import type { Operand } from '../autodiff/operand.ts';
import { DomainError, ShapeError } from '../errors.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';
import { multiplyTransposedRight } from '../linalg/products.ts';
import { identity, solveCholesky, solveLower, solveLowerTransposed } from '../linalg/solve.ts';
import { lmgamma, lmgammaDx } from '../special/gamma.ts';
import { type PlainStep, plainDensity } from './density.ts';

interface Setting {
  readonly k: number;
  readonly w: Operand;
  readonly nu: Operand;
  readonly s: Operand;
  /** Factors of W and S. */
  readonly lw: Matrix;
  readonly ls: Matrix;
  readonly logW: number;
  readonly logS: number;
}

function logDeterminant(l: Matrix): number {
  let s = 0;
  for (let i = 0; i < l.rows; i++) s += 2 * Math.log(l.data[i + i * l.rows]);
  return s;
}

function factor(name: string, what: string, x: Operand, k: number): Matrix {
  const l = choleskyFactor(x.values.slice(x.start, x.start + k * k), k);
  if (l === null) throw new DomainError(`${name}: ${what} is not positive definite`);
  return new Matrix(k, k, l);
}

/** The lower triangle of an argument that is a factor, with its diagonal checked. */
function givenFactor(name: string, what: string, x: Operand, k: number): Matrix {
  const out = new Float64Array(k * k);
  for (let j = 0; j < k; j++) {
    for (let i = j; i < k; i++) out[i + j * k] = x.at(i + j * k);
    if (!(out[j + j * k] > 0)) {
      throw new DomainError(
        `${name}: ${what}[${j + 1},${j + 1}] is ${out[j + j * k]}, but must be positive`,
      );
    }
  }
  return new Matrix(k, k, out);
}

function setUp({ call, operands: [w, nu, s], args }: PlainStep, fromFactors: boolean): Setting {
  const { rows: k } = args[0] as Matrix;
  if ((args[2] as Matrix).rows !== k) {
    throw new ShapeError(
      `${call.name}: rows of random variable (${k}) and of scale parameter must match`,
    );
  }
  if (!(nu.at(0) > k - 1)) nu.fail(call.name, 0, `greater than ${k - 1}`);
  const open = fromFactors ? givenFactor : factor;
  const lw = open(call.name, 'random variable', w, k);
  const ls = open(call.name, 'scale parameter', s, k);
  return { k, w, nu, s, lw, ls, logW: logDeterminant(lw), logS: logDeterminant(ls) };
}

/** ‖A‖² */
function sumSquares(a: Matrix): number {
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += a.data[i] * a.data[i];
  return sum;
}

/** x += factor × source, element by element. */
function addAll(x: Operand, source: Float64Array, f: number): void {
  for (let i = 0; i < source.length; i++) x.add(i, f * source[i]);
}

const labels = ['random variable', 'Degrees of freedom parameter', 'Scale parameter'];

/** (ν − K − 1)/2 log |W| − ν/2 log |S| − ½ tr(S⁻¹ W) − νK/2 log 2 − log Γ_K(ν/2). */
export const wishartLpdf = plainDensity('wishart_lpdf', labels, (step) => {
  const { call } = step;
  const { k, w, nu, s, lw, ls, logW, logS } = setUp(step, false);
  const df = nu.at(0);
  // tr(S⁻¹ W) = ‖L_S⁻¹ L_W‖²
  let lp = 0.5 * (df - k - 1) * logW - 0.5 * sumSquares(solveLower(ls, lw));
  if (call.includes(nu)) lp -= 0.5 * df * k * Math.LN2 + lmgamma(k, 0.5 * df);
  if (call.includes(nu, s)) lp -= 0.5 * df * logS;
  if (nu.active) nu.add(0, 0.5 * (logW - logS - k * Math.LN2 - lmgammaDx(k, 0.5 * df)));
  if (!w.active && !s.active) return lp;
  const inverseS = solveCholesky(ls, identity(k));
  if (w.active) {
    addAll(w, solveCholesky(lw, identity(k)).data, 0.5 * (df - k - 1));
    addAll(w, inverseS.data, -0.5);
  }
  if (s.active) {
    const root = solveLowerTransposed(ls, solveLower(ls, lw));
    addAll(s, inverseS.data, -0.5 * df);
    addAll(s, multiplyTransposedRight(root, root).data, 0.5);
  }
  return lp;
});

/** ν/2 log |S| − (ν + K + 1)/2 log |W| − ½ tr(S W⁻¹) − νK/2 log 2 − log Γ_K(ν/2). */
export const invWishartLpdf = plainDensity('inv_wishart_lpdf', labels, (step) => {
  const { call } = step;
  const { k, w, nu, s, lw, ls, logW, logS } = setUp(step, false);
  const df = nu.at(0);
  let lp = -0.5 * (df + k + 1) * logW - 0.5 * sumSquares(solveLower(lw, ls));
  if (call.includes(nu)) lp -= 0.5 * df * k * Math.LN2 + lmgamma(k, 0.5 * df);
  if (call.includes(nu, s)) lp += 0.5 * df * logS;
  if (nu.active) nu.add(0, 0.5 * (logS - logW - k * Math.LN2 - lmgammaDx(k, 0.5 * df)));
  if (!w.active && !s.active) return lp;
  const inverseW = solveCholesky(lw, identity(k));
  if (s.active) {
    addAll(s, solveCholesky(ls, identity(k)).data, 0.5 * df);
    addAll(s, inverseW.data, -0.5);
  }
  if (w.active) {
    const root = solveLowerTransposed(lw, solveLower(lw, ls));
    addAll(w, inverseW.data, -0.5 * (df + k + 1));
    addAll(w, multiplyTransposedRight(root, root).data, 0.5);
  }
  return lp;
});

/** Adds the lower triangle of `factor × source`. */
function addLower(x: Operand, source: Matrix, f: number): void {
  const k = source.rows;
  for (let j = 0; j < k; j++) {
    for (let i = j; i < k; i++) x.add(i + j * k, f * source.data[i + j * k]);
  }
}

/** Wishart of L Lᵀ with the Jacobian 2^K Π L_ii^(K − i + 1): the exponent of L_ii becomes ν − i. */
export const wishartCholeskyLpdf = plainDensity('wishart_cholesky_lpdf', labels, (step) => {
  const { call } = step;
  const { k, w, nu, s, lw, ls, logW, logS } = setUp(step, true);
  const df = nu.at(0);
  const z = solveLower(ls, lw);
  let lp = -0.5 * sumSquares(z);
  if (!call.propto) lp += k * Math.LN2;
  if (call.includes(nu)) lp -= 0.5 * df * k * Math.LN2 + lmgamma(k, 0.5 * df);
  if (call.includes(nu, s)) lp -= 0.5 * df * logS;
  for (let i = 0; i < k; i++) {
    const d = lw.data[i + i * k];
    lp += (df - i - 1) * Math.log(d);
    if (w.active) w.add(i + i * k, (df - i - 1) / d);
  }
  if (nu.active) nu.add(0, 0.5 * (logW - logS - k * Math.LN2 - lmgammaDx(k, 0.5 * df)));
  const g = solveLowerTransposed(ls, z);
  if (w.active) addLower(w, g, -1);
  if (s.active) {
    addLower(s, multiplyTransposedRight(g, z), 1);
    for (let i = 0; i < k; i++) s.add(i + i * k, -df / ls.data[i + i * k]);
  }
  return lp;
});

/** Inverse Wishart of L Lᵀ with its Jacobian: the exponent of L_ii becomes −(ν + i). */
export const invWishartCholeskyLpdf = plainDensity('inv_wishart_cholesky_lpdf', labels, (step) => {
  const { call } = step;
  const { k, w, nu, s, lw, ls, logW, logS } = setUp(step, true);
  const df = nu.at(0);
  const z = solveLower(lw, ls);
  let lp = -0.5 * sumSquares(z);
  if (!call.propto) lp += k * Math.LN2;
  if (call.includes(nu)) lp -= 0.5 * df * k * Math.LN2 + lmgamma(k, 0.5 * df);
  if (call.includes(nu, s)) lp += 0.5 * df * logS;
  for (let i = 0; i < k; i++) {
    const d = lw.data[i + i * k];
    lp -= (df + i + 1) * Math.log(d);
    if (w.active) w.add(i + i * k, -(df + i + 1) / d);
  }
  if (nu.active) nu.add(0, 0.5 * (logS - logW - k * Math.LN2 - lmgammaDx(k, 0.5 * df)));
  const g = solveLowerTransposed(lw, z);
  if (w.active) addLower(w, multiplyTransposedRight(g, z), 1);
  if (s.active) {
    addLower(s, g, -1);
    for (let i = 0; i < k; i++) s.add(i + i * k, df / ls.data[i + i * k]);
  }
  return lp;
});
