/** The multivariate normal density given a Cholesky factor, for the sweeps of regions (see language/adjoint). */
import { Matrix } from '../../autodiff/containers.ts';
import { Tape } from '../../autodiff/tape.ts';
import { multiNormalCholeskyLpdf } from '../../distributions/multi-normal.ts';
import { logTwoPi } from '../../special/constants.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

const idleTape = new Tape();
let scratch = new Float64Array(16);

/**
 * log N(y | mu, L L′) of n elements. y and mu are views, L is `rows` × `cols` at `lStart`; `isFixed`: L is data. Unless `at`
 * is negative, z = L⁻¹(y − mu), w = L⁻ᵀ z and the inverse of the diagonal of L go to `K[at …]`. If the operands are wrong,
 * the library's density throws.
 */
function multiNormalCholesky(
  y: Float64Array,
  yStart: number,
  yStride: number,
  n: number,
  mu: Float64Array,
  muStart: number,
  muStride: number,
  numMu: number,
  l: Float64Array,
  lStart: number,
  rows: number,
  cols: number,
  isFixed: boolean,
  propto: boolean,
  K: Float64Array,
  at: number,
): number {
  if (scratch.length < 2 * n) scratch = new Float64Array(4 * n);
  const z = scratch;
  let lp = Number.NaN;
  if (n > 0 && numMu === n && rows === n && cols === n) {
    let [squares, logs] = [0, 0];
    for (let i = 0; i < n; i++) z[i] = y[yStart + i * yStride] - mu[muStart + i * muStride];
    for (let j = 0; j < n; j++) {
      const column = lStart + j * n;
      const diagonal = l[column + j];
      const f = z[j] / diagonal;
      z[j] = f;
      for (let i = j + 1; i < n; i++) z[i] -= f * l[column + i];
      squares += f * f;
      logs += Math.log(diagonal > 0 ? diagonal : Number.NaN);
    }
    // also if they are not added: whether L is a factor
    lp = Math.abs(logs) < Infinity ? -0.5 * squares : Number.NaN;
    if (!propto || !isFixed) lp -= logs;
    if (!propto) lp -= 0.5 * n * logTwoPi;
  }
  if (!(Math.abs(lp) < Infinity)) {
    const factor = new Matrix(rows, cols, gather(l, lStart, 1, rows * cols));
    const given = [gather(y, yStart, yStride, n), gather(mu, muStart, muStride, numMu), factor];
    lp = multiNormalCholeskyLpdf(idleTape, false, 'RRM', ...given) as number;
  }
  if (at >= 0) keepWhitened(K, l, lStart, n, at);
  return lp;
}

function gather(x: Float64Array, start: number, stride: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => x[start + i * stride]);
}

/** z is in the scratch. */
function keepWhitened(
  K: Float64Array,
  l: Float64Array,
  lStart: number,
  n: number,
  at: number,
): void {
  for (let j = n - 1; j >= 0; j--) {
    const column = lStart + j * n;
    const inverse = 1 / l[column + j];
    let rest = scratch[j];
    for (let i = j + 1; i < n; i++) rest -= l[column + i] * K[at + n + i];
    K[at + j] = scratch[j];
    K[at + n + j] = rest * inverse;
    K[at + 2 * n + j] = inverse;
  }
}

/** Adds g w, the adjoint of the mean, to a view; of the outcome it is −g w. */
function locationAdjoint(
  K: Float64Array,
  D: Float64Array,
  g: number,
  at: number,
  start: number,
  stride: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) D[start + i * stride] += g * K[at + n + i];
}

/** Adds g (tril(w z′) − diag(1/L)), the adjoint of L. */
function factorAdjoint(
  K: Float64Array,
  D: Float64Array,
  g: number,
  at: number,
  start: number,
  n: number,
): void {
  for (let j = 0; j < n; j++) {
    const column = start + j * n;
    const f = g * K[at + j];
    for (let i = j; i < n; i++) D[column + i] += f * K[at + n + i];
    D[column + j] -= g * K[at + 2 * n + j];
  }
}

export const multiNormalPart: LibraryPart = {
  $multi_normal_cholesky: multiNormalCholesky,
  $location_adjoint: locationAdjoint,
  $factor_adjoint: factorAdjoint,
};
