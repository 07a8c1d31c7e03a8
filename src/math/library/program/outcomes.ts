/**
 * Log masses of one outcome among categories, for the sweeps of regions (see language/adjoint). Each takes the operands
 * with vectors as array, start, stride and count, and writes its derivatives, in the order of the operands, to `x[at …]`
 * unless `at` is negative. Outside the domain the library's mass throws.
 */
import { Tape } from '../../autodiff/tape.ts';
import { categoricalLogitLpmf } from '../../distributions/categorical.ts';
import type { Density } from '../../distributions/density.ts';
import {
  type IntervalFunction,
  interval,
  logisticInterval,
  normalInterval,
  orderedLogisticLpmf,
  orderedProbitLpmf,
} from '../../distributions/ordered.ts';
import { tableExp } from '../../special/table-functions.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

const idleTape = new Tape();

function gather(x: Float64Array, start: number, stride: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => x[start + i * stride]);
}

const isCategory = (y: number, count: number) => y >= 1 && y <= count;

/** Whether the cutpoints are finite and each is above the one before. */
function areCutpoints(x: Float64Array, start: number, stride: number, count: number): boolean {
  let before = -Infinity;
  for (let i = 0, k = start; i < count; i++, k += stride) {
    if (!(x[k] > before && x[k] < Infinity)) return false;
    before = x[k];
  }
  return true;
}

/** Of y given eta and cutpoints. */
function orderedMass(mass: Density, intervalOf: IntervalFunction) {
  return (
    y: number,
    eta: number,
    x: Float64Array,
    start: number,
    stride: number,
    count: number,
    at: number,
  ): number => {
    const holds = isCategory(y, count + 1) && Math.abs(eta) < Infinity;
    if (!holds || !areCutpoints(x, start, stride, count)) {
      mass(idleTape, false, 'irR', y, eta, gather(x, start, stride, count));
    }
    const below = start + (y - 2) * stride;
    intervalOf(
      y === 1 ? Infinity : eta - x[below],
      y > count ? -Infinity : eta - x[below + stride],
    );
    const { logP, du, dl } = interval;
    if (at < 0) return logP;
    x[at] = du + dl;
    for (let i = 1; i <= count; i++) x[at + i] = 0;
    if (y > 1) x[at + y - 1] = -du;
    if (y <= count) x[at + y] = -dl;
    return logP;
  };
}

/** Of y given log odds. The odds are relative to the largest, so none overflows. */
function categoricalLogit(
  y: number,
  x: Float64Array,
  start: number,
  stride: number,
  count: number,
  at: number,
): number {
  const end = start + count * stride;
  let [most, check] = [-Infinity, 0];
  for (let k = start; k < end; k += stride) {
    const logOdds = x[k];
    // NaN if it is not finite
    check += logOdds - logOdds;
    if (logOdds > most) most = logOdds;
  }
  if (!isCategory(y, count) || check !== 0) {
    categoricalLogitLpmf(idleTape, false, 'iR', y, gather(x, start, stride, count));
  }
  const logOdds = x[start + (y - 1) * stride] - most;
  let total = 0;
  if (at < 0) {
    for (let k = start; k < end; k += stride) total += tableExp(x[k] - most);
    return logOdds - Math.log(total);
  }
  for (let k = start, i = at; k < end; k += stride, i++) {
    const odds = tableExp(x[k] - most);
    x[i] = odds;
    total += odds;
  }
  const scale = -1 / total;
  for (let i = at; i < at + count; i++) x[i] *= scale;
  x[at + y - 1] += 1;
  return logOdds - Math.log(total);
}

export const outcomePart: LibraryPart = {
  $ordered_logistic: orderedMass(orderedLogisticLpmf, logisticInterval),
  $ordered_probit: orderedMass(orderedProbitLpmf, normalInterval),
  $categorical_logit: categoricalLogit,
};
