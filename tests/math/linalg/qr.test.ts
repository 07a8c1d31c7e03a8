/** QR: the factors multiply to the matrix, and the reverse derivative is that of finite differences, whatever the shape. */
import { describe, expect, it } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { multiply, multiplyTransposedLeft } from '../../../src/math/linalg/products.ts';
import { factorQr, qrReverse } from '../../../src/math/linalg/qr.ts';
import { createRng } from '../../../src/math/random/xoshiro.ts';

function randomMatrix(rows: number, cols: number, salt: number): Matrix {
  const rng = createRng(20240611, salt, 'qr');
  return new Matrix(
    rows,
    cols,
    Float64Array.from({ length: rows * cols }, () => 2 * rng.uniform() - 1),
  );
}

const dot = (a: Matrix, b: Matrix): number => a.data.reduce((sum, x, i) => sum + x * b.data[i], 0);

describe.each([
  [4, 2],
  [3, 3],
  [2, 4],
  [5, 1],
])('%i × %i', (rows, cols) => {
  const a = randomMatrix(rows, cols, rows);

  it.each([true, false])('has factors, full %s', (full) => {
    const { q, r } = factorQr(a, full);
    for (const [i, x] of multiply(q, r).data.entries()) expect(x).toBeCloseTo(a.data[i], 12);
    for (const [i, x] of multiplyTransposedLeft(q, q).data.entries())
      expect(x).toBeCloseTo(i % (q.cols + 1) === 0 ? 1 : 0, 12);
    for (let i = 0; i < Math.min(rows, cols); i++)
      expect(r.data[i + i * r.rows]).toBeGreaterThan(0);
  });

  it.each([true, false])('has the derivative of both, full %s', (full) => {
    const { q, r } = factorQr(a, full);
    const dq = randomMatrix(q.rows, q.cols, 10);
    const dr = randomMatrix(r.rows, r.cols, 11);
    const value = (x: Matrix): number => {
      const made = factorQr(x, full);
      return dot(made.q, dq) + dot(made.r, dr);
    };
    const gradient = qrReverse(a, full, dq, dr).data;
    for (let i = 0; i < a.data.length; i++) {
      const moved = (h: number): Matrix => {
        const data = a.data.slice();
        data[i] += h;
        return new Matrix(rows, cols, data);
      };
      const numeric = (value(moved(1e-5)) - value(moved(-1e-5))) / 2e-5;
      expect(gradient[i]).toBeCloseTo(numeric, 7);
    }
  });
});
