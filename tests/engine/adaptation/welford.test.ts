import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDraw,
  createWelford,
  estimateInvMetric,
  restartWelford,
} from '../../../src/engine/adaptation/welford.ts';

const dimension = 3;
const draws = fc.array(
  fc.array(fc.double({ min: -100, max: 100, noNaN: true }), {
    minLength: dimension,
    maxLength: dimension,
  }),
  { minLength: 2, maxLength: 30 },
);

/** Two-pass covariance, shrunk as documented: n/(n + 5) S + 1e-3 · 5/(n + 5) I. */
function expected(rows: number[][], i: number, j: number): number {
  const n = rows.length;
  const mean = (k: number) => rows.reduce((sum, row) => sum + row[k], 0) / n;
  const [mi, mj] = [mean(i), mean(j)];
  const s = rows.reduce((sum, row) => sum + (row[i] - mi) * (row[j] - mj), 0) / (n - 1);
  return (n / (n + 5)) * s + (i === j ? (1e-3 * 5) / (n + 5) : 0);
}

describe('estimateInvMetric', () => {
  it('is the shrunk variance for diag', () => {
    fc.assert(
      fc.property(draws, (rows) => {
        const state = createWelford('diag', dimension);
        for (const row of rows) addDraw(state, Float64Array.from(row));
        const out = new Float64Array(dimension);
        estimateInvMetric(state, out);
        out.forEach((value, i) => expect(value).toBeCloseTo(expected(rows, i, i), 7));
      }),
    );
  });

  it('is the shrunk covariance for dense, symmetric to the last bit', () => {
    fc.assert(
      fc.property(draws, (rows) => {
        const state = createWelford('dense', dimension);
        for (const row of rows) addDraw(state, Float64Array.from(row));
        const out = new Float64Array(dimension * dimension);
        estimateInvMetric(state, out);
        for (let i = 0; i < dimension; i++) {
          for (let j = 0; j < dimension; j++) {
            expect(out[i * dimension + j]).toBeCloseTo(expected(rows, i, j), 7);
            expect(out[i * dimension + j]).toBe(out[j * dimension + i]);
          }
        }
      }),
    );
  });

  it('shrinks the current metric when a window holds a single draw', () => {
    const state = createWelford('diag', 1);
    addDraw(state, Float64Array.of(3));
    const out = Float64Array.of(2);
    estimateInvMetric(state, out);
    expect(out[0]).toBeCloseTo(2 / 6 + (1e-3 * 5) / 6, 12);
  });

  it('shrinks the identity when a window holds no draw', () => {
    const state = createWelford('dense', 2);
    const out = Float64Array.of(1, 0.5, 0.5, 1);
    estimateInvMetric(state, out);
    expect([...out]).toEqual([1e-3, 0, 0, 1e-3]);
  });

  it.each(['diag', 'dense'] as const)('forgets on restart: %s', (kind) => {
    const state = createWelford(kind, 2);
    for (const draw of [3, 5, 4]) addDraw(state, Float64Array.of(draw, -draw));
    restartWelford(state);
    expect(state).toEqual(createWelford(kind, 2));
  });

  it.each(['unit', 'low-rank'] as const)('holds no variances for a metric that is %s', (kind) => {
    expect(createWelford(kind, 3).m2).toHaveLength(0);
  });

  it('learns nothing for a unit metric', () => {
    const state = createWelford('unit', 1);
    addDraw(state, Float64Array.of(3));
    expect(state).toEqual(createWelford('unit', 1));
  });
});
