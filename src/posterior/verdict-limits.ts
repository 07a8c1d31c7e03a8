/** Where a number begins to need a look (amber), where it forbids the use of the draws (red), and how it is shown. */
import { formatNumber } from '../shared/readable-numbers.ts';

/** Amber begins beyond `warn`, red beyond `bad` (Vehtari et al. 2021 for R-hat and ESS; Betancourt 2016 for E-BFMI). */
export const verdictLimits = {
  rhat: { warn: 1.01, bad: 1.05 },
  /** Per chain. */
  essPerChain: { warn: 100, bad: 50 },
  /** Any divergence is amber; this share of all draws is red. */
  divergentShare: { bad: 0.01 },
  ebfmi: { warn: 0.3, bad: 0.2 },
  /** With fewer draws no statistic is trusted either way: 100 per chain is the least that can reach the ESS limit. */
  leastDraws: 100,
  /** For importance ratios (Vehtari et al. 2024, section 3): beyond 1 the ratios have no mean. */
  paretoK: { warn: 0.7, bad: 1 },
  /** Log densities that differ by more are not from the same optimum. */
  optimaApart: 0.01,
  /** With fewer simulations of a calibration, nothing is said either way. */
  leastSimulations: 20,
  /** The share of them that may be doubtful or missing before the verdict needs a look. */
  doubtfulSimulations: 0.1,
  /** For one simulation: its ranks are doubtful with fewer draws than this. */
  leastRankEss: 25,
  /** Stan's default, for draws whose files do not give theirs. */
  usualTreedepth: 10,
} as const;

/**
 * Decimals, at least `least`, with which `value` reads as being on its own side of each limit: 1.0104 next to 1.01
 * needs four, since "1.010, above 1.01" explains nothing.
 */
export function decimalsBeside(value: number, limits: readonly number[], least: number): number {
  const isApart = (decimals: number) => {
    const shown = Number(value.toFixed(decimals));
    return limits.every((limit) => Math.sign(shown - limit) === Math.sign(value - limit));
  };
  for (let decimals = least; decimals <= 15; decimals++) if (isApart(decimals)) return decimals;
  return least;
}

/** "1.004", and "1.0104" if three decimals would read as the limit. */
export function rhatFigure(value: number | null | undefined): string {
  const { warn, bad } = verdictLimits.rhat;
  return figure(value, [warn, bad], 3);
}

/** "1 208", and "399.6" if a whole number would read as the limit. */
export function essFigure(value: number | null | undefined, numChains: number): string {
  const { warn, bad } = verdictLimits.essPerChain;
  return figure(value, [warn * numChains, bad * numChains], 0);
}

export function ebfmiFigure(value: number | null | undefined): string {
  const { warn, bad } = verdictLimits.ebfmi;
  return figure(value, [warn, bad], 2);
}

export function paretoKFigure(value: number | null | undefined): string {
  const { warn, bad } = verdictLimits.paretoK;
  return figure(value, [warn, bad], 2);
}

function figure(value: number | null | undefined, limits: readonly number[], least: number) {
  const isNumber = Number.isFinite(value);
  return formatNumber(value, isNumber ? decimalsBeside(Number(value), limits, least) : least);
}
