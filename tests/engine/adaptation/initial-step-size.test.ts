import { describe, expect, it } from 'vitest';
import { searchStepSize } from '../../../src/engine/adaptation/initial-step-size.ts';
import {
  createHamiltonian,
  type Hamiltonian,
  updateDensity,
} from '../../../src/engine/hmc/hamiltonian.ts';
import { createMetric } from '../../../src/engine/hmc/metric.ts';
import { createPhasePoint } from '../../../src/engine/hmc/phase-point.ts';
import type { Model } from '../../../src/engine/model.ts';
import { analyticModel, normalModel } from '../../support/analytic-models.ts';
import { seededRng } from '../../support/seeded-rng.ts';

function search(model: Model, stepSize = 1) {
  const hamiltonian = createHamiltonian({ model, metric: createMetric('unit', 1) });
  const start = createPhasePoint(1);
  updateDensity(model, start);
  return searchStepSize({ hamiltonian, start, stepSize, rng: seededRng(8) });
}

describe('searchStepSize', () => {
  it.each([1e-4, 1, 1e4])('finds a step size within a factor of ten of the scale %f', (sd) => {
    const found = search(normalModel([0], [sd]));
    if (!found.ok) throw new Error(found.message);
    expect(found.stepSize / sd).toBeGreaterThan(0.1);
    expect(found.stepSize / sd).toBeLessThan(10);
  });

  it('doubles or halves the step size until acceptance crosses 0.8', () => {
    // a step costs its own size in energy: 0.22 is the largest accepted step size
    const hamiltonian: Hamiltonian = {
      dimension: 1,
      sampleMomentum: (_rng, { p }) => p.fill(1),
      energy: (z) => z.q[0],
      leapfrog(z, stepSize) {
        z.q[0] += stepSize;
      },
    };
    const found = [1 / 64, 0.125, 0.25, 2].map((stepSize) =>
      searchStepSize({ hamiltonian, start: createPhasePoint(1), stepSize, rng: seededRng(1) }),
    );
    expect(found.map((one) => one.ok && one.stepSize)).toEqual([0.25, 0.25, 0.125, 0.125]);
  });

  it('starts each try at the same point with a new momentum', () => {
    const model = normalModel([0], [1]);
    const hamiltonian = createHamiltonian({ model, metric: createMetric('unit', 1) });
    const start = createPhasePoint(1);
    start.q[0] = 0.7;
    updateDensity(model, start);
    const before = structuredClone(start);
    const starts: number[] = [];
    const momenta: number[] = [];
    const watched: Hamiltonian = {
      dimension: 1,
      sampleMomentum: (rng, z) => hamiltonian.sampleMomentum(rng, z),
      energy: (z, velocity) => hamiltonian.energy(z, velocity),
      leapfrog(z, stepSize) {
        starts.push(z.q[0]);
        momenta.push(z.p[0]);
        hamiltonian.leapfrog(z, stepSize);
      },
    };
    searchStepSize({ hamiltonian: watched, start, stepSize: 1e-3, rng: seededRng(3) });
    expect(new Set(starts)).toEqual(new Set([0.7]));
    expect(new Set(momenta).size).toBe(momenta.length);
    expect(start).toEqual(before);
  });

  it('gives up on a flat density as improper', () => {
    const found = search(
      analyticModel({
        names: ['x'],
        density(_theta, gradient) {
          gradient[0] = 0;
          return 0;
        },
      }),
    );
    expect(found).toEqual({
      ok: false,
      message:
        'Every step size is accepted, however large: the posterior seems improper. Check that every parameter has a proper prior or is informed by data.',
    });
  });

  it('gives up when every step leaves the support', () => {
    const found = search(
      analyticModel({
        names: ['x'],
        density([x], gradient) {
          gradient[0] = 0;
          return x === 0 ? 0 : Number.NEGATIVE_INFINITY;
        },
      }),
    );
    expect(found).toEqual({
      ok: false,
      message:
        'No step size is small enough at the starting point: the log density may not be continuous or its gradient may be wrong there. Try other inits.',
    });
  });
});
