/** The LKJ densities of correlation matrices (Lewandowski, Kurowicka & Joe 2009) and of their Cholesky factors. */
import { Matrix } from '../autodiff/containers.ts';
import type { Operand } from '../autodiff/operand.ts';
import { DomainError, ShapeError } from '../errors.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';
import { identity, solveCholesky } from '../linalg/solve.ts';
import { halfLogTwoPi } from '../special/constants.ts';
import { digamma, lgamma } from '../special/gamma.ts';
import { plainDensity } from './density.ts';

/** log of the reciprocal normalising constant (Lewandowski et al. 2009, eq. 16, as a product of gamma functions). */
function lkjConstant(eta: number, k: number): number {
  let s = (k - 1) * lgamma(eta + 0.5 * (k - 1));
  for (let j = 1; j < k; j++) {
    s -= 0.5 * j * Math.log(Math.PI) + lgamma(eta + 0.5 * (k - 1 - j));
  }
  return s;
}

function lkjConstantDeta(eta: number, k: number): number {
  let s = (k - 1) * digamma(eta + 0.5 * (k - 1));
  for (let j = 1; j < k; j++) s -= digamma(eta + 0.5 * (k - 1 - j));
  return s;
}

function checkShape(name: string, eta: Operand): void {
  if (!(eta.at(0) > 0 && eta.at(0) < Infinity)) eta.fail(name, 0, 'positive finite');
}

/** log LKJ(Ω | eta) = (eta − 1) log |Ω| + constant. */
export const lkjCorrLpdf = plainDensity(
  'lkj_corr_lpdf',
  ['Correlation matrix', 'Shape parameter'],
  ({ call, operands: [y, eta], args }) => {
    checkShape(call.name, eta);
    const { rows: k } = args[0] as Matrix;
    if (k === 0) return 0;
    const factor = choleskyFactor(y.values.slice(y.start, y.start + k * k), k);
    if (factor === null)
      throw new DomainError(`${call.name}: Correlation matrix is not positive definite`);
    let logDeterminant = 0;
    for (let i = 0; i < k; i++) logDeterminant += 2 * Math.log(factor[i + i * k]);
    const e = eta.at(0);
    let lp = (e - 1) * logDeterminant;
    if (call.includes(eta)) lp += lkjConstant(e, k);
    if (eta.active) eta.add(0, lkjConstantDeta(e, k) + logDeterminant);
    if (y.active) {
      const inverse = solveCholesky(new Matrix(k, k, factor), identity(k)).data;
      for (let i = 0; i < k * k; i++) y.add(i, (e - 1) * inverse[i]);
    }
    return lp;
  },
);

/**
 * Covariance matrices with lognormal(mu, sigma) standard deviations and LKJ(eta) correlations, as Stan defines it: without the
 * Jacobian of taking a matrix apart.
 */
export const lkjCovLpdf = plainDensity(
  'lkj_cov_lpdf',
  ['Covariance matrix', 'Location parameter', 'Scale parameter', 'Shape parameter'],
  ({ call, operands: [w, mu, sigma, eta], args }) => {
    checkShape(call.name, eta);
    const { rows: k, cols } = args[0] as Matrix;
    if (cols !== k || mu.size !== k || sigma.size !== k)
      throw new ShapeError(
        `${call.name}: a ${k} × ${cols} matrix, ${mu.size} locations and ${sigma.size} scales do not fit together`,
      );
    const factor = choleskyFactor(w.values.slice(w.start, w.start + k * k), k);
    if (factor === null)
      throw new DomainError(`${call.name}: Covariance matrix is not positive definite`);
    const e = eta.at(0);
    let logDeterminant = 0;
    let lp = 0;
    for (let i = 0; i < k; i++) {
      if (!(sigma.at(i) > 0 && sigma.at(i) < Infinity)) sigma.fail(call.name, i, 'positive finite');
      const variance = w.at(i + i * k);
      const logScale = 0.5 * Math.log(variance);
      const z = (logScale - mu.at(i)) / sigma.at(i);
      // of the correlation matrix
      logDeterminant += 2 * (Math.log(factor[i + i * k]) - logScale);
      lp -= 0.5 * z * z;
      if (call.includes(sigma)) lp -= Math.log(sigma.at(i));
      if (call.includes(w)) lp -= logScale;
      if (call.includes()) lp -= halfLogTwoPi;
      if (mu.active) mu.add(i, z / sigma.at(i));
      if (sigma.active) sigma.add(i, (z * z - 1) / sigma.at(i));
      if (w.active) w.add(i + i * k, -(0.5 * (1 + z / sigma.at(i)) + e - 1) / variance);
    }
    if (call.includes(w, eta)) lp += (e - 1) * logDeterminant;
    if (call.includes(eta)) lp += lkjConstant(e, k);
    if (eta.active) eta.add(0, lkjConstantDeta(e, k) + logDeterminant);
    if (w.active) {
      const inverse = solveCholesky(new Matrix(k, k, factor), identity(k)).data;
      for (let i = 0; i < k * k; i++) w.add(i, (e - 1) * inverse[i]);
    }
    return lp;
  },
);

/** log LKJ Cholesky(L | eta) = Σ_{k ≥ 2} (K − k + 2 eta − 2) log L_kk + constant. */
export const lkjCorrCholeskyLpdf = plainDensity(
  'lkj_corr_cholesky_lpdf',
  ['Random variable', 'Shape parameter'],
  ({ call, operands: [y, eta], args }) => {
    checkShape(call.name, eta);
    const { rows: k } = args[0] as Matrix;
    if (k === 0) return 0;
    const e = eta.at(0);
    let lp = call.includes(eta) ? lkjConstant(e, k) : 0;
    let sumLog = 0;
    for (let i = 0; i < k; i++) {
      const d = y.at(i + i * k);
      if (!(d > 0)) {
        throw new DomainError(
          `${call.name}: Random variable[${i + 1},${i + 1}] is ${d}, but must be positive`,
        );
      }
      if (i === 0) continue;
      const logD = Math.log(d);
      const power = k - i + 2 * e - 3;
      lp += power * logD;
      sumLog += logD;
      if (y.active) y.add(i + i * k, power / d);
    }
    if (eta.active) eta.add(0, lkjConstantDeta(e, k) + 2 * sumLog);
    return lp;
  },
);
