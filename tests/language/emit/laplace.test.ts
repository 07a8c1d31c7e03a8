/** The embedded Laplace approximation: reference values, cases where it is exact, options, and what is rejected. */
import { describe, expect, it } from 'vitest';
import type { DataJson } from '../../../src/language/program.ts';
import { library } from '../../../src/math/library/library.ts';
import reference from '../../fixtures/math/laplace.json';
import { kolmogorov } from '../../math/support/kolmogorov.ts';
import { expectSameDensity } from '../../support/same-density.ts';
import { gradientError, logDensityAt, modelOf, outputsAt } from '../../support/stan-program.ts';

const covariance = `
  matrix cov(array[] real x, real alpha, real rho) {
    return add_diag(gp_exp_quad_cov(x, alpha, rho), 1e-2);
  }`;
const counts = {
  N: reference.group.length,
  n: reference.x.length,
  x: reference.x,
  group: reference.group,
  m: reference.offset,
};
const head =
  'data { int N; int n; array[n] real x; array[N] int group; vector[n] m; array[N] int y; }';
const parameters = 'parameters { real<lower=0> alpha; real<lower=0> rho; real<lower=0> eta; }';

/** The program of a likelihood: built in, or written by a user. */
function programOf(
  likelihood: string,
  form: 'built in' | 'tilde' | 'own' | 'own with loop',
): string {
  const isNegBinomial = likelihood === 'neg_binomial_2_log';
  const eta = isNegBinomial ? 'eta, ' : '';
  const own = {
    'own with loop': `real total = 0;
    for (i in 1:size(y)) total += ${likelihood}_lpmf(y[i] | theta[group[i]] + m[group[i]]${isNegBinomial ? ', eta' : ''});
    return total;`,
    own: `return ${likelihood}_lpmf(y | (theta + m)[group]${isNegBinomial ? ', eta' : ''});`,
    'built in': '',
    tilde: '',
  }[form];
  const functions =
    own === ''
      ? covariance
      : `${covariance}
  real ll(vector theta, array[] int y, array[] int group, vector m, real eta) { ${own} }`;
  const statement = {
    'built in': `target += laplace_marginal_${likelihood}_lpmf(y | group, ${eta}m, 1, cov, (x, alpha, rho));`,
    tilde: `y ~ laplace_marginal_${likelihood}(group, ${isNegBinomial ? 'rep_vector(eta, n), ' : ''}m, 1, cov, (x, alpha, rho));`,
    own: 'target += laplace_marginal(ll, (y, group, m, eta), 1, cov, (x, alpha, rho));',
    'own with loop': 'target += laplace_marginal(ll, (y, group, m, eta), 1, cov, (x, alpha, rho));',
  }[form];
  return `functions { ${functions} }\n${head}\n${parameters}\nmodel { ${statement} }`;
}

describe('the Laplace approximation', () => {
  for (const form of ['built in', 'tilde', 'own', 'own with loop'] as const) {
    it(`agrees with reference values and gradients: ${form}`, () => {
      for (const one of reference.cases) {
        const model = modelOf(programOf(one.likelihood, form), { ...counts, y: one.y });
        const theta = Float64Array.of(Math.log(one.alpha), Math.log(one.rho), Math.log(one.eta));
        const gradient = new Float64Array(3);
        const value = model.logDensityGradient(theta, gradient, false);
        expect(value).toBeCloseTo(one.logMarginal, 9);
        [one.alpha, one.rho, one.eta].forEach((x, i) => {
          expect(gradient[i]).toBeCloseTo(one.gradient[i] * x, 8);
        });
      }
    });
  }

  const gaussian = (likelihood: string, call: string, marginal: string): [string, string] => {
    const data = 'data { int n; array[n] real x; vector[n] y; matrix[n, n] A; }';
    const body = (statement: string) =>
      `functions { ${covariance} ${likelihood} }
${data}
parameters { real<lower=0> alpha; real<lower=0> rho; real<lower=0> sigma; }
model { ${statement} }`;
    return [body(call), body(marginal)];
  };
  const n = reference.x.length;
  const observed: DataJson = {
    n: n + 1,
    x: [...reference.x, 2.2],
    y: [0.3, -1.2, 0.6, 2.1, 1.1, -0.4],
    A: Array.from({ length: n + 1 }, (_, i) =>
      Array.from({ length: n + 1 }, (_u, j) => (i === j ? 1 : 0.3 / (1 + i + 2 * j))),
    ),
  };
  const control = (solver: number, fallback = 1) =>
    `(rep_vector(0.1, n), 1e-9, 50, ${solver}, 100, ${fallback})`;

  it('is exact for a normal likelihood', () => {
    const ll = 'real ll(vector theta, data vector y, real s) { return normal_lpdf(y | theta, s); }';
    const [laplace, exact] = gaussian(
      ll,
      'target += laplace_marginal(ll, (y, sigma), 1, cov, (x, alpha, rho));',
      'target += multi_normal_lpdf(y | rep_vector(0, n), add_diag(cov(x, alpha, rho), square(sigma)));',
    );
    expectSameDensity(modelOf(laplace, observed), modelOf(exact, observed), 1e-10);
  });

  it.each([1, 2, 3])('is exact with solver %i and a full Hessian', (solver) => {
    const ll = `real ll(vector theta, vector y, matrix A, real s) {
      vector[size(y)] mu = A * theta;
      return normal_lpdf(y | mu, s);
    }`;
    const [laplace, exact] = gaussian(
      ll,
      `target += laplace_marginal_tol(ll, (y, A, sigma), n, cov, (x, alpha, rho), ${control(solver, 0)});`,
      "target += multi_normal_lpdf(y | rep_vector(0, n), add_diag(quad_form_sym(cov(x, alpha, rho), A'), square(sigma)));",
    );
    expectSameDensity(modelOf(laplace, observed), modelOf(exact, observed), 1e-10);
  });

  it.each([
    [1, 2],
    [2, 2],
    [3, 2],
    [1, 3],
    [2, 6],
  ])('accepts solver %i with blocks of size %i, with the correct gradient', (solver, size) => {
    // each y depends on a block of theta, not linearly, and no derivative vanishes
    const ll = `real ll(vector theta, vector y, real s) {
      real total = 0;
      for (i in 1:size(y)) {
        int first = ((i - 1) %/% ${size}) * ${size} + 1;
        total += student_t_lpdf(y[i] | 9, theta[i] + 0.1 * sum(square(theta[first:(first + ${size} - 1)])), 1 + s);
        total -= 0.3 * log1p_exp(theta[i]) * (1 + s) + exp(0.3 * theta[i]);
      }
      return total;
    }`;
    const call = (chosen: string, block: number) =>
      gaussian(
        ll,
        `target += laplace_marginal_tol(ll, (y, sigma), ${block}, cov, (x, alpha, rho), ${chosen});`,
        '',
      )[0];
    const model = modelOf(call(control(solver), size), observed);
    const full = modelOf(call(control(3), 6), observed);
    expectSameDensity(model, full, 1e-9);
    for (const seed of [1, 2, 3]) expect(gradientError(model, seed)).toBeLessThan(1e-7);
  });

  it('draws from the approximation and returns its mean and factor', () => {
    const source = `functions { ${covariance}
      real ll(vector theta, array[] int y, vector m) { return poisson_log_lpmf(y | theta + m); } }
    data { int n; array[n] real x; array[n] int y; vector[n] m; }
    transformed data { tuple(vector[n], real, int, int, int, int) options = generate_laplace_options(n); }
    generated quantities {
      tuple(vector[n], matrix[n, n]) solution = laplace_latent_solve(ll, (y, m), 1, cov, (x, 1.0, 0.7));
      matrix[n, n] covariance_found = multiply_lower_tri_self_transpose(solution.2);
      matrix[n, n] expected = inverse_spd(inverse_spd(cov(x, 1, 0.7)) + diag_matrix(exp(solution.1 + m)));
      vector[n] gap = solution.1 - cov(x, 1, 0.7) * (to_vector(y) - exp(solution.1 + m));
      real worst = max(abs(to_vector(covariance_found - expected)));
      real worst_gap = max(abs(gap));
      vector[n] first = laplace_latent_rng(ll, (y, m), 1, cov, (x, 1.0, 0.7));
      vector[n] second = laplace_latent_poisson_log_rng(y, linspaced_int_array(n, 1, n), m, 1, cov, (x, 1.0, 0.7));
      vector[n] third = laplace_latent_tol_rng(ll, (y, m), 1, cov, (x, 1.0, 0.7), options);
      array[2000] vector[n] draws;
      for (i in 1:2000) draws[i] = laplace_latent_rng(ll, (y, m), 1, cov, (x, 1.0, 0.7));
      vector[n] mean_of_draws;
      for (j in 1:n) mean_of_draws[j] = mean(draws[, j]);
      real furthest = max(abs(mean_of_draws - solution.1) ./ sqrt(diagonal(expected) / 2000));
      real spread = variance(draws[, 2]) / expected[2, 2];
    }`;
    const data = { n, x: reference.x, y: [3, 0, 2, 5, 1], m: reference.offset };
    const out = outputsAt(modelOf(source, data), new Float64Array(0));
    expect(out.worst).toBeLessThan(1e-10);
    expect(out.worst_gap).toBeLessThan(1e-10);
    expect(out.furthest).toBeLessThan(4);
    expect(Math.abs(out.spread - 1)).toBeLessThan(0.15);
    expect(new Set([out['first[1]'], out['second[1]'], out['third[1]']]).size).toBe(3);
  });

  const builtIn: Readonly<Record<string, readonly [own: string, arguments: string]>> = {
    bernoulli_logit: ['bernoulli_logit_lpmf(y | theta + m)', 'y, group, m'],
    poisson_log: ['poisson_log_lpmf(y | theta + m)', 'y, group, m'],
    neg_binomial_2_log: ['neg_binomial_2_log_lpmf(y | theta + m, 3.0)', 'y, group, 3.0, m'],
  };
  const forms = ['', '_tol'].flatMap((tolerances) => [
    ['bernoulli_logit', `laplace_latent${tolerances}_rng`, 'll, (y, m)'],
    ...Object.entries(builtIn).map(([family, [, given]]) => [
      family,
      `laplace_latent${tolerances}_${family}_rng`,
      given,
    ]),
  ]);

  it.each(forms)('draws of %s by %s have the normal marginals of the mode', (family, name, own) => {
    const call = (f: string, first: string) =>
      `${f}(${first}, 1, cov, (x, 1.0, 0.7)${f.includes('_tol') ? ', options' : ''})`;
    const solve = name.includes('_tol') ? 'laplace_latent_solve_tol' : 'laplace_latent_solve';
    const source = `functions { ${covariance}
      real ll(vector theta, array[] int y, vector m) { return ${builtIn[family][0]}; } }
    data { int n; array[n] real x; array[n] int y; vector[n] m; }
    transformed data {
      array[n] int group = linspaced_int_array(n, 1, n);
      tuple(vector[n], real, int, int, int, int) options = generate_laplace_options(n);
    }
    generated quantities {
      tuple(vector[n], matrix[n, n]) at = ${call(solve, 'll, (y, m)')};
      array[400] real z;
      for (i in 1:400) z[i] = (${call(name, own)}[2] - at.1[2]) / norm2(at.2[2]);
    }`;
    const data = { n, x: reference.x, y: [1, 0, 1, 1, 0], m: reference.offset };
    const out = outputsAt(modelOf(source, data), new Float64Array(0));
    const draws = Array.from({ length: 400 }, (_, i) => out[`z[${i + 1}]`]);
    expect(new Set(draws).size).toBe(400);
    const cdf = (z: number) => library.std_normal_cdf(null, false, 'r', z) as number;
    expect(kolmogorov(draws, cdf)).toBeLessThan(1.95);
  });

  it('refuses options, block sizes and likelihoods that it cannot use', () => {
    const ll =
      'real ll(vector theta, vector y, real s) { return normal_lpdf(y | cumulative_sum(theta), s); }';
    const at = (size: number, options: string) => {
      const [source] = gaussian(
        ll,
        `target += laplace_marginal_tol(ll, (y, sigma), ${size}, cov, (x, alpha, rho), ${options});`,
        '',
      );
      return () => logDensityAt(modelOf(source, observed), new Float64Array(3));
    };
    expect(at(6, control(1))).not.toThrow();
    expect(at(1, control(1))).toThrow(/outside of blocks of size 1\. Set hessian_block_size to 6/);
    expect(at(4, control(1))).toThrow(
      /hessian_block_size is 4, but must divide the size of theta, 6/,
    );
    expect(at(6, control(4))).toThrow(/solver is 4, but must be 1, 2 or 3/);
    expect(at(6, '(rep_vector(0, 2), 1e-9, 50, 1, 10, 1)')).toThrow(/2 elements/);
    expect(at(6, '(rep_vector(0, n), -1.0, 50, 1, 10, 1)')).toThrow(/ tol is -1/);
  });

  it('falls back to another solver if W has negative entries, unless the options forbid it', () => {
    const ll =
      'real ll(vector theta, vector y, real s) { return cauchy_lpdf(y | theta, 0.3 + s); }';
    const at = (fallback: number) => {
      const [source] = gaussian(
        ll,
        `target += laplace_marginal_tol(ll, (y, sigma), 1, cov, (x, alpha, rho), (rep_vector(0, n), 1e-8, 100, 1, 50, ${fallback}));`,
        '',
      );
      return modelOf(source, observed);
    };
    expect(gradientError(at(1), 2)).toBeLessThan(1e-6);
    expect(() => logDensityAt(at(0), new Float64Array(3))).toThrow(/Choose another solver/);
  });

  // outcomes and latent values in every combination, with a parameter
  it.each([
    ['skew_normal_lpdf(y | theta, s, 1.2)', 1],
    ['exp_mod_normal_lpdf(y | theta, s, 1.5)', 1],
    ['student_t_lccdf(y | 3 + s, theta, 1)', 1],
    ['gamma_lcdf(exp(y) | 2 + s, exp(theta))', 1],
    ['beta_lccdf(inv_logit(y) | exp(0.3 * theta), 1 + s)', 1],
    ["multi_normal_lpdf(y | theta, add_diag(0.2 * A * A', s))", 6],
    ["multi_student_t_lpdf(y | 4, theta, add_diag(0.2 * A * A', s))", 6],
    [
      "multi_normal_cholesky_lpdf(y | theta .* (1 + 0.1 * theta), s * cholesky_decompose(A * A'))",
      6,
    ],
    ["-quad_form(inverse_spd(add_diag(A * A', exp(0.2 * theta))), y) - s", 6],
    // by differences of gradients
    ['wiener_lpdf(1.2 + square(y) | 1 + s, 0.3, inv_logit(theta), theta)', 1],
    ['-square(y[1] - hypergeometric_2F1(0.3 * theta[1], 1.5, 2.5 + s, 0.3)) - dot_self(theta)', 1],
    [
      "gaussian_dlm_obs_lpdf(to_matrix(y, 2, 3) | to_matrix(theta[1:4], 2, 2), add_diag(rep_matrix(0, 2, 2), 0.5), [s, s]', identity_matrix(2), rep_vector(0, 2), identity_matrix(2)) - 9 * dot_self(theta)",
      6,
    ],
    [
      '-dot_self(y - gp_matern32_cov(to_array_1d(theta + 2 * y), 1.0, 1 + s) * y) - 9 * dot_self(theta)',
      6,
    ],
    ['-dot_self(get_real(fft(to_complex(theta, s))) - y) - dot_self(theta)', 6],
  ])('accepts %s, with the correct gradient', (expression, size) => {
    const ll = `real ll(vector theta, vector y, matrix A, real s) { return ${expression}; }`;
    const [source] = gaussian(
      ll,
      `target += laplace_marginal_tol(ll, (y, A, sigma), ${size}, cov, (x, alpha, rho), ${control(3)});`,
      '',
    );
    const model = modelOf(source, observed);
    for (const seed of [1, 2]) expect(gradientError(model, seed)).toBeLessThan(1e-6);
  });

  // differences against exact derivatives of one likelihood
  it.each([
    [
      '-sum(eigenvalues_sym(diag_matrix(exp(0.3 * theta) + s * y)) .* sort_asc(square(y)))',
      '-sum(sort_asc(exp(0.3 * theta) + s * y) .* sort_asc(square(y)))',
    ],
    [
      'normal_lpdf(y | csr_matrix_times_vector(n, n, csr_extract_w(A), csr_extract_v(A), csr_extract_u(A), theta), s)',
      'normal_lpdf(y | A * theta, s)',
    ],
    [
      'normal_lpdf(y | lower_upper_bound_constrain(theta, -4, 5), s)',
      'normal_lpdf(y | -4 + 9 * inv_logit(theta), s)',
    ],
    ['-norm1(svd(diag_matrix(2 + square(theta))).2 * s)', '-s * sum(2 + square(theta))'],
  ])('treats %s like %s', (differenced, exact) => {
    const models = [differenced, exact].map((expression) => {
      const ll = `real ll(vector theta, vector y, matrix A, real s) { int n = size(y); return ${expression} - dot_self(theta); }`;
      const [source] = gaussian(
        ll,
        `target += laplace_marginal_tol(ll, (y, A, sigma), n, cov, (x, alpha, rho), ${control(3)});`,
        '',
      );
      return modelOf(source, observed);
    });
    expectSameDensity(models[0], models[1], 1e-7);
  });

  it('is exact for a multivariate normal likelihood', () => {
    const ll = `real ll(vector theta, vector y, matrix S, real s) {
      return multi_normal_lpdf(y | theta, add_diag(S, s)); }`;
    const [laplace, exact] = gaussian(
      ll,
      "target += laplace_marginal(ll, (y, A * A', sigma), n, cov, (x, alpha, rho));",
      "target += multi_normal_lpdf(y | rep_vector(0, n), cov(x, alpha, rho) + add_diag(A * A', sigma));",
    );
    expectSameDensity(modelOf(laplace, observed), modelOf(exact, observed), 1e-9);
  });
});
