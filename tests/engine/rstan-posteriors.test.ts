/** Posteriors without published draws agree with rstan 2.21; `npm run bench -- rstan-posteriors` runs all of them. */
import { describe, expect, it } from 'vitest';
import {
  agrees,
  loadRstanPosterior,
  matchRstan,
  type RstanSummary,
  rstanReferences,
} from '../support/rstan-posteriors.ts';
import { sampleModel } from '../support/run-model.ts';
import { modelOf } from '../support/stan-program.ts';

describe('a posterior that rstan has sampled', () => {
  it.each(['seeds', 'dugongs'])('%s has the same means and spreads', (name) => {
    const { source, data, adaptDelta, initRadius } = loadRstanPosterior(name);
    const draws = sampleModel(modelOf(source, data), { adaptDelta, initRadius });
    const values = Object.entries(rstanReferences()[name].values);
    expect(values.length).toBeGreaterThan(3);
    const matches = values.map(([key, summary]) => matchRstan(key, draws.get(key) ?? [], summary));
    expect(matches.filter((match) => !agrees(match))).toEqual([]);
  });
});

it('draws that differ from those of rstan do not agree', () => {
  const chains = Array.from({ length: 4 }, (_, c) =>
    Float64Array.from({ length: 250 }, (_x, i) => (((i * 4 + c) * 389) % 1000) / 1000),
  );
  const at = (mean: number, variance: number): RstanSummary => [mean, 0.005, variance, 0.002];
  expect(agrees(matchRstan('x', chains, at(0.4995, 1 / 12)))).toBe(true);
  expect(agrees(matchRstan('x', chains, at(0.56, 1 / 12)))).toBe(false);
  expect(agrees(matchRstan('x', chains, at(0.4995, 0.12)))).toBe(false);
});
