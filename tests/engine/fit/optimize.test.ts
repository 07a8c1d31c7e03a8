import { describe, expect, it } from 'vitest';
import { fitOptimum } from '../../../src/engine/fit/optimize.ts';
import { analyticModel } from '../../support/analytic-models.ts';
import { fitRequest, runFit } from '../../support/fit-steps.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/** 3 − ½ Σ a x² */
const hill = (...curvatures: readonly number[]) =>
  analyticModel({
    names: curvatures.map((_, i) => `x${i + 1}`),
    density(theta, gradient) {
      let sum = 0;
      for (let i = 0; i < theta.length; i++) {
        gradient[i] = -curvatures[i] * theta[i];
        sum += 0.5 * curvatures[i] * theta[i] ** 2;
      }
      return 3 - sum;
    },
  });

describe('an optimum', () => {
  it('is the maximum of the density, with a log line for its start and its end', () => {
    const settings = { inits: { x1: 2 } };
    const { lines, fitted } = runFit(fitOptimum(fitRequest(hill(1), { settings })));
    expect(lines).toEqual([
      'L-BFGS iteration 0: log density 1.',
      expect.stringMatching(/^L-BFGS converged after [2-9] iterations at log density 3: the /),
    ]);
    const [q, statistics] = [new Float64Array(1), new Float64Array(2)];
    fitted.draw(0, seededRng(1), q, statistics);
    expect(q[0]).toBeCloseTo(0, 6);
    expect([...statistics]).toEqual([3, 1]);
  });

  it('is logged every hundred iterations', () => {
    const curvatures = Array.from({ length: 40 }, (_, i) => 1.5 ** i);
    const never = { tolObj: 0, tolRelObj: 0, tolGrad: 0, tolRelGrad: 0, tolParam: 0 };
    const { lines } = runFit(
      fitOptimum(fitRequest(hill(...curvatures), { fit: { ...never, iter: 210 } })),
    );
    expect(lines.map((line) => /^L-BFGS \w+ (?:after )?\d+/.exec(line)?.[0])).toEqual([
      'L-BFGS iteration 0',
      'L-BFGS iteration 100',
      'L-BFGS iteration 200',
      'L-BFGS stopped after 210',
    ]);
  });
});
