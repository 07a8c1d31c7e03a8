/** Eigenvalues, singular values, QR, matrix exponentials and powers (Stan functions reference, "Matrix operations"). */
import { Matrix } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError } from '../../errors.ts';
import { singularValues, symmetricEigen } from '../../linalg/eigen.ts';
import { matrixExponential, matrixExponentialReverse } from '../../linalg/exponential.ts';
import {
  addScaled,
  foldToLower,
  mapped,
  multiply,
  multiplyTransposedLeft,
  multiplyTransposedRight,
  transpose,
  zeros,
} from '../../linalg/products.ts';
import { factorQr, qrReverse } from '../../linalg/qr.ts';
import {
  factorLu,
  identity,
  requireSquare,
  requireSymmetric,
  solveLower,
  solveLowerTransposed,
  solveLu,
} from '../../linalg/solve.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type MatrixFunction, matrixForms } from '../machinery/matrix-forms.ts';

const column = (x: Float64Array): Matrix => new Matrix(x.length, 1, x);

/** λ ascending: dA = V diag(dλ) Vᵀ (Giles 2008, section 3.1). */
const eigenvaluesSym: MatrixFunction = {
  f(a) {
    requireSymmetric('eigenvalues_sym', a);
    return column(symmetricEigen(a).values);
  },
  reverse({ args: [a], dy, d: [da] }) {
    if (da === null) return;
    const { vectors } = symmetricEigen(a);
    const scaled = vectors.data.map((x, k) => x * dy.data[Math.floor(k / a.rows)]);
    const g = multiplyTransposedRight(new Matrix(a.rows, a.rows, scaled), vectors);
    addScaled(da, foldToLower(g));
  },
};

/** V: dA = V (F ∘ Vᵀ dV) Vᵀ, F_ij = 1/(λ_j − λ_i) (Giles 2008, section 3.1). */
const eigenvectorsSym: MatrixFunction = {
  f(a) {
    requireSymmetric('eigenvectors_sym', a);
    return symmetricEigen(a).vectors;
  },
  reverse({ args: [a], dy, d: [da] }) {
    if (da === null) return;
    const { values, vectors } = symmetricEigen(a);
    const n = a.rows;
    const inner = multiplyTransposedLeft(vectors, dy);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        inner.data[i + j * n] = i === j ? 0 : inner.data[i + j * n] / (values[j] - values[i]);
      }
    }
    const g = multiply(multiply(vectors, inner), transpose(vectors));
    addScaled(da, foldToLower(g));
  },
};

/** dA = U diag(dσ) Vᵀ. */
const singular: MatrixFunction = {
  f: (a) => column(singularValues(a).values),
  reverse({ args: [a], dy, d: [da] }) {
    if (da === null) return;
    const { u, v } = singularValues(a);
    const scaled = u.data.map((x, k) => x * dy.data[Math.floor(k / u.rows)]);
    addScaled(da, multiplyTransposedRight(new Matrix(u.rows, u.cols, scaled), v).data);
  },
};

/**
 * Adjoint of A from those of U and V (thin): with F_ij = 1/(σ_j² − σ_i²),
 * dA = U [(F∘(UᵀdU − dUᵀU)) Σ + Σ (F∘(VᵀdV − dVᵀV))] Vᵀ + (I − UUᵀ) dU Σ⁻¹ Vᵀ + U Σ⁻¹ dVᵀ (I − VVᵀ) (Townsend 2016).
 */
function svdReverse(a: Matrix, du: Matrix | null, dv: Matrix | null): Float64Array {
  const { values, u, v } = singularValues(a);
  const k = values.length;
  const inner = zeros(k, k);
  const add = (x: Matrix, dx: Matrix, onLeft: boolean): void => {
    const p = multiplyTransposedLeft(x, dx);
    for (let j = 0; j < k; j++) {
      for (let i = 0; i < k; i++) {
        if (i === j) continue;
        const f = 1 / (values[j] ** 2 - values[i] ** 2);
        const skew = f * (p.data[i + j * k] - p.data[j + i * k]);
        inner.data[i + j * k] += skew * (onLeft ? values[i] : values[j]);
      }
    }
  };
  if (du !== null) add(u, du, false);
  if (dv !== null) add(v, dv, true);
  const out = multiplyTransposedRight(multiply(u, inner), v).data;
  if (du !== null) addScaled(out, multiplyTransposedRight(outside(u, du, values), v).data);
  if (dv !== null) addScaled(out, multiplyTransposedRight(u, outside(v, dv, values)).data);
  return out;
}

/** (I − X Xᵀ) dX Σ⁻¹. */
function outside(x: Matrix, dx: Matrix, values: Float64Array): Matrix {
  const inside = multiply(x, multiplyTransposedLeft(x, dx));
  return mapped(dx, (d, i) => (d - inside.data[i]) / values[Math.floor(i / x.rows)]);
}

function svd(part: 'u' | 'v'): MatrixFunction {
  return {
    f: (a) => singularValues(a)[part],
    reverse({ args: [a], dy, d: [da] }) {
      if (da === null) return;
      addScaled(da, svdReverse(a, part === 'u' ? dy : null, part === 'v' ? dy : null));
    },
  };
}

function qr(part: 'q' | 'r', full: boolean): MatrixFunction {
  return {
    f: (a) => factorQr(a, full)[part],
    reverse({ args: [a], dy, d: [da] }) {
      if (da === null) return;
      addScaled(da, qrReverse(a, full, part === 'q' ? dy : null, part === 'r' ? dy : null).data);
    },
  };
}

const exponential: MatrixFunction = {
  f: matrixExponential,
  reverse({ args: [a], dy, d: [da] }) {
    if (da !== null) addScaled(da, matrixExponentialReverse(a, dy).data);
  },
};

/** exp(A) B. */
const exponentialTimes: MatrixFunction = {
  f: (a, b) => multiply(matrixExponential(a), b),
  reverse({ args: [a, b], dy, d: [da, db] }) {
    if (da !== null) {
      addScaled(da, matrixExponentialReverse(a, multiplyTransposedRight(dy, b)).data);
    }
    if (db !== null) addScaled(db, multiplyTransposedLeft(matrixExponential(a), dy).data);
  },
};

/** exp(t A) B. */
const scaledExponentialTimes: MatrixFunction = {
  f: (t, a, b) => multiply(matrixExponential(scaledBy(a, t.data[0])), b),
  reverse({ args: [t, a, b], dy, d: [dt, da, db] }) {
    const ta = scaledBy(a, t.data[0]);
    if (db !== null) addScaled(db, multiplyTransposedLeft(matrixExponential(ta), dy).data);
    if (dt === null && da === null) return;
    const g = matrixExponentialReverse(ta, multiplyTransposedRight(dy, b)).data;
    if (da !== null) addScaled(da, g, t.data[0]);
    if (dt !== null) for (let i = 0; i < g.length; i++) dt[0] += g[i] * a.data[i];
  },
};

function scaledBy(a: Matrix, f: number): Matrix {
  return mapped(a, (x) => x * f);
}

/** A⁺ through the normal equations, for full rank; dA as for the inverse of the smaller product. */
const pseudoInverse: MatrixFunction = {
  f(a) {
    if (a.rows >= a.cols) {
      const gram = multiplyTransposedLeft(a, a);
      return solveLu(factorLu('generalized_inverse', gram), transpose(a));
    }
    const gram = multiplyTransposedRight(a, a);
    return multiplyTransposedLeft(
      a,
      solveLu(factorLu('generalized_inverse', gram), identity(a.rows)),
    );
  },
  // Golub & Pereyra (1973), eq. 4.12, transposed
  reverse({ args: [a], y, dy, d: [da] }) {
    if (da === null) return;
    const yt = transpose(y);
    addScaled(da, multiply(multiply(yt, dy), yt).data.map((x) => -x) as Float64Array);
    // the part of the range: P = I − A A⁺ and Q = I − A⁺ A, one of which is 0
    const p = complement(multiply(a, y));
    const q = complement(multiply(y, a));
    addScaled(da, multiply(multiply(p, transpose(dy)), multiply(y, yt)).data);
    addScaled(da, multiply(multiply(yt, y), multiply(transpose(dy), q)).data);
  },
};

function complement(x: Matrix): Matrix {
  const out = identity(x.rows);
  addScaled(out.data, x.data, -1);
  return out;
}

/** (L Lᵀ)⁻¹. */
const inverseOfFactor: MatrixFunction = {
  f(l) {
    requireSquare('chol2inv', l);
    const inverse = solveLower(l, identity(l.rows));
    return multiplyTransposedLeft(inverse, inverse);
  },
  // with Y = (L Lᵀ)⁻¹: dL = −tril(Y (G + Gᵀ) L⁻ᵀ), and Y L = L⁻ᵀ
  reverse({ args: [l], y, dy, d: [dl] }) {
    if (dl === null) return;
    const sum = transpose(dy);
    addScaled(sum.data, dy.data);
    const g = multiply(multiply(y, sum), solveLowerTransposed(l, identity(l.rows)));
    for (let j = 0; j < l.cols; j++) {
      for (let i = j; i < l.rows; i++) dl[i + j * l.rows] -= g.data[i + j * l.rows];
    }
  },
};

/** Aⁿ through repeated products; the adjoint is Σ_k (Aᵏ)ᵀ G (Aⁿ⁻¹⁻ᵏ)ᵀ. */
function matrixPower(exponent: number): MatrixFunction {
  const power = (a: Matrix, n: number): Matrix => {
    let out = identity(a.rows);
    for (let k = 0; k < n; k++) out = multiply(out, a);
    return out;
  };
  return {
    f(a) {
      requireSquare('matrix_power', a);
      return power(a, exponent);
    },
    reverse({ args: [a], dy, d: [da] }) {
      if (da === null) return;
      for (let k = 0; k < exponent; k++) {
        const left = multiplyTransposedLeft(power(a, k), dy);
        addScaled(da, multiplyTransposedRight(left, power(a, exponent - 1 - k)).data);
      }
    },
  };
}

function powerForms(): Record<string, LibraryFunction> {
  const forms = (n: number): Record<string, LibraryFunction> => {
    if (!(n >= 0)) throw new DomainError(`matrix_power: exponent is ${n}, but must be nonnegative`);
    return matrixForms('', ['m>m'], matrixPower(n));
  };
  return {
    matrix_power__Mi: (a: Matrix, n: number) => forms(n).__M(a),
    matrix_power__Wi: (tape: Tape, a: unknown, n: number) => forms(n).__W(tape, a),
  };
}

export const decompositionsPart: LibraryPart = {
  ...matrixForms('eigenvalues_sym', ['m>c'], eigenvaluesSym),
  ...matrixForms('eigenvectors_sym', ['m>m'], eigenvectorsSym),
  ...matrixForms('singular_values', ['m>c'], singular),
  ...matrixForms('svd_U', ['m>m'], svd('u')),
  ...matrixForms('svd_V', ['m>m'], svd('v')),
  ...matrixForms('qr_Q', ['m>m'], qr('q', true)),
  ...matrixForms('qr_R', ['m>m'], qr('r', true)),
  ...matrixForms('qr_thin_Q', ['m>m'], qr('q', false)),
  ...matrixForms('qr_thin_R', ['m>m'], qr('r', false)),
  ...matrixForms('matrix_exp', ['m>m'], exponential),
  ...matrixForms('matrix_exp_multiply', ['mm>m'], exponentialTimes),
  ...matrixForms('scale_matrix_exp_multiply', ['smm>m'], scaledExponentialTimes),
  ...matrixForms('generalized_inverse', ['m>m'], pseudoInverse),
  ...matrixForms('chol2inv', ['m>m'], inverseOfFactor),
  ...powerForms(),
};
