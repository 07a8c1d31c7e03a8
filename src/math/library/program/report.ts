/** Messages from programs: `print`, `reject`, `fatal_error`, and the place of an error. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { DomainError } from '../../errors.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import type { Container } from '../machinery/memory.ts';

/** Stan's `fatal_error()`: ends the run in any block. */
class FatalError extends Error {
  override readonly name = 'FatalError';
}

/** Six significant digits, as Stan prints. */
function showNumber(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x > 0 ? 'inf' : '-inf';
  return Number.isInteger(x) && Math.abs(x) < 1e15 ? String(x) : String(Number(x.toPrecision(6)));
}

function show(x: number | Container): string {
  if (typeof x === 'number') return showNumber(x);
  if (x instanceof Matrix) {
    const rows = Array.from({ length: x.rows }, (_, i) =>
      Array.from({ length: x.cols }, (__, j) => showNumber(x.data[j * x.rows + i])).join(','),
    );
    return `[${rows.map((row) => `[${row}]`).join(',')}]`;
  }
  if (x instanceof ActiveVector || x instanceof ActiveMatrix) throw new Error('value expected');
  return `[${Array.from(x as ArrayLike<number | Container>, show).join(',')}]`;
}

/** The array dimensions of a tuple, then its members: shapes, 1 if they are complex, or 0 for anything else. */
type TupleShape = readonly [number, ...(TupleShape | 0 | 1)[]];

/** `(1,2)`, or for containers `[(1,2),(3,4)]`. */
function showComplex(real: number | Container, imaginary: number | Container): string {
  if (typeof real === 'number') return `(${showNumber(real)},${show(imaginary)})`;
  const [parts, others] = [real, imaginary].map((x) => (x instanceof Matrix ? rowsOf(x) : x));
  const shown = Array.from(parts as ArrayLike<number | Container>, (part, i) =>
    showComplex(part, (others as ArrayLike<number | Container>)[i]),
  );
  return `[${shown.join(',')}]`;
}

function rowsOf(x: Matrix): Float64Array[] {
  return Array.from({ length: x.rows }, (_, i) =>
    Float64Array.from({ length: x.cols }, (__, j) => x.data[j * x.rows + i]),
  );
}

/**
 * A tuple as Stan prints it, `(1,[2,3])`, or for an array `[(1,2),(3,4)]`. `leaves` holds the values of all members that
 * are not tuples, those in arrays of tuples as arrays.
 */
function showTuple(shape: TupleShape | 0 | 1, leaves: readonly (number | Container)[]): string {
  if (shape === 0) return show(leaves[0]);
  if (shape === 1) return showComplex(leaves[0], leaves[1]);
  const [depth, ...members] = shape;
  if (depth > 0) {
    const element: TupleShape = [depth - 1, ...members];
    const count = (leaves[0] as ArrayLike<unknown>).length;
    const elementOf = (leaf: number | Container, i: number) =>
      (leaf as ArrayLike<number | Container>)[i];
    const shown = Array.from({ length: count }, (_, i) =>
      showTuple(
        element,
        leaves.map((leaf) => elementOf(leaf, i)),
      ),
    );
    return `[${shown.join(',')}]`;
  }
  let at = 0;
  const shown = members.map((member) => {
    const count = countLeaves(member);
    at += count;
    return showTuple(member, leaves.slice(at - count, at));
  });
  return `(${shown.join(',')})`;
}

function countLeaves(shape: TupleShape | 0 | 1): number {
  if (shape === 0 || shape === 1) return shape + 1;
  const [, ...members] = shape;
  return members.reduce<number>((sum, member) => sum + countLeaves(member), 0);
}

const located = new WeakSet<Error>();

/** Adds where it happened to the message of `error`, once. */
function locate(thrown: unknown, place: string): unknown {
  // Sizes are checked before allocation, so a RangeError means that the stack overflowed.
  const error =
    thrown instanceof RangeError
      ? new FatalError('calls are nested too deeply: a function may be calling itself endlessly')
      : thrown;
  if (error instanceof Error && !located.has(error)) {
    located.add(error);
    error.message = `${error.message} (in ${place})`;
  }
  return error;
}

/** Applies `each` over the outer array level of the operands that are `nested`. */
function mapArrays(
  each: LibraryFunction,
  nested: readonly boolean[],
  operands: readonly unknown[],
): unknown[] {
  const arrays = operands.filter((_, i) => nested[i]) as unknown[][];
  return arrays[0].map((_, k) =>
    each(...operands.map((operand, i) => (nested[i] ? (operand as unknown[])[k] : operand))),
  );
}

/** Functions that emitted programs call as `$…`. */
export const reportPart: LibraryPart = {
  $show: show,
  $show_tuple: showTuple,
  $reject: (text: string) => {
    throw new DomainError(text);
  },
  $fatal: (text: string) => {
    throw new FatalError(text);
  },
  $noReturn: (name: string) => {
    throw new FatalError(`function \`${name}\` ended without \`return\``);
  },
  $located: locate,
  $map: mapArrays,
};
