/** JAGS's settings among those of a run. */
import { describe, expect, it } from 'vitest';
import {
  jagsKeys,
  jagsRows,
  jagsSampler,
  readJagsSettings,
} from '../../src/formats/jags-settings.ts';

const valueOf = (settings: Record<string, unknown>) => {
  const read = readJagsSettings(settings, 3);
  return read.ok ? read.value : read.error;
};

describe('the settings of a JAGS run', () => {
  it('have defaults, and as many parallel chains as there are cores', () =>
    expect(valueOf({})).toEqual({
      chains: 4,
      adapt: 1000,
      warmup: 1000,
      samples: 1000,
      thin: 1,
      seed: 1,
      parallel: 3,
      monitor: [],
      modules: [],
      inits: null,
    }));

  it('are used as given', () => {
    const inits = [{ mu: 1 }];
    expect(
      valueOf({
        num_chains: 2,
        num_adapt: 0,
        num_warmup: 50,
        num_samples: 100,
        thin: 7,
        seed: 9,
        parallel_chains: 1,
        monitor: ' mu, tau.1,',
        modules: ['glm', ' mix '],
        inits,
      }),
    ).toEqual({
      chains: 2,
      adapt: 0,
      warmup: 50,
      samples: 98,
      thin: 7,
      seed: 9,
      parallel: 1,
      monitor: ['mu', 'tau.1'],
      modules: ['glm', 'mix'],
      inits,
    });
  });

  it('that are not whole numbers fall back on the defaults', () =>
    expect(valueOf({ num_chains: '2', num_warmup: 1.5, seed: null })).toMatchObject({
      chains: 4,
      warmup: 1000,
      seed: 1,
    }));

  it.each([[undefined], [null], ['']])('left empty fall back on the defaults: %j', (empty) =>
    expect(
      valueOf({ num_adapt: empty, monitor: empty, modules: empty, inits: empty }),
    ).toMatchObject({ adapt: 1000, monitor: [], modules: [] }),
  );

  it.each([
    [{ num_adapt: 1e8 }, 1e8],
    [{ num_adapt: '250' }, 250],
  ])('accept %j for the adaptation', (settings, adapt) =>
    expect(valueOf(settings)).toMatchObject({ adapt }),
  );

  const adaptFault = 'num_adapt must be a whole number from 0 to 100000000.';
  const monitorFault = 'monitor must be names of variables of the model, such as "mu, tau".';
  const modulesFault = 'modules must be names of JAGS modules, such as "glm".';
  it.each([
    [{ num_adapt: -1 }, adaptFault],
    [{ num_adapt: 1e8 + 1 }, adaptFault],
    [{ num_adapt: 1.5 }, adaptFault],
    [{ num_adapt: 'many', monitor: '1' }, adaptFault],
    [{ monitor: 'mu; tau' }, monitorFault],
    [{ monitor: ['mu', '1x'] }, monitorFault],
    [{ monitor: { mu: 1 }, modules: '1' }, monitorFault],
    [{ modules: 'glm mix' }, modulesFault],
    [{ modules: 3 }, modulesFault],
    [
      { num_samples: 5, thin: 10 },
      'num_samples must be at least thin, or no draw is kept (5 < 10).',
    ],
  ])('%j are refused with the name of the setting', (settings, message) =>
    expect(valueOf(settings)).toBe(message),
  );
});

it('the rows for users list only the keys of JAGS itself, with their meaning', () => {
  expect(jagsRows.map((row) => [row.key, row.default])).toEqual([
    ['num_adapt', '1000'],
    ['monitor', ''],
    ['modules', ''],
  ]);
  for (const row of jagsRows) expect(row.meaning).toMatch(/^[A-Z].*\.$/);
  expect(jagsSampler).toBe('jags');
  expect(jagsKeys.toSorted()).toEqual([
    'inits',
    'num_chains',
    'num_samples',
    'num_warmup',
    'parallel_chains',
    'seed',
    'thin',
    'time_limit',
    'timeout',
  ]);
});
