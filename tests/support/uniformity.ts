/** Probabilities that numbers in the unit interval are at least as uneven as these, if they are uniform. */
import { library } from '../../src/math/library/library.ts';

/** Pearson's statistic over ranges of equal width has bins − 1 degrees of freedom. */
export function chiSquareP(positions: readonly number[], bins: number): number {
  const counts = new Float64Array(bins);
  for (const u of positions) counts[Math.min(bins - 1, Math.floor(u * bins))] += 1;
  const expected = positions.length / bins;
  const statistic = counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  return library.gamma_q__rr((bins - 1) / 2, statistic / 2) as number;
}

/** From the Kolmogorov distribution with the correction of Stephens (1970) for few numbers. */
export function kolmogorovP(positions: readonly number[]): number {
  const n = positions.length;
  const sorted = positions.toSorted((a, b) => a - b);
  const distance = sorted.reduce((most, u, i) => Math.max(most, u - i / n, (i + 1) / n - u), 0);
  const lambda = distance * (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n));
  // its series does not converge near 0, where the probability is 1
  if (lambda < 0.2) return 1;
  let p = 0;
  for (let k = 1; k <= 100; k++) p += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * (k * lambda) ** 2);
  return Math.min(1, Math.max(0, p));
}
