/** The factor and its reverse derivative, in sizes below, at and beyond those of the blocks. */
import { describe, expect, it } from 'vitest';
import {
  choleskyFactor,
  choleskyInPlace,
  choleskyReverse,
} from '../../../src/math/linalg/cholesky.ts';

/** Symmetric and diagonally dominant. */
function positiveDefinite(n: number): Float64Array {
  const a = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      const x = i === j ? n : Math.sin(1 + 3 * i + 7 * j);
      a[i + j * n] = x;
      a[j + i * n] = x;
    }
  }
  return a;
}

/** Weights of the lower entries, so that a number depends on all of them. */
function weightsOf(n: number): Float64Array {
  const g = new Float64Array(n * n);
  for (let j = 0; j < n; j++) for (let i = j; i < n; i++) g[i + j * n] = Math.cos(2 * i + 5 * j);
  return g;
}

function factorOf(a: Float64Array, n: number): Float64Array {
  const l = choleskyFactor(a, n);
  if (l === null) throw new Error('not positive definite');
  return l;
}

/** From 16 rows on, the dense kernels are used; they work on panels of 64 columns. */
const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 30, 64, 65, 67];

describe('the Cholesky factor', () => {
  it.each(sizes)('of %i rows has the matrix as its square', (n) => {
    const a = positiveDefinite(n);
    const l = factorOf(a, n);
    for (let j = 0; j < n; j++) {
      for (let i = j; i < n; i++) {
        let sum = 0;
        for (let k = 0; k < n; k++) sum += l[i + k * n] * l[j + k * n];
        expect(sum).toBeCloseTo(a[i + j * n], 11);
      }
    }
  });

  it.each([1, 6, 13, 66])(
    'of %i rows is the same at any offset in memory, and so is its derivative',
    (n) => {
      const a = positiveDefinite(n);
      const l = factorOf(a, n);
      const at = 5;
      const there = new Float64Array(at + n * n + 3).fill(7);
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) there[at + i + j * n] = i < j ? 0 : a[i + j * n];
      }
      expect(choleskyInPlace(there, n, at)).toBe(true);
      expect(there.slice(at, at + n * n)).toEqual(l);
      const g = new Float64Array(there.length).fill(7);
      g.set(weightsOf(n), at);
      choleskyReverse(there, g, n, at);
      expect(g.slice(at, at + n * n)).toEqual(choleskyReverse(l, weightsOf(n), n));
      for (const x of [there, g]) {
        expect([...x.slice(0, at), ...x.slice(at + n * n)]).toEqual(
          Array.from({ length: at + 3 }, () => 7),
        );
      }
    },
  );

  it.each([1, 5, 9, 16, 65])(
    'of %i rows is null for a matrix that is not positive definite',
    (n) => {
      const a = positiveDefinite(n);
      a[n * n - 1] = -1;
      expect(choleskyFactor(a, n)).toBeNull();
    },
  );
});

describe('its reverse derivative', () => {
  it.each(sizes)('of %i rows is the slope in each lower entry', (n) => {
    const a = positiveDefinite(n);
    const weights = weightsOf(n);
    const valueOf = (x: Float64Array) =>
      factorOf(x, n).reduce((sum, entry, i) => sum + weights[i] * entry, 0);
    const d = choleskyReverse(factorOf(a, n), weights.slice(), n);
    const h = 1e-5;
    for (let j = 0; j < n; j++) {
      for (let i = j; i < n; i++) {
        const [above, below] = [h, -h].map((step) => {
          const moved = a.slice();
          moved[i + j * n] += step;
          return valueOf(moved);
        });
        expect(d[i + j * n]).toBeCloseTo((above - below) / (2 * h), 7);
      }
    }
  });
});
