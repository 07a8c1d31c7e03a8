/** Calls to the Laplace approximation: their functions, and the tuples of arguments taken apart. */
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { lowerProgram } from '../../../src/language/lower/lower-program.ts';
import { logDensityAt, modelOf } from '../../support/stan-program.ts';
import { linesOf, lowered } from './ir-text.ts';

const head = `functions {
  matrix cov(tuple(array[] real, complex) t, real a) { return gp_exp_quad_cov(t.1, a, 1.0); }
  real ll(vector theta, array[] int y, complex m) {
    return poisson_log_lpmf(y | theta + get_real(m));
  }
}
data { int n; array[3] int y; array[3] real x; vector[3] m; }
transformed data {
  tuple(vector[n], real, int, int, int, int) o = generate_laplace_options(n);
  tuple(array[3] real, complex) t = (x, 2i);
}`;

describe('the Laplace approximation', () => {
  const program = (statement: string) => `${head}
    parameters { real a; }
    model { ${statement} }`;

  it.each<[string, string[]]>([
    [
      'target += laplace_marginal(ll, (y, 1), n + 1, cov, (t, a));',
      [
        'target += real higher-order laplace_marginal(cov ll of 3, 4; y, 1.0, 0.0, int add(n, 1), t.1, t.2.real, t.2.imag, a)',
      ],
    ],
    [
      'target += laplace_marginal_tol(ll, (y, 2i), 1, cov, (t, a), o);',
      [
        'target += real higher-order laplace_marginal_tol(cov ll of 3, 4; y, 0.0, 2.0, 1, t.1, t.2.real, t.2.imag, a, o.1, o.2, o.3, o.4, o.5, o.6)',
      ],
    ],
    [
      'target += laplace_marginal_tol(ll, (y, 2i), 1, cov, (t, a), generate_laplace_options(m));',
      [
        'target += real higher-order laplace_marginal_tol(cov ll of 3, 4; y, 0.0, 2.0, 1, t.1, t.2.real, t.2.imag, a, m, 1.4901161193847656e-8, 500, 1, 1000, 1)',
      ],
    ],
    [
      'target += laplace_marginal_poisson_log_lupmf(y | y, m, 1, cov, (t, a));',
      [
        'target += real higher-order laplace_marginal_poisson_log_lpmf(cov built in of 3, 4; y, y, m, 1, t.1, t.2.real, t.2.imag, a)',
      ],
    ],
    [
      'target += laplace_marginal_tol_neg_binomial_2_log_lpmf(y | y, a, m, 1, cov, (t, a), o);',
      [
        'target += real higher-order laplace_marginal_tol_neg_binomial_2_log_lpmf(cov built in of 4, 4; y, y, a, m, 1, t.1, t.2.real, t.2.imag, a, o.1, o.2, o.3, o.4, o.5, o.6)',
      ],
    ],
    [
      'y ~ laplace_marginal_bernoulli_logit(y, m, 1, cov, (t, a));',
      [
        'target += real higher-order laplace_marginal_bernoulli_logit_lpmf(cov built in of 3, 4; y, y, m, 1, t.1, t.2.real, t.2.imag, a)',
      ],
    ],
  ])('%s', (statement, expected) => {
    expect(linesOf(lowered(program(statement)).model)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    [
      'vector[3] d = laplace_latent_rng(ll, (y, 1), n, cov, (t, 2));',
      [
        'generated quantities vector d [; 3] = vector higher-order laplace_latent_rng(cov ll of 3, 4; y, 1.0, 0.0, n, t.1, t.2.real, t.2.imag, 2)',
      ],
    ],
    [
      'vector[3] d = laplace_latent_tol_poisson_log_rng(y, y, m, n, cov, (t, 2), o);',
      [
        'generated quantities vector d [; 3] = vector higher-order laplace_latent_tol_poisson_log_rng(cov built in of 3, 4; y, y, m, n, t.1, t.2.real, t.2.imag, 2, o.1, o.2, o.3, o.4, o.5, o.6)',
      ],
    ],
    [
      'tuple(vector[3], matrix[3, 3]) d = laplace_latent_solve(ll, (y, 1), n, cov, (t, 2));',
      [
        'generated quantities vector d.1 [; 3] = vector higher-order $laplace_latent_mean(cov ll of 3, 4; y, 1.0, 0.0, n, t.1, t.2.real, t.2.imag, 2)',
        'generated quantities matrix d.2 [; 3, 3] = matrix higher-order $laplace_latent_factor(cov ll of 3, 4; y, 1.0, 0.0, n, t.1, t.2.real, t.2.imag, 2)',
      ],
    ],
    [
      'tuple(vector[3], matrix[3, 3]) d = laplace_latent_solve_tol(ll, (y, 1), n, cov, (t, 2), o);',
      [
        'generated quantities vector d.1 [; 3] = vector higher-order $laplace_latent_mean(cov ll of 3, 4; y, 1.0, 0.0, n, t.1, t.2.real, t.2.imag, 2, o.1, o.2, o.3, o.4, o.5, o.6)',
        'generated quantities matrix d.2 [; 3, 3] = matrix higher-order $laplace_latent_factor(cov ll of 3, 4; y, 1.0, 0.0, n, t.1, t.2.real, t.2.imag, 2, o.1, o.2, o.3, o.4, o.5, o.6)',
      ],
    ],
    [
      'tuple(vector[3], real, int, int, int, int) d = generate_laplace_options(m);',
      [
        'generated quantities vector d.1 [; 3] = m',
        'generated quantities real d.2 = 1.4901161193847656e-8',
        'generated quantities int d.3 = 500',
        'generated quantities int d.4 = 1',
        'generated quantities int d.5 = 1000',
        'generated quantities int d.6 = 1',
      ],
    ],
    [
      'tuple(vector[3], real, int, int, int, int) d = generate_laplace_options(n * 2);',
      [
        'generated quantities vector d.1 [; 3] = vector rep_vector(0.0, int multiply(n, 2))',
        'generated quantities real d.2 = 1.4901161193847656e-8',
        'generated quantities int d.3 = 500',
        'generated quantities int d.4 = 1',
        'generated quantities int d.5 = 1000',
        'generated quantities int d.6 = 1',
      ],
    ],
  ])('%s', (statement, expected) => {
    const { generatedQuantities } = lowered(`${head} generated quantities { ${statement} }`);
    expect(linesOf(generatedQuantities)).toEqual(expected);
  });

  it('accepts real numbers where its functions take complex ones', () => {
    const density = (outcome: string, scale: string) => {
      const source = `functions {
          matrix cov(array[] real x, complex a) {
            return gp_exp_quad_cov(x, get_real(a), 1.0) + get_imag(a);
          }
          real ll(vector theta, array[] int y, complex m) {
            return poisson_log_lpmf(y | theta + get_real(m) + get_imag(m));
          }
        }
        data { array[2] int y; array[2] real x; }
        parameters { real a; }
        model { target += laplace_marginal(ll, (y, ${outcome}), 1, cov, (x, ${scale})); }`;
      return logDensityAt(modelOf(source, { y: [1, 3], x: [0.5, 2] }), Float64Array.of(1.5));
    };
    const expected = density('to_complex(1, 0)', 'to_complex(a, 0)');
    expect(expected).toBeLessThan(0);
    expect(density('1', 'a')).toBe(expected);
  });

  it.each(['3', 'x'])('is not lowered with %s for its covariance function', (covariance) => {
    const statement = `y ~ laplace_marginal_poisson_log(y, m, 1, ${covariance}, (t, a));`;
    const { program: checked, files } = checkProgram(program(statement));
    expect(() => lowerProgram(checked, files)).toThrow('refused: a call without a function');
  });
});
