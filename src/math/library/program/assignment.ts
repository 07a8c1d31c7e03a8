/**
 * Writes `x[…] = value` into a container that the variable owns. Active containers have a list of slots, so an
 * assignment to an element replaces an entry of the list and records nothing on the tape.
 */
import { ActiveMatrix, ActiveVector, Matrix, slotsOf } from '../../autodiff/containers.ts';
import { ShapeError } from '../../errors.ts';
import { addToDiagonal } from '../families/direct-products.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { type IndexEntry, lengthOf, position, positions } from '../machinery/indexing.ts';
import { type Container, dimensionsOf } from '../machinery/memory.ts';

/** The writable memory of an owned container: numbers, or slots. */
function memoryOf(x: Container): Float64Array | Int32Array {
  if (x instanceof Matrix) return x.data;
  if (x instanceof ActiveVector || x instanceof ActiveMatrix) {
    if (x.slots === null) throw new Error('assignment into a container that is not owned');
    return x.slots;
  }
  return x as Float64Array | Int32Array;
}

/** The same memory for a value that is only read. */
function readMemory(x: Container): Float64Array | Int32Array {
  if (x instanceof ActiveVector) return slotsOf(x, x.n);
  if (x instanceof ActiveMatrix) return slotsOf(x, x.rows * x.cols);
  return memoryOf(x);
}

export function requireCount(found: number, wanted: number, label: string): void {
  if (found !== wanted) {
    throw new ShapeError(
      `assigning to \`${label}\`: ${wanted} ${wanted === 1 ? 'place' : 'places'}, but ${found} ${found === 1 ? 'value' : 'values'}`,
    );
  }
}

function assignMatrix(
  m: Matrix | ActiveMatrix,
  entries: readonly IndexEntry[],
  value: Container | number,
  label: string,
): void {
  const row = entries[0];
  const col = entries.length > 1 ? entries[1] : null;
  const rows =
    typeof row === 'number'
      ? Int32Array.of(position(row, m.rows, label))
      : positions(row, m.rows, label);
  const cols =
    typeof col === 'number'
      ? Int32Array.of(position(col, m.cols, label))
      : positions(col, m.cols, label);
  const memory = memoryOf(m);
  if (typeof value === 'number') {
    memory[cols[0] * m.rows + rows[0]] = value;
    return;
  }
  if (value instanceof Matrix || value instanceof ActiveMatrix) {
    requireCount(value.rows, rows.length, label);
    requireCount(value.cols, cols.length, label);
  }
  const from = readMemory(value);
  requireCount(from.length, rows.length * cols.length, label);
  for (let c = 0, k = 0; c < cols.length; c++) {
    for (let r = 0; r < rows.length; r++) memory[cols[c] * m.rows + rows[r]] = from[k++];
  }
}

function assignVector(
  x: Exclude<Container, Container[] | Matrix | ActiveMatrix>,
  entry: IndexEntry,
  value: Container | number,
  label: string,
): void {
  const memory = memoryOf(x);
  if (typeof entry === 'number') {
    memory[position(entry, memory.length, label)] = value as number;
    return;
  }
  const at = positions(entry, memory.length, label);
  const from = readMemory(value as Container);
  requireCount(from.length, at.length, label);
  for (let k = 0; k < at.length; k++) memory[at[k]] = from[k];
}

/** The general `x[entries] = value`: `x` is owned down to the level written, `value` has the kinds of `x`. */
export function assign(
  x: Container,
  entries: readonly IndexEntry[],
  value: Container | number,
  label: string,
): void {
  if (x instanceof Matrix || x instanceof ActiveMatrix) {
    assignMatrix(x, entries, value, label);
    return;
  }
  if (!Array.isArray(x)) {
    assignVector(x, entries[0], value, label);
    return;
  }
  const [entry, ...rest] = entries;
  if (typeof entry === 'number') {
    assignInto(x, position(entry, x.length, label), { rest, value, label });
    return;
  }
  const at = positions(entry, x.length, label);
  requireCount(lengthOf(value as Container), at.length, label);
  const from = Array.isArray(value) ? value : readMemory(value as Container);
  for (let k = 0; k < at.length; k++) assignInto(x, at[k], { rest, value: from[k], label });
}

interface Rest {
  readonly rest: readonly IndexEntry[];
  readonly value: Container | number;
  readonly label: string;
}

function assignInto(x: Container[], k: number, { rest, value, label }: Rest): void {
  if (rest.length === 0) putElement(x, k, value as Container, label);
  else assign(x[k], rest, value, label);
}

/** An element keeps its declared sizes. */
function putElement(x: Container[], k: number, value: Container, label: string): void {
  const before = x[k];
  if (!haveSameSizes(before, value)) {
    const [wanted, found] = [dimensionsOf(before), dimensionsOf(value)];
    if (wanted.length === 1 && found.length === 1) requireCount(found[0], wanted[0], label);
    throw new ShapeError(
      `assigning to \`${label}\`: a value of size ${found.join(' × ')}, but the element has size ${wanted.join(' × ')}`,
    );
  }
  x[k] = value;
}

function haveSameSizes(a: Container, b: Container): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((element, k) => haveSameSizes(element, b[k]));
  }
  if (a instanceof Matrix || a instanceof ActiveMatrix) {
    return (
      (b instanceof Matrix || b instanceof ActiveMatrix) && a.rows === b.rows && a.cols === b.cols
    );
  }
  return lengthOf(a) === lengthOf(b);
}

interface Entry {
  readonly rows: number;
  readonly cols: number;
}

/** The column-major position of element (i, j). */
function cell(m: Entry, i: number, j: number, label: string): number {
  return position(j, m.cols, label) * m.rows + position(i, m.rows, label);
}

/** Functions that emitted programs call as `$…`; one per kind, so that each writes one sort of memory. */
export const assignmentPart: LibraryPart = {
  $add_to_diagonal: addToDiagonal,
  $put_I: (x: Int32Array, i: number, value: number, label: string) => {
    x[position(i, x.length, label)] = value;
  },
  $put_R: (x: Float64Array, i: number, value: number, label: string) => {
    x[position(i, x.length, label)] = value;
  },
  $put_V: (x: ActiveVector, i: number, value: number, label: string) => {
    (x.slots as Int32Array)[position(i, x.n, label)] = value;
  },
  $put_A: (x: Container[], i: number, value: Container, label: string) => {
    putElement(x, position(i, x.length, label), value, label);
  },
  $put_M: (m: Matrix, i: number, j: number, value: number, label: string) => {
    m.data[cell(m, i, j, label)] = value;
  },
  $put_W: (m: ActiveMatrix, i: number, j: number, value: number, label: string) => {
    (m.slots as Int32Array)[cell(m, i, j, label)] = value;
  },
  $assign: assign,
};
