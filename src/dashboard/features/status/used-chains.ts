/** Which chains and draws of a run its numbers are based on, as text for pages. */
import type { Summary } from '../../../contract/draws.ts';
import type { Experiment } from '../../../contract/experiment.ts';
import { type ChainUsage, chainUsage } from '../../../posterior/chain-usage.ts';
import { chainsText } from '../../../posterior/verdict-label.ts';
import { formatCount } from '../../ui/numbers.ts';
import { drawsByChain } from './draw-counts.ts';

/** Names of chains that the owner left out; for a share, at the time of sharing. */
export function chainsLeftOut({ meta }: Pick<Experiment, 'meta'>): readonly string[] {
  return meta?.chains_left_out ?? [];
}

/** Null when the server does not say how many draws each chain has. */
export function usageOfRun(experiment: Experiment, summary: Summary | null): ChainUsage | null {
  const counts = drawsByChain(experiment, summary);
  if (counts === null) return null;
  const lengths = [...counts].map(([name, draws]) => ({ name, draws }));
  return chainUsage(lengths, chainsLeftOut(experiment));
}

/** "First 1 608 draws of each chain, without chain 4"; null if every draw is used. */
export function usageCaption(usage: ChainUsage | null): string | null {
  if (usage === null) return null;
  const leftOut = usage.leftOut.map(({ name }) => name);
  const parts = [
    ...(usage.beyond > 0 ? [`first ${formatCount(usage.common)} draws of each chain`] : []),
    ...(leftOut.length > 0 ? [`without ${chainsText(leftOut)}`] : []),
  ];
  if (parts.length === 0) return null;
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
