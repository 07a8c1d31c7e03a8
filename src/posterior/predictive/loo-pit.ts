/** Where each observation lies in its prediction from the other observations. */
import { alignChains, type ChainDraws } from '../draws.ts';
import { relativeEfficiency } from '../loo.ts';
import { paretoKThreshold } from '../pareto-fit.ts';
import { psis } from '../psis.ts';
import { createRandom } from '../seeded-random.ts';
import type { Predictive } from './replications.ts';

export interface LooPit {
  /** One value per observation, in [0, 1]; uniform over observations if the model is right. */
  readonly pit: Float64Array;
  readonly pareto_k: Float64Array;
  /** k above this is not reliable. */
  readonly threshold: number;
  readonly num_high_k: number;
}

export interface LooPitOptions {
  /** ESS ÷ draws of every observation's likelihood; default found from its draws. */
  readonly relativeEfficiency?: number;
}

/**
 * LOO-PIT: Σ w_s 1(y_rep_s < y), with the smoothed weights of leave-one-out. If y_rep can equal y, plus a random part
 * (from a fixed seed) of the weight of the equal draws, so that discrete outcomes are uniform too.
 * `logLik`: one entry per observation, chains × draws, in the order of `y`. NaN if the numbers of draws do not match.
 * Source: Gabry, Simpson, Vehtari, Betancourt & Gelman 2019, JRSS A 182(2), section 4.3; Czado, Gneiting & Held 2009,
 * Biometrics 65(4), for discrete outcomes.
 */
export function looPitOf(
  { y, replicated, numDraws }: Predictive,
  logLik: readonly ChainDraws[],
  options: LooPitOptions = {},
): LooPit {
  const random = createRandom();
  const pit = new Float64Array(y.length);
  const k = new Float64Array(y.length);
  for (let i = 0; i < y.length; i++) {
    const { values, numChains, length } = alignChains(logLik[i]);
    const efficiency = options.relativeEfficiency ?? relativeEfficiency(values, numChains, length);
    const smoothed = psis(
      values.map((value) => -value),
      efficiency,
    );
    k[i] = smoothed.k;
    // drawn for each observation, so that a continuous one does not shift the others' random numbers
    const part = random();
    pit[i] =
      values.length === numDraws ? pitOf(y[i], replicated[i], smoothed.logWeights, part) : NaN;
  }
  const threshold = paretoKThreshold(numDraws);
  return {
    pit,
    pareto_k: k,
    threshold,
    num_high_k: k.reduce((count, value) => (value <= threshold ? count : count + 1), 0),
  };
}

function pitOf(y: number, draws: Float64Array, logWeights: Float64Array, part: number): number {
  let below = 0;
  let equal = 0;
  for (let s = 0; s < draws.length; s++) {
    if (Number.isNaN(draws[s])) return NaN;
    if (draws[s] < y) below += Math.exp(logWeights[s]);
    else if (draws[s] === y) equal += Math.exp(logWeights[s]);
  }
  // rounding may leave a little more than 1
  return Math.min(1, below + part * equal);
}
