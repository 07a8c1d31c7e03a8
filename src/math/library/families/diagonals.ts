/** Diagonals, scaling by diagonals and dot products of rows and columns. */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import { mapped, zeros } from '../../linalg/products.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type MatrixFunction, matrixForms } from '../machinery/matrix-forms.ts';

/** The diagonal shares the matrix's slots. */
const diagonalForms: LibraryPart = {
  diagonal__M: (a: Matrix) =>
    Float64Array.from({ length: Math.min(a.rows, a.cols) }, (_, i) => a.data[i + i * a.rows]),
  diagonal__W: (_tape: Tape, a: ActiveMatrix) => {
    const n = Math.min(a.rows, a.cols);
    return new ActiveVector(
      n,
      0,
      Int32Array.from({ length: n }, (_, i) => slotAt(a, i + i * a.rows)),
    );
  },
  diag_matrix__R: (x: Float64Array) => {
    const out = zeros(x.length, x.length);
    for (let i = 0; i < x.length; i++) out.data[i + i * x.length] = x[i];
    return out;
  },
  diag_matrix__V: (tape: Tape, x: ActiveVector) => {
    const slots = new Int32Array(x.n * x.n).fill(tape.constant(0));
    for (let i = 0; i < x.n; i++) slots[i + i * x.n] = slotAt(x, i);
    return new ActiveMatrix(x.n, x.n, 0, slots);
  },
};

function requireSize(name: string, n: number, m: number): void {
  if (n !== m) throw new ShapeError(`${name}: sizes ${n} and ${m} must match`);
}

/** diag(v) A: rows scaled. */
const preMultiply: MatrixFunction = {
  f(v, a) {
    requireSize('diag_pre_multiply', v.data.length, a.rows);
    return mapped(a, (x, k) => x * v.data[k % a.rows]);
  },
  reverse({ args: [v, a], dy, d: [dv, da] }) {
    for (let k = 0; k < a.data.length; k++) {
      const i = k % a.rows;
      if (dv !== null) dv[i] += dy.data[k] * a.data[k];
      if (da !== null) da[k] += dy.data[k] * v.data[i];
    }
  },
};

/** A diag(v): columns scaled. */
const postMultiply: MatrixFunction = {
  f(a, v) {
    requireSize('diag_post_multiply', v.data.length, a.cols);
    return mapped(a, (x, k) => x * v.data[Math.floor(k / a.rows)]);
  },
  reverse({ args: [a, v], dy, d: [da, dv] }) {
    for (let k = 0; k < a.data.length; k++) {
      const j = Math.floor(k / a.rows);
      if (dv !== null) dv[j] += dy.data[k] * a.data[k];
      if (da !== null) da[k] += dy.data[k] * v.data[j];
    }
  },
};

/** diag(v) A diag(v). */
const quadFormDiag: MatrixFunction = {
  f(a, v) {
    requireSize('quad_form_diag', v.data.length, a.rows);
    requireSize('quad_form_diag', a.cols, a.rows);
    return mapped(a, (x, k) => x * v.data[k % a.rows] * v.data[Math.floor(k / a.rows)]);
  },
  reverse({ args: [a, v], dy, d: [da, dv] }) {
    for (let k = 0; k < a.data.length; k++) {
      const i = k % a.rows;
      const j = Math.floor(k / a.rows);
      const g = dy.data[k];
      if (da !== null) da[k] += g * v.data[i] * v.data[j];
      if (dv === null) continue;
      dv[i] += g * a.data[k] * v.data[j];
      dv[j] += g * a.data[k] * v.data[i];
    }
  },
};

/** A with v (or one number) added to its diagonal. */
const addDiag: MatrixFunction = {
  f(a, v) {
    const n = Math.min(a.rows, a.cols);
    const isScalar = v.rows === 1 && v.cols === 1;
    if (!isScalar) requireSize('add_diag', v.data.length, n);
    const out = new Matrix(a.rows, a.cols, a.data.slice());
    for (let i = 0; i < n; i++) out.data[i + i * a.rows] += v.data[isScalar ? 0 : i];
    return out;
  },
  reverse({ args: [a, v], dy, d: [da, dv] }) {
    if (da !== null) for (let k = 0; k < da.length; k++) da[k] += dy.data[k];
    if (dv === null) return;
    const isScalar = v.rows === 1 && v.cols === 1;
    for (let i = 0; i < Math.min(a.rows, a.cols); i++) {
      dv[isScalar ? 0 : i] += dy.data[i + i * a.rows];
    }
  },
};

/** Dot products of matching rows (`byRow`) or columns. */
function dotProducts(name: string, byRow: boolean): MatrixFunction {
  const lineOf = (a: Matrix, k: number): number => (byRow ? k % a.rows : Math.floor(k / a.rows));
  return {
    f(a, b) {
      requireSize(name, a.rows, b.rows);
      requireSize(name, a.cols, b.cols);
      const n = byRow ? a.rows : a.cols;
      const out = byRow ? zeros(n, 1) : zeros(1, n);
      for (let k = 0; k < a.data.length; k++) out.data[lineOf(a, k)] += a.data[k] * b.data[k];
      return out;
    },
    reverse({ args: [a, b], dy, d: [da, db] }) {
      for (let k = 0; k < a.data.length; k++) {
        const g = dy.data[lineOf(a, k)];
        if (da !== null) da[k] += g * b.data[k];
        if (db !== null) db[k] += g * a.data[k];
      }
    },
  };
}

function selfDotProducts(name: string, byRow: boolean): MatrixFunction {
  const pair = dotProducts(name, byRow);
  return {
    f: (a) => pair.f(a, a),
    reverse: ({ args: [a], y, dy, d: [da] }) => pair.reverse({ args: [a, a], y, dy, d: [da, da] }),
  };
}

const part: Record<string, LibraryFunction> = {
  ...diagonalForms,
  ...matrixForms('diag_pre_multiply', ['cm>m'], preMultiply),
  ...matrixForms('diag_post_multiply', ['mc>m'], postMultiply),
  ...matrixForms('quad_form_diag', ['mc>m'], quadFormDiag),
  ...matrixForms('add_diag', ['mc>m', 'ms>m'], addDiag),
  // vectors are taken as columns: rows_dot_product of two vectors is their elementwise product
  ...matrixForms('rows_dot_product', ['mm>c', 'cc>c'], dotProducts('rows_dot_product', true)),
  ...matrixForms(
    'columns_dot_product',
    ['mm>w', 'cc>w'],
    dotProducts('columns_dot_product', false),
  ),
  ...matrixForms('rows_dot_self', ['m>c', 'c>c'], selfDotProducts('rows_dot_self', true)),
  ...matrixForms('columns_dot_self', ['m>w', 'c>w'], selfDotProducts('columns_dot_self', false)),
};

export const diagonalsPart: LibraryPart = part;
