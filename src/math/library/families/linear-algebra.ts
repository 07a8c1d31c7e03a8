/**
 * Matrix products, solves, factorisations and quadratic forms (Stan functions reference, "Matrix operations").
 * Reverse derivatives follow Giles (2008), "An extended collection of matrix derivative results for forward and reverse
 * mode algorithmic differentiation"; that of the Cholesky factor Murray (2016).
 */
import { Matrix } from '../../autodiff/containers.ts';
import { ShapeError } from '../../errors.ts';
import { choleskyReverse } from '../../linalg/cholesky.ts';
import {
  addScaled,
  addTranspose,
  foldToLower,
  lowerTriangle,
  multiply,
  multiplyTransposedLeft,
  multiplyTransposedRight,
  transpose,
  zeros,
} from '../../linalg/products.ts';
import {
  factorLu,
  identity,
  inverseOfFactored,
  requireCholesky,
  requireSquare,
  requireSymmetric,
  solveCholesky,
  solveLower,
  solveLowerTransposed,
  solveLu,
  solveLuTransposed,
} from '../../linalg/solve.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type MatrixFunction, matrixForms } from '../machinery/matrix-forms.ts';
import { directProductsPart } from './direct-products.ts';

const product: MatrixFunction = {
  f: multiply,
  reverse({ args: [a, b], dy, d: [da, db] }) {
    if (da !== null) addScaled(da, multiplyTransposedRight(dy, b).data);
    if (db !== null) addScaled(db, multiplyTransposedLeft(a, dy).data);
  },
};

const crossprod: MatrixFunction = {
  f: (a) => multiplyTransposedLeft(a, a),
  reverse({ args: [a], dy, d: [da] }) {
    if (da !== null) addScaled(da, multiply(a, addTranspose(dy)).data);
  },
};

const tcrossprod: MatrixFunction = {
  f: (a) => multiplyTransposedRight(a, a),
  reverse({ args: [a], dy, d: [da] }) {
    if (da !== null) addScaled(da, multiply(addTranspose(dy), a).data);
  },
};

const lowerSelfTranspose: MatrixFunction = {
  f(a) {
    const l = lowerTriangle(a);
    return multiplyTransposedRight(l, l);
  },
  reverse({ args: [a], dy, d: [da] }) {
    const l = lowerTriangle(a);
    if (da !== null) addScaled(da, lowerTriangle(multiply(addTranspose(dy), l)).data);
  },
};

const cholesky: MatrixFunction = {
  f(a) {
    requireSymmetric('cholesky_decompose', a);
    return requireCholesky('cholesky_decompose', a);
  },
  reverse({ y, dy, d: [da] }) {
    if (da === null) return;
    const n = y.rows;
    addScaled(da, choleskyReverse(y.data, lowerTriangle(dy).data, n));
  },
};

function requireMatch(name: string, a: Matrix, b: Matrix, rowsOfB = b.rows): void {
  if (a.cols !== rowsOfB) {
    throw new ShapeError(
      `${name}: sizes ${a.rows} × ${a.cols} and ${b.rows} × ${b.cols} do not fit`,
    );
  }
}

/** X = L⁻¹ B: dB = L⁻ᵀ G, dL = −tril(dB Xᵀ). */
const solveLeftLower: MatrixFunction = {
  f(l, b) {
    requireSquare('mdivide_left_tri_low', l);
    requireMatch('mdivide_left_tri_low', l, b);
    return solveLower(l, b);
  },
  reverse({ args: [l], y, dy, d: [dl, db] }) {
    const g = solveLowerTransposed(l, dy);
    if (db !== null) addScaled(db, g.data);
    if (dl !== null) addScaled(dl, lowerTriangle(multiplyTransposedRight(g, y)).data, -1);
  },
};

/** X = B L⁻¹ = (L⁻ᵀ Bᵀ)ᵀ: dB = G L⁻ᵀ, dL = −tril(Xᵀ dB). */
const solveRightLower: MatrixFunction = {
  f(b, l) {
    requireSquare('mdivide_right_tri_low', l);
    requireMatch('mdivide_right_tri_low', b, l);
    return transpose(solveLowerTransposed(l, transpose(b)));
  },
  reverse({ args: [, l], y, dy, d: [db, dl] }) {
    const g = transpose(solveLower(l, transpose(dy)));
    if (db !== null) addScaled(db, g.data);
    if (dl !== null) addScaled(dl, lowerTriangle(multiplyTransposedLeft(y, g)).data, -1);
  },
};

/** X = A⁻¹ B for symmetric positive definite A: dB = A⁻¹ G, dA = −dB Xᵀ. */
const solveLeftSpd: MatrixFunction = {
  f(a, b) {
    requireMatch('mdivide_left_spd', a, b);
    return solveCholesky(requireCholesky('mdivide_left_spd', a), b);
  },
  reverse({ args: [a], y, dy, d: [da, db] }) {
    const g = solveCholesky(requireCholesky('mdivide_left_spd', a), dy);
    if (db !== null) addScaled(db, g.data);
    if (da !== null) addScaled(da, foldToLower(multiplyTransposedRight(g, y)), -1);
  },
};

const solveRightSpd: MatrixFunction = {
  f(b, a) {
    requireMatch('mdivide_right_spd', b, a);
    return transpose(solveCholesky(requireCholesky('mdivide_right_spd', a), transpose(b)));
  },
  reverse({ args: [, a], y, dy, d: [db, da] }) {
    const g = solveCholesky(requireCholesky('mdivide_right_spd', a), transpose(dy));
    if (db !== null) addScaled(db, transpose(g).data);
    if (da !== null) addScaled(da, foldToLower(multiply(g, y)), -1);
  },
};

/** X = A⁻¹ B: dB = A⁻ᵀ G, dA = −dB Xᵀ. */
const solveLeft: MatrixFunction = {
  f(a, b) {
    requireMatch('mdivide_left', a, b);
    return solveLu(factorLu('mdivide_left', a), b);
  },
  reverse({ args: [a], y, dy, d: [da, db] }) {
    const g = solveLuTransposed(factorLu('mdivide_left', a), dy);
    if (db !== null) addScaled(db, g.data);
    if (da !== null) addScaled(da, multiplyTransposedRight(g, y).data, -1);
  },
};

/** X = B A⁻¹: dB = G A⁻ᵀ, dA = −Xᵀ dB. */
const solveRight: MatrixFunction = {
  f(b, a) {
    requireMatch('mdivide_right', b, a);
    return transpose(solveLuTransposed(factorLu('mdivide_right', a), transpose(b)));
  },
  reverse({ args: [, a], y, dy, d: [db, da] }) {
    const g = transpose(solveLu(factorLu('mdivide_right', a), transpose(dy)));
    if (db !== null) addScaled(db, g.data);
    if (da !== null) addScaled(da, multiplyTransposedLeft(y, g).data, -1);
  },
};

/** Y = A⁻¹: dA = −Yᵀ G Yᵀ. */
const inverse: MatrixFunction = {
  f: (a) => solveLu(factorLu('inverse', a), identity(a.rows)),
  reverse({ y, dy, d: [da] }) {
    if (da !== null) {
      addScaled(da, multiplyTransposedRight(multiplyTransposedLeft(y, dy), y).data, -1);
    }
  },
};

const inverseSpd: MatrixFunction = {
  f(a) {
    requireSymmetric('inverse_spd', a);
    return inverseOfFactored(requireCholesky('inverse_spd', a));
  },
  reverse({ y, dy, d: [da] }) {
    if (da !== null) addScaled(da, foldToLower(multiply(multiply(y, dy), y)), -1);
  },
};

const scalar = (x: number): Matrix => new Matrix(1, 1, Float64Array.of(x));

const determinant: MatrixFunction = {
  f(a) {
    const { lu, sign } = factorLu('determinant', a);
    let d = sign;
    for (let i = 0; i < a.rows; i++) d *= lu.data[i + i * a.rows];
    return scalar(d);
  },
  reverse({ args: [a], y, dy, d: [da] }) {
    if (da === null) return;
    const inverseTransposed = solveLuTransposed(factorLu('determinant', a), identity(a.rows));
    addScaled(da, inverseTransposed.data, dy.data[0] * y.data[0]);
  },
};

/** log |det A|. */
const logDeterminant: MatrixFunction = {
  f(a) {
    const { lu } = factorLu('log_determinant', a);
    let s = 0;
    for (let i = 0; i < a.rows; i++) s += Math.log(Math.abs(lu.data[i + i * a.rows]));
    return scalar(s);
  },
  reverse({ args: [a], dy, d: [da] }) {
    if (da === null) return;
    const inverseTransposed = solveLuTransposed(factorLu('log_determinant', a), identity(a.rows));
    addScaled(da, inverseTransposed.data, dy.data[0]);
  },
};

const logDeterminantSpd: MatrixFunction = {
  f(a) {
    const l = requireCholesky('log_determinant_spd', a);
    let s = 0;
    for (let i = 0; i < a.rows; i++) s += 2 * Math.log(l.data[i + i * a.rows]);
    return scalar(s);
  },
  reverse({ args: [a], dy, d: [da] }) {
    if (da === null) return;
    const l = requireCholesky('log_determinant_spd', a);
    addScaled(da, foldToLower(inverseOfFactored(l)), dy.data[0]);
  },
};

const trace: MatrixFunction = {
  f(a) {
    requireSquare('trace', a);
    let s = 0;
    for (let i = 0; i < a.rows; i++) s += a.data[i + i * a.rows];
    return scalar(s);
  },
  reverse({ args: [a], dy, d: [da] }) {
    if (da !== null) for (let i = 0; i < a.rows; i++) da[i + i * a.rows] += dy.data[0];
  },
};

/** Bᵀ A B: dA = B G Bᵀ, dB = A B Gᵀ + Aᵀ B G. */
function quadForm(name: string, symmetric: boolean): MatrixFunction {
  return {
    f(a, b) {
      if (symmetric) requireSymmetric(name, a);
      else requireSquare(name, a);
      requireMatch(name, a, b);
      const y = multiplyTransposedLeft(b, multiply(a, b));
      if (!symmetric) return y;
      // rounding leaves the halves apart by an ulp: their mean is exactly symmetric
      const mean = addTranspose(y);
      for (let i = 0; i < mean.data.length; i++) mean.data[i] *= 0.5;
      return mean;
    },
    reverse({ args: [a, b], dy, d: [da, db] }) {
      const bg = multiply(b, dy);
      if (da !== null) addScaled(da, multiplyTransposedRight(bg, b).data);
      if (db === null) return;
      addScaled(db, multiply(a, multiplyTransposedRight(b, dy)).data);
      addScaled(db, multiplyTransposedLeft(a, bg).data);
    },
  };
}

function traceOfProduct(a: Matrix, b: Matrix): number {
  // tr(A Bᵀ)
  let s = 0;
  for (let i = 0; i < a.data.length; i++) s += a.data[i] * b.data[i];
  return s;
}

/** tr(Bᵀ A B): dA = g B Bᵀ, dB = g (A + Aᵀ) B. */
const traceQuadForm: MatrixFunction = {
  f(a, b) {
    requireSquare('trace_quad_form', a);
    requireMatch('trace_quad_form', a, b);
    return scalar(traceOfProduct(b, multiply(a, b)));
  },
  reverse({ args: [a, b], dy, d: [da, db] }) {
    const g = dy.data[0];
    if (da !== null) addScaled(da, multiplyTransposedRight(b, b).data, g);
    if (db !== null) addScaled(db, multiply(addTranspose(a), b).data, g);
  },
};

/** tr(D Bᵀ A B): dD = g (Bᵀ A B)ᵀ, dA = g B Dᵀ Bᵀ, dB = g (A B D + Aᵀ B Dᵀ). */
const traceGenQuadForm: MatrixFunction = {
  f(weight, a, b) {
    requireSquare('trace_gen_quad_form', a);
    requireSquare('trace_gen_quad_form', weight);
    requireMatch('trace_gen_quad_form', a, b);
    requireMatch('trace_gen_quad_form', b, weight);
    return scalar(traceOfProduct(transpose(weight), multiplyTransposedLeft(b, multiply(a, b))));
  },
  reverse({ args: [weight, a, b], dy, d: [dWeight, da, db] }) {
    const g = dy.data[0];
    const ab = multiply(a, b);
    const atb = multiplyTransposedLeft(a, b);
    if (dWeight !== null) addScaled(dWeight, multiplyTransposedLeft(ab, b).data, g);
    if (da !== null)
      addScaled(da, multiply(b, multiplyTransposedLeft(weight, transpose(b))).data, g);
    if (db === null) return;
    addScaled(db, multiply(ab, weight).data, g);
    addScaled(db, multiplyTransposedRight(atb, weight).data, g);
  },
};

/** tr(A B): dA = g Bᵀ, dB = g Aᵀ. */
const traceDot: MatrixFunction = {
  f(a, b) {
    requireMatch('trace_dot', a, b);
    requireMatch('trace_dot', b, a);
    return scalar(traceOfProduct(a, transpose(b)));
  },
  reverse({ args: [a, b], dy, d: [da, db] }) {
    if (da !== null) addScaled(da, transpose(b).data, dy.data[0]);
    if (db !== null) addScaled(db, transpose(a).data, dy.data[0]);
  },
};

const symmetrizeFromLower: MatrixFunction = {
  f(a) {
    requireSquare('symmetrize_from_lower_tri', a);
    const out = zeros(a.rows, a.rows);
    for (let j = 0; j < a.rows; j++) {
      for (let i = j; i < a.rows; i++) {
        out.data[i + j * a.rows] = a.data[i + j * a.rows];
        out.data[j + i * a.rows] = a.data[i + j * a.rows];
      }
    }
    return out;
  },
  reverse({ dy, d: [da] }) {
    if (da !== null) addScaled(da, foldToLower(dy));
  },
};

const part: Record<string, LibraryFunction> = {
  ...matrixForms('multiply', ['mm>m', 'mc>c', 'wm>w'], product),
  ...matrixForms('outer_product', ['cw>m'], product),
  ...matrixForms('crossprod', ['m>m'], crossprod),
  ...matrixForms('tcrossprod', ['m>m'], tcrossprod),
  ...matrixForms('multiply_lower_tri_self_transpose', ['m>m'], lowerSelfTranspose),
  ...matrixForms('cholesky_decompose', ['m>m'], cholesky),
  ...matrixForms('mdivide_left_tri_low', ['mm>m', 'mc>c'], solveLeftLower),
  ...matrixForms('mdivide_right_tri_low', ['mm>m', 'wm>w'], solveRightLower),
  ...matrixForms('mdivide_left_spd', ['mm>m', 'mc>c'], solveLeftSpd),
  ...matrixForms('mdivide_right_spd', ['mm>m', 'wm>w'], solveRightSpd),
  ...matrixForms('mdivide_left', ['mm>m', 'mc>c'], solveLeft),
  ...matrixForms('mdivide_right', ['mm>m', 'wm>w'], solveRight),
  ...matrixForms('inverse', ['m>m'], inverse),
  ...matrixForms('inverse_spd', ['m>m'], inverseSpd),
  ...matrixForms('determinant', ['m>s'], determinant),
  ...matrixForms('log_determinant', ['m>s'], logDeterminant),
  ...matrixForms('log_determinant_spd', ['m>s'], logDeterminantSpd),
  ...matrixForms('trace', ['m>s'], trace),
  ...matrixForms('trace_dot', ['mm>s'], traceDot),
  ...matrixForms('quad_form', ['mm>m', 'mc>s'], quadForm('quad_form', false)),
  ...matrixForms('quad_form_sym', ['mm>m', 'mc>s'], quadForm('quad_form_sym', true)),
  ...matrixForms('trace_quad_form', ['mm>s', 'mc>s'], traceQuadForm),
  ...matrixForms('trace_gen_quad_form', ['mmm>s'], traceGenQuadForm),
  ...matrixForms('symmetrize_from_lower_tri', ['m>m'], symmetrizeFromLower),
  ...directProductsPart,
};

export const linearAlgebraPart: LibraryPart = part;
