import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fisherLowRank,
  fisherVariance,
  varianceOfGradient,
} from '../../../src/engine/adaptation/fisher-metric.ts';
import { denseOfLowRank } from '../../../src/engine/hmc/low-rank.ts';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { geometricMean } from '../../support/geometric-mean.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/*
 * Reference numbers: numpy 2.4.6, from the definitions.
 *   f = lambda m, g: (lambda w, v: (v * g(w)) @ v.T)(*np.linalg.eigh(m))
 *   mean = lambda a, b: (r := f(b, np.sqrt), i := f(b, lambda w: w**-0.5))[1] @ f(r @ a @ r, np.sqrt) @ i
 *   s = np.sqrt(np.sqrt(x.var(0) / g.var(0))); X = (x - x.mean(0)) / s; G = (g - g.mean(0)) * s
 *   S = mean(X.T @ X / n + 1e-5 / n * np.eye(2), G.T @ G / n + 1e-5 / n * np.eye(2)); diag(s) @ S @ diag(s)
 */
const close = (actual: ArrayLike<number>, expected: readonly number[], digits = 9) => {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, digits));
};

interface TwoLists {
  readonly dimension: number;
  readonly count: number;
  readonly draws: Float64Array;
  readonly gradients: Float64Array;
}

/** `fisherLowRank` with draws and gradients in one list each. */
function lowRankOf(
  { dimension, count, draws, gradients }: TwoLists,
  options: Parameters<typeof fisherLowRank>[1],
) {
  const rows = new Float64Array(2 * draws.length);
  for (let n = 0; n < count; n++) {
    const own = [draws, gradients].map((list) => list.subarray(n * dimension, (n + 1) * dimension));
    rows.set(own[0], 2 * n * dimension);
    rows.set(own[1], (2 * n + 1) * dimension);
  }
  return fisherLowRank({ dimension, count, rows }, options);
}

const sample = {
  dimension: 2,
  count: 5,
  draws: Float64Array.of(0.1, 1, 2, -0.5, -1.2, 0.4, 0.7, 1.9, -0.3, -2.2),
  gradients: Float64Array.of(-0.4, 0.2, -1.5, 1.1, 1, -0.9, 0.2, -1.4, -0.1, 1.6),
};

/** Mean and standardised rows of one parameter, and the scale that makes draws and gradients alike. */
function standardised({ dimension, count, draws, gradients }: typeof sample) {
  const rowsOf = (values: Float64Array, i: number) =>
    Array.from({ length: count }, (_, n) => values[n * dimension + i]);
  const centred = (values: readonly number[]) => {
    const mean = values.reduce((a, b) => a + b, 0) / count;
    return values.map((value) => value - mean);
  };
  const squares = (values: readonly number[]) => values.reduce((a, b) => a + b * b, 0);
  return Array.from({ length: dimension }, (_, i) => {
    const [x, g] = [draws, gradients].map((values) => centred(rowsOf(values, i)));
    const scale = (squares(x) / squares(g)) ** 0.25;
    return { scale, x: x.map((value) => value / scale), g: g.map((value) => value * scale) };
  });
}

/** diag(σ) (cov(X) + w I) # (cov(G) + w I)⁻¹ diag(σ): in the directions that no draw has, the mean is w # w⁻¹ = I. */
function covarianceBy(own: typeof sample, weight: number): number[] {
  const { dimension, count } = own;
  const rows = standardised(own);
  const columns = (of: 'x' | 'g') =>
    new Matrix(
      dimension,
      count,
      Float64Array.from(
        { length: dimension * count },
        (_, k) => rows[k % dimension][of][Math.floor(k / dimension)],
      ),
    );
  const mean = geometricMean(columns('x'), columns('g'), weight);
  return Array.from(mean?.data ?? [], (value, k) => {
    const [i, j] = [k % dimension, Math.floor(k / dimension)];
    return value * rows[i].scale * rows[j].scale;
  });
}

/** The variances that the sample alone gives, without regularisation. */
const sameAs = (own: typeof sample) => (i: number) => standardised(own)[i].scale ** 2;

function randomSample(dimension: number, count: number) {
  const rng = seededRng(21);
  const draws = Float64Array.from({ length: dimension * count }, () => rng.normal());
  return { dimension, count, draws, gradients: draws.map((x) => 0.5 * rng.normal() - x) };
}

describe('fisherLowRank', () => {
  const covarianceOf = (cutoff: number) => {
    const metric = lowRankOf(sample, { cutoff, maxRank: Infinity, before: sameAs(sample) });
    return metric === null ? [] : denseOfLowRank(metric, 2);
  };

  it('matches NumPy', () => {
    close(
      covarianceOf(1),
      [1.6646258886027065, 0.5747661846642627, 0.5747661846642627, 1.447493508644539],
    );
  });

  it.each([
    // as many directions as draws and gradients span: one fewer of each, since their mean is taken off
    [9, 3, 4 / 3 ** 2],
    [20, 6, 10 / 6 ** 2],
    // all directions
    [6, 3, 6 / 3 ** 2],
    [3, 6, 3 / 6 ** 2],
    [3, 7, 1e-5 / 7],
    [1, 3, 1e-5 / 3],
  ])('shrinks the covariances of %i parameters and %i draws', (dimension, count, weight) => {
    const own = randomSample(dimension, count);
    const metric = lowRankOf(own, { cutoff: 1, maxRank: Infinity, before: sameAs(own) });
    close(metric === null ? [] : denseOfLowRank(metric, dimension), covarianceBy(own, weight), 8);
  });

  it('detects directions along which draws hardly vary', () => {
    const own = randomSample(9, 3);
    for (let i = 0; i < 9; i++) {
      const [u, v] = [own.draws[i], own.draws[9 + i]];
      own.draws.set([1e-9 * u], i);
      own.draws.set([-v - 1e-9 * u], 18 + i);
    }
    const metric = lowRankOf(own, { cutoff: 1, maxRank: Infinity, before: sameAs(own) });
    close(metric === null ? [] : denseOfLowRank(metric, 9), covarianceBy(own, 4 / 9), 6);
  });

  it('adds no direction for a draw that equals the mean', () => {
    const own = randomSample(9, 3);
    for (let i = 0; i < 9; i++) {
      own.draws.set([-own.draws[i]], 9 + i);
      own.draws.set([0], 18 + i);
    }
    const metric = lowRankOf(own, { cutoff: 1, maxRank: Infinity, before: sameAs(own) });
    close(metric === null ? [] : denseOfLowRank(metric, 9), covarianceBy(own, 3 / 9), 6);
  });

  it('scales by the variances of the sample and of the previous metric', () => {
    const own = randomSample(4, 7);
    const metric = lowRankOf(own, { cutoff: 1, maxRank: Infinity, before: (i) => i + 2 });
    const scales = standardised(own).map(({ scale, x, g }, i) => {
      const meanSquare = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value * value, 0) / 7;
      const [draws, gradients] = [meanSquare(x) * scale ** 2, meanSquare(g) / scale ** 2];
      return Math.sqrt(fisherVariance(draws, gradients, i + 2, 7));
    });
    close(metric?.subarray(0, 4) ?? [], scales);
  });

  it('considers at most 160 directions', () => {
    const dimension = 170;
    const metric = lowRankOf(randomSample(dimension, 100), {
      cutoff: 1,
      maxRank: Infinity,
      before: () => 1,
    });
    expect(metric).toHaveLength(dimension + 160 * (dimension + 1));
  });

  it('is null when a gradient is NaN', () => {
    const gradients = sample.gradients.slice();
    gradients[3] = Number.NaN;
    expect(
      lowRankOf({ ...sample, gradients }, { cutoff: 1, maxRank: Infinity, before: () => 1 }),
    ).toBeNull();
  });

  it('omits directions whose eigenvalues are within the cutoff', () => {
    // eigenvalues 0.77 and 1.68
    close(
      covarianceOf(1.5),
      [1.7992250378981642, 0.4302999280430498, 0.4302999280430498, 1.6025502041094817],
    );
    close(covarianceOf(2), [1.143246747943942 ** 2, 0, 0, 1.1074180658824602 ** 2]);
  });

  it('keeps the directions that are farthest from the diagonal', () => {
    const own = randomSample(9, 30);
    const valuesBy = (maxRank: number) => {
      const metric = lowRankOf(own, { cutoff: 1, maxRank, before: sameAs(own) });
      const rank = ((metric?.length ?? 0) - 9) / 10;
      return Array.from(metric ?? []).slice(9, 9 + rank);
    };
    const all = valuesBy(Infinity);
    expect(all).toHaveLength(9);
    const distances = all.map((value) => Math.abs(Math.log(value)));
    expect(distances).toEqual(distances.toSorted((a, b) => b - a));
    expect(valuesBy(2)).toEqual(all.slice(0, 2));
    expect(valuesBy(0)).toEqual([]);
  });

  it('recovers the covariance of a normal from more draws than parameters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
        const rng = seededRng(seed);
        const dimension = 4;
        const count = 12;
        // x = F z, so its covariance is F Fᵀ and its gradient −F⁻ᵀ z; F is unit lower triangular, scaled
        const f = (i: number, j: number) => (i < j ? 0 : (i + 1) * (i === j ? 1 : 0.8));
        const draws = new Float64Array(count * dimension);
        const gradients = new Float64Array(count * dimension);
        for (let n = 0; n < count; n++) {
          const z = Array.from({ length: dimension }, () => rng.normal());
          const solved = [0, 0, 0, 0];
          for (let i = dimension - 1; i >= 0; i--) {
            let sum = z[i];
            for (let j = i + 1; j < dimension; j++) sum -= f(j, i) * solved[j];
            solved[i] = sum / f(i, i);
          }
          for (let i = 0; i < dimension; i++) {
            draws[n * dimension + i] = z.reduce((sum, x, j) => sum + f(i, j) * x, 7);
            gradients[n * dimension + i] = -solved[i];
          }
        }
        const metric = lowRankOf(
          { dimension, count, draws, gradients },
          { cutoff: 1, maxRank: Infinity, before: () => 1 },
        );
        const dense = metric === null ? [] : denseOfLowRank(metric, dimension);
        for (let i = 0; i < dimension; i++) {
          for (let j = 0; j < dimension; j++) {
            let expected = 0;
            for (let k = 0; k < dimension; k++) expected += f(i, k) * f(j, k);
            expect(Math.abs(dense[i * dimension + j] / expected - 1)).toBeLessThan(1e-3);
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it('has positive values and orthonormal directions with fewer draws than parameters', () => {
    const rng = seededRng(8);
    const dimension = 30;
    const count = 6;
    const draws = Float64Array.from({ length: dimension * count }, () => rng.normal());
    const gradients = draws.map((x) => rng.normal() - x);
    const metric = lowRankOf(
      { dimension, count, draws, gradients },
      { cutoff: 1.2, maxRank: Infinity, before: () => 1 },
    );
    if (metric === null) throw new Error('no metric');
    const rank = (metric.length - dimension) / (dimension + 1);
    expect(rank).toBeGreaterThan(0);
    expect(rank).toBeLessThanOrEqual(2 * count);
    expect(metric.subarray(0, dimension + rank).every((value) => value > 0)).toBe(true);
    for (let k = 0; k < rank; k++) {
      for (let l = 0; l <= k; l++) {
        let dot = 0;
        for (let i = 0; i < dimension; i++) {
          const at = dimension + rank + i;
          dot += metric[at + k * dimension] * metric[at + l * dimension];
        }
        expect(dot).toBeCloseTo(k === l ? 1 : 0, 10);
      }
    }
  });
});

describe('variances', () => {
  it('are the geometric mean of draw variances and inverse gradient variances', () => {
    expect(fisherVariance(4, 1 / 9, 5, 1e12)).toBeCloseTo(6, 9);
    expect(fisherVariance(4, 1 / 9, 6, 3)).toBeCloseTo(6, 12);
  });

  it('count the previous metric as one additional draw', () => {
    // σ = 2: for ten draws, in its units, 1 and 4, plus a tenth of 1
    expect(fisherVariance(4, 1, 4, 10)).toBeCloseTo(4 * Math.sqrt(1.1 / 4.1), 12);
  });

  it('stay bounded when gradients or draws hardly vary', () => {
    expect(fisherVariance(4, 1e-30, 4, 10)).toBeCloseTo(4 * Math.sqrt(11), 9);
    expect(fisherVariance(1e-30, 4, 0.25, 10)).toBeCloseTo(0.25 / Math.sqrt(11), 9);
  });

  it.each([
    [0, 0],
    [Number.NaN, 1],
    [1, Number.NaN],
    [Number.POSITIVE_INFINITY, 1],
    [1, Number.POSITIVE_INFINITY],
  ])('keep their previous value for draws of %s and gradients of %s', (draw, gradient) => {
    expect(fisherVariance(draw, gradient, 5, 10)).toBe(5);
  });

  it('from a single gradient are the inverse of its magnitude', () => {
    expect([-4, 0.5, 0].map(varianceOfGradient)).toEqual([0.25, 2, 1]);
    expect([Number.POSITIVE_INFINITY, Number.NaN].map(varianceOfGradient)).toEqual([1, 1]);
  });

  it('stay between 1e-20 and 1e20', () => {
    expect([1e30, 1e-30].map(varianceOfGradient)).toEqual([1e-20, 1e20]);
    expect([fisherVariance(1e60, 1, 1, 9), fisherVariance(1, 1e60, 1, 9)]).toEqual([1e20, 1e-20]);
  });
});
