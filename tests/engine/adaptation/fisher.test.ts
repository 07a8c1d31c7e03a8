import { describe, expect, it } from 'vitest';
import {
  addPoint,
  createFisherSample,
  forgetAll,
  forgetOlder,
  learnMetric,
  startFisherMetric,
} from '../../../src/engine/adaptation/fisher.ts';
import { fisherLowRank, fisherVariance } from '../../../src/engine/adaptation/fisher-metric.ts';
import { createChain } from '../../../src/engine/chain.ts';
import { settingsOfChain } from '../../../src/engine/chain-settings.ts';
import type { NutsCheckpoint } from '../../../src/engine/checkpoint.ts';
import { compileModel } from '../../../src/engine/compile-model.ts';
import { denseOfLowRank } from '../../../src/engine/hmc/low-rank.ts';
import { createMetric, type Metric, type MetricKind } from '../../../src/engine/hmc/metric.ts';
import { createPhasePoint, type PhasePoint } from '../../../src/engine/hmc/phase-point.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { defaultSettings } from '../../../src/engine/settings.ts';
import { readData, readProgram, referencePosteriors } from '../../support/posteriordb.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/** Positions and gradients of a standard normal, the latter with noise. */
function pointsOf(count: number, dimension: number): PhasePoint[] {
  const rng = seededRng(4);
  return Array.from({ length: count }, () => {
    const point = createPhasePoint(dimension);
    for (let i = 0; i < dimension; i++) {
      point.q[i] = 3 + (i + 1) * rng.normal();
      point.gradient[i] = (3 - point.q[i]) / (i + 1) ** 2 + 0.1 * rng.normal();
    }
    return point;
  });
}

const valuesOf = (metric: Metric) => (metric.kind === 'unit' ? [] : [...metric.invMetric]);

/** σ² of a metric: for a low-rank metric, those of its diagonal part. */
function variancesOf(metric: Metric, dimension: number): number[] {
  const values = valuesOf(metric);
  return Array.from({ length: dimension }, (_, i) => {
    if (metric.kind === 'low-rank') return values[i] ** 2;
    return values[metric.kind === 'dense' ? i * dimension + i : i];
  });
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
}

/** The metric expected from these points and previous variances, by the definitions. */
function expectedOf(
  kind: MetricKind,
  points: readonly PhasePoint[],
  before: readonly number[],
): number[] {
  const dimension = points[0].q.length;
  if (kind === 'diag')
    return before.map((own, i) =>
      fisherVariance(
        variance(points.map(({ q }) => q[i])),
        variance(points.map((point) => point.gradient[i])),
        own,
        points.length,
      ),
    );
  const sample = {
    dimension,
    count: points.length,
    rows: Float64Array.from(points.flatMap(({ q, gradient }) => [...q, ...gradient])),
  };
  const isDense = kind === 'dense';
  const found = fisherLowRank(sample, {
    cutoff: isDense ? 1 : 2,
    maxRank: Infinity,
    before: (i) => before[i],
  });
  if (found === null) throw new Error('no metric');
  return [...(isDense ? denseOfLowRank(found, dimension) : found)];
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 10));
}

describe.each(['diag', 'dense', 'low-rank'] as const)('a %s metric', (kind) => {
  it('begins at 1 ÷ |gradient|', () => {
    const metric = createMetric(kind, 2);
    startFisherMetric(metric, Float64Array.of(-4, 0.25));
    const variances = { diag: [0.25, 4], dense: [0.25, 0, 0, 4], 'low-rank': [0.5, 2] };
    expectClose(valuesOf(metric), variances[kind]);
  });

  it('is estimated from the older sample, and from the younger one once the older is dropped', () => {
    const points = pointsOf(12, 3);
    const metric = createMetric(kind, 3);
    const sample = createFisherSample(kind, 3);
    const expectLearned = (of: readonly PhasePoint[]) => {
      const before = variancesOf(metric, 3);
      expect(learnMetric(sample, metric, true)).toBe(true);
      expectClose(valuesOf(metric), expectedOf(kind, of, before));
    };
    for (const point of points.slice(0, 5)) addPoint(sample, metric, point);
    expectLearned(points.slice(0, 5));
    forgetOlder(sample, metric);
    for (const point of points.slice(5, 8)) addPoint(sample, metric, point);
    expectLearned(points.slice(0, 8));
    forgetOlder(sample, metric);
    for (const point of points.slice(8)) addPoint(sample, metric, point);
    expectLearned(points.slice(5));
    forgetAll(sample);
    expect(sample).toEqual({ count: 0, youngerCount: 0, values: new Float64Array(0) });
  });

  it('needs at least three points to be updated', () => {
    const metric = createMetric(kind, 2);
    const sample = createFisherSample(kind, 2);
    const changes = pointsOf(3, 2).map((point) => {
      addPoint(sample, metric, point);
      return learnMetric(sample, metric, true);
    });
    expect(changes).toEqual([false, false, true]);
  });

  it('leaves an empty sample empty when older points are dropped', () => {
    const metric = createMetric(kind, 2);
    const sample = createFisherSample(kind, 2);
    forgetOlder(sample, metric);
    expect(sample).toEqual(createFisherSample(kind, 2));
  });
});

describe('a dense or low-rank metric', () => {
  const changesOf = (kind: 'dense' | 'low-rank', dimension: number, count: number) => {
    const metric = createMetric(kind, dimension);
    const sample = createFisherSample(kind, dimension);
    return pointsOf(count, dimension).flatMap((point, n) => {
      addPoint(sample, metric, point);
      return learnMetric(sample, metric, false) ? [n + 1] : [];
    });
  };

  it('changes every 20 draws, or every dimension / 2 draws if that is more', () => {
    expect(changesOf('dense', 2, 45)).toEqual([20, 40]);
    expect(changesOf('low-rank', 2, 45)).toEqual([20, 40]);
    expect(changesOf('low-rank', 60, 65)).toEqual([30, 60]);
  });

  it('keeps the variance of a parameter that does not vary in the sample', () => {
    for (const kind of ['dense', 'low-rank'] as const) {
      const metric = createMetric(kind, 2);
      startFisherMetric(metric, Float64Array.of(1, 0.25));
      const sample = createFisherSample(kind, 2);
      for (const point of pointsOf(6, 2)) {
        point.q[1] = 5;
        point.gradient[1] = -1;
        addPoint(sample, metric, point);
      }
      const before = valuesOf(metric);
      expect(learnMetric(sample, metric, true)).toBe(true);
      expect(valuesOf(metric)[0]).not.toBe(before[0]);
      expect(valuesOf(metric)[kind === 'dense' ? 3 : 1]).toBeCloseTo(kind === 'dense' ? 4 : 2, 3);
    }
  });

  it('does not change when a gradient is NaN', () => {
    for (const kind of ['dense', 'low-rank'] as const) {
      const metric = createMetric(kind, 2);
      const before = valuesOf(metric);
      const sample = createFisherSample(kind, 2);
      for (const point of pointsOf(6, 2)) {
        point.gradient[1] = Number.NaN;
        addPoint(sample, metric, point);
      }
      expect(learnMetric(sample, metric, true)).toBe(false);
      expect(valuesOf(metric)).toEqual(before);
    }
  });

  it('reallocates its sample buffer only when it is full', () => {
    const metric = createMetric('low-rank', 2);
    const sample = createFisherSample('low-rank', 2);
    const buffers = pointsOf(16, 2).map((point) => {
      addPoint(sample, metric, point);
      return sample.values.buffer;
    });
    const changes = buffers.flatMap((buffer, row) =>
      buffer === buffers[row - 1] ? [] : [row + 1],
    );
    expect(changes).toEqual([1, 3, 7, 15]);
  });

  it('keeps the latest rows, up to half a megabyte but never fewer than 32', () => {
    for (const [dimension, most] of [
      [1024, 32],
      [3000, 32],
      [512, 64],
    ]) {
      const metric = createMetric('low-rank', dimension);
      const sample = createFisherSample('low-rank', dimension);
      const points = pointsOf(most + 3, dimension);
      for (const point of points) addPoint(sample, metric, point);
      expect(sample.count).toBe(most);
      expect(sample.youngerCount).toBe(most);
      const kept = points.slice(3).flatMap(({ q, gradient }) => [...q, ...gradient]);
      expect(sample.values).toEqual(Float64Array.from(kept));
    }
  });
});

it('a low-rank metric of many parameters keeps few directions, since every step uses them all', () => {
  const rankOf = (dimension: number) => {
    const metric = createMetric('low-rank', dimension);
    const sample = createFisherSample('low-rank', dimension);
    for (const point of pointsOf(40, dimension)) addPoint(sample, metric, point);
    expect(learnMetric(sample, metric, true)).toBe(true);
    return (valuesOf(metric).length - dimension) / (dimension + 1);
  };
  expect(rankOf(3000)).toBe(8);
  expect(rankOf(600)).toBe(27);
});

it('a unit metric is never updated', () => {
  const metric = createMetric('unit', 2);
  const sample = createFisherSample('unit', 2);
  startFisherMetric(metric, Float64Array.of(4, 4));
  for (const point of pointsOf(4, 2)) addPoint(sample, metric, point);
  forgetOlder(sample, metric);
  expect(learnMetric(sample, metric, true)).toBe(false);
  expect(sample).toEqual(createFisherSample('unit', 2));
  expect(metric).toEqual({ kind: 'unit' });
});

it('a chain that starts far away takes no scale from gradients that hardly change there', () => {
  const { model: name, data, adapt_delta } = referencePosteriors['bball_drive_event_0-hmm_drive_0'];
  const compiled = compileModel({
    source: readProgram(name),
    data: readData(data) ?? {},
    rng: openStream(1, 1, 'transformed-data'),
  });
  if (!compiled.ok) throw new Error(compiled.message);
  const settings = { ...defaultSettings, adaptDelta: adapt_delta };
  const chain = createChain({
    model: compiled.model,
    settings: settingsOfChain(settings, { seed: 103, chain: 4, streamWarmup: false }),
    chain: 4,
  });
  chain.advance({ maxIterations: 1 });
  // it diverged immediately, which says nothing about the posterior
  expect((chain.checkpoint() as NutsCheckpoint).fisher?.count).toBe(0);
  chain.advance({ maxIterations: 99 });
  // 50 000 if one scale becomes 10⁸ and step sizes 10⁻⁹
  expect(chain.progress().warmupLeapfrogs).toBeLessThan(5000);
});
