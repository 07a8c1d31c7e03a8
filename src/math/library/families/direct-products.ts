/**
 * The Cholesky factor and matrix-vector products, read from the tape and written to it without intermediate copies.
 * Gaussian processes and hierarchical models of all sizes spend most of their time here.
 */
import { ActiveMatrix, ActiveVector, type Matrix } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { choleskyInPlace, choleskyReverse } from '../../linalg/cholesky.ts';
import { addFactorAdjoint, factorInOrder, notPositive } from '../../linalg/factor-in-order.ts';
import { dotRange } from '../../linalg/products.ts';
import { requireSquare } from '../../linalg/solve.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { position } from '../machinery/indexing.ts';

const cholesky = 'cholesky_decompose';

/** Copies the lower triangle of `a` to `value[first …]`, with zeros above. */
function readLower({ value }: Tape, { rows: n, slots }: ActiveMatrix, first: number): void {
  const list = slots as Int32Array;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) value[first + i + j * n] = 0;
    for (let i = j; i < n; i++) value[first + i + j * n] = value[list[i + j * n]];
  }
}

/** Throws if the halves differ. */
function requireSymmetric({ value }: Tape, a: ActiveMatrix): void {
  if (a.isInOrder && a.form === 'symmetric') return;
  const { rows: n, base } = a;
  const list = a.isInOrder ? null : a.slots;
  for (let j = 0; j < n; j++) {
    for (let i = j + 1; i < n; i++) {
      const at = i + j * n;
      const mirror = j + i * n;
      const x = value[list === null ? base + at : list[at]];
      const y = value[list === null ? base + mirror : list[mirror]];
      if (!(Math.abs(x - y) <= 1e-8)) {
        throw new DomainError(
          `${cholesky}: not symmetric: m[${i + 1},${j + 1}] = ${x}, but m[${j + 1},${i + 1}] = ${y}`,
        );
      }
    }
  }
}

function notPositiveDefinite(): DomainError {
  return new DomainError(`${cholesky}: Matrix m is not positive definite`);
}

/** Both sweeps work on the tape's own memory for the factor and its adjoint. */
function choleskyActive(tape: Tape, a: ActiveMatrix): ActiveMatrix {
  requireSquare(cholesky, a);
  requireSymmetric(tape, a);
  return a.isInOrder ? choleskyInOrder(tape, a) : choleskyOfList(tape, a);
}

function choleskyInOrder(tape: Tape, a: ActiveMatrix): ActiveMatrix {
  const { rows: n, base } = a;
  const diagonal = a.diagonalSlot(0);
  const m = { n, base, diagonal, step: a.diagonalSlot(1) - diagonal };
  let use = notPositive;
  const first = tape.block(n * n, ({ value, adjoint }) => {
    if (!isZeroBelow(adjoint, first, n)) addFactorAdjoint(value, adjoint, m, first, use);
  });
  use = factorInOrder(tape.value, m, first);
  if (use === notPositive) throw notPositiveDefinite();
  return new ActiveMatrix(n, n, first, null, 'lower');
}

function choleskyOfList(tape: Tape, a: ActiveMatrix): ActiveMatrix {
  const { rows: n } = a;
  const slots = a.slots as Int32Array;
  const first = tape.block(n * n, ({ value, adjoint }) => {
    if (isZeroBelow(adjoint, first, n)) return;
    choleskyReverse(value, adjoint, n, first);
    for (let j = 0; j < n; j++) {
      for (let at = j + j * n, end = n + j * n; at < end; at++)
        adjoint[slots[at]] += adjoint[first + at];
    }
  });
  readLower(tape, a, first);
  if (!choleskyInPlace(tape.value, n, first)) throw notPositiveDefinite();
  return new ActiveMatrix(n, n, first, null, 'lower');
}

function isZeroBelow(x: Float64Array, first: number, n: number): boolean {
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) if (x[first + i + j * n] !== 0) return false;
  }
  return true;
}

/**
 * The matrix with `s`, which is a slot or a number, added to the first `count` elements of its diagonal. Elements off the
 * diagonal keep their slots, since slots never change: only the diagonal gets new ones.
 */
export function addToDiagonal(
  tape: Tape,
  m: ActiveMatrix,
  s: number,
  active: boolean,
  ...[count, label]: [number, string]
): ActiveMatrix {
  const { rows, cols } = m;
  const end = Math.max(0, count);
  const length = Math.min(rows, cols);
  if (end > length) position(end, length, label);
  if (!m.isInOrder) return addInCopy(tape, m, s, active, end);
  const from = m.diagonalSlot(0);
  const step = m.diagonalSlot(1) - from;
  const first = tape.block(length, ({ adjoint }) => {
    for (let k = 0; k < length; k++) adjoint[from + k * step] += adjoint[first + k];
    if (!active) return;
    let sum = 0;
    for (let k = 0; k < end; k++) sum += adjoint[first + k];
    adjoint[s] += sum;
  });
  const { value } = tape;
  const added = active ? value[s] : s;
  for (let k = 0; k < length; k++) {
    const x = value[from + k * step];
    value[first + k] = k < end ? x + added : x;
  }
  const form = m.form === 'symmetric' ? m.form : null;
  return new ActiveMatrix(rows, cols, m.base, null, form, first);
}

/** All elements of a matrix with a list of slots get new ones, in order, which later functions read faster. */
function addInCopy(
  tape: Tape,
  m: ActiveMatrix,
  s: number,
  active: boolean,
  end: number,
): ActiveMatrix {
  const { rows, cols } = m;
  const slots = m.slots as Int32Array;
  const size = rows * cols;
  const first = tape.block(size, ({ adjoint }) => {
    for (let k = 0; k < size; k++) adjoint[slots[k]] += adjoint[first + k];
    if (!active) return;
    let sum = 0;
    for (let k = 0; k < end; k++) sum += adjoint[first + k * (rows + 1)];
    adjoint[s] += sum;
  });
  const { value } = tape;
  const added = active ? value[s] : s;
  for (let k = 0; k < size; k++) value[first + k] = value[slots[k]];
  for (let k = 0; k < end; k++) value[first + k * (rows + 1)] += added;
  return new ActiveMatrix(rows, cols, first);
}

/** A x with data A. */
function productOfData(tape: Tape, { data, rows, cols }: Matrix, x: ActiveVector): ActiveVector {
  requireFit({ rows, cols }, x.n);
  const { base, slots } = x;
  const first = tape.block(rows, ({ adjoint }) => {
    for (let j = 0; j < cols; j++) {
      adjoint[slots === null ? base + j : slots[j]] += dotRange(
        data,
        j * rows,
        adjoint,
        first,
        rows,
      );
    }
  });
  const { value } = tape;
  const factor = (j: number) => value[slots === null ? base + j : slots[j]];
  for (let i = 0; i < rows; i++) value[first + i] = 0;
  let j = 0;
  // four columns per pass: each element of the result is loaded and stored a quarter as often
  for (; j + 3 < cols; j += 4) {
    const [f0, f1, f2, f3] = [factor(j), factor(j + 1), factor(j + 2), factor(j + 3)];
    const c0 = j * rows;
    const c1 = c0 + rows;
    const c2 = c1 + rows;
    const c3 = c2 + rows;
    for (let i = 0; i < rows; i++) {
      value[first + i] +=
        f0 * data[c0 + i] + f1 * data[c1 + i] + f2 * data[c2 + i] + f3 * data[c3 + i];
    }
  }
  for (; j < cols; j++) {
    const f = factor(j);
    const column = j * rows;
    for (let i = 0; i < rows; i++) value[first + i] += f * data[column + i];
  }
  return new ActiveVector(rows, first);
}

/** Column-major numbers, or the slots that hold them. */
interface Side {
  readonly active: boolean;
  readonly data: Float64Array;
  readonly base: number;
  readonly slots: Int32Array | null;
}

const noData = new Float64Array(0);
const ofTape = ({ base, slots }: ActiveMatrix | ActiveVector): Side => ({
  active: true,
  data: noData,
  base,
  slots,
});
const ofData = (data: Float64Array): Side => ({ active: false, data, base: 0, slots: null });

function valueAt({ active, data, base, slots }: Side, value: Float64Array, k: number): number {
  if (!active) return data[k];
  return value[slots === null ? base + k : slots[k]];
}

/** A x with `rows` × `cols` numbers A. */
function productActive(tape: Tape, a: Side, x: Side, rows: number, cols: number): ActiveVector {
  const first = tape.block(rows, ({ value, adjoint }) => {
    for (let j = 0; j < cols; j++) {
      const factor = valueAt(x, value, j);
      let sum = 0;
      for (let i = 0; i < rows; i++) {
        const g = adjoint[first + i];
        const k = i + j * rows;
        if (x.active) sum += g * valueAt(a, value, k);
        if (a.active) adjoint[a.slots === null ? a.base + k : a.slots[k]] += g * factor;
      }
      if (x.active) adjoint[x.slots === null ? x.base + j : x.slots[j]] += sum;
    }
  });
  const { value } = tape;
  value.fill(0, first, first + rows);
  for (let j = 0; j < cols; j++) {
    const factor = valueAt(x, value, j);
    for (let i = 0; i < rows; i++) value[first + i] += factor * valueAt(a, value, i + j * rows);
  }
  return new ActiveVector(rows, first);
}

/** A x for slots in order; for a lower triangle, nothing above the diagonal is read. */
function productInOrder(tape: Tape, a: ActiveMatrix, x: ActiveVector): ActiveVector {
  const { rows, cols, base } = a;
  const isLower = a.form === 'lower';
  const first = tape.block(rows, ({ value, adjoint }) => {
    for (let j = 0; j < cols; j++) {
      const factor = value[x.base + j];
      const column = base + j * rows;
      let sum = 0;
      for (let i = isLower ? j : 0, end = Math.min(j, rows); i < end; i++) {
        const g = adjoint[first + i];
        sum += g * value[column + i];
        adjoint[column + i] += g * factor;
      }
      if (j < rows) {
        const at = a.diagonalSlot(j);
        const g = adjoint[first + j];
        sum += g * value[at];
        adjoint[at] += g * factor;
      }
      for (let i = j + 1; i < rows; i++) {
        const g = adjoint[first + i];
        sum += g * value[column + i];
        adjoint[column + i] += g * factor;
      }
      adjoint[x.base + j] += sum;
    }
  });
  const { value } = tape;
  for (let i = 0; i < rows; i++) value[first + i] = 0;
  for (let j = 0; j < cols; j++) {
    const factor = value[x.base + j];
    const column = base + j * rows;
    for (let i = isLower ? j : 0, end = Math.min(j, rows); i < end; i++)
      value[first + i] += factor * value[column + i];
    if (j < rows) value[first + j] += factor * value[a.diagonalSlot(j)];
    for (let i = j + 1; i < rows; i++) value[first + i] += factor * value[column + i];
  }
  return new ActiveVector(rows, first);
}

function requireFit({ rows, cols }: { rows: number; cols: number }, n: number): void {
  if (cols === n) return;
  throw new ShapeError(`multiply: ${rows} × ${cols} times ${n} × 1: columns and rows must match`);
}

const forms: Record<string, LibraryFunction> = {
  cholesky_decompose__W: choleskyActive,
  multiply__WV: (tape: Tape, a: ActiveMatrix, x: ActiveVector) => {
    requireFit(a, x.n);
    if (a.isInOrder && x.slots === null) return productInOrder(tape, a, x);
    return productActive(tape, ofTape(a), ofTape(x), a.rows, a.cols);
  },
  multiply__WR: (tape: Tape, a: ActiveMatrix, x: Float64Array) => {
    requireFit(a, x.length);
    return productActive(tape, ofTape(a), ofData(x), a.rows, a.cols);
  },
  multiply__MV: productOfData,
};

/** Forms that replace those made by {@link matrixForms}. */
export const directProductsPart: LibraryPart = forms;
