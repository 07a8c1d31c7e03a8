/** Whole runs on posteriors with known moments, judged by their Monte Carlo standard errors. */
import { describe, expect, it } from 'vitest';
import { rhatRank } from '../../src/posterior/rhat.ts';
import {
  correlatedNormalModel,
  funnelModel,
  generatedOnlyModel,
  halfNormalModel,
  normalModel,
  standardNormalModel,
} from '../support/analytic-models.ts';
import { expectMean, sampleModel } from '../support/run-model.ts';

const metrics = ['diag', 'dense', 'unit', 'low-rank'] as const;
const square = (x: number) => x * x;

describe('NUTS', () => {
  it.each(metrics)('samples normals of different scales with metric %s', (metric) => {
    const draws = sampleModel(normalModel([1, -20, 0.5], [1, 5, 0.1]), {
      metric,
      adaptsByFisher: metric === 'low-rank',
    });
    expectMean(draws.get('x1'), 1);
    expectMean(draws.get('x2'), -20);
    expectMean(draws.get('x3'), 0.5);
    expectMean(draws.get('x2'), 25, (x) => (x + 20) ** 2);
    expectMean(draws.get('x3'), 0.01, (x) => (x - 0.5) ** 2);
    expect(rhatRank(draws.get('x2') ?? [])).toBeLessThan(1.02);
  });

  it.each(metrics)('samples a correlated normal with metric %s', (metric) => {
    const draws = sampleModel(correlatedNormalModel(0.95), {
      metric,
      adaptsByFisher: metric === 'low-rank',
    });
    const [x1, x2] = [draws.get('x1') ?? [], draws.get('x2') ?? []];
    expectMean(x1, 1, square);
    const products = x1.map((chain, c) => chain.map((x, i) => x * x2[c][i]));
    expectMean(products, 0.95);
    // lp = −χ²₂/2
    expectMean(draws.get('lp__'), -1);
  });

  it('samples a half-normal on the log scale and reports it on its own scale', () => {
    const draws = sampleModel(halfNormalModel(3), { adaptDelta: 0.9 });
    expectMean(draws.get('sigma'), 3 * Math.sqrt(2 / Math.PI));
    expectMean(draws.get('sigma'), 9, square);
  });

  it('draws generated quantities from a stream of their own', () => {
    const draws = sampleModel(normalModel([0], [1]));
    expectMean(draws.get('noise'), 0);
    expectMean(draws.get('noise'), 1, square);
    const [x, noise] = [draws.get('x1') ?? [], draws.get('noise') ?? []];
    expectMean(
      x.map((chain, c) => chain.map((value, i) => value * noise[c][i])),
      0,
    );
  });

  it('reports divergences in the funnel, and energies consistent with the draws', () => {
    const draws = sampleModel(funnelModel(), { numSamples: 2000 });
    const divergent = (draws.get('divergent__') ?? []).flatMap((chain) => [...chain]);
    expect(divergent.filter((flag) => flag === 1).length).toBeGreaterThan(0);
    // kinetic energy = energy + lp is half a χ² with ten degrees of freedom, if moves were exact
    const [energy, lp] = [draws.get('energy__') ?? [], draws.get('lp__') ?? []];
    const kinetic = energy.flatMap((chain, c) => Array.from(chain, (h, i) => h + lp[c][i]));
    expect(Math.min(...kinetic)).toBeGreaterThan(0);
  });

  // dual averaging is known to end slightly above low targets
  it.each([
    [0.6, 0.15],
    [0.8, 0.08],
    [0.95, 0.03],
  ])('tunes acceptance to about %f in many dimensions', (adaptDelta, tolerance) => {
    const model = standardNormalModel(50);
    const draws = sampleModel(model, { adaptDelta, numSamples: 500 }, 2);
    const accept = (draws.get('accept_stat__') ?? []).flatMap((chain) => [...chain]);
    const mean = accept.reduce((a, b) => a + b, 0) / accept.length;
    expect(Math.abs(mean - adaptDelta)).toBeLessThan(tolerance);
  });

  it('keeps one step size while sampling', () => {
    const draws = sampleModel(normalModel([0], [1]), { numSamples: 50 }, 1);
    expect(new Set(draws.get('stepsize__')?.[0]).size).toBe(1);
  });

  it('respects the largest tree depth', () => {
    const draws = sampleModel(normalModel([0, 0], [1, 1000]), { metric: 'unit', maxTreeDepth: 3 });
    const depths = (draws.get('treedepth__') ?? []).flatMap((chain) => [...chain]);
    expect(Math.max(...depths)).toBe(3);
    const steps = (draws.get('n_leapfrog__') ?? []).flatMap((chain) => [...chain]);
    expect(Math.max(...steps)).toBe(7);
  });

  it('runs a program without parameters, without leapfrog steps', () => {
    const draws = sampleModel(generatedOnlyModel());
    expectMean(draws.get('u'), 0.5);
    expectMean(draws.get('u'), 1 / 3, square);
    expect(draws.get('u')?.[0].length).toBe(1000);
    expect(new Set(draws.get('n_leapfrog__')?.[0])).toEqual(new Set([0]));
  });
});
