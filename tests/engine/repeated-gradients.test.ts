/**
 * A gradient has the same bits however often it has been computed before: a chain that goes on in another process or thread
 * has computed none there, and its draws may not depend on that.
 */
import { expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import { openStream } from '../../src/engine/random-streams.ts';

const count = 60;
const regular = Array.from({ length: count }, (_, i) => 0.1 * i);
const irregular = regular.map((x, i) => x + 0.01 * Math.sin(7 * i * i));
const y = regular.map((x, i) => Math.sin(x) + 0.1 * Math.cos(3 * i));

const programOf = (
  covariance: string,
  rest: string,
) => `data { int N; array[N] real x; vector[N] y; }
parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; vector[N] z; }
model {
  matrix[N, N] K = ${covariance};
  for (n in 1:N) K[n, n] = K[n, n] + square(sigma);
  z ~ std_normal();
  ${rest}
}`;

const programs = [
  'gp_exp_quad_cov(x, alpha, rho)',
  'gp_exponential_cov(x, alpha, rho)',
  'gp_matern32_cov(x, alpha, rho)',
  'gp_matern52_cov(x, alpha, rho)',
].flatMap((covariance) =>
  [
    'y ~ multi_normal_cholesky(rep_vector(0, N), cholesky_decompose(K));',
    'y ~ multi_normal(rep_vector(0, N), K);',
    'y ~ normal(cholesky_decompose(K) * z, 0.1);',
  ].map((rest) => programOf(covariance, rest)),
);

it.each(programs)('%s', (source) => {
  for (const x of [regular, irregular]) {
    const rng = openStream(1, 0, 'transformed-data');
    const compiled = compileModel({ source, data: { N: count, x, y }, rng });
    if (!compiled.ok) throw new Error(compiled.message);
    const { model } = compiled;
    const q = Float64Array.from({ length: model.numUnconstrained }, (_, i) => Math.sin(i) - 0.5);
    const computed = [1, 2, 3, 4].map(() => {
      const gradient = new Float64Array(q.length);
      return [model.logDensityGradient(q, gradient), ...gradient];
    });
    expect(computed[1]).toEqual(computed[0]);
    expect(computed[2]).toEqual(computed[0]);
    expect(computed[3]).toEqual(computed[0]);
  }
});
