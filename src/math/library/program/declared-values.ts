/** Between flat unconstrained values, flat output columns and the containers a program declares; checks of bounds. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { DomainError } from '../../errors.ts';
import { leavesOf } from '../families/conversion.ts';
import { transposed } from '../families/structure.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { sliceAt } from '../machinery/indexing.ts';
import type { Container } from '../machinery/memory.ts';
import { placeName } from './place-name.ts';

type AnyVector = Float64Array | ActiveVector;
type Value = number | Container;

function product(sizes: readonly number[]): number {
  return sizes.reduce((n, size) => n * size, 1);
}

/** Elements in row-major order of the arrays (matrices column-major) as the container of `kind` and `sizes`. */
function reshape(x: AnyVector, sizes: readonly number[], kind: string): Container {
  if (kind.startsWith('[')) {
    const [n, ...inner] = sizes;
    const count = product(inner);
    return Array.from({ length: n }, (_, i) =>
      reshape(sliceAt(x, i * count, count), inner, kind.slice(1)),
    );
  }
  if (kind === 'M') return new Matrix(sizes[0], sizes[1], x as Float64Array);
  if (kind === 'W') {
    const { base, slots } = x as ActiveVector;
    return new ActiveMatrix(sizes[0], sizes[1], base, slots);
  }
  return x;
}

/** Nested arrays of `sizes` whose innermost elements are `make(0)`, `make(1)`, … in row-major order. */
function buildArray(sizes: readonly number[], make: (k: number) => Container): Container {
  const [n, ...inner] = sizes;
  const count = product(inner);
  return Array.from({ length: n }, (_, k) =>
    inner.length === 0 ? make(k) : buildArray(inner, (j) => make(k * count + j)),
  );
}

/** Calls `visit` with every element below `depth` array levels, in row-major order. */
function visitArray(x: Value, depth: number, visit: (element: never) => void): void {
  if (depth === 0) visit(x as never);
  else for (const element of x as Container[]) visitArray(element, depth - 1, visit);
}

/** Runs `check` with every element below `depth` array levels; the error names the element. */
function checkEach(
  x: Value,
  depth: number,
  check: (label: string, element: never) => void,
  label: string,
  index: number[] = [],
): void {
  if (depth === 0) {
    try {
      check(label, x as never);
    } catch {
      check(labelled(label, index), x as never);
    }
    return;
  }
  (x as Container[]).forEach((element, i) => {
    index.push(i + 1);
    checkEach(element, depth - 1, check, label, index);
    index.pop();
  });
}

/** Repeats the n values of a bound for each element of an array. */
function tile(x: AnyVector, count: number): AnyVector {
  if (x instanceof ActiveVector) {
    const once = leavesOf(x);
    const slots = Int32Array.from({ length: once.length * count }, (_, k) => once[k % once.length]);
    return new ActiveVector(slots.length, 0, slots);
  }
  return Float64Array.from({ length: x.length * count }, (_, k) => x[k % x.length]);
}

function matrixOfColumns(rows: number, cols: number, make: (j: number) => AnyVector): Container {
  const columns = Array.from({ length: cols }, (_, j) => make(j));
  const leaves = leavesOf(columns as Container[]);
  return columns[0] instanceof ActiveVector
    ? new ActiveMatrix(rows, cols, 0, Int32Array.from(leaves))
    : new Matrix(rows, cols, Float64Array.from(leaves));
}

// ---------------------------------------------------------------- output

/** Writes `x` into flat columns from `first` on, first index fastest; returns one past the last. */
function writeColumns(out: Float64Array, first: number, x: Value): number {
  return first + writeStrided(out, first, 1, x);
}

/** The numbers of `x` in the order of output columns. */
function flatColumns(x: Container): Float64Array {
  const out = new Float64Array(leavesOf(x).length);
  writeColumns(out, 0, x);
  return out;
}

function writeStrided(out: Float64Array, first: number, stride: number, x: Value): number {
  if (typeof x === 'number') {
    out[first] = x;
    return 1;
  }
  if (Array.isArray(x)) {
    let count = 0;
    x.forEach((element, i) => {
      count += writeStrided(out, first + stride * i, stride * x.length, element);
    });
    return count;
  }
  const data = x instanceof Matrix ? x.data : (x as Float64Array | Int32Array);
  for (let i = 0; i < data.length; i++) out[first + stride * i] = data[i];
  return data.length;
}

// ---------------------------------------------------------------- checks

function labelled(label: string, index: readonly number[]): string {
  return `\`${placeName(label, index)}\``;
}

function indexOf(x: Value, k: number): number[] {
  return x instanceof Matrix
    ? [(k % x.rows) + 1, Math.floor(k / Math.max(1, x.rows)) + 1]
    : [k + 1];
}

type BoundVisitor = (value: number, bound: number, index: readonly number[]) => void;

/** Element k of a bound that has the shape of the value. */
function boundAt(bound: Value, k: number): Value {
  if (typeof bound === 'number') return bound;
  return bound instanceof Matrix ? bound.data[k] : (bound as Container[])[k];
}

/** Calls `visit` with every number of `x`, its bound and its index; the outer `shared` array levels share a bound. */
function visitBounded(x: Value, bound: Value, shared: number, visit: BoundVisitor): void {
  const descend = (part: Value, limit: Value, index: readonly number[]): void => {
    if (typeof part === 'number') {
      visit(part, limit as number, index);
      return;
    }
    const items = part instanceof Matrix ? part.data : (part as Container[] | Float64Array);
    const own = index.length < shared;
    for (let k = 0; k < items.length; k++) {
      descend(items[k], own ? limit : boundAt(limit, k), [...index, ...indexOf(part, k)]);
    }
  };
  descend(x, bound, []);
}

/** Whether every number passes: a cheap check before indexes are built. */
function allHold(x: Value, bound: number, holds: (x: number, bound: number) => boolean): boolean {
  if (typeof x === 'number') return holds(x, bound);
  if (Array.isArray(x)) return x.every((element) => allHold(element, bound, holds));
  const data = x instanceof Matrix ? x.data : (x as Float64Array | Int32Array);
  for (let i = 0; i < data.length; i++) if (!holds(data[i], bound)) return false;
  return true;
}

interface Requirement {
  readonly holds: (x: number, bound: number) => boolean;
  readonly requirement: string;
}

function boundCheck({ holds, requirement }: Requirement) {
  return (x: Value, bound: Value, label: string, shared: number): void => {
    if (typeof bound === 'number' && allHold(x, bound, holds)) return;
    visitBounded(x, bound, shared, (value, limit, index) => {
      if (holds(value, limit)) return;
      throw new DomainError(
        `${labelled(label, index)} is ${value}: must be ${requirement} ${limit}`,
      );
    });
  };
}

function checkStochastic(label: string, columns: Matrix, what: string): void {
  for (let j = 0; j < columns.cols; j++) {
    let sum = 0;
    for (let i = 0; i < columns.rows; i++) {
      const value = columns.data[j * columns.rows + i];
      if (!(value >= 0)) throw new DomainError(`${label} holds ${value}: must be at least 0`);
      sum += value;
    }
    if (!(Math.abs(sum - 1) <= 1e-8)) {
      throw new DomainError(`${what} ${j + 1} of ${label} sums to ${sum}: must be 1`);
    }
  }
}

function checkZeroSums(label: string, columns: Matrix, what: string): void {
  for (let j = 0; j < columns.cols; j++) {
    let sum = 0;
    for (let i = 0; i < columns.rows; i++) sum += columns.data[j * columns.rows + i];
    if (!(Math.abs(sum) <= 1e-8))
      throw new DomainError(`${what} ${j + 1} of ${label} sums to ${sum}: must be 0`);
  }
}

/** Runs `free`, which may refuse the initial value of `label`. */
function freeing(label: string, free: () => void): void {
  try {
    free();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(`initial value of \`${label}\`: ${error.message}`);
  }
}

/** Functions that emitted programs call as `$…`. */
export const declaredValuesPart: LibraryPart = {
  $inputs: (n: number, first: number) => new ActiveVector(n, first),
  $reshape: reshape,
  $array: buildArray,
  $each: visitArray,
  $check_each: checkEach,
  $tile: tile,
  $matrix_of_columns: matrixOfColumns,
  $write: writeColumns,
  $flat_columns: flatColumns,
  $check_lower: boundCheck({ holds: (x, bound) => x >= bound, requirement: 'at least' }),
  $check_upper: boundCheck({ holds: (x, bound) => x <= bound, requirement: 'at most' }),
  $check_stochastic_columns: (label: string, m: Matrix) => checkStochastic(label, m, 'column'),
  $check_stochastic_rows: (label: string, m: Matrix) =>
    checkStochastic(label, transposed(m), 'row'),
  $check_sum_to_zero_matrix(label: string, m: Matrix) {
    checkZeroSums(label, m, 'column');
    checkZeroSums(label, transposed(m), 'row');
  },
  $freeing: freeing,
};
