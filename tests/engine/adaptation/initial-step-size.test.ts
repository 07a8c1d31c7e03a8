import { describe, expect, it } from 'vitest';
import { searchStepSize } from '../../../src/engine/adaptation/initial-step-size.ts';
import { createHamiltonian, updateDensity } from '../../../src/engine/hmc/hamiltonian.ts';
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
  it.each([1e-4, 1, 1e4])('finds the order of the scale %f', (sd) => {
    const found = search(normalModel([0], [sd]));
    if (!found.ok) throw new Error(found.message);
    expect(found.stepSize / sd).toBeGreaterThan(0.1);
    expect(found.stepSize / sd).toBeLessThan(10);
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
    expect(found).toMatchObject({ ok: false, message: expect.stringContaining('improper') });
  });

  it('gives up where every step leaves the support', () => {
    const found = search(
      analyticModel({
        names: ['x'],
        density([x], gradient) {
          gradient[0] = 0;
          return x === 0 ? 0 : Number.NEGATIVE_INFINITY;
        },
      }),
    );
    expect(found).toMatchObject({ ok: false, message: expect.stringContaining('small enough') });
  });
});
