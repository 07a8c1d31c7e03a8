import { expect, it } from 'vitest';
import { checkProgram } from '../../src/language/check.ts';
import { dimensionNames } from '../../src/language/dimensions.ts';

const text = `data { int J; int K; int N; array[N] int<lower=1, upper=J> school; array[N] int<lower=1> g; }
parameters {
  real mu; vector[J] theta; array[K] vector[J] beta; matrix[K, 2] B;
  cholesky_factor_corr[K] L; array[N] cov_matrix[K] S; vector[max(g)] a;
  array[N] tuple(real, tuple(vector[J], corr_matrix[K])) t;
  array[N] complex_vector[J] z;
}
transformed parameters { vector[J + 1] shifted = rep_vector(0, J + 1); }
generated quantities { array[N] real y_rep; for (n in 1:N) y_rep[n] = 0; }
`;

it('names dimensions by their size and by the data that index them', () => {
  const { program, diagnostics } = checkProgram({ name: 'm.stan', text });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(Object.fromEntries(dimensionNames(program))).toEqual({
    mu: [],
    theta: [['J', 'school']],
    beta: [['K'], ['J', 'school']],
    B: [['K'], []],
    L: [['K'], ['K']],
    S: [['N'], ['K'], ['K']],
    a: [['g']],
    't:1': [['N']],
    't:2:1': [['N'], ['J', 'school']],
    't:2:2': [['N'], ['K'], ['K']],
    'z.real': [['N'], ['J', 'school']],
    'z.imag': [['N'], ['J', 'school']],
    shifted: [[]],
    y_rep: [['N']],
  });
});
