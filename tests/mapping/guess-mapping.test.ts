import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMapping } from '../../src/mapping/apply-mapping.ts';
import { guessMapping } from '../../src/mapping/guess-mapping.ts';
import { tableOf, wantedOf } from './tables.ts';

const hierarchical = `
  int<lower=1> N; int<lower=1> J;
  array[N] int<lower=1, upper=J> g; vector[N] x; array[N] int<lower=0, upper=1> y;`;

const guess = (text: string, declarations: string) => {
  const table = tableOf(text);
  const mapping = guessMapping(table, wantedOf(declarations), { file: 'some.csv' });
  return { mapping, ...applyMapping(table, mapping) };
};

describe('a guessed mapping', () => {
  it('counts rows and levels that the file does not have as columns', () => {
    const { mapping, values, problems } = guess('g,x,y\n1,0.5,0\n2,1.5,1\n2,-1,0\n', hierarchical);
    expect(mapping.variables).toEqual({
      N: { from: 'rows' },
      J: { from: 'levels', column: 'g' },
      g: { from: 'column', column: 'g' },
      x: { from: 'column', column: 'x' },
      y: { from: 'column', column: 'y' },
    });
    expect(values).toEqual({ N: 3, J: 2, g: [1, 2, 2], x: [0.5, 1.5, -1], y: [0, 1, 0] });
    expect(problems).toEqual([]);
  });

  it('turns text into indices, and answers into 0 and 1, with their labels', () => {
    const text = 'school;x;passed\nDeerfield;0,5;yes\nChoate;1,5;no\nDeerfield;-1;no\n';
    const declarations = hierarchical.replace('upper=1> y', 'upper=1> passed');
    const { values, meta } = guess(text, declarations);
    expect(values).toEqual({ N: 3, J: 2, g: [2, 1, 2], x: [0.5, 1.5, -1], passed: [1, 0, 0] });
    expect(meta.labels).toEqual({ J: ['Choate', 'Deerfield'] });
  });

  it('numbers levels that are whole numbers with gaps', () => {
    const { values, meta } = guess('g,x,y\n30,0.5,0\n4,1.5,1\n30,-1,0\n', hierarchical);
    expect(values).toMatchObject({ J: 2, g: [2, 1, 2] });
    expect(meta.labels).toEqual({ J: ['4', '30'] });
  });

  it('labels rows by a text column that nothing reads', () => {
    const text = 'school,y,sigma\nA,28,15\nB,8,10\nC,-3,16\n';
    const { values, meta } = guess(text, 'int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma;');
    expect(values).toEqual({ J: 3, y: [28, 8, -3], sigma: [15, 10, 16] });
    expect(meta.labels).toEqual({ J: ['A', 'B', 'C'] });
  });

  it('builds matrices from numbered columns in order, and from all that are left', () => {
    const declarations = 'int N; int K; matrix[N, K] X; vector[N] y;';
    const numbered = guess('X10,X9,other,y\n1,2,3,4\n5,6,7,8\n', declarations);
    expect(numbered.values).toEqual({
      N: 2,
      K: 2,
      X: [
        [2, 1],
        [6, 5],
      ],
      y: [4, 8],
    });
    const rest = guess('age,y,income\n1,2,3\n4,5,6\n', declarations);
    expect(rest.values).toMatchObject({
      K: 2,
      X: [
        [1, 3],
        [4, 6],
      ],
    });
    expect(rest.meta.labels).toEqual({ K: ['age', 'income'] });
    const turned = guess('x1,x2\n1,2\n3,4\n5,6\n', 'int N; array[2] vector[N] x; vector[N] z;');
    expect(turned.values.x).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
  });

  it('takes one value per level from a table with one row per observation', () => {
    const text = 'county,u,radon\nB,0.5,1\nA,-1,2\nB,0.5,3\n';
    const declarations = `int N; int J; array[N] int<lower=1, upper=J> county; vector[J] u; vector[N] y;`;
    const { values, mapping } = guess(text, declarations);
    expect(mapping.variables.u).toEqual({ from: 'per-level', column: 'u', by: 'county' });
    expect(values).toEqual({ N: 3, J: 2, county: [2, 1, 2], u: [-1, 0.5], y: [1, 2, 3] });
  });

  it('matches names that differ in case and punctuation', () => {
    const declarations = 'int N; array[N] int y_obs; vector[N] log_radon; vector[N] Age;';
    const { mapping } = guess('AGE,Y.obs,logRadon\n1,2,3\n4,5,6\n', declarations);
    expect(mapping.variables).toEqual({
      N: { from: 'rows' },
      y_obs: { from: 'column', column: 'Y.obs' },
      log_radon: { from: 'column', column: 'logRadon' },
      Age: { from: 'column', column: 'AGE' },
    });
  });

  it('leaves out variables that it cannot match', () => {
    const { mapping } = guess('a,b\n1,2\n3,4\n', 'int N; vector[N] y; vector[N] z; real scale;');
    expect(mapping.variables).toEqual({ N: { from: 'rows' } });
  });

  it('never throws, and never names a missing column', () => {
    const name = fc.constantFrom('y', 'x', 'g', 'X1', 'X2', 'N', 'school', 'u');
    const cell = fc.constantFrom('1', '2', '7', '0.5', 'a', 'b', 'NA', '', 'yes', '1,5');
    const table = fc
      .uniqueArray(name, { minLength: 1, maxLength: 6 })
      .chain((names) =>
        fc
          .array(fc.array(cell, { minLength: names.length, maxLength: names.length }), {
            minLength: 1,
            maxLength: 6,
          })
          .map((rows) => [names, ...rows].map((row) => row.join('\t')).join('\n')),
      )
      .filter((text) => /\n.*\S/.test(text));
    const blocks = [
      hierarchical,
      'int N; int K; matrix[N, K] X; vector[N] y;',
      'int J; int N; array[N] int<lower=1, upper=J> school; vector[J] u; array[2] vector[N] x;',
      'real y; cov_matrix[3] X; array[2, 3, 4] int g;',
    ];
    fc.assert(
      fc.property(table, fc.constantFrom(...blocks), (text, block) => {
        const made = guess(text, block);
        expect(made.problems.filter(({ message }) => /no column/.test(message))).toEqual([]);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
