/** Settings as users write them, and the table that parses them. One long file: a case for each row of the table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSettings, parseSettings } from '../../src/engine/settings.ts';
import {
  type Algorithm,
  algorithmOf,
  algorithms,
  isUsedBy,
  type SettingRange,
  settingsTable,
} from '../../src/engine/settings-table.ts';
import { savedIterations } from '../../src/shared/saved-iterations.ts';

describe('parseSettings', () => {
  it('returns the documented defaults', () => {
    expect(defaultSettings).toEqual({
      algorithm: 'nuts',
      from: null,
      numChains: 4,
      warmupChains: null,
      numWarmup: 1000,
      numSamples: 1000,
      thin: 1,
      seed: null,
      initRadius: 2,
      adaptDelta: 0.8,
      maxTreeDepth: 10,
      metric: 'low-rank',
      adaptation: 'fisher',
      sampler: 'nuts',
      saveWarmup: false,
      parallelChains: null,
      inits: null,
      timeLimit: null,
      timeout: null,
      iterationTimeout: 600,
      // CmdStan's defaults
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

  it('gives a calibration one chain per simulation, short chains and its own keys', () => {
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
      ' y: y_rep, z: z_sim, ',
    ])
      expect(read({ simulated, prior_flag: ' only ' })).toMatchObject({
        settings: { simulated: pairs, priorFlag: 'only' },
      });
    const refused = [
      'y',
      'y: ',
      'y: y[1]',
      {},
      [],
      ['a: b'],
      3,
      true,
      { y: 3 },
      'y: a: b',
      { y: 'y_rep', z: 'z-rep' },
    ];
    for (const simulated of refused)
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

  it('reads every key, accepts numbers as text and treats empty values as absent', () => {
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

  it('uses a diag metric by default with adaptation stan, which has no low-rank metric', () => {
    const metricOf = (input: object) => {
      const parsed = parseSettings(input);
      return parsed.ok ? parsed.settings.metric : parsed.error.message;
    };
    expect(metricOf({})).toBe('low-rank');
    expect(metricOf({ adaptation: 'stan' })).toBe('diag');
    expect(metricOf({ adaptation: 'stan', metric: '' })).toBe('diag');
    expect(metricOf({ adaptation: 'stan', metric: 'dense' })).toBe('dense');
    expect(metricOf({ adaptation: 'stan', metric: 'low-rank' })).toBe('low-rank');
  });

  it('reads iteration_count as an older name of num_samples, which takes precedence', () => {
    const read = (input: object) => {
      const parsed = parseSettings(input);
      return parsed.ok ? parsed.settings.numSamples : parsed.error;
    };
    expect(read({ iteration_count: 5 })).toBe(5);
    expect(read({ iteration_count: 5, num_samples: 7 })).toBe(7);
    expect(read({ iteration_count: -1 })).toMatchObject({ key: 'iteration_count' });
    for (const given of [{ iteration_count: 5 }, { iteration_count: 5, num_samples: 7 }])
      expect(parseSettings(given)).toMatchObject({ unknown: [] });
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

  it('returns keys that the algorithm does not use among the unknown ones, unread', () => {
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
      error: { key: 'inits', message: expect.stringContaining('for nuts only') },
    });
    expect(parseSettings({ algorithm: 'newton' })).toMatchObject({
      ok: false,
      error: { key: 'algorithm', message: expect.stringContaining('must be nuts, optimize,') },
    });
  });

  it('returns unknown keys separately', () => {
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
    ['warmup_chains', 1],
    ['num_samples', 'many'],
    ['thin', 0],
    ['thin', true],
    ['thin', [3]],
    ['init_radius', ' '],
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
  ])('refuses %s = %s, naming the key and its allowed values', (key, value) => {
    const parsed = parseSettings({ [key]: value });
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    const row = settingsTable.find((candidate) => candidate.key === key);
    expect(parsed.error).toMatchObject({ key, allowed: row?.allowed });
    expect(parsed.error.message).toContain(`${key} must be ${row?.allowed}`);
  });

  it('quotes a refused text as it was written', () => {
    expect(parseSettings({ metric: 'a "b"' })).toMatchObject({
      error: { message: 'metric must be low-rank, diag, dense or unit, not "a "b""' },
    });
  });

  it('accepts every adapt_delta between 0 and 1', () => {
    for (const adapt_delta of [Number.MIN_VALUE, 1 - Number.EPSILON / 2])
      expect(parseSettings({ adapt_delta })).toMatchObject({
        settings: { adaptDelta: adapt_delta },
      });
  });

  it('never throws, and accepts only values in range', () => {
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

describe('the table of settings', () => {
  /** The text for a range in forms and messages; null: they use their own text. */
  function textOf(range: SettingRange): string | null {
    switch (range.type) {
      case 'integer':
        return `a whole number from ${range.min} to ${range.max}`;
      case 'boolean':
        return 'true or false';
      case 'choice':
        return new Intl.ListFormat('en', { type: 'disjunction' })
          .format(range.choices)
          .replace(', or ', ' or ');
      default:
        return null;
    }
  }

  it('names settings as CmdStan does, one key per property', () => {
    for (const { key, property } of settingsTable) {
      const snake = property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(key).toBe(snake.replace('max_tree_depth', 'max_treedepth'));
    }
    expect(new Set(settingsTable.map(({ key }) => key)).size).toBe(settingsTable.length);
  });

  it('describes what each setting allows and means', () => {
    for (const { key, range, allowed, meaning } of settingsTable) {
      expect(allowed, key).toBe(textOf(range) ?? allowed);
      expect(allowed, key).toMatch(/^[a-z].*[^.]$/);
      expect(meaning, key).toMatch(/^[A-Z].*\.$/s);
    }
    const worded = settingsTable.filter(({ range }) => textOf(range) === null);
    expect(Object.fromEntries(worded.map(({ key, allowed }) => [key, allowed]))).toEqual({
      from: 'the id of a finished run',
      init_radius: 'a number from 0 to 1000000',
      adapt_delta: 'a number between 0 and 1 (exclusive)',
      inits:
        'an object of values by parameter name, a list of such objects (one per chain), a data id, pathfinder or multi-pathfinder',
      time_limit: 'a number of seconds greater than 0',
      timeout: 'a number of seconds greater than 0',
      iteration_timeout: 'a number of seconds greater than 0',
      init_alpha: 'a number greater than 0',
      tol_obj: 'a number of at least 0',
      tol_rel_obj: 'a number of at least 0',
      tol_grad: 'a number of at least 0',
      tol_rel_grad: 'a number of at least 0',
      tol_param: 'a number of at least 0',
      eta: 'a number greater than 0',
      simulated: 'pairs of names, such as "y: y_rep"',
      prior_flag: 'the name of a data variable',
    });
  });

  it('accepts every choice and both ends of every range, but nothing beyond', () => {
    for (const row of settingsTable) {
      const { key, range, property } = row;
      const algorithm = algorithms.find((name) => isUsedBy(row, name));
      const read = (value: unknown) => {
        const parsed = parseSettings({ algorithm, [key]: value });
        return parsed.ok ? parsed.settings[property] : undefined;
      };
      if (range.type === 'choice')
        for (const choice of range.choices) expect(read(choice), key).toBe(choice);
      if (range.type === 'boolean')
        for (const value of [true, false]) {
          expect(read(value), key).toBe(value);
          expect(read(String(value)), key).toBe(value);
        }
      if (range.type !== 'integer' && range.type !== 'number') continue;
      const { min, max } = range;
      for (const end of [min, max]) {
        expect(read(end), key).toBe(end);
        expect(read(String(end)), key).toBe(end);
      }
      const isAbove0 = range.type === 'number' && row.allowed.includes('greater than 0');
      if (isAbove0) expect(read(0), key).toBeUndefined();
      expect(read(-1), key).toBeUndefined();
      expect(read(2 * max + 1), key).toBeUndefined();
      if (range.type === 'integer') {
        expect(read(min - 1), key).toBeUndefined();
        expect(read(max + 1), key).toBeUndefined();
        expect(read(min + 0.5), key).toBeUndefined();
      }
    }
  });

  const everywhere = ['algorithm', 'seed', 'parallel_chains', 'time_limit', 'timeout'];
  const start = ['init_radius', 'inits'];
  const mcmc = [
    'num_warmup',
    'num_samples',
    'thin',
    'adapt_delta',
    'max_treedepth',
    'metric',
    'adaptation',
    'sampler',
    'save_warmup',
  ];
  const lbfgs = [
    'iter',
    'history_size',
    'init_alpha',
    'tol_obj',
    'tol_rel_obj',
    'tol_grad',
    'tol_rel_grad',
    'tol_param',
  ];
  it.each<[Algorithm, string[]]>([
    ['nuts', ['num_chains', 'warmup_chains', ...start, ...mcmc]],
    ['optimize', ['num_chains', ...start, 'jacobian', ...lbfgs]],
    ['laplace', ['num_chains', 'num_samples', ...start, 'jacobian', ...lbfgs]],
    [
      'pathfinder',
      [
        'num_chains',
        'num_samples',
        ...start,
        ...lbfgs,
        'num_paths',
        'num_elbo_draws',
        'psis_resample',
      ],
    ],
    [
      'advi',
      [
        'num_chains',
        'num_samples',
        ...start,
        'iter',
        'tol_rel_obj',
        'approximation',
        'grad_samples',
        'elbo_samples',
        'eval_elbo',
        'eta',
        'adapt_iter',
      ],
    ],
    ['fixed_param', ['num_chains', 'num_samples', 'thin', ...start]],
    ['generate_quantities', ['from']],
    ['calibration', ['num_simulations', ...start, ...mcmc, 'simulated', 'prior_flag']],
  ])('lists the settings of %s', (algorithm, keys) => {
    const used = settingsTable.filter((row) => isUsedBy(row, algorithm)).map(({ key }) => key);
    expect(used.toSorted()).toEqual([...everywhere, 'iteration_timeout', ...keys].toSorted());
  });

  it('gives each algorithm its own defaults', () => {
    const settings = (algorithm: Algorithm) => {
      const parsed = parseSettings({ algorithm });
      if (!parsed.ok) throw new Error(parsed.error.message);
      const { numChains, numWarmup, numSamples, iter, jacobian, tolRelObj } = parsed.settings;
      return [numChains, numWarmup, numSamples, iter, jacobian, tolRelObj];
    };
    expect(Object.fromEntries(algorithms.map((name) => [name, settings(name)]))).toEqual({
      nuts: [4, 1000, 1000, 2000, false, 1e4],
      optimize: [1, 0, 1, 2000, false, 1e4],
      laplace: [1, 0, 1000, 2000, true, 1e4],
      pathfinder: [1, 0, 1000, 1000, false, 1e4],
      advi: [1, 0, 1000, 10_000, false, 0.01],
      fixed_param: [1, 0, 1000, 2000, false, 1e4],
      generate_quantities: [1, 0, 1000, 2000, false, 1e4],
      calibration: [100, 300, 300, 2000, false, 1e4],
    });
  });

  it('falls back to the default for an unknown algorithm', () => {
    expect(algorithmOf({ algorithm: 'advi' })).toBe('advi');
    expect(algorithmOf({ algorithm: 'newton' })).toBe('nuts');
    expect(algorithmOf({})).toBe('nuts');
  });
});

describe('values of settings', () => {
  const errorOf = (input: object) => {
    const parsed = parseSettings(input);
    return parsed.ok ? null : parsed.error;
  };

  it('that are refused are shown, shortened if they are long', () => {
    const numbers = 'a whole number from 1 to 256';
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const shown: readonly (readonly [unknown, string])[] = [
      ['many', '"many"'],
      [' ', '" "'],
      [2.5, '2.5'],
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, 'Infinity'],
      [[1, 2], '[1,2]'],
      [true, 'true'],
      [() => 1, 'function'],
      [circle, 'an object that contains itself'],
      ['x'.repeat(58), `"${'x'.repeat(58)}"`],
      ['x'.repeat(59), `"${'x'.repeat(56)}…`],
    ];
    for (const [value, text] of shown)
      expect(errorOf({ num_chains: value })).toEqual({
        key: 'num_chains',
        message: `num_chains must be ${numbers}, not ${text}`,
        allowed: numbers,
      });
  });

  it('that are not an object of settings are refused with a message', () => {
    for (const input of ['fast', 3, []])
      expect(parseSettings(input)).toEqual({
        ok: false,
        error: {
          key: 'sampling',
          message: 'sampling must be an object of settings',
          allowed: 'an object of settings',
        },
      });
    for (const input of [undefined, null])
      expect(parseSettings(input)).toEqual({ ok: true, settings: defaultSettings, unknown: [] });
    const allowed = 'values or a data id: pathfinder finds starting points for nuts only';
    for (const inits of ['pathfinder', 'multi-pathfinder'])
      expect(errorOf({ algorithm: 'advi', inits })).toEqual({
        key: 'inits',
        message: `inits must be ${allowed}`,
        allowed,
      });
  });

  it('of inits are objects, lists of them, or a text', () => {
    for (const inits of [{}, { mu: 1 }, [{}], [{ mu: 1 }, { mu: 2 }], 'D0000001'])
      expect(parseSettings({ inits })).toMatchObject({ ok: true, settings: { inits } });
    for (const inits of [[], [3], [{}, null], [[]], 3, true])
      expect(errorOf({ inits })?.key, JSON.stringify(inits)).toBe('inits');
  });

  it('of a run and of a flag are trimmed names', () => {
    const from = (value: unknown) => {
      const parsed = parseSettings({ algorithm: 'generate_quantities', from: value });
      return parsed.ok ? parsed.settings.from : undefined;
    };
    expect(from(' X0000001 ')).toBe('X0000001');
    expect([from('  '), from(3)]).toEqual([undefined, undefined]);
    const flag = (value: unknown) => {
      const parsed = parseSettings({ algorithm: 'calibration', prior_flag: value });
      return parsed.ok ? parsed.settings.priorFlag : undefined;
    };
    expect(flag(' prior_only2 ')).toBe('prior_only2');
    expect(['2only', 'a-b', '_x', 3].map(flag)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of pairs may be written in several ways', () => {
    const pairs = (simulated: unknown) => {
      const parsed = parseSettings({ algorithm: 'calibration', simulated });
      return parsed.ok ? parsed.settings.simulated : undefined;
    };
    const both = { y: 'y_rep', z: 'z_sim' };
    for (const text of [
      ' { y : y_rep ,\n z : z_sim } ',
      'y: y_rep\nz: z_sim\n',
      "'y': 'y_rep', 'z': 'z_sim',",
      ' y = y_rep ; z = z_sim',
    ])
      expect(pairs(text), text).toEqual(both);
    for (const wrong of [' ', '{}', 'y: {y_rep', 'y}: y_rep', ['y', 'y_rep'], [['y', 'y_rep']], 3])
      expect(pairs(wrong), JSON.stringify(wrong)).toBeUndefined();
  });
});

it('the first iteration is saved and then every nth, so a count of saved ones is rounded up', () => {
  const saved = [
    [100, 1],
    [100, 10],
    [101, 10],
    [100, 1000],
    [0, 3],
    [5, 0],
  ] as const;
  expect(saved.map(([of, thin]) => savedIterations(of, thin))).toEqual([100, 10, 11, 1, 0, 5]);
});
