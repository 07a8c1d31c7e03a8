import { describe, expect, it } from 'vitest';
import { fitPathfinder } from '../../../src/engine/fit/pathfinder.ts';
import { analyticModel, normalModel } from '../../support/analytic-models.ts';
import { counted, type FitSteps, fitRequest, runFit } from '../../support/fit-steps.ts';
import { seededRng } from '../../support/seeded-rng.ts';

/** Log of the normalising constant that the model of a standard normal leaves out. */
const missing = 0.5 * Math.log(2 * Math.PI);

function draws({ fitted }: FitSteps, size: number, count: number) {
  const rng = seededRng(3);
  return Array.from({ length: count }, (_, index) => {
    const [q, statistics] = [new Float64Array(size), new Float64Array(4)];
    fitted.draw(index, rng, q, statistics);
    return { q: [...q], statistics: [...statistics] };
  });
}

describe('Pathfinder', () => {
  const fitWith = (fit: { numPaths: number; psisResample: boolean }) =>
    runFit(fitPathfinder(fitRequest(counted(normalModel([0], [1])), { fit })));

  it('logs the best ELBO of each path and the Pareto k of the weights', () => {
    const { lines } = fitWith({ numPaths: 2, psisResample: true });
    expect(lines).toEqual([
      expect.stringMatching(/^Path 1: the best ELBO, 0\.91894, at iteration \d of \d\.$/),
      expect.stringMatching(/^Path 2: the best ELBO, 0\.91894, at iteration \d of \d\.$/),
      expect.stringMatching(/^Pareto k of the importance ratios: \S+\.$/),
    ]);
  });

  it('weighs a thousand draws of each path', () => {
    const model = counted(normalModel([0], [1]));
    const fit = fitPathfinder(fitRequest(model, { fit: { numPaths: 1, psisResample: true } }));
    for (let line: unknown = null; line === null; ) line = fit.next().value;
    const before = model.calls();
    fit.next();
    expect(model.calls() - before).toBe(1000);
  });

  it('records densities, path and Pareto k with each draw', () => {
    for (const psisResample of [true, false]) {
      const found = fitWith({ numPaths: 2, psisResample });
      for (const { q, statistics } of draws(found, 1, 10)) {
        const [logQ, logP, path, k] = statistics;
        expect(logP).toBe(-0.5 * q[0] * q[0]);
        expect(logQ).toBeCloseTo(logP - missing, 8);
        expect([1, 2]).toContain(path);
        expect(found.lines.at(-1)).toContain(String(Number(k.toPrecision(5))));
      }
    }
  });

  it('resamples only from several paths, and only if requested', () => {
    const repeats = (fit: { numPaths: number; psisResample: boolean }) => {
      const values = draws(fitWith(fit), 1, 1000).map(({ q }) => q[0]);
      return values.length - new Set(values).size;
    };
    expect(repeats({ numPaths: 2, psisResample: true })).toBeGreaterThan(100);
    expect(repeats({ numPaths: 1, psisResample: true })).toBe(0);
    expect(repeats({ numPaths: 2, psisResample: false })).toBe(0);
  });

  it('otherwise draws from the paths in turn', () => {
    const found = draws(fitWith({ numPaths: 3, psisResample: false }), 1, 7);
    expect(found.map(({ statistics }) => statistics[2])).toEqual([1, 2, 3, 1, 2, 3, 1]);
  });

  it('keeps the best point of a path, which need not be the last', () => {
    // heavy tails: the curvature along the path differs from that at the mode
    const cauchy = analyticModel({
      names: ['x', 'y'],
      density(theta, gradient) {
        let sum = 0;
        theta.forEach((x, i) => {
          gradient[i] = (-2 * x) / (1 + x * x);
          sum -= Math.log1p(x * x);
        });
        return sum;
      },
    });
    const fit = { numPaths: 10, psisResample: true };
    const { lines } = runFit(fitPathfinder(fitRequest(cauchy, { fit })));
    const places = lines.slice(0, -1).map((line) => / (\d+) of (\d+)\.$/.exec(line)?.slice(1, 3));
    expect(places.some((place) => Number(place?.[0]) < Number(place?.[1]))).toBe(true);
  });

  it('rejects an approximation if one of its draws has no density', () => {
    // falls from 0 on and is zero below: half of the draws around a point lie there
    const halfLine = analyticModel({
      names: ['x'],
      density([x], gradient) {
        gradient[0] = -1;
        return x > 0 ? -x : Number.NEGATIVE_INFINITY;
      },
    });
    const fit = fitPathfinder(
      fitRequest(halfLine, { fit: { numPaths: 1 }, settings: { inits: { x: 2 } } }),
    );
    expect(() => runFit(fit)).toThrow('Pathfinder found no approximation');
  });
});
