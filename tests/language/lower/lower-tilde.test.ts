/** Distribution statements: what they add to the log density, and what truncation subtracts from it. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import { logDensityAt, modelOf } from '../../support/stan-program.ts';
import { linesOf, lowered } from './ir-text.ts';

const program = (statement: string) => `functions {
  real own_lpdf(real y, real m) { return -square(y - m); }
  real own_lccdf(real y, real m) { return m - y; }
  real own_lcdf(real y) { return -y; }
  real own_lcdf(real y, real m) { return y - m; }
  real count_lpmf(int k, real r) { return -r * k; }
  real count_lcdf(int k, real r) { return -r; }
  real count_lccdf(int k, real r) { return r; }
  real pair_lpdf(tuple(real, real) y, tuple(real, vector) m) { return y.1 * m.1; }
  real z_lpdf(real y, complex z) { return y * norm(z); }
  real z_lccdf(real y, complex z) { return y * norm(z); }
  matrix cov(array[] real x, real a) { return gp_exp_quad_cov(x, a, 1.0); }
}
data {
  int k; real L; array[3] int ks; array[3] real ys; vector[3] y; vector[3] m0;
  tuple(real, real) t; tuple(real, vector[3]) u;
}
parameters { real x; real a; vector[3] v; }
model { ${statement} }`;

describe('a distribution statement', () => {
  it.each<[string, string[]]>([
    ['x ~ normal(a, 1);', ['target += real density ~ normal_lpdf(x, a, 1)']],
    ['x ~ normal(a, 1) T[ , ];', ['target += real density ~ normal_lpdf(x, a, 1)']],
    [
      'x ~ normal(a, 1) T[L, ];',
      [
        'support (x >= L)',
        'target += real density ~ normal_lpdf(x, a, 1)',
        'target -= real density normal_lccdf(L, a, 1)',
      ],
    ],
    [
      'x ~ normal(a, 1) T[ , L];',
      [
        'support (x <= L)',
        'target += real density ~ normal_lpdf(x, a, 1)',
        'target -= real density normal_lcdf(L, a, 1)',
      ],
    ],
    [
      'x ~ normal(a, 1) T[0, L];',
      [
        'support (x >= 0)',
        'support (x <= L)',
        'target += real density ~ normal_lpdf(x, a, 1)',
        'target -= real log_diff_exp(real density normal_lcdf(L, a, 1), real density normal_lcdf(0, a, 1))',
      ],
    ],
    [
      'k ~ poisson(a) T[1, ];',
      [
        'support (k >= 1)',
        'target += real density ~ poisson_lpmf(k, a)',
        'target -= real density poisson_lccdf(int subtract(1, 1), a)',
      ],
    ],
    [
      'k ~ poisson(a) T[ , ks[1]];',
      [
        'support (k <= int ks[1] of "ks")',
        'target += real density ~ poisson_lpmf(k, a)',
        'target -= real density poisson_lcdf(int ks[1] of "ks", a)',
      ],
    ],
    [
      'k ~ poisson(a) T[1, 5];',
      [
        'support (k >= 1)',
        'support (k <= 5)',
        'target += real density ~ poisson_lpmf(k, a)',
        'target -= real log_diff_exp(real density poisson_lcdf(5, a), real density poisson_lcdf(int subtract(1, 1), a))',
      ],
    ],
    ['x ~ own(a);', ['target += real user ~ own_lpdf(x, a)']],
    [
      'x ~ own(a) T[0, ];',
      [
        'support (x >= 0)',
        'target += real user ~ own_lpdf(x, a)',
        'target -= real user own_lccdf(0, a)',
      ],
    ],
    [
      'x ~ own(a) T[ , 1];',
      [
        'support (x <= 1)',
        'target += real user ~ own_lpdf(x, a)',
        'target -= real user own_lcdf(1, a)',
      ],
    ],
    [
      'x ~ own(a) T[0, 1];',
      [
        'support (x >= 0)',
        'support (x <= 1)',
        'target += real user ~ own_lpdf(x, a)',
        'target -= real log_diff_exp(real user own_lcdf(1, a), real user own_lcdf(0, a))',
      ],
    ],
    [
      'k ~ count(a) T[0, 1];',
      [
        'support (k >= 0)',
        'support (k <= 1)',
        'target += real user ~ count_lpmf(k, a)',
        'target -= real log_diff_exp(real user count_lcdf(1, a), real user count_lcdf(int subtract(0, 1), a))',
      ],
    ],
    [
      'k ~ count(a) T[2, ];',
      [
        'support (k >= 2)',
        'target += real user ~ count_lpmf(k, a)',
        'target -= real user count_lccdf(int subtract(2, 1), a)',
      ],
    ],
    ['t ~ pair(u);', ['target += real user ~ pair_lpdf(t.1, t.2, u.1, u.2)']],
    ['x ~ z(a);', ['target += real user ~ z_lpdf(x, a, 0.0)']],
    [
      'x ~ z(a) T[1, ];',
      [
        'support (x >= 1)',
        'target += real user ~ z_lpdf(x, a, 0.0)',
        'target -= real user z_lccdf(1, a, 0.0)',
      ],
    ],
    ['y ~ normal(v, a);', ['target += real density ~ normal_lpdf(y, v, a)']],
    [
      'y ~ normal(v, a) T[0, ];',
      [
        'target += real density ~ normal_lpdf(y, v, a)',
        'for loop int n in 1 to int length(y)',
        '  support (real y[n] of "the truncated variable" >= 0)',
        '  target -= real density normal_lccdf(0, real v[n] of "the truncated variable", a)',
      ],
    ],
    [
      'y + 1 ~ normal(v * 2, a) T[0, L];',
      [
        'target += real density ~ normal_lpdf(vector add(y, 1), vector multiply(v, 2), a)',
        'local vector value := vector add(y, 1)',
        'local vector value#2 := vector multiply(v, 2)',
        'for loop int n in 1 to int length(value)',
        '  support (real value[n] of "the truncated variable" >= 0)',
        '  support (real value[n] of "the truncated variable" <= L)',
        '  target -= real log_diff_exp(real density normal_lcdf(L, real value#2[n] of "the truncated variable", a), real density normal_lcdf(0, real value#2[n] of "the truncated variable", a))',
      ],
    ],
    [
      'ks ~ poisson(v) T[1, ];',
      [
        'target += real density ~ poisson_lpmf(ks, v)',
        'for loop int n in 1 to int length(ks)',
        '  support (int ks[n] of "the truncated variable" >= 1)',
        '  target -= real density poisson_lccdf(int subtract(1, 1), real v[n] of "the truncated variable")',
      ],
    ],
    [
      'ys ~ exponential(a) T[ , ];',
      ['target += real density ~ exponential_lpdf(ys, a)', 'for loop int n in 1 to int length(ys)'],
    ],
    [
      'ks ~ laplace_marginal_poisson_log({1, 2, 3}, m0, 1, cov, (ys, a));',
      [
        'target += real higher-order laplace_marginal_poisson_log_lpmf(cov built in of 3, 2; ks, array[] int {1, 2, 3}, m0, 1, ys, a)',
      ],
    ],
    [
      'k ~ normal(a, 1) T[L, ];',
      [
        'support (k >= L)',
        'target += real density ~ normal_lpdf(k, a, 1)',
        'target -= real density normal_lccdf(L, a, 1)',
      ],
    ],
    [
      'ks ~ normal(a, 1) T[0, 9];',
      [
        'target += real density ~ normal_lpdf(ks, a, 1)',
        'for loop int n in 1 to int length(ks)',
        '  support (int ks[n] of "the truncated variable" >= 0)',
        '  support (int ks[n] of "the truncated variable" <= 9)',
        '  target -= real log_diff_exp(real density normal_lcdf(9, a, 1), real density normal_lcdf(0, a, 1))',
      ],
    ],
  ])('%s', (statement, expected) => {
    expect(linesOf(lowered(program(statement)).model)).toEqual(expected);
  });

  it('of an unknown distribution is refused', () => {
    const { program: checked, files } = checkProgram(program('x ~ nomal(a, 1);'));
    expect(() => lowerProgram(checked, files)).toThrow('refused: a distribution unresolved');
  });
});

it('truncation of ints uses the bound itself if the distribution is continuous', () => {
  const model = modelOf(
    `data { int k; } parameters { real a; }
    model {
      k ~ normal(a, 1) T[1, ];
      target += normal_lccdf(1 | a, 1) - normal_lupdf(k | a, 1);
    }`,
    { k: 3 },
  );
  expect(logDensityAt(model, Float64Array.of(0.25))).toBeCloseTo(0, 12);
});

describe('truncation by functions of the program', () => {
  const densityOf = (functions: string, statement: string) =>
    logDensityAt(
      modelOf(
        `functions { ${functions} } data { real y; } parameters { real a; } model { ${statement} }`,
        { y: 1 },
      ),
      Float64Array.of(0.25),
    );

  it('calls the overload whose arguments fit, whichever is defined first', () => {
    const own = `real own_lpdf(real y, real m) { return -y * m; }
      real own_lccdf(real y, vector m) { return 1000; }
      real own_lccdf(real y, real m) { return m - y; }
      real own_lcdf(real y, vector m) { return 2000; }
      real own_lcdf(real y, real m) { return y - 2 * m; }`;
    expect(densityOf(own, 'y ~ own(a) T[0.5, ];')).toBe(-0.25 - (0.25 - 0.5));
    expect(densityOf(own, 'y ~ own(a) T[ , 3];')).toBe(-0.25 - (3 - 0.5));
  });

  it('passes arguments as the function takes them, not as the density does', () => {
    const own = `real own_lpdf(real y, complex m) { return -y * get_real(m); }
      real own_lccdf(real y, real m) { return m - y; }`;
    expect(densityOf(own, 'y ~ own(a) T[0.5, ];')).toBe(-0.25 - (0.25 - 0.5));
  });

  it('calls it for a library density that has none of its own', () => {
    const own = 'real wiener_lccdf(real y, real a, real t, real b, real d) { return y + a; }';
    const statement = (end: string) => `y ~ wiener(1 + a, 0.1, 0.5, 0.2)${end};`;
    const plain = densityOf(own, statement(''));
    expect(densityOf(own, statement(' T[0.5, ]'))).toBeCloseTo(plain - (0.5 + 1.25), 12);
  });

  it('is refused for whole containers, since it would receive all of their elements', () => {
    const { diagnostics } = checkProgram(`functions {
        real wiener_lccdf(real y, real a, real t, real b, real d) { return -y; }
      }
      data { vector[3] y; }
      model { y ~ wiener(1, 0.1, 0.5, 0.2) T[0, ]; }`);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Only vectors and one-dimensional arrays with a built-in distribution can be truncated as a whole. Loop over the elements.',
    ]);
  });
});
