/** Leave-one-out cross-validation from pointwise log likelihoods, and comparison of models. */
import { sampleVariance } from './autocovariance.ts';
import { alignChains, type ChainDraws } from './draws.ts';
import { essMean } from './ess.ts';
import { paretoKThreshold } from './pareto-fit.ts';
import { psis } from './psis.ts';
import { stackingWeights } from './stacking.ts';
import { counted } from './verdict-label.ts';

/** All on the scale of the log predictive density (natural log). */
export interface Loo {
  readonly elpd_loo: number;
  readonly se_elpd_loo: number;
  /** Effective number of parameters. */
  readonly p_loo: number;
  readonly se_p_loo: number;
  /** −2 elpd_loo. */
  readonly looic: number;
  readonly se_looic: number;
  /** One number per observation. */
  readonly pointwise: { readonly elpd_loo: Float64Array; readonly p_loo: Float64Array };
  readonly pareto_k: Float64Array;
  /** k of the plain importance weights, if moment matching improved that of some observations. */
  readonly pareto_k_before?: Float64Array;
  /** k above this is not reliable; NaN: too few draws for any to be. */
  readonly threshold: number;
  /** Observations whose k is above it or undefined. */
  readonly num_high_k: number;
  readonly num_draws: number;
}

/** The result of moment matching for an observation, replacing its plain importance weights. */
export interface MatchedObservation {
  readonly elpd_loo: number;
  readonly pareto_k: number;
}

export interface LooOptions {
  /** By index of the observation, from 0. */
  readonly matched?: ReadonlyMap<number, MatchedObservation>;
  /** Called after each observation with the number completed so far. */
  readonly onObservation?: (done: number) => void;
  /** ESS ÷ draws of every observation's likelihood; default found from its draws. */
  readonly relativeEfficiency?: number;
}

/**
 * PSIS-LOO. `logLik`: one entry per observation, each chains × draws of log p(y_i | θ). Standard errors are
 * √(n·var) over observations with n − 1, as R's loo computes them. NaN throughout if there are no observations; draws
 * that are not finite make their observation NaN, and so the sums.
 * Source: Vehtari, Gelman & Gabry 2017, Statistics and Computing 27(5), section 2.1 and eq. 10, 11, 23.
 */
export function looOf(logLik: readonly ChainDraws[], options: LooOptions = {}): Loo {
  const n = logLik.length;
  const elpd = new Float64Array(n);
  const p = new Float64Array(n);
  const k = new Float64Array(n);
  const { matched = new Map<number, MatchedObservation>() } = options;
  const before = matched.size === 0 ? undefined : new Float64Array(n);
  let numDraws = 0;
  for (const [i, chains] of logLik.entries()) {
    const { values, numChains, length } = alignChains(chains);
    numDraws = values.length;
    const weights = psis(
      values.map((value) => -value),
      options.relativeEfficiency ?? relativeEfficiency(values, numChains, length),
    );
    const better = matched.get(i);
    if (before !== undefined) before[i] = weights.k;
    k[i] = better?.pareto_k ?? weights.k;
    elpd[i] =
      better?.elpd_loo ?? logSumExp(values.map((value, draw) => value + weights.logWeights[draw]));
    p[i] = logSumExp(values) - Math.log(values.length) - elpd[i];
    options.onObservation?.(i + 1);
  }
  const threshold = paretoKThreshold(numDraws);
  const standardError = (values: Float64Array) => Math.sqrt(n * sampleVariance(values));
  const elpd_loo = n === 0 ? NaN : sum(elpd);
  return {
    elpd_loo,
    se_elpd_loo: standardError(elpd),
    p_loo: n === 0 ? NaN : sum(p),
    se_p_loo: standardError(p),
    looic: -2 * elpd_loo,
    se_looic: 2 * standardError(elpd),
    pointwise: { elpd_loo: elpd, p_loo: p },
    pareto_k: k,
    pareto_k_before: before,
    threshold,
    num_high_k: k.reduce((count, value) => (value <= threshold ? count : count + 1), 0),
    num_draws: numDraws,
  };
}

/** ESS of exp(values) ÷ draws: correlated draws make the tail longer. 1 if undefined. */
export function relativeEfficiency(
  logLik: Float64Array,
  numChains: number,
  length: number,
): number {
  // Scaled by the largest: very small likelihoods would underflow to a constant 0.
  const largest = logLik.reduce((a, b) => Math.max(a, b), -Infinity);
  const likelihood = logLik.map((value) => Math.exp(value - largest));
  const chains = Array.from({ length: numChains }, (_, chain) =>
    likelihood.subarray(chain * length, (chain + 1) * length),
  );
  const efficiency = essMean(chains) / logLik.length;
  return Number.isFinite(efficiency) ? efficiency : 1;
}

export function logSumExp(values: Float64Array): number {
  let largest = -Infinity;
  for (const value of values) largest = Math.max(largest, value);
  if (!Number.isFinite(largest)) return largest;
  let total = 0;
  for (const value of values) total += Math.exp(value - largest);
  return largest + Math.log(total);
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** "10 draws are too few to judge Pareto k"; null: there is a limit for it. */
export function tooFewDrawsText({ threshold, num_draws }: Pick<Loo, 'threshold' | 'num_draws'>) {
  return Number.isNaN(threshold)
    ? `${counted(num_draws, 'draw')} ${num_draws === 1 ? 'is' : 'are'} too few to judge Pareto k`
    : null;
}

export interface LooComparison {
  readonly name: string;
  /** From the best model; 0 for itself, otherwise negative. */
  readonly elpd_diff: number;
  /** Standard error of the difference, from the pairs of observations. */
  readonly se_diff: number;
  readonly elpd_loo: number;
  readonly se_elpd_loo: number;
  readonly p_loo: number;
  readonly looic: number;
  readonly num_high_k: number;
  /** Weight of its predictions in the best mixture of all; NaN if undefined. */
  readonly stacking_weight: number;
}

/**
 * Models by elpd_loo, best first, or null if their numbers of observations differ (so they cannot be paired).
 * Source: Vehtari, Gelman & Gabry 2017, section 5.2, eq. 24.
 */
export function compareLoo(
  models: readonly { readonly name: string; readonly loo: Loo }[],
): LooComparison[] | null {
  const n = models[0]?.loo.pareto_k.length ?? 0;
  if (models.some(({ loo }) => loo.pareto_k.length !== n)) return null;
  const sorted = models.toSorted((a, b) => b.loo.elpd_loo - a.loo.elpd_loo);
  const weights = stackingWeights(sorted.map(({ loo }) => loo.pointwise.elpd_loo));
  return sorted.map(({ name, loo }, place) => {
    const best = sorted[0].loo.pointwise.elpd_loo;
    const differences = loo.pointwise.elpd_loo.map((value, i) => value - best[i]);
    return {
      name,
      elpd_diff: sum(differences),
      se_diff: Math.sqrt(n * sampleVariance(differences)),
      elpd_loo: loo.elpd_loo,
      se_elpd_loo: loo.se_elpd_loo,
      p_loo: loo.p_loo,
      looic: loo.looic,
      num_high_k: loo.num_high_k,
      stacking_weight: weights[place],
    };
  });
}
