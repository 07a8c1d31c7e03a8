/**
 * The matrices of one Newton step for a latent Gaussian model: with prior covariance K and W the negative Hessian of the log
 * likelihood, R = (K + W⁻¹)⁻¹ and log |I + K W|, without inverting K or W (Rasmussen and Williams 2006, section 3.4.3;
 * Margossian 2023, section 3: the three decompositions that Stan numbers 1 to 3).
 */
import { Matrix } from '../autodiff/containers.ts';
import { choleskyFactor } from '../linalg/cholesky.ts';
import { multiply, multiplyTransposedLeft, transpose } from '../linalg/products.ts';
import { factorLu, identity, solveLower, solveLowerTransposed, solveLu } from '../linalg/solve.ts';
import { type Blocks, rootOfBlocks, timesBlocks } from './blocks.ts';

export interface NewtonSystem {
  readonly logDeterminant: number;
  /** R b. */
  apply(b: Float64Array): Float64Array;
  /** R. */
  full(): Matrix;
}

/** Null where the decomposition does not exist: W (1) or K (2) is not positive definite, or |I + K W| ≤ 0 (3). */
export function decompose(solver: number, k: Matrix, w: Blocks): NewtonSystem | null {
  if (solver === 1) return byRootOfW(k, w);
  return solver === 2 ? byRootOfK(k, w) : byLu(k, w);
}

const column = (b: Float64Array): Matrix => new Matrix(b.length, 1, b);

function logDeterminantOf(l: Matrix): number {
  let sum = 0;
  for (let i = 0; i < l.rows; i++) sum += Math.log(l.data[i + i * l.rows]);
  return 2 * sum;
}

/** The Cholesky factor of I + A. */
function factorOfNext(a: Matrix): Matrix | null {
  for (let i = 0; i < a.rows; i++) a.data[i + i * a.rows] += 1;
  const l = choleskyFactor(a.data, a.rows);
  return l && new Matrix(a.rows, a.rows, l);
}

/** W = C Cᵀ: R = C (I + Cᵀ K C)⁻¹ Cᵀ. */
function byRootOfW(k: Matrix, w: Blocks): NewtonSystem | null {
  const n = w.n;
  const root = rootOfBlocks(w);
  if (root === null) return null;
  // K is symmetric, so Cᵀ (Cᵀ K)ᵀ = Cᵀ K C
  const left = new Matrix(n, n, timesBlocks(root, k.data, n, true));
  const l = factorOfNext(new Matrix(n, n, timesBlocks(root, transpose(left).data, n, true)));
  if (l === null) return null;
  const inner = (b: Matrix) => timesBlocks(root, b.data, b.cols, true);
  const apply = (b: Float64Array) => {
    const x = solveLowerTransposed(l, solveLower(l, column(inner(column(b)))));
    return timesBlocks(root, x.data, 1);
  };
  const full = () => {
    const z = solveLower(l, new Matrix(n, n, inner(identity(n))));
    return multiplyTransposedLeft(z, z);
  };
  return { logDeterminant: logDeterminantOf(l), apply, full };
}

/** K = C Cᵀ: R = W − W C (I + Cᵀ W C)⁻¹ Cᵀ W. */
function byRootOfK(k: Matrix, w: Blocks): NewtonSystem | null {
  const n = w.n;
  const factor = choleskyFactor(k.data, n);
  if (factor === null) return null;
  const c = new Matrix(n, n, factor);
  const wc = new Matrix(n, n, timesBlocks(w, c.data, n));
  const l = factorOfNext(multiplyTransposedLeft(c, wc));
  if (l === null) return null;
  const apply = (b: Float64Array) => {
    const inner = solveLower(l, multiplyTransposedLeft(wc, column(b)));
    const taken = multiply(wc, solveLowerTransposed(l, inner)).data;
    return timesBlocks(w, b, 1).map((x, i) => x - taken[i]);
  };
  const full = () => {
    const z = solveLower(l, transpose(wc));
    const taken = multiplyTransposedLeft(z, z).data;
    return new Matrix(
      n,
      n,
      timesBlocks(w, identity(n).data, n).map((x, i) => x - taken[i]),
    );
  };
  return { logDeterminant: logDeterminantOf(l), apply, full };
}

/** R = W (I + K W)⁻¹. */
function byLu(k: Matrix, w: Blocks): NewtonSystem | null {
  const n = w.n;
  // W and K are symmetric: (W K)ᵀ = K W
  const a = transpose(new Matrix(n, n, timesBlocks(w, k.data, n)));
  for (let i = 0; i < n; i++) a.data[i + i * n] += 1;
  const factors = factorLu('laplace', a);
  let logDeterminant = 0;
  let { sign } = factors;
  for (let i = 0; i < n; i++) {
    const pivot = factors.lu.data[i + i * n];
    sign *= Math.sign(pivot);
    logDeterminant += Math.log(Math.abs(pivot));
  }
  if (!(sign > 0) || !Number.isFinite(logDeterminant)) return null;
  const solve = (b: Matrix) => timesBlocks(w, solveLu(factors, b).data, b.cols);
  return {
    logDeterminant,
    apply: (b) => solve(column(b)),
    full: () => new Matrix(n, n, solve(identity(n))),
  };
}
