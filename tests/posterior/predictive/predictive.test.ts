/** Predictive checks: what must hold whatever the draws are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calibrate,
  calibrationOf,
  isotonic,
} from '../../../src/posterior/predictive/calibration.ts';
import { countFrequencies } from '../../../src/posterior/predictive/count-frequencies.ts';
import { looPitOf } from '../../../src/posterior/predictive/loo-pit.ts';
import {
  type DataVariable,
  findPair,
  groupings,
  observedFor,
  priorFlagOf,
  runArrays,
} from '../../../src/posterior/predictive/pairing.ts';
import {
  chosenDraws,
  guessOutcome,
  predictiveOf,
} from '../../../src/posterior/predictive/replications.ts';
import {
  statisticsFor,
  testStatistics,
} from '../../../src/posterior/predictive/test-statistics.ts';
import {
  bandCoverage,
  uniformBand,
  uniformEcdf,
} from '../../../src/posterior/predictive/uniform-band.ts';
import { seededRng } from '../../support/seeded-rng.ts';

const variable = (
  name: string,
  values: readonly number[],
  dims = [values.length],
): DataVariable => ({
  name,
  dims,
  values: Float64Array.from(values),
});
const elements = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}[${i + 1}]`);

describe('pairing replicated with observed data', () => {
  const y = variable('y', [1, 2, 3]);
  const x = variable('x', [4, 5, 6]);
  const data = [variable('N', [3], []), x, y];

  it.each(['y_rep', 'yrep', 'y_pred', 'ypred', 'y_hat', 'y_sim', 'y_tilde', 'y_new', 'rep_y'])(
    'finds y by %s',
    (name) => {
      const pair = findPair(['mu', ...elements('theta', 3), ...elements(name, 3)], data);
      expect([pair?.replicated.name, pair?.observed.name]).toEqual([name, 'y']);
    },
  );

  it('does not treat a parameter on another scale as replicated data, whatever its size', () => {
    const names = [...elements('theta', 3), ...elements('theta_tilde', 3)];
    expect(findPair(names, data)).toBeNull();
    const choice = { replicated: 'theta_tilde', observed: '' };
    expect(findPair(names, data, choice)?.replicated.name).toBe('theta_tilde');
  });

  it('prefers data named in the variable to a usual name of the same size', () => {
    const failures = variable('failures', [1, 0, 2]);
    const pair = findPair(elements('failures_rep', 3), [y, failures]);
    expect(pair?.observed.name).toBe('failures');
  });

  it('prefers replicated data to means, and finds their log likelihoods', () => {
    const names = [...elements('y_hat', 3), ...elements('y_rep', 3), ...elements('log_lik', 3)];
    const pair = findPair(names, data);
    expect(pair?.replicated.name).toBe('y_rep');
    expect(pair?.logLik?.variables).toEqual(elements('log_lik', 3));
  });

  it('assigns a log likelihood to other data only by its name', () => {
    const names = [...elements('y_rep', 3), ...elements('x_rep', 3), ...elements('log_lik', 3)];
    expect(findPair(names, data)?.logLik).toBeNull();
    const named = [...names, ...elements('log_lik_x', 3)];
    const choice = { replicated: 'x_rep', observed: '' };
    expect(findPair(named, data, choice)?.logLik?.name).toBe('log_lik_x');
  });

  it('finds nothing if no size fits, or if several fit by size alone', () => {
    expect(findPair(elements('y_rep', 4), data)).toBeNull();
    expect(findPair(elements('z_rep', 3), [x, variable('w', [1, 2, 4])])).toBeNull();
    expect(findPair(elements('z_rep', 3), [x])?.observed.name).toBe('x');
    expect(findPair(['y_rep'], [variable('y', [1])])).toBeNull();
  });

  it('accepts a manual choice of any array of the run', () => {
    const choice = { replicated: 'theta', observed: 'x' };
    const pair = findPair([...elements('theta', 3), ...elements('y_rep', 3)], data, choice);
    expect([pair?.replicated.name, pair?.observed.name]).toEqual(['theta', 'x']);
    const old = { replicated: 'gone', observed: 'gone' };
    expect(findPair(elements('y_rep', 3), data, old)?.observed.name).toBe('y');
  });

  it('puts elements in the order of the data, the last index fastest', () => {
    const names = ['z[1,1]', 'z[2,1]', 'z[10,1]', 'z[1,2]', 'z[2,2]', 'z[10,2]'];
    expect(runArrays(names)[0].variables).toEqual([
      'z[1,1]',
      'z[1,2]',
      'z[2,1]',
      'z[2,2]',
      'z[10,1]',
      'z[10,2]',
    ]);
  });

  it('offers variables that vary as data, and whole numbers that repeat as groups', () => {
    const array = { name: 'y_rep', variables: elements('y_rep', 4) };
    const observed = variable('y', [1, 2, 3, 4]);
    const constant = variable('one', [1, 1, 1, 1]);
    const group = variable('g', [1, 1, 2, 2]);
    expect(observedFor(array, [observed, constant, group]).map(({ name }) => name)).toEqual([
      'y',
      'g',
    ]);
    const unique = variable('id', [1, 2, 3, 4]);
    const real = variable('x', [0.5, 0.5, 1, 1]);
    expect(groupings(observed, [observed, constant, group, unique, real])).toEqual([group]);
  });

  it('recognises the flag that leaves the likelihood out', () => {
    expect(priorFlagOf([variable('prior_only', [1], [])])).toEqual({
      name: 'prior_only',
      isSet: true,
    });
    expect(priorFlagOf([variable('sample_prior', [0], [])])?.isSet).toBe(false);
    expect(priorFlagOf([variable('prior_only', [2], []), y])).toBeNull();
  });
});

describe('the outcome', () => {
  it('is guessed from the data and their replicates', () => {
    const guess = (values: readonly number[], drawn: readonly number[]) =>
      guessOutcome(Float64Array.from(values), [[Float64Array.from(drawn)]]);
    expect(guess([0, 1, 1], [0, 1])).toBe('binary');
    expect(guess([0, 1, 1], [0.2, 0.9])).toBe('binary');
    expect(guess([0, 1, 1], [0, 3])).toBe('count');
    expect(guess([0, 1, 4], [2, 3])).toBe('count');
    expect(guess([0, 1, 4], [2.5, 3])).toBe('continuous');
    expect(guess([-1, 1, 4], [2, 3])).toBe('continuous');
  });
});

describe('test statistics', () => {
  it('count ties on both sides, so that a statistic that never varies is not unusual', () => {
    const y = Float64Array.of(0, 0, 3);
    const replicated = Array.from(y, (value) => [Float64Array.of(value, value)]);
    const [zeros] = testStatistics(predictiveOf(y, replicated), ['zeros']);
    expect(zeros).toMatchObject({ observed: 2 / 3, p: 1, pBelow: 1, isUnusual: false });
  });

  it('leave out draws that are not finite, and are undefined where none is left', () => {
    const y = Float64Array.of(1, 2);
    const drawn = predictiveOf(y, [[Float64Array.of(NaN, 1, 5, 5)], [Float64Array.of(2, 2, 9, 9)]]);
    const [mean, , median] = testStatistics(drawn);
    expect(Array.from(mean.replicated)).toEqual([1.5, 7, 7]);
    expect(mean.p).toBe(1);
    expect(median.replicated).toHaveLength(3);
    const [none] = testStatistics(predictiveOf(y, [[Float64Array.of(NaN)], [Float64Array.of(1)]]));
    expect([none.p, none.isUnusual]).toEqual([NaN, false]);
  });

  it('flag unusual values, and include zeros only where they make sense', () => {
    const y = Float64Array.of(9, 10, 11);
    const replicated = [9, 10, 11].map((at) => [Float64Array.from({ length: 99 }, () => at - 8)]);
    const [mean, sd] = testStatistics(predictiveOf(y, replicated));
    expect([mean.isUnusual, sd.isUnusual]).toEqual([true, false]);
    expect(statisticsFor('continuous', y)).not.toContain('zeros');
    expect(statisticsFor('count', y)).toContain('zeros');
  });
});

describe('the draws that are shown', () => {
  it('are reproducible, ascending and distinct, and all of them if they are few', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.nat(80), (total, most) => {
        const chosen = chosenDraws(total, most);
        expect(chosen).toEqual(chosenDraws(total, most));
        expect(chosen).toHaveLength(Math.min(total, most));
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen).toEqual(chosen.toSorted((a, b) => a - b));
        for (const draw of chosen) expect(draw).toBeLessThan(total);
      }),
    );
  });
});

describe('counts', () => {
  it('include every observation once, whatever the bin widths', () => {
    const any = fc.array(fc.nat(5000), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(any, (values) => {
        const y = Float64Array.from(values);
        const replicated = Array.from(y, (value) => [Float64Array.of(value, value + 1)]);
        const { observed, expected, from, to, beyond } = countFrequencies(
          predictiveOf(y, replicated),
        );
        const sum = (numbers: Float64Array) => numbers.reduce((a, b) => a + b, 0);
        expect(sum(observed)).toBe(y.length);
        expect(sum(expected) + beyond * y.length).toBeCloseTo(y.length, 8);
        expect(from.length).toBeLessThanOrEqual(60);
        expect(from.every((first, k) => k === 0 || first === to[k - 1] + 1)).toBe(true);
      }),
    );
  });
});

describe('calibration', () => {
  it('fits an increasing curve that keeps the weighted sum', () => {
    const point = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
    );
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 30 }), (points) => {
        const [values, weights] = [points.map(([v]) => v), points.map(([, w]) => w)];
        const fitted = isotonic(values, weights);
        const total = (of: ArrayLike<number>) =>
          weights.reduce((sum, weight, i) => sum + weight * of[i], 0);
        expect(total(fitted)).toBeCloseTo(total(values), 8);
        for (let i = 1; i < fitted.length; i++)
          expect(fitted[i]).toBeGreaterThanOrEqual(fitted[i - 1] - 1e-12);
      }),
    );
  });

  it('stays in its band where the predictions are right, and leaves it where they are reversed', () => {
    const rng = seededRng(4);
    const predicted = Float64Array.from({ length: 400 }, () => rng.uniform());
    const y = predicted.map((p) => (rng.uniform() < p ? 1 : 0));
    const outside = ({ calibrated, low, high }: ReturnType<typeof calibrate>) =>
      calibrated.filter((value, k) => value < low[k] || value > high[k]).length / calibrated.length;
    expect(outside(calibrate(y, predicted))).toBeLessThan(0.2);
    const reversed = predicted.map((p) => 1 - p);
    expect(outside(calibrate(y, reversed))).toBeGreaterThan(0.5);
  });

  it('predicts by the mean of the replicated draws', () => {
    const y = Float64Array.of(0, 1);
    const replicated = [
      [Float64Array.of(0, 0, 0, 1)],
      [Float64Array.of(1, 1), Float64Array.of(1, 0)],
    ];
    expect(Array.from(calibrationOf(predictiveOf(y, replicated)).predicted)).toEqual([0.25, 0.75]);
  });
});

describe('LOO-PIT', () => {
  it('is uniform for the right model, also for discrete outcomes, and not for a wrong one', () => {
    const rng = seededRng(11);
    const [n, numDraws] = [300, 400];
    const draw = (rate: number) => {
      let count = 0;
      for (let left = Math.exp(-rate), p = rng.uniform(); p > left; count++) p *= rng.uniform();
      return count;
    };
    const y = Float64Array.from({ length: n }, () => draw(2));
    const flat = Array.from(y, () => [new Float64Array(numDraws).map(() => 1e-9 * rng.normal())]);
    const pitFor = (rate: number) => {
      const replicated = Array.from(y, () => [
        Float64Array.from({ length: numDraws }, () => draw(rate)),
      ]);
      return uniformEcdf(looPitOf(predictiveOf(y, replicated), flat).pit);
    };
    const isOut = (found: ReturnType<typeof uniformEcdf>) =>
      found?.difference.some((value, k) => value < found.low[k] || value > found.high[k]);
    expect(isOut(pitFor(2))).toBe(false);
    expect(isOut(pitFor(3))).toBe(true);
  });

  it('is undefined if draws are NaN or differ in number', () => {
    const y = Float64Array.of(1, 2);
    const one = (...values: number[]) => [Float64Array.from(values)];
    const drawn = predictiveOf(y, [one(1, NaN, 2), one(1, 2, 3)]);
    const { pit } = looPitOf(drawn, [one(-1, -1.1, -1.2), one(-1, -2)]);
    expect(Array.from(pit)).toEqual([NaN, NaN]);
    expect(uniformEcdf(pit)).toBeNull();
  });
});

describe('the band of uniform values', () => {
  it('has the coverage found by counting every outcome', () => {
    // four values in two halves: the first half holds 1 to 3 of them in all but 2 of 16 outcomes
    const band = { low: Float64Array.of(1, 4), high: Float64Array.of(3, 4) };
    expect(bandCoverage(band, 4)).toBeCloseTo(14 / 16, 12);
  });

  it('holds uniform samples about as often as its probability', () => {
    const rng = seededRng(5);
    let inside = 0;
    for (let run = 0; run < 400; run++) {
      const found = uniformEcdf(Float64Array.from({ length: 60 }, () => rng.uniform()));
      if (found?.difference.every((d, k) => d >= found.low[k] - 1e-9 && d <= found.high[k] + 1e-9))
        inside++;
    }
    expect(inside / 400).toBeGreaterThan(0.92);
    expect(inside / 400).toBeLessThan(0.99);
  });

  it('is symmetric and narrow for large samples', () => {
    const { low, high } = uniformBand(20_000, 100, 0.95);
    for (let k = 0; k < 99; k++) expect(high[98 - k]).toBe(20_000 - low[k]);
    expect((high[49] - low[49]) / 20_000).toBeLessThan(0.03);
  });
});
