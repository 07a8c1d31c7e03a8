import { describe, expect, it } from 'vitest';
import { createChain } from '../../src/engine/chain.ts';
import type { ChainSettings } from '../../src/engine/chain-state.ts';
import { decodeFloats, type NutsCheckpoint, nothingTallied } from '../../src/engine/checkpoint.ts';
import type { DrawBlock } from '../../src/engine/events.ts';
import type { Chain } from '../../src/engine/machine.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import {
  countWarmups,
  endOfWarmup,
  followersOf,
  startFrom,
  warmedBy,
} from '../../src/engine/shared-warmup.ts';
import { generatedOnlyModel, normalModel } from '../support/analytic-models.ts';
import { chainSettings, columnOf } from '../support/run-model.ts';

describe('a shared warmup', () => {
  const plan = { ...defaultSettings, numChains: 7, warmupChains: 3 };

  it('gives each chain the same number of followers, or one more', () => {
    expect(countWarmups(plan)).toBe(3);
    expect([1, 2, 3].map((chain) => followersOf(plan, chain))).toEqual([[4, 7], [5], [6]]);
    expect([4, 7].map((chain) => followersOf(plan, chain))).toEqual([[], []]);
    expect([1, 2, 3, 4, 5, 6, 7].map((chain) => warmedBy(plan, chain))).toEqual([
      1, 2, 3, 1, 2, 3, 1,
    ]);
    // a chain started in another's place does its own warmup
    expect(warmedBy(plan, 8)).toBe(8);
  });

  it.each([
    ['no number is given', { warmupChains: null }],
    ['there are no more chains', { warmupChains: 7 }],
    ['there are fewer chains', { warmupChains: 9 }],
    ['there is no warmup', { numWarmup: 0 }],
    ['no chain warms up', { algorithm: 'laplace' as const }],
  ])('does not apply when %s', (_, change) => {
    const own = { ...plan, ...change };
    expect(countWarmups(own)).toBe(7);
    expect([1, 5, 7].map((chain) => warmedBy(own, chain))).toEqual([1, 5, 7]);
    expect(followersOf(own, 1)).toEqual([]);
  });
});

const settings: ChainSettings = {
  ...chainSettings,
  metric: 'low-rank',
  adaptsByFisher: true,
  numWarmup: 60,
  numSamples: 40,
};
const model = normalModel([1, 2], [1, 10]);

/** Advances to the end; returns all checkpoints on the way, and the draws. */
function advance(chain: Chain, maxIterations?: number) {
  const checkpoints: NutsCheckpoint[] = [];
  const blocks: DrawBlock[] = [];
  for (;;) {
    const step = chain.advance({ maxIterations });
    blocks.push(...step.blocks);
    checkpoints.push(chain.checkpoint() as NutsCheckpoint);
    if (step.status !== 'running') return { checkpoints, blocks };
  }
}

const sharing = (extra: Partial<ChainSettings> = {}) =>
  createChain({ model, chain: 1, settings: { ...settings, sharesWarmup: true, ...extra } });

describe('a chain that others start from', () => {
  it('halts once, right after its warmup, and draws the same as without sharing', () => {
    const { checkpoints, blocks } = advance(sharing());
    expect(checkpoints.map(({ iteration }) => iteration)).toEqual([60, 100]);
    expect(checkpoints.map((checkpoint) => endOfWarmup(checkpoint) !== null)).toEqual([
      true,
      false,
    ]);
    const alone = advance(createChain({ model, chain: 1, settings }));
    expect(alone.checkpoints.map(({ iteration }) => iteration)).toEqual([100]);
    expect(columnOf(blocks, 0)).toEqual(columnOf(alone.blocks, 0));
  });

  it('halts there wherever it was stopped and continued', () => {
    const first = sharing();
    first.advance({ maxIterations: 60 });
    const stopped = first.checkpoint();
    expect(endOfWarmup(stopped)).not.toBeNull();
    const again = createChain({
      model,
      chain: 1,
      settings: { ...settings, sharesWarmup: true },
      checkpoint: stopped,
    });
    expect(advance(again).checkpoints.map(({ iteration }) => iteration)).toEqual([60, 100]);
    const { checkpoints } = advance(sharing(), 25);
    expect(checkpoints.filter((checkpoint) => endOfWarmup(checkpoint) !== null)).toHaveLength(1);
  });

  it('halts at once when a model has nothing to tune', () => {
    const chain = createChain({
      model: generatedOnlyModel(),
      chain: 1,
      settings: { ...settings, sharesWarmup: true },
    });
    expect(advance(chain).checkpoints.map(({ iteration }) => iteration)).toEqual([0, 40]);
  });
});

describe('a chain that starts from the warmup of another', () => {
  const [warmedUp] = advance(sharing()).checkpoints;
  const follow = (chain: number) =>
    createChain({ model, chain, settings, checkpoint: startFrom(warmedUp, chain) });

  it('starts with its point, metric and step size, but its own random numbers', () => {
    const start = follow(2).checkpoint() as NutsCheckpoint;
    const { rng, chain, tally, warmupDraws, ...others } = start;
    const { rng: theirs, chain: _, tally: __, warmupDraws: ___, ...same } = warmedUp;
    expect(others).toEqual(same);
    expect({ chain, warmupDraws }).toEqual({ chain: 2, warmupDraws: 0 });
    expect(tally).toEqual(nothingTallied);
    expect(rng.transition).not.toBe(theirs.transition);
    // the stream of its chain number, from the beginning
    const fresh = createChain({ model, chain: 2, settings }).checkpoint() as NutsCheckpoint;
    expect(rng.transition).toBe(fresh.rng.transition);
  });

  it('draws only samples, different from those of any other chain', () => {
    const [two, three] = [2, 3].map((chain) => advance(follow(chain)).blocks);
    expect(two.every(({ phase }) => phase === 'sampling')).toBe(true);
    expect(columnOf(two, 0)).toHaveLength(40);
    expect(columnOf(two, 0)).not.toEqual(columnOf(three, 0));
    expect(advance(follow(2)).blocks).toEqual(two);
    expect(decodeFloats(warmedUp.stepSize)[0]).toBe(two[0].values[2 * two[0].count]);
  });
});
