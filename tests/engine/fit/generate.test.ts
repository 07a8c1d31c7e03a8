/** Standalone generated quantities: the draws of one run, read back by another program of the same parameters. */
import { describe, expect, it } from 'vitest';
import { createChain } from '../../../src/engine/chain.ts';
import { settingsOfChain, withSource } from '../../../src/engine/chain-settings.ts';
import type { SourceDraws } from '../../../src/engine/chain-state.ts';
import type { ChainCheckpoint } from '../../../src/engine/checkpoint.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import type { DrawBlock } from '../../../src/engine/events.ts';
import type { Model } from '../../../src/engine/model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { parseSettings } from '../../../src/engine/settings.ts';
import { methodOf } from '../../../src/posterior/run-method.ts';
import { columnOf } from '../../support/run-model.ts';

const parameters = `parameters {
  real mu;
  simplex[3] w;
  cholesky_factor_corr[2] L;
  array[2] matrix[2, 2] m;
  ordered[2] c;
}`;
const model = `model {
  mu ~ normal(1, 2); c ~ normal(0, 1); L ~ lkj_corr_cholesky(2);
  for (i in 1:2) to_vector(m[i]) ~ normal(0, 1);
}`;

function stan(source: string): Model {
  const made = compileModel({ source, data: {}, rng: openStream(1, 0, 'transformed-data') });
  if (!made.ok) throw new Error(made.message);
  return made.model;
}

function settings(input: object) {
  const parsed = parseSettings({ seed: 7, ...input });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return settingsOfChain(parsed.settings, { seed: 7, chain: 1, streamWarmup: false });
}

interface Drawn {
  readonly columns: readonly string[];
  readonly blocks: readonly DrawBlock[];
}
const get = ({ columns, blocks }: Drawn, name: string) => [
  ...columnOf(blocks, columns.indexOf(name)),
];

function sample(input: object): Drawn {
  const chain = createChain({
    model: stan(`${parameters}\n${model}`),
    settings: settings(input),
    chain: 1,
  });
  const advance = chain.advance();
  expect(advance.status).toBe('finished');
  return { columns: chain.columns, blocks: advance.blocks };
}

function sourceOf(drawn: Drawn, isParametersOnly = true): SourceDraws {
  const columns = drawn.columns.map((name) => get(drawn, name));
  return {
    columns: drawn.columns,
    count: columns[0].length,
    values: Float64Array.from(columns.flat()),
    isParametersOnly,
  };
}

function chainOn(source: SourceDraws, program: string, checkpoint?: ChainCheckpoint) {
  const own = withSource(settings({ algorithm: 'generate_quantities', from: 'X0000001' }), source);
  return createChain({ model: stan(program), settings: own, chain: 1, checkpoint });
}

const nuts = sample({ num_warmup: 100, num_samples: 60 });
const edited = `${parameters}
transformed parameters { real twice = 2 * mu; }
${model}
generated quantities {
  real shifted = normal_rng(mu, 1);
  matrix[2, 2] Omega = multiply_lower_tri_self_transpose(L);
  real corner = m[2][1, 2];
  real total = sum(w);
}`;

describe('generate_quantities', () => {
  it('keeps the draws and the columns of their sampler, and adds the new quantities', () => {
    const chain = chainOn(sourceOf(nuts), edited);
    const advance = chain.advance();
    expect(advance.status).toBe('finished');
    const found = { columns: chain.columns, blocks: advance.blocks };
    expect(found.columns).toEqual([...nuts.columns.slice(0, 7), ...stan(edited).columns]);
    for (const name of nuts.columns) expect(get(found, name)).toEqual(get(nuts, name));
    expect(methodOf(found.columns)).toBe('mcmc');
    get(found, 'twice').forEach((value, i) =>
      expect(value).toBeCloseTo(2 * get(nuts, 'mu')[i], 12),
    );
    expect(get(found, 'corner')).toEqual(
      get(nuts, 'm[2,1,2]').map((value) => expect.closeTo(value, 12)),
    );
    get(found, 'total').forEach((value) => expect(value).toBeCloseTo(1, 12));
    get(found, 'Omega[2,2]').forEach((value) => expect(value).toBeCloseTo(1, 12));
    const noise = get(found, 'shifted').map((value, i) => value - get(nuts, 'mu')[i]);
    expect(new Set(noise).size).toBe(60);
    expect(Math.max(...noise.map(Math.abs))).toBeLessThan(5);
  });

  it('ends when the source has no more draws', () => {
    const source = sourceOf(nuts);
    const own = withSource(
      settings({ algorithm: 'generate_quantities', from: 'X0000001' }),
      source,
    );
    const chain = createChain({
      model: stan(edited),
      settings: { ...own, numSamples: 61 },
      chain: 1,
    });
    expect(chain.progress().of).toBe(60);
    expect(chain.advance()).toMatchObject({ status: 'finished', blocks: [{ count: 60 }] });
  });

  it('computes the same values when continued from a checkpoint', () => {
    const source = sourceOf(nuts);
    const whole = chainOn(source, edited).advance();
    const first = chainOn(source, edited);
    const begun = first.advance({ maxIterations: 23 });
    expect(begun.status).toBe('running');
    const checkpoint = JSON.parse(JSON.stringify(first.checkpoint())) as ChainCheckpoint;
    const rest = chainOn(source, edited, checkpoint).advance();
    expect(rest.status).toBe('finished');
    const joined = [...begun.blocks, ...rest.blocks];
    first.columns.forEach((_, c) =>
      expect([...columnOf(joined, c)]).toEqual([...columnOf(whole.blocks, c)]),
    );
  });

  it('also reads the draws of an approximation and keeps their method', () => {
    const laplace = sample({ algorithm: 'laplace', num_samples: 40 });
    const chain = chainOn(sourceOf(laplace), edited);
    expect(chain.advance().status).toBe('finished');
    expect(methodOf(chain.columns)).toBe('laplace');
  });

  it.each([
    [
      'a parameter that is new',
      'real mu;',
      'real mu; real extra;',
      /declares extra, which the draws do not have/,
    ],
    [
      'one that is gone',
      'ordered[2] c;',
      '',
      /the draws have c\[1\], c\[2\], which the program does not declare/,
    ],
    [
      'four that are new',
      'real mu;',
      'real mu; real a; real b; real c1; real d;',
      /declares a, b, c1, d, which the draws do not have\./,
    ],
    [
      'six that are new, the first four',
      'real mu;',
      'real mu; real a; real b; real c1; real d; real e; real f;',
      /declares a, b, c1, d and 2 more, which/,
    ],
    ['another size', 'simplex[3] w;', 'simplex[2] w;', /the draws have w\[3\]/],
  ])('refuses %s and names it', (_, from, to, message) => {
    const program = `${parameters.replace(from, to)} model { }`;
    const advance = chainOn(sourceOf(nuts), program).advance();
    expect(advance).toMatchObject({
      status: 'failed',
      failure: { reason: 'program-invalid', message: expect.stringMatching(message) },
    });
  });

  it('refuses draws outside a narrower constraint', () => {
    const program = `${parameters.replace('real mu', 'real<lower=100> mu')} model { }`;
    expect(chainOn(sourceOf(nuts), program).advance()).toMatchObject({
      status: 'failed',
      failure: {
        reason: 'program-invalid',
        message: expect.stringMatching(/^Draw 1 does not fit the program: .*mu/),
      },
    });
  });

  it('ignores other quantities in a file but still detects a changed size', () => {
    const source = sourceOf(nuts, false);
    const withOld = {
      ...source,
      columns: source.columns.map((name) => (name === 'c[1]' ? 'old' : name)),
    };
    const without = `${parameters.replace('ordered[2] c;', '')} model { }`;
    const files: SourceDraws = {
      ...withOld,
      columns: withOld.columns.map((name) => (name === 'c[2]' ? 'older' : name)),
    };
    expect(chainOn(files, without).advance().status).toBe('finished');
    const smaller = `${parameters.replace('simplex[3] w;', 'simplex[2] w;').replace('ordered[2] c;', '')} model { }`;
    expect(chainOn(files, smaller).advance()).toMatchObject({
      failure: { message: expect.stringContaining('the draws have w[3]') },
    });
  });

  it('writes NaN where generated quantities reject, and keeps the parameters', () => {
    const program = `${parameters} ${model} generated quantities { real a; if (mu > 1) reject("no"); a = mu; }`;
    const chain = chainOn(sourceOf(nuts), program);
    const advance = chain.advance();
    const found = { columns: chain.columns, blocks: advance.blocks };
    expect(get(found, 'mu')).toEqual(get(nuts, 'mu'));
    get(found, 'a').forEach((value, i) => {
      const mu = get(nuts, 'mu')[i];
      if (mu > 1) expect(value).toBeNaN();
      else expect(value).toBeCloseTo(mu, 12);
    });
  });
});
