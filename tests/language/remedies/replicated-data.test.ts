import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { applyEdits } from '../../../src/language/remedies/apply-edits.ts';
import { findReplicatedData } from '../../../src/language/remedies/replicated-data.ts';

function changed(source: string): string | null {
  const result = checkProgram(source);
  const [remedy] = findReplicatedData(result);
  return remedy === undefined ? null : (applyEdits(result.files, remedy.edits)[0]?.text ?? null);
}

const program = (data: string, model: string, rest = '') =>
  `data {\n  int<lower=0> N;\n  ${data}\n}\nparameters {\n  real mu;\n  real<lower=0> sigma;\n}\nmodel {\n  mu ~ normal(0, 1);\n  ${model}\n}\n${rest}`;

describe('the change that lets a program simulate its data', () => {
  it.each([
    {
      what: 'a vector with scalar arguments',
      source: program('vector[N] y;', 'y ~ normal(mu, sigma);'),
      block: '  vector[N] y_rep;\n  for (i in 1:size(y)) y_rep[i] = normal_rng(mu, sigma);\n',
    },
    {
      what: 'a vector with a vector of means',
      source: program('vector[N] y; vector[N] x;', 'y ~ normal(mu * x, sigma);'),
      block: '  vector[N] y_rep;\n  y_rep = to_vector(normal_rng(mu * x, sigma));\n',
    },
    {
      what: 'counts',
      source: program('array[N] int<lower=0> y; vector[N] x;', 'y ~ poisson_log(mu * x);'),
      block: '  array[N] int<lower=0> y_rep;\n  y_rep = poisson_log_rng(mu * x);\n',
    },
    {
      what: 'a loop',
      source: program('array[N] real y;', 'for (n in 1:N) y[n] ~ normal(mu, sigma);'),
      block: '  array[N] real y_rep;\n  for (n in 1:N) y_rep[n] = normal_rng(mu, sigma);\n',
    },
    {
      what: 'a scalar',
      source: program('real y;', 'y ~ normal(mu, sigma);'),
      block: '  real y_rep;\n  y_rep = normal_rng(mu, sigma);\n',
    },
  ])('draws $what, and adds the flag', ({ source, block }) => {
    const text = changed(source) ?? '';
    expect(text).toContain(`generated quantities {\n${block}}\n`);
    expect(text).toContain('int<lower=0, upper=1> prior_only;');
    expect(text).toContain('if (prior_only == 0) ');
    expect(checkProgram(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual(
      [],
    );
  });

  it('extends an existing block and keeps an existing flag', () => {
    const source = program(
      'vector[N] y; int prior_only;',
      'if (prior_only == 0) y ~ normal(mu, sigma);',
      'generated quantities {\n  real twice = 2 * mu;\n}\n',
    );
    const text = changed(source) ?? '';
    expect(text).toContain(
      'generated quantities {\n  real twice = 2 * mu;\n  vector[N] y_rep;\n  for (i in 1:size(y)) y_rep[i] = normal_rng(mu, sigma);\n}\n',
    );
    expect(text.match(/prior_only/g)).toHaveLength(2);
  });

  it.each([
    ['data are already replicated', 'vector[N] y_rep = y;'],
    ['the program has an error', 'real y_new = nothing;'],
  ])('is not offered if %s', (_, line) => {
    const rest = `generated quantities {\n  ${line}\n}\n`;
    expect(changed(program('vector[N] y;', 'y ~ normal(mu, sigma);', rest))).toBeNull();
  });

  it.each([
    ['a truncated distribution', 'for (n in 1:N) y[n] ~ normal(mu, sigma) T[0, ];'],
    ['a density added to the target', 'target += normal_lpdf(y | mu, sigma);'],
    ['an argument that exists only in the model', 'real m = mu; y ~ normal(m, sigma);'],
    ['no data', 'sigma ~ normal(0, 1);'],
  ])('is not offered for %s', (_, model) => {
    expect(changed(program('vector[N] y;', model))).toBeNull();
  });
});
