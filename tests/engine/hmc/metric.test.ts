import { describe, expect, it } from 'vitest';
import {
  createMetric,
  multiplyInvMetric,
  ownMetricKind,
  sampleMomentum,
  setInvMetric,
} from '../../../src/engine/hmc/metric.ts';
import { scriptedRng } from '../../support/seeded-rng.ts';

const kinds = ['unit', 'diag', 'dense', 'low-rank'] as const;
const covariance = [4, 1, 0.5, 1, 3, -0.2, 0.5, -0.2, 2];
const places = [0, 1, 2];

function velocityOf(metric: ReturnType<typeof createMetric>, p: readonly number[]): number[] {
  const out = new Float64Array(p.length);
  multiplyInvMetric(metric, Float64Array.from(p), out);
  return [...out];
}

describe('a new metric', () => {
  it.each(kinds)('%s is the identity, of its own kind', (kind) => {
    const metric = createMetric(kind, 3);
    expect(metric.kind).toBe(kind);
    if (kind === 'unit') expect(metric).toEqual({ kind });
    expect(ownMetricKind(kind)).toBe(kind);
    expect(velocityOf(metric, [1, -2, 3])).toEqual([1, -2, 3]);
    const momentum = new Float64Array(3);
    sampleMomentum(metric, scriptedRng([]), momentum);
    // the random numbers are all 1
    expect([...momentum]).toEqual([1, 1, 1]);
  });
});

describe('values of a metric', () => {
  it('that are dense come with their Cholesky factor, whatever was set before', () => {
    const metric = createMetric('dense', 3);
    for (const values of [covariance.map((value) => 2 * value), covariance]) {
      setInvMetric(metric, Float64Array.from(values));
      if (metric.kind !== 'dense') throw new Error('another kind');
      const { cholesky, invMetric } = metric;
      expect([...invMetric]).toEqual(values);
      for (const i of places)
        for (const j of places) {
          const product = places.reduce(
            (sum, k) => sum + cholesky[3 * i + k] * cholesky[3 * j + k],
            0,
          );
          expect(product).toBeCloseTo(values[3 * i + j], 12);
          if (j > i) expect(cholesky[3 * i + j]).toBe(0);
        }
    }
  });

  it('turn standard normals into momenta', () => {
    const momentumOf = (kind: 'diag' | 'dense', values: readonly number[]) => {
      const metric = createMetric(kind, 3);
      setInvMetric(metric, Float64Array.from(values));
      const p = new Float64Array(3);
      sampleMomentum(metric, scriptedRng([]), p);
      return { p, metric };
    };
    expect([...momentumOf('diag', [4, 0.25, 1]).p]).toEqual([0.5, 2, 1]);
    const { p, metric } = momentumOf('dense', covariance);
    if (metric.kind !== 'dense') throw new Error('another kind');
    // Lᵀ p is what was drawn
    for (const i of places) {
      const drawn = places.reduce((sum, j) => sum + metric.cholesky[3 * j + i] * p[j], 0);
      expect(drawn).toBeCloseTo(1, 12);
    }
  });

  it('are copied, and ignored for the unit metric', () => {
    for (const kind of kinds) {
      const metric = createMetric(kind, 1);
      const values = Float64Array.of(4);
      setInvMetric(metric, values);
      const before = velocityOf(metric, [1]);
      expect(before).toEqual([{ unit: 1, diag: 4, dense: 4, 'low-rank': 16 }[kind]]);
      values[0] = 9;
      expect(velocityOf(metric, [1])).toEqual(before);
    }
  });

  it('are refused if they have another dimension or are not a covariance', () => {
    for (const kind of ['diag', 'dense'] as const)
      expect(() => setInvMetric(createMetric(kind, 2), new Float64Array(3).fill(1))).toThrow(
        'metric of another dimension',
      );
    expect(() => setInvMetric(createMetric('dense', 2), Float64Array.of(1, 1, 1, 1))).toThrow(
      'a regularised covariance is positive definite',
    );
  });
});
