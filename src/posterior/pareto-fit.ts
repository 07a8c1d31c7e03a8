/** The generalised Pareto distribution fitted to a tail of draws, and what its shape k says about the tail. */
import { alignChains, type ChainDraws, countNonFinite, isConstant } from './draws.ts';
import { essTail } from './ess.ts';

export interface ParetoFit {
  /** Shape; ∞ if there is no fit. */
  readonly k: number;
  readonly sigma: number;
}

/** Fewer tail draws than this are uninformative. */
export const leastTail = 5;

/**
 * Fit to exceedances over a threshold, ascending and not negative. A profile posterior mean over a grid, k drawn
 * towards 0.5 by ten pseudo-observations: (kn + 5)/(n + 10).
 * Source: Zhang & Stephens 2009, Technometrics 51(3); the prior: Vehtari et al. 2024, JMLR 25(72), appendix G.
 */
export function fitPareto(exceedances: Float64Array): ParetoFit {
  const n = exceedances.length;
  const largest = exceedances[n - 1];
  const quartile = exceedances[Math.floor(n / 4 + 0.5) - 1];
  const points = 30 + Math.floor(Math.sqrt(n));
  const theta = new Float64Array(points);
  const logLikelihood = new Float64Array(points);
  for (let j = 0; j < points; j++) {
    theta[j] = 1 / largest + (1 - Math.sqrt(points / (j + 0.5))) / 3 / quartile;
    const k = meanLog1p(-theta[j], exceedances);
    // up to a constant
    logLikelihood[j] = n * (Math.log(-theta[j] / k) - k);
  }
  const highest = logLikelihood.reduce((a, b) => Math.max(a, b), -Infinity);
  let weights = 0;
  let weighted = 0;
  for (let j = 0; j < points; j++) {
    const weight = Math.exp(logLikelihood[j] - highest);
    weights += weight;
    weighted += weight * theta[j];
  }
  const thetaHat = weighted / weights;
  const k = meanLog1p(-thetaHat, exceedances);
  const sigma = -k / thetaHat;
  const shrunk = (k * n + 5) / (n + 10);
  // NaN if no distribution fits: no exceedances, a quarter of them 0, or one that is not finite.
  return Number.isNaN(shrunk) ? { k: Infinity, sigma: NaN } : { k: shrunk, sigma };
}

function meanLog1p(factor: number, values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Math.log1p(factor * values[i]);
  return sum / values.length;
}

/** Quantile of the generalised Pareto distribution above 0. */
export function paretoQuantile(probability: number, { k, sigma }: ParetoFit): number {
  return (sigma * Math.expm1(-k * Math.log1p(-probability))) / k;
}

/**
 * Number of draws that form the tail of `total` draws, with relative efficiency r = ESS ÷ draws: ⌊3√(S/r)⌋ if S·r is
 * above 225, otherwise a fifth. Source: as the fit, eq. 8; rounded down.
 */
export function tailLength(total: number, relativeEfficiency: number): number {
  const wanted =
    total * relativeEfficiency > 225 ? 3 * Math.sqrt(total / relativeEfficiency) : total / 5;
  return Math.floor(wanted);
}

/**
 * k above which means of that many draws are unreliable: min(1 − 1/log10 S, 0.7). NaN for ten draws or fewer, which no
 * k makes reliable. Source: as the fit, section 3.2.4.
 */
export function paretoKThreshold(total: number): number {
  return total > 10 ? Math.min(1 - 1 / Math.log10(total), 0.7) : NaN;
}

/**
 * Pareto k of a variable: the larger one of its two tails. Below 0.5 the mean has a finite variance; NaN for a
 * constant, too few draws or one that is not finite. Source: as the fit, section 2.4.
 */
export function paretoKhat(chains: ChainDraws): number {
  if (countNonFinite(chains) > 0) return NaN;
  const { values } = alignChains(chains);
  if (isConstant(values)) return NaN;
  const length = tailLength(values.length, essTail(chains) / values.length);
  if (!(length >= leastTail)) return NaN;
  const sorted = Float64Array.from(values).sort();
  const negated = Float64Array.from(sorted, (value) => -value).sort();
  return Math.max(tailK(sorted, length), tailK(negated, length));
}

function tailK(sorted: Float64Array, length: number): number {
  const from = sorted.length - length;
  return fitPareto(sorted.subarray(from).map((value) => value - sorted[from - 1])).k;
}
