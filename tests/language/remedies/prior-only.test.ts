/** A flag that leaves out the likelihood: what it guards; the density is the prior's if set, else unchanged. */
import { describe, expect, it } from 'vitest';
import { compileModel } from '../../../src/engine/compile-model.ts';
import { gallery } from '../../../src/gallery/gallery.ts';
import { checkProgram } from '../../../src/language/check.ts';
import type { DataJson } from '../../../src/language/program.ts';
import { withRemedy } from '../../../src/language/remedies/find-remedies.ts';
import { findPriorOnly } from '../../../src/language/remedies/prior-only.ts';
import { testRng } from '../../support/stan-program.ts';

function changed(source: string): string | null {
  const result = checkProgram(source);
  const [remedy] = findPriorOnly(result);
  return remedy === undefined ? null : withRemedy(result, remedy)[0].text;
}

/** Log density and gradient at a point of the unconstrained space. */
function densityOf(source: string, data: DataJson, at: number): readonly number[] {
  const result = compileModel({ source, data, rng: testRng() });
  if (!result.ok) throw new Error(`${result.message}\n${source}`);
  const theta = new Float64Array(result.model.numUnconstrained).fill(at);
  const gradient = new Float64Array(theta.length);
  return [result.model.logDensityGradient(theta, gradient), ...gradient];
}

const source = `data {
  int<lower=0> N; // how many
  vector[N] y;  // what was seen
}
parameters { real mu; real<lower=0> sigma; vector[N] e; }
model {
  mu ~ normal(0, 1);
  sigma ~ normal(0, 1);
  for (n in 1:N) e[n] ~ normal(0, sigma);
  for (n in 1:N) y[n] ~ normal(mu + e[n], 1);
  target += normal_lpdf(y | mu, 2);
}
`;
const data = { N: 2, y: [1, 2] };

describe('a flag that leaves the likelihood out', () => {
  it('is declared after the data, and guards each statement on them', () => {
    expect(changed(source)).toBe(`data {
  int<lower=0> N; // how many
  vector[N] y;  // what was seen
  // 1: leave the likelihood out and sample the prior
  int<lower=0, upper=1> prior_only;
}
parameters { real mu; real<lower=0> sigma; vector[N] e; }
model {
  mu ~ normal(0, 1);
  sigma ~ normal(0, 1);
  for (n in 1:N) e[n] ~ normal(0, sigma);
  for (n in 1:N) if (prior_only == 0) y[n] ~ normal(mu + e[n], 1);
  if (prior_only == 0) target += normal_lpdf(y | mu, 2);
}
`);
  });

  it('leaves the density unchanged at 0 and only the prior at 1', () => {
    const program = changed(source) ?? '';
    const prior = source.replace(/.*y\[n\] ~.*\n/, '').replace(/.*target.*\n/, '');
    for (const at of [-0.4, 0.3]) {
      const same = densityOf(program, { ...data, prior_only: 0 }, at);
      densityOf(source, data, at).forEach((value, i) => expect(same[i]).toBeCloseTo(value, 12));
      const found = densityOf(program, { ...data, prior_only: 1 }, at);
      densityOf(prior, data, at).forEach((value, i) => expect(found[i]).toBeCloseTo(value, 12));
    }
  });

  it('is also added to a block written on one line', () => {
    const short =
      'data { real y; } parameters { real mu; } model { mu ~ std_normal(); y ~ normal(mu, 1); }';
    const program = changed(short) ?? '';
    expect(checkProgram(program).diagnostics).toEqual([]);
    expect(program).toContain('if (prior_only == 0) y ~ normal(mu, 1);');
  });

  it.each([
    ['already has the name', 'data { int prior_only; real y; }', 'y ~ normal(mu, 1);'],
    ['has no statement on data', 'data { real y; }', 'mu ~ normal(y, 1);'],
    [
      'adds prior and likelihood in one statement',
      'data { real y; }',
      'target += normal_lpdf(mu | 0, 1) + normal_lpdf(y | mu, 1);',
    ],
    [
      'would get a guard that takes an else',
      'data { real y; int k; }',
      'if (k > 0) y ~ normal(mu, 1); else y ~ normal(mu, 2);',
    ],
    ['has errors', 'data { real y; }', 'y ~ normal(mu);'],
  ])('is not offered if a program %s', (_, block, model) => {
    expect(changed(`${block} parameters { real mu; } model { ${model} }`)).toBeNull();
  });

  it('is not offered if a function of the program may contain both prior and likelihood', () => {
    const own = `functions { real both(real y, real mu) { return normal_lpdf(y | mu, 1) + std_normal_lpdf(mu); } }
data { real y; } parameters { real mu; } model { target += both(y, mu); }`;
    expect(changed(own)).toBeNull();
  });

  it('produces programs that compile for most of the gallery', () => {
    const programs = gallery.flatMap(({ files, entranceFile, data: { json } }) => {
      const program = changed(files[entranceFile] ?? '');
      return program === null ? [] : [{ program, data: JSON.parse(json) as DataJson }];
    });
    expect(programs.length).toBeGreaterThan(gallery.length / 2);
    for (const { program, data: own } of programs)
      for (const flag of [0, 1])
        expect(densityOf(program, { ...own, prior_only: flag }, 0.1).every(Number.isFinite)).toBe(
          true,
        );
  });
});
