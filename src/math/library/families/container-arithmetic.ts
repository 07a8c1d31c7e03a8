/** Elementwise operators on vectors and matrices, with scalars repeated, for every combination of data and active. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import { mapped } from '../../linalg/products.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { power } from './arithmetic.ts';
import {
  divideDataByRows,
  divideRows,
  divideRowsByData,
  linearRows,
  linearRowsData,
  minusRows,
  multiplyRows,
  multiplyRowsData,
  operandSlots,
  powDataByRows,
  powRows,
  powRowsByData,
  repeatReal,
  repeatSlot,
} from './row-kernels.ts';

/** One operator on n elements; names say which operands are active. The first three return their first slot. */
interface Kernels {
  readonly activeActive: (tape: Tape, a: Int32Array, b: Int32Array, n: number) => number;
  readonly activeData: (tape: Tape, a: Int32Array, b: Float64Array, n: number) => number;
  readonly dataActive: (tape: Tape, a: Float64Array, b: Int32Array, n: number) => number;
  readonly dataData: (a: Float64Array, b: Float64Array, n: number) => Float64Array;
}

const sum = { a: 1, b: 1 };
const difference = { a: 1, b: -1 };

const addKernels: Kernels = {
  activeActive: (tape, a, b, n) => linearRows(tape, a, b, n, sum),
  activeData: (tape, a, b, n) => linearRowsData(tape, a, b, n, sum),
  dataActive: (tape, a, b, n) => linearRowsData(tape, b, a, n, sum),
  dataData: (a, b, n) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
    return out;
  },
};

const subtractKernels: Kernels = {
  activeActive: (tape, a, b, n) => linearRows(tape, a, b, n, difference),
  activeData: (tape, a, b, n) => linearRowsData(tape, a, b, n, difference),
  dataActive: (tape, a, b, n) => linearRowsData(tape, b, a, n, { a: -1, b: 1 }),
  dataData: (a, b, n) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
    return out;
  },
};

const multiplyKernels: Kernels = {
  activeActive: multiplyRows,
  activeData: multiplyRowsData,
  dataActive: (tape, a, b, n) => multiplyRowsData(tape, b, a, n),
  dataData: (a, b, n) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
    return out;
  },
};

const divideKernels: Kernels = {
  activeActive: divideRows,
  activeData: divideRowsByData,
  dataActive: divideDataByRows,
  dataData: (a, b, n) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = a[i] / b[i];
    return out;
  },
};

const powKernels: Kernels = {
  activeActive: powRows,
  activeData: powRowsByData,
  dataActive: powDataByRows,
  dataData: (a, b, n) => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = power(a[i], b[i]);
    return out;
  },
};

function sameLength(a: number, b: number): number {
  if (a !== b) throw new ShapeError(`sizes of the operands must match: found ${a} and ${b}`);
  return a;
}

interface Shaped {
  readonly rows: number;
  readonly cols: number;
}

function sameShape(a: Shaped, b: Shaped): number {
  if (a.rows !== b.rows || a.cols !== b.cols) {
    throw new ShapeError(
      `sizes of the operands must match: found ${a.rows} × ${a.cols} and ${b.rows} × ${b.cols}`,
    );
  }
  return a.rows * a.cols;
}

/** Keys for two vectors of one length. */
function vectorPairs(name: string, k: Kernels): Record<string, LibraryFunction> {
  return {
    [`${name}__RR`]: (a: Float64Array, b: Float64Array) =>
      k.dataData(a, b, sameLength(a.length, b.length)),
    [`${name}__RV`]: (tape: Tape, a: Float64Array, b: ActiveVector) => {
      const n = sameLength(a.length, b.n);
      return new ActiveVector(n, k.dataActive(tape, a, operandSlots(b, n, 1), n));
    },
    [`${name}__VR`]: (tape: Tape, a: ActiveVector, b: Float64Array) => {
      const n = sameLength(a.n, b.length);
      return new ActiveVector(n, k.activeData(tape, operandSlots(a, n, 0), b, n));
    },
    [`${name}__VV`]: (tape: Tape, a: ActiveVector, b: ActiveVector) => {
      const n = sameLength(a.n, b.n);
      return new ActiveVector(
        n,
        k.activeActive(tape, operandSlots(a, n, 0), operandSlots(b, n, 1), n),
      );
    },
  };
}

/** Keys for two matrices of one shape. */
function matrixPairs(name: string, k: Kernels): Record<string, LibraryFunction> {
  return {
    [`${name}__MM`]: (a: Matrix, b: Matrix) =>
      new Matrix(a.rows, a.cols, k.dataData(a.data, b.data, sameShape(a, b))),
    [`${name}__MW`]: (tape: Tape, a: Matrix, b: ActiveMatrix) => {
      const n = sameShape(a, b);
      return new ActiveMatrix(a.rows, a.cols, k.dataActive(tape, a.data, operandSlots(b, n, 1), n));
    },
    [`${name}__WM`]: (tape: Tape, a: ActiveMatrix, b: Matrix) => {
      const n = sameShape(a, b);
      return new ActiveMatrix(a.rows, a.cols, k.activeData(tape, operandSlots(a, n, 0), b.data, n));
    },
    [`${name}__WW`]: (tape: Tape, a: ActiveMatrix, b: ActiveMatrix) => {
      const n = sameShape(a, b);
      const first = k.activeActive(tape, operandSlots(a, n, 0), operandSlots(b, n, 1), n);
      return new ActiveMatrix(a.rows, a.cols, first);
    },
  };
}

/** Keys for a scalar and a vector, in both orders. */
function scalarVector(name: string, k: Kernels): Record<string, LibraryFunction> {
  return {
    [`${name}__rR`]: (a: number, b: Float64Array) =>
      k.dataData(repeatReal(a, b.length, 0), b, b.length),
    [`${name}__rV`]: (tape: Tape, a: number, b: ActiveVector) =>
      new ActiveVector(
        b.n,
        k.dataActive(tape, repeatReal(a, b.n, 0), operandSlots(b, b.n, 1), b.n),
      ),
    [`${name}__vR`]: (tape: Tape, a: number, b: Float64Array) =>
      new ActiveVector(b.length, k.activeData(tape, repeatSlot(a, b.length, 0), b, b.length)),
    [`${name}__vV`]: (tape: Tape, a: number, b: ActiveVector) =>
      new ActiveVector(
        b.n,
        k.activeActive(tape, repeatSlot(a, b.n, 0), operandSlots(b, b.n, 1), b.n),
      ),
    [`${name}__Rr`]: (a: Float64Array, b: number) =>
      k.dataData(a, repeatReal(b, a.length, 1), a.length),
    [`${name}__Rv`]: (tape: Tape, a: Float64Array, b: number) =>
      new ActiveVector(a.length, k.dataActive(tape, a, repeatSlot(b, a.length, 1), a.length)),
    [`${name}__Vr`]: (tape: Tape, a: ActiveVector, b: number) =>
      new ActiveVector(
        a.n,
        k.activeData(tape, operandSlots(a, a.n, 0), repeatReal(b, a.n, 1), a.n),
      ),
    [`${name}__Vv`]: (tape: Tape, a: ActiveVector, b: number) =>
      new ActiveVector(
        a.n,
        k.activeActive(tape, operandSlots(a, a.n, 0), repeatSlot(b, a.n, 1), a.n),
      ),
  };
}

/** Keys for a scalar and a matrix, in both orders, derived from those for vectors. */
function scalarMatrix(
  name: string,
  vector: Record<string, LibraryFunction>,
): Record<string, LibraryFunction> {
  const on = (kinds: string) => vector[`${name}__${kinds}`];
  const flat = (x: ActiveMatrix) => new ActiveVector(x.rows * x.cols, x.base, x.slots);
  const active = (shape: Shaped, result: unknown) =>
    new ActiveMatrix(shape.rows, shape.cols, (result as ActiveVector).base);
  const data = (shape: Shaped, result: unknown) =>
    new Matrix(shape.rows, shape.cols, result as Float64Array);
  return {
    [`${name}__rM`]: (a: number, b: Matrix) => data(b, on('rR')(a, b.data)),
    [`${name}__rW`]: (t: Tape, a: number, b: ActiveMatrix) => active(b, on('rV')(t, a, flat(b))),
    [`${name}__vM`]: (t: Tape, a: number, b: Matrix) => active(b, on('vR')(t, a, b.data)),
    [`${name}__vW`]: (t: Tape, a: number, b: ActiveMatrix) => active(b, on('vV')(t, a, flat(b))),
    [`${name}__Mr`]: (a: Matrix, b: number) => data(a, on('Rr')(a.data, b)),
    [`${name}__Mv`]: (t: Tape, a: Matrix, b: number) => active(a, on('Rv')(t, a.data, b)),
    [`${name}__Wr`]: (t: Tape, a: ActiveMatrix, b: number) => active(a, on('Vr')(t, flat(a), b)),
    [`${name}__Wv`]: (t: Tape, a: ActiveMatrix, b: number) => active(a, on('Vv')(t, flat(a), b)),
  };
}

function withScalars(name: string, k: Kernels): Record<string, LibraryFunction> {
  const vector = scalarVector(name, k);
  return { ...vector, ...scalarMatrix(name, vector) };
}

function everyPair(name: string, k: Kernels): Record<string, LibraryFunction> {
  return { ...vectorPairs(name, k), ...matrixPairs(name, k), ...withScalars(name, k) };
}

/** The common length of the operands of a fused kernel. */
function commonLength(lengths: readonly number[]): number {
  for (const n of lengths) sameLength(lengths[0], n);
  return lengths[0];
}

function minusVector(tape: Tape, a: ActiveVector): ActiveVector {
  return new ActiveVector(a.n, minusRows(tape, operandSlots(a, a.n, 0), a.n));
}

/** `multiply` and `divide` of two containers are matrix algebra and are defined elsewhere. */
export const containerArithmeticPart: LibraryPart = {
  ...everyPair('add', addKernels),
  ...everyPair('subtract', subtractKernels),
  ...withScalars('multiply', multiplyKernels),
  ...withScalars('divide', divideKernels),
  ...everyPair('elt_multiply', multiplyKernels),
  ...everyPair('elt_divide', divideKernels),
  ...everyPair('pow', powKernels),
  ...everyPair('elt_pow', powKernels),
  $sameLength: commonLength,
  minus__I: (a: Int32Array) => a.map((x) => 0 - x),
  minus__R: (a: Float64Array) => a.map((x) => -x),
  minus__V: minusVector,
  minus__M: (a: Matrix) => mapped(a, (x) => -x),
  minus__W: (tape: Tape, a: ActiveMatrix) => {
    const n = a.rows * a.cols;
    return new ActiveMatrix(a.rows, a.cols, minusRows(tape, operandSlots(a, n, 0), n));
  },
};
