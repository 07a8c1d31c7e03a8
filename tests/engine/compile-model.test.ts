/**
 * Programs from source and data to a model: densities by hand, transforms, data in plain words, limits. Longer than
 * most: one table of constraints and one of wrong data, a line a case.
 */
import { describe, expect, it } from 'vitest';
import { compileModel, LoopBudgetError, linkProgram } from '../../src/engine/compile-model.ts';
import { Tape } from '../../src/math/autodiff/tape.ts';
import { DomainError, ShapeError } from '../../src/math/errors.ts';
import {
  gradientError,
  logDensityAt,
  modelOf,
  outputsAt,
  pointOf,
  refusalOf,
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

  it('names its columns, and gives constrained values', () => {
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

  it('takes initial values back to the unconstrained scale', () => {
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

  it.each(Object.keys(declarations))('%s comes back from its constrained value', (declared) => {
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

describe('data in plain words', () => {
  const declare = (declaration: string) => `data { int K; ${declaration} } parameters { real p; }`;
  it.each([
    ['real x;', {}, '`x` is missing from the data (in data, line 1)'],
    ['int x;', { x: 1.5 }, '`x` is 1.5: must be a whole number'],
    ['int x;', { x: 'many' }, '`x` is "many": must be a whole number'],
    ['int x;', { x: 3e9 }, '`x` is 3000000000: must be from -2147483647 to 2147483647'],
    ['real x;', { x: [1] }, '`x` is an array of 1: must be a number'],
    ['real x;', { x: null }, '`x` is null: must be a number'],
    ['vector[K] x;', { x: 3 }, '`x` is 3: must be an array of 3'],
    ['vector[K] x;', { x: [1, 2] }, '`x` has size 2: must be 3'],
    ['vector[K] x;', { x: [1, 'a', 2] }, '`x[2]` is "a": must be a number'],
    [
      'array[2, K] int x;',
      {
        x: [
          [1, 2, 3],
          [1, 2],
        ],
      },
      '`x[2]` has size 2: must be 3',
    ],
    [
      'array[2, K] int x;',
      {
        x: [
          [1, 2, 3],
          [1, 2, 0.5],
        ],
      },
      '`x[2,3]` is 0.5: must be a whole number',
    ],
    [
      'matrix[2, K] x;',
      {
        x: [
          [1, 2, 3],
          [1, true, 3],
        ],
      },
      '`x[2,2]` is true: must be a number',
    ],
    ['vector<lower=0>[K] x;', { x: [1, -9, 2] }, '`x[2]` is -9: must be at least 0'],
    ['real<lower=0, upper=1> x;', { x: 1.25 }, '`x` is 1.25: must be at most 1'],
    ['real<lower=0> x;', { x: 'NaN' }, '`x` is NaN: must be at least 0'],
    [
      "array[2] vector<upper=[1, 2, 3]'>[K] x;",
      {
        x: [
          [1, 2, 3],
          [1, 2.5, 3],
        ],
      },
      '`x[2,2]` is 2.5: must be at most 2',
    ],
    [
      'matrix<lower=0>[2, 2] x;',
      {
        x: [
          [1, 2],
          [-3, 4],
        ],
      },
      '`x[2,1]` is -3: must be at least 0',
    ],
    ['array[K - 5] real x;', { x: [] }, 'a size is -2: must be at least 0'],
  ])('%s', (declaration, data, message) => {
    expect(refusalOf(declare(declaration), { K: 3, ...data })).toContain(message);
  });

  it.each([
    ['simplex[2] x;', { x: [0.5, 0.6] }, /x.*simplex/],
    ['ordered[2] x;', { x: [2, 1] }, /x.*order/],
    [
      'array[2] simplex[2] x;',
      {
        x: [
          [0.5, 0.5],
          [0.5, 0.6],
        ],
      },
      /x\[2\].*simplex/,
    ],
    [
      'cov_matrix[2] x;',
      {
        x: [
          [1, 2],
          [2, 1],
        ],
      },
      /x.*positive definite/,
    ],
    ['column_stochastic_matrix[2, 1] x;', { x: [[0.5], [0.4]] }, /column 1 of `x` sums to 0.9/],
  ])('%s with a broken constraint', (declaration, data, message) => {
    expect(refusalOf(declare(declaration), { K: 3, ...data })).toMatch(message);
  });

  it('reads what JSON can say', () => {
    const source = `data { int n; real a; real b; vector[2] v; matrix[2, 3] m; array[2, 2] int k; array[0, 3] real none; array[2] vector[0] empty; array[2] matrix[1, 2] mm; }
generated quantities { array[9] real x = {n, a, b, v[2], m[2, 3], k[2, 1], size(none), size(empty), mm[2][1, 2]}; }`;
    const data = {
      n: -3,
      a: 'Inf',
      b: '-inf',
      v: [1, 2.5],
      m: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      k: [
        [1, 2],
        [3, 4],
      ],
      none: [],
      empty: [[], []],
      mm: [[[1, 2]], [[3, 4]]],
      unused: 'x',
    };
    expect(Object.values(outputsAt(modelOf(source, data)))).toEqual([
      -3,
      Infinity,
      -Infinity,
      2.5,
      6,
      3,
      0,
      2,
      4,
    ]);
  });

  it('does not take names of Object for data', () => {
    expect(refusalOf('data { real constructor; }')).toContain('`constructor` is missing');
  });
});

describe('errors while running', () => {
  const failing = (body: string, data = '') => {
    const model = modelOf(`parameters { real p; }\nmodel {\n${data}\n${body}\n}`);
    return () => logDensityAt(model, Float64Array.of(-0.5));
  };
  it.each([
    [
      'vector[8] x; target += x[9];',
      ShapeError,
      'accessing `x`: index 9 is out of range 1 to 8 (in model, line 4)',
    ],
    ['vector[2] x; x[0] = p;', ShapeError, 'accessing `x`: index 0 is out of range 1 to 2'],
    [
      'array[0] int x; target += x[1];',
      ShapeError,
      'accessing `x`: index 1, but it has no elements',
    ],
    ['matrix[2, 3] x; target += x[2, 4];', ShapeError, 'index 4 is out of range 1 to 3'],
    ['vector[3] x; target += sum(x[2:4]);', ShapeError, 'index 4 is out of range 1 to 3'],
    [
      "vector[3] x = [p, p]';",
      ShapeError,
      '`x` is declared with size 3, but is assigned a value of size 2',
    ],
    [
      "vector[3] x; x = [p, p]';",
      ShapeError,
      '`x` is declared with size 3, but is assigned a value of size 2',
    ],
    ["vector[3] x; x[1:2] = [p, p, p]';", ShapeError, 'assigning to `x`: 2 places, but 3 values'],
    [
      'vector[3] x; vector[2] z; target += sum(x + z);',
      ShapeError,
      'sizes of the operands must match: found 3 and 2',
    ],
    ['int k = 0; int j = 3 %/% k;', DomainError, 'integer division of 3 by zero'],
    ['int k = 0; int j = 3 % k;', DomainError, 'remainder of 3 divided by zero'],
    ['reject("p is ", p, " and ", [1, 2]);', DomainError, 'p is -0.5 and [1,2] (in model, line 4)'],
    ['fatal_error("stop: ", {1, 2});', Error, 'stop: [1,2]'],
    ['real x = normal_lpdf(p | 0, -1);', DomainError, '(in model, line 4)'],
    ['vector[-1] x;', ShapeError, 'a size is -1: must be at least 0'],
  ])('%s', (body, kind, message) => {
    expect(failing(body)).toThrow(kind);
    expect(failing(body)).toThrow(message);
  });

  it('names the function and the line inside it', () => {
    const source = `functions {
  real f(vector x) {
    return x[3];
  }
}
parameters { vector[2] p; }
model { target += f(p); }`;
    const model = modelOf(source);
    expect(() => logDensityAt(model, new Float64Array(2))).toThrow('(in function f, line 3)');
  });

  it('checks what transformed parameters and generated quantities declare', () => {
    const source = `parameters { real p; }
transformed parameters { real<lower=0> t = p; }
generated quantities { simplex[2] s = [p, p]'; }`;
    const model = modelOf(source);
    const message = '`t` is -1: must be at least 0 (in transformed parameters, line 2)';
    expect(() => logDensityAt(model, Float64Array.of(-1))).toThrow(message);
    expect(() => outputsAt(model, Float64Array.of(-1))).toThrow(message);
    expect(() => outputsAt(model, Float64Array.of(2))).toThrow(
      /s.*simplex.*generated quantities, line 3/,
    );
  });
});

describe('limits and surroundings', () => {
  it('ends endless recursion', () => {
    const source = `functions { real f(real x) { return 1 + f(x + 1); } }
parameters { real p; } model { target += f(p); }`;
    expect(() => logDensityAt(modelOf(source), Float64Array.of(1))).toThrow(
      'calls are nested too deeply',
    );
  });

  it('ends endless loops', () => {
    const source = `parameters { real p; } model { if (p > 0) { while (1) {} } else { for (i in 1:2000000000) {} } }`;
    const model = modelOf(source, {}, { limits: { ticks: 10_000 } });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(LoopBudgetError);
    expect(() => logDensityAt(model, Float64Array.of(-1))).toThrow('more than 10000 loop steps');
  });

  it('asks for the time now and then', () => {
    let asked = 0;
    const limits = {
      checkTime: () => {
        asked++;
        throw new Error('time is up');
      },
    };
    const model = modelOf('parameters { real p; } model { while (1) {} }', {}, { limits });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow('time is up');
    expect(asked).toBe(1);
  });

  it('bounds containers and the tape', () => {
    const huge = modelOf('parameters { real p; } model { vector[2000000000] x; }');
    expect(() => logDensityAt(huge, Float64Array.of(1))).toThrow('larger than the limit');
    const long = modelOf(
      'parameters { real p; } model { real x = p; for (i in 1:10000000) x = x * p; target += x; }',
      {},
      { limits: { tapeBytes: 1e6 } },
    );
    expect(() => logDensityAt(long, Float64Array.of(1))).toThrow('needs more than');
  });

  it('prints values of the tape and of data', () => {
    const lines: string[] = [];
    const source = `parameters { real p; vector[2] v; } model { print("p=", p, " v=", v, " m=", [[1, 2], [3, 4]], " ", {0.1, 1e10, 1 / 3.0}); }`;
    const model = modelOf(source, {}, { print: (text) => lines.push(text) });
    logDensityAt(model, Float64Array.of(0.5, 1, -2));
    expect(lines).toEqual(['p=0.5 v=[1,-2] m=[[1,2],[3,4]] [0.1,10000000000,0.333333]']);
  });

  it('includes files of the model and names them in errors', () => {
    const files = new Map([
      ['lib/f.stan', 'real twice(real x) {\n  array[1] real a;\n  return a[2] * x;\n}\n'],
    ]);
    const source =
      'functions {\n#include lib/f.stan\n}\nparameters { real p; } model { target += twice(p); }';
    const model = modelOf(source, {}, { files });
    expect(() => logDensityAt(model, Float64Array.of(1))).toThrow(
      '(in function twice, line 3 of lib/f.stan)',
    );
    expect(refusalOf(source)).toContain('lib/f.stan');
  });

  it('gives the same draws of transformed data and generated quantities for the same seeds', () => {
    const source = `transformed data { real t = normal_rng(0, 1); }
generated quantities { real x = t; real z = normal_rng(t, 1); array[2] int k = {poisson_rng(3), binomial_rng(10, 0.5)}; }`;
    const first = outputsAt(modelOf(source, {}, { rng: testRng(9) }), undefined, 3);
    const again = outputsAt(modelOf(source, {}, { rng: testRng(9) }), undefined, 3);
    const other = outputsAt(modelOf(source, {}, { rng: testRng(10) }), undefined, 3);
    expect(again).toEqual(first);
    expect(other.x).not.toBe(first.x);
  });

  it('runs programs without parameters', () => {
    const model = modelOf(
      "generated quantities { int k = 3; matrix[2, 2] m = [[1, 2], [3, 4]]; array[2] vector[2] v = {m[1]', m[2]'}; }",
    );
    expect(model.numUnconstrained).toBe(0);
    expect(outputsAt(model)).toEqual({
      k: 3,
      'm[1,1]': 1,
      'm[2,1]': 3,
      'm[1,2]': 2,
      'm[2,2]': 4,
      'v[1,1]': 1,
      'v[2,1]': 3,
      'v[1,2]': 2,
      'v[2,2]': 4,
    });
  });
});
