/** Logarithms that a loop adds to the target, which become one logarithm of a product. */
import { describe, expect, it } from 'vitest';
import { libraryKeys } from '../../../src/engine/compile-model.ts';
import { compileProgram } from '../../../src/language/compile.ts';
import { backEndsOf, differenceAt, evaluate, worstDifference } from '../../support/back-ends.ts';
import { testRng } from '../../support/stan-program.ts';

const N = 3000;
const rng = testRng(12);
const data = {
  N,
  x: Array.from({ length: N }, () => rng.normal()),
  // of any size, so that products of a few overflow or underflow
  scales: Array.from({ length: N }, () => 10 ** (300 * rng.uniform() - 150)),
  o: Array.from({ length: N }, () => (rng.uniform() < 0.5 ? 1 : 0)),
};

const programOf = (statements: string) => `
data { int N; vector[N] x; vector[N] scales; array[N] int<lower=0, upper=1> o; }
parameters { real p; real<lower=0> q; real r; }
model { [p, q, r] ~ std_normal(); ${statements} }`;

/** How often the forward sweep takes logarithms, except of products that overflow or underflow. */
function countLogarithms(source: string): number {
  const { program } = compileProgram(source, { libraryKeys });
  const sweep = /function forward\$r0[\s\S]*?function callback/.exec(
    program?.javascript ?? '',
  )?.[0];
  const loop = /for \(let (?!i = )[\s\S]*(?=\nconst first = )/.exec(sweep ?? '')?.[0] ?? '';
  return loop.split('\n').filter((line) => /Math\.log|\$log/.test(line) && !/else/.test(line))
    .length;
}

describe('logarithms that only the target reads', () => {
  it.each([
    ['scales', 'for (n in 1:N) x[n] ~ normal(p, q + square(r * x[n]));'],
    [
      'increments of the target',
      'for (n in 1:N) target += log(q + square(x[n])) - log1p(square(p));',
    ],
    ['Cauchy densities', 'for (n in 1:N) x[n] ~ cauchy(p, exp(q) + x[n] ^ 2);'],
    ['vectors', 'x ~ normal(p, q + square(r * x));'],
    ['outcomes', 'o ~ bernoulli_logit(p + r * x);'],
    [
      'mixtures',
      'for (n in 1:N) target += log_mix(inv_logit(p), normal_lpdf(x[n] | r, 1), normal_lpdf(x[n] | -r, 1 + q));',
    ],
  ])('%s: many logarithms become one', (_, statements) => {
    const source = programOf(statements);
    expect(countLogarithms(source)).toBe(0);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(1e-12);
  });

  it('are taken of a product before it overflows or underflows', () => {
    const source = programOf(
      'for (n in 1:N) target += log(q * scales[n]) - log(scales[N + 1 - n] * square(r));',
    );
    expect(countLogarithms(source)).toBe(0);
    expect(worstDifference(backEndsOf(source, data), 3)).toBeLessThan(1e-12);
  });

  it('are taken one by one if derivatives read them', () => {
    const source = programOf('for (n in 1:N) target += log(q + square(x[n])) ^ 2;');
    expect(countLogarithms(source)).toBe(1);
    expect(worstDifference(backEndsOf(source, data), 2)).toBeLessThan(1e-12);
  });

  it.each([
    ['zero', 0],
    ['negative', -1],
    ['infinite', Number.POSITIVE_INFINITY],
  ])('match the tape for a factor that is %s', (_, factor) => {
    const scales = data.scales.map((scale, n) => (n === 7 ? factor : scale));
    const both = backEndsOf(programOf('for (n in 1:N) target += log(q * scales[n]);'), {
      ...data,
      scales,
    });
    const theta = Float64Array.of(0.1, 0.2, 0.3);
    const [adjoint, tape] = [evaluate(both.adjoint, theta), evaluate(both.tape, theta)];
    expect(adjoint.error).toBe(tape.error);
    expect(adjoint.value).toBe(tape.value);
  });

  it('are added where the target is incremented', () => {
    const source = programOf(
      'if (p > 0) for (n in 1:N) target += log(q + x[n] ^ 2); for (n in 1:N) target += p * log1p_exp(x[n]);',
    );
    for (const p of [0.5, -0.5]) {
      expect(differenceAt(backEndsOf(source, data), Float64Array.of(p, 0.2, 0.3))).toBeLessThan(
        1e-12,
      );
    }
  });
});
