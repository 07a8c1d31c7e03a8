/** Densities of matrices that are expressed through others, and functions of a matrix and an array of ints. */
import { describe, expect, it } from 'vitest';
import type { DataJson } from '../../../src/language/program.ts';
import reference from '../../fixtures/math/gaussian-dlm.json';
import { expectSameDensity } from '../../support/same-density.ts';
import { gradientError, logDensityAt, modelOf, outputsAt } from '../../support/stan-program.ts';

const data = reference.data as DataJson;
const head = `data { int n; int r; int T; matrix[r, T] y; matrix[n, r] F; matrix[n, n] G; cov_matrix[r] V;
  vector[r] d; cov_matrix[n] W; vector[n] m0; cov_matrix[n] C0; }`;

describe('gaussian_dlm_obs', () => {
  it('is the normal density of all observations', () => {
    const source = `${head} generated quantities {
      real full = gaussian_dlm_obs_lpdf(y | F, G, V, W, m0, C0);
      real diagonal = gaussian_dlm_obs_lpdf(y | F, G, d, W, m0, C0);
    }`;
    const out = outputsAt(modelOf(source, data), new Float64Array(0));
    expect(out.full).toBeCloseTo(reference.full, 10);
    expect(out.diagonal).toBeCloseTo(reference.diagonal, 10);
  });

  it.each([
    ['V', 'cov_matrix[2] v;'],
    ['d', 'vector<lower=0>[2] v;'],
  ])('has derivatives in all of its arguments, with %s', (_, declared) => {
    const source = `${head}
      parameters { matrix[n, r] f; matrix[n, n] g; ${declared} cov_matrix[n] w; vector[n] m; cov_matrix[n] c;
        matrix[r, T] e; }
      model { y + e ~ gaussian_dlm_obs(f, g, v, w, m, c); }`;
    const model = modelOf(source, data);
    expect(gradientError(model, 1)).toBeLessThan(1e-7);
    expectSameDensity(model, modelOf(source, data, { adjoint: false }), 1e-12);
  });

  it('drops constants only after ~, and refuses sizes that do not match', () => {
    const at = (statement: string) =>
      logDensityAt(
        modelOf(`${head} parameters { vector[n] m; } model { ${statement} }`, data),
        new Float64Array(3),
      );
    const kept = at('target += gaussian_dlm_obs_lpdf(y | F, G, V, W, m, C0);');
    const dropped = at('y ~ gaussian_dlm_obs(F, G, V, W, m, C0);');
    expect(dropped - kept).toBeCloseTo(0.5 * Math.log(2 * Math.PI) * 8, 10);
    expect(() => at('y ~ gaussian_dlm_obs(F, G, W, W, m, C0);')).toThrow(
      /V is 3 × 3, but with F 3 × 2 it must be 2 × 2/,
    );
  });
});

describe('lkj_cov', () => {
  it('equals lognormal scales and an LKJ correlation matrix', () => {
    const program = (statement: string) => `
      parameters { cov_matrix[3] S; vector[3] mu; vector<lower=0>[3] s; real<lower=0> eta; }
      model { ${statement} }`;
    const own = program('target += lkj_cov_lpdf(S | mu, s, eta);');
    const parts = program(`vector[3] scales = sqrt(diagonal(S));
      target += lognormal_lpdf(scales | mu, s) + lkj_corr_lpdf(quad_form_diag(S, inv(scales)) | eta);`);
    expectSameDensity(modelOf(own), modelOf(parts), 1e-10);
    expect(gradientError(modelOf(program('S ~ lkj_cov(mu, s, eta);')), 2)).toBeLessThan(1e-7);
  });
});

describe('an array of ints with a matrix', () => {
  const orders = [
    [0, 1, 2],
    [3, 1, 0],
  ];
  it.each([
    ['bessel_first_kind', 'k, x'],
    ['bessel_second_kind', 'k, x'],
    ['modified_bessel_first_kind', 'k, x'],
    ['modified_bessel_second_kind', 'k, x'],
    ['binary_log_loss', 'k, x'],
    ['lmgamma', 'k, x'],
    ['ldexp', 'x, k'],
    ['rising_factorial', 'x, k'],
    ['falling_factorial', 'x, k'],
  ])('is applied by %s element by element', (name, args) => {
    const each = args.replace('k', 'k[i, j]').replace('x', 'x[i, j]');
    const program = (body: string) => `data { array[2, 3] int k; }
      parameters { matrix<lower=0.1, upper=0.9>[2, 3] y; }
      transformed parameters { matrix[2, 3] x = y + ${name === 'lmgamma' ? 3 : 0}; }
      model { ${body} }`;
    const whole = program(`target += sum(square(${name}(${args})));`);
    const loop = program(`for (i in 1:2) for (j in 1:3) target += square(${name}(${each}));`);
    const k =
      name === 'binary_log_loss'
        ? orders.map((row) => row.map((o) => o % 2))
        : orders.map((row) => row.map((o) => o + (name === 'lmgamma' ? 1 : 0)));
    expectSameDensity(modelOf(whole, { k }), modelOf(loop, { k }), 1e-12);
    expectSameDensity(modelOf(whole, { k }), modelOf(whole, { k }, { adjoint: false }), 1e-12);
  });

  it('is refused if the sizes differ, and may be nested in arrays', () => {
    const source = `data { array[2, 3] int k; } generated quantities {
      array[2] matrix[2, 3] z = ldexp(rep_array(rep_matrix(1.5, 2, 3), 2), {k, k});
      real last = z[2][2, 1];
    }`;
    expect(outputsAt(modelOf(source, { k: orders }), new Float64Array(0)).last).toBe(12);
    const wrong = source.replaceAll('2, 3)', '3, 2)').replace('matrix[2, 3]', 'matrix[3, 2]');
    expect(() => outputsAt(modelOf(wrong, { k: orders }), new Float64Array(0))).toThrow(
      /sizes 2 and 3 must match/,
    );
  });
});
