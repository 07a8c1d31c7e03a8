/**
 * What the sweeps of regions do with all elements of a container at once (see language/adjoint/whole-containers.ts): checks of
 * declared constraints and sizes, and cumulative sums with their adjoints. Views are `count` numbers at `start`,
 * `start + stride`, … of an array.
 */
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

/** Whether `count` numbers are all at least `lower` and at most `upper`. */
function allBetween(
  x: Float64Array,
  start: number,
  count: number,
  lower: number,
  upper: number,
): boolean {
  for (let i = start; i < start + count; i++) if (!(x[i] >= lower && x[i] <= upper)) return false;
  return true;
}

/** Whether `count` numbers are simplexes of `size`, one after another, as `check_simplex` requires. */
function areSimplexes(x: Float64Array, start: number, count: number, size: number): boolean {
  if (count > 0 && !(size > 0)) return false;
  for (let at = start; at < start + count; at += size) {
    let total = 0;
    for (let i = at; i < at + size; i++) {
      if (!(x[i] >= 0)) return false;
      total += x[i];
    }
    if (!(Math.abs(total - 1) <= 1e-8)) return false;
  }
  return true;
}

function requireDeclaredSizes(
  given: readonly number[],
  sizes: readonly number[],
  label: string,
): void {
  if (sizes.every((size, k) => given[k] === size)) return;
  throw new ShapeError(
    `\`${label}\` is declared with size ${sizes.join(' × ')}, but is assigned a value of size ${given.join(' × ')}`,
  );
}

/** Copies a view of `x` to `x[to …]`. */
function keepView(x: Float64Array, start: number, stride: number, count: number, to: number): void {
  for (let i = 0; i < count; i++) x[to + i] = x[start + i * stride];
}

/** The reverse of {@link keepView}. */
function restoreView(
  x: Float64Array,
  start: number,
  stride: number,
  count: number,
  from: number,
): void {
  for (let i = 0; i < count; i++) x[start + i * stride] = x[from + i];
}

function cumulativeSum(
  x: Float64Array,
  start: number,
  stride: number,
  count: number,
  out: Float64Array,
  to: number,
  step: number,
): void {
  let total = 0;
  for (let i = 0; i < count; i++) {
    total += x[start + i * stride];
    out[to + i * step] = total;
  }
}

function cumulativeSumAdjoint(
  d: Float64Array,
  start: number,
  stride: number,
  count: number,
  from: number,
  step: number,
): void {
  let total = 0;
  for (let i = count - 1; i >= 0; i--) {
    total += d[from + i * step];
    d[start + i * stride] += total;
  }
}

/** Functions that emitted programs call as `$…`. */
export const wholeContainerPart: LibraryPart = {
  $all_between: allBetween,
  $are_simplexes: areSimplexes,
  $check_sizes: requireDeclaredSizes,
  $keep_view: keepView,
  $restore_view: restoreView,
  $cumulative_sum: cumulativeSum,
  $cumulative_sum_adjoint: cumulativeSumAdjoint,
};
