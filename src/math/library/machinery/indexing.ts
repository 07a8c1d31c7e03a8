/**
 * Reading `x[…]`: elements, rows, slices and multiple indexes. Stan counts from 1. Results never share memory that
 * may change with `x`, and slices of active containers record nothing.
 */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from './implementation.ts';
import type { Container } from './memory.ts';

/** One entry of `x[…]` at run time: an int, several ints, a range, or everything. */
export type IndexEntry = number | Int32Array | IndexRange | null;

/** `from:to`, both ends included; `to` null is the last. */
export class IndexRange {
  constructor(
    readonly from: number,
    readonly to: number | null,
  ) {}
}

function indexError(index: number, n: number, label: string): ShapeError {
  const reason =
    n === 0 ? `index ${index}, but it has no elements` : `index ${index} is out of range 1 to ${n}`;
  return new ShapeError(`accessing \`${label}\`: ${reason}`);
}

/** The 0-based position of 1-based index `i` among n. */
export function position(i: number, n: number, label: string): number {
  if (i >= 1 && i <= n) return i - 1;
  throw indexError(i, n, label);
}

/** Start and length of `from:to` among n; a range that ends before it starts is empty. */
export function spanOf(
  range: IndexRange,
  n: number,
  label: string,
): { start: number; count: number } {
  const to = range.to ?? n;
  if (to < range.from) return { start: 0, count: 0 };
  position(range.from, n, label);
  position(to, n, label);
  return { start: range.from - 1, count: to - range.from + 1 };
}

/** All 0-based positions that a multiple index names among n. */
export function positions(
  entry: Exclude<IndexEntry, number>,
  n: number,
  label: string,
): Int32Array {
  if (entry instanceof Int32Array) return entry.map((i) => position(i, n, label));
  const { start, count } = spanOf(entry ?? new IndexRange(1, null), n, label);
  const out = new Int32Array(count);
  for (let k = 0; k < count; k++) out[k] = start + k;
  return out;
}

function pickActive(
  x: ActiveVector | ActiveMatrix,
  count: number,
  where: (k: number) => number,
): Int32Array {
  const slots = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const i = where(k);
    slots[k] = x.slots === null ? x.base + i : x.slots[i];
  }
  return slots;
}

function pickData(x: Float64Array, count: number, where: (k: number) => number): Float64Array {
  const out = new Float64Array(count);
  for (let k = 0; k < count; k++) out[k] = x[where(k)];
  return out;
}

/** `count` slots from `start` on. */
function activeSlice(x: ActiveVector, start: number, count: number): ActiveVector {
  if (x.slots === null) return new ActiveVector(count, x.base + start);
  return new ActiveVector(count, 0, x.slots.slice(start, start + count));
}

/** `count` elements of a vector or array from 0-based `start` on. */
export function sliceAt<T extends Container>(x: T, start: number, count: number): T {
  if (x instanceof ActiveVector) return activeSlice(x, start, count) as Container as T;
  return (x as Float64Array).slice(start, start + count) as Container as T;
}

/** How many entries the first index of `x` ranges over. */
export function lengthOf(x: Container): number {
  if (x instanceof ActiveVector) return x.n;
  if (x instanceof Matrix || x instanceof ActiveMatrix) return x.rows;
  return x.length;
}

/** `x[from:to]` of a vector or array; `to` null is the last. */
export function slice(x: Container, from: number, to: number | null, label: string): Container {
  const { start, count } = spanOf(new IndexRange(from, to), lengthOf(x), label);
  return sliceAt(x, start, count);
}

function matrixElement(m: Matrix, i: number, j: number, label: string): number {
  return m.data[position(j, m.cols, label) * m.rows + position(i, m.rows, label)];
}

function activeElement(x: ActiveVector, i: number, label: string): number {
  const k = position(i, x.n, label);
  return x.slots === null ? x.base + k : x.slots[k];
}

function activeMatrixElement(m: ActiveMatrix, i: number, j: number, label: string): number {
  const k = position(j, m.cols, label) * m.rows + position(i, m.rows, label);
  return m.slots === null ? m.base + k : m.slots[k];
}

export function matrixRow(m: Matrix, i: number, label: string): Float64Array {
  const r = position(i, m.rows, label);
  return pickData(m.data, m.cols, (k) => k * m.rows + r);
}

export function activeMatrixRow(m: ActiveMatrix, i: number, label: string): ActiveVector {
  const r = position(i, m.rows, label);
  return new ActiveVector(
    m.cols,
    0,
    pickActive(m, m.cols, (k) => k * m.rows + r),
  );
}

export function matrixColumn(m: Matrix, j: number, label: string): Float64Array {
  const c = position(j, m.cols, label);
  return m.data.slice(c * m.rows, (c + 1) * m.rows);
}

export function activeMatrixColumn(m: ActiveMatrix, j: number, label: string): ActiveVector {
  const start = position(j, m.cols, label) * m.rows;
  return activeSlice(new ActiveVector(m.rows * m.cols, m.base, m.slots), start, m.rows);
}

/** The rows and columns given as 0-based positions. */
export function subMatrix<T extends Matrix | ActiveMatrix>(
  m: T,
  rows: Int32Array,
  cols: Int32Array,
): T {
  const nr = rows.length;
  const where = (k: number) => cols[Math.trunc(k / nr)] * m.rows + rows[k % nr];
  const count = nr * cols.length;
  if (m instanceof Matrix) {
    return new Matrix(nr, cols.length, pickData(m.data, count, where)) as T;
  }
  return new ActiveMatrix(nr, cols.length, 0, pickActive(m, count, where)) as T;
}

function gatherActive(x: ActiveVector, at: Int32Array, label: string): ActiveVector {
  const { n, base, slots } = x;
  const out = new Int32Array(at.length);
  for (let k = 0; k < at.length; k++) {
    const i = position(at[k], n, label);
    out[k] = slots === null ? base + i : slots[i];
  }
  return new ActiveVector(at.length, 0, out);
}

function gatherData<T extends Float64Array | Int32Array>(x: T, at: Int32Array, label: string): T {
  const out = x instanceof Int32Array ? new Int32Array(at.length) : new Float64Array(at.length);
  for (let k = 0; k < at.length; k++) out[k] = x[position(at[k], x.length, label)];
  return out as T;
}

function indexVector(x: Container, entry: IndexEntry, label: string): unknown {
  if (x instanceof ActiveVector) {
    if (typeof entry === 'number') return activeElement(x, entry, label);
    if (entry instanceof Int32Array) return gatherActive(x, entry, label);
    const { start, count } = spanOf(entry ?? new IndexRange(1, null), x.n, label);
    return activeSlice(x, start, count);
  }
  const data = x as Float64Array | Int32Array;
  if (typeof entry === 'number') return data[position(entry, data.length, label)];
  if (entry instanceof Int32Array) return gatherData(data, entry, label);
  const { start, count } = spanOf(entry ?? new IndexRange(1, null), data.length, label);
  return data.slice(start, start + count);
}

function indexMatrix(
  m: Matrix | ActiveMatrix,
  row: IndexEntry,
  col: IndexEntry,
  label: string,
): unknown {
  const active = m instanceof ActiveMatrix;
  if (typeof row === 'number' && typeof col === 'number') {
    return active ? activeMatrixElement(m, row, col, label) : matrixElement(m, row, col, label);
  }
  if (typeof row === 'number') {
    const whole = active ? activeMatrixRow(m, row, label) : matrixRow(m, row, label);
    return col === null ? whole : indexVector(whole, col, label);
  }
  if (typeof col === 'number') {
    const whole = active ? activeMatrixColumn(m, col, label) : matrixColumn(m, col, label);
    return row === null ? whole : indexVector(whole, row, label);
  }
  return subMatrix(m, positions(row, m.rows, label), positions(col, m.cols, label));
}

/** Room for `count` scalars, as the container that `kind` names, and the array that they are written to. */
function roomFor(kind: string, count: number): [Container, Int32Array | Float64Array] {
  if (kind === 'R') {
    const numbers = new Float64Array(count);
    return [numbers, numbers];
  }
  const ints = new Int32Array(count);
  return [kind === 'I' ? ints : new ActiveVector(count, 0, ints), ints];
}

/** The general `x[entries]`; `kind` is that of the result. */
export function index(
  x: Container,
  entries: readonly IndexEntry[],
  kind: string,
  label: string,
): unknown {
  if (entries.length === 0) return x;
  if (x instanceof Matrix || x instanceof ActiveMatrix) {
    return indexMatrix(x, entries[0], entries.length > 1 ? entries[1] : null, label);
  }
  if (!Array.isArray(x)) return indexVector(x, entries[0], label);
  const entry = entries[0];
  const rest = entries.slice(1);
  if (typeof entry === 'number') {
    return index(x[position(entry, x.length, label)], rest, kind, label);
  }
  const at = positions(entry, x.length, label);
  // elements that are numbers become one container, containers stay an array
  if (kind === 'I' || kind === 'R' || kind === 'V') {
    const [scalars, room] = roomFor(kind, at.length);
    for (let k = 0; k < at.length; k++) room[k] = index(x[at[k]], rest, kind, label) as number;
    return scalars;
  }
  const elementKind = kind.startsWith('[') ? kind.slice(1) : kind;
  return Array.from(at, (k) => index(x[k], rest, elementKind, label));
}

/** Functions that emitted programs call as `$…`. */
export const indexingPart: LibraryPart = {
  // one function per kind, so that each reads one sort of memory
  $at_I: (x: Int32Array, i: number, label: string) => x[position(i, x.length, label)],
  $at_R: (x: Float64Array, i: number, label: string) => x[position(i, x.length, label)],
  $at_A: (x: Container[], i: number, label: string) => x[position(i, x.length, label)],
  $range: (from: number, to: number | null) => new IndexRange(from, to),
  $slice: slice,
  $element_V: activeElement,
  $element_M: matrixElement,
  $element_W: activeMatrixElement,
  $row_M: matrixRow,
  $row_W: activeMatrixRow,
  $column_M: matrixColumn,
  $column_W: activeMatrixColumn,
  $index: index,
};
