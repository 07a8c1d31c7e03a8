/**
 * Constraining transforms as functions of the language: `<kind>_constrain`, `<kind>_unconstrain`, and `<kind>_jacobian`, which
 * also adds log |Jacobian| to the target. Keys are `<kind>_constrain` and `<kind>_unconstrain`, called as
 * `(tape | null, jacobian | null, kinds, ...args)` with the kinds as a list. With an active kind, the result is active and
 * log |Jacobian| goes to `jacobian` unless null. Arrays, including bounds that are arrays, are mapped element by element.
 */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import type { Constrain } from '../../transforms/constrain-elements.ts';
import { isometricSimplex, isometricSimplexFree } from '../../transforms/isometric-simplex.ts';
import type { JacobianSink } from '../../transforms/jacobian-sink.ts';
import {
  choleskyFactorCorr,
  choleskyFactorCov,
  corrMatrix,
  covMatrix,
} from '../../transforms/matrix-constraints.ts';
import {
  boundsConstrain,
  lowerConstrain,
  offsetMultiplierConstrain,
  type ScalarConstrain,
  upperConstrain,
} from '../../transforms/scalar-constraints.ts';
import { constrainStructured, type StructuredConstraint } from '../../transforms/structured.ts';
import { unconstrainElements, unconstrainStructured } from '../../transforms/unconstrain-active.ts';
import {
  ordered,
  positiveOrdered,
  sumToZero,
  sumToZeroFree,
  unitVector,
} from '../../transforms/vector-constraints.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { activate, type Container } from '../machinery/memory.ts';
import { constraintsPart } from './constraints.ts';

type Transform = (
  tape: Tape | null,
  jacobian: JacobianSink | null,
  kinds: readonly string[],
  ...args: readonly unknown[]
) => unknown;

const isActive = (kind: string): boolean => /[vVW]$/.test(kind);
const isNested = (kind: string): boolean => kind.startsWith('[');

/** Applies `one` to the elements of arrays of containers, in step with parameters that are such arrays. */
function overArrays(name: string, one: Transform): Transform {
  const each: Transform = (tape, jacobian, kinds, ...args) => {
    if (!isNested(kinds[0])) return one(tape, jacobian, kinds, ...args);
    const inner = kinds.map((kind) => (isNested(kind) ? kind.slice(1) : kind));
    const items = args[0] as readonly unknown[];
    for (const [k, kind] of kinds.entries()) {
      const { length } = args[k] as readonly unknown[];
      if (isNested(kind) && length !== items.length)
        throw new ShapeError(`${name}: sizes ${items.length} and ${length} must match`);
    }
    return items.map((_, i) => {
      const own = args.map((arg, k) => (isNested(kinds[k]) ? (arg as readonly unknown[])[i] : arg));
      return each(tape, jacobian, inner, ...own);
    });
  };
  return each;
}

/** Ints as reals. */
function asReals(kinds: readonly string[], args: readonly unknown[]): [string[], unknown[]] {
  const reals = args.map((arg, k) =>
    kinds[k] === 'I' ? Float64Array.from(arg as Int32Array) : arg,
  );
  return [kinds.map((kind) => ({ i: 'r', I: 'R' })[kind] ?? kind), reals];
}

/** The free value is made active in any case: derivatives in the parameters pass through it. */
function constrainElements(name: string, constrain: Constrain): Transform {
  return overArrays(name, (tape, jacobian, given, ...args) => {
    const [kinds, [x, ...params]] = asReals(given, args);
    if (tape === null || !kinds.some(isActive))
      return constrain(null, null, kinds.join(''), x, ...params);
    const [kind, free] = isActive(kinds[0]) ? [kinds[0], x] : activated(tape, kinds[0], x);
    return constrain(tape, jacobian, [kind, ...kinds.slice(1)].join(''), free, ...params);
  });
}

function activated(tape: Tape, kind: string, x: unknown): readonly [string, unknown] {
  if (kind === 'r') return ['v', tape.constant(x as number)];
  return [kind === 'M' ? 'W' : 'V', activate(tape, x as Container)];
}

type Free = (...args: unknown[]) => number | Float64Array | Matrix;

function unconstrainEach(name: string, free: Free, transform: ScalarConstrain): Transform {
  return overArrays(name, (tape, _, given, ...args) => {
    const [kinds, values] = asReals(given, args);
    const data = values.map((arg, k) => (isActive(kinds[k]) ? numbersOf(tape as Tape, arg) : arg));
    const found = free(...data);
    if (tape === null || !kinds.some(isActive)) return found;
    const flat = typeof found === 'number' ? Float64Array.of(found) : leavesOf(found);
    return unconstrainElements(tape, kinds, values, { free: flat, transform });
  });
}

const leavesOf = (x: Float64Array | Matrix): Float64Array => (x instanceof Matrix ? x.data : x);

/** An active value as data. */
function numbersOf(tape: Tape, x: unknown): number | Float64Array | Matrix {
  if (typeof x === 'number') return tape.value[x];
  const active = x as ActiveVector | ActiveMatrix;
  const n = active instanceof ActiveVector ? active.n : active.rows * active.cols;
  const values = Float64Array.from({ length: n }, (_, i) => tape.value[slotAt(active, i)]);
  return active instanceof ActiveVector ? values : new Matrix(active.rows, active.cols, values);
}

function constrainWhole(constraint: StructuredConstraint): Transform {
  const constrain = constrainStructured(constraint);
  return overArrays(constraint.name, (tape, jacobian, kinds, x, ...sizes) =>
    constrain(isActive(kinds[0]) ? tape : null, jacobian, '', x, ...sizes),
  );
}

function unconstrainWhole(constraint: StructuredConstraint, free: LibraryFunction): Transform {
  return overArrays(constraint.name, (tape, _, [kind], x) => {
    if (tape === null || !isActive(kind)) return free(x);
    const found = free(numbersOf(tape, x)) as Float64Array;
    // a unit vector is its own free value; other points on the ray through it give the same result
    if (constraint === unitVector) return x;
    const active = x as ActiveVector | ActiveMatrix;
    return unconstrainStructured(tape, active, { constraint, free: found });
  });
}

// ---------------------------------------------------------------- columns and rows of matrices

type Vector = Float64Array | ActiveVector;

/** Column (or row) k of a matrix, data or active. */
function lineOf(x: Matrix | ActiveMatrix, along: 'columns' | 'rows', k: number): Vector {
  const isColumn = along === 'columns';
  const length = isColumn ? x.rows : x.cols;
  const at = (i: number) => (isColumn ? i + k * x.rows : k + i * x.rows);
  if (x instanceof Matrix) return Float64Array.from({ length }, (_, i) => x.data[at(i)]);
  return new ActiveVector(
    length,
    0,
    Int32Array.from({ length }, (_, i) => slotAt(x, at(i))),
  );
}

function matrixOf(lines: readonly Vector[], along: 'columns' | 'rows', length: number) {
  const isColumn = along === 'columns';
  const [rows, cols] = isColumn ? [length, lines.length] : [lines.length, length];
  const place = (k: number, i: number) => (isColumn ? i + k * rows : k + i * rows);
  const isData = lines.every((line) => line instanceof Float64Array);
  if (isData) {
    const data = new Float64Array(rows * cols);
    for (const [k, line] of lines.entries()) line.forEach((v, i) => (data[place(k, i)] = v));
    return new Matrix(rows, cols, data);
  }
  const slots = new Int32Array(rows * cols);
  for (const [k, line] of (lines as readonly ActiveVector[]).entries())
    for (let i = 0; i < line.n; i++) slots[place(k, i)] = slotAt(line, i);
  return new ActiveMatrix(rows, cols, 0, slots);
}

/** Applies `one`, which lengthens a vector by `growth`, to each column or row of a matrix. */
function byLines(
  name: string,
  along: 'columns' | 'rows',
  one: Transform,
  growth: 1 | -1,
): Transform {
  return overArrays(name, (tape, jacobian, [kind], x) => {
    const matrix = x as Matrix | ActiveMatrix;
    const count = along === 'columns' ? matrix.cols : matrix.rows;
    const length = (along === 'columns' ? matrix.rows : matrix.cols) + growth;
    const inner = [kind === 'W' ? 'V' : 'R'];
    const lines = Array.from(
      { length: count },
      (_, k) => one(tape, jacobian, inner, lineOf(matrix, along, k)) as Vector,
    );
    return matrixOf(lines, along, length);
  });
}

/** Vectors directly; a matrix by its columns, and then by its rows. */
function alsoMatrices(name: string, one: Transform, growth: 1 | -1): Transform {
  const columns = byLines(name, 'columns', one, growth);
  const rows = byLines(name, 'rows', one, growth);
  return (tape, jacobian, kinds, x) => {
    if (!/[MW]$/.test(kinds[0])) return one(tape, jacobian, kinds, x);
    return rows(tape, jacobian, kinds, columns(tape, jacobian, kinds, x));
  };
}

// ---------------------------------------------------------------- the table

/** Kind in the language → kind of the declared constraint, and its transform of an element. */
const elementwise: Readonly<Record<string, readonly [string, ScalarConstrain]>> = {
  lower_bound: ['lower', lowerConstrain],
  upper_bound: ['upper', upperConstrain],
  lower_upper_bound: ['bounds', boundsConstrain],
  offset_multiplier: ['offset_multiplier', offsetMultiplierConstrain],
};

const whole: Readonly<Record<string, StructuredConstraint>> = {
  ordered,
  positive_ordered: positiveOrdered,
  unit_vector: unitVector,
  cholesky_factor_cov: choleskyFactorCov,
  cholesky_factor_corr: choleskyFactorCorr,
  cov_matrix: covMatrix,
  corr_matrix: corrMatrix,
};

const part: Record<string, Transform> = {};
for (const [kind, [declared, transform]] of Object.entries(elementwise)) {
  const constrain = constraintsPart[`$constrain_${declared}`] as Constrain;
  const free = constraintsPart[`$free_${declared}`] as Free;
  part[`${kind}_constrain`] = constrainElements(`${kind}_constrain`, constrain);
  part[`${kind}_unconstrain`] = unconstrainEach(`${kind}_unconstrain`, free, transform);
}
for (const [kind, constraint] of Object.entries(whole)) {
  part[`${kind}_constrain`] = constrainWhole(constraint);
  part[`${kind}_unconstrain`] = unconstrainWhole(constraint, constraintsPart[`$free_${kind}`]);
}
const simplex = constrainWhole(isometricSimplex);
const simplexBack = unconstrainWhole(isometricSimplex, isometricSimplexFree);
const zeroSum = constrainWhole(sumToZero);
const zeroSumBack = unconstrainWhole(sumToZero, sumToZeroFree);

export const transformsPart: LibraryPart = {
  ...part,
  simplex_constrain: simplex,
  simplex_unconstrain: simplexBack,
  sum_to_zero_constrain: alsoMatrices('sum_to_zero_constrain', zeroSum, 1),
  sum_to_zero_unconstrain: alsoMatrices('sum_to_zero_unconstrain', zeroSumBack, -1),
  stochastic_column_constrain: byLines('stochastic_column_constrain', 'columns', simplex, 1),
  stochastic_column_unconstrain: byLines(
    'stochastic_column_unconstrain',
    'columns',
    simplexBack,
    -1,
  ),
  stochastic_row_constrain: byLines('stochastic_row_constrain', 'rows', simplex, 1),
  stochastic_row_unconstrain: byLines('stochastic_row_unconstrain', 'rows', simplexBack, -1),
};
