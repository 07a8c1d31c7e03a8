/** Monte Carlo standard errors: of the mean, of the standard deviation, of a quantile. */
import { sampleVariance } from './autocovariance.ts';
import { betaQuantile } from './beta-quantile.ts';
import { alignChains, type ChainDraws } from './draws.ts';
import { essMean, essQuantile, essSd } from './ess.ts';

/** sd/√ESS of the mean; NaN if that ESS is undefined. */
export function mcseMean(chains: ChainDraws): number {
  return Math.sqrt(sampleVariance(alignChains(chains).values) / essMean(chains));
}

/**
 * √(((m₄ − v²)/E)/v/4) with v and m₄ the second and fourth central moment (÷ S) and E the ESS of (x − x̄)², as in R's
 * posterior package now; older versions used another ESS. Source: Kenney & Keeping 1951, and the delta method.
 */
export function mcseSd(chains: ChainDraws): number {
  const ess = essSd(chains);
  const { values } = alignChains(chains);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  const mean = sum / values.length;
  let second = 0;
  let fourth = 0;
  for (let i = 0; i < values.length; i++) {
    const square = (values[i] - mean) ** 2;
    second += square;
    fourth += square * square;
  }
  const v = second / values.length;
  const m4 = fourth / values.length;
  return Math.sqrt((m4 - v * v) / ess / v / 4);
}

/** Φ(−1) and Φ(1): the interval that a normal estimate's standard error spans, in the digits R uses. */
const ONE_SD_BELOW = 0.1586553;
const ONE_SD_ABOVE = 0.8413447;

/**
 * Half the distance between the order statistics one standard error below and above the quantile at `probability`,
 * from a beta distribution with the ESS of that quantile.
 * NaN if that ESS is undefined. Source: Vehtari et al. 2021, arXiv 1903.08008, section 4.4.
 */
export function mcseQuantile(chains: ChainDraws, probability: number): number {
  const ess = essQuantile(chains, probability);
  const sorted = alignChains(chains).values.sort();
  const total = sorted.length;
  const a = ess * probability + 1;
  const b = ess * (1 - probability) + 1;
  const below = Math.max(Math.floor(betaQuantile(ONE_SD_BELOW, a, b) * total), 1);
  const above = Math.ceil(betaQuantile(ONE_SD_ABOVE, a, b) * total);
  return (sorted[above - 1] - sorted[below - 1]) / 2;
}
