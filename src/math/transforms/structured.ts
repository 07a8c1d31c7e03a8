/**
 * The shape of a constraint on an entire vector or matrix, and its driver.
 *
 * A structured constraint maps `n` free reals to a vector or column-major matrix; `forward` returns log |Jacobian|,
 * `reverse` adds to the adjoints of the free values. On the tape it is one block: the result and one more slot for
 * log |Jacobian|.
 */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import { ShapeError } from '../errors.ts';
import type { Constrain } from './constrain-elements.ts';

export interface StructuredConstraint {
  readonly name: string;
  readonly isMatrix: boolean;
  /** Rows and columns of the result (1 column for a vector). `sizes` are those of the declaration, if given. */
  shape(numFree: number, sizes: readonly number[]): { rows: number; cols: number };
  /** How many free values a result of that shape has. */
  numFree(rows: number, cols: number): number;
  forward(u: Float64Array, x: Float64Array, shape: Shape): number;
  reverse(step: ReverseStep): void;
}

export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

export interface ReverseStep {
  readonly u: Float64Array;
  readonly x: Float64Array;
  readonly shape: Shape;
  /** Adjoints of the result. */
  readonly dx: Float64Array;
  /** Adjoint of log |Jacobian|. */
  readonly dJacobian: number;
  /** Adjoints of the free values, to be written (they start at 0). */
  readonly du: Float64Array;
}

export function constrainStructured(constraint: StructuredConstraint): Constrain {
  return (tape, jacobian, _kinds, argument, ...sizes) => {
    const numFree =
      argument instanceof ActiveVector ? argument.n : (argument as Float64Array).length;
    const shape = constraint.shape(numFree, sizes as number[]);
    const expected = constraint.numFree(shape.rows, shape.cols);
    if (expected !== numFree) {
      throw new ShapeError(`${constraint.name}: needs ${expected} free values, got ${numFree}`);
    }
    const n = shape.rows * shape.cols;
    const x = new Float64Array(n);
    const { isMatrix } = constraint;
    if (tape === null || !(argument instanceof ActiveVector)) {
      constraint.forward(argument as Float64Array, x, shape);
      return isMatrix ? new Matrix(shape.rows, shape.cols, x) : x;
    }
    const u = new Float64Array(numFree);
    for (let i = 0; i < numFree; i++) u[i] = tape.value[slotAt(argument, i)];
    const logJacobian = constraint.forward(u, x, shape);
    const first = tape.block(n + 1, (t) => {
      const dx = t.adjoint.slice(first, first + n);
      const du = new Float64Array(numFree);
      constraint.reverse({ u, x, shape, dx, dJacobian: t.adjoint[first + n], du });
      for (let i = 0; i < numFree; i++) t.adjoint[slotAt(argument, i)] += du[i];
    });
    tape.value.set(x, first);
    tape.value[first + n] = logJacobian;
    if (jacobian !== null) jacobian.add(first + n);
    if (isMatrix) return new ActiveMatrix(shape.rows, shape.cols, first);
    return new ActiveVector(n, first);
  };
}
