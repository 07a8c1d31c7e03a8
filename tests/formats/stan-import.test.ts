/** A chain of CmdStan as an imported chain: its settings under our names, and what is rejected. */
import { describe, expect, it } from 'vitest';
import { importStanChain, otherContent, settingsOf } from '../../src/formats/stan-import.ts';
import { readStanCsv } from '../support/read-csv.ts';

const imported = (text: string) => importStanChain(readStanCsv(text));

describe('the settings of a run', () => {
  it.each<[Record<string, string>, Record<string, number | string | boolean>]>([
    [{ model: 'schools' }, { model: 'schools' }],
    [{ model: '7' }, { model: '7' }],
    [{ model: '', model_name_e: 'old' }, { model: 'old' }],
    [{ model: 'new', model_name_e: 'old' }, { model: 'new' }],
    [{ model: 'x'.repeat(300) }, { model: 'x'.repeat(200) }],
    [
      { num_samples: '10', num_warmup: '20', thin: '2', seed: '4294967295' },
      { num_samples: 10, num_warmup: 20, thin: 2, seed: 4294967295 },
    ],
    [
      { delta: '0.9', max_depth: '12', stepsize: '1', algorithm: 'hmc' },
      { adapt_delta: 0.9, max_treedepth: 12, stepsize: 1, algorithm: 'hmc' },
    ],
    [{ metric: 'dense_e' }, { metric: 'dense' }],
    [{ metric: 'my_e_metric' }, { metric: 'my_e_metric' }],
    [{ save_warmup: '1' }, { save_warmup: true }],
    [{ save_warmup: 'true' }, { save_warmup: true }],
    [{ save_warmup: '0' }, { save_warmup: false }],
    [{ save_warmup: 'false' }, { save_warmup: false }],
    [{ init: '2' }, { init_radius: 2 }],
    [{ init: 'inits.json', init_radius: '1.5' }, { init_radius: 1.5 }],
    [{ init: 'inits.json' }, {}],
    [
      { stan_version_major: '2', stan_version_minor: '35', stan_version_patch: '0' },
      { stan_version: '2.35.0' },
    ],
    [{ stan_version_major: '2' }, { stan_version: '2' }],
    [{ stan_version_minor: '35' }, {}],
    [{ writer: 'x', kappa: '0.75' }, {}],
  ])('are read from %j as %j', (config, settings) =>
    expect(settingsOf(new Map(Object.entries(config)))).toEqual(settings),
  );
});

describe('an imported chain', () => {
  it('has the number, draws, step size and times in the file', () => {
    const text =
      '# id = 3\nlp__,mu\n# Step size = 0.5\n-1,2\n# 1 seconds (Warm-up)\n# 2 seconds (Sampling)\n';
    expect(imported(text)).toEqual({
      columns: [{ name: 'lp__', sampler: true }, { name: 'mu' }],
      chains: [
        {
          name: '3',
          draws: [Float64Array.of(-1), Float64Array.of(2)],
          warmup: [new Float64Array(0), new Float64Array(0)],
          stepSize: 0.5,
          warmupSeconds: 1,
          samplingSeconds: 2,
        },
      ],
      settings: {},
      notes: [],
    });
  });

  it('without a number in the file has no name', () =>
    expect(imported('mu\n1\n').chains[0]?.name).toBe(''));

  it.each(['1,', '1,0.240'])('of a run that ended within the line %s has a note', (cut) => {
    const { chains, notes } = imported(`lp__,mu\n1,2\n${cut}`);
    expect(chains[0]?.draws[1]).toEqual(Float64Array.of(2));
    expect(notes).toEqual([
      'The last line has no line end, so it may be incomplete, and was left out.',
    ]);
  });

  it('needs a variable beside the sampler columns', () =>
    expect(() => imported('lp__,energy__\n1,2\n')).toThrow(
      expect.objectContaining({
        name: 'ImportError',
        message: 'The file has no column for a variable.',
      }),
    ));
});

describe('a file of another method', () => {
  it('is refused with advice on what to import instead', () =>
    expect(() => imported('# method = optimize\nlp__,mu\n1,2\n')).toThrow(
      expect.objectContaining({
        name: 'ImportError',
        message:
          "This file contains a single point estimate, not draws. Import the output of CmdStan's `sample` method instead.",
      }),
    ));

  const contentOf = (method: string | null, header: string) =>
    otherContent({
      config: new Map(method === null ? [] : [['method', method]]),
      variables: header.split(','),
    });
  it.each<[string | null, string, string | null]>([
    ['optimize', 'lp__,mu', 'a single point estimate, not draws'],
    ['optimization', 'lp__,mu', 'a single point estimate, not draws'],
    [
      'Variational',
      'lp__,mu',
      'draws of a variational approximation (ADVI), not of a Markov chain',
    ],
    ['pathfinder', 'mu', 'draws of an approximation (Pathfinder), not of a Markov chain'],
    ['laplace', 'mu', 'draws of a Laplace approximation, not of a Markov chain'],
    ['diagnose', 'mu', 'a test of gradients, not draws'],
    ['log_prob', 'mu', 'log densities, not draws'],
    [
      null,
      'log_p__,log_g__,mu',
      'draws of a variational approximation (ADVI), not of a Markov chain',
    ],
    ['sample', 'log_p__,log_g__,mu', null],
    [null, 'log_p__,mu', null],
    [null, 'log_g__,mu', null],
    [null, 'mu', null],
    ['sample', 'mu', null],
    ['constructor', 'mu', null],
  ])('%s with the columns %s contains %s', (method, header, content) =>
    expect(contentOf(method, header)).toBe(content),
  );
});
