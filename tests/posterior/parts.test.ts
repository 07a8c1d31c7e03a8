/** The small parts: order, quantiles, transform, intervals, densities, formatted numbers. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  autocorrelation,
  autocovarianceSums,
  centreChains,
  coincidenceSums,
} from '../../src/posterior/autocovariance.ts';
import { betaCumulative, betaQuantile } from '../../src/posterior/beta-quantile.ts';
import { decimalsForMcse, plainNumber } from '../../src/posterior/decimals.ts';
import { density } from '../../src/posterior/density.ts';
import { isSamplerColumn, samplerStatistics, splitChains } from '../../src/posterior/draws.ts';
import { ebfmi } from '../../src/posterior/ebfmi.ts';
import { inverseTransform, paddedSize, transform } from '../../src/posterior/fft.ts';
import { hdi } from '../../src/posterior/hdi.ts';
import { countInBins, histogram } from '../../src/posterior/histogram.ts';
import { normalQuantile } from '../../src/posterior/normal-quantile.ts';
import { sortDraws, sortedOrder, takeInOrder } from '../../src/posterior/order.ts';
import { medianOfSorted, quantiles } from '../../src/posterior/quantile.ts';
import { averageRanks, foldOrder, normalScores, rankScores } from '../../src/posterior/ranks.ts';
import { normalDraws, seededUniform, stanChains } from './fixtures.ts';

const numbers = fc.array(
  fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1, -1, Infinity, -Infinity, 5e-324)),
  { maxLength: 200 },
);

describe('sortedOrder', () => {
  it('sorts any doubles, stably, with −0 equal to 0', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const values = Float64Array.from(list);
        const order = sortedOrder(values);
        const expected = list
          .map((_, i) => i)
          .sort((a, b) => (values[a] === values[b] ? a - b : values[a] - values[b] || 0));
        expect([...order]).toEqual(expected);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
  it.each([
    ['a few values that differ only in their lower halves', 20],
    ['many such values', 500],
  ])('sorts %s', (_, count) => {
    const noise = normalDraws(9, count);
    for (const sign of [1, -1]) {
      const values = noise.map((value) => sign * (1e9 + Math.round(value * 5) * 1e-6));
      const expected = Array.from(values, (_, i) => i).sort(
        (a, b) => values[a] - values[b] || a - b,
      );
      expect([...sortedOrder(values)]).toEqual(expected);
    }
  });
  it.each<[string, (value: number) => number]>([
    ['are normal', (value) => value],
    ['are far from 0', (value) => 1e6 + 1e-3 * value],
    ['have heavy tails', (value) => value ** 9],
    ['have few distinct values', (value) => Math.round(3 * value)],
    ['reach the largest doubles', (value) => value * 1e308],
    ['are subnormal', (value) => value * 5e-324],
  ])('sorts draws that %s', (_, of) => {
    const values = normalDraws(8, 3000).map(of);
    const expected = Array.from(values, (_value, i) => i).sort(
      (a, b) => values[a] - values[b] || a - b,
    );
    const { order, sorted } = sortDraws(values);
    expect([...order]).toEqual(expected);
    expect(sorted).toEqual(takeInOrder(values, order));
  });
  it('returns arrays that later calls do not change', () => {
    const values = normalDraws(6, 100);
    const order = sortedOrder(values);
    const before = [...order];
    for (const count of [3, 1000, 100]) sortedOrder(normalDraws(7, count));
    expect([...order]).toEqual(before);
  });
  it('sorts many values', () => {
    const values = normalDraws(5, 50_000);
    expect(takeInOrder(values, sortedOrder(values))).toEqual(values.slice().sort());
  });
});

it('averageRanks shares ranks among ties and skips draws without a place', () => {
  const values = Float64Array.of(3, 1, 3, 2, 3);
  const order = sortedOrder(values);
  const ranks = new Float64Array(5);
  averageRanks(order, takeInOrder(values, order), ranks);
  expect([...ranks]).toEqual([4, 1, 4, 2, 4]);
  const some = new Float64Array(4);
  averageRanks(order, takeInOrder(values, order), some, Int32Array.of(0, 1, -1, 2, 3));
  expect([...some]).toEqual([3.5, 1, 2, 3.5]);
});

it('rankScores are the normal scores of average ranks, with and without ties and places', () => {
  for (const of of [(value: number) => value, (value: number) => Math.round(2 * value)]) {
    const inOrder = sortDraws(normalDraws(12, 301).map(of));
    for (const place of [
      null,
      Int32Array.from({ length: 301 }, (_, i) => (i === 150 ? -1 : i - Number(i > 150))),
    ]) {
      const expected = new Float64Array(place === null ? 301 : 300);
      averageRanks(inOrder.order, inOrder.sorted, expected, place);
      normalScores(expected);
      const scores = new Float64Array(expected.length);
      rankScores(inOrder, scores, place);
      expect(scores).toEqual(expected);
    }
  }
});

it('foldOrder orders by the distance from a centre, of draws near and far', () => {
  fc.assert(
    fc.property(numbers, fc.constantFrom(0, 1, -2.5, 1e300, -1.7e308, 1.7e308), (list, centre) => {
      const finite = list.filter(Number.isFinite);
      const values = Float64Array.from([...finite, -1.7e308, 1.7e308]);
      const folded = foldOrder(sortDraws(values), centre);
      const distances = values.map((value) => Math.abs(value - centre));
      expect(folded.sorted).toEqual(distances.toSorted());
      expect(takeInOrder(distances, folded.order)).toEqual(folded.sorted);
      expect([...folded.order].sort((a, b) => a - b)).toEqual([...values.keys()]);
    }),
    { seed: 15 },
  );
});

it('splitChains halves, and drops the middle of an odd chain', () => {
  const split = splitChains({
    values: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    numChains: 2,
    length: 5,
  });
  expect(split).toEqual({
    values: Float64Array.of(1, 2, 4, 5, 6, 7, 9, 10),
    numChains: 4,
    length: 2,
  });
  expect(splitChains({ values: Float64Array.of(1), numChains: 1, length: 1 }).numChains).toBe(1);
  const two = { values: Float64Array.of(1, 2), numChains: 1, length: 2 };
  expect(splitChains(two)).toEqual({ values: two.values, numChains: 2, length: 1 });
});

it('quantiles follow type 7 (R: quantile(c(1, 2, 4, 8), c(0, .1, .5, .75, 1)))', () => {
  expect(quantiles(Float64Array.of(8, 1, 4, 2), [0, 0.1, 0.5, 0.75, 1])).toEqual([1, 1.3, 3, 5, 8]);
  expect(quantiles(Float64Array.of(1, NaN, 2), [0, 0.5])).toEqual([NaN, NaN]);
  expect(quantiles(Float64Array.of(3, 1), [-0.5, 1.5])).toEqual([1, 3]);
});

it('the quantiles of no values, and their median, are undefined', () => {
  const none = new Float64Array(0);
  expect(quantiles(none, [0, 0.5, 1])).toEqual([NaN, NaN, NaN]);
  expect(medianOfSorted(none)).toBeNaN();
  expect([1, 2].map((count) => medianOfSorted(Float64Array.of(3, 8).subarray(0, count)))).toEqual([
    3, 5.5,
  ]);
});

describe('normalQuantile', () => {
  // R: qnorm, 16 digits.
  it.each([
    [0.5, 0],
    [0.975, 1.95996398454005],
    [0.001, -3.090232306167813],
    [1e-20, -9.26234008979841],
    [0.3, -0.524400512708041],
    [0.6, 0.2533471031358],
    [0.925, 1.43953147093846],
  ])('Φ⁻¹(%d)', (p, z) => expect(normalQuantile(p)).toBeCloseTo(z, 13));
  it('is infinite at 0 and 1, and undefined beyond', () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
    for (const p of [-0.1, 1.1, NaN]) expect(normalQuantile(p)).toBeNaN();
  });
});

describe('beta distribution', () => {
  // Closed forms: I_x(a, 1) = x^a, I_x(1, b) = 1 − (1 − x)^b, symmetric median.
  it('agrees with closed forms', () => {
    expect(betaCumulative(0.3, 4, 1)).toBeCloseTo(0.3 ** 4, 14);
    expect(betaCumulative(0.3, 1, 5)).toBeCloseTo(1 - 0.7 ** 5, 14);
    expect(betaQuantile(0.5, 700.5, 700.5)).toBeCloseTo(0.5, 12);
  });
  it('reaches from 0 to 1', () => {
    expect([0, 1].map((x) => betaCumulative(x, 2, 3))).toEqual([0, 1]);
    expect(betaQuantile(0, 2, 3)).toBeLessThan(1e-15);
    expect(betaQuantile(1, 2, 3)).toBeGreaterThan(0.9999);
    expect(betaQuantile(0.25, 1, 1)).toBeCloseTo(0.25, 15);
  });
  it.each([
    [-0.1, 2, 3],
    [1.1, 2, 3],
    [NaN, 2, 3],
    [0.5, 0.9, 3],
    [0.5, 2, 0.9],
  ])('has no quantile at %d for the shapes %d and %d', (p, a, b) =>
    expect(betaQuantile(p, a, b)).toBeNaN(),
  );
  it('has a quantile function that inverts the distribution function', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 3000 }),
        (p, a, b) => {
          expect(betaCumulative(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 8);
        },
      ),
      { seed: 4 },
    );
  });
});

describe('transforms and autocovariance', () => {
  it('the inverse transform undoes the transform', () => {
    const re = normalDraws(1, 64);
    const im = normalDraws(2, 64);
    const before = [re.slice(), im.slice()];
    transform(re, im);
    inverseTransform(re, im);
    re.forEach((value, i) => expect(value / 64).toBeCloseTo(before[0][i], 12));
    im.forEach((value, i) => expect(value / 64).toBeCloseTo(before[1][i], 12));
  });
  it('match the definition for any power of two, in bit-reversed order', async () => {
    // tables are cached per size: here none is yet
    vi.resetModules();
    const fresh = await import('../../src/posterior/fft.ts');
    for (const bits of [1, 2, 3, 4, 5, 1, 4]) {
      const size = 2 ** bits;
      const [re, im] = [normalDraws(bits, size), normalDraws(bits + 9, size)];
      const sumsAt = (k: number) =>
        re.reduce(
          ([a, b], value, j) => {
            const [cos, sin] = [Math.cos, Math.sin].map((f) => f((-2 * Math.PI * j * k) / size));
            return [a + value * cos - im[j] * sin, b + value * sin + im[j] * cos];
          },
          [0, 0],
        );
      const expected = Array.from(re, (_, k) => sumsAt(k));
      fresh.transform(re, im);
      for (const [k, [a, b]] of expected.entries()) {
        let place = 0;
        for (let bit = 0; bit < bits; bit++) place = 2 * place + ((k >> bit) & 1);
        expect(re[place]).toBeCloseTo(a, 12);
        expect(im[place]).toBeCloseTo(b, 12);
      }
    }
  });
  it('pad to the next power of two', () => {
    expect([1, 2, 3, 8, 9].map(paddedSize)).toEqual([1, 2, 4, 8, 16]);
  });
  it.each([2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 19, 20, 77])(
    'every lag equals the plain sum, for three chains of %i draws, in any order',
    (length) => {
      const chains = { values: normalDraws(6, 3 * length), numChains: 3, length };
      const { centred } = centreChains(chains);
      const plain = (lag: number) => {
        let sum = 0;
        for (let chain = 0; chain < 3; chain++)
          for (let i = 0; i + lag < length; i++)
            sum += centred.values[chain * length + i] * centred.values[chain * length + i + lag];
        return sum;
      };
      const lags = Array.from({ length }, (_, lag) => lag);
      for (const order of [lags, [...lags].reverse()]) {
        const sumAt = autocovarianceSums(centred);
        for (const lag of order) expect(sumAt(lag)).toBeCloseTo(plain(lag), 9);
      }
    },
  );
  it.each([
    [3, 50, 0.05],
    [1, 7, 0.3],
    [2, 400, 0.5],
    [8, 100, 0.99],
  ])('count coincidences of ones: %i chains of %i, a share of %d', (numChains, length, share) => {
    const next = seededUniform(3);
    const values = Uint8Array.from({ length: numChains * length }, () => (next() < share ? 1 : 0));
    values[length - 1] = 1;
    const ones = Uint32Array.from([...values.keys()].filter((i) => values[i] === 1));
    const dense = centreChains({ values: Float64Array.from(values), numChains, length });
    const expected = autocovarianceSums(dense.centred);
    const { means, sumAt } = coincidenceSums({ values, ones, numChains, length });
    means.forEach((mean, chain) => expect(mean).toBeCloseTo(dense.means[chain], 12));
    for (let lag = 0; lag < length; lag++) expect(sumAt(lag)).toBeCloseTo(expected(lag), 9);
  });
  it('autocorrelation of an AR(1) falls with powers of its coefficient', () => {
    const noise = normalDraws(8, 20_000);
    let last = 0;
    const chain = noise.map((x) => (last = 0.7 * last + x));
    const [zero, one, two] = autocorrelation(chain, 5);
    expect(zero).toBeCloseTo(1, 12);
    expect(one).toBeCloseTo(0.7, 1);
    expect(two).toBeCloseTo(0.49, 1);
  });
  it('autocorrelation is the sum of products over that of squares, up to the chain’s length', () => {
    // Deviations −2, −1, 0, 3: squares 14; products 2 + 0 + 0, 0 − 3, −6.
    const chain = Float64Array.of(8, 9, 10, 13);
    const [expected, whole] = [[1, 2 / 14, -3 / 14, -6 / 14], [...autocorrelation(chain, 9)]];
    expect(whole).toHaveLength(4);
    whole.forEach((value, lag) => expect(value).toBeCloseTo(expected[lag], 12));
    expect([...autocorrelation(chain, 1)]).toEqual(whole.slice(0, 2));
    expect(autocorrelation(new Float64Array(0), 3)).toHaveLength(0);
  });
  it('autocorrelation is undefined for a constant, and for a value that is not finite', () => {
    for (const values of [[2, 2, 2, 2], [0.1, 0.1, 0.1], [1, NaN, 2], [1, Infinity, 2], [3]])
      expect(autocorrelation(Float64Array.from(values), 1)).toEqual(
        new Float64Array(Math.min(2, values.length)).fill(NaN),
      );
  });
});

it('ebfmi is small for a random walk of energies and undefined for a constant', () => {
  let energy = 0;
  expect(ebfmi(normalDraws(2, 1000).map((x) => (energy += 0.1 * x)))).toBeLessThan(0.1);
  expect(ebfmi(normalDraws(2, 1000))).toBeGreaterThan(1.7);
  expect(ebfmi(new Float64Array(9).fill(1))).toBeNaN();
  // Steps 1 and 3: (1 + 9) / 2, over the variance 13 / 3 of 0, 1 and 4.
  expect(ebfmi(Float64Array.of(0, 1, 4))).toBeCloseTo(15 / 13, 12);
  for (const few of [[], [1], [1, 3], [1, NaN, 2], [1, Infinity, 2]])
    expect(ebfmi(Float64Array.from(few))).toBeNaN();
});

describe('hdi', () => {
  it('is the narrowest window, not the central one', () => {
    const uniform = seededUniform(1);
    const { low, high } = hdi(
      Float64Array.from({ length: 20_000 }, () => -Math.log(1 - uniform())),
      0.9,
    );
    expect(low).toBeLessThan(0.01);
    expect(high).toBeCloseTo(2.303, 1);
  });
  it.each([
    [[9, 1, 4, 8, 2], 0.5, 1, 4],
    [[0, 5, 9, 9.5, 10], 0.5, 9, 10],
    [[3, 2, 1, 0], 0.5, 0, 2],
    [[-9, -8, 3, 4], 0.25, -9, -8],
    [[1, 5, 9], 1, 1, 9],
    [[7], 0.9, 7, 7],
  ])(
    'of %j with probability %d is the first of the narrowest windows',
    (values, probability, low, high) =>
      expect(hdi(Float64Array.from(values), probability)).toEqual({ low, high }),
  );
  it('is undefined without draws or with draws that are not finite', () => {
    for (const values of [[], [1, NaN], [-Infinity, 1], [1, Infinity]])
      expect(hdi(Float64Array.from(values), 0.9)).toEqual({ low: NaN, high: NaN });
  });
});

describe('histogram and density', () => {
  it('count every finite draw', () => {
    fc.assert(
      fc.property(numbers, (list) => {
        const { counts, edges } = histogram(Float64Array.from(list));
        const finite = list.filter(Number.isFinite).length;
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(finite);
        expect(edges.length).toBe(finite === 0 ? 0 : counts.length + 1);
      }),
      { seed: 5 },
    );
  });
  it('count each draw in its bin, and a draw on an edge in the bin to its right', () => {
    const tenths = fc.integer({ min: -40, max: 40 }).map((whole) => whole / 10);
    fc.assert(
      fc.property(fc.array(tenths, { minLength: 2, maxLength: 60 }), (list) => {
        const values = Float64Array.from(list);
        const { counts, edges } = histogram(values, 9);
        const last = counts.length - 1;
        const expected = Array.from(
          counts,
          (_, bin) =>
            list.filter((value) => value >= edges[bin] && (value < edges[bin + 1] || bin === last))
              .length,
        );
        expect([...counts]).toEqual(expected);
        expect(countInBins(values.slice().sort(), edges)).toEqual({ edges, counts });
      }),
      { seed: 6 },
    );
  });
  it.each([
    // IQR 5.5 − 2.5, width 2 · 3 / ∛8.
    [
      'by Freedman and Diaconis',
      [7.5, NaN, 0.5, 3.5, 1.5, 2.5, Infinity, 4.5, 6.5, 5.5],
      80,
      3,
      [3, 2, 3],
    ],
    [
      'up to the maximum number if the quartiles agree',
      [0.5, 0.5, 0.5, 9.5, 0.5, 0.5, 0.5],
      4,
      4,
      [6, 0, 0, 1],
    ],
    ['for whole numbers that are too far apart', [0, 3], 3, 1, [2]],
    ['up to the maximum number', [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], 2, 2, [4, 4]],
  ])('choose bins %s', (_, list, maxBins, bins, expected) => {
    const finite = list.filter(Number.isFinite);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    const { edges, counts } = histogram(Float64Array.from(list), maxBins);
    expect([...counts]).toEqual(expected);
    edges.forEach((edge, i) => expect(edge).toBeCloseTo(low + ((high - low) * i) / bins, 12));
    expect(edges[bins]).toBe(high);
  });
  it('cover ranges that overflow a double', () => {
    for (const [list, expected] of [
      [[-1.5e308, 1.5e308], [2]],
      [
        [-1.5e308, 0.5, 0.25, 0.125, 1.5e308],
        [1, 0, 3, 1],
      ],
    ]) {
      const { counts, edges } = histogram(Float64Array.from(list), 4);
      expect([...counts]).toEqual(expected);
      expect([edges[0], edges[counts.length]]).toEqual([-1.5e308, 1.5e308]);
      expect(edges.every((edge, i) => i === 0 || edge > edges[i - 1])).toBe(true);
    }
  });
  it('use the maximum number of bins if none of the sampled values is finite', () => {
    const values = Float64Array.from({ length: 300_000 }, (_, i) => (i % 3 === 1 ? i / 7 : NaN));
    expect(histogram(values, 12).counts).toHaveLength(12);
  });
  it('put a constant that is not a whole number into the middle of one bin', () => {
    const of = (value: number) => histogram(new Float64Array(3).fill(value));
    const { edges, counts } = of(-2.5);
    expect([...edges]).toEqual([-2.5025, -2.4975]);
    expect([...counts]).toEqual([3]);
    expect([...of(5e-324).edges]).toEqual([-0.5, 0.5]);
  });
  it('count a value on an edge to its right, even if rounding puts it to the left', () => {
    const values = [0.5, ...Array<number>(8).fill(3.9), 7.3];
    const { edges } = histogram(Float64Array.from(values), 3);
    expect([1, 2].map((k) => Math.floor((edges[k] - 0.5) * (3 / (7.3 - 0.5))))).toEqual([0, 1]);
    const onEdges = Float64Array.of(...values, edges[1], edges[2]);
    expect(histogram(onEdges, 3)).toEqual({ edges, counts: Float64Array.of(1, 9, 2) });
  });
  it('find the right bin among many', () => {
    // equal quartiles lead to the maximum number of bins
    const values = Float64Array.from({ length: 2001 }, (_, i) => 5000 + (i % 3 === 0 ? i : 1000.5));
    const { counts, edges } = histogram(values, 20_000);
    expect(counts).toHaveLength(20_000);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2001);
    for (const value of [5000, 5003, 5600, 6000.5, 6401, 6998]) {
      const bin = Math.min(
        19_999,
        edges.findLastIndex((edge) => edge <= value),
      );
      expect(counts[bin]).toBe(value === 6000.5 ? 1334 : 1);
    }
  });
  it('take the bin width of many values from a regular sample', () => {
    const many = Float64Array.from({ length: 200_001 }, (_, i) =>
      i % 3 === 0 ? (i % 1000) / 1000 : 5.5 + (i % 7) / 7,
    );
    // Every third value is in 0…1, with quartiles a half apart: 2 · 0.5 / ∛200 001 = 0.0171.
    expect(histogram(many, 1000).counts.length).toBeGreaterThan(350);
  });
  it('count only the values inside given bins', () => {
    const { counts } = countInBins(
      Float64Array.of(-1, 0, 0.5, 1, 2, 3, 4),
      Float64Array.of(0, 1, 3),
    );
    expect([...counts]).toEqual([2, 3]);
    expect(countInBins(Float64Array.of(1), new Float64Array(0)).counts).toHaveLength(0);
  });
  it('give whole numbers a bin each', () => {
    const { edges, counts } = histogram(Float64Array.of(1, 1, 2, 4));
    expect([[...edges], [...counts]]).toEqual([
      [0.5, 1.5, 2.5, 3.5, 4.5],
      [2, 1, 0, 1],
    ]);
  });
  it('have a density that integrates to one and is close to the sampled normal', () => {
    const { x, y } = density(normalDraws(3, 20_000));
    const step = x[1] - x[0];
    expect(y.reduce((sum, value) => sum + value * step, 0)).toBeCloseTo(1, 2);
    const middle = x.findIndex((value) => value > 0);
    expect(y[middle]).toBeCloseTo(0.399, 1);
  });
  it('have a density that ends at a bound without falling to zero there', () => {
    const uniform = seededUniform(2);
    const { x, y } = density(
      Float64Array.from({ length: 20_000 }, () => -Math.log(1 - uniform())),
      { lower: 0 },
    );
    expect(x[0]).toBe(0);
    expect(y[0]).toBeGreaterThan(0.85);
  });
  it('have an empty density for a constant', () =>
    expect(density(new Float64Array(9).fill(1)).x.length).toBe(0));
});

describe('number formatting', () => {
  it.each([
    [0.15, 2],
    [0.0034, 3],
    [0.00012, 4],
    [9.9, 2],
    [10, 0],
    [1, 2],
    [0.001, 3],
    [1e-30, 12],
    [250, 0],
  ])('with an MCSE of %d shows %d decimals', (mcse, decimals) =>
    expect(decimalsForMcse(mcse)).toBe(decimals),
  );
  it('falls back on the value where there is no MCSE', () => {
    expect(decimalsForMcse(NaN, 0.01234)).toBe(5);
    expect(decimalsForMcse(null, 7)).toBe(0);
    expect([0, -1, Infinity, NaN, null].map((mcse) => decimalsForMcse(mcse, 0.001234))).toEqual([
      6, 6, 6, 6, 6,
    ]);
    expect([0, Infinity, NaN, 123456.5].map((value) => decimalsForMcse(null, value))).toEqual([
      0, 0, 0, 2,
    ]);
    expect(decimalsForMcse(null)).toBe(0);
  });
  it('writes plain numbers', () => {
    expect([
      plainNumber(-1234.5, 2),
      plainNumber(-0.001, 2),
      plainNumber(NaN, 2),
      plainNumber(null, 2),
    ]).toEqual(['-1234.50', '0.00', '', '']);
    expect([Infinity, -Infinity].map((value) => plainNumber(value, 2))).toEqual(['Inf', '-Inf']);
  });
});

it('the sampler statistics are the columns that CmdStan writes beside lp__', () => {
  const [{ variables }] = stanChains(['bern1.csv']);
  expect(variables.filter(isSamplerColumn)).toEqual(samplerStatistics);
});

it('lp__ is not a sampler column, energy__ is', () => {
  expect(['lp__', 'energy__', 'theta'].map(isSamplerColumn)).toEqual([false, true, false]);
});
