/** Matrices in compressed sparse row form: `csr_…` (Stan functions reference, "Sparse matrix operations"). */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../../autodiff/containers.ts';
import { Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError } from '../../errors.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

/** Where the non-zero elements of `values` are: w lists them row by row, v their columns, u where rows begin (1-based). */
function layout(rows: number, cols: number, valueAt: (i: number, j: number) => number) {
  const positions: number[] = [];
  const columns: number[] = [];
  const starts: number[] = [1];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (valueAt(i, j) === 0) continue;
      positions.push(i + j * rows);
      columns.push(j + 1);
    }
    starts.push(columns.length + 1);
  }
  return { positions, columns: Int32Array.from(columns), starts: Int32Array.from(starts) };
}

const layoutOf = (a: Matrix) => layout(a.rows, a.cols, (i, j) => a.data[i + j * a.rows]);

interface Csr {
  readonly rows: number;
  readonly cols: number;
  readonly v: Int32Array;
  readonly u: Int32Array;
}

function check(name: string, { rows, cols, v, u }: Csr, numValues: number): void {
  const fits = u.length === rows + 1 && u[rows] === numValues + 1 && v.length === numValues;
  if (!fits || v.some((j) => j < 1 || j > cols)) {
    throw new DomainError(
      `${name}: w, v and u do not describe a sparse matrix of ${rows} × ${cols}`,
    );
  }
}

const weights = new Operand();
const vector = new Operand();

/** A b with one row of edges for each row of A. */
function timesVector(kinds: string): LibraryFunction {
  const isActive = /V/.test(kinds);
  const product = (tape: Tape | null, args: readonly unknown[]): unknown => {
    const [rows, cols, w, v, u, b] = args as [
      number,
      number,
      unknown,
      Int32Array,
      Int32Array,
      unknown,
    ];
    if (tape !== null) tape.reserveSlots(rows);
    weights.open(tape, kinds.charCodeAt(2), w);
    vector.open(tape, kinds.charCodeAt(5), b);
    check('csr_matrix_times_vector', { rows, cols, v, u }, weights.size);
    const out = new Float64Array(rows);
    const first = tape?.numSlots ?? 0;
    for (let i = 0; i < rows; i++) {
      let sum = 0;
      tape?.reserveEdges(2 * (u[i + 1] - u[i]));
      let edge = tape?.numEdges ?? 0;
      for (let k = u[i] - 1; k < u[i + 1] - 1; k++) {
        const j = v[k] - 1;
        sum += weights.at(k) * vector.at(j);
        if (tape === null) continue;
        if (weights.active) {
          tape.edgeSlot[edge] = weights.slot(k);
          tape.edgePartial[edge++] = vector.at(j);
        }
        if (vector.active) {
          tape.edgeSlot[edge] = vector.slot(j);
          tape.edgePartial[edge++] = weights.at(k);
        }
      }
      out[i] = sum;
      tape?.endRow(sum, edge - tape.numEdges);
    }
    return tape === null ? out : new ActiveVector(rows, first);
  };
  return isActive
    ? (tape: Tape, ...args: unknown[]) => product(tape, args)
    : (...args: unknown[]) => product(null, args);
}

function toDense(
  rows: number,
  cols: number,
  w: Float64Array,
  v: Int32Array,
  u: Int32Array,
): Matrix {
  check('csr_to_dense_matrix', { rows, cols, v, u }, w.length);
  const out = new Matrix(rows, cols, new Float64Array(rows * cols));
  for (let i = 0; i < rows; i++) {
    for (let k = u[i] - 1; k < u[i + 1] - 1; k++) out.data[i + (v[k] - 1) * rows] = w[k];
  }
  return out;
}

export const sparsePart: LibraryPart = {
  csr_extract_w__M: (a: Matrix) => Float64Array.from(layoutOf(a).positions, (p) => a.data[p]),
  csr_extract_w__W: (tape: Tape, a: ActiveMatrix) => {
    const { positions } = layout(a.rows, a.cols, (i, j) => tape.value[slotAt(a, i + j * a.rows)]);
    return new ActiveVector(
      positions.length,
      0,
      Int32Array.from(positions, (p) => slotAt(a, p)),
    );
  },
  csr_extract_v__M: (a: Matrix) => layoutOf(a).columns,
  csr_extract_u__M: (a: Matrix) => layoutOf(a).starts,
  csr_to_dense_matrix__iiRII: toDense,
  csr_to_dense_matrix__iiVII: (
    tape: Tape,
    ...[rows, cols, w, v, u]: [number, number, ActiveVector, Int32Array, Int32Array]
  ) => {
    check('csr_to_dense_matrix', { rows, cols, v, u }, w.n);
    const slots = new Int32Array(rows * cols).fill(tape.constant(0));
    for (let i = 0; i < rows; i++) {
      for (let k = u[i] - 1; k < u[i + 1] - 1; k++) slots[i + (v[k] - 1) * rows] = slotAt(w, k);
    }
    return new ActiveMatrix(rows, cols, 0, slots);
  },
  ...Object.fromEntries(
    ['iiRIIR', 'iiRIIV', 'iiVIIR', 'iiVIIV'].map((kinds) => [
      `csr_matrix_times_vector__${kinds}`,
      timesVector(kinds),
    ]),
  ),
};
