/**
 * Chains that share a warmup: the first ones warm up, and each of the others starts where one of these ended its
 * warmup, with separate random streams. Chains from one starting point are a superchain (Margossian et al. 2024,
 * "Nested R-hat", arXiv 2110.13017).
 */
import type { ChainCheckpoint, NutsCheckpoint } from './checkpoint.ts';
import { encodeFloats, nothingTallied } from './checkpoint.ts';
import { openStream } from './random-streams.ts';
import type { Settings } from './settings-table.ts';

type WarmupPlan = Pick<Settings, 'algorithm' | 'numChains' | 'numWarmup' | 'warmupChains'>;

/** How many chains warm up. */
export function countWarmups({
  algorithm,
  numChains,
  numWarmup,
  warmupChains,
}: WarmupPlan): number {
  if (algorithm !== 'nuts' || warmupChains === null || numWarmup === 0) return numChains;
  return Math.min(numChains, warmupChains);
}

/** The chain whose warmup `chain` (1-based) starts from: itself where it warms up. */
export function warmedBy(plan: WarmupPlan, chain: number): number {
  const count = countWarmups(plan);
  return chain > plan.numChains ? chain : ((chain - 1) % count) + 1;
}

/** The chains that start from the warmup of `chain`. */
export function followersOf(plan: WarmupPlan, chain: number): number[] {
  const count = countWarmups(plan);
  const followers: number[] = [];
  if (chain <= count)
    for (let follower = chain + count; follower <= plan.numChains; follower += count)
      followers.push(follower);
  return followers;
}

/** The checkpoint right after the warmup, from which others start; null for any other. */
export function endOfWarmup(checkpoint: ChainCheckpoint): NutsCheckpoint | null {
  if ('fitVersion' in checkpoint) return null;
  return checkpoint.iteration === checkpoint.settings.numWarmup ? checkpoint : null;
}

/** The checkpoint from which `chain` continues: the end of another chain's warmup, with nothing drawn or counted. */
export function startFrom(warmedUp: NutsCheckpoint, chain: number): NutsCheckpoint {
  const { seed } = warmedUp;
  const stateOf = (purpose: 'transition' | 'generated') =>
    encodeFloats(openStream(seed, chain, purpose).state());
  return {
    ...warmedUp,
    chain,
    rng: { transition: stateOf('transition'), generated: stateOf('generated') },
    warmupDraws: 0,
    samplingDraws: 0,
    tally: { ...nothingTallied },
  };
}
