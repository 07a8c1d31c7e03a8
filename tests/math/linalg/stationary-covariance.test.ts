/** Covariances of points whose distances repeat, against the same computed pair by pair. */
import { describe, expect, it } from 'vitest';
import {
  exponentialKernel,
  exponentiatedQuadratic,
  matern32,
  matern52,
} from '../../../src/math/linalg/covariance.ts';
import { repeatedDistances } from '../../../src/math/linalg/repeated-distances.ts';
import {
  fillStationary,
  reverseStationary,
} from '../../../src/math/linalg/stationary-covariance.ts';

const line = (n: number, at: (i: number) => number) => ({
  count: n,
  dims: 1,
  values: Float64Array.from({ length: n }, (_, i) => at(i)),
});
const grid = {
  count: 35,
  dims: 2,
  values: Float64Array.from({ length: 70 }, (_, k) =>
    k % 2 === 0 ? Math.floor(k / 2) % 7 : 0.3 * Math.floor(k / 14),
  ),
};

/** Looked at twice: only then is it worth a search. */
function repeatedIn(points: typeof grid) {
  const key = {};
  expect(repeatedDistances(key, points)).toBeNull();
  const found = repeatedDistances(key, points);
  expect(repeatedDistances(key, points)).toBe(found);
  return found;
}

const cases = [
  ['integers', line(40, (i) => i)],
  ['integers in another order', line(41, (i) => (i * 17) % 41)],
  ['tenths', line(100, (i) => i * 0.1)],
  ['ties', line(30, (i) => i % 5)],
  ['a grid in two dimensions', grid],
] as const;

const kernels = { exponentiatedQuadratic, exponentialKernel, matern32, matern52 };

describe.each(cases)('distances of %s', (_, points) => {
  const repeated = repeatedIn(points);
  const n = points.count;
  const first = 5;
  const scales = { sigma: 1.3, length: 0.7 };

  it('repeat', () => {
    expect(repeated?.squares.length).toBeLessThan((n * (n - 1)) / 8);
    expect(new Set(repeated?.squares).size).toBe(repeated?.squares.length);
  });

  it.each(Object.entries(kernels))('give the same matrix by %s, to the last bit', (__, kernel) => {
    const [one, other] = [0, 1].map(() => new Float64Array(first + n * n + 1));
    fillStationary(kernel, { points, repeated }, scales, one, first);
    fillStationary(kernel, { points, repeated: null }, scales, other, first);
    expect(one).toEqual(other);
  });

  it.each(Object.entries(kernels))('give the same derivatives by %s', (__, kernel) => {
    const out = new Float64Array(first + n * n);
    fillStationary(kernel, { points, repeated: null }, scales, out, first);
    const g = out.map((_x, k) => Math.cos(k) + 0.2);
    // as after a factor: nothing above the diagonal, and some elements that do not count
    const sparse = g.map((x, k) => ((k - first) % n > (k - first) / n && k % 3 > 0 ? x : 0));
    for (const adjoint of [g, sparse, new Float64Array(g.length)]) {
      // the working space is shared with other calls
      fillStationary(kernel, { points, repeated }, { sigma: 9, length: 9 }, out.slice(), first);
      const a = reverseStationary(kernel, { points, repeated }, scales, out, adjoint, first);
      const b = reverseStationary(kernel, { points, repeated: null }, scales, out, adjoint, first);
      expect(Math.abs(a.dSigma - b.dSigma)).toBeLessThan(1e-12 * n);
      expect(Math.abs(a.dLength - b.dLength)).toBeLessThan(1e-12 * n);
    }
  });
});

describe('distances', () => {
  it('of irregular or few points are not looked for', () => {
    expect(repeatedIn(line(50, (i) => Math.sin(i) * i))).toBeNull();
    expect(repeatedIn(line(10, (i) => i))).toBeNull();
    expect(repeatedIn(line(0, (i) => i))).toBeNull();
  });

  it('of NaN are not either', () => {
    expect(repeatedIn(line(50, (i) => (i === 7 ? Number.NaN : i)))).toBeNull();
  });

  it('are found again if the container has other points than last time', () => {
    const key = {};
    const points = line(40, (i) => i);
    repeatedDistances(key, points);
    const before = repeatedDistances(key, points);
    points.values[3] = 100;
    expect(repeatedDistances(key, points)).toBeNull();
    const after = repeatedDistances(key, points);
    expect(after?.squares).not.toEqual(before?.squares);
    expect(after?.squares).toContain(100 ** 2);
    expect(repeatedDistances(key, { ...points, count: 20, dims: 2 })).toBeNull();
  });
});
