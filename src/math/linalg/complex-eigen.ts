/** Eigenvalues and eigenvectors of complex matrices, general and Hermitian, with their adjoints. */
import {
  adjointOf,
  ComplexMatrix,
  fixPhase,
  product,
  scaleColumn,
  solveComplex,
  withoutPhase,
} from './complex.ts';
import { complexSchur } from './complex-schur.ts';

export interface ComplexEigen {
  /** One column. */
  readonly values: ComplexMatrix;
  /** Of length 1; the largest component of each is real and positive. */
  readonly vectors: ComplexMatrix;
}

/** A V = V diag(λ), by back substitution in the Schur form (Golub & Van Loan, section 7.6.4). */
export function complexEigen(name: string, a: ComplexMatrix): ComplexEigen {
  const n = a.rows;
  const { t, u } = complexSchur(name, a);
  const norm = Math.hypot(...t.re, ...t.im);
  const smallest = Math.max(norm * Number.EPSILON, Number.MIN_VALUE);
  const x = new ComplexMatrix(n, n);
  for (let j = 0; j < n; j++) {
    x.re[j + j * n] = 1;
    for (let i = j - 1; i >= 0; i--) {
      let [p, q] = [0, 0];
      for (let k = i + 1; k <= j; k++) {
        const [left, right] = [i + k * n, k + j * n];
        p -= t.re[left] * x.re[right] - t.im[left] * x.im[right];
        q -= t.re[left] * x.im[right] + t.im[left] * x.re[right];
      }
      let c = t.re[i + i * n] - t.re[j + j * n];
      const d = t.im[i + i * n] - t.im[j + j * n];
      if (Math.hypot(c, d) < smallest) c = smallest;
      const size = c * c + d * d;
      x.re[i + j * n] = (p * c + q * d) / size;
      x.im[i + j * n] = (q * c - p * d) / size;
    }
  }
  const vectors = product(u, x);
  const values = new ComplexMatrix(n, 1);
  const isReal = a.im.every((y) => y === 0);
  for (let j = 0; j < n; j++) {
    values.re[j] = t.re[j + j * n];
    // imaginary part that rounding gives a real eigenvalue of a real matrix
    const y = t.im[j + j * n];
    values.im[j] = isReal && Math.abs(y) <= 4 * n * smallest ? 0 : y;
    const column = j * n;
    const length = Math.hypot(
      ...vectors.re.subarray(column, column + n),
      ...vectors.im.subarray(column, column + n),
    );
    scaleColumn(vectors, j, [1 / length, 0]);
    fixPhase(vectors, j);
  }
  return { values, vectors };
}

/**
 * The adjoint of A from those of λ and V: with dλ = diag P and dV = V (F ∘ P), P = V⁻¹ dA V, F_ij = 1/(λ_j − λ_i), before
 * length and phase are fixed (Boeddeker et al. 2017, "On the computation of complex-valued gradients", section 4.4).
 */
export function eigenReverse(
  name: string,
  { values, vectors }: ComplexEigen,
  {
    dValues,
    dVectors,
  }: { readonly dValues: ComplexMatrix | null; readonly dVectors: ComplexMatrix | null },
): ComplexMatrix {
  const n = vectors.rows;
  const vh = adjointOf(vectors);
  const inner = dVectors ? product(vh, fixedLength(vectors, dVectors)) : new ComplexMatrix(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const at = i + j * n;
      if (i === j) {
        inner.re[at] = dValues?.re[j] ?? 0;
        inner.im[at] = dValues?.im[j] ?? 0;
        continue;
      }
      // by the conjugate of λ_j − λ_i
      const c = values.re[j] - values.re[i];
      const d = values.im[i] - values.im[j];
      const size = c * c + d * d;
      const [a, b] = [inner.re[at], inner.im[at]];
      inner.re[at] = (a * c + b * d) / size;
      inner.im[at] = (b * c - a * d) / size;
    }
  }
  return solveComplex(name, vh, product(inner, vh));
}

/** The adjoint of the vectors before their length and phase are fixed. */
function fixedLength(v: ComplexMatrix, dv: ComplexMatrix): ComplexMatrix {
  const n = v.rows;
  const out = new ComplexMatrix(n, v.cols, dv.re.slice(), dv.im.slice());
  const turns = Array.from({ length: v.cols }, (_, j) => {
    let [along, across] = [0, 0];
    for (let i = j * n; i < (j + 1) * n; i++) {
      along += v.re[i] * dv.re[i] + v.im[i] * dv.im[i];
      across += v.re[i] * dv.im[i] - v.im[i] * dv.re[i];
    }
    for (let i = j * n; i < (j + 1) * n; i++) {
      out.re[i] -= along * v.re[i];
      out.im[i] -= along * v.im[i];
    }
    return across;
  });
  withoutPhase(out, v, (j) => turns[j]);
  return out;
}

/** For a Hermitian matrix, from its lower triangle; values ascending, vectors unitary. */
export function hermitianEigen(name: string, a: ComplexMatrix): ComplexEigen {
  const n = a.rows;
  const whole = new ComplexMatrix(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const [x, y] = [a.re[i + j * n], i === j ? 0 : a.im[i + j * n]];
      whole.re[i + j * n] = whole.re[j + i * n] = x;
      whole.im[i + j * n] = y;
      if (i !== j) whole.im[j + i * n] = -y;
    }
  }
  const { t, u } = complexSchur(name, whole);
  const order = Array.from({ length: n }, (_, i) => i).sort(
    (i, j) => t.re[i + i * n] - t.re[j + j * n],
  );
  const values = new ComplexMatrix(n, 1);
  const vectors = new ComplexMatrix(n, n);
  for (const [k, from] of order.entries()) {
    values.re[k] = t.re[from + from * n];
    vectors.re.set(u.re.subarray(from * n, (from + 1) * n), k * n);
    vectors.im.set(u.im.subarray(from * n, (from + 1) * n), k * n);
  }
  return { values, vectors };
}

/** The adjoint of the lower triangle, whose conjugate is the upper one. */
export function foldToHermitian(g: ComplexMatrix): ComplexMatrix {
  const n = g.rows;
  const out = new ComplexMatrix(n, n);
  for (let j = 0; j < n; j++) {
    out.re[j + j * n] = g.re[j + j * n];
    for (let i = j + 1; i < n; i++) {
      out.re[i + j * n] = g.re[i + j * n] + g.re[j + i * n];
      out.im[i + j * n] = g.im[i + j * n] - g.im[j + i * n];
    }
  }
  return out;
}
