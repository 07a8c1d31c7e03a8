/** The complete output for a few small programs: review the diff when it changes. `vitest -u` rewrites it. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';

const programs: Readonly<Record<string, string>> = {
  'eight-schools': `data {
  int<lower=0> J;
  vector[J] y;
  vector<lower=0>[J] sigma;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] eta;
}
transformed parameters {
  vector[J] theta = mu + tau * eta;
}
model {
  tau ~ cauchy(0, 5);
  eta ~ std_normal();
  y ~ normal(theta, sigma);
}
generated quantities {
  array[J] real y_rep = normal_rng(theta, sigma);
}
`,
  recurrence: `data {
  int T;
  vector[T] y;
}
parameters {
  real<lower=0> omega;
  real<lower=0, upper=1> alpha;
}
model {
  vector[T] sigma;
  sigma[1] = sd(y);
  for (t in 2:T) {
    sigma[t] = sqrt(omega + alpha * square(y[t - 1]));
  }
  y ~ normal(0, sigma);
}
`,
  functions: `functions {
  real half(real x) {
    return x / 2;
  }
  real tail_lpdf(real y, real m) {
    if (y > 3) reject("too far: ", y);
    return normal_lupdf(y | half(m), 1);
  }
  void prior_lp(vector x) {
    x ~ std_normal();
  }
}
parameters {
  vector[2] x;
  array[2] simplex[3] p;
}
model {
  prior_lp(x);
  1.5 ~ tail(x[1]);
  target += tail_lpdf(half(3) | 1);
  print("x=", x, " p=", p[1, 2:]);
}
`,
};

describe('emitted text', () => {
  it.each(Object.entries(programs))('%s', async (name, source) => {
    const { program } = compileProgram(source, { libraryKeys });
    await expect(program?.javascript).toMatchFileSnapshot(`expected/${name}.js.txt`);
    expect(program?.libraryKeys.every((key) => libraryKeys.has(key))).toBe(true);
  });

  it('lists the variables of the blocks as declared', () => {
    const { program } = compileProgram(
      'data { int<lower=1> n; array[n, 2] vector<lower=0, upper=n + 1>[3] y; } parameters { simplex[n] p; cholesky_factor_cov[3, 2] L; real<offset=1, multiplier=2> z; }',
      { libraryKeys },
    );
    expect(
      program?.variables.map(({ block, name, declared }) => `${block}: ${declared} ${name}`),
    ).toEqual([
      'data: int<lower=1> n',
      'data: array[n, 2] vector<lower=0, upper=n + 1>[3] y',
      'parameters: simplex[n] p',
      'parameters: cholesky_factor_cov[3, 2] L',
      'parameters: real<offset=1, multiplier=2> z',
    ]);
  });
});
