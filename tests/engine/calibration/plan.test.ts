import { describe, expect, it } from 'vitest';
import { planCalibration } from '../../../src/engine/calibration/plan.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { rightPrograms } from '../../support/calibration-programs.ts';

function planOf(
  { source, data = {} }: { source: string; data?: Readonly<Record<string, unknown>> },
  choice: { simulated?: Record<string, string>; priorFlag?: string } = {},
) {
  const made = compileModel({ source, data, rng: openStream(1, 0, 'transformed-data') });
  if (!made.ok) throw new Error(made.message);
  const plan = planCalibration({
    outputs: made.model.variables,
    variables: made.program.variables,
    data,
    choice: { simulated: choice.simulated ?? null, priorFlag: choice.priorFlag ?? null },
  });
  if (plan.kind === 'none') return plan.message;
  return plan.kind === 'simulates-itself'
    ? plan.truths.map(({ quantity, source: { name }, kind }) => `${quantity} ${kind} ${name}`)
    : [plan.flag, ...plan.replications.map((one) => `${one.data} ${one.source.name}`)];
}

const itself = (generated: string) => ({
  source: `transformed data { real mu_ = normal_rng(0, 1); vector[2] b_ = [1, 2]'; }
parameters { real mu; vector[2] b; }
model { mu ~ normal(0, 1); b ~ normal(mu_, 1); }
generated quantities { ${generated} }`,
});
const flagged = (data: string, generated: string, given: Readonly<Record<string, unknown>>) => ({
  source: `data { int N; vector[N] y; ${data} }
parameters { real mu; }
model { mu ~ normal(0, 1); }
generated quantities { ${generated} }`,
  data: { N: 2, y: [1, 2], ...given },
});

describe('the calibration plan of a program', () => {
  it.each([
    ['real mu_sim = mu_; vector[2] b_true = b_;', ['mu truth mu_sim', 'b truth b_true']],
    ['array[2] int lt_sim = {mu < mu_, b[1] < b_[1]};', ['lt_sim below lt_sim']],
    ['array[1] int I_lt_sim = {mu < mu_};', ['I_lt_sim below I_lt_sim']],
    ['int lt_mu = mu < mu_;', ['mu below lt_mu']],
    ['array[1] int ranks_ = {mu > mu_};', ['ranks_ above ranks_']],
    ['int lt_mu_sim = mu < mu_;', ['mu below lt_mu_sim']],
    ['int mu_lt_sim = mu < mu_;', ['mu below mu_lt_sim']],
    ['int I_lt_mu = mu < mu_;', ['mu below I_lt_mu']],
    ['int I_mu_lt_sim = mu < mu_;', ['mu below I_mu_lt_sim']],
    ['array[2] int lt_b = {1, 0};', ['b below lt_b']],
    // with another size, it is unclear which quantity it belongs to
    ['array[3] int lt_b = {1, 0, 1};', ['lt_b below lt_b']],
    ['array[3, 1] int lt_b = {{1}, {0}, {1}};', ['lt_b below lt_b']],
    ['real sim_mu = mu_; vector[2] true_b = b_;', ['mu truth sim_mu', 'b truth true_b']],
    // a true value is more informative than an indicator
    ['int lt_mu = mu < mu_; real mu_true = mu_;', ['mu truth mu_true']],
    // other names are ignored
    [
      'int alt_b = 1; int b_lt_simx = 1; real lt_b = 1; vector[3] b_sim; real mu_sim = mu_;',
      ['mu truth mu_sim'],
    ],
    // a copy of a generated quantity is not a copy of a parameter
    ['real z = 1; real z_sim = 2; real mu_sim = mu_;', ['mu truth mu_sim']],
  ])('finds true values in generated quantities: %s', (generated, plan) => {
    expect(planOf(itself(generated))).toEqual(plan);
  });

  it.each([
    ['prior_only', 'vector[N] y_rep = y;', 'y y_rep'],
    ['sample_prior', 'array[N] real y_sim = to_array_1d(y);', 'y y_sim'],
  ])('samples the prior with the flag %s and replicates the data: %s', (flag, generated, pair) => {
    expect(planOf(flagged(`int ${flag};`, generated, { [flag]: 0 }))).toEqual([flag, pair]);
  });

  it('accepts variables and flags named in the settings', () => {
    const odd = flagged('int no_lik; vector[N] x;', 'vector[N] fake = x; vector[N] x_rep = x;', {
      no_lik: 0,
      x: [3, 4],
    });
    const choice = { simulated: { y: 'fake' }, priorFlag: 'no_lik' };
    expect(planOf(odd, choice)).toEqual(['no_lik', 'y fake']);
    const copies = itself('real m0 = mu_; int below = mu < mu_;');
    expect(planOf(copies, { simulated: { mu: 'm0' } })).toEqual(['mu truth m0']);
    expect(planOf(copies, { simulated: { mu: 'below' } })).toEqual(['mu below below']);
    for (const output of ['nothing', 'mu'])
      expect(planOf(copies, { simulated: { mu: output } })).toBe(
        `\`simulated\` names ${output}, which is not a variable of generated quantities.`,
      );
    expect(planOf(copies, { simulated: { nu: 'm0' } })).toBe(
      '`simulated` names nu, which is not a variable of the program.',
    );
    // for a quantity that is not a parameter, it is the value itself
    expect(planOf(copies, { simulated: { mu_: 'below' } })).toEqual(['mu_ truth below']);
    const both = itself('real m0 = mu_; vector[2] b_sim = b_;');
    expect(planOf(both, { simulated: { mu: 'm0' } })).toEqual(['mu truth m0']);
  });

  /** Simulates itself and also replicates its data. */
  const mixed = (parameters: string, generated: string) => ({
    source: `data { int N; vector[N] y; int prior_only; }
transformed data { real drawn = normal_rng(0, 1); int sample_prior = 0; }
parameters { real mu; ${parameters} }
model { mu ~ normal(0, 1); }
generated quantities { ${generated} }`,
    data: { N: 2, y: [1, 2], prior_only: 0 },
  });

  it('uses true values or replications, depending on which variable the settings name', () => {
    const both = mixed('', 'real m0 = drawn; real mu_sim = drawn; vector[N] fake = y;');
    expect(planOf(both, { simulated: { mu: 'm0' } })).toEqual(['mu truth m0']);
    expect(planOf(both, { simulated: { y: 'fake' } })).toEqual(['prior_only', 'y fake']);
    expect(planOf(both)).toEqual(['mu truth mu_sim']);
  });

  it('reads a name with a trailing underscore as the true value, as rstan does', () => {
    expect(planOf(mixed('', 'real mu_ = drawn;'))).toEqual(['mu truth mu_']);
  });

  it('uses parameters neither as true values nor as replications', () => {
    const none = mixed('real mu_sim; vector[N] y_rep;', '');
    expect(planOf(none)).toContain('It needs generated quantities that replicate the data');
    const own = mixed('', 'vector[N] y_rep = y; real mu_rep = mu;');
    expect(planOf(own)).toEqual(['prior_only', 'y y_rep']);
  });

  it('does not use a copy with fewer dimensions as a true value', () => {
    const flat = mixed('matrix[2, 3] m;', 'vector[2] m_sim; vector[N] y_rep = y;');
    expect(planOf(flat)).toEqual(['prior_only', 'y y_rep']);
  });

  it('does not use a flag declared in transformed data', () => {
    const { source, data } = mixed('', 'vector[N] y_rep = y;');
    const without = { source: source.replace('int prior_only;', ''), data };
    expect(planOf(without)).toContain('It needs a flag in its data');
  });

  it('prefers the best-named replication, and only one of the same size', () => {
    const many = flagged(
      'int prior_only;',
      'vector[N] y_sim; vector[N] y_rep; array[N] int y_pred;',
      { prior_only: 0 },
    );
    expect(planOf(many)).toEqual(['prior_only', 'y y_rep']);
    const other = flagged('int prior_only;', 'vector[3] y_rep; vector[N] y_sim;', {
      prior_only: 0,
    });
    expect(planOf(other)).toEqual(['prior_only', 'y y_sim']);
    const square = flagged(
      'int prior_only; array[2, 3] real z; int n;',
      'array[2, 3] real z_rep; int n_rep = 1; array[3, 2] real y_rep;',
      {
        prior_only: 0,
        n: 1,
        z: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    );
    expect(planOf(square)).toEqual(['prior_only', 'z z_rep', 'n n_rep']);
  });

  it('does not use a flag that is not an integer in the data', () => {
    for (const [declaration, value] of [
      ['real prior_only;', 0],
      ['array[1] int prior_only;', [0]],
    ] as const)
      expect(planOf(flagged(declaration, 'vector[N] y_rep = y;', { prior_only: value }))).toContain(
        'It needs a flag in its data',
      );
  });

  it('has nothing to check without parameters', () => {
    expect(planOf({ source: 'generated quantities { real mu_sim = 1; }' })).toBe(
      'The program has no parameters, so there is nothing to check.',
    );
  });

  const flag =
    'a flag in its data that leaves the likelihood out (`int<lower=0, upper=1> prior_only;`)';
  const replicas =
    'generated quantities that replicate the data (`y_rep` for `y`, of the same size)';
  it.each([
    ['int prior_only;', '', { prior_only: 0 }, {}, replicas],
    ['', 'vector[N] y_rep = y;', {}, {}, flag],
    ['', "vector[1] y_rep = [1]';", {}, {}, `${flag} and ${replicas}`],
    [
      'int prior_only;',
      'vector[N] y_rep = y;',
      { prior_only: 0 },
      { priorFlag: 'no_lik' },
      'an int `no_lik` in its data, which `prior_flag` names',
    ],
  ])('reports what is missing: %s %s', (data, generated, given, choice, missing) => {
    expect(planOf(flagged(data, generated, given), choice)).toBe(
      `This program cannot simulate its data. It needs ${missing}; or transformed data that draws parameters and data with \`_rng\` functions, with the true values or \`lt_sim\` in generated quantities.`,
    );
  });

  it('does not use a copy as a true value when the program simulates nothing', () => {
    const plain = flagged('', 'real mu_sim = mu;', {});
    expect(planOf(plain)).toMatch(/^This program cannot simulate its data/);
  });

  it('recognises the programs of the calibration tests', () => {
    const plans = Object.values(rightPrograms).map((program) => planOf(program));
    expect(plans).toEqual([
      ['prior_only', 'y y_rep'],
      ['theta truth theta_sim'],
      ['prior_only', 'y y_rep'],
      ['lt_sim below lt_sim'],
    ]);
  });
});
