import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { symmetricEigen } from '../../../src/math/linalg/eigen.ts';
import { fastSymmetricEigen } from '../../../src/math/linalg/tridiagonal-eigen.ts';
import { seededRng } from '../../support/seeded-rng.ts';

function symmetric(n: number, seed: number): Matrix {
  const rng = seededRng(seed);
  const data = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    // some rows without neighbours, so that the matrix splits into blocks
    for (let i = j; i < n; i++)
      data[i + j * n] = data[j + i * n] = i % 5 === 2 && i !== j ? 0 : rng.normal();
  }
  return new Matrix(n, n, data);
}

describe('fastSymmetricEigen', () => {
  it('matches the eigenvalues of Jacobi rotations, and its vectors reconstruct the matrix', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 2 ** 31 }),
        (n, seed) => {
          const a = symmetric(n, seed);
          const eigen = fastSymmetricEigen(a);
          if (eigen === null) throw new Error('no convergence');
          const expected = symmetricEigen(a).values;
          eigen.values.toSorted().forEach((value, i) => expect(value).toBeCloseTo(expected[i], 10));
          const v = eigen.vectors.data;
          let worst = 0;
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < n; j++) {
              let sum = 0;
              for (let k = 0; k < n; k++) sum += v[i + k * n] * eigen.values[k] * v[j + k * n];
              worst = Math.max(worst, Math.abs(sum - a.data[i + j * n]));
            }
          }
          expect(worst).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('handles the identity and zeros', () => {
    const zeros = fastSymmetricEigen(new Matrix(3, 3, new Float64Array(9)));
    expect([...(zeros?.values ?? [])]).toEqual([0, 0, 0]);
    const one = fastSymmetricEigen(new Matrix(2, 2, Float64Array.of(1, 0, 0, 1)));
    expect([...(one?.values ?? [])]).toEqual([1, 1]);
  });
});
