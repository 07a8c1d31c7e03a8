/**
 * The normal approximation at each point of an L-BFGS path. Its covariance is L-BFGS's estimate of the inverse Hessian,
 * stored in factors, so that the cost of a draw is the number of parameters times the history.
 * Source: Zhang, Carpenter, Gelman & Vehtari 2022, JMLR 23(306), algorithms 3 and 4.
 */
import { Matrix } from '../../math/autodiff/containers.ts';
import { choleskyFactor } from '../../math/linalg/cholesky.ts';
import { factorQr } from '../../math/linalg/qr.ts';
import type { Rng } from '../../math/random/rng.ts';
import { dot } from './fit.ts';
import { isCurved, type Move, type PathPoint } from './lbfgs.ts';

export interface PathNormal {
  /** D. */
  readonly size: number;
  /** Writes a draw into `q` and returns its log density under the approximation, constants included. */
  draw(rng: Rng, q: Float64Array): number;
}

export interface PathNormals {
  /** The approximation at the next point of the path; null at the start, and if its covariance is not definite. */
  next(point: PathPoint): PathNormal | null;
}

export function createPathNormals(size: number, historySize: number): PathNormals {
  let alpha = new Float64Array(size).fill(1);
  let history: Move[] = [];
  return {
    next(point) {
      const { move } = point;
      if (move === null) return null;
      if (isCurved(move)) {
        alpha = updateDiagonal(alpha, move);
        history = [...history, move].slice(-historySize);
      }
      return normalAt(point, alpha, history);
    },
  };
}

/** The diagonal from which the next estimate starts (Gilbert & Lemaréchal 1989, eq. 4.9); its entries stay positive. */
function updateDiagonal(alpha: Float64Array<ArrayBuffer>, { s, y }: Move) {
  let a = 0;
  let c = 0;
  for (let i = 0; i < alpha.length; i++) {
    a += y[i] * alpha[i] * y[i];
    c += (s[i] * s[i]) / alpha[i];
  }
  const b = dot(y, s);
  return alpha.map((value, i) => {
    const inverse =
      a / (b * value) + (y[i] * y[i]) / b - (a * s[i] * s[i]) / (b * c * value * value);
    return 1 / inverse;
  });
}

/**
 * Σ = A^½ (I + B γ Bᵀ) A^½ with A = diag(α) and B = [A^½ Y, A^−½ S]; with B = Q R and I + R γ Rᵀ = L Lᵀ a draw is
 * μ + A^½ (u + Q (L − I) Qᵀ u).
 */
function normalAt(
  { x, gradient }: PathPoint,
  alpha: Float64Array,
  history: readonly Move[],
): PathNormal | null {
  const size = x.length;
  const root = alpha.map(Math.sqrt);
  const basis = basisOf(root, history);
  const { q: columns, r } = factorQr(basis, false);
  const core = coreOf(r, middleOf(root, history));
  const rank = columns.cols;
  const factor = choleskyFactor(core, rank);
  if (factor === null) return null;

  let logDeterminant = 0;
  for (let i = 0; i < size; i++) logDeterminant += Math.log(alpha[i]);
  for (let i = 0; i < rank; i++) logDeterminant += 2 * Math.log(factor[i + i * rank]);
  const constant = -0.5 * (logDeterminant + size * Math.log(2 * Math.PI));

  // μ = x − Σ g: `core − I` is (L Lᵀ − I)
  const mean = gradient.map((slope, i) => slope * root[i]);
  addWithin(columns, mean, (inside) => timesLessIdentity(core, inside, false));
  for (let i = 0; i < size; i++) mean[i] = x[i] - root[i] * mean[i];
  // the constant is not finite if an entry of the diagonal is 0, negative or infinite
  if (!mean.every(Number.isFinite) || !Number.isFinite(constant)) return null;
  return {
    size,
    draw(rng, q) {
      let square = 0;
      for (let i = 0; i < size; i++) {
        q[i] = rng.normal();
        square += q[i] * q[i];
      }
      addWithin(columns, q, (inside) => timesLessIdentity(factor, inside, true));
      for (let i = 0; i < size; i++) q[i] = mean[i] + root[i] * q[i];
      return constant - 0.5 * square;
    },
  };
}

/** B, D × 2m. */
function basisOf(root: Float64Array, history: readonly Move[]): Matrix {
  const size = root.length;
  const data = new Float64Array(2 * history.length * size);
  history.forEach(({ s, y }, k) => {
    for (let i = 0; i < size; i++) {
      data[k * size + i] = root[i] * y[i];
      data[(history.length + k) * size + i] = s[i] / root[i];
    }
  });
  return new Matrix(size, 2 * history.length, data);
}

/** γ = [[0, −E⁻¹], [−E⁻ᵀ, E⁻ᵀ (diag(SᵀY) + Yᵀ A Y) E⁻¹]] with E the upper triangle of SᵀY; column by column. */
function middleOf(root: Float64Array, history: readonly Move[]): Float64Array {
  const m = history.length;
  const width = 2 * m;
  const inverse = invertUpper(history);
  const inner = new Float64Array(m * m);
  const scaled = history.map(({ y }) => y.map((value, i) => value * root[i]));
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++)
      inner[i + j * m] =
        dot(scaled[i], scaled[j]) + (i === j ? dot(history[i].s, history[i].y) : 0);
  const gamma = new Float64Array(width * width);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) {
      gamma[i + (m + j) * width] = -inverse[i + j * m];
      gamma[m + j + i * width] = -inverse[i + j * m];
      let sum = 0;
      for (let k = 0; k < m; k++)
        for (let l = 0; l < m; l++)
          sum += inverse[k + i * m] * inner[k + l * m] * inverse[l + j * m];
      gamma[m + i + (m + j) * width] = sum;
    }
  }
  return gamma;
}

/** E⁻¹, m × m, column by column. */
function invertUpper(history: readonly Move[]): Float64Array {
  const m = history.length;
  const inverse = new Float64Array(m * m);
  for (let j = 0; j < m; j++) {
    for (let i = j; i >= 0; i--) {
      let sum = i === j ? 1 : 0;
      for (let k = i + 1; k <= j; k++) sum -= dot(history[i].s, history[k].y) * inverse[k + j * m];
      inverse[i + j * m] = sum / dot(history[i].s, history[i].y);
    }
  }
  return inverse;
}

/** I + R γ Rᵀ, column by column. */
function coreOf(r: Matrix, gamma: Float64Array): Float64Array {
  const { rows, cols, data } = r;
  const core = new Float64Array(rows * rows);
  const product = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < cols; j++) {
      let sum = 0;
      for (let k = 0; k < cols; k++) sum += data[i + k * rows] * gamma[k + j * cols];
      product[i + j * rows] = sum;
    }
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < rows; j++) {
      let sum = i === j ? 1 : 0;
      for (let k = 0; k < cols; k++) sum += product[i + k * rows] * data[j + k * rows];
      core[i + j * rows] = sum;
    }
  return core;
}

/** v ← v + Q change(Qᵀ v). */
function addWithin(
  columns: Matrix,
  v: Float64Array,
  change: (inside: Float64Array) => Float64Array,
): void {
  const { rows, cols, data } = columns;
  const inside = new Float64Array(cols);
  for (let k = 0; k < cols; k++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += data[i + k * rows] * v[i];
    inside[k] = sum;
  }
  const changed = change(inside);
  for (let k = 0; k < cols; k++)
    for (let i = 0; i < rows; i++) v[i] += data[i + k * rows] * changed[k];
}

/** (M − I) v; only the lower triangle is read if M is lower triangular. */
function timesLessIdentity(m: Float64Array, v: Float64Array, isLower: boolean): Float64Array {
  const size = v.length;
  return v.map((own, i) => {
    let sum = -own;
    for (let k = 0; k < (isLower ? i + 1 : size); k++) sum += m[i + k * size] * v[k];
    return sum;
  });
}
