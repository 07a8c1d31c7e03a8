/** The factor of a matrix somewhere in an array, and its adjoint: the same bits as by the functions that work in place. */
import { describe, expect, it } from 'vitest';
import { choleskyFactor, choleskyReverse } from '../../../src/math/linalg/cholesky.ts';
import {
  addFactorAdjoint,
  factorInOrder,
  notPositive,
} from '../../../src/math/linalg/factor-in-order.ts';

/** The kernels take over at 16 rows, and work on panels of 64 columns. */
const sizes = [0, 1, 2, 5, 15, 16, 17, 30, 65];

const entry = (n: number, i: number, j: number) =>
  i === j ? n : Math.sin(1 + 3 * Math.max(i, j) + 7 * Math.min(i, j));

/** The matrix at 3, its diagonal once more behind it if it is apart (what is in its place then must not count), the factor behind both. */
function place(n: number, isApart: boolean) {
  const base = 3;
  const diagonal = isApart ? base + n * n : base;
  const to = base + n * n + n;
  const x = new Float64Array(to + n * n + 2).fill(9);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) x[base + i + j * n] = isApart && i === j ? 0.5 * n : entry(n, i, j);
    if (isApart) x[diagonal + j] = n;
  }
  return { x, to, m: { n, base, diagonal, step: isApart ? 1 : n + 1 } };
}

const wholeMatrix = (n: number) =>
  Float64Array.from({ length: n * n }, (_, k) => entry(n, k % n, Math.floor(k / n)));

describe.each([false, true])('with the diagonal apart: %s', (isApart) => {
  it.each(sizes)('the factor of %i rows is that of a copy, and the matrix stays', (n) => {
    const { x, to, m } = place(n, isApart);
    const before = x.slice();
    expect(factorInOrder(x, m, to)).not.toBe(notPositive);
    expect(x.slice(to, to + n * n)).toEqual(choleskyFactor(wholeMatrix(n), n));
    before.set(x.subarray(to, to + n * n), to);
    expect(x).toEqual(before);
  });

  it.each(sizes)('the adjoint of %i rows is that of a copy, whatever was computed since', (n) => {
    const { x, to, m } = place(n, isApart);
    const use = factorInOrder(x, m, to);
    const g = Float64Array.from({ length: x.length }, (_, k) => Math.cos(k));
    const lower = new Float64Array(n * n);
    for (let j = 0; j < n; j++)
      for (let i = j; i < n; i++) lower[i + j * n] = Math.cos(to + i + j * n);
    const expected = g.slice();
    choleskyReverse(x.slice(to, to + n * n), lower, n);
    for (let j = 0; j < n; j++) {
      expected[m.diagonal + j * m.step] += lower[j + j * n];
      for (let i = j + 1; i < n; i++) expected[m.base + i + j * n] += lower[i + j * n];
    }
    const atOnce = g.slice();
    const again = place(n, isApart);
    addFactorAdjoint(again.x, atOnce, m, to, factorInOrder(again.x, m, to));
    choleskyFactor(
      Float64Array.from({ length: 400 }, (_, k) => (k % 21 === 0 ? 1 : 0)),
      20,
    );
    const later = g.slice();
    addFactorAdjoint(x, later, m, to, use);
    for (const found of [atOnce, later]) expect(found.slice(0, to)).toEqual(expected.slice(0, to));
  });

  it.each(sizes.slice(1))('says that %i rows are not positive definite', (n) => {
    const { x, to, m } = place(n, isApart);
    x[m.diagonal + (n - 1) * m.step] = -1;
    expect(factorInOrder(x, m, to)).toBe(notPositive);
  });
});
