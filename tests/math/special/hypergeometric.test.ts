/** Hypergeometric functions and quantiles of Student's t against mpmath, see fixtures/math/make-hypergeometric.py. */
import { describe, expect, it } from 'vitest';
import { hypergeometricPFQ } from '../../../src/math/special/hypergeometric.ts';
import { studentTQuantile } from '../../../src/math/special/student-t-quantile.ts';
import fixture from '../../fixtures/math/hypergeometric.json';
import { gradientError, modelOf, outputsAt } from '../../support/stan-program.ts';

type Row = [number[], number[], number, (number | null)[]];

it.each(fixture.pFq as Row[])('pFq(%j; %j; %d) with its derivatives', (a, b, z, expected) => {
  const { value, da, db, dz } = hypergeometricPFQ('pFq', a, b, z);
  const isAccelerated = Math.abs(z) === 1 && a.length === 3 && !a.some((x) => x < 0);
  for (const [i, got] of [value, ...da, ...db, dz].entries()) {
    const want = expected[i];
    if (want === null) expect(got).toBeNaN();
    else
      expect(Math.abs(got - want), `part ${i}`).toBeLessThan(
        (isAccelerated && i > 0 ? 1e-6 : 1e-11) * (1 + Math.abs(want)),
      );
  }
});

it.each(fixture.quantiles)(
  'the quantile %d with %d degrees of freedom',
  (p, nu, quantile, slope) => {
    const got = studentTQuantile(p, nu);
    expect(Math.abs(got.value - quantile)).toBeLessThan(1e-12 * (1 + Math.abs(quantile)));
    expect(Math.abs(got.dNu - slope)).toBeLessThan(1e-9 * (1 + Math.abs(slope)));
  },
);

describe('in programs', () => {
  it('data and active arguments mix', () => {
    const model = modelOf(
      `data { vector[3] a; }
      parameters { real<lower=0.1, upper=0.9> p; real<lower=1> nu; row_vector[2] mu; array[2] real<lower=0> s; vector[2] b; }
      model {
        target += student_t_qf(p, nu, mu[1], s[2]) + sum(student_t_qf(p, 3, mu, s)) + sum(student_t_qf([0.2, 0.7], nu, b, 2.0));
        target += hypergeometric_1F0(nu, 0.3 * p) + hypergeometric_2F1(nu, 0.4, 1 + s[1], p);
        target += hypergeometric_3F2(a, exp(b), p) + hypergeometric_pFq({nu}, exp(b), mu[1]);
        target += -dot_self(mu) - dot_self(b) - nu - sum(s);
      }`,
      { a: [0.5, 0.7, 1.2] },
    );
    for (const seed of [1, 2, 3]) expect(gradientError(model, seed)).toBeLessThan(1e-6);
  });

  it('arguments outside the domain are refused by name', () => {
    const run = (text: string) => () =>
      outputsAt(modelOf(`parameters { real x; } model { } generated quantities { ${text} }`));
    expect(run('real q = student_t_qf(1.5, 3, 0, 1);')).toThrow('Probability is 1.5');
    expect(run('vector[2] q = student_t_qf([0.1, 0.2], [1, 2, 3], 0, 1);')).toThrow('must match');
    expect(run('real f = hypergeometric_2F1(1, 1, 1, 2);')).toThrow('does not converge');
    expect(run('real f = hypergeometric_2F1(1, 1, -2, 0.5);')).toThrow('lower parameter is -2');
    expect(run('real f = hypergeometric_1F0(1, 1);')).toThrow('between -1 and 1');
    expect(run('real f = hypergeometric_3F2([1, 2], [1, 2], 0.5);')).toThrow('3 upper and 2 lower');
    expect(run('real q = student_t_qf(1, 3, 0, 1);')).not.toThrow();
  });
});
