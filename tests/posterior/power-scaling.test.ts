/** Power-scaling against priorsense's distance and the weights of R's loo 2.5.1, computed once on the same draws. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relativeEfficiency } from '../../src/posterior/loo.ts';
import { normalQuantile } from '../../src/posterior/normal-quantile.ts';
import { paretoKThreshold } from '../../src/posterior/pareto-fit.ts';
import { scaledDistance, sensitivityOf } from '../../src/posterior/power-scaling.ts';
import { psis } from '../../src/posterior/psis.ts';
import { normalDraws } from './fixtures.ts';

/** Chosen so that R and we use the same number of tail draws. */
const n = 1600;
const draw = (make: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => make(i));
const mu = draw((i) => 9.5 + 0.25 * normalQuantile((((i * 617) % n) + 0.5) / n));
const sigma = draw((i) => 1 + 0.12 * normalQuantile((((i * 1213 + 77) % n) + 0.5) / n));
const far = draw((i) => mu[i] ** 3 / 100 - sigma[i]);
const y = [
  9.5, 10.2, 9.1, 9.1, 10.3, 10.9, 11.7, 10.3, 9.6, 8.6, 9.1, 11.1, 9.3, 10.5, 9.7, 10.3, 10, 9.8,
  9.6, 8.3, 10.2, 9.8, 10, 10, 9.1,
];
const logNormal = (x: number, mean: number, sd: number) =>
  -0.5 * Math.log(2 * Math.PI) - Math.log(sd) - 0.5 * ((x - mean) / sd) ** 2;
const logLik = y.map((value) => [draw((i) => logNormal(value, mu[i], sigma[i]))]);
const logPrior = [
  [draw((i) => logNormal(mu[i], 0, 1))],
  [draw((i) => logNormal(sigma[i], 0, 2.5))],
];
const variables = Object.entries({ mu, sigma, far }).map(([variable, values]) => ({
  variable,
  chains: [values],
}));

describe('sensitivity to prior and likelihood', () => {
  const found = sensitivityOf({ variables, logPrior, logLik, relativeEfficiency: 1 });

  it('agrees with R', () => {
    const expected = {
      mu: [0.3629456761835862, 0.458755720728366],
      sigma: [0.0347434690093857, 0.142973045674543],
      far: [0.406281814234607, 0.398844811585296],
    };
    for (const { variable, prior, likelihood } of found.variables) {
      const [toPrior, toLikelihood] = expected[variable as keyof typeof expected];
      expect(prior).toBeCloseTo(toPrior, 7);
      expect(likelihood).toBeCloseTo(toLikelihood, 7);
    }
    expect(found.pareto_k.prior).toBeCloseTo(-0.0490196918159256, 7);
    expect(found.pareto_k.likelihood).toBeCloseTo(0.573584590524382, 7);
  });

  it('names a conflict where both matter, and a strong prior where the data say little', () => {
    expect(found.variables.map(({ finding }) => finding)).toEqual([
      'prior-data conflict',
      'none',
      'prior-data conflict',
    ]);
    const flat = [[draw((i) => 1e-9 * sigma[i])]];
    const [first] = sensitivityOf({ variables, logPrior, logLik: flat }).variables;
    expect(first.finding).toBe('strong prior or weak likelihood');
  });

  it('has the Pareto k limit for its number of draws, and is undefined without a log prior', () => {
    expect([found.num_draws, found.limit]).toEqual([n, paretoKThreshold(n)]);
    const none = sensitivityOf({ variables, logPrior: [], logLik });
    expect([none.num_draws, none.pareto_k.prior]).toEqual([0, NaN]);
    expect(none.variables.map(({ prior, finding }) => [prior, finding])).toEqual(
      variables.map(() => [NaN, 'none']),
    );
  });

  it('takes the larger k of both powers, and the relative efficiency from the chains', () => {
    let last = 0;
    const prior = normalDraws(3, n).map((z) => (last = 0.9 * last + z));
    const kOf = (chains: Float64Array[], relativeEfficiency?: number) =>
      sensitivityOf({ variables, logPrior: [chains], logLik, relativeEfficiency }).pareto_k.prior;
    const halves = [prior.subarray(0, n / 2), prior.subarray(n / 2)];
    for (const chains of [[prior], halves]) {
      const ks = [-0.01, 0.01].map((power) => {
        const ratios = prior.map((value) => power * value);
        return psis(ratios, relativeEfficiency(ratios, chains.length, n / chains.length)).k;
      });
      expect(kOf(chains)).toBeCloseTo(Math.max(...ks), 9);
      expect(Math.max(...ks)).not.toBeCloseTo(Math.min(...ks), 3);
    }
    expect(kOf([prior], 1)).not.toBeCloseTo(kOf([prior]), 3);
  });

  it('grows as the prior moves away from the data', () => {
    const toPriorAt = (mean: number) =>
      sensitivityOf({
        variables,
        logPrior: [[draw((i) => logNormal(mu[i], mean, 1))]],
        logLik,
      }).variables[0].prior;
    const [near, further, furthest] = [10, 5, 0].map(toPriorAt);
    expect(near).toBeLessThan(0.05);
    expect(further).toBeGreaterThan(0.05);
    expect(furthest).toBeGreaterThan(further);
  });

  it('is undefined for constants and for values that are not finite', () => {
    const odd = [
      { variable: 'constant', chains: [draw(() => 3)] },
      { variable: 'infinite', chains: [draw((i) => (i === 7 ? Infinity : mu[i]))] },
    ];
    const { variables: rows } = sensitivityOf({ variables: odd, logPrior, logLik });
    for (const row of rows) expect([row.prior, row.finding]).toEqual([NaN, 'none']);
    const spoilt = sensitivityOf({ variables, logPrior: [[draw(() => NaN)]], logLik });
    expect(spoilt.pareto_k.prior).toBeNaN();
    expect(spoilt.variables[0].finding).toBe('none');
  });
});

describe('the distance between equally and unequally weighted draws', () => {
  it('agrees with priorsense', () => {
    const distance = scaledDistance(
      Float64Array.of(7, 1, 4, 11, 2),
      Float64Array.of(0.25, 0.1, 0.3, 0.15, 0.2),
    );
    expect(distance).toBeCloseTo(0.06669897856191788, 14);
  });

  it('counts a draw of weight 0', () => {
    // distribution functions 1/3, 2/3 and 0, 1/2 at steps of 1
    const [both, half] = [2 / 3, 1 / 2];
    const divergence = 1 / 3 + both * Math.log2(8 / 7) + half * Math.log2(6 / 7);
    const distance = scaledDistance(Float64Array.of(0, 1, 2), Float64Array.of(0, 0.5, 0.5));
    expect(distance).toBeCloseTo(Math.sqrt(divergence / 1.5), 12);
    const last = scaledDistance(Float64Array.of(0, 1, 2), Float64Array.of(0.5, 0.5, 0));
    expect(last).toBeCloseTo(distance, 12);
  });

  it('is 0 if rounding would make it negative', () => {
    const third = 1 / 3;
    const weights = Float64Array.of(third + 5e-16, third, third - 5e-16);
    expect(scaledDistance(Float64Array.of(0, 1, 2), weights)).toBe(0);
  });

  it('is between 0 and 1, 0 for equal weights, and invariant to order, location, scale and sign', () => {
    const points = fc.array(
      fc.tuple(
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
      ),
      { minLength: 3, maxLength: 40 },
    );
    fc.assert(
      fc.property(points, fc.double({ min: 0.5, max: 9, noNaN: true }), (pairs, scale) => {
        const values = Float64Array.from(pairs, ([x]) => Math.round(x * 64) / 64);
        fc.pre(new Set(values).size > 1);
        const total = pairs.reduce((sum, [, w]) => sum + w, 0);
        const weights = Float64Array.from(pairs, ([, w]) => w / total);
        const distance = scaledDistance(values, weights);
        expect(distance).toBeGreaterThanOrEqual(0);
        expect(distance).toBeLessThanOrEqual(1);
        const equal = new Float64Array(values.length).fill(1 / values.length);
        expect(scaledDistance(values, equal)).toBeCloseTo(0, 6);
        const turned = values.map((x) => 5 - scale * x);
        expect(scaledDistance(turned, weights)).toBeCloseTo(distance, 6);
      }),
      { seed: 16 },
    );
  });
});
