/** Predictive checks against R (loo, rstantools, bayesplot): tests/fixtures/posterior/predictive/reference.R. */
import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../../src/posterior/normal-quantile.ts';
import { calibrate } from '../../../src/posterior/predictive/calibration.ts';
import { countFrequencies } from '../../../src/posterior/predictive/count-frequencies.ts';
import { predictiveIntervals } from '../../../src/posterior/predictive/intervals.ts';
import { looPitOf } from '../../../src/posterior/predictive/loo-pit.ts';
import { predictiveOf } from '../../../src/posterior/predictive/replications.ts';
import { testStatistics } from '../../../src/posterior/predictive/test-statistics.ts';
import { bandCoverage, uniformBand } from '../../../src/posterior/predictive/uniform-band.ts';
import reference from '../../fixtures/posterior/predictive/reference.json' with { type: 'json' };

const S = 1600;
const place = (s: number, step: number, start: number) => (((s * step + start) % S) + 0.5) / S;
const draws = (make: (s: number) => number) => Float64Array.from({ length: S }, (_, s) => make(s));
const mu = draws((s) => 9.5 + 0.25 * normalQuantile(place(s, 617, 0)));
const sigma = draws((s) => 1 + 0.12 * normalQuantile(place(s, 1213, 77)));
const y = Float64Array.from([
  9.5, 10.2, 9.1, 9.1, 10.3, 10.9, 11.7, 10.3, 9.6, 8.6, 9.1, 11.1, 9.3, 10.5, 9.7, 10.3, 10, 9.8,
  9.6, 8.3, 10.2, 9.8, 10, 10, 9.1,
]);
const replicated = Array.from(y, (_, k) => {
  const i = k + 1;
  const step = 2 * ((i * 37) % 700) + 7;
  return [draws((s) => mu[s] + sigma[s] * normalQuantile(place(s, step, 11 * i)))];
});
const predictive = predictiveOf(y, replicated);

const counts = Float64Array.of(0, 3, 1, 0, 2, 5, 1, 0, 0, 4, 2, 1, 9, 0, 3);
const countReplicates = Array.from(counts, (_, k) => {
  const i = k + 1;
  const step = 2 * ((i * 53) % 700) + 9;
  return [draws((s) => poissonQuantile(place(s, step, 5 * i), mu[s] / 4))];
});

function poissonQuantile(p: number, rate: number): number {
  let [count, mass] = [0, Math.exp(-rate)];
  for (let below = mass; below < p; below += mass) mass *= rate / ++count;
  return count;
}

function expectClose(found: ArrayLike<number>, expected: readonly number[], digits = 6): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => expect(found[i]).toBeCloseTo(value, digits));
}

describe('predictive checks agree with R', () => {
  it('on test statistics and their p-values', () => {
    const names = ['mean', 'sd', 'median', 'min', 'max'] as const;
    for (const found of testStatistics(predictive, names)) {
      const expected = reference.statistics[found.name as (typeof names)[number]];
      expect(found.observed).toBeCloseTo(expected.observed, 10);
      expect(found.p).toBeCloseTo(expected.p, 10);
      const mean = found.replicated.reduce((a, b) => a + b, 0) / found.replicated.length;
      expect(mean).toBeCloseTo(expected.mean, 7);
    }
  });

  it('on the intervals of each observation', () => {
    const found = predictiveIntervals(predictive);
    expectClose(found.low90, reference.q5);
    expectClose(found.low50, reference.q25);
    expectClose(found.median, reference.median);
    expectClose(found.high50, reference.q75);
    expectClose(found.high90, reference.q95);
    const inside = (low: readonly number[], high: readonly number[]) =>
      y.filter((value, i) => value >= low[i] && value <= high[i]).length / y.length;
    expect(found.coverage50).toBe(inside(reference.q25, reference.q75));
    expect(found.coverage90).toBe(inside(reference.q5, reference.q95));
  });

  it('on LOO-PIT', () => {
    const logLik = Array.from(y, (value) => [
      draws(
        (s) =>
          -0.5 * Math.log(2 * Math.PI) -
          Math.log(sigma[s]) -
          0.5 * ((value - mu[s]) / sigma[s]) ** 2,
      ),
    ]);
    const found = looPitOf(predictive, logLik, { relativeEfficiency: 1 });
    expectClose(found.pit, reference.pit);
    expectClose(found.pareto_k, reference.pareto_k);
  });

  it('on the frequencies of a rootogram', () => {
    const found = countFrequencies(predictiveOf(counts, countReplicates));
    expectClose(found.from, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expectClose(found.observed, reference.rootogram.observed);
    expectClose(found.expected, reference.rootogram.expected);
    expectClose(found.low, reference.rootogram.low);
    expectClose(found.high, reference.rootogram.high);
  });

  it('on the calibration curve and the parts of the Brier score', () => {
    const predicted = [
      0.1, 0.35, 0.35, 0.2, 0.8, 0.6, 0.9, 0.55, 0.3, 0.7, 0.7, 0.15, 0.45, 0.95, 0.05, 0.5,
    ];
    const outcome = [0, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1];
    const found = calibrate(Float64Array.from(outcome), Float64Array.from(predicted));
    const { calibration } = reference;
    expectClose(found.predicted, calibration.predicted, 12);
    expectClose(found.counts, calibration.counts);
    expectClose(found.calibrated, calibration.calibrated, 12);
    for (const score of ['brier', 'miscalibration', 'discrimination', 'uncertainty'] as const)
      expect(found[score]).toBeCloseTo(calibration[score], 12);
  });

  it.each([reference.band25, reference.band200])('on the band of $n uniform values', (expected) => {
    const found = uniformBand(expected.n, expected.points, 0.95);
    // R searches for γ with a tolerance, so its band may be one value off and hold a little less often
    expected.low.forEach((low, k) => expect(Math.abs(found.low[k] - low)).toBeLessThanOrEqual(1));
    expected.high.forEach((high, k) =>
      expect(Math.abs(found.high[k] - high)).toBeLessThanOrEqual(1),
    );
    const coverage = bandCoverage(found, expected.n);
    expect(coverage).toBeGreaterThanOrEqual(0.95);
    expect(coverage).toBeLessThan(0.96);
    const theirs = {
      low: Float64Array.from(expected.low),
      high: Float64Array.from(expected.high),
    };
    expect(Math.abs(bandCoverage(theirs, expected.n) - 0.95)).toBeLessThan(0.01);
  });
});
