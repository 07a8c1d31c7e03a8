/** The estimated Bayesian fraction of missing information of a chain's energies. */
import { sampleVariance } from './autocovariance.ts';

/**
 * E-BFMI of one chain: Σ(E_i − E_{i−1})²/(N − 1) ÷ var(E), `energy` in iteration order (column `energy__`).
 * NaN for fewer than three draws, constant energy, or a value that is not finite. Some tools divide by N instead.
 * Source: Betancourt 2016, arXiv 1604.00695.
 */
export function ebfmi(energy: Float64Array): number {
  const count = energy.length;
  if (count < 3) return NaN;
  let steps = 0;
  for (let i = 1; i < count; i++) steps += (energy[i] - energy[i - 1]) ** 2;
  const ratio = steps / (count - 1) / sampleVariance(energy);
  return Number.isFinite(ratio) ? ratio : NaN;
}
