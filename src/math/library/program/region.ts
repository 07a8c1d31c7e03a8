/**
 * What the sweeps of regions call (see language/adjoint): containers of slots in and out of the tape's kept numbers, and
 * functions of views, which are `count` numbers at `start`, `start + stride`, … of an array.
 */
import { ActiveMatrix, ActiveVector, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';
import { position } from '../machinery/indexing.ts';
import { checkedSize } from '../machinery/memory.ts';

type Active = ActiveVector | ActiveMatrix | Active[];

/** Copies the values of `x` to `kept[at …]`, arrays outermost first, matrices by column; returns one past the last. */
function load(tape: Tape, x: Active, at: number): number {
  if (Array.isArray(x)) return x.reduce((next, element) => load(tape, element, next), at);
  const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
  const { kept, value } = tape;
  if (x.slots === null) kept.set(value.subarray(x.base, x.base + n), at);
  else for (let i = 0; i < n; i++) kept[at + i] = value[x.slots[i]];
  return at + n;
}

/** Adds `keptAdjoint[at …]` to the adjoints of the slots of `x`, in the order of {@link load}. */
function give(tape: Tape, x: Active, at: number): number {
  if (Array.isArray(x)) return x.reduce((next, element) => give(tape, element, next), at);
  const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
  const { keptAdjoint, adjoint } = tape;
  for (let i = 0; i < n; i++) adjoint[slotAt(x, i)] += keptAdjoint[at + i];
  return at + n;
}

function logSumExp(x: Float64Array, start: number, stride: number, count: number): number {
  let max = -Infinity;
  for (let i = 0, k = start; i < count; i++, k += stride) if (!(x[k] <= max)) max = x[k];
  if (max === -Infinity || max === Infinity || max !== max) return max;
  let sum = 0;
  for (let i = 0, k = start; i < count; i++, k += stride) sum += Math.exp(x[k] - max);
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
    const e = x[k] === max ? 1 : Math.exp(x[k] - max);
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

export const regionPart: LibraryPart = {
  $load: load,
  $give: give,
  $position: position,
  $checked_size: checkedSize,
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
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g * Math.exp(K[k] - value);
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
  $sum_adjoint: (
    _: Float64Array,
    D: Float64Array,
    g: number,
    start: number,
    stride: number,
    count: number,
  ) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += g;
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
  $dot_self_adjoint: (
    K: Float64Array,
    D: Float64Array,
    g: number,
    start: number,
    stride: number,
    count: number,
  ) => {
    for (let i = 0, k = start; i < count; i++, k += stride) D[k] += 2 * g * K[k];
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
    if (count !== n) {
      throw new ShapeError(
        `\`${label}\` is declared with size ${n}, but is assigned a value of size ${count}`,
      );
    }
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
