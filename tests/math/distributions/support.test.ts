import { describe, expect, it } from 'vitest';
import { ActiveVector } from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { DomainError, ShapeError } from '../../../src/math/errors.ts';
import { library } from '../../../src/math/library/library.ts';

type Density = (tape: Tape | null, propto: boolean, kinds: string, ...args: unknown[]) => number;
const density = (name: string) => library[name] as Density;

/** ∫ exp(log density) by the substitution y = sinh(s) (line), exp(s) (positive) or 1/(1 + e^−s) (unit interval). */
function integral(
  name: string,
  parameters: readonly number[],
  support: 'line' | 'positive' | 'unit' | readonly [number, number],
): number {
  const f = density(name);
  const kinds = 'r'.repeat(1 + parameters.length);
  const at = (y: number, dy: number) => dy * Math.exp(f(null, false, kinds, y, ...parameters));
  const h = 1 / 64;
  let sum = 0;
  for (let k = -40 * 64; k <= 40 * 64; k++) {
    const s = k * h;
    if (support === 'line') sum += Math.abs(s) < 30 ? at(Math.sinh(s), Math.cosh(s)) : 0;
    else if (support === 'positive') sum += Math.abs(s) < 30 ? at(Math.exp(s), Math.exp(s)) : 0;
    else {
      const p = 1 / (1 + Math.exp(-s));
      const [low, high] = support === 'unit' ? [0, 1] : support;
      const y = low + (high - low) * p;
      if (y > low && y < high) sum += at(y, (high - low) * p * (1 - p));
    }
  }
  return sum * h;
}

describe('continuous densities integrate to one', () => {
  it.each([
    ['normal_lpdf', [0.3, 1.7], 'line'],
    ['student_t_lpdf', [2.5, 0.3, 1.7], 'line'],
    ['cauchy_lpdf', [0.3, 1.7], 'line'],
    ['logistic_lpdf', [0.3, 1.7], 'line'],
    ['gumbel_lpdf', [0.3, 1.7], 'line'],
    ['skew_normal_lpdf', [0.3, 1.7, 2], 'line'],
    ['exp_mod_normal_lpdf', [0.3, 1.7, 0.8], 'line'],
    ['lognormal_lpdf', [0.3, 0.8], 'positive'],
    ['gamma_lpdf', [1.6, 0.8], 'positive'],
    ['inv_gamma_lpdf', [2.6, 0.8], 'positive'],
    ['chi_square_lpdf', [3.4], 'positive'],
    ['inv_chi_square_lpdf', [5.4], 'positive'],
    ['scaled_inv_chi_square_lpdf', [5.4, 1.2], 'positive'],
    ['weibull_lpdf', [1.6, 2.1], 'positive'],
    ['frechet_lpdf', [2.6, 2.1], 'positive'],
    ['rayleigh_lpdf', [1.2], 'positive'],
    ['loglogistic_lpdf', [1.4, 2.6], 'positive'],
    ['exponential_lpdf', [1.4], 'positive'],
    ['beta_lpdf', [1.4, 2.6], 'unit'],
    ['beta_proportion_lpdf', [0.4, 4], 'unit'],
    ['von_mises_lpdf', [0.3, 1.7], [-Math.PI, Math.PI]],
    ['uniform_lpdf', [-1, 2], [-1, 2]],
  ] as const)('%s', (name, parameters, support) => {
    expect(integral(name, parameters, support)).toBeCloseTo(1, 7);
  });
});

describe('masses sum to one', () => {
  it.each([
    ['bernoulli_lpmf', 'r', [0.3], 0, 1],
    ['bernoulli_logit_lpmf', 'r', [0.3], 0, 1],
    ['binomial_lpmf', 'ir', [9, 0.3], 0, 9],
    ['binomial_logit_lpmf', 'ir', [9, 0.3], 0, 9],
    ['beta_binomial_lpmf', 'irr', [9, 1.3, 0.7], 0, 9],
    ['poisson_lpmf', 'r', [4.2], 0, 60],
    ['poisson_log_lpmf', 'r', [1.2], 0, 60],
    ['neg_binomial_lpmf', 'rr', [2.5, 0.8], 0, 200],
    ['neg_binomial_2_lpmf', 'rr', [2.5, 0.8], 0, 400],
    ['neg_binomial_2_log_lpmf', 'rr', [1, 0.8], 0, 400],
    ['hypergeometric_lpmf', 'iii', [5, 6, 7], 0, 5],
    ['discrete_range_lpmf', 'ii', [-2, 4], -2, 4],
    ['categorical_logit_lpmf', 'R', [Float64Array.of(0.2, -1, 0.5)], 1, 3],
    ['ordered_logistic_lpmf', 'rR', [0.4, Float64Array.of(-1, 0.5)], 1, 3],
    ['ordered_probit_lpmf', 'rR', [0.4, Float64Array.of(-1, 0.5)], 1, 3],
  ] as const)('%s', (name, kinds, parameters, low, high) => {
    let sum = 0;
    for (let k = low; k <= high; k++)
      sum += Math.exp(density(name)(null, false, `i${kinds}`, k, ...parameters));
    expect(sum).toBeCloseTo(1, 10);
  });
});

describe('checks', () => {
  const message = (f: () => unknown): string => {
    try {
      f();
    } catch (error) {
      if (error instanceof DomainError || error instanceof ShapeError)
        return `${error.name}: ${error.message}`;
    }
    return 'nothing was thrown';
  };

  it('say which argument is wrong and what it must be', () => {
    const normal = density('normal_lpdf');
    expect(message(() => normal(null, false, 'rrr', 1, 0, -1))).toBe(
      'DomainError: normal_lpdf: Scale parameter is -1, but must be positive',
    );
    expect(message(() => normal(null, false, 'Rrr', Float64Array.of(1, Number.NaN), 0, 1))).toBe(
      'DomainError: normal_lpdf: Random variable[2] is nan, but must be not nan',
    );
    expect(message(() => normal(null, false, 'rrr', 1, Infinity, 1))).toBe(
      'DomainError: normal_lpdf: Location parameter is inf, but must be finite',
    );
    expect(message(() => density('bernoulli_lpmf')(null, false, 'ir', 2, 0.5))).toBe(
      'DomainError: bernoulli_lpmf: Random variable is 2, but must be in the interval [0, 1]',
    );
    expect(
      message(() =>
        density('bernoulli_logit_glm_lpmf')(
          null,
          false,
          'IRrR',
          Int32Array.of(0, 1),
          Float64Array.of(1),
          Number.NaN,
          Float64Array.of(1),
        ),
      ),
    ).toBe('DomainError: bernoulli_logit_glm_lpmf: Intercept is nan, but must be finite');
  });

  it('distinguish mismatched sizes from invalid values', () => {
    expect(
      message(() =>
        density('normal_lpdf')(null, false, 'RRr', new Float64Array(3), new Float64Array(2), 1),
      ),
    ).toBe(
      'ShapeError: normal_lpdf: size of Location parameter (2) and size of Random variable (3) must match',
    );
  });

  it('apply to values on the tape too', () => {
    const tape = new Tape();
    tape.reset(Float64Array.of(0.5, -2));
    expect(
      message(() => density('normal_lpdf')(tape, true, 'rrV', 1, 0, new ActiveVector(2, 1))),
    ).toBe('DomainError: normal_lpdf: Scale parameter[2] is -2, but must be positive');
  });

  it('refuse covariance matrices that are not positive definite', async () => {
    const { Matrix } = await import('../../../src/math/autodiff/containers.ts');
    const broken = new Matrix(2, 2, Float64Array.of(1, 2, 2, 1));
    expect(() =>
      density('multi_normal_lpdf')(
        null,
        false,
        'RRM',
        new Float64Array(2),
        new Float64Array(2),
        broken,
      ),
    ).toThrow(DomainError);
  });
});

describe('limits', () => {
  it('are −∞ outside the support, as in Stan', () => {
    expect(density('uniform_lpdf')(null, false, 'rrr', 3, 0, 1)).toBe(-Infinity);
    expect(density('gamma_lpdf')(null, false, 'rrr', -1, 1, 1)).toBe(-Infinity);
    expect(density('poisson_lpmf')(null, false, 'ir', 2, 0)).toBe(-Infinity);
    expect(density('pareto_lpdf')(null, false, 'rrr', 1, 2, 1)).toBe(-Infinity);
  });

  it('keep certain outcomes at probability one', () => {
    expect(density('bernoulli_lpmf')(null, false, 'ir', 1, 1)).toBe(0);
    expect(density('binomial_lpmf')(null, false, 'iir', 0, 5, 0)).toBe(0);
    expect(density('poisson_lpmf')(null, false, 'ir', 0, 0)).toBeCloseTo(0, 15);
  });

  it('handle extreme log odds without overflow', () => {
    const f = density('bernoulli_logit_lpmf');
    expect(f(null, false, 'ir', 1, 800)).toBeCloseTo(0, 15);
    expect(f(null, false, 'ir', 0, 800)).toBe(-800);
  });

  it('approach the Poisson as the precision of a negative binomial grows', () => {
    const poisson = density('poisson_lpmf')(null, false, 'ir', 7, 4.5);
    for (const phi of [1e8, 1e12, 1e16]) {
      expect(
        Math.abs(density('neg_binomial_2_lpmf')(null, false, 'irr', 7, 4.5, phi) - poisson),
      ).toBeLessThan(2e-7);
    }
  });

  it('have a slope in that precision without cancellation', () => {
    // d/dphi ≈ ((y − mu)(mu − y) + y) / (2 phi²) for large phi
    const slope = (phi: number) => {
      const tape = new Tape();
      tape.reset(Float64Array.of(phi));
      const gradient = new Float64Array(1);
      tape.sweep(density('neg_binomial_2_lpmf')(tape, true, 'irv', 7, 4.5, 1), gradient);
      return gradient[0];
    };
    for (const phi of [1e5, 1e8, 1e11]) {
      expect((slope(phi) * 2 * phi * phi) / (7 - 2.5 * 2.5)).toBeCloseTo(1, 3);
    }
  });

  it('are accurate in the far tails of the normal', () => {
    expect(density('normal_lcdf')(null, false, 'rrr', -40, 0, 1)).toBeCloseTo(-804.608442, 5);
    expect(density('normal_lccdf')(null, false, 'rrr', -40, 0, 1)).toBeCloseTo(0, 15);
  });
});

describe('von Mises tails of a narrow density', () => {
  const tail = (end: 'lcdf' | 'lccdf', y: number, kappa: number) =>
    density(`von_mises_${end}`)(null, false, 'rrr', y, 0, kappa);
  const slope = (kappa: number) => {
    const tape = new Tape();
    tape.reset(Float64Array.of(kappa));
    const gradient = new Float64Array(1);
    const y = 0.7 / Math.sqrt(kappa);
    tape.sweep(density('von_mises_lcdf')(tape, false, 'rrv', y, 0, 1), gradient);
    return gradient[0] * kappa;
  };

  it.each([2e6, 1e12, 1e18, 1e300])('are those of a normal density: %s', (kappa) => {
    const z = 0.7;
    // Φ(0.7)
    const below = Math.log(0.758036347776927);
    expect(tail('lcdf', z / Math.sqrt(kappa), kappa)).toBeCloseTo(below, 6);
    expect(tail('lccdf', -z / Math.sqrt(kappa), kappa)).toBeCloseTo(below, 6);
    expect(tail('lccdf', 1, kappa)).toBe(-Infinity);
    expect(tail('lcdf', 1, kappa)).toBeCloseTo(0, 12);
    // φ(z) z / 2 ÷ Φ(z)
    expect(slope(kappa)).toBeCloseTo((0.312253933366761 * z) / 2 / 0.758036347776927, 5);
  });

  it('continue those computed over the full circle', () => {
    const [before, after] = [1 - 1e-9, 1 + 1e-9].map((f) => tail('lcdf', -1e-3, f * 1e6));
    expect(after - before).toBeLessThan(1e-8);
    expect(slope(1e6 * (1 + 1e-9)) / slope(1e6 * (1 - 1e-9))).toBeCloseTo(1, 6);
  });

  it('need a finite scale', () => {
    expect(() => tail('lcdf', 0.5, Infinity)).toThrow(DomainError);
  });
});
