/** Whitening four columns at a time, against one element at a time. */
import { describe, expect, it } from 'vitest';
import { whitenInOrder } from '../../../src/math/linalg/whiten.ts';

const factor = (n: number) =>
  Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [k % n, Math.floor(k / n)];
    // what is above the diagonal must not count
    return i < j ? Number.NaN : i === j ? 2 + Math.sin(i) : 0.3 * Math.cos(3 * i + 5 * j);
  });

function byElements(l: Float64Array, d: Float64Array) {
  const n = d.length;
  const z = d.slice();
  const w = new Float64Array(n);
  let lp = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) z[i] -= l[i + k * n] * z[k];
    z[i] /= l[i + i * n];
    lp -= 0.5 * z[i] ** 2 + Math.log(l[i + i * n]);
  }
  for (let j = n - 1; j >= 0; j--) {
    let s = z[j];
    for (let i = j + 1; i < n; i++) s -= l[i + j * n] * w[i];
    w[j] = s / l[j + j * n];
  }
  return { z, w, lp };
}

describe('whitening', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 30, 31])('of %i elements', (n) => {
    const [l, at] = [3, 2];
    const value = new Float64Array(l + n * n + 1);
    value.set(factor(n), l);
    const d = Float64Array.from({ length: n }, (_, i) => Math.sin(7 * i + 1));
    const x = new Float64Array(at + 2 * n + 1).fill(8);
    x.set(d, at);
    const lp = whitenInOrder(value, l, x, at, n);
    const expected = byElements(factor(n), d);
    expect(lp).toBe(expected.lp);
    expect(x.slice(at, at + n)).toEqual(expected.z);
    for (let i = 0; i < n; i++) expect(x[at + n + i]).toBeCloseTo(expected.w[i], 13);
    expect([x[0], x[1], x[at + 2 * n]]).toEqual([8, 8, 8]);
  });

  it.each([0, -1, Number.NaN])('by what is not a factor is NaN: %d on its diagonal', (bad) => {
    for (const k of [0, 3, 4, 6]) {
      const l = factor(7);
      l[k * 8] = bad;
      expect(whitenInOrder(l, 0, new Float64Array(14).fill(1), 0, 7)).toBeNaN();
    }
  });
});
