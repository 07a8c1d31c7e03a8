import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings, parseSettings } from '../../src/engine/settings.ts';
import { settingsTable } from '../../src/engine/settings-table.ts';

describe('parseSettings', () => {
  it('gives the documented defaults', () => {
    expect(defaultSettings).toEqual({
      algorithm: 'nuts',
      from: null,
      numChains: 4,
      numWarmup: 1000,
      numSamples: 1000,
      thin: 1,
      seed: null,
      initRadius: 2,
      adaptDelta: 0.8,
      maxTreeDepth: 10,
      metric: 'diag',
      adaptation: 'stan',
      sampler: 'nuts',
      saveWarmup: false,
      parallelChains: null,
      inits: null,
      timeLimit: null,
      timeout: null,
      iterationTimeout: 600,
      // CmdStan's
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
      numSimulations: 100,
      simulated: null,
      priorFlag: null,
    });
    expect(settingsTable.map((row) => row.property).toSorted()).toEqual(
      Object.keys(defaultSettings).toSorted(),
    );
  });

  it('gives a calibration a chain a simulation, short chains and its own keys', () => {
    const read = (given: object) => parseSettings({ algorithm: 'calibration', ...given });
    expect(read({})).toMatchObject({
      ok: true,
      settings: { numChains: 100, numSimulations: 100, numWarmup: 300, numSamples: 300 },
    });
    expect(read({ num_simulations: 37 })).toMatchObject({ settings: { numChains: 37 } });
    expect(read({ num_chains: 4 })).toMatchObject({
      unknown: ['num_chains'],
      settings: { numChains: 100 },
    });
    const pairs = { y: 'y_rep', z: 'z_sim' };
    for (const simulated of [
      pairs,
      'y: y_rep, z: z_sim',
      '{"y": "y_rep", "z": "z_sim"}',
      'y=y_rep;z=z_sim',
    ])
      expect(read({ simulated, prior_flag: ' only ' })).toMatchObject({
        settings: { simulated: pairs, priorFlag: 'only' },
      });
    for (const simulated of ['y', 'y: ', 'y: y[1]', {}, [], { y: 3 }, 'y: a: b'])
      expect(read({ simulated })).toMatchObject({ ok: false, error: { key: 'simulated' } });
    expect(read({ prior_flag: 'a flag' })).toMatchObject({
      ok: false,
      error: { key: 'prior_flag' },
    });
    expect(read({ num_simulations: 1001 })).toMatchObject({
      ok: false,
      error: { key: 'num_simulations', allowed: 'a whole number from 1 to 1000' },
    });
  });

  it('reads every key, numbers also from text, and takes empty values for absent ones', () => {
    const parsed = parseSettings({
      num_chains: '2',
      thin: 3,
      adapt_delta: 0.99,
      metric: 'dense',
      save_warmup: 'true',
      inits: { mu: 1 },
      seed: '',
      timeout: null,
    });
    expect(parsed).toEqual({
      ok: true,
      unknown: [],
      settings: {
        ...defaultSettings,
        numChains: 2,
        thin: 3,
        adaptDelta: 0.99,
        metric: 'dense',
        saveWarmup: true,
        inits: { mu: 1 },
      },
    });
  });

  it('knows iteration_count as an older name of num_samples, which beats it', () => {
    const read = (input: object) => {
      const parsed = parseSettings(input);
      return parsed.ok ? parsed.settings.numSamples : parsed.error;
    };
    expect(read({ iteration_count: 5 })).toBe(5);
    expect(read({ iteration_count: 5, num_samples: 7 })).toBe(7);
    expect(read({ iteration_count: -1 })).toMatchObject({ key: 'iteration_count' });
  });

  it.each([
    ['optimize', { numChains: 1, numWarmup: 0, numSamples: 1, iter: 2000, jacobian: false }],
    ['laplace', { numChains: 1, numWarmup: 0, numSamples: 1000, jacobian: true }],
    ['pathfinder', { numWarmup: 0, iter: 1000, tolRelObj: 1e4 }],
    ['advi', { numWarmup: 0, iter: 10000, tolRelObj: 0.01 }],
    ['fixed_param', { numChains: 1, numWarmup: 0, numSamples: 1000, thin: 1 }],
  ])('gives %s its own defaults', (algorithm, settings) => {
    expect(parseSettings({ algorithm })).toMatchObject({ ok: true, settings });
  });

  it('returns keys that the algorithm does not read with the unknown ones, unread', () => {
    const parsed = parseSettings({ algorithm: 'optimize', adapt_delta: 7, num_warmup: 500 });
    expect(parsed).toMatchObject({
      ok: true,
      unknown: ['adapt_delta', 'num_warmup'],
      settings: { adaptDelta: 0.8, numWarmup: 0 },
    });
    expect(parseSettings({ num_paths: 3 })).toMatchObject({ unknown: ['num_paths'] });
    expect(parseSettings({ inits: 'pathfinder' }).ok).toBe(true);
    expect(parseSettings({ inits: 'pathfinder', algorithm: 'advi' })).toMatchObject({
      ok: false,
      error: { key: 'inits', message: expect.stringContaining('of nuts only') },
    });
    expect(parseSettings({ algorithm: 'newton' })).toMatchObject({
      ok: false,
      error: { key: 'algorithm', message: expect.stringContaining('must be nuts, optimize,') },
    });
  });

  it('returns unknown keys apart', () => {
    expect(parseSettings({ julia_args: '-t 4', sync: true })).toEqual({
      ok: true,
      settings: defaultSettings,
      unknown: ['julia_args', 'sync'],
    });
  });

  it.each([
    ['num_chains', 0],
    ['num_chains', 2.5],
    ['num_warmup', -1],
    ['num_samples', 'many'],
    ['thin', 0],
    ['seed', 2 ** 32],
    ['init_radius', -0.1],
    ['adapt_delta', 0],
    ['adapt_delta', 1],
    ['adapt_delta', Number.NaN],
    ['max_treedepth', 21],
    ['metric', 'Dense'],
    ['adaptation', 'Stan'],
    ['sampler', 'gibbs'],
    ['save_warmup', 'yes'],
    ['timeout', 0],
    ['time_limit', -1],
    ['inits', 3],
  ])('refuses %s = %s, naming the key and what it may be', (key, value) => {
    const parsed = parseSettings({ [key]: value });
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    const row = settingsTable.find((candidate) => candidate.key === key);
    expect(parsed.error).toMatchObject({ key, allowed: row?.allowed });
    expect(parsed.error.message).toContain(`${key} must be ${row?.allowed}`);
  });

  it.each([[], 'fast', 3])('refuses settings that are not an object: %j', (input) => {
    expect(parseSettings(input)).toMatchObject({ ok: false, error: { key: 'sampling' } });
  });

  it('never throws, and whatever it takes is in range', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...settingsTable.map((row) => row.key)), fc.anything()),
        (input) => {
          const parsed = parseSettings(input);
          if (!parsed.ok) return;
          expect(Number.isInteger(parsed.settings.numChains)).toBe(true);
          expect(parsed.settings.adaptDelta).toBeGreaterThan(0);
          expect(parsed.settings.adaptDelta).toBeLessThan(1);
        },
      ),
    );
  });
});
