/** Masses of one outcome among categories in a loop: without a tape of their own, and as the tape gives them. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import {
  backEndsOf,
  countRegions,
  differenceAt,
  evaluate,
  worstDifference,
} from '../../support/back-ends.ts';

const data = { N: 4, y: [1, 3, 2, 4], x: [0.3, -1, 2, 0.7], g: [1, 2, 2, 1] };
const head = `data { int N; array[N] int y; vector[N] x; array[N] int g; }
parameters { real b; ordered[3] c; array[2] ordered[3] d; vector[4] v; matrix[4, 2] m; vector[3] w; }`;

const programOf = (statement: string) =>
  `${head} model { v ~ std_normal(); w ~ std_normal(); for (n in 1:N) { ${statement} } }`;

describe('a mass of one outcome', () => {
  it.each([
    ['y[n] ~ ordered_logistic(b * x[n], c);', '$ordered_logistic'],
    ['y[n] ~ ordered_logistic(b * x[n], d[g[n]]);', '$ordered_logistic'],
    ['target += ordered_logistic_lpmf(y[n] | v[n], c);', '$ordered_logistic'],
    ['if (y[n] > 3) y[n] ~ ordered_logistic(b, c); else y[n] ~ ordered_logistic(-b, c);', ''],
    ['y[n] ~ ordered_logistic(x[n], c);', ''],
    ['y[n] ~ ordered_probit(b * x[n], c);', '$ordered_probit'],
    ['y[n] ~ categorical_logit(v);', '$categorical_logit'],
    ['y[n] ~ categorical_logit(m[, g[n]]);', '$categorical_logit'],
    ['y[n] ~ categorical_logit(b * x[n] * v);', '$categorical_logit'],
  ])('%s matches the tape', (statement, direct) => {
    const source = programOf(statement);
    const javascript = compileProgram(source, { libraryKeys }).program?.javascript ?? '';
    expect(countRegions(javascript)).toBe(1);
    if (direct !== '') expect(javascript).toContain(`${direct}(`);
    if (direct !== '') expect(javascript).not.toContain('$own_value(');
    expect(worstDifference(backEndsOf(source, data), 6)).toBeLessThan(1e-12);
  });

  it('keeps its digits for cutpoints that nearly coincide, and far out', () => {
    const both = backEndsOf(programOf('y[n] ~ ordered_logistic(b * x[n], c);'), data);
    const theta = new Float64Array(both.tape.numUnconstrained);
    for (const [b, first, step] of [
      [0.4, -1, -20],
      [30, 2, -3],
      [-200, 0, 3],
    ]) {
      theta.set([b, first, step, step]);
      expect(differenceAt(both, theta)).toBeLessThan(1e-12);
    }
  });
});

describe('outside its domain', () => {
  const at = new Float64Array(27).map((_, i) => 0.1 * i);
  it.each([
    ['(y[n] + 1) ~ ordered_logistic(b, c);', 'Random variable is 5, but must be in the interval'],
    ['y[n] ~ ordered_logistic(b / 0, c);', 'must be finite'],
    ['y[n] ~ ordered_logistic(b, -w);', 'must be greater than the one before'],
    ['y[n] ~ ordered_probit(b, w * 1e400);', 'must be finite'],
    ['(y[n] + 1) ~ categorical_logit(v);', 'Categorical outcome is 5, but must be in the interval'],
    ['y[n] ~ categorical_logit(v / 0);', 'must be finite'],
  ])('%s throws what the tape throws', (statement, message) => {
    const source = programOf(statement);
    const both = backEndsOf(source, data);
    const [adjoint, tape] = [evaluate(both.adjoint, at), evaluate(both.tape, at)];
    expect(tape.error).toContain(message);
    expect(adjoint.error?.replace(/ \(in .*/, '')).toBe(tape.error?.replace(/ \(in .*/, ''));
  });
});
