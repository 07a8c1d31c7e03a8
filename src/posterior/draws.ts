/** The container of draws, and the few shapes that every statistic starts from. */

/** Draws of one variable: one array per chain, in iteration order. Chains may differ in length during a run. */
export type ChainDraws = readonly Float64Array[];

/** A scalar variable, `theta[1]`, with its draws. */
export interface VariableDraws {
  readonly variable: string;
  readonly chains: ChainDraws;
  /** The superchain of each chain, formed by chains from one starting point; absent: each is its own. */
  readonly superchains?: readonly number[];
}

/** `numChains` chains of `length` draws, one after the other in `values`. */
export interface FlatChains {
  readonly values: Float64Array;
  readonly numChains: number;
  readonly length: number;
}

/**
 * Chains of equal length, laid end to end: chains without draws are left out, the others are cut to the shortest, so
 * that no chain has more weight than another. `memory` may give an array of a length to overwrite.
 */
export function alignChains(
  chains: ChainDraws,
  memory = (size: number) => new Float64Array(size),
): FlatChains {
  const used = chains.filter((chain) => chain.length > 0);
  let length = used.length === 0 ? 0 : Infinity;
  for (const chain of used) length = Math.min(length, chain.length);
  const values = memory(used.length * length);
  used.forEach((chain, index) => {
    values.set(chain.subarray(0, length), index * length);
  });
  return { values, numChains: used.length, length };
}

/**
 * Halves of floor(N/2) draws, two per chain; the middle draw of an odd N is dropped and N = 1 is not split.
 * For an even N the values are already in that order, so no copy is made.
 */
export function splitChains(chains: FlatChains): FlatChains {
  const { values, numChains, length } = chains;
  if (length < 2) return chains;
  const half = Math.floor(length / 2);
  if (half * 2 === length) return { values, numChains: numChains * 2, length: half };
  const halves = new Float64Array(numChains * 2 * half);
  for (let chain = 0; chain < numChains; chain++) {
    const start = chain * length;
    halves.set(values.subarray(start, start + half), chain * 2 * half);
    halves.set(values.subarray(start + half + 1, start + length), (chain * 2 + 1) * half);
  }
  return { values: halves, numChains: numChains * 2, length: half };
}

/** How many draws are NaN or infinite, over all chains, including those that `alignChains` cuts off. */
export function countNonFinite(chains: ChainDraws): number {
  let count = 0;
  for (const chain of chains) {
    // x − x is 0 for a finite x and NaN for the rest: one subtraction instead of a call.
    for (let i = 0; i < chain.length; i++) if (chain[i] - chain[i] !== 0) count++;
  }
  return count;
}

export function isConstant(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** What NUTS reports for each draw in addition to `lp__`, by CmdStan's names. */
export const samplerStatistics: readonly string[] = [
  'accept_stat__',
  'stepsize__',
  'treedepth__',
  'n_leapfrog__',
  'divergent__',
  'energy__',
];

/**
 * True for what the sampler reports about itself, including a calibration's `theta_true__[1]`; `lp__` is judged like a
 * variable of the program.
 */
export function isSamplerColumn(name: string): boolean {
  return name !== 'lp__' && (name.endsWith('__') || name.includes('__['));
}
