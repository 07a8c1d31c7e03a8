/** Chains that started from the same warmup: R-hat compares the groups, since chains within one agree at first. */

interface StartedChain {
  readonly chain: number;
  readonly name: string;
  readonly warmed_by: number | null;
}

/** By name, the number of the chain whose warmup was used; null if every chain did its own warmup. */
export function superchainsOf(chains: readonly StartedChain[]): ReadonlyMap<string, number> | null {
  if (chains.every((chain) => chain.warmed_by === null)) return null;
  return new Map(chains.map(({ name, chain, warmed_by: warmedBy }) => [name, warmedBy ?? chain]));
}
