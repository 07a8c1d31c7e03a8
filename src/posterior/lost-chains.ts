/** Chains in another region than the rest, judged by log density, or stuck, judged by step size. */

/** Shows where a chain is. */
export interface ChainRegion {
  readonly name: string;
  /** Of `lp__` over its draws; null: not recorded, or too few draws. */
  readonly logDensity: { readonly mean: number; readonly sd: number } | null;
  /** Null: not recorded. */
  readonly stepSize: number | null;
}

export interface LostChain {
  readonly name: string;
  /** How far its mean log density is below that of the others; negative: above. Absent: found by step size. */
  readonly below?: number;
  /** How many times smaller its steps are. */
  readonly timesSmaller?: number;
}

export const lostLimits = {
  /**
   * Distance of mean log densities in standard deviations within a chain. Of the reference posteriors, 4 × 200 draws and
   * eight seeds each, no run with R-hat of `lp__` up to 1.1 was further apart than 0.8 (`npm run bench -- lost-chains`).
   */
  gap: 5,
  /** The step sizes of those chains differed by factors up to 4.2. */
  timesSmaller: 20,
  /** With fewer draws a mean says little. */
  leastDraws: 20,
} as const;

export function regionOf(
  name: string,
  logDensity: Float64Array | undefined,
  stepSize: number | null | undefined,
): ChainRegion {
  const step = stepSize ?? null;
  if (logDensity === undefined || logDensity.length < lostLimits.leastDraws)
    return { name, logDensity: null, stepSize: step };
  const mean = logDensity.reduce((sum, value) => sum + value, 0) / logDensity.length;
  const squares = logDensity.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const sd = Math.sqrt(squares / (logDensity.length - 1));
  return { name, logDensity: { mean, sd }, stepSize: step };
}

/**
 * Chains outside the group formed by most of them. None without such a majority, or among two chains, since then there
 * is no telling which are right.
 */
export function lostChains(chains: readonly ChainRegion[]): LostChain[] {
  const apart = apartByDensity(chains);
  const stuck = stuckBySteps(chains).filter(({ name }) => !apart.some((one) => one.name === name));
  return [...apart, ...stuck];
}

function apartByDensity(chains: readonly ChainRegion[]): LostChain[] {
  const known = chains.flatMap(({ name, logDensity }) =>
    logDensity !== null && Number.isFinite(logDensity.mean + logDensity.sd)
      ? [{ name, ...logDensity }]
      : [],
  );
  // most chains are where they should be, so theirs is the spread
  const sd = median(known.map((chain) => chain.sd));
  const groups: (typeof known)[] = [];
  const sorted = known.toSorted((a, b) => a.mean - b.mean);
  for (const [i, chain] of sorted.entries()) {
    const isNear = i > 0 && chain.mean - sorted[i - 1].mean <= lostLimits.gap * sd;
    if (isNear) groups[groups.length - 1].push(chain);
    else groups.push([chain]);
  }
  const main = groups.find((group) => 2 * group.length > known.length);
  if (main === undefined) return [];
  const usual = median(main.map(({ mean }) => mean));
  return known
    .filter((chain) => !main.includes(chain))
    .map(({ name, mean }) => ({ name, below: usual - mean }));
}

function stuckBySteps(chains: readonly ChainRegion[]): LostChain[] {
  const known = chains
    .map(({ name, stepSize }) => ({ name, stepSize: stepSize ?? 0 }))
    .filter(({ stepSize }) => stepSize > 0);
  if (known.length < 3) return [];
  const usual = median(known.map(({ stepSize }) => stepSize));
  return known.flatMap(({ name, stepSize }) => {
    const timesSmaller = usual / stepSize;
    return timesSmaller > lostLimits.timesSmaller ? [{ name, timesSmaller }] : [];
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
