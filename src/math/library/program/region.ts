/**
 * Functions that the sweeps of regions call (see language/adjoint): they copy containers of slots to and from the tape's
 * kept numbers, or work on views, which are `count` numbers at `start`, `start + stride`, … of an array.
 */
import { ActiveMatrix, ActiveVector } from '../../autodiff/containers.ts';
import { Tape } from '../../autodiff/tape.ts';
import { negBinomial2Dphi } from '../../distributions/negative-binomial.ts';
import { ShapeError } from '../../errors.ts';
import { logPhi, logPhiDx } from '../../special/erf.ts';
import { logFactorial, logRisingRatio } from '../../special/gamma.ts';
import { tableExp, tableLog1p } from '../../special/table-functions.ts';
import { needElements } from '../families/reductions.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { IndexRange, position, spanOf } from '../machinery/indexing.ts';
import { checkedSize } from '../machinery/memory.ts';
import { requireCount } from './assignment.ts';

type Active = ActiveVector | ActiveMatrix | Active[];

/** Copies the values of `x` to `kept[at …]`, arrays outermost first, matrices by column; returns one past the last. */
function load(tape: Tape, x: Active, at: number): number {
  if (Array.isArray(x)) return x.reduce((next, element) => load(tape, element, next), at);
  const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
  const { kept, value } = tape;
  // For few elements, a loop costs less than a view of the array.
  if (x.slots === null && n > 64) kept.set(value.subarray(x.base, x.base + n), at);
  else if (x.slots === null) for (let i = 0; i < n; i++) kept[at + i] = value[x.base + i];
  else for (let i = 0; i < n; i++) kept[at + i] = value[x.slots[i]];
  return at + n;
}

/** Adds `keptAdjoint[at …]` to the adjoints of the slots of `x`, in the order of {@link load}. */
function give(tape: Tape, x: Active, at: number): number {
  if (Array.isArray(x)) return x.reduce((next, element) => give(tape, element, next), at);
  const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
  const { keptAdjoint, adjoint } = tape;
  if (x.slots === null) for (let i = 0; i < n; i++) adjoint[x.base + i] += keptAdjoint[at + i];
  else for (let i = 0; i < n; i++) adjoint[x.slots[i]] += keptAdjoint[at + i];
  return at + n;
}

function logSumExp(x: Float64Array, start: number, stride: number, count: number): number {
  let max = -Infinity;
  for (let i = 0, k = start; i < count; i++, k += stride) if (!(x[k] <= max)) max = x[k];
  if (max === -Infinity || max === Infinity || max !== max) return max;
  let sum = 0;
  for (let i = 0, k = start; i < count; i++, k += stride) sum += tableExp(x[k] - max);
  return max + Math.log(sum);
}

/** The same, with exp(x_i − result), its derivatives, in `x[weights …]`. */
function logSumExpWeights(
  x: Float64Array,
  start: number,
  stride: number,
  count: number,
  weights: number,
): number {
  let max = -Infinity;
  for (let i = 0, k = start; i < count; i++, k += stride) if (!(x[k] <= max)) max = x[k];
  if (max === -Infinity || max === Infinity || max !== max) {
    for (let i = 0, k = start; i < count; i++, k += stride) {
      x[weights + i] = max === -Infinity ? 0 : Math.exp(x[k] - max);
    }
    return max;
  }
  let total = 0;
  for (let i = 0, k = start; i < count; i++, k += stride) {
    const e = x[k] === max ? 1 : tableExp(x[k] - max);
    x[weights + i] = e;
    total += e;
  }
  for (let i = 0; i < count; i++) x[weights + i] /= total;
  return max + Math.log(total);
}

function sum(x: Float64Array, start: number, stride: number, count: number): number {
  let s = 0;
  for (let i = 0, k = start; i < count; i++, k += stride) s += x[k];
  return s;
}

function requireSame(n: number, m: number): void {
  if (n !== m) throw new ShapeError(`dot_product: sizes ${n} and ${m} must match`);
}

function requireDeclared(count: number, n: number, label: string): void {
  if (count === n) return;
  throw new ShapeError(
    `\`${label}\` is declared with size ${n}, but is assigned a value of size ${count}`,
  );
}

/** Records the library functions whose derivatives a region stores, one call at a time. */
const ownTape = new Tape();
const noInputs = new Float64Array(0);
let ownGradient = new Float64Array(16);

/** The value of what was recorded, and its derivatives in the inputs. */
function ownValue(slot: number): number {
  const n = ownTape.countInputs;
  if (ownGradient.length < n) ownGradient = new Float64Array(2 * n);
  ownTape.sweepRow(slot, ownGradient);
  return ownTape.value[slot];
}

function inputView(x: Float64Array, start: number, stride: number, count: number): ActiveVector {
  const first = ownTape.countInputs + 1;
  for (let i = 0, k = start; i < count; i++, k += stride) ownTape.input(x[k]);
  return new ActiveVector(count, first);
}

function inputMatrix(x: Float64Array, start: number, rows: number, cols: number): ActiveMatrix {
  const first = ownTape.countInputs + 1;
  for (let k = start; k < start + rows * cols; k++) ownTape.input(x[k]);
  return new ActiveMatrix(rows, cols, first);
}

/** Adds to the adjoints `D` of a view what those of its sum, mean or the like give them. */
type ViewAdjoint = (
  K: Float64Array,
  D: Float64Array,
  g: number,
  start: number,
  stride: number,
  count: number,
) => void;

const viewAdjoints: Readonly<Record<string, ViewAdjoint>> = {
  $sum_adjoint: (_, D, g, start, stride, count) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g;
  },
  $mean_adjoint: (_, D, g, start, stride, count) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g / count;
  },
  $dot_self_adjoint: (K, D, g, start, stride, count) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += 2 * g * K[k];
  },
};

export const regionPart: LibraryPart = {
  ...viewAdjoints,
  $exp: tableExp,
  $log1p_unit: tableLog1p,
  $neg_binomial_2_dphi: negBinomial2Dphi,
  $log_rising_ratio: logRisingRatio,
  $log_factorial: logFactorial,
  $log_phi: logPhi,
  $log_phi_dx: logPhiDx,
  $own_tape: () => {
    ownTape.reset(noInputs);
    return ownTape;
  },
  $input_view: inputView,
  $input_matrix: inputMatrix,
  $own_value: ownValue,
  $own_slope: (k: number) => ownGradient[k],
  $own_slopes: (K: Float64Array, at: number) => {
    const n = ownTape.countInputs;
    for (let i = 0; i < n; i++) K[at + i] = ownGradient[i];
  },
  $load: load,
  $give: give,
  $position: position,
  $checked_size: checkedSize,
  $check_size: requireDeclared,
  $check_places: requireCount,
  $span: (from: number, to: number, n: number, label: string) =>
    spanOf(new IndexRange(from, to), n, label).count,
  $counted_span: (from: number, to: number, n: number, label: string) => {
    const count = to - from + 1;
    if (count < 0)
      throw new ShapeError(`a part of \`${label}\` of ${count} elements: must be at least 0`);
    return spanOf(new IndexRange(from, to), n, label).count;
  },
  $log_sum_exp_view: logSumExp,
  $log_sum_exp_adjoint: (
    K: Float64Array,
    D: Float64Array,
    g: number,
    value: number,
    start: number,
    stride: number,
    count: number,
  ) => {
    if (value === -Infinity) return;
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g * tableExp(K[k] - value);
  },
  $log_sum_exp_weights: logSumExpWeights,
  $weights_adjoint: (
    K: Float64Array,
    D: Float64Array,
    g: number,
    weights: number,
    start: number,
    stride: number,
    count: number,
  ) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g * K[weights + i];
  },
  $sum_view: sum,
  $mean_view: (x: Float64Array, start: number, stride: number, count: number) => {
    needElements('mean', count);
    return sum(x, start, stride, count) / count;
  },
  $dot_view: (
    x: Float64Array,
    xStart: number,
    xStride: number,
    n: number,
    y: Float64Array,
    yStart: number,
    yStride: number,
    m: number,
  ) => {
    requireSame(n, m);
    let s = 0;
    for (let i = 0; i < n; i++) s += x[xStart + i * xStride] * y[yStart + i * yStride];
    return s;
  },
  $dot_adjoint: (
    K: Float64Array,
    D: Float64Array,
    g: number,
    xStart: number,
    xStride: number,
    n: number,
    yStart: number,
    yStride: number,
  ) => {
    for (let i = 0; i < n; i++) {
      const x = xStart + i * xStride;
      const y = yStart + i * yStride;
      D[x] += g * K[y];
      D[y] += g * K[x];
    }
  },
  $dot_data_adjoint: (
    D: Float64Array,
    g: number,
    start: number,
    stride: number,
    count: number,
    data: Float64Array,
    dataStart: number,
    dataStride: number,
  ) => {
    for (let i = 0; i < count; i++) D[start + i * stride] += g * data[dataStart + i * dataStride];
  },
  $dot_self_view: (x: Float64Array, start: number, stride: number, count: number) => {
    let s = 0;
    for (let i = 0, k = start; i < count; i++, k += stride) s += x[k] * x[k];
    return s;
  },
  $copy_view: (
    from: Float64Array,
    start: number,
    stride: number,
    count: number,
    K: Float64Array,
    to: number,
    n: number,
    label: string,
  ) => {
    requireDeclared(count, n, label);
    for (let i = 0; i < n; i++) K[to + i] = from[start + i * stride];
  },
  $gather: (x: ArrayLike<number>, start: number, stride: number, count: number) =>
    Float64Array.from({ length: count }, (_, i) => x[start + i * stride]),
  $copy_adjoint: (D: Float64Array, start: number, stride: number, to: number, n: number) => {
    for (let i = 0; i < n; i++) {
      D[start + i * stride] += D[to + i];
      D[to + i] = 0;
    }
  },
};
