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

describe('how a program can be calibrated', () => {
  it.each([
    ['real mu_sim = mu_; vector[2] b_true = b_;', ['mu truth mu_sim', 'b truth b_true']],
    ['array[2] int lt_sim = {mu < mu_, b[1] < b_[1]};', ['lt_sim below lt_sim']],
    ['array[1] int I_lt_sim = {mu < mu_};', ['I_lt_sim below I_lt_sim']],
    ['int lt_mu = mu < mu_;', ['mu below lt_mu']],
    ['array[1] int ranks_ = {mu > mu_};', ['ranks_ above ranks_']],
  ])('its generated quantities say where the true values lie: %s', (generated, plan) => {
    expect(planOf(itself(generated))).toEqual(plan);
  });

  it.each([
    ['prior_only', 'vector[N] y_rep = y;', 'y y_rep'],
    ['sample_prior', 'array[N] real y_sim = to_array_1d(y);', 'y y_sim'],
  ])('its prior can be sampled by %s, and %s replicates the data', (flag, generated, pair) => {
    expect(planOf(flagged(`int ${flag};`, generated, { [flag]: 0 }))).toEqual([flag, pair]);
  });

  it('names that say nothing are given by hand', () => {
    const odd = flagged('int no_lik; vector[N] x;', 'vector[N] fake = x; vector[N] x_rep = x;', {
      no_lik: 0,
      x: [3, 4],
    });
    const choice = { simulated: { y: 'fake' }, priorFlag: 'no_lik' };
    expect(planOf(odd, choice)).toEqual(['no_lik', 'y fake']);
    const copies = itself('real m0 = mu_; int below = mu < mu_;');
    expect(planOf(copies, { simulated: { mu: 'm0' } })).toEqual(['mu truth m0']);
    expect(planOf(copies, { simulated: { mu: 'below' } })).toEqual(['mu below below']);
    expect(planOf(copies, { simulated: { mu: 'nothing' } })).toContain(
      '`simulated` names nothing, which is not a variable of generated quantities',
    );
    expect(planOf(copies, { simulated: { nu: 'm0' } })).toContain('`simulated` names nu');
  });

  it.each([
    ['int prior_only;', '', { prior_only: 0 }, /^This program cannot.*needs generated quantities/],
    [
      '',
      'vector[N] y_rep = y;',
      {},
      /needs a flag in its data.*`int<lower=0, upper=1> prior_only;`/,
    ],
    ['', "vector[1] y_rep = [1]';", {}, /needs a flag .* and generated quantities/],
  ])('says what is missing: %s %s', (data, generated, given, message) => {
    expect(planOf(flagged(data, generated, given))).toMatch(message);
  });

  it('takes no copy for a true value where the program simulates nothing', () => {
    const plain = flagged('', 'real mu_sim = mu;', {});
    expect(planOf(plain)).toMatch(/^This program cannot simulate its data/);
  });

  it('knows the programs of the tests', () => {
    const plans = Object.values(rightPrograms).map((program) => planOf(program));
    expect(plans).toEqual([
      ['prior_only', 'y y_rep'],
      ['theta truth theta_sim'],
      ['prior_only', 'y y_rep'],
      ['lt_sim below lt_sim'],
    ]);
  });
});
