/** The type of a declaration as its page shows it. */
import { expect, it } from 'vitest';
import { checkProgram } from '../../../src/language/check.ts';
import { declaredType } from '../../../src/language/lower/declared-type.ts';

it.each([
  'int',
  'real<lower=0>',
  'real<upper=N>',
  'real<lower=-1, upper=N + 1>',
  'real<offset=1>',
  'real<multiplier=s>',
  'real<offset=1, multiplier=s>',
  'vector[N]',
  'vector<lower=0>[N]',
  'matrix[N, 2]',
  'array[N, 3] int<lower=0, upper=1>',
  'array[2] simplex[N]',
  'cov_matrix[N]',
  'tuple(int, real<lower=0>)',
  'array[N] tuple(vector[2], tuple(int, simplex[N]))',
  'complex_matrix[N, N]',
])('%s', (text) => {
  const { program } = checkProgram(`data { int N; real s; } parameters { ${text} x; }`);
  expect(declaredType(program.parameters[0])).toBe(text);
});
