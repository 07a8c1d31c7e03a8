/** `to_vector`, `to_matrix`, `to_array_*`, `to_int`, constant containers (`linspaced_*`, `ones_*`, …) and sizes. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import {
  type Container,
  dimensionsOf,
  newInts,
  newMatrix,
  newReals,
  toReals,
} from '../machinery/memory.ts';
import { forKinds, nestedKinds } from '../machinery/structure-keys.ts';
import { flatten, rowOf, shape, transposed } from './structure.ts';

type AnyMatrix = Matrix | ActiveMatrix;
type AnyVector = Float64Array | ActiveVector;

/** All scalars of a nested array in row-major order (matrices inside in column-major order). */
export function leavesOf(x: Container, into: number[] = []): number[] {
  if (Array.isArray(x)) {
    for (const element of x) leavesOf(element, into);
  } else if (x instanceof ActiveVector || x instanceof ActiveMatrix) {
    const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
    for (let i = 0; i < n; i++) into.push(x.slots === null ? x.base + i : x.slots[i]);
  } else {
    for (const value of x instanceof Matrix ? x.data : x) into.push(value);
  }
  return into;
}

const flatReals = (x: Container) => Float64Array.from(leavesOf(x));
const flatInts = (x: Container) => Int32Array.from(leavesOf(x));
function flatSlots(x: Container): ActiveVector {
  const slots = Int32Array.from(leavesOf(x));
  return new ActiveVector(slots.length, 0, slots);
}

const same = <T>(x: T) => x;
const intsToReals = (x: Int32Array) => Float64Array.from(x);

function vectorLength(x: AnyVector): number {
  return x instanceof ActiveVector ? x.n : x.length;
}

/** `to_matrix(x, rows, cols, column_major)` from elements in column-major order. */
function reshape(x: AnyVector, rows: number, cols: number, columnMajor = 1): AnyMatrix {
  if (vectorLength(x) !== rows * cols) {
    throw new ShapeError(
      `to_matrix: ${vectorLength(x)} elements do not make ${rows} rows of ${cols} columns`,
    );
  }
  return columnMajor !== 0 ? shape(x, rows, cols) : transposed(shape(x, cols, rows));
}

/** A matrix whose rows are the elements, all of the same length. */
function matrixOfRows(rows: readonly (AnyVector | Int32Array)[]): AnyMatrix {
  const cols = rows.length === 0 ? 0 : dimensionsOf(rows[0])[0];
  for (const row of rows) {
    if (dimensionsOf(row)[0] !== cols) throw new ShapeError('rows of a matrix differ in length');
  }
  const active = rows.length > 0 && rows[0] instanceof ActiveVector;
  const flat = active ? flatSlots(rows as Container[]) : flatReals(rows as Container[]);
  return transposed(shape(flat, cols, rows.length));
}

function rowsOf(m: AnyMatrix): Container[] {
  return Array.from({ length: m.rows }, (_, i) => rowOf(m, i + 1));
}

const conversions: LibraryPart = {
  ...forKinds('to_vector', ['R', 'V'], same),
  ...forKinds('to_vector', ['I'], intsToReals),
  ...forKinds('to_vector', ['M', 'W'], flatten),
  ...forKinds('to_row_vector', ['R', 'V'], same),
  ...forKinds('to_row_vector', ['I'], intsToReals),
  ...forKinds('to_row_vector', ['M', 'W'], flatten),
  ...forKinds('to_array_1d', ['I', 'R', 'V'], same),
  ...forKinds('to_array_1d', ['M', 'W'], flatten),
  ...forKinds('to_array_1d', kindsEnding('I'), flatInts),
  ...forKinds('to_array_1d', [...kindsEnding('R'), ...kindsEnding('M')], flatReals),
  ...forKinds('to_array_1d', [...kindsEnding('V'), ...kindsEnding('W')], flatSlots),
  ...forKinds('to_array_2d', ['M', 'W'], rowsOf),
  ...forKinds('to_matrix', ['M', 'W'], same),
  ...forKinds('$column_matrix', ['R', 'V'], (x) => shape(x, vectorLength(x), 1)),
  ...forKinds('$row_matrix', ['R', 'V'], (x) => shape(x, 1, vectorLength(x))),
  ...forKinds('to_matrix', ['Rii', 'Vii', 'Riii', 'Viii'], reshape),
  ...forKinds('to_matrix', ['Mii', 'Wii', 'Miii', 'Wiii'], (m, rows, cols, columnMajor) =>
    reshape(flatten(m), rows, cols, columnMajor),
  ),
  ...forKinds('to_matrix', ['[I', '[R', '[V'], matrixOfRows),
  ...forKinds('to_int', ['r'], truncate),
  ...forKinds('to_int', ['i', 'I'], same),
  ...forKinds('to_int', ['R'], (x: Float64Array) => Int32Array.from(x, truncate)),
};

function kindsEnding(letter: string): string[] {
  return nestedKinds.filter((kind) => kind.endsWith(letter));
}

function truncate(x: number): number {
  if (!(Math.abs(x) < 2 ** 31)) throw new DomainError(`to_int: ${x} does not fit in an int`);
  return Math.trunc(x) | 0;
}

// ---------------------------------------------------------------- constant containers

function linspaced(n: number, from: number, to: number): Float64Array {
  const out = newReals(n);
  for (let i = 0; i < n; i++) out[i] = from + ((to - from) * i) / Math.max(1, n - 1);
  if (n > 0) out[n - 1] = to;
  return out;
}

/** Integer steps, as in Eigen: a distance that n - 1 does not divide ends early; one below n - 1 repeats values. */
function linspacedInts(n: number, from: number, to: number): Int32Array {
  const out = newInts(n);
  const distance = to - from;
  if (n === 1) return out.fill(to);
  const repeats = distance + 1 < n ? Math.floor((n + distance) / (distance + 1)) : 0;
  const step = Math.floor(distance / (n - 1));
  for (let i = 0; i < n; i++) out[i] = from + (repeats > 0 ? Math.floor(i / repeats) : i * step);
  return out;
}

function oneHot<T extends Float64Array | Int32Array>(zeros: T, k: number): T {
  if (!(k >= 1 && k <= zeros.length)) {
    throw new DomainError(`one-hot index is ${k}: must be 1 to ${zeros.length}`);
  }
  zeros[k - 1] = 1;
  return zeros;
}

function identity(n: number): Matrix {
  const m = newMatrix(n, n);
  for (let i = 0; i < n; i++) m.data[i * n + i] = 1;
  return m;
}

const constants: LibraryPart = {
  linspaced_vector__irr: linspaced,
  linspaced_row_vector__irr: linspaced,
  linspaced_array__irr: linspaced,
  linspaced_int_array__iii: linspacedInts,
  one_hot_vector__ii: (n: number, k: number) => oneHot(newReals(n), k),
  one_hot_row_vector__ii: (n: number, k: number) => oneHot(newReals(n), k),
  one_hot_array__ii: (n: number, k: number) => oneHot(newReals(n), k),
  one_hot_int_array__ii: (n: number, k: number) => oneHot(newInts(n), k),
  ones_vector__i: (n: number) => newReals(n).fill(1),
  ones_row_vector__i: (n: number) => newReals(n).fill(1),
  ones_array__i: (n: number) => newReals(n).fill(1),
  ones_int_array__i: (n: number) => newInts(n).fill(1),
  zeros_vector__i: newReals,
  zeros_row_vector__i: newReals,
  zeros_array__i: newReals,
  zeros_int_array__i: newInts,
  uniform_simplex__i: (n: number) => newReals(n).fill(1 / n),
  identity_matrix__i: identity,
};

function countElements(x: Container): number {
  return dimensionsOf(x).reduce((product, n) => product * n, 1);
}

/** Functions that emitted programs call as `$…`. */
const literals: LibraryPart = {
  $zeros: zerosLike,
  $dims: (x: Container) => Int32Array.from(dimensionsOf(x)),
  $num_elements: countElements,
  $slots_of: (slots: number[]) => new ActiveVector(slots.length, 0, Int32Array.from(slots)),
  $matrix_of_rows: matrixOfRows,
  $leaves_R: (x: Container) => flatReals(toReals(x)),
  $leaves_V: flatSlots,
};

/** Zeros in the shape of `x`, as data. */
function zerosLike(x: Container): Container {
  if (Array.isArray(x)) return x.map(zerosLike);
  if (x instanceof Matrix || x instanceof ActiveMatrix) return newMatrix(x.rows, x.cols);
  return newReals(x instanceof ActiveVector ? x.n : x.length);
}

export const conversionPart: LibraryPart = { ...conversions, ...constants, ...literals };
