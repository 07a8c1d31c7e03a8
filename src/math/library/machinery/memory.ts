/** Making, copying and promoting containers; every size a program asks for passes the limits here. */
import { ActiveMatrix, ActiveVector, Matrix, slotsOf } from '../../autodiff/containers.ts';
import { MemoryBudgetError, type Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from './implementation.ts';

/** The most elements one container may have: 2^27 numbers are 1 GiB. */
const maxElements = 2 ** 27;

/** The most containers one array may nest: each takes a few hundred bytes of heap in addition to its numbers. */
const maxNested = 2 ** 22;

/** Bytes of containers made between two checks by the watch. */
const watchStride = 2 ** 26;
let unwatchedBytes = 0;
let watch: (bytes: number) => void = () => {};

/**
 * `look` is called occasionally while containers are made, with the bytes of the next one, and throws if the
 * thread would use too much memory: containers may be within their limits, yet too large together.
 */
export function watchContainers(look: (bytes: number) => void): void {
  watch = look;
}

function count(bytes: number): void {
  unwatchedBytes += bytes;
  if (unwatchedBytes < watchStride) return;
  unwatchedBytes = 0;
  watch(bytes);
}

/** The value of an int variable before its first assignment: the smallest 32-bit integer, as in Stan. */
const unassignedInt = -2147483648;

/** A value that is not a scalar, either data or active. */
export type Container =
  | Float64Array
  | Int32Array
  | Matrix
  | ActiveVector
  | ActiveMatrix
  | Container[];

/** Returns `n` if it can be the number of elements of a container. */
export function checkedSize(n: number): number {
  if (!(n >= 0)) throw new ShapeError(`a size is ${n}: must be at least 0`);
  if (n > maxElements) {
    throw new MemoryBudgetError(
      `a container of ${n} elements is larger than the limit of ${maxElements}`,
    );
  }
  return n;
}

/** n zeros. */
export function newReals(n: number): Float64Array {
  count(8 * checkedSize(n));
  return new Float64Array(n);
}

export function newInts(n: number): Int32Array {
  count(4 * checkedSize(n));
  return new Int32Array(n);
}

/** rows × cols zeros. */
export function newMatrix(rows: number, cols: number): Matrix {
  return new Matrix(checkedSize(rows), checkedSize(cols), newReals(rows * cols));
}

/** Slots of constants holding `x`; returns the first. */
function constantSlots(tape: Tape, x: Float64Array): number {
  const n = x.length;
  tape.reserveSlots(n);
  const first = tape.numSlots;
  tape.value.set(x, first);
  tape.edgeEnd.fill(tape.numEdges, first, first + n);
  tape.numSlots += n;
  return first;
}

function activateVector(tape: Tape, x: Float64Array): ActiveVector {
  return new ActiveVector(x.length, constantSlots(tape, x));
}

function activateMatrix(tape: Tape, x: Matrix): ActiveMatrix {
  return new ActiveMatrix(x.rows, x.cols, constantSlots(tape, x.data));
}

/** The same nesting with constants for numbers. */
export function activate(tape: Tape, x: Container): Container {
  if (x instanceof Float64Array) return activateVector(tape, x);
  if (x instanceof Int32Array) return activateVector(tape, Float64Array.from(x));
  if (x instanceof Matrix) return activateMatrix(tape, x);
  if (Array.isArray(x)) return x.map((element) => activate(tape, element));
  return x;
}

/** The values of `x`, in a fresh array. */
function valuesOf(tape: Tape, x: ActiveVector | ActiveMatrix, n: number): Float64Array {
  if (x.slots === null) return tape.value.slice(x.base, x.base + n);
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = tape.value[x.slots[i]];
  return out;
}

/** The same nesting with numbers for slots. */
export function deactivate(tape: Tape, x: Container): Container {
  if (x instanceof ActiveVector) return valuesOf(tape, x, x.n);
  if (x instanceof ActiveMatrix) {
    return new Matrix(x.rows, x.cols, valuesOf(tape, x, x.rows * x.cols));
  }
  if (Array.isArray(x)) return x.map((element) => deactivate(tape, element));
  return x;
}

/** Arrays of ints as arrays of reals. */
export function toReals(x: Container): Container {
  if (x instanceof Int32Array) return Float64Array.from(x);
  if (Array.isArray(x)) return x.map(toReals);
  return x;
}

/**
 * A copy that element assignment may write into; active containers get their own list of slots. Array levels below
 * `level` are shared: 0 copies the outermost container only.
 */
export function own(x: Container, level: number): Container {
  if (Array.isArray(x)) return level > 0 ? x.map((element) => own(element, level - 1)) : x.slice();
  if (x instanceof Matrix) return new Matrix(x.rows, x.cols, x.data.slice());
  if (x instanceof ActiveVector) return new ActiveVector(x.n, 0, slotsOf(x, x.n));
  if (x instanceof ActiveMatrix) {
    return new ActiveMatrix(x.rows, x.cols, 0, slotsOf(x, x.rows * x.cols));
  }
  return x.slice();
}

/** Unassigned arrays of `sizes`, outermost first, around the containers that `make` returns. */
function nest(sizes: readonly number[], make: () => Container): Container {
  const n = sizes.reduce((product, size) => product * checkedSize(size), 1);
  if (n > maxNested) {
    throw new MemoryBudgetError(
      `an array of ${n} containers is larger than the limit of ${maxNested}`,
    );
  }
  return nestFrom(sizes, 0, make);
}

function nestFrom(sizes: readonly number[], depth: number, make: () => Container): Container {
  if (depth === sizes.length) return make();
  return Array.from({ length: checkedSize(sizes[depth]) }, () => nestFrom(sizes, depth + 1, make));
}

/** Sizes, outermost first: 3, 2, 4 for `array[3] matrix[2, 4]`. */
export function dimensionsOf(x: Container): number[] {
  if (x instanceof Matrix || x instanceof ActiveMatrix) return [x.rows, x.cols];
  if (x instanceof ActiveVector) return [x.n];
  if (Array.isArray(x)) return x.length === 0 ? [0] : [x.length, ...dimensionsOf(x[0])];
  return [x.length];
}

function sameSizes(x: Container, sizes: readonly number[], depth: number): boolean {
  if (x instanceof Matrix || x instanceof ActiveMatrix) {
    return x.rows === sizes[depth] && x.cols === sizes[depth + 1];
  }
  if (x instanceof ActiveVector) return x.n === sizes[depth];
  if (!Array.isArray(x)) return x.length === sizes[depth];
  if (x.length !== sizes[depth]) return false;
  for (const element of x) if (!sameSizes(element, sizes, depth + 1)) return false;
  return true;
}

/** Returns `x`, a value about to be stored in `label`, if it has the declared `sizes`. */
export function sized(x: Container, sizes: readonly number[], label: string): Container {
  if (sameSizes(x, sizes, 0)) return x;
  throw new ShapeError(
    `\`${label}\` is declared with size ${sizes.join(' × ')}, but is assigned a value of size ${dimensionsOf(x).join(' × ')}`,
  );
}

/** Like {@link sized}, for a variable that has a value: the new one must have the same sizes. */
export function fitting(x: Container, before: Container, label: string): Container {
  if (x instanceof ActiveVector && before instanceof ActiveVector && x.n === before.n) return x;
  if (Array.isArray(before) && before.length === 0 && Array.isArray(x) && x.length === 0) return x;
  return sized(x, dimensionsOf(before), label);
}

function unassignedMatrix(rows: number, cols: number): Matrix {
  const m = newMatrix(rows, cols);
  m.data.fill(Number.NaN);
  return m;
}

/** Most are assigned as a whole, so the list of slots waits until an element is; the watch sees it now. */
function unassignedActive(rows: number, cols: number): ActiveMatrix {
  const m = new ActiveMatrix(checkedSize(rows), checkedSize(cols), 0);
  count(4 * checkedSize(rows * cols));
  return m;
}

/** Functions that emitted programs call as `$…`; slot 0 of a tape is NaN, so fresh lists of slots are unassigned. */
export const memoryPart: LibraryPart = {
  $new_I: (n: number) => newInts(n).fill(unassignedInt),
  $new_R: (n: number) => newReals(n).fill(Number.NaN),
  $new_V: (n: number) => new ActiveVector(n, 0, newInts(n)),
  $new_M: unassignedMatrix,
  $new_W: unassignedActive,
  $nest: nest,
  $own: own,
  $sized: sized,
  $fitting: fitting,
  $activate: activate,
  $deactivate: deactivate,
  $toReals: toReals,
};
