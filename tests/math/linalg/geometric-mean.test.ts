/** The geometric mean of two covariances, by the kernel and where WebAssembly is refused. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { choleskyFactor } from '../../../src/math/linalg/cholesky.ts';
import { eigenOfMean } from '../../../src/math/linalg/geometric-mean.ts';
import { multiply, multiplyTransposedRight } from '../../../src/math/linalg/products.ts';
import { composed, geometricMean } from '../../support/geometric-mean.ts';
import { seededRng } from '../../support/seeded-rng.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Columns whose covariance is `a`, with as many columns as rows. */
function columnsOf(a: Matrix): Matrix {
  const l = choleskyFactor(a.data, a.rows) as Float64Array;
  return new Matrix(
    a.rows,
    a.rows,
    l.map((value) => value * Math.sqrt(a.rows)),
  );
}

/** Normal numbers; if `isSplit`, every fifth row is zero in all columns but one, so that the matrix splits into blocks. */
function sample(n: number, cols: number, seed: number, isSplit: boolean): Matrix {
  const rng = seededRng(seed);
  const draw = (_: unknown, at: number) => {
    const [i, j] = [at % n, Math.floor(at / n)];
    const value = rng.normal();
    return isSplit && (i % 5 === 2 || j % 5 === 2) && i !== j ? 0 : value;
  };
  return new Matrix(n, cols, Float64Array.from({ length: n * cols }, draw));
}

function covariance(x: Matrix, weight: number): Matrix {
  const product = multiplyTransposedRight(x, x);
  for (let k = 0; k < product.data.length; k++) product.data[k] /= x.cols;
  for (let i = 0; i < x.rows; i++) product.data[i * (x.rows + 1)] += weight;
  return product;
}

const largest = (values: Float64Array) =>
  values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

function expectClose(found: Matrix | null, expected: Matrix, tolerance: number): void {
  if (found === null) throw new Error('no finite mean');
  const gaps = found.data.map((value, i) => value - expected.data[i]);
  expect(largest(gaps) / largest(expected.data)).toBeLessThan(tolerance);
}

describe('eigenOfMean', () => {
  it('matches NumPy', () => {
    // Numbers and their origin: tests/engine/adaptation/fisher-metric.test.ts
    const a = new Matrix(3, 3, Float64Array.of(4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 2));
    const b = new Matrix(3, 3, Float64Array.of(1, 0.3, 0, 0.3, 2, 0.4, 0, 0.4, 0.5));
    const expected = [
      1.97873459851555, 0.0358939253671415, 0.253526562229972, 0.0358939253671415, 1.28584865042366,
      -0.406914029389273, 0.253526562229972, -0.406914029389273, 2.17995815674614,
    ];
    const mean = geometricMean(columnsOf(a), columnsOf(b), 0);
    expectClose(mean, new Matrix(3, 3, Float64Array.from(expected)), 1e-13);
  });

  it('is the S with S B S = A, and its vectors are orthonormal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 2 ** 31 }),
        fc.boolean(),
        (n, cols, seed, isSplit) => {
          const [x, g] = [sample(n, cols, seed, isSplit), sample(n, cols, seed + 1, isSplit)];
          const eigen = eigenOfMean(x, g, 0.1);
          if (eigen === null) throw new Error('no finite mean');
          const mean = composed(eigen);
          const product = multiply(multiply(mean, covariance(g, 0.1)), mean);
          expectClose(product, covariance(x, 0.1), 1e-11);
          const { vectors } = eigen;
          const identity = composed({ values: new Float64Array(n).fill(1), vectors });
          for (let i = 0; i < n; i++) identity.data[i * (n + 1)] -= 1;
          expect(largest(identity.data)).toBeLessThan(1e-13);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is exact for as many parameters as the metric of a run has directions', () => {
    const [x, g] = [sample(160, 200, 5, false), sample(160, 200, 6, false)];
    const mean = geometricMean(x, g, 1e-4) as Matrix;
    expectClose(multiply(multiply(mean, covariance(g, 1e-4)), mean), covariance(x, 1e-4), 1e-9);
  });

  it('handles the identity and zeros', () => {
    const zeros = new Matrix(3, 2, new Float64Array(6));
    expect([...(eigenOfMean(zeros, zeros, 1)?.values ?? [])]).toEqual([1, 1, 1]);
    expect([...(eigenOfMean(zeros, zeros, 4)?.values ?? [])]).toEqual([1, 1, 1]);
    const empty = new Matrix(0, 5, new Float64Array(0));
    expect(eigenOfMean(empty, empty, 1)?.values).toHaveLength(0);
  });

  it('is null when no finite mean exists', () => {
    const diagonal = (x: number) => new Matrix(2, 2, Float64Array.of(1, 0, 0, x));
    expect(eigenOfMean(diagonal(1), diagonal(0), 0)).toBeNull();
    expect(eigenOfMean(diagonal(1), diagonal(0), -1)).toBeNull();
    expect(eigenOfMean(diagonal(Number.NaN), diagonal(1), 0)).toBeNull();
    expect(eigenOfMean(diagonal(1), diagonal(Number.NaN), 0)).toBeNull();
    expect(eigenOfMean(diagonal(Number.POSITIVE_INFINITY), diagonal(1), 0)).toBeNull();
    expect(eigenOfMean(diagonal(1e200), diagonal(1), 0)).toBeNull();
    expect(eigenOfMean(diagonal(1e150), diagonal(1e-170), 0)).toBeNull();
  });

  it('is the same to rounding where WebAssembly is refused', async () => {
    const samples: [Matrix, Matrix, number][] = [
      [sample(1, 3, 1, false), sample(1, 3, 2, false), 0],
      [sample(10, 40, 3, false), sample(10, 40, 4, false), 1e-3],
      [sample(23, 12, 5, true), sample(23, 12, 6, true), 0.01],
    ];
    const expected = samples.map((own) => geometricMean(...own) as Matrix);
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const refused = await import('../../../src/math/linalg/geometric-mean.ts');
    for (const [k, own] of samples.entries()) {
      const eigen = refused.eigenOfMean(...own);
      expectClose(eigen === null ? null : composed(eigen), expected[k], 1e-11);
    }
    const zeros = new Matrix(2, 2, new Float64Array(4));
    expect(refused.eigenOfMean(zeros, zeros, 0)).toBeNull();
    const notNumbers = new Matrix(2, 2, new Float64Array(4).fill(Number.NaN));
    expect(refused.eigenOfMean(notNumbers, zeros, 1)).toBeNull();
  });
});
