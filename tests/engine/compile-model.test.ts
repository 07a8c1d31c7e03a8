/** Programs to models: densities by hand, constants, truncation, constrained parameters. */
import { describe, expect, it } from 'vitest';
import { compileModel, linkProgram } from '../../src/engine/compile-model.ts';
import { Tape } from '../../src/math/autodiff/tape.ts';
import {
  gradientError,
  logDensityAt,
  modelOf,
  outputsAt,
  pointOf,
  testRng,
} from '../support/stan-program.ts';

const eightSchools = `
data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] eta; }
transformed parameters { vector[J] theta = mu + tau * eta; }
model { mu ~ normal(0, 5); tau ~ cauchy(0, 5); eta ~ std_normal(); y ~ normal(theta, sigma); }`;
const schools = {
  J: 8,
  y: [28, 8, -3, 7, -1, 1, 18, 12],
  sigma: [15, 10, 16, 11, 9, 11, 10, 18],
};

/** The log density with its flags, at `theta`. */
function density(
  source: string,
  theta: readonly number[],
  { jacobian = true, propto = true, data = {} } = {},
): number {
  const result = compileModel({ source, data, rng: testRng() });
  if (!result.ok) throw new Error(result.message);
  const instance = linkProgram(result.program, { data, rng: testRng() });
  const tape = new Tape();
  tape.reset(Float64Array.from(theta));
  return tape.value[instance.logDensity(tape, jacobian, propto)];
}

const halfLogTwoPi = Math.log(2 * Math.PI) / 2;

describe('eight schools', () => {
  it('has the density written out by hand, and its gradient', () => {
    const model = modelOf(eightSchools, schools);
    const theta = pointOf(model, 5);
    const [mu, logTau, ...eta] = theta;
    const tau = Math.exp(logTau);
    let expected = -0.5 * (mu / 5) ** 2 - Math.log1p((tau / 5) ** 2) + logTau;
    eta.forEach((e, j) => {
      expected -= 0.5 * e * e + 0.5 * ((schools.y[j] - mu - tau * e) / schools.sigma[j]) ** 2;
    });
    expect(logDensityAt(model, theta)).toBeCloseTo(expected, 10);
    expect(gradientError(model, 5)).toBeLessThan(1e-8);
  });

  it('names its columns and outputs constrained values', () => {
    const model = modelOf(eightSchools, schools);
    expect(model.numUnconstrained).toBe(10);
    expect(model.columns.slice(0, 4)).toEqual(['mu', 'tau', 'eta[1]', 'eta[2]']);
    expect(model.variables.at(-1)).toEqual({
      name: 'theta',
      block: 'transformed parameters',
      dims: [8],
      isInt: false,
    });
    const outputs = outputsAt(model, Float64Array.of(1, Math.log(2), 3, 0, 0, 0, 0, 0, 0, 0));
    expect(outputs['theta[1]']).toBeCloseTo(7, 12);
    expect(outputs['theta[2]']).toBe(1);
  });

  it('maps initial values to the unconstrained scale', () => {
    const model = modelOf(eightSchools, schools);
    const theta = pointOf(model, 2);
    const before = theta[0];
    model.unconstrain({ tau: 2, eta: [1, 2, 3, 4, 5, 6, 7, 8] }, theta);
    expect(theta[0]).toBe(before);
    expect(theta[1]).toBeCloseTo(Math.log(2), 14);
    expect(Array.from(theta.slice(2))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(() => model.unconstrain({ tau: -1 }, theta)).toThrow(/initial value of `tau`.*-1/);
    expect(() => model.unconstrain({ eta: [1] }, theta)).toThrow('`eta` has size 1: must be 8');
  });
});

describe('constants of densities', () => {
  const normalAt = (z: number) => -0.5 * z * z;
  it.each([
    ['x ~ normal(0, 1);', true, 0],
    ['x ~ normal(0, 1);', false, -halfLogTwoPi],
    ['target += normal_lpdf(x | 0, 1);', true, -halfLogTwoPi],
    ['target += normal_lupdf(x | 0, 1);', true, 0],
    ['target += normal_lupdf(x | 0, 1);', false, -halfLogTwoPi],
    ['x ~ own(0);', true, 0],
    ['target += own_lpdf(x | 0);', true, -halfLogTwoPi],
    ['target += own_lupdf(x | 0);', true, 0],
    ['x ~ full(0);', true, -halfLogTwoPi],
    ['add_lp(x);', true, 0],
    ['add_lp(x);', false, -halfLogTwoPi],
  ])('%s with propto %s', (statement, propto, constant) => {
    const source = `
functions {
  real own_lpdf(real y, real m) { return normal_lupdf(y | m, 1); }
  real full_lpdf(real y, real m) { return normal_lpdf(y | m, 1); }
  void add_lp(real y) { y ~ normal(0, 1); }
}
parameters { real x; } model { ${statement} }`;
    expect(density(source, [0.7], { propto })).toBeCloseTo(normalAt(0.7) + constant, 12);
  });

  it('drops densities of data when constants are dropped, and keeps incremented ones', () => {
    const tilde = 'parameters { real x; } model { 1.5 ~ normal(0, 1); }';
    expect(density(tilde, [0])).toBe(0);
    expect(density(tilde, [0], { propto: false })).toBeCloseTo(normalAt(1.5) - halfLogTwoPi, 12);
    const increment = 'parameters { real x; } model { target += normal_lpdf(1.5 | 0, 1); }';
    expect(density(increment, [0])).toBeCloseTo(normalAt(1.5) - halfLogTwoPi, 12);
  });
});

describe('the target', () => {
  it('adds scalars and containers, and can be read', () => {
    const source = `parameters { real x; vector[2] v; matrix[2, 2] m; }
model { target += x; target += v; target += m; target += 3; target += {1.5, x}; target += target() * x; }`;
    const model = modelOf(source);
    const theta = Float64Array.of(2, 1, 1, 1, 1, 1, 1);
    // 2 + 2 + 4 + 3 + 3.5 = 14.5; plus 14.5 × 2
    expect(logDensityAt(model, theta)).toBeCloseTo(43.5, 12);
    expect(gradientError(model, 1)).toBeLessThan(1e-8);
  });

  it('is incremented by functions that end in _lp, which may return active values', () => {
    const source = `functions { real half_lp(real x) { target += x * x; return target() / 2; } }
parameters { real x; } transformed parameters { real z = half_lp(x); }
model { target += z * x; }`;
    const model = modelOf(source);
    expect(logDensityAt(model, Float64Array.of(3))).toBeCloseTo(9 + 13.5, 12);
    expect(outputsAt(model, Float64Array.of(3)).z).toBeCloseTo(4.5, 12);
    expect(gradientError(model, 1)).toBeLessThan(1e-8);
  });
});

describe('truncation', () => {
  // x = 0.3, normal(0, 1)
  const phi = (z: number) =>
    ({ '-1': 0.15865525393145705, '0.5': 0.6914624612740131 })[String(z)] ?? 0;
  const kernel = -0.5 * 0.3 * 0.3;
  it.each([
    ['T[-1, ]', kernel - Math.log(1 - phi(-1))],
    ['T[, 0.5]', kernel - Math.log(phi(0.5))],
    ['T[-1, 0.5]', kernel - Math.log(phi(0.5) - phi(-1))],
    ['T[0.4, ]', Number.NEGATIVE_INFINITY],
    ['T[, 0.2]', Number.NEGATIVE_INFINITY],
    ['T[,]', kernel],
  ])('x ~ normal(0, 1) %s', (truncation, expected) => {
    const source = `parameters { real x; } model { x ~ normal(0, 1) ${truncation}; }`;
    const value = density(source, [0.3]);
    if (Number.isFinite(expected)) expect(value).toBeCloseTo(expected, 10);
    else expect(value).toBe(expected);
  });

  it('keeps the lower bound of a discrete distribution', () => {
    const source = `parameters { real<lower=0> rate; } model { 2 ~ poisson(rate) T[1, ]; }`;
    // rate 1: log(e⁻¹ / 2) − log(1 − e⁻¹); propto drops −log 2!
    expect(density(source, [0])).toBeCloseTo(-1 - Math.log(1 - Math.exp(-1)), 10);
  });

  it('uses the user function of a user density', () => {
    const source = `functions {
  real e_lpdf(real y, real r) { return log(r) - r * y; }
  real e_lccdf(real y, real r) { return -r * y; }
}
parameters { real<lower=0> r; } model { 2.0 ~ e(r) T[1, ]; }`;
    const model = modelOf(source);
    expect(logDensityAt(model, Float64Array.of(0))).toBeCloseTo(-2 + 1, 12);
    expect(gradientError(model, 3)).toBeLessThan(1e-8);
  });
});

describe('the output of a draw', () => {
  const program = `
parameters { real<lower=0> a; vector[2] b; }
transformed parameters { vector<upper=3>[2] c = a * b; }
generated quantities {
  real d = 1;
  int<lower=0> y = poisson_rng(b[1] - b[2]);
}`;

  /** With NaN where the program wrote nothing. */
  function rowAt(theta: number[]): { row: number[]; message: string } {
    const model = modelOf(program);
    const out = new Float64Array(model.columns.length).fill(Number.NaN);
    let message = '';
    try {
      model.constrain(Float64Array.from(theta), testRng(), out);
    } catch (error) {
      message = (error as Error).message;
    }
    return { row: [...out], message };
  }

  it('keeps parameters and transformed parameters if a generated quantity is undefined', () => {
    const { row, message } = rowAt([0, 0.5, 2]);
    expect(message).toContain('poisson_rng: Rate parameter is -1.5');
    expect(row).toEqual([1, 0.5, 2, 0.5, 2, NaN, NaN]);
  });

  it('keeps the parameters if a transformed parameter breaks its bound', () => {
    const { row, message } = rowAt([0, 5, 2]);
    expect(message).toContain('`c[1]` is 5: must be at most 3');
    expect(row).toEqual([1, 5, 2, NaN, NaN, NaN, NaN]);
  });
});

describe('constrained parameters', () => {
  const declarations: Readonly<Record<string, string>> = {
    'real<lower=1>': 'x * x',
    'real<upper=-1>': 'x * x',
    'real<lower=0, upper=3>': 'x * x',
    'real<offset=2, multiplier=3>': 'x * x',
    'real<offset=2>': 'x * x',
    'vector<lower=0>[3]': 'dot_self(x) * x[2]',
    'vector<lower=b>[3]': 'dot_self(x) * x[2]',
    "row_vector<lower=b', upper=10>[3]": 'sum(x) * x[2]',
    'array[3] real<lower=0>': 'x[1] * x[3]',
    'array[3] real<lower=to_array_1d(b)>': 'x[1] * x[3]',
    'array[2, 3] real<upper=1>': 'x[1, 2] * x[2, 3]',
    'matrix<lower=0>[2, 3]': 'sum(x) * x[2, 1]',
    'array[2] vector<lower=b>[3]': 'dot_product(x[1], x[2])',
    'array[2] matrix<lower=0, upper=1>[2, 2]': 'sum(x[1] * x[2])',
    'simplex[4]': 'dot_product(x, linspaced_vector(4, 1, 2)) * x[1]',
    'array[2] simplex[3]': 'dot_product(x[1], x[2])',
    'unit_vector[3]': 'x[1] * x[2]',
    'ordered[3]': 'dot_self(x)',
    'positive_ordered[3]': 'dot_self(x)',
    'sum_to_zero_vector[3]': 'dot_self(x)',
    'sum_to_zero_matrix[3, 4]': 'x[1, 2] * x[3, 3]',
    'array[2] sum_to_zero_matrix[2, 3]': 'x[1][1, 2] * x[2][2, 3]',
    'cov_matrix[3]': 'x[1, 2] * x[3, 3]',
    'corr_matrix[3]': 'x[1, 2] * x[3, 1]',
    'cholesky_factor_cov[3]': 'x[2, 1] * x[3, 3]',
    'cholesky_factor_cov[3, 2]': 'x[2, 1] * x[3, 2]',
    'cholesky_factor_corr[3]': 'x[2, 1] * x[3, 3]',
    'array[2, 2] corr_matrix[2]': 'x[1, 2][1, 2] * x[2, 1][2, 1]',
    'column_stochastic_matrix[3, 2]': 'x[1, 2] * x[2, 1]',
    'row_stochastic_matrix[2, 3]': 'x[1, 2] * x[2, 1]',
  };

  it.each(Object.entries(declarations))('%s', (declared, e) => {
    const [base, ...array] = declared.split(/^(array\[[^\]]*\] )/).reverse();
    const source = `transformed data { vector[3] b = [0.5, -1, 2]'; }
parameters { ${array.join('')}${base} x; } model { target += ${e}; } generated quantities { real e = ${e}; }`;
    const model = modelOf(source);
    const theta = pointOf(model, 4);
    const values = outputsAt(model, theta);
    expect(gradientError(model, 4)).toBeLessThan(1e-6);
    // without the Jacobian the tape's density is the expression itself
    expect(density(source, [...theta], { jacobian: false })).toBeCloseTo(values.e, 9);
  });

  it.each(Object.keys(declarations))('%s is recovered from its constrained value', (declared) => {
    const source = `transformed data { vector[3] b = [0.5, -1, 2]'; } parameters { ${declared} x; real after; }`;
    const model = modelOf(source);
    const theta = pointOf(model, 6);
    if (declared.startsWith('unit_vector')) {
      const length = Math.hypot(...theta.slice(0, 3));
      for (let i = 0; i < 3; i++) theta[i] /= length;
    }
    const values = outputsAt(model, theta);
    const { dims } = model.variables[0];
    const nested = (index: number[]): unknown =>
      index.length === dims.length
        ? values[index.length === 0 ? 'x' : `x[${index.join(',')}]`]
        : Array.from({ length: dims[index.length] }, (_, i) => nested([...index, i + 1]));
    const back = new Float64Array(theta.length);
    model.unconstrain({ x: nested([]), after: theta.at(-1) }, back);
    back.forEach((u, i) => expect(u).toBeCloseTo(theta[i], 8));
  });

  it('bounds may depend on earlier parameters', () => {
    const source =
      'parameters { real a; real<lower=a, upper=a + 2> b; vector<lower=b>[2] c; } model { target += b * a * sum(c); }';
    const model = modelOf(source);
    expect(gradientError(model, 4)).toBeLessThan(1e-7);
    const theta = new Float64Array(4);
    model.unconstrain({ a: 1, b: 2, c: [3, 4] }, theta);
    const { b, 'c[2]': c } = outputsAt(model, theta);
    expect([b, c]).toEqual([expect.closeTo(2, 12), expect.closeTo(4, 12)]);
  });
});
