/** Affine moves of draws: their effect on moments, and their inverses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composed,
  type Draws,
  logDeterminant,
  type Move,
  mappingBetween,
  momentsOf,
  moveDraws,
  movePoint,
  movePointBack,
  stays,
  weightedMoments,
} from '../../src/posterior/moving-draws.ts';
import { normalDraws } from './fixtures.ts';

const of = (...values: number[]) => Float64Array.from(values);
/** Four points of two values. */
const few: Draws = { values: of(1, 0, 3, 4, 5, 2, 7, 10), count: 4, dimension: 2 };
/** Lower triangles, column by column. */
const lower = (a: number, b: number, c: number) => of(a, b, 0, c);
const closeTo = (found: ArrayLike<number>, expected: ArrayLike<number>, digits = 10) => {
  expect(found).toHaveLength(expected.length);
  for (let i = 0; i < expected.length; i++) expect(found[i]).toBeCloseTo(expected[i], digits);
};

describe('moments', () => {
  it('are means, and variances and covariances that divide by n − 1', () => {
    const { mean, variance, covariance } = momentsOf(few);
    closeTo(mean, [4, 4]);
    // deviations −3, −1, 1, 3 and −4, 0, −2, 6
    closeTo(variance, [20 / 3, 56 / 3]);
    const matrix = covariance();
    closeTo(matrix, [20 / 3, 28 / 3, 0, 56 / 3]);
  });

  it('keep their precision far from 0', () => {
    const far = {
      values: of(1e8 + 1, 1e8, 1e8 + 2, 1e8 + 1, 1e8 + 4, 1e8 - 3),
      count: 3,
      dimension: 2,
    };
    const near = { values: of(1, 0, 2, 1, 4, -3), count: 3, dimension: 2 };
    closeTo(momentsOf(far).covariance(), momentsOf(near).covariance(), 5);
    closeTo(momentsOf(far).variance, momentsOf(near).variance, 5);
  });

  it('with weights follow R’s cov.wt', () => {
    const weights = of(0.5, 0.25, 0.125, 0.125);
    const { mean, variance, covariance } = weightedMoments(few, weights.map(Math.log));
    closeTo(mean, [2.75, 2.5]);
    const spread = (i: number, j: number) =>
      weights.reduce(
        (sum, weight, s) =>
          sum + weight * (few.values[2 * s + i] - mean[i]) * (few.values[2 * s + j] - mean[j]),
        0,
      );
    closeTo(variance, [(spread(0, 0) * 4) / 3, (spread(1, 1) * 4) / 3]);
    const divisor = 1 - (0.25 + 0.0625 + 2 * 0.015625);
    const matrix = covariance();
    closeTo(
      [matrix[0], matrix[1], matrix[3]],
      [spread(0, 0), spread(0, 1), spread(1, 1)].map((value) => value / divisor),
    );
  });
});

describe('a move', () => {
  const move: Move = { shift: of(1, -2), scale: of(2, 3), map: lower(0.5, -1, 4) };
  const mean = of(10, 20);

  it('scales about the mean, maps and shifts', () => {
    const out = new Float64Array(2);
    movePoint(of(11, 22), mean, move, out);
    // deviations 1 and 2, scaled 2 and 6, mapped 1 and −2 + 24
    expect([...out]).toEqual([10 + 1 + 1, 20 - 2 + 22]);
    movePoint(of(11, 22), mean, { ...move, map: null }, out);
    expect([...out]).toEqual([10 + 1 + 2, 20 - 2 + 6]);
  });

  it('can be undone', () => {
    const value = fc.double({ min: -9, max: 9, noNaN: true });
    const factor = fc.double({ min: 0.2, max: 5, noNaN: true });
    const triples = (one: typeof value) => fc.tuple(one, one, one);
    fc.assert(
      fc.property(
        triples(value),
        triples(value),
        triples(value),
        triples(factor),
        fc.option(fc.tuple(triples(factor), triples(value))),
        (point, centre, shift, scale, triangle) => {
          const one: Move = {
            shift: of(...shift),
            scale: of(...scale),
            map:
              triangle === null
                ? null
                : of(
                    triangle[0][0],
                    triangle[1][0],
                    triangle[1][1],
                    0,
                    triangle[0][1],
                    triangle[1][2],
                    0,
                    0,
                    triangle[0][2],
                  ),
          };
          const [there, back] = [new Float64Array(3), new Float64Array(3)];
          movePoint(of(...point), of(...centre), one, there);
          movePointBack(there, of(...centre), one, back);
          closeTo(back, point, 6);
        },
      ),
      { seed: 3 },
    );
  });

  it('has the log determinant of its change of volume', () => {
    expect(logDeterminant(move)).toBeCloseTo(Math.log(2 * 3 * 0.5 * 4), 12);
    expect(logDeterminant({ ...move, map: null })).toBeCloseTo(Math.log(6), 12);
    expect(logDeterminant(stays(few))).toBe(0);
  });

  it('of all draws is the same as moving each point', () => {
    const moved = moveDraws(few, mean, move);
    expect([moved.count, moved.dimension]).toEqual([4, 2]);
    for (let s = 0; s < 4; s++) {
      const out = new Float64Array(2);
      movePoint(few.values.subarray(2 * s, 2 * s + 2), mean, move, out);
      expect(moved.values.subarray(2 * s, 2 * s + 2)).toEqual(out);
    }
    expect(moveDraws(few, mean, stays(few)).values).toEqual(few.values);
  });

  it('after another adds shifts, and multiplies scales and maps', () => {
    const other: Move = { shift: of(5, 7), scale: of(4, 5), map: lower(3, 2, 10) };
    const both = composed(move, other);
    expect([both.shift, both.scale]).toEqual([of(6, 5), of(8, 15)]);
    // the later map times the earlier one
    expect(both.map).toEqual(lower(1.5, 2 * 0.5 - 10, 40));
    expect(composed(move, { ...other, map: null }).map).toBe(move.map);
    expect(composed({ ...move, map: null }, other).map).toBe(other.map);
    expect(composed({ ...move, map: null }, { ...other, map: null }).map).toBeNull();
    const three = (...values: number[]) => ({ shift: of(), scale: of(), map: of(...values) });
    expect(
      composed(three(1, 2, 3, 0, 4, 5, 0, 0, 6), three(1, 0, 7, 0, 2, 8, 0, 0, 3)).map,
    ).toEqual(of(1, 4, 7 + 16 + 9, 0, 8, 32 + 15, 0, 0, 18));
  });
});

describe('the map between two sets of moments', () => {
  const drawn = (seed: number, mix: (z: Float64Array) => readonly number[]): Draws => {
    const z = normalDraws(seed, 600);
    const points = Array.from({ length: 200 }, (_, s) => mix(z.subarray(3 * s, 3 * s + 3)));
    return { values: of(...points.flat()), count: 200, dimension: 3 };
  };

  it('moves draws to the target covariance', () => {
    const from = drawn(1, ([a, b, c]) => [a, a + 2 * b, c - b]);
    const wanted = momentsOf(drawn(2, ([a, b, c]) => [3 * a, b - a, 0.5 * c + b + a]));
    const now = momentsOf(from);
    const map = mappingBetween(now, wanted);
    const moved = moveDraws(from, now.mean, { ...stays(from), map });
    closeTo(momentsOf(moved).covariance(), wanted.covariance());
  });

  it('is null if a covariance is not positive definite', () => {
    const whole = momentsOf(few);
    const flat = momentsOf({ ...few, values: of(1, 5, 2, 5, 3, 5, 4, 5) });
    expect(mappingBetween(whole, flat)).toBeNull();
    expect(mappingBetween(flat, whole)).toBeNull();
    expect(mappingBetween(whole, whole)).not.toBeNull();
  });
});
