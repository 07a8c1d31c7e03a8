/**
 * `wiener_lcdf_unnorm(y, alpha, tau, beta, delta)` and `wiener_lccdf_unnorm`: the logarithms of the probabilities that the
 * upper boundary is reached first and by time y, or later than y. Unnormalised: they add up to the probability that it is
 * reached first. Integrals of the density over time, and over the start if that varies; a nondecision time that varies
 * is a weight under the integral over time. Derivatives are integrated along with the density.
 */

import type { Operand } from '../autodiff/operand.ts';
import { DomainError } from '../errors.ts';
import { integrateGaussKronrod } from '../quadrature/gauss-kronrod.ts';
import type { Integrand } from '../quadrature/integrand.ts';
import { type Density, type DensityCall, densityOf, splitKinds } from './density.ts';
import { type FirstPassage, firstPassage, newFirstPassage } from './first-passage.ts';
import { checkStartRange, checkWiener, wienerLabels } from './wiener-arguments.ts';

const at: FirstPassage = newFirstPassage();
const tolerances = { relative: 1e-10, absolute: 1e-290, refinements: 14 };
/** The value and its derivatives in the eight arguments. */
const count = 9;

/** One term: time y, α, τ, β, δ, and the variabilities of drift, start and nondecision time. */
interface Term {
  readonly name: string;
  readonly isUpper: boolean;
  readonly values: readonly number[];
}

/** A weight under the integral over time, and its derivatives in y − τ and in the range of the nondecision time. */
interface Weight {
  readonly value: number;
  readonly dTime: number;
  readonly dRange: number;
}
const whole: Weight = { value: 1, dTime: 0, dRange: 0 };

/** Integral and derivatives, all times exp(−log). */
function tailOf({ name, isUpper, values }: Term): { sum: Float64Array; log: number } {
  const [y, alpha, tau, beta, delta, driftSd = 0, startRange = 0, timeRange = 0] = values;
  const last = y - tau;
  const density = (time: number, start: number) => {
    firstPassage([time, alpha, start, delta, driftSd], at);
    return at.log;
  };
  const parts = isUpper ? [1, 1.5, 2, 4, 10] : [1, 0.75, 0.5, 0.25, 0.1, 0.03];
  const log = Math.max(...parts.map((part) => density(last * part, beta)));
  const add = (time: number, x: number, weight: Weight, out: Float64Array) => {
    const f = time > 0 ? Math.exp(density(time, beta + (x - 0.5) * startRange) - log) : 0;
    if (f === 0) return;
    out[0] += f * weight.value;
    out[1] += f * weight.dTime;
    out[2] += f * weight.value * at.dSeparation;
    out[3] -= f * weight.dTime;
    out[4] += f * weight.value * at.dStart;
    out[5] += f * weight.value * at.dDrift;
    out[6] += f * weight.value * at.dDriftSd;
    out[7] += f * weight.value * at.dStart * (x - 0.5);
    out[8] += f * weight.dRange;
  };
  const over = (x: number, limits: readonly number[], weigh: (time: number) => Weight) => {
    const weighed = integrand((time, out) => add(time, x, weigh(time), out));
    const total = new Float64Array(count);
    for (const [i, to] of limits.slice(1).entries()) {
      const piece = integrateGaussKronrod(name, weighed, [limits[i], to], tolerances);
      for (let k = 0; k < count; k++) total[k] += piece[k];
    }
    return total;
  };
  const sign = isUpper ? -1 : 1;
  // the share of nondecision times for which the boundary has been reached by y
  const share = (time: number): Weight => {
    const part = (last - time) / timeRange;
    return {
      value: isUpper ? 1 - part : part,
      dTime: sign / timeRange,
      dRange: (-sign * part) / timeRange,
    };
  };
  const overTime = (x: number, out: Float64Array) => {
    const edge = Math.max(0, last - timeRange);
    const distance = alpha * (1 - beta - (x - 0.5) * startRange);
    const certain = over(
      x,
      isUpper ? tailLimits(last, alpha) : headLimits(edge, distance),
      () => whole,
    );
    for (let k = 0; k < count; k++) out[k] += certain[k];
    if (timeRange > 0) {
      const limits = edge === 0 ? headLimits(last, distance) : [edge, last];
      const shared = over(x, limits, share);
      for (let k = 0; k < count; k++) out[k] += shared[k];
    } else add(last, x, { value: 0, dTime: sign, dRange: 0 }, out);
  };
  const sum = new Float64Array(count);
  if (startRange === 0) overTime(0.5, sum);
  else sum.set(integrateGaussKronrod(name, integrand(overTime), [0, 1], tolerances));
  return { sum, log };
}

/** What is left of a time in which hardly a path arrives, as a share: at most twenty pieces. */
const shortest = 2 ** -60;

/** From 0 to `end` in pieces that grow from the time at which most paths arrive, when `distance` is small. */
function headLimits(end: number, distance: number): number[] {
  const limits = [0];
  // a start on the boundary has no such time
  const first = Math.max(distance * distance, shortest * end);
  for (let time = first; time < end; time *= 8) limits.push(time);
  return [...limits, end];
}

/** From `start` on in pieces, to where the slowest term, exp(−π² t / 2α²), has gone. */
function tailLimits(start: number, alpha: number): number[] {
  const life = (2 * alpha * alpha) / (Math.PI * Math.PI);
  return [0, 2, 12, 60].map((times) => start + times * life);
}

const integrand = (evaluate: (x: number, out: Float64Array) => void): Integrand => ({
  count,
  evaluate(x, _, out) {
    out.fill(0);
    evaluate(x, out);
  },
});

function kernelOf(isUpper: boolean) {
  return (call: DensityCall, operands: readonly Operand[]): number => {
    const { name } = call;
    checkWiener(call, operands);
    if (operands.length > 5) checkStartRange(call, operands[3], operands[6]);
    let lp = 0;
    for (let i = 0; i < call.n; i++) {
      const values = operands.map((operand) => operand.at(i));
      const { sum, log } = tailOf({ name, isUpper, values });
      if (!(sum[0] > 0))
        throw new DomainError(`${name}: the probability of term ${i + 1} underflows`);
      lp += log + Math.log(sum[0]);
      for (const [k, operand] of operands.entries())
        if (operand.active) operand.add(i, sum[k + 1] / sum[0]);
    }
    return lp;
  };
}

/** With four or seven parameters; the precision that Stan requires of its integrals may follow. */
function tail(name: string, isUpper: boolean): Density {
  const density = densityOf(name, wienerLabels, kernelOf(isUpper));
  return (tape, propto, kinds, ...args) => {
    const own = splitKinds(kinds);
    const number = own.length > 6 ? 8 : 5;
    return density(tape, propto, own.slice(0, number).join(''), ...args.slice(0, number));
  };
}

export const wienerLcdf = tail('wiener_lcdf_unnorm', false);
export const wienerLccdf = tail('wiener_lccdf_unnorm', true);
