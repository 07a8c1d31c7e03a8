import { describe, expect, it } from 'vitest';
import type { Approximation } from '../../../src/engine/fit/fit.ts';
import { fitLaplace } from '../../../src/engine/fit/laplace.ts';
import type { Model } from '../../../src/engine/model.ts';
import { analyticModel, normalModel, standardNormalModel } from '../../support/analytic-models.ts';
import { counted, fitRequest, runFit } from '../../support/fit-steps.ts';
import { normalsRng } from '../../support/seeded-rng.ts';

const fitFrom = (model: Model, inits: Readonly<Record<string, number>>) =>
  runFit(fitLaplace(fitRequest(model, { fit: { jacobian: true }, settings: { inits } })));

/** The draw for these standard normals, and its statistics. */
function drawOf(fitted: Approximation, z: readonly number[]) {
  const [q, statistics] = [new Float64Array(z.length), new Float64Array(2)];
  fitted.draw(0, normalsRng(z), q, statistics);
  return { q: [...q], statistics: [...statistics] };
}

describe('the Laplace approximation', () => {
  it('is centred at the mode and records its densities with each draw', () => {
    const { fitted } = fitFrom(normalModel([1, -2], [1, 10]), { x1: 1, x2: -2 });
    expect(drawOf(fitted, [0, 0])).toEqual({ q: [1, -2], statistics: [0, -0] });
    const { q, statistics } = drawOf(fitted, [1, -3]);
    expect(q[0]).toBeCloseTo(2, 6);
    expect(q[1]).toBeCloseTo(-32, 5);
    expect(statistics[0]).toBeCloseTo(-5, 6);
    expect(statistics[1]).toBe(-5);
  });

  it('evaluates both sides of the mode along each parameter, one parameter per step', () => {
    const model = counted(standardNormalModel(4));
    const { steps } = fitFrom(model, { x1: 0, x2: 0, x3: 0, x4: 0 });
    const end = steps.findIndex((line) => line?.startsWith('L-BFGS converged after 0'));
    expect(steps.slice(end + 1)).toEqual([null, null, null, null]);
    // once for the start, once when L-BFGS begins
    expect(model.calls()).toBe(2 + 2 * 4);
  });

  it('scales its finite differences with the size of the parameters', () => {
    const { fitted } = fitFrom(normalModel([1e9], [1e9]), { x1: 1e9 });
    expect(drawOf(fitted, [1]).q[0]).toBeCloseTo(2e9, -4);
  });

  it('takes the mean of the two halves of the Hessian', () => {
    // slopes that are not the gradient of any density
    const slopes = [
      [4, 1, 0.5],
      [0.2, 5, 0.6],
      [0.1, 0.2, 6],
    ];
    const uneven = analyticModel({
      names: ['x', 'y', 'z'],
      density(theta, gradient) {
        let sum = 0;
        slopes.forEach((row, i) => {
          gradient[i] = -row.reduce((slope, one, j) => slope + one * theta[j], 0);
          sum -= theta[i] ** 2;
        });
        return sum;
      },
    });
    const { fitted } = fitFrom(uneven, { x: 0, y: 0, z: 0 });
    const factor = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].map((z) => drawOf(fitted, z).q);
    const covariance = (i: number, j: number) => factor.reduce((sum, q) => sum + q[i] * q[j], 0);
    const precision = [
      [4, 0.6, 0.3],
      [0.6, 5, 0.4],
      [0.3, 0.4, 6],
    ];
    precision.forEach((row, i) => {
      for (const j of [0, 1, 2]) {
        const product = row.reduce((sum, one, k) => sum + one * covariance(k, j), 0);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 7);
      }
    });
  });

  it.each([1, -1])('needs a density on both sides of the mode: side %d', (side) => {
    const wall = analyticModel({
      names: ['x'],
      density([x], gradient) {
        gradient[0] = -x;
        return side * x > 0 ? Number.NEGATIVE_INFINITY : -0.5 * x * x;
      },
    });
    expect(() => fitFrom(wall, { x: 0 })).toThrow(
      'The Laplace approximation needs a smooth maximum, but the log density is undefined right next to it.',
    );
  });

  it('is attempted for up to 5000 parameters', () => {
    const many: Model = {
      ...standardNormalModel(5000),
      logDensityGradient() {
        throw new Error('it is tried');
      },
    };
    expect(() => runFit(fitLaplace(fitRequest(many)))).toThrow('it is tried');
  });
});
