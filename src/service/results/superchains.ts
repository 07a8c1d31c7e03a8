/** Chains that started from one warmup: R-hat compares the groups, since chains within one agree at first. */

interface StartedChain {
  readonly chain: number;
  readonly name: string;
  readonly warmed_by: number | null;
}

/** By name, the number of the chain that warmed up for it; null where every chain has warmed up itself. */
export function superchainsOf(chains: readonly StartedChain[]): ReadonlyMap<string, number> | null {
  if (chains.every((chain) => chain.warmed_by === null)) return null;
  return new Map(chains.map(({ name, chain, warmed_by: warmedBy }) => [name, warmedBy ?? chain]));
}
