import { describe, expect, it } from 'vitest';
import { createHamiltonian, updateDensity } from '../../../src/engine/hmc/hamiltonian.ts';
import { denseOfLowRank, diagonalOfLowRank } from '../../../src/engine/hmc/low-rank.ts';
import {
  createMetric,
  type Metric,
  multiplyInvMetric,
  sampleMomentum,
  setInvMetric,
} from '../../../src/engine/hmc/metric.ts';
import {
  copyPhasePoint,
  createMovingPoint,
  createPhasePoint,
  type PhasePoint,
} from '../../../src/engine/hmc/phase-point.ts';
import { DomainError } from '../../../src/math/errors.ts';
import {
  analyticModel,
  correlatedNormalModel,
  funnelModel,
} from '../../support/analytic-models.ts';
import { seededRng } from '../../support/seeded-rng.ts';

const covariance = [2, 0.6, 0.6, 0.5];
const inverseOf = ([a, b, , d]: readonly number[]) =>
  [d, -b, -b, a].map((x) => x / (a * d - b * b));
const inverse = inverseOf(covariance);

function denseMetric(): Metric {
  const metric = createMetric('dense', 2);
  setInvMetric(metric, Float64Array.from(covariance));
  return metric;
}

function diagMetric(): Metric {
  const metric = createMetric('diag', 2);
  setInvMetric(metric, Float64Array.of(4, 0.25));
  return metric;
}

/** diag(2, 0.5) (I + u (9 − 1) uᵀ) diag(2, 0.5) with u = (0.6, 0.8). */
const lowRankValues = Float64Array.of(2, 0.5, 9, 0.6, 0.8);
const lowRankCovariance = [4 * (1 + 8 * 0.36), 8 * 0.48, 8 * 0.48, 0.25 * (1 + 8 * 0.64)];

function lowRankMetric(): Metric {
  const metric = createMetric('low-rank', 2);
  setInvMetric(metric, lowRankValues);
  return metric;
}

describe('metrics', () => {
  it('turn momentum into velocity', () => {
    const p = Float64Array.of(3, -2);
    const velocity = (metric: Metric) => {
      const out = new Float64Array(2);
      multiplyInvMetric(metric, p, out);
      return [...out];
    };
    expect(velocity(createMetric('unit', 2))).toEqual([3, -2]);
    expect(velocity(diagMetric())).toEqual([12, -0.5]);
    expect(velocity(denseMetric())).toEqual([2 * 3 - 0.6 * 2, 0.6 * 3 - 0.5 * 2]);
    const [a, b, , d] = lowRankCovariance;
    const [v1, v2] = velocity(lowRankMetric());
    expect(v1).toBeCloseTo(3 * a - 2 * b, 12);
    expect(v2).toBeCloseTo(3 * b - 2 * d, 12);
  });

  it('of low rank have the expected covariances and variances', () => {
    denseOfLowRank(lowRankValues, 2).forEach((value, i) =>
      expect(value).toBeCloseTo(lowRankCovariance[i], 12),
    );
    const [first, second] = diagonalOfLowRank(lowRankValues, 2);
    expect(first).toBeCloseTo(lowRankCovariance[0], 12);
    expect(second).toBeCloseTo(lowRankCovariance[3], 12);
  });

  it.each([
    ['diag', diagMetric(), [1 / 4, 0, 0, 4]],
    ['dense', denseMetric(), inverse],
    ['low-rank', lowRankMetric(), inverseOf(lowRankCovariance)],
  ] as const)('%s draws momenta whose covariance is the inverse of invMetric', (_, metric, M) => {
    const rng = seededRng(5);
    const n = 40_000;
    const p = new Float64Array(2);
    const sums = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      sampleMomentum(metric, rng, p);
      sums[0] += p[0] * p[0];
      sums[1] += p[0] * p[1];
      sums[2] += p[1] * p[1];
    }
    const [m11, m12, , m22] = M;
    // Var(p1 p2) = m11 m22 + m12² for normals
    expect(Math.abs(sums[0] / n - m11)).toBeLessThan(4 * Math.sqrt((2 * m11 * m11) / n));
    expect(Math.abs(sums[1] / n - m12)).toBeLessThan(4 * Math.sqrt((m11 * m22 + m12 * m12) / n));
    expect(Math.abs(sums[2] / n - m22)).toBeLessThan(4 * Math.sqrt((2 * m22 * m22) / n));
  });
});

describe('energy', () => {
  const energyOf = (value: number) => {
    const model = analyticModel({ names: ['x', 'y'], density: () => value });
    const hamiltonian = createHamiltonian({ model, metric: diagMetric() });
    const z = createPhasePoint(2);
    z.p.set([3, -2]);
    z.logDensity = value;
    const velocity = new Float64Array(2);
    return { energy: hamiltonian.energy(z, velocity), velocity: [...velocity] };
  };

  it('is kinetic energy minus log density, and stores the velocity', () => {
    // ½ (4 · 3² + ¼ · 2²) + 1.5
    expect(energyOf(-1.5)).toEqual({ energy: 20, velocity: [12, -0.5] });
  });

  it('is infinite when it would be NaN', () => {
    expect(energyOf(Number.NaN).energy).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('leapfrog', () => {
  it('takes half a step in momentum, a full step in position and half a step in momentum', () => {
    const model = analyticModel({
      names: ['x'],
      density([x], gradient) {
        gradient[0] = -x;
        return -0.5 * x * x;
      },
    });
    const metric = createMetric('diag', 1);
    setInvMetric(metric, Float64Array.of(4));
    const z = createPhasePoint(1);
    z.q[0] = 1;
    z.p[0] = 2;
    updateDensity(model, z);
    createHamiltonian({ model, metric }).leapfrog(z, 0.5);
    // p = 2 − ¼, q = 1 + ½ · 4 p, p − ¼ q
    expect([z.p[0], z.q[0], z.logDensity]).toEqual([1.75 - 0.25 * 4.5, 4.5, -0.5 * 4.5 ** 2]);
  });

  it.each([createMetric('unit', 2), diagMetric(), denseMetric(), lowRankMetric()])(
    'is reversible with metric $kind',
    (metric) => {
      const model = correlatedNormalModel(0.7);
      const hamiltonian = createHamiltonian({ model, metric });
      const z = createPhasePoint(2);
      z.q.set([0.4, -1.2]);
      z.p.set([0.9, 0.3]);
      updateDensity(model, z);
      const before = createPhasePoint(2);
      copyPhasePoint(z, before);
      for (let i = 0; i < 10; i++) hamiltonian.leapfrog(z, 0.1);
      for (let i = 0; i < 10; i++) hamiltonian.leapfrog(z, -0.1);
      for (let i = 0; i < 2; i++) {
        expect(z.q[i]).toBeCloseTo(before.q[i], 12);
        expect(z.p[i]).toBeCloseTo(before.p[i], 12);
      }
    },
  );

  describe.each([createMetric('unit', 2), diagMetric(), denseMetric(), lowRankMetric()])(
    'of a point that keeps its motion, metric $kind',
    (metric) => {
      const model = correlatedNormalModel(0.7);
      const hamiltonian = createHamiltonian({ model, metric });
      const start = () => {
        const [z, plain] = [createMovingPoint(2), createPhasePoint(2)];
        for (const point of [z, plain]) point.q.set([0.4, -1.2]);
        for (const point of [z, plain]) updateDensity(model, point);
        hamiltonian.sampleMomentum(seededRng(4), z);
        hamiltonian.sampleMomentum(seededRng(4), plain);
        return { z, plain };
      };
      const expectAlike = (z: PhasePoint, plain: PhasePoint) => {
        const [velocity, other] = [new Float64Array(2), new Float64Array(2)];
        const energies = [hamiltonian.energy(z, velocity), hamiltonian.energy(plain, other)];
        expect(energies[0]).toBeCloseTo(energies[1], 11);
        for (let i = 0; i < 2; i++) {
          expect(z.q[i]).toBeCloseTo(plain.q[i], 11);
          expect(z.p[i]).toBeCloseTo(plain.p[i], 11);
          expect(velocity[i]).toBeCloseTo(other[i], 11);
        }
      };

      it('follows the same path forwards and backwards, as do its copies', () => {
        const { z, plain } = start();
        expectAlike(z, plain);
        for (let i = 0; i < 25; i++)
          for (const point of [z, plain]) hamiltonian.leapfrog(point, 0.1);
        expectAlike(z, plain);
        const copy = createMovingPoint(2);
        copyPhasePoint(z, copy);
        for (let i = 0; i < 9; i++)
          for (const point of [z, copy, plain]) hamiltonian.leapfrog(point, -0.13);
        expect(copy).toEqual(z);
        expectAlike(z, plain);
        const velocity = new Float64Array(2);
        hamiltonian.energy(z, velocity);
        // not computed again, whose last digits would differ
        if (z.motion?.isKnown === true) expect(velocity).toEqual(z.motion.velocity);
      });

      it('drops the motion when a point without one is copied over it', () => {
        const { z, plain } = start();
        hamiltonian.leapfrog(z, 0.1);
        plain.p.set([1.5, -0.2]);
        copyPhasePoint(plain, z);
        expectAlike(z, plain);
        for (const point of [z, plain]) hamiltonian.leapfrog(point, 0.1);
        expect(z.q).toEqual(plain.q);
        hamiltonian.sampleMomentum(seededRng(8), z);
        hamiltonian.sampleMomentum(seededRng(8), plain);
        for (let i = 0; i < 5; i++)
          for (const point of [z, plain]) hamiltonian.leapfrog(point, 0.1);
        expectAlike(z, plain);
      });
    },
  );

  it.each([
    ['dense', denseMetric(), 1],
    ['low-rank', lowRankMetric(), 1],
    ['diag', diagMetric(), 0],
    ['unit', createMetric('unit', 2), 0],
  ] as const)('keeps the motion only if that saves a product: metric %s', (_, metric, known) => {
    const hamiltonian = createHamiltonian({ model: correlatedNormalModel(0.7), metric });
    const z = createMovingPoint(2);
    hamiltonian.sampleMomentum(seededRng(1), z);
    expect(z.motion?.isKnown).toBe(known === 1);
  });

  it('conserves the energy to second order in the step size', () => {
    const model = funnelModel(3);
    const hamiltonian = createHamiltonian({ model, metric: createMetric('unit', 4) });
    const energyError = (steps: number) => {
      const z = createPhasePoint(4);
      z.q.set([0.5, 0.3, -0.8, 1.1]);
      z.p.set([0.2, -0.4, 0.7, 0.1]);
      updateDensity(model, z);
      const velocity = new Float64Array(4);
      const before = hamiltonian.energy(z, velocity);
      for (let i = 0; i < steps; i++) hamiltonian.leapfrog(z, 1 / steps);
      return Math.abs(hamiltonian.energy(z, velocity) - before);
    };
    expect(energyError(20) / energyError(40)).toBeCloseTo(4, 0);
    expect(energyError(40) / energyError(80)).toBeCloseTo(4, 0);
  });
});

describe('updateDensity', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'treats a density of %s as −∞',
    (value) => {
      const model = analyticModel({ names: ['x'], density: () => value });
      const z = createPhasePoint(1);
      z.gradient[0] = 5;
      updateDensity(model, z);
      expect(z.logDensity).toBe(Number.NEGATIVE_INFINITY);
      expect(z.gradient[0]).toBe(0);
    },
  );

  it('treats a point without a density as one of density 0, and rethrows other errors', () => {
    const throwing = (error: Error) =>
      analyticModel({
        names: ['x'],
        density() {
          throw error;
        },
      });
    const z = createPhasePoint(1);
    z.logDensity = 1;
    z.gradient[0] = 5;
    updateDensity(throwing(new DomainError('sigma is 0')), z);
    expect([z.logDensity, z.gradient[0]]).toEqual([Number.NEGATIVE_INFINITY, 0]);
    expect(() => updateDensity(throwing(new Error('a bug')), z)).toThrow('a bug');
  });
});
