/**
 * Which chains, and how many draws of each, a summary uses.
 *
 * R-hat and ESS are defined for M chains of N draws each (Vehtari et al. 2021), so all chains are cut to the length N
 * of the shortest; mean, sd and quantiles use the same draws: one table, one set of draws. A short chain therefore
 * costs draws of the long ones, and a reader decides whether to leave it out.
 */
import { formatCount } from '../shared/readable-numbers.ts';
import { chainsText, counted } from './verdict-label.ts';

export interface ChainLength {
  /** `chain#1`, … */
  readonly name: string;
  /** Draws of the sampling phase. */
  readonly draws: number;
}

export interface ChainUsage {
  /** Chains that are used, in order. */
  readonly used: readonly ChainLength[];
  /** Not left out, but without draws. */
  readonly empty: readonly string[];
  readonly leftOut: readonly ChainLength[];
  /** Draws used of each chain: as many as the shortest has. */
  readonly common: number;
  /** Draws of longer chains beyond those. */
  readonly beyond: number;
}

/** `leftOut`: names; those of unknown chains are ignored. */
export function chainUsage(
  chains: readonly ChainLength[],
  leftOut: readonly string[] = [],
): ChainUsage {
  const kept = chains.filter(({ name }) => !leftOut.includes(name));
  const used = kept.filter(({ draws }) => draws > 0);
  const common = used.length === 0 ? 0 : Math.min(...used.map(({ draws }) => draws));
  return {
    used,
    empty: kept.filter(({ draws }) => draws === 0).map(({ name }) => name),
    leftOut: chains.filter(({ name }) => leftOut.includes(name)),
    common,
    beyond: sumOf(used) - common * used.length,
  };
}

/**
 * The chains to leave out so that most draws are used, keeping at least two chains: those without draws, and the short
 * ones that cost more draws of others than they contribute. Empty: leaving chains out gains nothing.
 */
export function chainsToLeaveOut({ used, empty, common }: ChainUsage): readonly string[] {
  if (used.length < 2) return [];
  const longestFirst = used.toSorted((a, b) => b.draws - a.draws);
  let best = { draws: used.length * common, numKept: used.length };
  for (let numKept = used.length - 1; numKept >= 2; numKept--) {
    const draws = numKept * longestFirst[numKept - 1].draws;
    if (draws > best.draws) best = { draws, numKept };
  }
  const short = new Set(longestFirst.slice(best.numKept).map(({ name }) => name));
  return [...used.filter(({ name }) => short.has(name)).map(({ name }) => name), ...empty];
}

/**
 * "R-hat, ESS and summary use only the first 1 608 draws of each chain, 4 824 of 201 608: chain 3 is the shortest"; null:
 * they use all. Divergences are counted in every draw.
 */
export function commonLengthText({ used, common, beyond }: ChainUsage): string | null {
  if (beyond === 0) return null;
  const shortest = used.filter(({ draws }) => draws === common).map(({ name }) => name);
  const enter = common * used.length;
  const first = common === 1 ? 'first draw' : `first ${formatCount(common)} draws`;
  const which = shortest.length === 1 ? 'is the shortest' : 'are the shortest';
  return `R-hat, ESS and summary use only the ${first} of each chain, ${formatCount(enter)} of ${formatCount(enter + beyond)}: ${chainsText(shortest)} ${which}`;
}

/** "chain 4 is left out (1 608 draws)"; null if none is. */
export function leftOutText({ leftOut }: Pick<ChainUsage, 'leftOut'>): string | null {
  if (leftOut.length === 0) return null;
  const draws = sumOf(leftOut);
  const number = draws === 0 ? 'no draws' : counted(draws, 'draw');
  const verb = leftOut.length === 1 ? 'is' : 'are';
  return `${chainsText(leftOut.map(({ name }) => name))} ${verb} left out (${number})`;
}

function sumOf(chains: readonly ChainLength[]): number {
  return chains.reduce((sum, { draws }) => sum + draws, 0);
}
