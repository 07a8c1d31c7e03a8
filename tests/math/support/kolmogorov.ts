/** How far draws are from the distribution that they should have. */

/**
 * Kolmogorov's distance times the root of the draw count, at each distinct value or every `step`th of them; with the
 * right distribution it exceeds 1.95 once in a thousand times, less often if the distribution is discrete. Source:
 * Kolmogorov (1933).
 */
export function kolmogorov(
  draws: readonly number[],
  cumulative: (value: number) => number,
  step = 1,
): number {
  const sorted = [...draws].sort((a, b) => a - b);
  const count = sorted.length;
  let worst = 0;
  for (let i = 0; i < count; i += step) {
    if (i + 1 < count && sorted[i + 1] === sorted[i]) continue;
    worst = Math.max(worst, Math.abs((i + 1) / count - cumulative(sorted[i])));
  }
  return worst * Math.sqrt(count);
}
