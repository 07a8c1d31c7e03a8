/** The dense kernels: compiled from their sources, equal to plain sums in every size, and absent where they are refused. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Matrix } from '../../../src/math/autodiff/containers.ts';
import { choleskyFactor, choleskyReverse } from '../../../src/math/linalg/cholesky.ts';
import { denseFor } from '../../../src/math/linalg/dense.ts';
import {
  lowerTriangle,
  multiply,
  multiplyTransposedLeft,
  multiplyTransposedRight,
  transpose,
} from '../../../src/math/linalg/products.ts';
import {
  inverseOfFactored,
  solveLower,
  solveLowerTransposed,
} from '../../../src/math/linalg/solve.ts';
import { compiledFile, compiledText } from '../../kernels.mjs';

/** Numbers between −1 and 1 that depend on the place and the seed. */
function matrix(rows: number, cols: number, seed: number): Matrix {
  const data = Float64Array.from({ length: rows * cols }, (_, i) => Math.sin(seed + 1.7 * i * i));
  return new Matrix(rows, cols, data);
}

/** A well-conditioned lower triangle with numbers above the diagonal that nobody may read. */
function triangle(n: number, seed: number): Matrix {
  const l = matrix(n, n, seed);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) l.data[i + j * n] *= i < j ? 1e6 : 1 / n;
    l.data[j + j * n] = 1 + j / n;
  }
  return l;
}

/** A B, a sum for each element. */
function plainProduct(a: Matrix, b: Matrix): Matrix {
  const out = matrix(a.rows, b.cols, 0);
  for (let j = 0; j < b.cols; j++) {
    for (let i = 0; i < a.rows; i++) {
      let sum = 0;
      for (let k = 0; k < a.cols; k++) sum += a.data[i + k * a.rows] * b.data[k + j * b.rows];
      out.data[i + j * a.rows] = sum;
    }
  }
  return out;
}

function expectClose(found: Matrix, expected: Matrix): void {
  expect([found.rows, found.cols]).toEqual([expected.rows, expected.cols]);
  const scale = expected.data.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  const gap = found.data.reduce((most, x, i) => Math.max(most, Math.abs(x - expected.data[i])), 0);
  expect(gap / scale).toBeLessThan(1e-13);
}

/** Every remainder of the blocks of two and four, one panel of 64 columns and more. */
const shapes = [
  [16, 16, 16],
  [17, 18, 19],
  [19, 17, 18],
  [18, 19, 17],
  [17, 61, 4],
  [4, 60, 19],
  [33, 5, 31],
  [64, 64, 64],
  [65, 66, 67],
  [30, 131, 9],
  [5, 259, 6],
];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('the committed module is what the sources compile to', async () => {
  expect(readFileSync(compiledFile, 'utf8')).toBe(await compiledText());
}, 60_000);

describe('products', () => {
  it.each(shapes)('of %i × %i and %i columns', (rows, inner, cols) => {
    const a = matrix(rows, inner, 1);
    const b = matrix(inner, cols, 2);
    const expected = plainProduct(a, b);
    expectClose(multiply(a, b), expected);
    expectClose(multiplyTransposedLeft(transpose(a), b), expected);
    expectClose(multiplyTransposedRight(a, transpose(b)), expected);
  });

  it('leave their operands as they are', () => {
    const a = matrix(20, 20, 1);
    multiply(a, a);
    multiplyTransposedLeft(a, a);
    multiplyTransposedRight(a, a);
    expect(a).toEqual(matrix(20, 20, 1));
  });

  it('hold what is not finite where plain sums hold it', () => {
    const a = matrix(16, 16, 1);
    const b = matrix(16, 16, 2);
    a.data[5 + 3 * 16] = Infinity;
    b.data[7 + 4 * 16] = NaN;
    const kinds = ({ data }: Matrix) =>
      Array.from(data, (x) => (Number.isFinite(x) ? 'finite' : String(x)));
    const expected = kinds(plainProduct(a, b));
    expect(kinds(multiply(a, b))).toEqual(expected);
    expect(kinds(multiplyTransposedLeft(transpose(a), b))).toEqual(expected);
    expect(kinds(multiplyTransposedRight(a, transpose(b)))).toEqual(expected);
  });
});

describe('triangular systems', () => {
  it.each([
    [16, 16],
    [17, 17],
    [22, 9],
    [15, 30],
    [67, 5],
    [130, 4],
  ])('of %i rows and %i columns', (n, cols) => {
    const l = triangle(n, 3);
    const lower = lowerTriangle(l);
    const b = matrix(n, cols, 4);
    expectClose(plainProduct(lower, solveLower(l, b)), b);
    expectClose(plainProduct(transpose(lower), solveLowerTransposed(l, b)), b);
  });

  it.each([12, 16, 17, 18, 19, 66, 67])('the inverse of a factored matrix of %i rows', (n) => {
    const l = triangle(n, 5);
    const lower = lowerTriangle(l);
    const inverse = inverseOfFactored(l);
    expect(inverse).toEqual(transpose(inverse));
    const one = plainProduct(plainProduct(lower, transpose(lower)), inverse);
    const identity = new Matrix(n, n, new Float64Array(n * n));
    for (let i = 0; i < n; i++) identity.data[i * (n + 1)] = 1;
    expectClose(one, identity);
  });
});

describe('memory', () => {
  it('is bounded: what does not fit takes the loops in JavaScript', () => {
    expect(denseFor(1e12, 2 ** 23)).not.toBeNull();
    expect(denseFor(1e12, 2 ** 23 + 1)).toBeNull();
  });
});

describe('where WebAssembly is refused', () => {
  it('factors, adjoints and products are the same to rounding', async () => {
    const lower = triangle(40, 6);
    const a = multiplyTransposedRight(lowerTriangle(lower), lowerTriangle(lower));
    const g = lowerTriangle(matrix(40, 40, 7)).data;
    const l = choleskyFactor(a.data, 40) as Float64Array;
    const d = choleskyReverse(l, g.slice(), 40);

    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const cholesky = await import('../../../src/math/linalg/cholesky.ts');
    const products = await import('../../../src/math/linalg/products.ts');
    expectClose(
      new Matrix(40, 40, cholesky.choleskyFactor(a.data, 40) as Float64Array),
      new Matrix(40, 40, l),
    );
    expectClose(
      new Matrix(40, 40, cholesky.choleskyReverse(l, g.slice(), 40)),
      new Matrix(40, 40, d),
    );
    expectClose(products.multiply(a, lower) as Matrix, multiply(a, lower));
  });
});
