/** Gaussian process covariance matrices `gp_…_cov(points, [points], sigma, length…)` as library functions. */
import { ActiveMatrix, Matrix } from '../../autodiff/containers.ts';
import { Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import {
  type CovarianceAdjoint,
  type CovarianceFunction,
  type CovarianceInput,
  dotProduct,
  exponentialKernel,
  exponentiatedQuadratic,
  matern32,
  matern52,
  type Points,
  periodic,
  type StationaryKernel,
  stationary,
} from '../../linalg/covariance.ts';
import { repeatedDistances } from '../../linalg/repeated-distances.ts';
import {
  fillStationary,
  reverseStationary,
  type Scales,
} from '../../linalg/stationary-covariance.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

/** Which arguments follow the points: `s` sigma, `l` length scale (`L`: one per dimension), `p` period. */
type Hyper = 's' | 'sl' | 'sL' | 'slp';

const operand = new Operand();

interface Argument {
  readonly values: Float64Array;
  /** Slots of the values when active. */
  readonly slots: Int32Array | null;
}

function read(tape: Tape | null, kind: string, x: unknown): Argument {
  operand.openNested(tape, kind, x);
  const values = operand.values.slice(operand.start, operand.start + operand.size);
  if (!operand.active) return { values, slots: null };
  const slots = new Int32Array(operand.size);
  for (let i = 0; i < operand.size; i++) slots[i] = operand.slot(i);
  return { values, slots };
}

function pointsOf(kind: string, x: unknown, values: Float64Array): Points {
  if (!kind.startsWith('[')) return { count: values.length, dims: 1, values };
  const count = (x as readonly unknown[]).length;
  return { count, dims: count === 0 ? 0 : values.length / count, values };
}

interface Call {
  readonly name: string;
  readonly fn: CovarianceFunction;
  readonly kinds: readonly string[];
  readonly hyper: Hyper;
  readonly args: readonly unknown[];
}

/** Positive parameters, as Stan requires. */
function requireAllPositive(name: string, what: string, x: Float64Array): void {
  for (const value of x) requirePositive(name, what, value);
}

function requirePositive(name: string, what: string, value: number): void {
  if (!(value > 0 && value < Infinity)) {
    throw new DomainError(`${name}: ${what} is ${value}, but must be positive finite`);
  }
}

function covariance(
  tape: Tape | null,
  { name, fn, kinds, hyper, args }: Call,
): Matrix | ActiveMatrix {
  const read1 = kinds.map((kind, k) => read(tape, kind, args[k]));
  const numPoints = kinds.length - hyper.length;
  const x = pointsOf(kinds[0], args[0], read1[0].values);
  const y = numPoints === 2 ? pointsOf(kinds[1], args[1], read1[1].values) : x;
  if (x.dims !== y.dims && x.count > 0 && y.count > 0) {
    throw new ShapeError(`${name}: points of ${x.dims} and ${y.dims} dimensions`);
  }
  const sigma = read1[numPoints];
  const lengths = hyper.length > 1 ? read1[numPoints + 1] : null;
  const period = hyper === 'slp' ? read1[numPoints + 2] : null;
  if (fn !== dotProduct) requireAllPositive(name, 'magnitude', sigma.values);
  if (lengths !== null) requireAllPositive(name, 'length scale', lengths.values);
  if (period !== null) requireAllPositive(name, 'period', period.values);
  if (hyper === 'sL' && x.count > 0 && lengths?.values.length !== x.dims) {
    throw new ShapeError(
      `${name}: ${lengths?.values.length} length scales for ${x.dims} dimensions`,
    );
  }
  const input: CovarianceInput = {
    x,
    y,
    sigma: sigma.values[0],
    lengths: lengths?.values ?? Float64Array.of(1),
    period: period?.values[0] ?? 1,
  };
  const out = fill(input, fn);
  if (tape === null || read1.every((a) => a.slots === null)) return out;
  const active = { x: read1[0].slots, y: numPoints === 2 ? read1[1].slots : read1[0].slots };
  const first = tape.block(out.data.length, (t) => {
    const dx = active.x === null ? null : new Float64Array(x.values.length);
    const own = y === x;
    const adjoint: CovarianceAdjoint = {
      dx,
      dy: active.y === null ? null : own ? dx : new Float64Array(y.values.length),
      dSigma: zerosFor(sigma),
      dLengths: lengths === null ? null : zerosFor(lengths),
      dPeriod: period === null ? null : zerosFor(period),
    };
    reverse(input, fn, { out, g: t.adjoint.subarray(first, first + out.data.length) }, adjoint);
    scatter(t, active.x, adjoint.dx);
    if (!own) scatter(t, active.y, adjoint.dy);
    scatter(t, sigma.slots, adjoint.dSigma);
    scatter(t, lengths?.slots ?? null, adjoint.dLengths);
    scatter(t, period?.slots ?? null, adjoint.dPeriod);
  });
  tape.value.set(out.data, first);
  return new ActiveMatrix(out.rows, out.cols, first);
}

function zerosFor(a: Argument): Float64Array | null {
  return a.slots === null ? null : new Float64Array(a.values.length);
}

function scatter(tape: Tape, slots: Int32Array | null, d: Float64Array | null): void {
  if (slots === null || d === null) return;
  for (let i = 0; i < d.length; i++) tape.adjoint[slots[i]] += d[i];
}

function fill(input: CovarianceInput, fn: CovarianceFunction): Matrix {
  const { x, y } = input;
  const out = new Matrix(x.count, y.count, new Float64Array(x.count * y.count));
  for (let j = 0; j < y.count; j++) {
    // a symmetric matrix is computed only once, below the diagonal
    for (let i = x === y ? j : 0; i < x.count; i++) {
      const k = fn.entry(input, i, j);
      out.data[i + j * x.count] = k;
      if (x === y) out.data[j + i * x.count] = k;
    }
  }
  return out;
}

interface Result {
  readonly out: Matrix;
  readonly g: Float64Array;
}

function reverse(
  input: CovarianceInput,
  fn: CovarianceFunction,
  { out, g }: Result,
  adjoint: CovarianceAdjoint,
): void {
  const { x, y } = input;
  const n = x.count;
  for (let j = 0; j < y.count; j++) {
    for (let i = x === y ? j : 0; i < n; i++) {
      const total = x === y && i !== j ? g[i + j * n] + g[j + i * n] : g[i + j * n];
      if (total !== 0) fn.reverse(input, { i, j, k: out.data[i + j * n], g: total }, adjoint);
    }
  }
}

interface FixedPoints {
  readonly name: string;
  readonly kernel: StationaryKernel;
  readonly isLine: boolean;
  readonly args: readonly unknown[];
}

/** `name(points, sigma, length)` for points that are data, with `sigma`, `length` or both on the tape. */
function covarianceOfFixed(
  tape: Tape,
  { name, kernel, isLine, args }: FixedPoints,
  sigmaSlot: number | null,
  lengthSlot: number | null,
): ActiveMatrix {
  const sigma = sigmaSlot === null ? (args[1] as number) : tape.value[sigmaSlot];
  const length = lengthSlot === null ? (args[2] as number) : tape.value[lengthSlot];
  requirePositive(name, 'magnitude', sigma);
  requirePositive(name, 'length scale', length);
  const points = isLine
    ? pointsOf('R', args[0], args[0] as Float64Array)
    : pointsOf('[R', args[0], read(null, '[R', args[0]).values);
  const scales: Scales = { sigma, length };
  const fixed = { points, repeated: repeatedDistances(args[0] as object, points) };
  const n = points.count;
  const first = tape.block(n * n, ({ value, adjoint }) => {
    const d = reverseStationary(kernel, fixed, scales, value, adjoint, first);
    if (sigmaSlot !== null) adjoint[sigmaSlot] += d.dSigma;
    if (lengthSlot !== null) adjoint[lengthSlot] += d.dLength;
  });
  fillStationary(kernel, fixed, scales, tape.value, first);
  return new ActiveMatrix(n, n, first, null, 'symmetric');
}

/** One set of points and one length scale: forms that replace the general ones. */
function fixedPointForms(name: string, kernel: StationaryKernel): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  for (const points of ['R', '[R']) {
    const isLine = points === 'R';
    const fixed = (args: readonly unknown[]): FixedPoints => ({ name, kernel, isLine, args });
    out[`${name}__${points}vv`] = (tape: Tape, x: unknown, sigma: number, length: number) =>
      covarianceOfFixed(tape, fixed([x, sigma, length]), sigma, length);
    out[`${name}__${points}vr`] = (tape: Tape, x: unknown, sigma: number, length: number) =>
      covarianceOfFixed(tape, fixed([x, sigma, length]), sigma, null);
    out[`${name}__${points}rv`] = (tape: Tape, x: unknown, sigma: number, length: number) =>
      covarianceOfFixed(tape, fixed([x, sigma, length]), null, length);
  }
  return out;
}

/** The two letters for each shape: data and active. */
const choices: Readonly<Record<string, readonly [string, string]>> = {
  1: ['R', 'V'],
  d: ['[R', '[V'],
  s: ['r', 'v'],
  l: ['r', 'v'],
  p: ['r', 'v'],
  L: ['R', 'V'],
};

/** All keys of one function: points on the line (`1`) or in space (`d`), one or two sets, every mix of activity. */
function covarianceForms(
  name: string,
  fn: CovarianceFunction,
  hypers: readonly Hyper[],
): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  for (const hyper of hypers) {
    for (const points of ['1', 'd', '11', 'dd']) {
      if (hyper === 'sL' && points.startsWith('1')) continue;
      const shapes = points + hyper;
      for (let mask = 0; mask < 2 ** shapes.length; mask++) {
        const kinds = Array.from(shapes, (s, k) => choices[s][(mask >> k) & 1]);
        out[`${name}__${kinds.join('')}`] =
          mask === 0
            ? (...args: unknown[]) => covariance(null, { name, fn, kinds, hyper, args })
            : (tape: Tape, ...args: unknown[]) =>
                covariance(tape, { name, fn, kinds, hyper, args });
      }
    }
  }
  return out;
}

const scaled: readonly Hyper[] = ['sl', 'sL'];

function stationaryForms(
  name: string,
  kernel: StationaryKernel,
  hypers: readonly Hyper[] = scaled,
): Record<string, LibraryFunction> {
  return {
    ...covarianceForms(name, stationary(kernel), hypers),
    ...fixedPointForms(name, kernel),
  };
}

export const covariancePart: LibraryPart = {
  ...stationaryForms('gp_exp_quad_cov', exponentiatedQuadratic),
  ...stationaryForms('cov_exp_quad', exponentiatedQuadratic, ['sl']),
  ...stationaryForms('gp_exponential_cov', exponentialKernel),
  ...stationaryForms('gp_matern32_cov', matern32),
  ...stationaryForms('gp_matern52_cov', matern52),
  ...covarianceForms('gp_periodic_cov', periodic, ['slp']),
  ...covarianceForms('gp_dot_prod_cov', dotProduct, ['s']),
};
