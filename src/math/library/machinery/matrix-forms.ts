/**
 * Turns a matrix function and its reverse derivative into library forms for every mix of data and active arguments.
 *
 * A pattern names the shapes of arguments and result, one letter each: `m` matrix, `c` vector as a column, `w` vector as
 * a row, `s` scalar, `i` int; `'mc>c'` is matrix × vector. The function sees all of them as matrices (a scalar is 1 × 1).
 * On the tape a call is one block of slots with one reverse callback.
 */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import type { LibraryFunction } from './implementation.ts';

export interface MatrixFunction {
  f(...args: Matrix[]): Matrix;
  /** Adds to `d[k]` the adjoint of argument k; null where the argument is data. */
  reverse(step: MatrixReverse): void;
}

export interface MatrixReverse {
  readonly args: readonly Matrix[];
  /** The result and its adjoint. */
  readonly y: Matrix;
  readonly dy: Matrix;
  readonly d: readonly (Float64Array | null)[];
}

const lettersOf: Readonly<Record<string, readonly [string, string]>> = {
  m: ['M', 'W'],
  c: ['R', 'V'],
  w: ['R', 'V'],
  s: ['r', 'v'],
};

/** Keys `name__kinds` of every data/active mix of every pattern. */
export function matrixForms(
  name: string,
  patterns: readonly string[],
  fn: MatrixFunction,
): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  for (const pattern of patterns) {
    const [shapes, result] = pattern.split('>');
    for (let mask = 0; mask < 2 ** shapes.length; mask++) {
      const active = Array.from(shapes, (_, k) => ((mask >> k) & 1) === 1);
      const kinds = Array.from(shapes, (s, k) => lettersOf[s][active[k] ? 1 : 0]).join('');
      out[`${name}__${kinds}`] =
        mask === 0
          ? (...args: unknown[]) => dataCall(fn, shapes, result, args)
          : (tape: Tape, ...args: unknown[]) =>
              activeCall(tape, fn, { shapes, result, active }, args);
    }
  }
  return out;
}

function asMatrix(shape: string, x: unknown): Matrix {
  switch (shape) {
    case 'm':
      return x as Matrix;
    case 'c':
      return new Matrix((x as Float64Array).length, 1, x as Float64Array);
    case 'w':
      return new Matrix(1, (x as Float64Array).length, x as Float64Array);
    default:
      return new Matrix(1, 1, Float64Array.of(x as number));
  }
}

function dataCall(
  fn: MatrixFunction,
  shapes: string,
  result: string,
  args: readonly unknown[],
): unknown {
  const y = fn.f(...args.map((x, k) => asMatrix(shapes[k], x)));
  if (result === 'm') return y;
  return result === 's' ? y.data[0] : y.data;
}

interface Form {
  readonly shapes: string;
  readonly result: string;
  readonly active: readonly boolean[];
}

/** The values of an active argument, copied into a matrix. */
function activeValues(tape: Tape, shape: string, x: unknown): Matrix {
  if (shape === 's') return new Matrix(1, 1, Float64Array.of(tape.value[x as number]));
  const container = x as ActiveVector | ActiveMatrix;
  const n = activeSize(container);
  const data = new Float64Array(n);
  if (hasOwnDiagonal(container)) {
    data.set(tape.value.subarray(container.base, container.base + n));
    for (let k = 0, end = Math.min(container.rows, container.cols); k < end; k++)
      data[k * (container.rows + 1)] = tape.value[container.diagonal + k];
  } else if (container.slots === null) {
    data.set(tape.value.subarray(container.base, container.base + n));
  } else {
    const { value } = tape;
    const { slots } = container;
    for (let i = 0; i < n; i++) data[i] = value[slots[i]];
  }
  if (container instanceof ActiveMatrix) return new Matrix(container.rows, container.cols, data);
  return shape === 'c' ? new Matrix(n, 1, data) : new Matrix(1, n, data);
}

function activeSize(x: ActiveVector | ActiveMatrix): number {
  return x instanceof ActiveVector ? x.n : x.rows * x.cols;
}

function addAdjoints(tape: Tape, shape: string, x: unknown, d: Float64Array): void {
  const { adjoint } = tape;
  if (shape === 's') {
    adjoint[x as number] += d[0];
    return;
  }
  const container = x as ActiveVector | ActiveMatrix;
  if (hasOwnDiagonal(container)) {
    addAroundDiagonal(adjoint, container, d);
    return;
  }
  const { base, slots } = container;
  if (slots === null) for (let i = 0; i < d.length; i++) adjoint[base + i] += d[i];
  else for (let i = 0; i < d.length; i++) adjoint[slots[i]] += d[i];
}

/** Whether the diagonal is apart: its list of slots need not be made. */
function hasOwnDiagonal(x: ActiveVector | ActiveMatrix): x is ActiveMatrix {
  return x instanceof ActiveMatrix && x.diagonal !== 0;
}

function addAroundDiagonal(adjoint: Float64Array, x: ActiveMatrix, d: Float64Array): void {
  const { rows, base, diagonal } = x;
  for (let j = 0, k = 0; j < x.cols; j++) {
    for (let i = 0; i < rows; i++, k++) adjoint[i === j ? diagonal + j : base + k] += d[k];
  }
}

function isZero(x: Float64Array): boolean {
  for (let i = 0; i < x.length; i++) if (x[i] !== 0) return false;
  return true;
}

function activeCall(
  tape: Tape,
  fn: MatrixFunction,
  form: Form,
  operands: readonly unknown[],
): unknown {
  const { shapes, result, active } = form;
  const args = operands.map((x, k) =>
    active[k] ? activeValues(tape, shapes[k], x) : asMatrix(shapes[k], x),
  );
  const y = fn.f(...args);
  const n = y.data.length;
  const first = tape.block(n, (t) => {
    const dy = new Matrix(y.rows, y.cols, t.adjoint.slice(first, first + n));
    if (isZero(dy.data)) return;
    const d = args.map((a, k) => (active[k] ? new Float64Array(a.data.length) : null));
    fn.reverse({ args, y, dy, d });
    for (const [k, dk] of d.entries()) {
      if (dk !== null) addAdjoints(t, shapes[k], operands[k], dk);
    }
  });
  tape.value.set(y.data, first);
  if (result === 'm') return new ActiveMatrix(y.rows, y.cols, first);
  return result === 's' ? first : new ActiveVector(n, first);
}
