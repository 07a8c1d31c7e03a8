/** Which chain keeps the others from agreeing. */
import type { ChainDraws } from './draws.ts';
import { rhatRank } from './rhat.ts';
import { verdictLimits } from './verdict-limits.ts';

/**
 * For each chain, whether the others agree without it on every given variable: their R-hat allows the use of their
 * draws. If two chains disagree, there is no telling which is wrong, so three are needed. A chain apart from the others
 * may be stuck, or the only one that found another mode: that is for a person to judge.
 */
export function chainsApart(variables: readonly ChainDraws[], numChains: number): boolean[] {
  const places = Array.from({ length: numChains }, (_, index) => index);
  if (numChains < 3 || variables.length === 0) return places.map(() => false);
  return places.map((index) =>
    variables.every(
      (chains) => rhatRank(chains.filter((_, other) => other !== index)) <= verdictLimits.rhat.bad,
    ),
  );
}
