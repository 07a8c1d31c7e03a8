/** Parts of predictive checks on data so small that every number is known. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { paretoKThreshold } from '../../../src/posterior/pareto-fit.ts';
import { calibrate } from '../../../src/posterior/predictive/calibration.ts';
import { countFrequencies } from '../../../src/posterior/predictive/count-frequencies.ts';
import { predictiveIntervals } from '../../../src/posterior/predictive/intervals.ts';
import { looPitOf } from '../../../src/posterior/predictive/loo-pit.ts';
import {
  chosenDraws,
  guessOutcome,
  predictiveOf,
  replicateOf,
} from '../../../src/posterior/predictive/replications.ts';
import {
  type StatisticName,
  statisticNames,
  statisticsFor,
  testStatistics,
} from '../../../src/posterior/predictive/test-statistics.ts';
import {
  bandCoverage,
  uniformBand,
  uniformEcdf,
} from '../../../src/posterior/predictive/uniform-band.ts';
import { createRandom } from '../../../src/posterior/seeded-random.ts';
import { normalDraws } from '../fixtures.ts';

const of = (...values: number[]) => Float64Array.from(values);
/** One chain per observation. */
const drawn = (y: readonly number[], ...replicated: readonly (readonly number[])[]) =>
  predictiveOf(
    of(...y),
    replicated.map((draws) => [of(...draws)]),
  );

describe('replicated data', () => {
  it('have the draws common to all observations, chains end to end', () => {
    const predictive = predictiveOf(of(1, 2), [
      [of(1, 2, 3), of(4, 5, 6)],
      [of(7, 8), of(9, 10, 11)],
    ]);
    expect(predictive.replicated).toEqual([of(1, 2, 3, 4, 5, 6), of(7, 8, 9, 10)]);
    expect(predictive.numDraws).toBe(4);
    const set = new Float64Array(2);
    replicateOf(predictive, 2, set);
    expect(set).toEqual(of(3, 9));
    expect(predictiveOf(of(), []).numDraws).toBe(0);
  });

  it('are shown with draws from the whole run', () => {
    const chosen = chosenDraws(1000, 100);
    const among = (from: number, to: number) =>
      chosen.filter((draw) => draw >= from && draw < to).length;
    for (const from of [0, 250, 500, 750]) {
      expect(among(from, from + 250)).toBeGreaterThan(12);
      expect(among(from, from + 250)).toBeLessThan(38);
    }
    expect([chosenDraws(3, 5), chosenDraws(3, 0)]).toEqual([[0, 1, 2], []]);
  });

  it.each([
    ['nothing', [], [], 'continuous'],
    ['0 and 1', [0, 1], [0, 1], 'binary'],
    ['0 and 1 by values below 0', [0, 1], [-0.1], 'continuous'],
    ['0 and 1 by values above 1', [0, 1], [1.1], 'continuous'],
    ['counts by counts', [0, 2], [0, 7], 'count'],
    ['counts by values below 0', [0, 2], [-1], 'continuous'],
    ['values below 0 by counts', [-1, 2], [3], 'continuous'],
    ['fractions by counts', [0.5, 2], [3], 'continuous'],
    ['counts by 0 and 1', [0, 2], [0, 1], 'count'],
  ])('have an outcome kind that fits data and replicates: %s', (_, y, replicated, kind) => {
    expect(guessOutcome(of(...y), [[of(...replicated)], [of(0)]])).toBe(kind);
    expect(guessOutcome(of(...y), [[of(0), of(...replicated)]])).toBe(kind);
  });
});

describe('test statistics', () => {
  it('are computed for each replicated data set', () => {
    const predictive = drawn([3, 0, 1, 8], [1, 2], [0, 2], [5, 2], [0, 2]);
    const expected: Record<StatisticName, readonly [number, readonly number[], number, number]> = {
      mean: [3, [1.5, 2], 0, 1],
      sd: [Math.sqrt(38 / 3), [Math.sqrt(17 / 3), 0], 0, 1],
      median: [2, [0.5, 2], 0.5, 1],
      min: [0, [0, 2], 1, 0.5],
      max: [8, [5, 2], 0, 1],
      zeros: [0.25, [0.5, 0], 0.5, 0.5],
    };
    const found = testStatistics(predictive);
    expect(found.map(({ name }) => name)).toEqual(statisticNames);
    for (const { name, observed, replicated, p, pBelow } of found) {
      const [wanted, sets, above, below] = expected[name];
      expect(observed).toBeCloseTo(wanted, 12);
      sets.forEach((value, s) => expect(replicated[s]).toBeCloseTo(value, 12));
      expect([replicated.length, p, pBelow]).toEqual([2, above, below]);
    }
  });

  it('are unusual if less than 2.5 % of replicates are as extreme', () => {
    const isUnusual = (count: number, at: number) => {
      const replicated = Array.from({ length: count }, (_, s) => (s === 0 ? at : 0));
      return testStatistics(drawn([at], replicated), ['mean'])[0].isUnusual;
    };
    expect([40, 41].map((count) => isUnusual(count, 1))).toEqual([false, true]);
    expect([40, 41].map((count) => isUnusual(count, -1))).toEqual([false, true]);
  });

  it('leave out replicates for which they are not finite', () => {
    const y = [2, 1, 3];
    const predictive = drawn(y, [NaN, Infinity, 3], [1, 1, 5], [2, Infinity, 9]);
    const [median, min, max] = testStatistics(predictive, ['median', 'min', 'max']);
    expect([...median.replicated]).toEqual([5]);
    expect([...min.replicated]).toEqual([1, 3]);
    expect([...max.replicated]).toEqual([9]);
    expect([...predictive.y]).toEqual(y);
  });

  it('of an outcome are the informative ones', () => {
    const [withZero, without] = [of(0, 1.5), of(1, 2)];
    expect(statisticsFor('binary', withZero)).toEqual(['mean', 'sd']);
    expect(statisticsFor('count', without)).toEqual(statisticNames);
    expect(statisticsFor('continuous', withZero)).toEqual(statisticNames);
    expect(statisticsFor('continuous', without)).toEqual(['mean', 'sd', 'median', 'min', 'max']);
  });
});

describe('predictive intervals', () => {
  const hundred = Array.from({ length: 101 }, (_, i) => (i * 37) % 101);

  it('include their ends', () => {
    const found = predictiveIntervals(
      drawn([5, 25, 75, 95, 4, 24, 76, 96], ...Array.from({ length: 8 }, () => hundred)),
    );
    expect(
      [found.low90, found.low50, found.median, found.high50, found.high90].map(([at]) => at),
    ).toEqual([5, 25, 50, 75, 95]);
    expect([found.coverage50, found.coverage90]).toEqual([2 / 8, 6 / 8]);
    const unsorted = drawn([2], [3, 1, 2]);
    expect([...predictiveIntervals(unsorted).median]).toEqual([2]);
    expect(unsorted.replicated).toEqual([of(3, 1, 2)]);
  });

  it('are undefined without draws and if a draw is NaN', () => {
    const found = predictiveIntervals(drawn([1, 2, 50], [], [1, NaN, 3], hundred));
    expect([...found.median]).toEqual([NaN, NaN, 50]);
    expect([...found.low90]).toEqual([NaN, NaN, 5]);
    expect([found.coverage50, found.coverage90]).toEqual([1 / 3, 1 / 3]);
  });
});

describe('frequencies of counts', () => {
  it('cover every count from the smallest to the largest, drawn or observed', () => {
    const found = countFrequencies(drawn([3, 3, 5], [3, 2], [4, 3], [4, 6]));
    expect([...found.from]).toEqual([2, 3, 4, 5, 6]);
    expect([...found.to]).toEqual([2, 3, 4, 5, 6]);
    expect([...found.observed]).toEqual([0, 2, 0, 1, 0]);
    expect([...found.expected]).toEqual([0.5, 1, 1, 0, 0.5]);
    found.low.forEach((value, k) => expect(value).toBeCloseTo([0.05, 1, 0.1, 0, 0.05][k], 12));
    found.high.forEach((value, k) => expect(value).toBeCloseTo([0.95, 1, 1.9, 0, 0.95][k], 12));
    expect(found.beyond).toBe(0);
  });

  it('end at the count that one draw in a thousand exceeds, and report the share beyond', () => {
    const draws = Array.from({ length: 2000 }, (_, s) => (s === 7 ? 1000 : 3 + (s % 3)));
    const found = countFrequencies(drawn([4], draws));
    expect([...found.from]).toEqual([3, 4, 5]);
    expect(found.expected.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1999 / 2000, 12);
    expect(found.beyond).toBe(1 / 2000);
    // if it is observed, it has a bin
    expect(countFrequencies(drawn([4, 1000], draws, draws)).beyond).toBe(0);
  });

  it('have several counts per bin if there are more than sixty', () => {
    const widths = (last: number) => {
      const { from, to, observed } = countFrequencies(drawn([0, last], [0], [last]));
      return [from.length, to[0] + 1, from.at(-1), to.at(-1), observed.at(-1)];
    };
    expect(widths(59)).toEqual([60, 1, 59, 59, 1]);
    expect(widths(60)).toEqual([31, 2, 60, 61, 1]);
    expect(widths(120)).toEqual([41, 3, 120, 122, 1]);
    expect(countFrequencies(drawn([100, 130], [100], [130])).from).toHaveLength(31);
  });

  it('leave out draws that are not finite, and are empty without data', () => {
    const found = countFrequencies(drawn([1, 2], [NaN, NaN], [2, Infinity]));
    expect([...found.from]).toEqual([1, 2]);
    expect([...found.expected]).toEqual([0, 0.5]);
    expect(found.beyond).toBe(0.75);
    expect(countFrequencies(drawn([])).from).toHaveLength(0);
  });
});

describe('LOO-PIT', () => {
  it('is the weight of the draws below plus a random part of the weight of equal draws', () => {
    const values = [1, 2, 2, 3, 4, 2, 5, 9];
    const random = createRandom();
    const parts = [random(), random(), random(), random()];
    const flat = Array.from({ length: 4 }, () => [new Float64Array(8).fill(-1)]);
    const predictive = drawn([2, 3.5, 0, 10], values, values, values, values);
    const { pit, pareto_k, threshold, num_high_k } = looPitOf(predictive, flat);
    [(1 + 3 * parts[0]) / 8, 5 / 8, 0, 1].forEach((value, i) =>
      expect(pit[i]).toBeCloseTo(value, 12),
    );
    expect(Math.max(...pit)).toBeLessThanOrEqual(1);
    // eight draws are too few for a tail
    expect([...pareto_k]).toEqual([Infinity, Infinity, Infinity, Infinity]);
    expect([threshold, num_high_k]).toEqual([paretoKThreshold(8), 4]);
  });

  it('counts the observations with k above the limit, and uses the relative efficiency', () => {
    const heavy = normalDraws(1, 400).map((z) => 3 * z);
    const light = normalDraws(2, 400).map((z) => 0.1 * z);
    const draws = [...normalDraws(3, 400)];
    const found = looPitOf(drawn([0, 0], draws, draws), [[heavy], [light]]);
    expect(found.num_high_k).toBe(1);
    expect(found.pareto_k[0]).toBeGreaterThan(found.threshold);
    const other = looPitOf(drawn([0, 0], draws, draws), [[heavy], [light]], {
      relativeEfficiency: 0.2,
    });
    expect(other.pareto_k[0]).not.toBe(found.pareto_k[0]);
  });

  it('weights the draws as if the observation were left out', () => {
    // a likelihood of 1 and of 1/3: weights of 1/4 and 3/4 without the observation
    const logLik = [of(0, Math.log(1 / 3))];
    const { pit } = looPitOf(drawn([5], [9, 1]), [logLik]);
    expect(pit[0]).toBeCloseTo(0.75, 12);
  });
});

describe('calibration', () => {
  it('pools predictions that differ only by rounding', () => {
    const { predicted, counts, calibrated, brier, uncertainty } = calibrate(
      of(0, 1, 1, 1),
      of(0.25 + 1e-13, 0.25, 0.75, 0.25),
    );
    expect([predicted.length, ...counts]).toEqual([2, 3, 1]);
    expect(calibrated[0]).toBeCloseTo(2 / 3, 12);
    expect(brier).toBeCloseTo((0.0625 + 2 * 0.5625 + 0.0625) / 4, 10);
    expect(uncertainty).toBeCloseTo(0.1875, 12);
    expect(calibrate(of(0, 1), of(0.25, 0.25 + 1e-11)).predicted).toHaveLength(2);
    expect(calibrate(of(0, 1), of(0, 1e-12)).predicted).toHaveLength(2);
  });

  it('has a 90 % band around a single prediction', () => {
    const n = 100;
    const { low, high } = calibrate(new Float64Array(n), new Float64Array(n).fill(0.3));
    // a binomial of 100 and 0.3 has 5 % at 23 and 95 % at 38
    expect(Math.abs(low[0] - 0.23)).toBeLessThanOrEqual(0.0101);
    expect(Math.abs(high[0] - 0.38)).toBeLessThanOrEqual(0.0101);
    const sure = calibrate(of(1, 1), of(1, 1));
    expect([sure.low[0], sure.high[0]]).toEqual([1, 1]);
  });
});

describe('the band of uniform values', () => {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

  /** By enumerating every way to put `n` values into `points` parts. */
  function coverageByCounting(low: readonly number[], high: readonly number[], n: number) {
    const points = low.length;
    const walk = (k: number, before: number, ways: number): number => {
      if (k === points) return before === n ? (ways * factorial(n)) / points ** n : 0;
      let sum = 0;
      for (let count = 0; before + count <= n; count++) {
        const total = before + count;
        if (total >= low[k] && total <= high[k]) sum += walk(k + 1, total, ways / factorial(count));
      }
      return sum;
    };
    return walk(0, 0, 1);
  }

  it('has the coverage found by counting every outcome', () => {
    const n = 6;
    const ends = fc.tuple(fc.integer({ min: 0, max: n }), fc.integer({ min: 0, max: n }));
    fc.assert(
      fc.property(
        fc.array(ends, { maxLength: 4 }),
        fc.integer({ min: 0, max: n }),
        (inner, least) => {
          const low = [...inner.map(([a]) => a), least];
          const high = [...inner.map(([, b]) => b), n];
          const found = bandCoverage({ low: of(...low), high: of(...high) }, n);
          expect(found).toBeCloseTo(coverageByCounting(low, high, n), 12);
        },
      ),
      { seed: 9, numRuns: 200 },
    );
  });

  it('covers everything if it has no limits, even if each outcome underflows a double', () => {
    const n = 2000;
    const band = { low: of(0, n), high: of(n, n) };
    expect(bandCoverage(band, n)).toBeCloseTo(1, 9);
    expect(bandCoverage({ low: of(1000, n), high: of(n, n) }, n)).toBeCloseTo(0.5089, 3);
  });

  it('widens with the probability, is reproducible, and ends at the number of values', () => {
    const [narrow, wide] = [0.5, 0.99].map((probability) => uniformBand(40, 10, probability));
    expect(bandCoverage(narrow, 40)).toBeGreaterThanOrEqual(0.5);
    expect(bandCoverage(wide, 40)).toBeGreaterThanOrEqual(0.99);
    for (let k = 0; k < 9; k++) expect(wide.low[k]).toBeLessThan(narrow.low[k] + 1);
    expect(wide.high[4] - wide.low[4]).toBeGreaterThan(narrow.high[4] - narrow.low[4]);
    expect(uniformBand(40, 10, 0.5)).toEqual(narrow);
    expect([narrow.low[9], narrow.high[9]]).toEqual([40, 40]);
  });

  it('is that of the largest level at which enough samples stay inside', async () => {
    // bands are cached once found: these are not yet
    vi.resetModules();
    const fresh = await import('../../../src/posterior/predictive/uniform-band.ts');
    for (const [n, points, probability] of [
      [8, 4, 0.9],
      [12, 5, 0.6],
      [10, 3, 0.95],
      [2, 2, 0.5],
    ]) {
      const upTo = Array.from({ length: points - 1 }, (_, k) => {
        const p = (k + 1) / points;
        let sum = 0;
        return Array.from({ length: n + 1 }, (__, count) => {
          const ways = factorial(n) / factorial(count) / factorial(n - count);
          sum += ways * p ** count * (1 - p) ** (n - count);
          return sum;
        });
      });
      const bandAt = (level: number) => {
        const low = upTo.map((sums) => sums.findIndex((sum) => sum > (level / 2) * (1 - 1e-9)));
        return { low: [...low, n], high: [...low.toReversed().map((count) => n - count), n] };
      };
      const levels = [1 - probability, ...upTo.flat().map((sum) => 2 * sum)];
      const [expected] = levels
        .filter((level) => level <= 1 - probability)
        .sort((a, b) => b - a)
        .map(bandAt)
        .filter(({ low, high }) => coverageByCounting(low, high, n) >= probability);
      const found = fresh.uniformBand(n, points, probability);
      expect({ low: [...found.low], high: [...found.high] }).toEqual(expected);
    }
    const large = fresh.uniformBand(1500, 2, 0.95);
    expect(large.high[0]).toBe(1500 - large.low[0]);
    expect(fresh.bandCoverage(large, 1500)).toBeGreaterThan(0.945);
    expect(fresh.bandCoverage(large, 1500)).toBeLessThan(0.96);
  });

  it('comes with the ECDF minus the diagonal at up to a hundred points', () => {
    const values = of(0.5, 0.1, 1, 0.75);
    const ecdf = uniformEcdf(values);
    expect(values).toEqual(of(0.5, 0.1, 1, 0.75));
    expect([...(ecdf?.z ?? [])]).toEqual([0.25, 0.5, 0.75, 1]);
    expect([...(ecdf?.difference ?? [])]).toEqual([0, 0, 0, 0]);
    const band = uniformBand(4, 4, 0.95);
    expect(ecdf?.low).toEqual(band.low.map((count, k) => count / 4 - (k + 1) / 4));
    expect(ecdf?.high).toEqual(band.high.map((count, k) => count / 4 - (k + 1) / 4));
    expect(uniformEcdf(of(0.3))?.z).toEqual(of(0.5, 1));
    expect(uniformEcdf(new Float64Array(150).fill(0.5))?.z).toHaveLength(100);
    expect(uniformEcdf(of(0, 1), { probability: 0.5 })).not.toBeNull();
    for (const odd of [of(), of(0.5, -0.01), of(1.01, 0.5), of(NaN, 0.5)])
      expect(uniformEcdf(odd)).toBeNull();
  });
});
