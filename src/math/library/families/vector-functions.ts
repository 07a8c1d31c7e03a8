/** Functions from a container to a container of the same size: softmax, cumulative sums, sorting; and mixtures. */
import { ActiveVector, slotAt } from '../../autodiff/containers.ts';
import { Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { logSumExp } from '../../special/log-exp.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { type Ternary, ternaryForms } from '../machinery/ternary-forms.ts';

/** The values of an active vector, copied. */
function valuesOf(tape: Tape, x: ActiveVector): Float64Array {
  const out = new Float64Array(x.n);
  for (let i = 0; i < x.n; i++) out[i] = tape.value[slotAt(x, i)];
  return out;
}

/** exp(x − log_sum_exp(x)); sums to 1. */
function softmax(x: Float64Array): Float64Array {
  const total = logSumExp(x);
  return x.map((e) => Math.exp(e - total));
}

function logSoftmax(x: Float64Array): Float64Array {
  const total = logSumExp(x);
  return x.map((e) => e - total);
}

/** Adds J' dy to the adjoints of x, from the result y and its adjoints dy. */
type VectorReverse = (dx: Float64Array, y: Float64Array, dy: Float64Array) => void;

/** dx_i = y_i (dy_i − Σ_j y_j dy_j). */
const softmaxReverse: VectorReverse = (dx, y, dy) => {
  let s = 0;
  for (let i = 0; i < y.length; i++) s += y[i] * dy[i];
  for (let i = 0; i < y.length; i++) dx[i] = y[i] * (dy[i] - s);
};

/** dx_i = dy_i − exp(y_i) Σ_j dy_j. */
const logSoftmaxReverse: VectorReverse = (dx, y, dy) => {
  let s = 0;
  for (let i = 0; i < y.length; i++) s += dy[i];
  for (let i = 0; i < y.length; i++) dx[i] = dy[i] - Math.exp(y[i]) * s;
};

function cumulativeSum<T extends Float64Array | Int32Array>(x: T): T {
  const out = x.slice() as T;
  for (let i = 1; i < out.length; i++) out[i] += out[i - 1];
  return out;
}

const cumulativeSumReverse: VectorReverse = (dx, _, dy) => {
  let s = 0;
  for (let i = dy.length - 1; i >= 0; i--) {
    s += dy[i];
    dx[i] = s;
  }
};

/** The active form of a vector function: one block. */
function blockForm(f: (x: Float64Array) => Float64Array, reverse: VectorReverse): LibraryFunction {
  return (tape: Tape, x: ActiveVector) => {
    const y = f(valuesOf(tape, x));
    const first = tape.block(x.n, (t) => {
      const dx = new Float64Array(x.n);
      reverse(dx, y, t.adjoint.subarray(first, first + x.n));
      for (let i = 0; i < x.n; i++) t.adjoint[slotAt(x, i)] += dx[i];
    });
    tape.value.set(y, first);
    return new ActiveVector(x.n, first);
  };
}

function requireNotEmpty(name: string, f: (x: Float64Array) => Float64Array) {
  return (x: Float64Array): Float64Array => {
    if (x.length === 0) throw new DomainError(`${name}: needs at least one element`);
    return f(x);
  };
}

function nested(name: string, data: LibraryFunction, active: LibraryFunction): LibraryPart {
  return {
    [`${name}__R`]: data,
    [`${name}__V`]: active,
    [`${name}__[R`]: (x: readonly Float64Array[]) => x.map((e) => data(e)),
    [`${name}__[V`]: (tape: Tape, x: readonly ActiveVector[]) => x.map((e) => active(tape, e)),
  };
}

/** Positions of x in the order of `sign` × value; ties keep their order. NaN is refused as in Stan. */
function order(name: string, x: ArrayLike<number>, sign: number): number[] {
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(x[i])) throw new DomainError(`${name}: element ${i + 1} is nan`);
  }
  return Array.from({ length: x.length }, (_, i) => i).sort(
    (i, j) => sign * (x[i] - x[j]) || i - j,
  );
}

function sortForms(suffix: 'asc' | 'desc', sign: number): LibraryPart {
  const name = `sort_${suffix}`;
  const sortData = <T extends Float64Array | Int32Array>(x: T): T => {
    const from = order(name, x, sign);
    return x.map((_, i) => x[from[i]]) as T;
  };
  const indices = (x: Float64Array | Int32Array) =>
    Int32Array.from(order(`sort_indices_${suffix}`, x, sign), (i) => i + 1);
  return {
    [`${name}__I`]: sortData,
    [`${name}__R`]: sortData,
    [`${name}__V`]: (tape: Tape, x: ActiveVector) =>
      new ActiveVector(
        x.n,
        0,
        Int32Array.from(order(name, valuesOf(tape, x), sign), (i) => slotAt(x, i)),
      ),
    [`sort_indices_${suffix}__I`]: indices,
    [`sort_indices_${suffix}__R`]: indices,
    [`sort_indices_${suffix}__V`]: (tape: Tape, x: ActiveVector) => indices(valuesOf(tape, x)),
  };
}

/** How many elements are less than the s-th. */
function rank(x: ArrayLike<number>, s: number): number {
  if (!(s >= 1 && s <= x.length)) throw new ShapeError(`rank: index ${s} is not in 1…${x.length}`);
  let count = 0;
  for (let i = 0; i < x.length; i++) if (x[i] < x[s - 1]) count++;
  return count;
}

/** The p-quantile by linear interpolation: type 7 of Hyndman & Fan (1996), as Stan and R. */
function quantile(x: Float64Array, p: number): number {
  if (!(p >= 0 && p <= 1))
    throw new DomainError(`quantile: p is ${p}, but must be in the interval [0, 1]`);
  if (x.length === 0) throw new DomainError('quantile: needs at least one element');
  const sorted = x.slice().sort();
  const h = p * (x.length - 1);
  const low = Math.floor(h);
  const high = Math.min(low + 1, x.length - 1);
  return sorted[low] + (h - low) * (sorted[high] - sorted[low]);
}

const weights = new Operand();
const components = new Operand();

/** log Σ θ_k exp(λ_k). */
function logMix(tape: Tape | null, kinds: string, theta: unknown, lambda: unknown): number {
  weights.open(tape, kinds.charCodeAt(0), theta);
  components.open(tape, kinds.charCodeAt(1), lambda);
  const n = weights.size;
  if (components.size !== n) {
    throw new ShapeError(`log_mix: sizes ${n} and ${components.size} must match`);
  }
  const terms = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const w = weights.at(i);
    if (!(w >= 0 && w <= 1)) {
      throw new DomainError(`log_mix: mixing proportion[${i + 1}] is ${w}, but must be in [0, 1]`);
    }
    terms[i] = (w === 0 ? -Infinity : Math.log(w)) + components.at(i);
  }
  const fx = logSumExp(terms);
  if (tape === null) return fx;
  const edges = (weights.active ? n : 0) + (components.active ? n : 0);
  if (edges === 0) return fx;
  tape.reserveEdges(edges);
  if (weights.active) weights.placeEdges(tape, tape.numEdges);
  if (components.active) components.placeEdges(tape, tape.numEdges + (weights.active ? n : 0));
  for (let i = 0; i < n; i++) {
    if (weights.active) weights.add(i, Math.exp(components.at(i) - fx));
    if (components.active) components.add(i, Math.exp(terms[i] - fx));
  }
  return tape.endRow(fx, edges);
}

const logMixForms: Record<string, LibraryFunction> = {
  log_mix__RR: (theta: unknown, lambda: unknown) => logMix(null, 'RR', theta, lambda),
  'log_mix__R[R': (theta: unknown, lambda: readonly unknown[]) =>
    lambda.reduce((s: number, e) => s + logMix(null, 'RR', theta, e), 0),
};
for (const kinds of ['RV', 'VR', 'VV']) {
  logMixForms[`log_mix__${kinds}`] = (tape: Tape, theta: unknown, lambda: unknown) =>
    logMix(tape, kinds, theta, lambda);
  // an array of component vectors: the sum over its elements
  logMixForms[`log_mix__${kinds[0]}[${kinds[1]}`] = (
    tape: Tape,
    theta: unknown,
    lambda: readonly unknown[],
  ) => {
    const slots = lambda.map((e) => logMix(tape, kinds, theta, e));
    const total = slots.reduce((sum, slot) => sum + tape.value[slot], 0);
    return tape.row(total, slots, () => 1);
  };
}

/** log(θ eᵃ + (1 − θ) eᵇ). */
const logMixOfTwo: Ternary = (theta, a, b) => {
  if (!(theta >= 0 && theta <= 1)) {
    throw new DomainError(
      `log_mix: mixing proportion is ${theta}, but must be in the interval [0, 1]`,
    );
  }
  const terms = Float64Array.of(Math.log(theta) + a, Math.log1p(-theta) + b);
  const fx = logSumExp(terms);
  const [da, db] = terms.map((term) => Math.exp(term - fx));
  return [fx, Math.exp(a - fx) - Math.exp(b - fx), da, db];
};

export const vectorFunctionsPart: LibraryPart = {
  ...nested('softmax', requireNotEmpty('softmax', softmax), blockForm(softmax, softmaxReverse)),
  ...nested(
    'log_softmax',
    requireNotEmpty('log_softmax', logSoftmax),
    blockForm(logSoftmax, logSoftmaxReverse),
  ),
  cumulative_sum__I: cumulativeSum,
  cumulative_sum__R: cumulativeSum,
  cumulative_sum__V: blockForm(cumulativeSum, cumulativeSumReverse),
  ...sortForms('asc', 1),
  ...sortForms('desc', -1),
  rank__Ii: rank,
  rank__Ri: rank,
  rank__Vi: (tape: Tape, x: ActiveVector, s: number) => rank(valuesOf(tape, x), s),
  quantile__Rr: quantile,
  quantile__RR: (x: Float64Array, p: Float64Array) => p.map((q) => quantile(x, q)),
  ...logMixForms,
  ...ternaryForms('log_mix', logMixOfTwo),
};
