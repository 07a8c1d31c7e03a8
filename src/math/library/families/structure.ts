/** Taking containers apart and putting them together: `head`, `segment`, `block`, `append_*`, `rep_*`, `reverse`. */
import { ActiveMatrix, ActiveVector, Matrix, slotsOf } from '../../autodiff/containers.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import {
  activeMatrixColumn,
  activeMatrixRow,
  lengthOf,
  matrixColumn,
  matrixRow,
  position,
  sliceAt,
  subMatrix,
} from '../machinery/indexing.ts';
import { type Container, checkedSize, newInts, newMatrix, newReals } from '../machinery/memory.ts';
import { forKinds, nestedKinds } from '../machinery/structure-keys.ts';

type AnyMatrix = Matrix | ActiveMatrix;
type AnyVector = Float64Array | ActiveVector;

/** `count` elements from 1-based `start`, all of which must exist. */
function segment(x: Container, start: number, count: number): Container {
  if (count < 0) throw new ShapeError(`segment of ${count} elements: must be at least 0`);
  if (count === 0) return sliceAt(x, 0, 0);
  position(start, lengthOf(x), 'segment');
  position(start + count - 1, lengthOf(x), 'segment');
  return sliceAt(x, start - 1, count);
}

function requireAtMost(count: number, n: number, name: string): void {
  if (!(count >= 0 && count <= n)) {
    throw new ShapeError(`${name} of ${count} elements: must be 0 to ${n}`);
  }
}

function head(x: Container, count: number): Container {
  requireAtMost(count, lengthOf(x), 'head');
  return sliceAt(x, 0, count);
}

function tail(x: Container, count: number): Container {
  requireAtMost(count, lengthOf(x), 'tail');
  return sliceAt(x, lengthOf(x) - count, count);
}

function reverse(x: Container): Container {
  if (x instanceof ActiveVector) return new ActiveVector(x.n, 0, slotsOf(x, x.n).reverse());
  return (x as Float64Array).slice().reverse();
}

export function rowOf(m: AnyMatrix, i: number): AnyVector {
  return m instanceof Matrix ? matrixRow(m, i, 'row') : activeMatrixRow(m, i, 'row');
}

function columnOf(m: AnyMatrix, j: number): AnyVector {
  return m instanceof Matrix ? matrixColumn(m, j, 'col') : activeMatrixColumn(m, j, 'col');
}

function sequence(start: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, k) => start + k);
}

function block(m: AnyMatrix, i: number, j: number, rows: number, cols: number): AnyMatrix {
  if (rows < 0 || cols < 0) throw new ShapeError(`block of ${rows} × ${cols}: must be at least 0`);
  if (rows > 0) {
    position(i, m.rows, 'block');
    position(i + rows - 1, m.rows, 'block');
  }
  if (cols > 0) {
    position(j, m.cols, 'block');
    position(j + cols - 1, m.cols, 'block');
  }
  return subMatrix(m, sequence(i - 1, rows), sequence(j - 1, cols));
}

// ---------------------------------------------------------------- combining

function concatenate(a: Container, b: Container): Container {
  if (a instanceof ActiveVector && b instanceof ActiveVector) {
    const slots = newInts(a.n + b.n);
    slots.set(slotsOf(a, a.n));
    slots.set(slotsOf(b, b.n), a.n);
    return new ActiveVector(a.n + b.n, 0, slots);
  }
  if (Array.isArray(a)) return [...a, ...(b as Container[])];
  const x = a as Float64Array;
  const y = b as Float64Array;
  const n = x.length + y.length;
  const out = a instanceof Int32Array ? newInts(n) : newReals(n);
  out.set(x);
  out.set(y, x.length);
  return out;
}

const asRow = (x: AnyVector): AnyMatrix =>
  x instanceof ActiveVector
    ? new ActiveMatrix(1, x.n, x.base, x.slots)
    : new Matrix(1, x.length, x);

const asColumn = (x: AnyVector): AnyMatrix =>
  x instanceof ActiveVector
    ? new ActiveMatrix(x.n, 1, x.base, x.slots)
    : new Matrix(x.length, 1, x);

/** Matrices side by side; column-major memory makes it one concatenation. */
function beside(a: AnyMatrix, b: AnyMatrix): AnyMatrix {
  if (a.rows !== b.rows) {
    throw new ShapeError(`append_col: rows must match, found ${a.rows} and ${b.rows}`);
  }
  const flat = concatenate(flatten(a), flatten(b));
  return shape(flat as AnyVector, a.rows, a.cols + b.cols);
}

function above(a: AnyMatrix, b: AnyMatrix): AnyMatrix {
  if (a.cols !== b.cols) {
    throw new ShapeError(`append_row: columns must match, found ${a.cols} and ${b.cols}`);
  }
  return transposed(beside(transposed(a), transposed(b)));
}

/** The elements in column-major order, sharing memory. */
export function flatten(m: AnyMatrix): AnyVector {
  return m instanceof Matrix ? m.data : new ActiveVector(m.rows * m.cols, m.base, m.slots);
}

/** Elements in column-major order as a matrix, sharing memory. */
export function shape(x: AnyVector, rows: number, cols: number): AnyMatrix {
  return x instanceof ActiveVector
    ? new ActiveMatrix(rows, cols, x.base, x.slots)
    : new Matrix(rows, cols, x);
}

export function transposed<T extends AnyMatrix>(m: T): T {
  const { rows, cols } = m;
  const n = rows * cols;
  if (m instanceof Matrix) {
    const out = newMatrix(cols, rows);
    for (let j = 0, k = 0; j < cols; j++) {
      for (let i = 0; i < rows; i++) out.data[i * cols + j] = m.data[k++];
    }
    return out as T;
  }
  const active = m as ActiveMatrix;
  const slots = new Int32Array(n);
  for (let j = 0, k = 0; j < cols; j++) {
    for (let i = 0; i < rows; i++, k++) {
      slots[i * cols + j] = active.slots === null ? active.base + k : active.slots[k];
    }
  }
  return new ActiveMatrix(cols, rows, 0, slots) as T;
}

// ---------------------------------------------------------------- repeating

const repeatReal = (x: number, n: number) => newReals(n).fill(x);
const repeatInt = (x: number, n: number) => newInts(n).fill(x);
const repeatSlot = (x: number, n: number) => new ActiveVector(n, 0, newInts(n).fill(x));

/** `n` times the value that `make` returns, nested by the remaining sizes. Elements may be shared: copied on write. */
function repeatNested(leaf: (n: number) => Container, sizes: readonly number[]): Container {
  const [n, ...rest] = sizes;
  if (rest.length === 0) return leaf(n);
  const element = repeatNested(leaf, rest);
  return Array.from({ length: checkedSize(n) }, () => element);
}

function given(sizes: readonly (number | undefined)[]): number[] {
  return sizes.filter((size) => size !== undefined);
}

function repeatContainer(x: Container, a: number, b?: number, c?: number): Container {
  return repeatNested((n) => Array.from({ length: checkedSize(n) }, () => x), given([a, b, c]));
}

function repeatColumns(x: AnyVector, cols: number): AnyMatrix {
  const one = asColumn(x);
  return subMatrix(one, sequence(0, one.rows), new Int32Array(checkedSize(cols)));
}

function repeatRows(x: AnyVector, rows: number): AnyMatrix {
  const one = asRow(x);
  return subMatrix(one, new Int32Array(checkedSize(rows)), sequence(0, one.cols));
}

function repeatMatrixSlot(x: number, rows: number, cols: number): ActiveMatrix {
  return new ActiveMatrix(rows, cols, 0, newInts(checkedSize(rows) * checkedSize(cols)).fill(x));
}

function repeatMatrixReal(x: number, rows: number, cols: number): Matrix {
  const m = newMatrix(rows, cols);
  m.data.fill(x);
  return m;
}

const repeats: LibraryPart = {
  ...forKinds('rep_vector', ['ri'], repeatReal),
  ...forKinds('rep_vector', ['vi'], repeatSlot),
  ...forKinds('rep_row_vector', ['ri'], repeatReal),
  ...forKinds('rep_row_vector', ['vi'], repeatSlot),
  ...forKinds('rep_matrix', ['rii'], repeatMatrixReal),
  ...forKinds('rep_matrix', ['vii'], repeatMatrixSlot),
  ...forKinds('rep_matrix', ['Ri', 'Vi'], repeatColumns),
  ...forKinds('$rep_rows', ['Ri', 'Vi'], repeatRows),
  ...['i', 'ii', 'iii'].reduce(
    (part, sizes) => ({
      ...part,
      ...forKinds('rep_array', [`i${sizes}`], (x, a, b, c) =>
        repeatNested((n) => repeatInt(x, n), given([a, b, c])),
      ),
      ...forKinds('rep_array', [`r${sizes}`], (x, a, b, c) =>
        repeatNested((n) => repeatReal(x, n), given([a, b, c])),
      ),
      ...forKinds('rep_array', [`v${sizes}`], (x, a, b, c) =>
        repeatNested((n) => repeatSlot(x, n), given([a, b, c])),
      ),
      ...forKinds(
        'rep_array',
        ['I', 'R', 'V', 'M', 'W', ...nestedKinds].map((kind) => kind + sizes),
        repeatContainer,
      ),
    }),
    {} as LibraryPart,
  ),
};

const single = (x: number) => Float64Array.of(x);
const singleSlot = (x: number) => new ActiveVector(1, x);
const vectors = ['R', 'V'];
const lists = ['I', ...vectors, ...nestedKinds];
const listsAnd = (others: string) => lists.map((kind) => kind + others);

const appends: LibraryPart = {
  ...forKinds('append_row', ['RR', 'VV'], concatenate),
  ...forKinds('append_col', ['RR', 'VV'], concatenate),
  ...forKinds('append_row', ['rR'], (x, v) => concatenate(single(x), v)),
  ...forKinds('append_row', ['vV'], (x, v) => concatenate(singleSlot(x), v)),
  ...forKinds('append_row', ['Rr'], (v, x) => concatenate(v, single(x))),
  ...forKinds('append_row', ['Vv'], (v, x) => concatenate(v, singleSlot(x))),
  ...forKinds('append_col', ['rR'], (x, v) => concatenate(single(x), v)),
  ...forKinds('append_col', ['vV'], (x, v) => concatenate(singleSlot(x), v)),
  ...forKinds('append_col', ['Rr'], (v, x) => concatenate(v, single(x))),
  ...forKinds('append_col', ['Vv'], (v, x) => concatenate(v, singleSlot(x))),
  ...forKinds('$stack_rows', ['RR', 'VV'], (a, b) => above(asRow(a), asRow(b))),
  ...forKinds('$stack_columns', ['RR', 'VV'], (a, b) => beside(asColumn(a), asColumn(b))),
  ...forKinds('append_row', ['MM', 'WW'], above),
  ...forKinds('append_row', ['MR', 'WV'], (m, v) => above(m, asRow(v))),
  ...forKinds('append_row', ['RM', 'VW'], (v, m) => above(asRow(v), m)),
  ...forKinds('append_col', ['MM', 'WW'], beside),
  ...forKinds('append_col', ['MR', 'WV'], (m, v) => beside(m, asColumn(v))),
  ...forKinds('append_col', ['RM', 'VW'], (v, m) => beside(asColumn(v), m)),
  ...forKinds(
    'append_array',
    lists.map((kind) => kind + kind),
    concatenate,
  ),
};

const parts: LibraryPart = {
  ...forKinds('head', listsAnd('i'), head),
  ...forKinds('tail', listsAnd('i'), tail),
  ...forKinds('segment', listsAnd('ii'), segment),
  ...forKinds('reverse', lists, reverse),
  ...forKinds('row', ['Mi', 'Wi'], rowOf),
  ...forKinds('col', ['Mi', 'Wi'], columnOf),
  ...forKinds('sub_row', ['Miii', 'Wiii'], (m, i, j, count) => segment(rowOf(m, i), j, count)),
  ...forKinds('sub_col', ['Miii', 'Wiii'], (m, i, j, count) => segment(columnOf(m, j), i, count)),
  ...forKinds('block', ['Miiii', 'Wiiii'], block),
  ...forKinds('transpose', ['M', 'W'], transposed),
};

export const structurePart: LibraryPart = { ...repeats, ...appends, ...parts };
