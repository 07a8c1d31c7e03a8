/** The verdict's check for chains in another region than the rest. */
import { formatCount, formatNumber } from '../shared/readable-numbers.ts';
import { type LostChain, lostLimits } from './lost-chains.ts';
import type { Check } from './verdict.ts';
import { chainsText, chainText } from './verdict-label.ts';

/** Null if no chain is lost: true of most runs, so nothing is said. */
export function lostCheck(lost: readonly LostChain[]): Check | null {
  const [first] = lost;
  if (first === undefined) return null;
  const worst = lost.reduce((a, b) => (Math.abs(b.below ?? 0) > Math.abs(a.below ?? 0) ? b : a));
  return {
    name: 'lost_chains',
    status: 'failed',
    tone: 'bad',
    value: worst.below ?? worst.timesSmaller,
    threshold: worst.below === undefined ? lostLimits.timesSmaller : lostLimits.gap,
    chain: worst.name,
    count: lost.length,
    message: messageOf(lost, worst),
  };
}

function messageOf(lost: readonly LostChain[], worst: LostChain): string {
  const { below, timesSmaller = 1 } = worst;
  const who = chainsText(lost.map(({ name }) => name));
  if (below === undefined) {
    const verb = lost.length === 1 ? 'is' : 'are';
    return `${who} ${verb} stuck: steps ${formatCount(Math.round(timesSmaller))} times smaller than those of the others`;
  }
  const distance = formatNumber(Math.abs(below), Math.abs(below) < 10 ? 1 : 0);
  const side = below > 0 ? 'below' : 'above';
  if (lost.length === 1)
    return `${who} is in a different region: its log density is ${distance} ${side} that of the others`;
  return `${who} are in different regions: the log density of ${chainText(worst.name)} is ${distance} ${side} that of the others`;
}
