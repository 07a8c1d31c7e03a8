/**
 * Constraints on matrices: Cholesky factors, covariance and correlation matrices
 * (Stan reference manual, "Constraint transforms"; Lewandowski, Kurowicka & Joe 2009 for correlation matrices).
 * Free values fill rows of the factor in turn. z = tanh(u) are canonical partial correlations.
 */
import { ShapeError } from '../errors.ts';
import type { ReverseStep, Shape, StructuredConstraint } from './structured.ts';

/** K from K (K − 1) / 2 (+ K when `withDiagonal`) free values, unless declared. */
function squareShape(
  numFree: number,
  sizes: readonly number[],
  withDiagonal: boolean,
): { rows: number; cols: number } {
  const root = Math.sqrt(1 + 8 * numFree);
  const k =
    sizes.length > 0 ? sizes[0] : Math.round(withDiagonal ? (root - 1) / 2 : (root + 1) / 2);
  return { rows: k, cols: k };
}

/** Lower triangle by rows, exp on the diagonal, then full rows below (rows ≥ cols). */
export const choleskyFactorCov: StructuredConstraint = {
  name: 'cholesky_factor_cov_constrain',
  isMatrix: true,
  shape(numFree, sizes) {
    if (sizes.length < 2) return squareShape(numFree, sizes, true);
    if (sizes[0] < sizes[1]) throw new ShapeError('cholesky_factor_cov: more columns than rows');
    return { rows: sizes[0], cols: sizes[1] };
  },
  numFree: (rows, cols) => (cols * (cols + 1)) / 2 + (rows - cols) * cols,
  forward(u, x, { rows, cols }) {
    let pos = 0;
    let logJacobian = 0;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < Math.min(i, cols); j++) x[i + j * rows] = u[pos++];
      if (i < cols) {
        logJacobian += u[pos];
        x[i + i * rows] = Math.exp(u[pos++]);
      }
    }
    return logJacobian;
  },
  reverse({ x, shape: { rows, cols }, dx, dJacobian, du }) {
    let pos = 0;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < Math.min(i, cols); j++) du[pos++] = dx[i + j * rows];
      if (i < cols) du[pos++] = dx[i + i * rows] * x[i + i * rows] + dJacobian;
    }
  },
};

/** Σ = L Lᵀ with L as for {@link choleskyFactorCov}; log |J| = K log 2 + Σ_k (K − k + 2) log L_kk, k from 1. */
export const covMatrix: StructuredConstraint = {
  name: 'cov_matrix_constrain',
  isMatrix: true,
  shape: (numFree, sizes) => squareShape(numFree, sizes, true),
  numFree: (rows) => (rows * (rows + 1)) / 2,
  forward(u, x, shape) {
    const k = shape.rows;
    const factor = new Float64Array(k * k);
    choleskyFactorCov.forward(u, factor, shape);
    multiplySelfTranspose(factor, x, k);
    let logJacobian = k * Math.LN2;
    // the free value on the diagonal is log L_kk itself
    for (let i = 0, pos = 0; i < k; pos += ++i + 1) logJacobian += (k - i + 1) * u[pos];
    return logJacobian;
  },
  reverse({ u, shape, dx, dJacobian, du }) {
    const k = shape.rows;
    const factor = new Float64Array(k * k);
    choleskyFactorCov.forward(u, factor, shape);
    const dFactor = selfTransposeReverse(factor, dx, k);
    choleskyFactorCov.reverse({ u, x: factor, shape, dx: dFactor, dJacobian: 0, du });
    for (let i = 0, pos = 0; i < k; pos += ++i + 1) du[pos] += (k - i + 1) * dJacobian;
  },
};

/** x = L Lᵀ. */
function multiplySelfTranspose(factor: Float64Array, x: Float64Array, k: number): void {
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let l = 0; l <= j; l++) sum += factor[i + l * k] * factor[j + l * k];
      x[i + j * k] = sum;
      x[j + i * k] = sum;
    }
  }
}

/** Adjoint of L from that of L Lᵀ: (G + Gᵀ) L, lower triangle. */
function selfTransposeReverse(factor: Float64Array, g: Float64Array, k: number): Float64Array {
  const out = new Float64Array(k * k);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let l = j; l < k; l++) sum += (g[i + l * k] + g[l + i * k]) * factor[l + j * k];
      out[i + j * k] = sum;
    }
  }
  return out;
}

/** 1 − tanh²(u) without cancellation. */
function sechSquare(u: number): number {
  const c = Math.cosh(u);
  return 1 / (c * c);
}

/** Row i: x_ij = z_ij √r_j, r_{j+1} = r_j (1 − z²), and √r_i on the diagonal, so that rows have length 1. */
export const choleskyFactorCorr: StructuredConstraint = {
  name: 'cholesky_factor_corr_constrain',
  isMatrix: true,
  shape: (numFree, sizes) => squareShape(numFree, sizes, false),
  numFree: (rows) => (rows * (rows - 1)) / 2,
  forward(u, x, { rows: k }) {
    let pos = 0;
    let logJacobian = 0;
    for (let i = 0; i < k; i++) {
      let rest = 1;
      for (let j = 0; j < i; j++, pos++) {
        const s = sechSquare(u[pos]);
        x[i + j * k] = Math.tanh(u[pos]) * Math.sqrt(rest);
        logJacobian += Math.log(s) + 0.5 * Math.log(rest);
        rest *= s;
      }
      x[i + i * k] = Math.sqrt(rest);
    }
    return logJacobian;
  },
  reverse({ u, shape: { rows: k }, dx, dJacobian, du }) {
    const rests = new Float64Array(k + 1);
    for (let i = 1; i < k; i++) {
      const row = (i * (i - 1)) / 2;
      rests[0] = 1;
      for (let j = 0; j < i; j++) rests[j + 1] = rests[j] * sechSquare(u[row + j]);
      let dRest = (0.5 * dx[i + i * k]) / Math.sqrt(rests[i]);
      for (let j = i - 1; j >= 0; j--) {
        const z = Math.tanh(u[row + j]);
        const s = sechSquare(u[row + j]);
        const root = Math.sqrt(rests[j]);
        const g = dx[i + j * k];
        du[row + j] = (g * root - 2 * z * dRest * rests[j]) * s - 2 * z * dJacobian;
        dRest = (0.5 * g * z) / root + dRest * s + (0.5 * dJacobian) / rests[j];
      }
    }
  },
};

/**
 * Walks the partial correlations column by column, as Stan's read_corr_L does, writes the factor into `factor` and
 * returns log |J| of the matrix: Σ log(1 − z²) (1 + (K − c − 1)/2), c the 1-based column.
 */
function corrFactor(u: Float64Array, factor: Float64Array, k: number): number {
  const rest = new Float64Array(k).fill(1);
  let pos = 0;
  let logJacobian = 0;
  for (let c = 0; c < k; c++) {
    factor[c + c * k] = Math.sqrt(rest[c]);
    for (let i = c + 1; i < k; i++, pos++) {
      const s = sechSquare(u[pos]);
      factor[i + c * k] = Math.tanh(u[pos]) * Math.sqrt(rest[i]);
      rest[i] *= s;
      logJacobian += (1 + 0.5 * (k - c - 2)) * Math.log(s);
    }
  }
  return logJacobian;
}

/** Ω = L Lᵀ with the factor of {@link corrFactor}. */
export const corrMatrix: StructuredConstraint = {
  name: 'corr_matrix_constrain',
  isMatrix: true,
  shape: (numFree, sizes) => squareShape(numFree, sizes, false),
  numFree: (rows) => (rows * (rows - 1)) / 2,
  forward(u, x, { rows: k }: Shape) {
    const factor = new Float64Array(k * k);
    const logJacobian = corrFactor(u, factor, k);
    multiplySelfTranspose(factor, x, k);
    for (let i = 0; i < k; i++) x[i + i * k] = 1;
    return logJacobian;
  },
  reverse({ u, shape: { rows: k }, dx, dJacobian, du }: ReverseStep) {
    const factor = new Float64Array(k * k);
    corrFactor(u, factor, k);
    // the diagonal is the constant 1
    const g = dx.slice();
    for (let i = 0; i < k; i++) g[i + i * k] = 0;
    const dFactor = selfTransposeReverse(factor, g, k);
    for (let i = 1; i < k; i++) {
      // position of row i in column c: columns hold k − 1, k − 2, … values
      const at = (c: number): number => c * k - (c * (c + 1)) / 2 + (i - c - 1);
      const rests = new Float64Array(i + 1);
      rests[0] = 1;
      for (let c = 0; c < i; c++) rests[c + 1] = rests[c] * sechSquare(u[at(c)]);
      let dRest = (0.5 * dFactor[i + i * k]) / Math.sqrt(rests[i]);
      for (let c = i - 1; c >= 0; c--) {
        const pos = at(c);
        const z = Math.tanh(u[pos]);
        const s = sechSquare(u[pos]);
        const root = Math.sqrt(rests[c]);
        const d = dFactor[i + c * k];
        du[pos] =
          (d * root - 2 * z * dRest * rests[c]) * s - 2 * z * dJacobian * (1 + 0.5 * (k - c - 2));
        dRest = (0.5 * d * z) / root + dRest * s;
      }
    }
  },
};
