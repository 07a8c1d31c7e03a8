/** The rstan programs of the bench "engine" have the same densities as those for our engine. */
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../src/engine/compile-model.ts';
import type { DataJson } from '../../src/language/program.ts';
import { engineCases } from '../bench/engine/cases.ts';
import { rstanProgram } from '../bench/engine/rstan-program.ts';
import { testRng } from '../support/stan-program.ts';

/** Log density and gradient at points near 0. */
function densities(source: string, data: DataJson): number[] {
  const made = compileModel({ source, data, rng: testRng() });
  if (!made.ok) throw new Error(made.message);
  const { numUnconstrained } = made.model;
  const rng = testRng(7);
  const gradient = new Float64Array(numUnconstrained);
  return [1, 2].flatMap(() => {
    const theta = Float64Array.from({ length: numUnconstrained }, () => 0.3 * rng.normal());
    return [made.model.logDensityGradient(theta, gradient), ...gradient];
  });
}

describe('a program for rstan', () => {
  const here = engineCases.flatMap(([, load]) => load() ?? []);

  it.each(here.map((one) => [one.name, one] as const))('%s', (_, one) => {
    const [own, old] = [one.source, one.rstanSource].map((source) => densities(source, one.data));
    expect(old).toHaveLength(own.length);
    old.forEach((value, i) =>
      expect(value).toBeCloseTo(own[i], 6 - Math.log10(1 + Math.abs(own[i]))),
    );
    expect(one.rstanSource).not.toMatch(/\barray\[/);
  });

  it('declares arrays after names, and array arguments after types', () => {
    expect(
      rstanProgram('array[N, 2] vector<lower=0>[K] x; real f(array[,] int y, array[] real z);'),
    ).toBe('vector<lower=0>[K] x[N, 2]; real f(int[,] y, real[] z);\n');
  });
});
