/** The geometric mean A # B⁻¹ of two covariances, the symmetric S with S B S = A, in its eigenvectors: for estimates. */
import { Matrix } from '../autodiff/containers.ts';
import { choleskyFactor } from './cholesky.ts';
import { denseFor } from './dense.ts';
import { symmetricEigen } from './eigen.ts';
import { multiply, multiplyTransposedLeft, multiplyTransposedRight } from './products.ts';
import { solveLowerTransposed } from './solve.ts';

export interface Eigen {
  /** In no particular order. */
  readonly values: Float64Array;
  /** One column per value, orthonormal. */
  readonly vectors: Matrix;
}

/** However small the matrices are: the loops in JavaScript would first have to be compiled, which takes longer. */
const anyWork = Number.POSITIVE_INFINITY;

/**
 * Of A # B⁻¹ with A = X Xᵀ / columns + weight I and B likewise from `g`, which has the shape of `x`. Null if it is not
 * finite or B is not positive definite.
 */
export function eigenOfMean(x: Matrix, g: Matrix, weight: number): Eigen | null {
  const { rows: n, cols } = x;
  const numbers = x.data.length;
  const dense = denseFor(anyWork, 2 * numbers + 4 * n * (n + 1));
  if (dense === null) return eigenInJavaScript(x, g, weight);
  dense.put(0, x.data, 0, numbers);
  dense.put(numbers, g.data, 0, numbers);
  if (!dense.eigenOfMean(n, cols, weight)) return null;
  const vectors = new Matrix(n, n, new Float64Array(n * n));
  const values = new Float64Array(n);
  dense.take(2 * numbers, n * n, vectors.data, 0);
  dense.take(2 * numbers + n * n, n, values, 0);
  return { values, vectors };
}

/** With B = L Lᵀ, the mean is L⁻ᵀ (Lᵀ A L)^½ L⁻¹. */
function eigenInJavaScript(x: Matrix, g: Matrix, weight: number): Eigen | null {
  const n = x.rows;
  const factor = choleskyFactor(covariance(g, weight).data, n);
  if (factor === null) return null;
  const l = new Matrix(n, n, factor);
  const { values, vectors } = symmetricEigen(
    multiply(multiplyTransposedLeft(l, covariance(x, weight)), l),
  );
  for (let k = 0; k < n; k++) {
    const fourthRoot = Math.sqrt(Math.sqrt(Math.max(0, values[k])));
    for (let i = 0; i < n; i++) vectors.data[i + k * n] *= fourthRoot;
  }
  const half = solveLowerTransposed(l, vectors);
  const mean = multiplyTransposedRight(half, half);
  return mean.data.every(Number.isFinite) ? symmetricEigen(mean) : null;
}

function covariance(sample: Matrix, weight: number): Matrix {
  const product = multiplyTransposedRight(sample, sample);
  for (let k = 0; k < product.data.length; k++) {
    const onDiagonal = k % (sample.rows + 1) === 0;
    product.data[k] = product.data[k] / sample.cols + (onDiagonal ? weight : 0);
  }
  return product;
}
