import { describe, expect, it } from 'vitest';
import { createHamiltonian, type Hamiltonian } from '../../../src/engine/hmc/hamiltonian.ts';
import { createMetric } from '../../../src/engine/hmc/metric.ts';
import { createPhasePoint } from '../../../src/engine/hmc/phase-point.ts';
import { createNutsSampler } from '../../../src/engine/hmc/transition.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { analyticModel, normalModel } from '../../support/analytic-models.ts';
import { scriptedRng, seededRng } from '../../support/seeded-rng.ts';

/** Moves forever in a straight line at constant energy. */
const drifting: Hamiltonian = {
  dimension: 1,
  sampleMomentum: (_rng, { p }) => p.fill(1),
  energy(z, velocity) {
    velocity.set(z.p);
    return 0;
  },
  leapfrog(z, stepSize) {
    z.q[0] += stepSize * z.p[0];
  },
};

describe('createNutsSampler', () => {
  it.each([1, 2, 3, 6])('doubles to depth %i when nothing turns', (maxTreeDepth) => {
    const sample = createNutsSampler(drifting, maxTreeDepth);
    const transition = sample({ start: createPhasePoint(1), stepSize: 0.1, rng: seededRng(1) });
    expect(transition).toMatchObject({
      treeDepth: maxTreeDepth,
      numLeapfrog: 2 ** maxTreeDepth - 1,
      acceptStat: 1,
      end: 'max-tree-depth',
    });
  });

  it('stays at the start and accepts nothing when no doubling is allowed', () => {
    const start = createPhasePoint(1);
    start.q[0] = 7;
    const sample = createNutsSampler(drifting, 0);
    const { draw, ...rest } = sample({ start, stepSize: 0.1, rng: seededRng(1) });
    expect(draw.q[0]).toBe(7);
    expect(rest).toMatchObject({ acceptStat: 0, treeDepth: 0, numLeapfrog: 0 });
  });

  it('grows forwards and backwards from the correct ends', () => {
    const visited: number[] = [];
    const hamiltonian: Hamiltonian = {
      ...drifting,
      leapfrog(z, stepSize) {
        z.q[0] += stepSize * z.p[0];
        visited.push(z.q[0]);
      },
    };
    const forward = 0.9;
    const backward = 0.1;
    const keep = 2; // no odds reach it: the old proposal stays
    const rng = scriptedRng([forward, keep, backward, keep, keep, forward, keep, keep, keep, keep]);
    const sample = createNutsSampler(hamiltonian, 3);
    const { draw } = sample({ start: createPhasePoint(1), stepSize: 1, rng });
    expect(visited).toEqual([1, -1, -2, 2, 3, 4, 5]);
    expect(draw.q[0]).toBe(0);
  });

  it('continues from the same end when it grows in the same direction again', () => {
    const visited: number[] = [];
    const hamiltonian: Hamiltonian = {
      ...drifting,
      leapfrog(z, stepSize) {
        z.q[0] += stepSize * z.p[0];
        visited.push(z.q[0]);
      },
    };
    const [forward, backward, keep] = [0.9, 0.1, 2];
    const merges = [keep, keep, keep];
    const rng = scriptedRng([forward, keep, forward, keep, keep, backward, ...merges, keep]);
    createNutsSampler(hamiltonian, 3)({ start: createPhasePoint(1), stepSize: 1, rng });
    expect(visited).toEqual([1, 2, 3, -1, -2, -3, -4]);
  });

  it('ends with a doubling that continues on its own but turns together with the earlier tree', () => {
    // around a circle: momentum is positive for the first quarter, and negative throughout the last doubling
    const circling: Hamiltonian = {
      ...drifting,
      leapfrog(z, stepSize) {
        const [q, p] = [z.q[0], z.p[0]];
        z.q[0] = q * Math.cos(stepSize) + p * Math.sin(stepSize);
        z.p[0] = p * Math.cos(stepSize) - q * Math.sin(stepSize);
      },
    };
    const [forward, backward] = [0.9, 0.1];
    const keep = (times: number) => Array.from({ length: times }, () => 2);
    const smaller = [backward, ...keep(1), forward, ...keep(2), backward, ...keep(4)];
    const rng = scriptedRng([...smaller, backward, ...keep(8)]);
    const sample = createNutsSampler(circling, 10);
    const transition = sample({ start: createPhasePoint(1), stepSize: 0.3, rng });
    expect(transition).toMatchObject({ end: 'turning', treeDepth: 4, numLeapfrog: 15 });
  });

  it('does not count the doubling that diverged, and keeps the start', () => {
    const model = analyticModel({
      names: ['x'],
      density() {
        throw new DomainError('sigma must be positive');
      },
    });
    const reasons: string[] = [];
    const hamiltonian = createHamiltonian({
      model,
      metric: createMetric('unit', 1),
      onReject: (reason) => reasons.push(reason),
    });
    const start = createPhasePoint(1);
    start.logDensity = -1;
    start.q[0] = 7;
    const { draw, ...rest } = createNutsSampler(
      hamiltonian,
      10,
    )({
      start,
      stepSize: 0.1,
      rng: seededRng(4),
    });
    expect(draw.q[0]).toBe(7);
    expect(rest).toMatchObject({ end: 'diverging', treeDepth: 0, numLeapfrog: 1, acceptStat: 0 });
    expect(reasons).toEqual(['sigma must be positive']);
  });

  it('rethrows other errors of the model', () => {
    const model = analyticModel({
      names: ['x'],
      density() {
        throw new Error('a bug');
      },
    });
    const hamiltonian = createHamiltonian({ model, metric: createMetric('unit', 1) });
    const sample = createNutsSampler(hamiltonian, 10);
    const request = { start: createPhasePoint(1), stepSize: 0.1, rng: seededRng(4) };
    expect(() => sample(request)).toThrow('a bug');
  });

  it('does not change its starting point', () => {
    const model = normalModel([0, 0], [1, 1]);
    const hamiltonian = createHamiltonian({ model, metric: createMetric('diag', 2) });
    const sample = createNutsSampler(hamiltonian, 10);
    const start = createPhasePoint(2);
    start.q.set([0.5, -0.5]);
    start.logDensity = model.logDensityGradient(start.q, start.gradient);
    const before = structuredClone(start);
    sample({ start, stepSize: 0.5, rng: seededRng(9) });
    expect(start).toEqual(before);
  });

  it('returns log density, gradient and energy of the drawn position', () => {
    const model = normalModel([0, 3], [1, 2]);
    const hamiltonian = createHamiltonian({ model, metric: createMetric('diag', 2) });
    const sample = createNutsSampler(hamiltonian, 10);
    const rng = seededRng(11);
    let start = createPhasePoint(2);
    start.logDensity = model.logDensityGradient(start.q, start.gradient);
    for (let i = 0; i < 50; i++) {
      const { draw, energy } = sample({ start, stepSize: 0.6, rng });
      const gradient = new Float64Array(2);
      expect(draw.logDensity).toBe(model.logDensityGradient(draw.q, gradient));
      expect(draw.gradient).toEqual(gradient);
      expect(energy).toBeGreaterThan(-draw.logDensity);
      start = structuredClone(draw);
    }
  });
});
