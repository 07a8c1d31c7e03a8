/** Functions of slices in a loop, whose derivatives take room that differs from turn to turn. */
import { expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, countRegions, evaluate, worstDifference } from '../../support/back-ends.ts';

const data = { N: 4, k: [1, 2, 3, 2], x: [0.1, 0.2, -0.3, 1] };
const programOf = (statement: string) => `data { int N; array[N] int k; vector[N] x; }
parameters { vector[N] v; real p; matrix[N, N] m; } model { v ~ std_normal(); ${statement} }`;

it.each([
  'for (n in 2:N) target += log_sum_exp(v[1:n]);',
  'for (n in 2:N) target += log_sum_exp(v[1:(n - 1)]);',
  'for (n in 2:N) target += log_sum_exp(v[n:]);',
  'for (n in 2:N) target += log_sum_exp(v[:k[n]]);',
  'for (n in 2:N) target += log_sum_exp(v[k[n]:size(v)]);',
  'for (n in 2:N) target += log_sum_exp(m[n, 1:n]);',
  'for (n in 2:N) { int a = k[n]; target += log_sum_exp(v[a:N]) * p; }',
  'for (n in 2:N) { int a = k[n]; a = a + 1; target += log_sum_exp(v[a:N]) * p; }',
  'for (n in 2:N) target += prod(v[1:n]);',
  'for (n in 2:N) target += prod(v[1:(n - 1)]) * prod(v[n:N]) * p;',
  'for (n in 2:N) target += prod(v[1:k[n]]);',
  'for (n in 2:N) target += prod(v[n:(n - 1)]) * p;',
  'for (n in 2:N) target += prod(m[1:n, n]);',
  'for (n in 2:N) { target += sd(v[1:n]) * p; target += sd(v[(n - 1):n]); }',
  'for (n in 2:N) if (n > 2) target += prod(v[1:n]);',
  'int a = 1; for (n in 2:N) { a = n; target += prod(v[a:N]) * p; a = 2; }',
  'int a = 1; while (a < N) { a += 1; target += prod(v[a:N]) * p; }',
  'for (n in 2:N) target += dot_product(v[1:n], x[1:n]) + sum(v[1:n]);',
])('%s', (statement) => {
  const source = programOf(statement);
  const { program } = compileProgram(source, { libraryKeys });
  expect(countRegions(program?.javascript ?? '')).toBe(1);
  expect(worstDifference(backEndsOf(source, data), 4)).toBeLessThan(1e-12);
});

it('a slice beyond the end throws what the tape throws', () => {
  const both = backEndsOf(programOf('for (n in 2:N) target += prod(v[1:(k[n] + 2)]);'), data);
  const at = new Float64Array(both.tape.numUnconstrained).fill(0.3);
  expect(evaluate(both.tape, at).error).toContain('index 5 is out of range 1 to 4');
  expect(evaluate(both.adjoint, at).error).toBe(evaluate(both.tape, at).error);
});
