/** An orthonormal basis, by the kernel and where WebAssembly is refused. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { orthonormalBasis } from '../../../src/math/linalg/orthonormal-basis.ts';
import { multiply, multiplyTransposedLeft } from '../../../src/math/linalg/products.ts';
import { seededRng } from '../../support/seeded-rng.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

function normals(rows: number, cols: number, seed: number): Matrix {
  const rng = seededRng(seed);
  return new Matrix(
    rows,
    cols,
    Float64Array.from({ length: rows * cols }, () => rng.normal()),
  );
}

const largestGap = (a: Matrix, b: Matrix) =>
  a.data.reduce((most, value, i) => Math.max(most, Math.abs(value - b.data[i])), 0);

function expectBasis(basis: Matrix, of: Matrix): void {
  const products = multiplyTransposedLeft(basis, basis);
  for (let i = 0; i < basis.cols; i++) products.data[i * (basis.cols + 1)] -= 1;
  expect(Math.max(...products.data.map(Math.abs))).toBeLessThan(1e-14);
  expect(largestGap(multiply(basis, multiplyTransposedLeft(basis, of)) as Matrix, of)).toBeLessThan(
    1e-12,
  );
}

/** Small enough for JavaScript, and large enough for the kernel; odd and even numbers of rows. */
const shapes = [
  [5, 3],
  [40, 11],
  [161, 20],
] as const;

describe('orthonormalBasis', () => {
  it.each(shapes)('of %d rows and %d columns is orthonormal and spans them', (rows, cols) => {
    const a = normals(rows, cols, rows);
    const basis = orthonormalBasis(a);
    expect([basis.rows, basis.cols]).toEqual([rows, cols]);
    expectBasis(basis, a);
  });

  it.each(shapes)('of %d rows leaves out columns that others span', (rows, cols) => {
    const half = Math.ceil(cols / 2);
    const a = multiply(normals(rows, half, 1), normals(half, cols, 2)) as Matrix;
    a.data.fill(0, 0, rows);
    const basis = orthonormalBasis(a);
    expect(basis.cols).toBe(Math.min(half, cols - 1));
    expectBasis(basis, a);
  });

  it('has no more columns than rows', () => {
    const basis = orthonormalBasis(normals(20, 40, 3));
    expect(basis.cols).toBe(20);
    expect(orthonormalBasis(new Matrix(30, 30, new Float64Array(900))).cols).toBe(0);
    expect(orthonormalBasis(new Matrix(2, 2, new Float64Array(4).fill(Number.NaN))).cols).toBe(0);
  });

  it('is the same to rounding where WebAssembly is refused', async () => {
    const samples = shapes.map(([rows, cols]) => normals(rows, cols, 7));
    const expected = samples.map(orthonormalBasis);
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const refused = await import('../../../src/math/linalg/orthonormal-basis.ts');
    for (const [k, own] of samples.entries())
      expect(largestGap(refused.orthonormalBasis(own), expected[k])).toBeLessThan(1e-13);
  });
});
