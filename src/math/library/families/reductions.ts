/** Sums, moments, norms, extremes and sorting of containers (Stan functions reference, "Reductions", "Sorting"). */
import type { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import { logSumExp } from '../../special/log-exp.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

/** A number from n numbers at `values[start …]`, with its gradient written to `partials[at …]`. */
interface Reduction {
  readonly f: (values: Float64Array, start: number, n: number) => number;
  readonly gradient: (step: GradientStep) => void;
}

interface GradientStep {
  readonly values: Float64Array;
  readonly start: number;
  readonly n: number;
  /** The reduction itself. */
  readonly fx: number;
  readonly partials: Float64Array;
  readonly at: number;
}

export function needElements(name: string, n: number): void {
  if (n === 0) throw new DomainError(`${name}: needs at least one element`);
}

function sum(values: Float64Array, start: number, n: number): number {
  let s = 0;
  for (let i = 0; i < n; i++) s += values[start + i];
  return s;
}

/** Σ (x − mean)², the two-pass form, which does not cancel. */
function sumSquaredDeviations(values: Float64Array, start: number, n: number): number {
  const mean = sum(values, start, n) / n;
  let s = 0;
  for (let i = 0; i < n; i++) s += (values[start + i] - mean) ** 2;
  return s;
}

function extreme(name: string, sign: number): Reduction {
  const indexOf = (values: Float64Array, start: number, n: number): number => {
    let best = 0;
    for (let i = 0; i < n; i++) {
      const x = values[start + i];
      if (x !== x) return i;
      if (sign * x > sign * values[start + best]) best = i;
    }
    return best;
  };
  return {
    f(values, start, n) {
      if (n === 0) return -sign * Infinity;
      return values[start + indexOf(values, start, n)];
    },
    gradient({ values, start, n, partials, at }) {
      needElements(name, n);
      partials[at + indexOf(values, start, n)] = 1;
    },
  };
}

const reductions: Readonly<Record<string, Reduction>> = {
  sum: {
    f: sum,
    gradient: ({ n, partials, at }) => {
      partials.fill(1, at, at + n);
    },
  },
  prod: {
    f(values, start, n) {
      let p = 1;
      for (let i = 0; i < n; i++) p *= values[start + i];
      return p;
    },
    // products of the elements to the left and right of each one: correct even if elements are 0
    gradient({ values, start, n, partials, at }) {
      let left = 1;
      for (let i = 0; i < n; i++) {
        partials[at + i] = left;
        left *= values[start + i];
      }
      let right = 1;
      for (let i = n - 1; i >= 0; i--) {
        partials[at + i] *= right;
        right *= values[start + i];
      }
    },
  },
  mean: {
    f(values, start, n) {
      needElements('mean', n);
      return sum(values, start, n) / n;
    },
    gradient: ({ n, partials, at }) => {
      partials.fill(1 / n, at, at + n);
    },
  },
  variance: {
    f(values, start, n) {
      needElements('variance', n);
      return n === 1 ? 0 : sumSquaredDeviations(values, start, n) / (n - 1);
    },
    gradient({ values, start, n, partials, at }) {
      const mean = sum(values, start, n) / n;
      for (let i = 0; i < n; i++) {
        partials[at + i] = n === 1 ? 0 : (2 * (values[start + i] - mean)) / (n - 1);
      }
    },
  },
  sd: {
    f(values, start, n) {
      needElements('sd', n);
      return n === 1 ? 0 : Math.sqrt(sumSquaredDeviations(values, start, n) / (n - 1));
    },
    // at zero spread Stan takes 1/√n for each element
    gradient({ values, start, n, fx, partials, at }) {
      const mean = sum(values, start, n) / n;
      for (let i = 0; i < n; i++) {
        partials[at + i] =
          n === 1 ? 0 : fx > 0 ? (values[start + i] - mean) / ((n - 1) * fx) : 1 / Math.sqrt(n);
      }
    },
  },
  min: extreme('min', -1),
  max: extreme('max', 1),
  log_sum_exp: {
    f: (values, start, n) => logSumExp(values.subarray(start, start + n)),
    // softmax relative to the largest element: exp(x − log Σ exp x) loses digits if the result is far from 0
    gradient({ values, start, n, fx, partials, at }) {
      let max = -Infinity;
      for (let i = 0; i < n; i++) max = Math.max(max, values[start + i]);
      let total = 0;
      for (let i = 0; i < n; i++) {
        const e = fx === -Infinity ? 0 : Math.exp(values[start + i] - max);
        partials[at + i] = e;
        total += e;
      }
      if (total > 0) for (let i = 0; i < n; i++) partials[at + i] /= total;
    },
  },
  dot_self: {
    f(values, start, n) {
      let s = 0;
      for (let i = 0; i < n; i++) s += values[start + i] * values[start + i];
      return s;
    },
    gradient({ values, start, n, partials, at }) {
      for (let i = 0; i < n; i++) partials[at + i] = 2 * values[start + i];
    },
  },
  norm1: {
    f(values, start, n) {
      let s = 0;
      for (let i = 0; i < n; i++) s += Math.abs(values[start + i]);
      return s;
    },
    gradient({ values, start, n, partials, at }) {
      for (let i = 0; i < n; i++) partials[at + i] = Math.sign(values[start + i]);
    },
  },
  norm2: {
    f(values, start, n) {
      let s = 0;
      for (let i = 0; i < n; i++) s += values[start + i] * values[start + i];
      return Math.sqrt(s);
    },
    gradient({ values, start, n, fx, partials, at }) {
      for (let i = 0; i < n; i++) partials[at + i] = fx > 0 ? values[start + i] / fx : 0;
    },
  },
};

const operand = new Operand();

function reduceActive(tape: Tape, reduction: Reduction, kind: string, x: unknown): number {
  operand.open(tape, kind.charCodeAt(0), x);
  const n = operand.size;
  tape.reserveEdges(n);
  operand.placeEdges(tape, tape.numEdges);
  const { values, start } = operand;
  const fx = reduction.f(values, start, n);
  reduction.gradient({ values, start, n, fx, partials: tape.edgePartial, at: tape.numEdges });
  return tape.endRow(fx, n);
}

function reductionForms(name: string, reduction: Reduction): Record<string, LibraryFunction> {
  const { f } = reduction;
  return {
    [`${name}__R`]: (x: Float64Array) => f(x, 0, x.length),
    [`${name}__M`]: (x: Matrix) => f(x.data, 0, x.data.length),
    [`${name}__V`]: (tape: Tape, x: ActiveVector) => reduceActive(tape, reduction, 'V', x),
    [`${name}__W`]: (tape: Tape, x: ActiveMatrix) => reduceActive(tape, reduction, 'W', x),
  };
}

const integerReductions: LibraryPart = {
  sum__I: (x: Int32Array) => x.reduce((a, b) => a + b, 0),
  prod__I: (x: Int32Array) => x.reduce((a, b) => a * b, 1),
  min__I: (x: Int32Array) => {
    needElements('min', x.length);
    return x.reduce((a, b) => Math.min(a, b));
  },
  max__I: (x: Int32Array) => {
    needElements('max', x.length);
    return x.reduce((a, b) => Math.max(a, b));
  },
  min__ii: (a: number, b: number) => Math.min(a, b),
  max__ii: (a: number, b: number) => Math.max(a, b),
};

const other = new Operand();

/** A number from two containers of one size: value and both partials per element. */
function pairForms(
  name: string,
  f: (a: Operand, b: Operand, n: number) => number,
  partial: (a: number, b: number, fx: number) => readonly [number, number],
): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  const openBoth = (tape: Tape | null, kinds: string, x: unknown, y: unknown): number => {
    operand.open(tape, kinds.charCodeAt(0), x);
    other.open(tape, kinds.charCodeAt(1), y);
    if (operand.size !== other.size) {
      throw new ShapeError(`${name}: sizes ${operand.size} and ${other.size} must match`);
    }
    return operand.size;
  };
  const active =
    (kinds: string): LibraryFunction =>
    (tape: Tape, x: unknown, y: unknown) => {
      const n = openBoth(tape, kinds, x, y);
      const edges = (operand.active ? n : 0) + (other.active ? n : 0);
      tape.reserveEdges(edges);
      if (operand.active) operand.placeEdges(tape, tape.numEdges);
      if (other.active) other.placeEdges(tape, tape.numEdges + (operand.active ? n : 0));
      const fx = f(operand, other, n);
      for (let i = 0; i < n; i++) {
        const [da, db] = partial(operand.at(i), other.at(i), fx);
        if (operand.active) operand.add(i, da);
        if (other.active) other.add(i, db);
      }
      return tape.endRow(fx, edges);
    };
  out[`${name}__RR`] = (x: Float64Array, y: Float64Array) =>
    f(operand, other, openBoth(null, 'RR', x, y));
  for (const kinds of ['RV', 'VR', 'VV']) out[`${name}__${kinds}`] = active(kinds);
  return out;
}

function dot(a: Operand, b: Operand, n: number): number {
  let s = 0;
  for (let i = 0; i < n; i++) s += a.at(i) * b.at(i);
  return s;
}

function squaredDistance(a: Operand, b: Operand, n: number): number {
  let s = 0;
  for (let i = 0; i < n; i++) s += (a.at(i) - b.at(i)) ** 2;
  return s;
}

const part: Record<string, LibraryFunction> = {
  ...integerReductions,
  ...pairForms('dot_product', dot, (a, b) => [b, a]),
  ...pairForms('squared_distance', squaredDistance, (a, b) => [2 * (a - b), 2 * (b - a)]),
  ...pairForms(
    'distance',
    (a, b, n) => Math.sqrt(squaredDistance(a, b, n)),
    (a, b, fx) => (fx > 0 ? [(a - b) / fx, (b - a) / fx] : [0, 0]),
  ),
  squared_distance__rr: (a: number, b: number) => (a - b) ** 2,
  squared_distance__vv: (tape: Tape, a: number, b: number) => {
    const d = tape.value[a] - tape.value[b];
    return tape.row2(d * d, a, 2 * d, b, -2 * d);
  },
  squared_distance__rv: (tape: Tape, a: number, b: number) => {
    const d = a - tape.value[b];
    return tape.row1(d * d, b, -2 * d);
  },
  squared_distance__vr: (tape: Tape, a: number, b: number) => {
    const d = tape.value[a] - b;
    return tape.row1(d * d, a, 2 * d);
  },
};
for (const [name, reduction] of Object.entries(reductions)) {
  Object.assign(part, reductionForms(name, reduction));
}

export const reductionsPart: LibraryPart = part;
