import { describe, expect, it } from 'vitest';
import { drawSeed, settingsOfChain } from '../../src/engine/chain-settings.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { type Settings } from '../../src/engine/settings-table.ts';

const place = { seed: 5, chain: 1, streamWarmup: true };
const initsOf = (inits: Settings['inits'], chain: number) =>
  settingsOfChain({ ...defaultSettings, inits }, { ...place, chain }).inits;

describe('settingsOfChain', () => {
  it('takes what a chain needs, and its place in the run', () => {
    expect(settingsOfChain({ ...defaultSettings, thin: 3, metric: 'dense' }, place)).toEqual({
      seed: 5,
      numWarmup: 1000,
      numSamples: 1000,
      thin: 3,
      initRadius: 2,
      adaptDelta: 0.8,
      maxTreeDepth: 10,
      metric: 'dense',
      inits: null,
      streamWarmup: true,
    });
  });

  it.each([
    ['diag', 'stan', undefined],
    ['diag', 'fisher', true],
    ['low-rank', 'stan', true],
  ] as const)('a %s metric with adaptation %s', (metric, adaptation, adaptsByFisher) => {
    const settings = settingsOfChain({ ...defaultSettings, metric, adaptation }, place);
    expect(settings.adaptsByFisher).toBe(adaptsByFisher);
  });

  it('gives all chains one object of inits, or each its own of a list', () => {
    expect(initsOf({ mu: 1 }, 3)).toEqual({ mu: 1 });
    const list = [{ mu: 1 }, { mu: 2 }];
    expect([1, 2, 3].map((chain) => initsOf(list, chain))).toEqual([
      { mu: 1 },
      { mu: 2 },
      { mu: 1 },
    ]);
    expect(initsOf([], 1)).toBeNull();
    expect(initsOf(null, 1)).toBeNull();
  });
});

describe('drawSeed', () => {
  it('draws a seed that settings allow, another each time', () => {
    const seeds = Array.from({ length: 5 }, drawSeed);
    expect(new Set(seeds).size).toBe(5);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
  });
});
