/** Bodies of many statements that cannot be reversed together: why is found once for each, not again for every run. */
import { afterEach, expect, it, vi } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { SweepWriter } from '../../../src/language/adjoint/sweep-statements.ts';
import { compileProgram } from '../../../src/language/compile.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** How many runs of statements are written to find those that become regions. */
function countRuns(statements: string): number {
  const written = vi.spyOn(SweepWriter.prototype, 'outermost');
  const source = `data { int N; }
    parameters { complex_matrix[N, N] a; complex_vector[N] x; complex z; }
    transformed parameters { complex_matrix[N, N] b; complex_vector[N] y; ${statements} }`;
  expect(compileProgram(source, { libraryKeys }).program).not.toBeNull();
  return written.mock.calls.length;
}

it.each([
  ['is too large to copy for a loop', 'y = z * x; b = a + a;', 2],
  ['cannot be reversed', 'y = x ./ x;', 1],
])('a container that %s is tried at most three times', (_, statements, count) => {
  const times = 40;
  expect(countRuns(`${statements}\n`.repeat(times))).toBeLessThanOrEqual(3 * count * times);
});
