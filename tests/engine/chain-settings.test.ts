import { describe, expect, it } from 'vitest';
import {
  addRandomStarts,
  drawSeed,
  fitSettings,
  settingsOfChain,
  withSource,
} from '../../src/engine/chain-settings.ts';
import { defaultSettings } from '../../src/engine/settings.ts';
import { type Settings } from '../../src/engine/settings-table.ts';

const place = { seed: 5, chain: 1, streamWarmup: true };
const initsOf = (inits: Settings['inits'], chain: number) =>
  settingsOfChain({ ...defaultSettings, inits }, { ...place, chain }).inits;

describe('settingsOfChain', () => {
  it('selects what a chain needs, including its place in the run', () => {
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
      adaptsByFisher: true,
    });
  });

  it.each([
    ['diag', 'stan', undefined],
    ['diag', 'fisher', true],
    ['low-rank', 'stan', true],
  ] as const)(
    'sets adaptsByFisher for a %s metric with adaptation %s',
    (metric, adaptation, adaptsByFisher) => {
      const settings = settingsOfChain({ ...defaultSettings, metric, adaptation }, place);
      expect(settings.adaptsByFisher).toBe(adaptsByFisher);
    },
  );

  it('assigns one inits object to all chains, or one of a list to each chain', () => {
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

describe('settings of individual algorithms', () => {
  it('include those of the fit, which for NUTS are those of Pathfinder', () => {
    const algorithms = [
      'optimize',
      'laplace',
      'pathfinder',
      'advi',
      'fixed_param',
      'generate_quantities',
    ] as const;
    for (const algorithm of algorithms) {
      const { fit } = settingsOfChain({ ...defaultSettings, algorithm } as Settings, place);
      expect(fit).toEqual(fitSettings({ ...defaultSettings, algorithm } as Settings));
      expect(fit?.algorithm).toBe(algorithm);
    }
    for (const algorithm of ['nuts', 'calibration'] as const)
      expect(fitSettings({ ...defaultSettings, algorithm })).toEqual({
        algorithm: 'pathfinder',
        jacobian: false,
        iter: 2000,
        historySize: 5,
        initAlpha: 0.001,
        tolObj: 1e-12,
        tolRelObj: 1e4,
        tolGrad: 1e-8,
        tolRelGrad: 1e7,
        tolParam: 1e-8,
        numPaths: 4,
        numElboDraws: 25,
        psisResample: true,
        approximation: 'meanfield',
        gradSamples: 1,
        elboSamples: 100,
        evalElbo: 100,
        eta: null,
        adaptIter: 50,
      });
  });

  it('include how data are simulated for a calibration', () => {
    const choice = { simulated: { y: 'y_rep' }, priorFlag: 'prior_only' };
    const settings = settingsOfChain(
      { ...defaultSettings, algorithm: 'calibration', ...choice },
      place,
    );
    expect(settings.calibration).toEqual(choice);
    expect(settings.fit).toBeUndefined();
  });

  it.each([
    ['pathfinder', { inits: null, startsAtPathfinder: true }],
    ['multi-pathfinder', { inits: null, startsAtPathfinder: true, startPaths: 4 }],
    ['D0000001', { inits: null }],
  ])('with inits %s', (inits, expected) => {
    const { fit: _, ...plain } = settingsOfChain(defaultSettings, place);
    expect(settingsOfChain({ ...defaultSettings, inits }, place)).toEqual({
      ...plain,
      ...expected,
    });
  });

  it('name the sampler WALNUTS', () => {
    const settings = settingsOfChain({ ...defaultSettings, sampler: 'walnuts' }, place);
    expect(settings.sampler).toBe('walnuts');
  });

  it('read every draw of a source without thinning', () => {
    const source = {
      columns: ['x'],
      count: 7,
      values: new Float64Array(7),
      isParametersOnly: true,
    };
    const settings = settingsOfChain({ ...defaultSettings, thin: 3 }, place);
    expect(withSource(settings, source)).toEqual({
      ...settings,
      numWarmup: 0,
      numSamples: 7,
      thin: 1,
      source,
    });
  });
});

describe('drawSeed', () => {
  it('draws a valid seed, a different one each time', () => {
    const seeds = Array.from({ length: 5 }, drawSeed);
    expect(new Set(seeds).size).toBe(5);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
  });
});

describe('addRandomStarts', () => {
  const add = (inits: Settings['inits']) => addRandomStarts(inits, { numChains: 3, more: 2 });

  it('keeps where the chains of the run start, and names no values for the others', () => {
    expect(add([{ mu: 1 }, { mu: 60 }])).toEqual([{ mu: 1 }, { mu: 60 }, { mu: 1 }, {}, {}]);
    expect(add({ mu: 1 })).toEqual([{ mu: 1 }, { mu: 1 }, { mu: 1 }, {}, {}]);
    expect(addRandomStarts(add([{ mu: 1 }]), { numChains: 5, more: 1 })).toEqual([
      ...Array.from({ length: 3 }, () => ({ mu: 1 })),
      ...Array.from({ length: 3 }, () => ({})),
    ]);
  });

  it('changes nothing if the chains start at random points or at those of Pathfinder', () => {
    expect(add(null)).toBeNull();
    expect(add('pathfinder')).toBe('pathfinder');
  });
});
