/** Pearson's correlation of two variables over all their draws. */
import type { ChainDraws } from './draws.ts';

/**
 * Σ(x − x̄)(y − ȳ) / √(Σ(x − x̄)² · Σ(y − ȳ)²) over the draws that are finite in both, chain by chain up to the shorter
 * length; Pearson 1895. NaN for a constant or fewer than two such draws.
 */
export function correlation(x: ChainDraws, y: ChainDraws): number {
  let count = 0;
  let meanX = 0;
  let meanY = 0;
  let squaresX = 0;
  let squaresY = 0;
  let products = 0;
  for (let c = 0; c < Math.min(x.length, y.length); c++) {
    for (let i = 0; i < x[c].length; i++) {
      const stepX = x[c][i] - meanX;
      const stepY = y[c][i] - meanY;
      // Not finite in one of them, or beyond the end of y.
      if (stepX - stepX !== 0 || stepY - stepY !== 0) continue;
      // One pass that does not lose the digits of large means: Welford 1962.
      count++;
      meanX += stepX / count;
      meanY += stepY / count;
      squaresX += stepX * (x[c][i] - meanX);
      squaresY += stepY * (y[c][i] - meanY);
      products += stepX * (y[c][i] - meanY);
    }
  }
  // 0/0 for a constant, for one draw and for no draws.
  const value = products / Math.sqrt(squaresX) / Math.sqrt(squaresY);
  return Math.max(-1, Math.min(1, value));
}
