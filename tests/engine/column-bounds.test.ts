/** The declared range of each output column, from the program's source and its data. */
import { describe, expect, it } from 'vitest';
import { type ColumnBounds, columnBounds } from '../../src/engine/column-bounds.ts';
import { modelOf, outputsAt, pointOf } from '../support/stan-program.ts';

function boundsOf(source: string, data: Record<string, unknown> = {}) {
  const model = modelOf(source, data);
  const bounds = columnBounds(model.variables);
  expect(bounds).toHaveLength(model.columns.length);
  return new Map(model.columns.map((name, k) => [name, bounds[k]]));
}

const declared = (parameters: string, data = '') => `
data { ${data} }
parameters { ${parameters} }
model {}`;

describe('bounds of output columns', () => {
  it.each<[string, ColumnBounds]>([
    ['real x;', {}],
    ['real<lower=0> x;', { lower: 0 }],
    ['real<upper=-2.5> x;', { upper: -2.5 }],
    ['real<lower=-1, upper=1> x;', { lower: -1, upper: 1 }],
    ['real<lower=negative_infinity()> x;', {}],
    ['real<offset=3, multiplier=2> x;', {}],
    ['real<lower=sqrt(16)> x;', { lower: 4 }],
  ])('of %s', (declaration, expected) => {
    expect(boundsOf(declared(declaration)).get('x')).toEqual(expected);
  });

  it('are known once the data are read', () => {
    const source = declared(
      'real<lower=low, upper=max(y)> x; vector<lower=y>[3] v; array[2] vector<upper=y>[3] w;',
      'real low; vector[3] y;',
    );
    const bounds = boundsOf(source, { low: -4, y: [1, 2, 3] });
    expect(bounds.get('x')).toEqual({ lower: -4, upper: 3 });
    expect(bounds.get('v[2]')).toEqual({ lower: 2 });
    for (const i of [1, 2, 3]) {
      expect(bounds.get(`w[1,${i}]`)).toEqual({ upper: i });
      expect(bounds.get(`w[2,${i}]`)).toEqual({ upper: i });
    }
  });

  it('follow the elements of an array of bounds, first index fastest', () => {
    const source = declared(
      'array[2, 3] real<lower=a> x; matrix<upper=m>[2, 2] z;',
      'array[2, 3] real a; matrix[2, 2] m;',
    );
    const a = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    const bounds = boundsOf(source, {
      a,
      m: [
        [7, 8],
        [9, 10],
      ],
    });
    expect(bounds.get('x[1,3]')).toEqual({ lower: 3 });
    expect(bounds.get('x[2,1]')).toEqual({ lower: 4 });
    expect(bounds.get('z[1,2]')).toEqual({ upper: 8 });
    expect(bounds.get('z[2,1]')).toEqual({ upper: 9 });
  });

  it('that depend on parameters are omitted, and the other bound is kept', () => {
    const bounds = boundsOf(declared('real a; real<lower=a, upper=9> b; real<upper=2 * a> c;'));
    expect(bounds.get('b')).toEqual({ upper: 9 });
    expect(bounds.get('c')).toEqual({});
  });

  it('that call a user-defined function are not evaluated, since it may print or reject', () => {
    const source = `functions { real f(real x) { reject("called"); return x; } }
parameters { real<lower=f(1)> b; real<lower=1> c; } model {}`;
    const bounds = boundsOf(source);
    expect([bounds.get('b'), bounds.get('c')]).toEqual([{}, { lower: 1 }]);
  });

  it('include those of transformed parameters, generated quantities and integers', () => {
    const bounds = boundsOf(`parameters { real x; }
transformed parameters { real<lower=0> s = exp(x); }
model {}
generated quantities { array[2] int<lower=0, upper=1> hit = {0, 1}; }`);
    expect(bounds.get('s')).toEqual({ lower: 0 });
    expect(bounds.get('hit[2]')).toEqual({ lower: 0, upper: 1 });
  });

  it('of constrained types are those of their elements', () => {
    const bounds = boundsOf(
      declared(`simplex[3] s; unit_vector[3] u; positive_ordered[2] p; ordered[2] o;
        array[2] corr_matrix[2] r; cov_matrix[2] c; cholesky_factor_corr[2] l; sum_to_zero_vector[3] z;
        column_stochastic_matrix[2, 3] cs; row_stochastic_matrix[2, 3] rs;`),
    );
    expect(bounds.get('s[2]')).toEqual({ lower: 0, upper: 1 });
    expect(bounds.get('u[1]')).toEqual({ lower: -1, upper: 1 });
    expect(bounds.get('p[2]')).toEqual({ lower: 0 });
    expect(bounds.get('o[1]')).toEqual({});
    expect(bounds.get('z[1]')).toEqual({});
    expect(bounds.get('r[2,1,2]')).toEqual({ lower: -1, upper: 1 });
    expect(bounds.get('c[1,1]')).toEqual({ lower: 0 });
    expect(bounds.get('c[2,1]')).toEqual({});
    expect(bounds.get('l[2,2]')).toEqual({ lower: 0, upper: 1 });
    expect(bounds.get('l[2,1]')).toEqual({ lower: -1, upper: 1 });
    for (const name of ['cs[1,3]', 'rs[2,1]'])
      expect(bounds.get(name)).toEqual({ lower: 0, upper: 1 });
  });

  it('of an array of matrices are on the diagonal of each matrix', () => {
    const bounds = boundsOf(declared('array[2, 3] cholesky_factor_cov[3, 2] f;'));
    const positive = [...bounds].filter(([, { lower }]) => lower === 0).map(([name]) => name);
    const arrays = ['1,1', '2,1', '1,2', '2,2', '1,3', '2,3'];
    const onDiagonal = ['1,1', '2,2'].flatMap((place) =>
      arrays.map((array) => `f[${array},${place}]`),
    );
    expect(positive).toEqual(onDiagonal);
  });

  it('contain the values that the program outputs', () => {
    const source = declared(
      `simplex[3] s; array[2] unit_vector[3] u; positive_ordered[3] p; array[2] cov_matrix[2] c;
       cholesky_factor_corr[3] l; cholesky_factor_cov[3, 2] f; vector<lower=y, upper=y + 1>[2] v;`,
      'vector[2] y;',
    );
    const model = modelOf(source, { y: [3, -3] });
    const bounds = columnBounds(model.variables);
    for (const seed of [1, 2, 3]) {
      const values = outputsAt(model, pointOf(model, seed));
      model.columns.forEach((name, k) => {
        expect(values[name]).toBeGreaterThanOrEqual(bounds[k].lower ?? -Infinity);
        expect(values[name]).toBeLessThanOrEqual(bounds[k].upper ?? Infinity);
      });
    }
  });
});
