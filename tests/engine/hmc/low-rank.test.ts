import { describe, expect, it } from 'vitest';
import {
  denseOfLowRank,
  diagonalOfLowRank,
  momentumOfLowRank,
  multiplyLowRank,
} from '../../../src/engine/hmc/low-rank.ts';

/** Orthonormal rows. */
const directions = [
  [2 / 3, 2 / 3, 1 / 3],
  [-2 / 3, 1 / 3, 2 / 3],
];
const eigenvalues = [9, 0.25];
const scales = [2, 0.5, 3];
const values = Float64Array.of(...scales, ...eigenvalues, ...directions.flat());
const size = scales.length;
const places = [0, 1, 2];
const places9 = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** diag(σ) (I + U (Λ − I) Uᵀ) diag(σ), written out. */
const expected = places.map((i) =>
  places.map((j) => {
    const corrections = directions.map((u, k) => (eigenvalues[k] - 1) * u[i] * u[j]);
    return scales[i] * scales[j] * corrections.reduce((a, b) => a + b, i === j ? 1 : 0);
  }),
);

const unit = (j: number) => Float64Array.from(places, (i) => (i === j ? 1 : 0));
const close = (actual: ArrayLike<number>, wanted: readonly number[]) => {
  expect(actual.length).toBe(wanted.length);
  wanted.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 12));
};

describe('a metric of low rank', () => {
  it('multiplies by its covariances', () => {
    const p = Float64Array.of(1, -2, 0.5);
    const out = new Float64Array(size);
    multiplyLowRank(values, p, out);
    close(
      out,
      expected.map((row) => row.reduce((sum, value, i) => sum + value * p[i], 0)),
    );
    close(denseOfLowRank(values, size), expected.flat());
  });

  it('computes its variances', () => {
    close(
      diagonalOfLowRank(values, size),
      places.map((i) => expected[i][i]),
    );
  });

  it('produces momenta whose covariance is its inverse', () => {
    const factor = places.map((j) => {
      const column = unit(j);
      momentumOfLowRank(values, column);
      return column;
    });
    for (const i of places)
      for (const j of places) {
        // entry of the covariance times F Fᵀ
        let sum = 0;
        for (const k of places)
          for (const column of factor) sum += expected[i][k] * column[k] * column[j];
        expect(sum).toBeCloseTo(i === j ? 1 : 0, 12);
      }
  });

  it('supports any number of directions', () => {
    // rows of the identity, so each direction scales one parameter
    for (const rank of [1, 4, 6, 9]) {
      const own = [2, 3, 0.5, 7, 11, 0.25, 13, 5, 1.5].slice(0, rank);
      const sigma = places9.map((i) => i + 1);
      const rows = own.flatMap((_, k) => places9.map((i) => (i === k ? 1 : 0)));
      const metric = Float64Array.of(...sigma, ...own, ...rows);
      const variances = sigma.map((sd, i) => sd * sd * (own[i] ?? 1));
      close(
        denseOfLowRank(metric, 9),
        places9.flatMap((i) => places9.map((j) => (i === j ? variances[i] : 0))),
      );
      const momentum = new Float64Array(9).fill(1);
      momentumOfLowRank(metric, momentum);
      close(
        momentum,
        variances.map((variance) => 1 / Math.sqrt(variance)),
      );
    }
  });

  it('equals its diagonal without directions, and is empty without parameters', () => {
    const diagonal = Float64Array.of(2, 0.5);
    close(denseOfLowRank(diagonal, 2), [4, 0, 0, 0.25]);
    close(diagonalOfLowRank(diagonal, 2), [4, 0.25]);
    close(diagonalOfLowRank(new Float64Array(0), 0), []);
  });
});
