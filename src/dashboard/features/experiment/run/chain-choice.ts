/** Which chains and draws the page's numbers and plots are made of. */
import type { Summary } from '../../../../contract/draws.ts';
import type { Experiment } from '../../../../contract/experiment.ts';
import { type ChainUsage, chainUsage } from '../../../../posterior/chain-usage.ts';
import { chainsText } from '../../../../posterior/verdict-label.ts';
import { formatCount } from '../../../ui/numbers.ts';
import type { DrawsView } from '../../live/draws-store.ts';
import { drawsByChain } from '../../status/draw-counts.ts';

/** Names of chains that the owner left out; of a share, at the time of sharing. */
export function chainsLeftOut({ meta }: Pick<Experiment, 'meta'>): readonly string[] {
  return meta?.chains_left_out ?? [];
}

/** Null where the server does not say how many draws each chain has. */
export function usageOfRun(experiment: Experiment, summary: Summary | null): ChainUsage | null {
  const counts = drawsByChain(experiment, summary);
  if (counts === null) return null;
  const lengths = [...counts].map(([name, draws]) => ({ name, draws }));
  return chainUsage(lengths, chainsLeftOut(experiment));
}

export interface DrawsLimit {
  readonly leftOut: readonly string[];
  /** Draws of each chain that are read; null: all. */
  readonly common: number | null;
}

/** The draws that a plot shows, so that it agrees with the summary: without chains that are left out, and cut. */
export function limitDraws(view: DrawsView, { leftOut, common }: DrawsLimit): DrawsView {
  if (leftOut.length === 0 && common === null) return view;
  return {
    read(variable, chain, phase) {
      if (leftOut.includes(chain)) return none;
      const draws = view.read(variable, chain, phase);
      return common === null || phase !== 'sampling' ? draws : draws.subarray(0, common);
    },
  };
}

const none = new Float64Array(0);

/** "First 1 608 draws of each chain, without chain 4"; null where every draw is used. */
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
