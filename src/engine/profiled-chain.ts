/** A chain that reports the time in its program's profiles, over all threads in which it ran. */
import type { Chain } from './machine.ts';
import type { Model } from './model.ts';
import { combineProfiles, type ProfileTimes } from './profiler.ts';

/** `before`: times from the checkpoint that the chain continues from. */
export function profiledChain(
  chain: Chain,
  model: Model,
  before: readonly ProfileTimes[] = [],
): Chain {
  const { profiles } = model;
  if (profiles === undefined) return chain;
  // the model may have served another chain in this thread
  const start = profiles();
  const times = () => combineProfiles(before, combineProfiles(profiles(), start, -1));
  const withTimes = <T extends object>(report: T): T => {
    const found = times();
    return found.length === 0 ? report : { ...report, profiles: found };
  };
  return {
    columns: chain.columns,
    advance: (limit) => chain.advance(limit),
    checkpoint: () => withTimes(chain.checkpoint()),
    progress: () => withTimes(chain.progress()),
  };
}
