/** Library functions that take a user function: against programs without them, and against closed forms. */
import { describe, expect, it } from 'vitest';
import type { DataJson } from '../../../src/language/program.ts';
import { expectSameDensity } from '../../support/same-density.ts';
import {
  gradientError,
  logDensityAt,
  modelOf,
  outputsAt,
  refusalOf,
} from '../../support/stan-program.ts';

/** Log density and gradient of two programs with the same parameters, at three points. */
function expectSame(first: string, second: string, data: DataJson = {}, relative = 1e-12): void {
  expectSameDensity(modelOf(first, data), modelOf(second, data), relative);
}

describe('reduce_sum', () => {
  const counts = { N: 7, y: [1, 0, 4, 2, 3, 3, 6], x: [0.1, -0.4, 1, 0.3, 0.2, 0.8, 1.4] };
  const head = 'data { int N; array[N] int y; vector[N] x; }\nparameters { real a; real b; }\n';
  const plain = `${head} model { a ~ normal(0, 1); b ~ normal(0, 1); y ~ poisson_log(a + b * x); }`;
  const withSum = (suffix: string, call = 'reduce_sum') => `functions {
  real part_lpmf(array[] int slice, int start, int end, vector x, real a, real b) {
    return poisson_log_${suffix}(slice | a + b * x[start:end]);
  }
}
${head} model { a ~ normal(0, 1); b ~ normal(0, 1); target += ${call}(part_${suffix}, y, 2, x, a, b); }`;

  it('is the sum of all terms', () => {
    expectSame(withSum('lupmf'), plain, counts);
    expectSame(withSum('lupmf', 'reduce_sum_static'), plain, counts);
    expectSame(
      withSum('lpmf'),
      plain.replace('y ~ poisson_log(a + b * x)', 'target += poisson_log_lpmf(y | a + b * x)'),
      counts,
    );
  });

  it('drops constants only if the partial sum is unnormalised', () => {
    const at = (source: string) => {
      const model = modelOf(source, counts);
      return logDensityAt(model, new Float64Array(2));
    };
    const logFactorials = counts.y.reduce((sum, n) => sum + logFactorial(n), 0);
    expect(at(withSum('lupmf')) - at(withSum('lpmf'))).toBeCloseTo(logFactorials, 12);
  });

  it('accepts any array, loops in the partial sum and further arguments of any type', () => {
    const body = (loop: string) => `
data { int N; array[N] vector[2] y; array[N] int g; }
parameters { matrix[2, 3] mu; real<lower=0> s; }
model {
  to_vector(mu) ~ normal(0, 1);
  s ~ exponential(1);
  ${loop}
}`;
    const sum = `functions {
  real part(array[] vector y, int start, int end, array[] int g, matrix mu, real s) {
    real total = 0;
    for (n in start:end) total += normal_lpdf(y[n - start + 1] | mu[, g[n]], s);
    return total;
  }
}
${body('target += reduce_sum(part, y, 1, g, mu, s);')}`;
    const loop = body('for (n in 1:N) target += normal_lpdf(y[n] | mu[, g[n]], s);');
    const y = [
      [0.1, 1],
      [-1, 0.3],
      [2, 0.2],
      [0.4, -0.6],
    ];
    expectSame(sum, loop, { N: 4, y, g: [1, 3, 2, 3] });
  });

  it('is 0 for no terms, and does not call the partial sum', () => {
    const source = `functions {
  real part(array[] real x, int start, int end, real a) { return a * x[1]; }
}
data { array[0] real x; }
parameters { real a; }
model { a ~ normal(0, 1); target += reduce_sum(part, x, 1, a); }`;
    expect(logDensityAt(modelOf(source, { x: [] }), Float64Array.of(2))).toBe(-2);
  });

  it.each([
    ['real part(array[] int x, int start, int end) { return 0; }', 'part', 'array[] real'],
    ['real part_rng(array[] real x, int s, int e, real a) { return a; }', 'part_rng', 'part_rng'],
    ['real part_lp(array[] real x, int s, int e, real a) { return a; }', 'part_lp', 'part_lp'],
  ])('refuses %s', (definition, name, said) => {
    const source = `functions { ${definition} }
data { array[3] real x; } parameters { real a; }
model { target += reduce_sum(${name}, x, 1, a); }`;
    expect(refusalOf(source, { x: [1, 2, 3] })).toContain(said);
  });

  it('accepts an unnormalised density only where one may be called', () => {
    const source = withSum('lupmf')
      .replace('model {', 'transformed parameters { real t =')
      .replace('a ~ normal(0, 1); b ~ normal(0, 1); target += ', '');
    expect(refusalOf(source, counts)).toContain('part_lupmf');
  });
});

it('map_rect concatenates the vectors of all jobs', () => {
  const head = `functions {
  vector job(vector phi, vector theta, array[] real x, array[] int y) {
    real total = 0;
    for (i in 1:size(y)) total += poisson_log_lpmf(y[i] | phi[1] + theta[1] * x[i]);
    return [total, theta[2] * phi[2]]';
  }
}
data { array[3, 2] real x; array[3, 2] int y; }
parameters { vector[2] phi; array[3] vector[2] theta; }
model {
  phi ~ normal(0, 1);
  for (k in 1:3) theta[k] ~ normal(0, 1);
`;
  const data = {
    x: [
      [0.1, 0.2],
      [1, -1],
      [0.5, 0.7],
    ],
    y: [
      [1, 2],
      [0, 4],
      [3, 1],
    ],
  };
  expectSame(
    `${head} target += sum(map_rect(job, phi, theta, x, y)); }`,
    `${head} for (k in 1:3) target += sum(job(phi, theta[k], x[k], y[k])); }`,
    data,
  );
  const onData = `${head} } generated quantities { vector[6] v = map_rect(job, [0.1, 2]', {[1, 2]', [0.5, 3]', [0, 4]'}, x, y); }`;
  const out = outputsAt(modelOf(onData, data));
  expect([out['v[2]'], out['v[4]'], out['v[6]']]).toEqual([4, 6, 8]);
});

describe('roots of equations', () => {
  // y1 = θ1, y1 y2 = −θ2, so y = (θ1, −θ2 / θ1)
  const system = "vector f(vector y, real a, real b) { return [y[1] - a, y[1] * y[2] + b]'; }";
  const old =
    "vector f(vector y, vector th, array[] real x_r, array[] int x_i) { return [y[1] - th[1], y[1] * y[2] + th[2]]'; }";
  const program = (definition: string, root: string) => `functions { ${definition} }
parameters { real<lower=1, upper=3> a; real b; }
model { vector[2] y = ${root}; target += -square(y[1] - 1) - y[2] * a; }`;
  const closed = program('real g(real x) { return x; }', "[a, -b / a]'");

  it.each([
    [system, "solve_newton(f, [1, 1]', a, b)"],
    [system, "solve_powell(f, [1, 1]', a, b)"],
    [system, "solve_newton_tol(f, [1, 1]', 1e-3, 1e-8, 50, a, b)"],
    [system, "solve_powell_tol(f, [1, 1]', 1e-10, 1e-8, 1000, a, b)"],
    [old, "algebra_solver(f, [1, 1]', [a, b]', {0.0}, {0})"],
    [old, "algebra_solver(f, [1, 1]', [a, b]', {0.0}, {0}, 1e-10, 1e-6, 1e3)"],
    [old, "algebra_solver_newton(f, [1, 1]', [a, b]', {0.0}, {0})"],
    [system, "solve_newton(f, [a, 1]', a, b)"],
  ])('%s: %s', (definition, root) => {
    expectSame(program(definition, root), closed, {}, 1e-10);
  });

  it('are found from far away, through a singular Jacobian, and on data alone', () => {
    const source = `functions {
  vector rosenbrock(vector y) { return [10 * (y[2] - square(y[1])), 1 - y[1]]'; }
  vector line(vector y, real c) { return [square(y[1]) - y[2], y[1] + y[2] - c]'; }
}
generated quantities {
  vector[2] r = solve_powell(rosenbrock, [-1.2, 1]');
  vector[2] c = solve_newton(line, [-0.5, 3]', 2);
}`;
    const out = outputsAt(modelOf(source));
    expect(Object.values(out).map((x) => x.toFixed(10))).toEqual([
      '1.0000000000',
      '1.0000000000',
      '-2.0000000000',
      '4.0000000000',
    ]);
  });

  it('reject the draw with a reason if there is none', () => {
    const source = `functions { vector f(vector y, real a) { return [square(y[1]) + a]'; } }
parameters { real<lower=1> a; }
model { target += solve_newton(f, [1]', a)[1]; }`;
    const model = modelOf(source);
    expect(() => logDensityAt(model, Float64Array.of(0))).toThrow(/norm of the algebraic function/);
  });
});

describe('integrals', () => {
  const old = (body: string) =>
    `real f(real x, real xc, array[] real th, array[] real x_r, array[] int x_i) { return ${body}; }`;
  const open = (body: string) => `real f(real x, real xc, real a, real b) { return ${body}; }`;
  const program = (definition: string, value: string) => `functions { ${definition} }
parameters { real<lower=0.5, upper=2> a; real<lower=0.5, upper=2> b; }
model { target += ${value}; }`;

  // each with its closed form
  it.each([
    [
      'a density over all numbers',
      'exp(-square(x - b) / (2 * square(a)))',
      'negative_infinity(), positive_infinity()',
      'a * sqrt(2 * pi())',
    ],
    ['to infinity', 'exp(-a * x)', 'b, positive_infinity()', 'exp(-a * b) / a'],
    ['from minus infinity across zero', 'exp(a * x)', 'negative_infinity(), b', 'exp(a * b) / a'],
    [
      'between limits that depend on parameters',
      'x * x * a',
      '-a, b',
      'a * (b * b * b + a * a * a) / 3',
    ],
    ['over an empty interval', 'exp(x) * a * b', 'b, b', '0'],
  ])('%s', (_, body, limits, value) => {
    const oldBody = body.replace(/\ba\b/g, 'th[1]').replace(/\bb\b/g, 'th[2]');
    const closed = program('real g(real x) { return x; }', value);
    for (const [definition, call] of [
      [old(oldBody), `integrate_1d(f, ${limits}, {a, b}, {0.0}, {0})`],
      [old(oldBody), `integrate_1d(f, ${limits}, {a, b}, {0.0}, {0}, 1e-10)`],
      [open(body), `integrate_1d_double_exponential(f, ${limits}, a, b)`],
      [open(body), `integrate_1d_double_exponential_tol(f, ${limits}, 1e-10, 1e-14, 12, a, b)`],
      [open(body), `integrate_1d_gauss_kronrod(f, ${limits}, a, b)`],
      [open(body), `integrate_1d_gauss_kronrod_tol(f, ${limits}, 1e-10, 1e-14, 20, a, b)`],
    ])
      expectSame(program(definition, call), closed, {}, 1e-7);
  });

  it('reach a singular limit through the distance to it', () => {
    // ∫ (1 − x)^(b − 1) x^(a − 1) dx = B(a, b), with xc in place of 1 − x near 1
    const body = '(xc > 0 ? xc : 1 - x)^(th[2] - 1) * x^(th[1] - 1)';
    const source = program(old(body), 'log(integrate_1d(f, 0, 1, {a, b}, {0.0}, {0}))');
    expectSame(source, program('real g(real x) { return x; }', 'lbeta(a, b)'), {}, 1e-6);
  });

  it('have the gradient of their value', () => {
    const source = program(
      old('exp(-th[1] * x) * (x_r[1] + x_i[1] * sin(th[2] * x))'),
      'log(integrate_1d(f, a / 4, b, {a, b}, {1.5}, {1}))',
    );
    expect(gradientError(modelOf(source), 4)).toBeLessThan(1e-7);
  });

  it('reject the draw if the tolerance is not reached or the limits are reversed', () => {
    const at = (definition: string, call: string) => () =>
      logDensityAt(modelOf(program(definition, call)), new Float64Array(2));
    expect(
      at(open('a * b / x'), 'integrate_1d_gauss_kronrod_tol(f, 0, 1, 1e-8, 0.0, 4, a, b)'),
    ).toThrow(/error estimate of integral/);
    expect(at(old('x'), 'integrate_1d(f, 2, 1, {a, b}, {0.0}, {0})')).toThrow(/lower limit/);
  });
});

describe('differential equations', () => {
  const program = (call: string) => `functions {
  vector f(real t, vector y, real k) { return [-k * y[1], k * y[1] - 0.5 * y[2]]'; }
}
data { array[3] real ts; }
parameters { real<lower=0.5, upper=2> k; vector<lower=1, upper=2>[2] y0; }
model { array[3] vector[2] y = ${call}; target += y[1][1] - square(y[2][2]) + y[3][1] * y[3][2]; }`;
  const ts = { ts: [0.3, 1.2, 4] };
  const reference = program('ode_rk45_tol(f, y0, 0, ts, 1e-11, 1e-11, 100000, k)');

  it.each([
    'ode_ckrk(f, y0, 0, ts, k)',
    'ode_ckrk_tol(f, y0, 0, ts, 1e-8, 1e-8, 10000, k)',
    'ode_adams(f, y0, 0, ts, k)',
    'ode_adams_tol(f, y0, 0, ts, 1e-8, 1e-8, 10000, k)',
    "ode_adjoint_tol_ctl(f, y0, 0, ts, 1e-8, [1e-8, 1e-9]', 1e-6, [1e-6, 1e-6]', 1e-6, 1e-6, 10000, 250, 1, 1, 2, k)",
    "ode_adjoint_tol_ctl(f, y0, 0, ts, 1e-8, [1e-8, 1e-9]', 1e-6, [1e-6, 1e-6]', 1e-6, 1e-6, 10000, 250, 2, 2, 1, k)",
  ])('%s', (call) => {
    expectSame(program(call), reference, ts, 2e-5);
  });

  it('check the options of the adjoint method', () => {
    const call =
      "ode_adjoint_tol_ctl(f, y0, 0, ts, 1e-8, [1e-8, 1e-9]', 1e-6, [1e-6, 1e-6]', 1e-6, 1e-6, 10000, 250, 3, 1, 2, k)";
    expect(() => logDensityAt(modelOf(program(call), ts), new Float64Array(3))).toThrow(
      /interpolation_polynomial/,
    );
  });
});

function logFactorial(n: number): number {
  let sum = 0;
  for (let k = 2; k <= n; k++) sum += Math.log(k);
  return sum;
}
