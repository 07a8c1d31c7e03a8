/** Data of a model: errors explained in plain English, and what JSON can express. */
import { describe, expect, it } from 'vitest';
import { modelOf, outputsAt, refusalOf } from '../support/stan-program.ts';

describe('data for a program', () => {
  const declare = (declaration: string) => `data { int K; ${declaration} } parameters { real p; }`;
  it.each([
    ['real x;', {}, '`x` is missing from the data: must be a number (in data, line 1)'],
    ['int x;', {}, '`x` is missing from the data: must be a whole number (in data, line 1)'],
    [
      'array[2, 3] int x;',
      {},
      '`x` is missing from the data: must be an array of 2 × 3 whole numbers (in data, line 1)',
    ],
    [
      'array[4] vector[2] x;',
      {},
      '`x` is missing from the data: must be an array of 4 × 2 numbers (in data, line 1)',
    ],
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
  ])('are refused with a message: %s', (declaration, data, message) => {
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
  ])('are refused for %s with a broken constraint', (declaration, data, message) => {
    expect(refusalOf(declare(declaration), { K: 3, ...data })).toMatch(message);
  });

  it('may hold numbers, infinities and containers', () => {
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

  it('do not include inherited properties of Object', () => {
    expect(refusalOf('data { real constructor; }')).toContain('`constructor` is missing');
  });
});
