import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings, parseSettings, settingsTable } from '../../src/engine/settings.ts';

describe('parseSettings', () => {
  it('gives the documented defaults', () => {
    expect(defaultSettings).toEqual({
      numChains: 4,
      numWarmup: 1000,
      numSamples: 1000,
      thin: 1,
      seed: null,
      initRadius: 2,
      adaptDelta: 0.8,
      maxTreeDepth: 10,
      metric: 'diag',
      saveWarmup: false,
      parallelChains: null,
      inits: null,
      timeout: null,
      iterationTimeout: 600,
    });
    expect(settingsTable.map((row) => row.property).toSorted()).toEqual(
      Object.keys(defaultSettings).toSorted(),
    );
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
    ['save_warmup', 'yes'],
    ['timeout', 0],
    ['inits', 3],
  ])('refuses %s = %s, naming the key and what it may be', (key, value) => {
    const parsed = parseSettings({ [key]: value });
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    const row = settingsTable.find((candidate) => candidate.key === key);
    expect(parsed.error).toMatchObject({ key, allowed: row?.allowed });
    expect(parsed.error.message).toContain(`${key} must be ${row?.allowed}`);
  });

  it.each([[], 'fast', 3])('refuses settings that are no object: %j', (input) => {
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
