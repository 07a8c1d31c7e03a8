import { describe, expect, it } from 'vitest';
import type { FitSettings } from '../../../src/engine/chain-state.ts';
import { fitAdvi } from '../../../src/engine/fit/advi.ts';
import type { Model } from '../../../src/engine/model.ts';
import { normalModel, standardNormalModel } from '../../support/analytic-models.ts';
import { counted, fitRequest, runFit } from '../../support/fit-steps.ts';
import { scriptedRng } from '../../support/seeded-rng.ts';

/** One draw for each estimate, so that a script can assign each evaluation. */
const single = { gradSamples: 1, elboSamples: 1, adaptIter: 1, evalElbo: 1, tolRelObj: 0.1 };

/** One parameter, starting at 1; after the start the density takes these values and slopes in turn. */
function scripted(script: readonly (readonly [value: number, slope: number])[]): Model {
  let calls = -1;
  return {
    ...normalModel([0], [1]),
    logDensityGradient(_theta, gradient) {
      const [value, slope] = calls < 0 ? [0, 0] : script[calls];
      calls += 1;
      gradient[0] = slope;
      return value;
    },
  };
}

function fitScripted(script: readonly (readonly [number, number])[], fit: Partial<FitSettings>) {
  return runFit(
    fitAdvi(
      fitRequest(scripted(script), {
        fit: { ...single, ...fit },
        settings: { inits: { x1: 1 } },
        rng: scriptedRng([]),
      }),
    ),
  );
}

/** The last line of a fit that never moves, so that these are its ELBOs, one per iteration. */
function endOf(elbos: readonly number[], fit: Partial<FitSettings> = {}): string {
  const script = elbos.flatMap((elbo) => [
    [0, 0],
    [elbo, 0],
  ]) as [number, number][];
  const { lines } = fitScripted(script, { eta: 0, iter: elbos.length, ...fit });
  return lines[lines.length - 1];
}

describe('the convergence check of ADVI', () => {
  it('stops when the mean change of the ELBO is small', () => {
    expect(endOf([100, 115, 116.15, 0])).toBe(
      "ADVI converged after 3 iterations by the mean of the ELBO's changes; ELBO 116.15.",
    );
  });

  it('stops when the median change is small, over a tenth of the evaluations', () => {
    const three = { iter: 30 };
    const steady = [5, 5, 5, 5, 5];
    expect(endOf(steady, three)).toBe(
      "ADVI converged after 3 iterations by the median of the ELBO's changes; ELBO 5.",
    );
    // changes of 0.01, 0.5 and 0.02
    expect(endOf([100, 101, 151.5, 154.53, 0], three)).toBe(
      "ADVI converged after 4 iterations by the median of the ELBO's changes; ELBO 154.53.",
    );
  });

  it('drops changes from two evaluations ago, but no more recent ones', () => {
    // 0.3, 0.01, 0.02
    expect(endOf([100, 130, 131.3, 133.926, 0])).toMatch(/^ADVI converged after 4 /);
  });

  it('evaluates the ELBO at every eval_elbo-th iteration', () => {
    const step = [0, 0] as const;
    const script = [100, 115, 116.15].flatMap((elbo) => [step, step, [elbo, 0] as const]);
    const { steps } = fitScripted(script, { eta: 0, iter: 20, evalElbo: 2 });
    expect(steps).toHaveLength(6 + 1);
    expect(steps[6]).toMatch(/^ADVI converged after 6 /);
  });

  it('looks back over a tenth of the iterations', () => {
    // four evaluations; by the fourth the median of 0.5, 0.01 and 0.02 together with the first change is still large
    const elbos = [100, 150, 151.5, 154.53, 156.0753];
    const script = elbos.flatMap((elbo) => [[0, 0] as const, [0, 0] as const, [elbo, 0] as const]);
    const { steps } = fitScripted(script, { eta: 0, iter: 80, evalElbo: 2 });
    expect(steps.at(-1)).toMatch(/^ADVI converged after 10 iterations by the median/);
  });

  it('does not stop for changes as large as the tolerance, but stops after iter iterations', () => {
    expect(endOf([100, 150, 225], { tolRelObj: 0.5 })).toBe(
      'ADVI stopped after 3 iterations (iter) before it converged; ELBO 225.',
    );
  });

  it('reports no ELBO when none was evaluated', () => {
    const { steps } = fitScripted(
      [
        [0, 0],
        [0, 0],
      ],
      { eta: 0, iter: 2, evalElbo: 100 },
    );
    expect(steps).toEqual([
      null,
      null,
      'ADVI stopped after 2 iterations (iter) before it converged.',
    ]);
  });
});

describe('the ELBO', () => {
  /** The ELBO of one evaluation whose draws have these densities. */
  const elboOf = (...values: readonly number[]) => {
    const script = [[0, 0] as const, ...values.map((value) => [value, 0] as const)];
    return fitScripted(script, { eta: 0, iter: 1, elboSamples: values.length }).lines[0];
  };
  const none = Number.NEGATIVE_INFINITY;

  it('is the mean over draws with a density, if at least half of them have one', () => {
    expect(elboOf(1, 2, 3, 6)).toContain('ELBO 3.');
    expect(elboOf(1, none, 3, 5)).toContain('ELBO 3.');
    expect(elboOf(none, none, 3, 5)).toContain('ELBO 4.');
    expect(elboOf(none, none, none, 5)).toContain('ELBO -Infinity.');
  });
});

describe('the scale of ADVI’s steps', () => {
  /** Steps of the standard deviation only: after one step with eta its log is eta / 2, which is the entropy. */
  const adapt = (elbos: readonly number[], adaptIter = 1) => {
    const etas = [100, 10, 1, 0.1, 0.01];
    const script = elbos.flatMap((elbo, k) => [
      ...Array.from({ length: k === 0 ? 0 : adaptIter }, () => [0, 0] as const),
      [elbo - (k === 0 ? 0 : etas[k - 1] / 2), 0] as const,
    ]);
    return fitScripted([...script, [0, 0]], { eta: null, iter: 1, evalElbo: 9, adaptIter });
  };

  it('is the last before the ELBO falls', () => {
    const { steps } = adapt([0, 1, 2, 1]);
    expect(steps.slice(0, 4)).toEqual([null, null, null, 'ADVI takes eta = 10.']);
    expect(adapt([0, 2, 1]).lines[0]).toBe('ADVI takes eta = 100.');
  });

  it('is reduced until the ELBO exceeds its starting value', () => {
    expect(adapt([0, -10, -20, 1, 0.5]).lines[0]).toBe('ADVI takes eta = 1.');
    expect(adapt([0, 0, -5, 2, 1]).lines[0]).toBe('ADVI takes eta = 1.');
  });

  it('is tried for adapt_iter iterations per candidate', () => {
    const request = fitRequest(counted(normalModel([0], [1])), {
      fit: { adaptIter: 7, iter: 3, evalElbo: 9, elboSamples: 5 },
      settings: { inits: { x1: 20 } },
    });
    const { steps } = runFit(fitAdvi(request));
    const chosen = steps.findIndex((line) => line !== null);
    expect(chosen % 7).toBe(0);
    expect(chosen).toBeGreaterThanOrEqual(2 * 7);
    expect(steps).toHaveLength(chosen + 1 + 3 + 1);
  });

  it('costs no evaluations when eta is set', () => {
    const model = counted(normalModel([0], [1]));
    const fit = { eta: 1, iter: 6, gradSamples: 3, evalElbo: 2, elboSamples: 5, tolRelObj: 0 };
    runFit(fitAdvi(fitRequest(model, { fit })));
    expect(model.calls()).toBe(1 + 6 * 3 + 3 * 5);
  });
});

describe('a step of ADVI', () => {
  it('shrinks with its number and with the gradients so far', () => {
    const { fitted } = fitScripted(
      [
        [0, 2],
        [0, 4],
      ],
      { eta: 0.5, iter: 2, evalElbo: 9 },
    );
    // squares of the gradient: 4, then nine tenths of that plus a tenth of 16
    const second = (0.5 / Math.SQRT2) * (4 / (1 + Math.sqrt(0.9 * 4 + 0.1 * 16)));
    expect(fitted.mean?.[0]).toBeCloseTo(1 + 0.5 * (2 / (1 + 2)) + second, 12);
  });
});

describe('the parameters of ADVI', () => {
  const first = { eta: 1, iter: 1, gradSamples: 1, evalElbo: 9 };

  it('may number more than 5000 in a mean-field approximation', () => {
    const fit = { ...first, approximation: 'meanfield' as const };
    const { fitted } = runFit(fitAdvi(fitRequest(standardNormalModel(5001), { fit })));
    expect(fitted.mean).toHaveLength(5001);
  });

  it('may number 5000 in a full-rank approximation', () => {
    let calls = 0;
    const many: Model = {
      ...standardNormalModel(5000),
      logDensityGradient(_theta, gradient) {
        if (calls++ > 0) throw new Error('it is tried');
        gradient.fill(0);
        return 0;
      },
    };
    const fit = { approximation: 'fullrank' as const, elboSamples: 1 };
    expect(() => runFit(fitAdvi(fitRequest(many, { fit })))).toThrow('it is tried');
  });
});
