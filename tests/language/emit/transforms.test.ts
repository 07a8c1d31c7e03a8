/** Constraining transforms as functions, and `jacobian +=`: against declared constraints, closed forms and each other. */
import { describe, expect, it } from 'vitest';
import type { DataJson } from '../../../src/language/program.ts';
import { expectSameDensity } from '../../support/same-density.ts';
import {
  logDensityAt,
  modelOf,
  outputsAt,
  pointOf,
  refusalOf,
} from '../../support/stan-program.ts';

/** Log density, gradient and the outputs named in both, of two programs with the same unconstrained parameters. */
function expectSame(first: string, second: string, data: DataJson = {}): void {
  const [a, b] = [modelOf(first, data), modelOf(second, data)];
  expectSameDensity(a, b, 1e-11);
  for (const seed of [1, 2, 3]) {
    const theta = pointOf(a, seed);
    const [p, q] = [outputsAt(a, theta), outputsAt(b, theta)];
    const shared = Object.keys(p).filter((column) => column.startsWith('x'));
    expect(shared.length).toBeGreaterThan(0);
    for (const column of shared) expect(q[column], column).toBeCloseTo(p[column], 12);
  }
}

/** A declaration, its free `u`, and the function call that does the same. */
const declared: Readonly<
  Record<string, readonly [declaration: string, free: string, call: string]>
> = {
  lower_bound: [
    'vector<lower=-1>[3] x;',
    'vector[3] u;',
    'vector[3] x = lower_bound_jacobian(u, -1);',
  ],
  upper_bound: [
    'vector<upper=b>[3] x;',
    'vector[3] u;',
    'vector[3] x = upper_bound_jacobian(u, b);',
  ],
  lower_upper_bound: [
    'matrix<lower=a, upper=b>[2, 2] x;',
    'matrix[2, 2] u;',
    'matrix[2, 2] x = lower_upper_bound_jacobian(u, a, b);',
  ],
  offset_multiplier: [
    'array[2] row_vector<offset=a, multiplier=2>[2] x;',
    'array[2] row_vector[2] u;',
    'array[2] row_vector[2] x = offset_multiplier_jacobian(u, a, 2);',
  ],
  ordered: ['ordered[3] x;', 'vector[3] u;', 'vector[3] x = ordered_jacobian(u);'],
  positive_ordered: [
    'array[2] positive_ordered[3] x;',
    'array[2] vector[3] u;',
    'array[2] vector[3] x = positive_ordered_jacobian(u);',
  ],
  unit_vector: ['unit_vector[3] x;', 'vector[3] u;', 'vector[3] x = unit_vector_jacobian(u);'],
  sum_to_zero: [
    'sum_to_zero_vector[4] x;',
    'vector[3] u;',
    'vector[4] x = sum_to_zero_jacobian(u);',
  ],
  cholesky_factor_corr: [
    'array[2] cholesky_factor_corr[3] x;',
    'array[2] vector[3] u;',
    'array[2] matrix[3, 3] x = cholesky_factor_corr_jacobian(u, 3);',
  ],
  cholesky_factor_cov: [
    'cholesky_factor_cov[3, 2] x;',
    'vector[5] u;',
    'matrix[3, 2] x = cholesky_factor_cov_jacobian(u, 3, 2);',
  ],
  corr_matrix: [
    'corr_matrix[3] x;',
    'vector[3] u;',
    'matrix[3, 3] x = corr_matrix_jacobian(u, 3);',
  ],
  cov_matrix: ['cov_matrix[2] x;', 'vector[3] u;', 'matrix[2, 2] x = cov_matrix_jacobian(u, 2);'],
};

const flat: Readonly<Record<string, string>> = {
  offset_multiplier: 'to_vector(append_row(x[1], x[2]))',
  positive_ordered: 'append_row(x[1], x[2])',
  cholesky_factor_corr: 'append_row(to_vector(x[1]), to_vector(x[2]))',
};

describe.each(Object.keys(declared))('%s_jacobian', (kind) => {
  const [declaration, free, call] = declared[kind];
  const density = `sum(square(${flat[kind] ?? 'to_vector(x)'} - 0.3))`;
  const bounds = 'real a; real<lower=a> b;';
  const parameters = `parameters { ${bounds} ${free} }`;

  it('matches the declared constraint', () => {
    const model = `model { target += -0.7 * ${density} - a ^ 2 - b ^ 2; }`;
    expectSame(
      `parameters { ${bounds} ${declaration} }\n${model}`,
      `${parameters}\ntransformed parameters { ${call} }\n${model}`,
    );
  });

  it('without the Jacobian equals the constrain function', () => {
    const program = (text: string) =>
      `${parameters}\ntransformed parameters { ${text} }\nmodel { target += ${density}; }`;
    const adding = modelOf(program(call));
    const plain = modelOf(program(call.replace('_jacobian', '_constrain')));
    const theta = pointOf(plain, 4);
    const at = (model: typeof plain) => {
      const gradient = new Float64Array(theta.length);
      return [model.logDensityGradient(theta, gradient, false), ...gradient];
    };
    expect(at(adding)).toEqual(at(plain));
    expect(outputsAt(adding, theta)).toEqual(outputsAt(plain, theta));
  });

  it('is inverted by the unconstrain function, with its derivatives', () => {
    if (kind === 'unit_vector') return;
    const own = call.replace('_jacobian', '_constrain');
    const bound = /\(u(.*)\)/.exec(own)?.[1] ?? '';
    const isBound = kind.endsWith('bound') || kind.startsWith('offset');
    const type = free.replace(' u;', '');
    const back = `${type} w = ${kind}_unconstrain(x${isBound ? bound : ''});`;
    const sum = (name: string) =>
      /array/.test(free) ? `sum(sin(${name}[1])) + 2 * sum(cos(${name}[2]))` : `sum(sin(${name}))`;
    // the same on data in generated quantities
    expectSame(
      `${parameters} transformed parameters { ${own} }
       model { target += ${sum('u')} - b ^ 2; }
       generated quantities { ${type} x_back = u; }`,
      `${parameters} transformed parameters { ${own} }
       model { ${back} target += ${sum('w')} - b ^ 2; }
       generated quantities { ${type} x_back; { ${back} x_back = w; } }`,
    );
  });
});

describe('simplexes as functions', () => {
  // softmax of a vector that sums to zero, by the formulas of Stan's reference manual
  const softmax = `functions {
    vector by_hand_jacobian(vector u) {
      int n = rows(u);
      vector[n + 1] z = rep_vector(0, n + 1);
      real total = 0;
      for (k in 1:n) {
        int i = n - k + 1;
        real w = u[i] / sqrt(i * (i + 1.0));
        total += w;
        z[i] += total;
        z[i + 1] -= w * i;
      }
      jacobian += 0.5 * log(n + 1) + sum(log_softmax(z));
      return softmax(z);
    }
  }`;
  const model = "model { x ~ dirichlet([2, 1, 4]'); }";

  it('simplex_jacobian is the softmax of a vector that sums to zero', () => {
    expectSame(
      `parameters { vector[2] u; } transformed parameters { vector[3] x = simplex_jacobian(u); } ${model}`,
      `${softmax} parameters { vector[2] u; }
       transformed parameters { simplex[3] x = by_hand_jacobian(u); } ${model}`,
    );
  });

  it('has the density of a declared simplex', () => {
    // both parametrisations give x the same density, so its logarithm differs by the transforms' Jacobians alone
    const program = modelOf(
      `parameters { vector[3] u; } transformed parameters { vector[4] x = simplex_jacobian(u); } model { }`,
    );
    const theta = Float64Array.of(0.3, -0.8, 0.5);
    const volume = Math.log(Math.abs(determinant(numericJacobian(program, theta, 3))));
    expect(logDensityAt(program, theta)).toBeCloseTo(volume, 8);
  });

  it('columns and rows of stochastic matrices are simplexes', () => {
    const head = 'parameters { matrix[2, 3] u; }';
    const columns = (text: string) => `${head} transformed parameters { ${text} }
      model { target += sum(log(x)) + x[1, 1]; }`;
    expectSame(
      columns('matrix[3, 3] x = stochastic_column_jacobian(u);'),
      columns('matrix[3, 3] x; for (j in 1:3) x[, j] = simplex_jacobian(u[, j]);'),
    );
    expectSame(
      columns('matrix[2, 4] x = stochastic_row_jacobian(u);'),
      columns("matrix[2, 4] x; for (i in 1:2) x[i] = simplex_jacobian(u[i]')';"),
    );
  });

  it('matrices sum to zero along both dimensions', () => {
    const program = modelOf(`parameters { array[2] matrix[2, 3] u; }
      transformed parameters { array[2] matrix[3, 4] x = sum_to_zero_jacobian(u); }
      model { target += sum(x[1] .* x[1]) + sum(x[2] .* x[2]); }
      generated quantities {
        vector[4] zeros_1 = columns_dot_product(rep_matrix(1, 3, 4), x[1])';
        vector[3] zeros_2 = rows_dot_product(x[2], rep_matrix(1, 3, 4));
        array[2] matrix[2, 3] back = sum_to_zero_unconstrain(x);
      }`);
    const theta = pointOf(program, 2);
    const outputs = outputsAt(program, theta);
    for (const [name, value] of Object.entries(outputs)) {
      if (name.startsWith('zeros')) expect(value).toBeCloseTo(0, 12);
      if (name.startsWith('back'))
        expect(value).toBeCloseTo(outputs[name.replace('back', 'u')], 12);
    }
    // isometric: the norms agree
    const length = theta.reduce((sum, u) => sum + u * u, 0);
    expect(logDensityAt(program, theta)).toBeCloseTo(length, 11);
  });

  it('every structured inverse has derivatives', () => {
    for (const [type, size, kind] of [
      ['vector', '2', 'simplex'],
      ['matrix', '2, 3', 'stochastic_column'],
      ['matrix', '2, 3', 'stochastic_row'],
      ['matrix', '2, 3', 'sum_to_zero'],
    ])
      expectSame(
        `parameters { ${type}[${size}] u; } transformed parameters { ${type}[${size}] x = u; }
         model { target += sum(sin(u)); }`,
        `parameters { ${type}[${size}] u; }
         transformed parameters { ${type}[${size}] x = ${kind}_unconstrain(${kind}_constrain(u)); }
         model { target += sum(sin(x)); }`,
      );
  });
});

/** d x_i / d u_j of the first n outputs that are transformed parameters. */
function numericJacobian(model: ReturnType<typeof modelOf>, theta: Float64Array, n: number) {
  const h = 1e-5;
  const at = (j: number, step: number) => {
    const moved = theta.slice();
    moved[j] += step;
    return outputsAt(model, moved);
  };
  return Array.from({ length: n }, (_, i) =>
    Array.from(theta, (_u, j) => {
      const [up, down] = [at(j, h), at(j, -h)];
      return (up[`x[${i + 1}]`] - down[`x[${i + 1}]`]) / (2 * h);
    }),
  );
}

/** By expansion along the first row. */
function determinant(rows: readonly (readonly number[])[]): number {
  if (rows.length === 1) return rows[0][0];
  return rows[0].reduce((sum, value, j) => {
    const minor = rows.slice(1).map((row) => row.filter((_, k) => k !== j));
    return sum + (j % 2 === 0 ? 1 : -1) * value * determinant(minor);
  }, 0);
}

describe('jacobian +=', () => {
  const functions = `functions {
    real below_jacobian(real x, real bound) {
      jacobian += x;
      return bound - exp(x);
    }
    vector below_jacobian(vector x, real bound) {
      vector[size(x)] y;
      for (n in 1:size(x)) y[n] = below_jacobian(x[n], bound);
      return y;
    }
  }`;
  const model = 'model { x ~ normal(0, 1); bound ~ normal(2, 1); }';

  it('in functions, loops and the block matches the declared bound', () => {
    const wanted = `parameters { real bound; vector<upper=bound>[3] x; } ${model}`;
    const own = (text: string) =>
      `${functions} parameters { real bound; vector[3] u; } transformed parameters { vector[3] x; ${text} } ${model}`;
    for (const text of [
      'x = below_jacobian(u, bound);',
      'for (n in 1:3) x[n] = below_jacobian(u[n], bound);',
      'for (n in 1:3) { jacobian += u[n]; x[n] = bound - exp(u[n]); }',
      'jacobian += u; x = bound - exp(u);',
      'if (bound > -100) { jacobian += sum(u); } x = bound - exp(u);',
    ])
      expectSame(wanted, own(text));
  });

  it('in a function that returns a tuple adds once', () => {
    const both = `functions { tuple(real, real) both_jacobian(real u) { jacobian += u; return (exp(u), u); } }`;
    expectSame(
      'parameters { real<lower=0> x; } model { x ~ gamma(3, 2); }',
      `${both} parameters { real u; } transformed parameters { real x; real y; (x, y) = both_jacobian(u); } model { x ~ gamma(3, 2); }`,
    );
  });

  it('is ignored by the density without the Jacobian', () => {
    const program = modelOf(
      'parameters { real u; } transformed parameters { real x = exp(u); jacobian += u; } model { x ~ gamma(3, 2); }',
    );
    const gradient = new Float64Array(1);
    // the mode of gamma(3, 2) is 1, on the scale of x
    program.logDensityGradient(Float64Array.of(0), gradient, false);
    expect(gradient[0]).toBeCloseTo(0, 12);
    program.logDensityGradient(Float64Array.of(0), gradient, true);
    expect(gradient[0]).toBeCloseTo(1, 12);
  });

  it('is allowed only in transformed parameters and functions that end in _jacobian', () => {
    const where = 'transformed parameters and functions that end in `_jacobian`';
    const adds = `\`jacobian +=\` can only be used in ${where}.`;
    for (const source of [
      'parameters { real x; } model { jacobian += x; }',
      'functions { real f(real x) { jacobian += x; return x; } } model { }',
      'functions { real f_lp(real x) { jacobian += x; return x; } } model { }',
      'generated quantities { jacobian += 1; }',
    ])
      expect(refusalOf(source)).toContain(adds);
    const called = (name: string) => `\`${name}\` can only be used in ${where}.`;
    for (const [source, name] of [
      [
        `${functions} parameters { real u; } model { real x = below_jacobian(u, 1); }`,
        'below_jacobian',
      ],
      [
        'parameters { real u; } model { real x = lower_bound_jacobian(u, 1); }',
        'lower_bound_jacobian',
      ],
      ['transformed data { real x = lower_bound_jacobian(1, 1); }', 'lower_bound_jacobian'],
      [
        'functions { real f_jacobian(real x) { return x; } real f(real x) { return f_jacobian(x); } } model { }',
        'f_jacobian',
      ],
    ])
      expect(refusalOf(source)).toContain(called(name));
    expect(refusalOf('data { real jacobian; } model { }')).toContain('jacobian');
    expect(refusalOf('transformed parameters { jacobian = 1; }')).toContain('+=');
  });

  it('is not allowed in a function that is passed as an argument', () => {
    const source = `functions { vector f_jacobian(real t, vector y) { jacobian += t; return y; } }
      transformed parameters { array[1] vector[1] y = ode_rk45(f_jacobian, [1]', 0, {1.0}); } model { }`;
    expect(refusalOf(source)).toContain('f_jacobian');
  });
});

describe('transforms refuse', () => {
  it('bounds of another shape', () => {
    for (const call of [
      'lower_bound_constrain(1.0, [1, 2])',
      "lower_bound_constrain([1, 2], [1, 2]')",
      'simplex_constrain([1, 2])',
      "corr_matrix_constrain([1]')",
    ])
      expect(refusalOf(`transformed data { real x = sum(${call}); } model { }`)).toContain(
        call.split('(')[0],
      );
  });

  it('values that break the constraint, and numbers of free values that match no matrix', () => {
    const run = (text: string) => () =>
      outputsAt(modelOf(`parameters { real p; } model { } generated quantities { ${text} }`));
    expect(run("vector[1] x = simplex_unconstrain([0.4, 0.4]');")).toThrow('simplex');
    expect(run('real x = lower_bound_unconstrain(0, 1);')).toThrow('greater than or equal to 1');
    expect(run("matrix[3, 3] x = corr_matrix_constrain([1, 2]', 3);")).toThrow('3 free values');
    expect(
      run("array[2] vector[2] x = lower_bound_constrain({[1, 2]', [3, 4]'}, {[0, 0]'});"),
    ).toThrow('sizes 2 and 1');
  });
});
