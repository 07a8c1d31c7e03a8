/** Inverses and checks of the matrix constraints, on data, for inits and declared constraints. */
import { Matrix } from '../autodiff/containers.ts';
import { messageNumber } from '../autodiff/operand.ts';
import { DomainError } from '../errors.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';

const tolerance = 1e-8;

function checkSquare(name: string, what: string, x: Matrix): void {
  if (x.rows !== x.cols) {
    throw new DomainError(
      `${name} is not a valid ${what}. It has ${x.rows} rows and ${x.cols} columns`,
    );
  }
}

function checkSymmetric(name: string, what: string, x: Matrix): void {
  const { rows: k, data } = x;
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < i; j++) {
      const below = data[i + j * k];
      const above = data[j + i * k];
      if (!(Math.abs(below - above) <= tolerance)) {
        throw new DomainError(
          `${name} is not a valid ${what}. It is not symmetric: ${name}[${i + 1},${j + 1}] = ${messageNumber(below)}, but ${name}[${j + 1},${i + 1}] = ${messageNumber(above)}`,
        );
      }
    }
  }
}

function checkPositiveDefinite(name: string, what: string, x: Matrix): void {
  if (choleskyFactor(x.data, x.rows) === null) {
    throw new DomainError(`${name} is not a valid ${what}. It is not positive definite`);
  }
}

function checkLower(name: string, what: string, x: Matrix): void {
  for (let j = 0; j < x.cols; j++) {
    for (let i = 0; i < Math.min(j, x.rows); i++) {
      if (x.data[i + j * x.rows] !== 0) {
        throw new DomainError(
          `${name} is not a valid ${what}. It is not lower triangular: ${name}[${i + 1},${j + 1}] = ${messageNumber(x.data[i + j * x.rows])}`,
        );
      }
    }
    if (!(x.data[j + j * x.rows] > 0)) {
      throw new DomainError(
        `${name} is not a valid ${what}. Its diagonal must be positive, but ${name}[${j + 1},${j + 1}] = ${messageNumber(x.data[j + j * x.rows])}`,
      );
    }
  }
}

export function checkCholeskyFactorCov(name: string, x: Matrix): void {
  if (x.rows < x.cols) {
    throw new DomainError(
      `${name} is not a valid cholesky_factor_cov. It has more columns than rows`,
    );
  }
  checkLower(name, 'cholesky_factor_cov', x);
}

export function checkCholeskyFactorCorr(name: string, x: Matrix): void {
  checkSquare(name, 'cholesky_factor_corr', x);
  checkLower(name, 'cholesky_factor_corr', x);
  for (let i = 0; i < x.rows; i++) {
    let sum = 0;
    for (let j = 0; j <= i; j++) sum += x.data[i + j * x.rows] ** 2;
    if (!(Math.abs(sum - 1) <= tolerance)) {
      throw new DomainError(
        `${name} is not a valid cholesky_factor_corr. Row ${i + 1} should have length 1, but its square is ${messageNumber(sum)}`,
      );
    }
  }
}

export function checkCovMatrix(name: string, x: Matrix): void {
  checkSquare(name, 'cov_matrix', x);
  checkSymmetric(name, 'cov_matrix', x);
  checkPositiveDefinite(name, 'cov_matrix', x);
}

export function checkCorrMatrix(name: string, x: Matrix): void {
  checkSquare(name, 'corr_matrix', x);
  checkSymmetric(name, 'corr_matrix', x);
  for (let i = 0; i < x.rows; i++) {
    const d = x.data[i + i * x.rows];
    if (!(Math.abs(d - 1) <= tolerance)) {
      throw new DomainError(
        `${name} is not a valid corr_matrix. ${name}[${i + 1},${i + 1}] is ${messageNumber(d)}, but should be 1`,
      );
    }
  }
  checkPositiveDefinite(name, 'corr_matrix', x);
}

/** Free values of a Cholesky factor: rows of the lower triangle, logarithms on the diagonal. */
export function choleskyFactorCovFree(x: Matrix): Float64Array {
  checkCholeskyFactorCov('value', x);
  const u: number[] = [];
  for (let i = 0; i < x.rows; i++) {
    for (let j = 0; j < Math.min(i, x.cols); j++) u.push(x.data[i + j * x.rows]);
    if (i < x.cols) u.push(Math.log(x.data[i + i * x.rows]));
  }
  return Float64Array.from(u);
}

export function covMatrixFree(x: Matrix): Float64Array {
  checkCovMatrix('value', x);
  return choleskyFactorCovFree(new Matrix(x.rows, x.rows, factorOf(x)));
}

export function choleskyFactorCorrFree(x: Matrix): Float64Array {
  checkCholeskyFactorCorr('value', x);
  const u: number[] = [];
  for (let i = 0; i < x.rows; i++) u.push(...partialCorrelations(x.data, x.rows, i));
  return Float64Array.from(u);
}

export function corrMatrixFree(x: Matrix): Float64Array {
  checkCorrMatrix('value', x);
  const k = x.rows;
  const factor = factorOf(x);
  const rows = Array.from({ length: k }, (_, i) => partialCorrelations(factor, k, i));
  const u: number[] = [];
  for (let c = 0; c < k; c++) for (let i = c + 1; i < k; i++) u.push(rows[i][c]);
  return Float64Array.from(u);
}

function factorOf(x: Matrix): Float64Array {
  const factor = choleskyFactor(x.data, x.rows);
  if (factor === null) throw new DomainError('value is not positive definite');
  return factor;
}

/** atanh of the canonical partial correlations in row i of a factor whose rows have length 1. */
function partialCorrelations(factor: Float64Array, k: number, i: number): number[] {
  const u: number[] = [];
  // what remains of the row's length, summed from the diagonal so that no digits are lost
  const rest = new Float64Array(i + 1);
  let sum = 0;
  for (let j = i; j >= 0; j--) {
    sum += factor[i + j * k] ** 2;
    rest[j] = sum;
  }
  for (let j = 0; j < i; j++) u.push(Math.atanh(factor[i + j * k] / Math.sqrt(rest[j])));
  return u;
}
