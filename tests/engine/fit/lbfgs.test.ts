import { describe, expect, it } from 'vitest';
import {
  followLbfgs,
  isCurved,
  type LbfgsSettings,
  type PathPoint,
} from '../../../src/engine/fit/lbfgs.ts';
import type { Objective } from '../../../src/engine/fit/line-search.ts';

const never: LbfgsSettings = {
  iter: 100,
  historySize: 5,
  initAlpha: 0.001,
  tolObj: 0,
  tolRelObj: 0,
  tolGrad: 0,
  tolRelGrad: 0,
  tolParam: 0,
};

/** ½ Σ a x² */
const bowl =
  (...curvatures: number[]): Objective =>
  (x, gradient) => {
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      gradient[i] = curvatures[i] * x[i];
      sum += 0.5 * curvatures[i] * x[i] ** 2;
    }
    return sum;
  };

function follow(objective: Objective, start: number[], change: Partial<LbfgsSettings> = {}) {
  const path = followLbfgs(objective, Float64Array.from(start), { ...never, ...change });
  const points: PathPoint[] = [];
  for (;;) {
    const step = path.next();
    if (step.done) return { points, end: step.value };
    points.push(step.value);
  }
}

describe('the path of L-BFGS', () => {
  it('starts at the point that is given, and reports how it came from point to point', () => {
    const { points } = follow(bowl(1, 10), [3, -1], { iter: 6 });
    expect(points.map(({ iteration }) => iteration)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([...points[0].x]).toEqual([3, -1]);
    expect(points[0].move).toBeNull();
    points.slice(1).forEach((point, n) => {
      const before = points[n];
      expect(point.value).toBeLessThan(before.value);
      expect(point.move?.s).toEqual(point.x.map((value, i) => value - before.x[i]));
      expect(point.move?.y).toEqual(point.gradient.map((value, i) => value - before.gradient[i]));
    });
  });

  it('begins with a step of init_alpha times the gradient', () => {
    const { points } = follow(bowl(1), [3], { initAlpha: 0.5, iter: 1 });
    expect(points[1].x[0]).toBe(1.5);
  });

  it('knows the curvature after a step: the next one is Newton’s', () => {
    const { points } = follow(bowl(7), [3], { initAlpha: 0.1, iter: 2 });
    expect(points[2].x[0]).toBeCloseTo(0, 14);
  });

  it('forgets what is older than its history', () => {
    const start = [1, 1, 1, 1];
    const valueAfter = (historySize: number) =>
      follow(bowl(1, 5, 20, 100), start, { historySize, iter: 12 }).end.point.value;
    expect(valueAfter(4)).not.toBe(valueAfter(1));
    expect(valueAfter(20)).not.toBe(valueAfter(1));
    expect(valueAfter(50)).toBe(valueAfter(12));
  });

  it.each<[string, Partial<LbfgsSettings>]>([
    ['the log density changes by less than tol_obj', { tolObj: 1e-3 }],
    ['the gradient is smaller than tol_grad', { tolGrad: 1e-3 }],
    ['the parameters move by less than tol_param', { tolParam: 1e-3 }],
    ['the relative change of the log density is below tol_rel_obj', { tolRelObj: 1e12 }],
    ['the relative gradient is below tol_rel_grad', { tolRelGrad: 1e12 }],
  ])('converges where %s', (reason, tolerance) => {
    const objective = bowl(1, 10, 100);
    const { points, end } = follow(objective, [3, -1, 2], tolerance);
    expect(end).toMatchObject({ isConverged: true, reason });
    expect(end.point).toBe(points.at(-1));
    const [last, before] = [points[points.length - 1], points[points.length - 2]];
    const change = before.value - last.value;
    const slope = Math.hypot(...last.gradient);
    if (tolerance.tolObj) expect(change).toBeLessThan(1e-3);
    if (tolerance.tolGrad) expect(slope).toBeLessThan(1e-3);
    if (tolerance.tolParam) expect(Math.hypot(...(last.move?.s ?? []))).toBeLessThan(1e-3);
    if (tolerance.tolRelObj) expect(change).toBeLessThan(1e12 * Number.EPSILON);
    // no sooner than that
    const earlier = points.slice(1, -1);
    earlier.forEach((point, n) => {
      if (tolerance.tolObj) expect(points[n].value - point.value).toBeGreaterThanOrEqual(1e-3);
      if (tolerance.tolGrad) expect(Math.hypot(...point.gradient)).toBeGreaterThanOrEqual(1e-3);
    });
  });

  it('measures relative changes by the density, where that is large', () => {
    const lifted: Objective = (x, gradient) => bowl(1, 10, 100)(x, gradient) + 1e9;
    const plain = follow(bowl(1, 10, 100), [3, -1, 2], { tolRelObj: 1e8 });
    const high = follow(lifted, [3, -1, 2], { tolRelObj: 1e8 });
    expect(high.points.length).toBeLessThan(plain.points.length);
    const byGradient = [bowl(1, 10, 100), lifted].map((one) =>
      follow(one, [3, -1, 2], { tolRelGrad: 1e8 }),
    );
    expect(byGradient[1].points.length).toBeLessThan(byGradient[0].points.length);
  });

  it('says when it began at the end, ran out of iterations, or found no way on', () => {
    expect(follow(bowl(1), [0], { tolGrad: 1e-8 })).toMatchObject({
      points: [{ iteration: 0 }],
      end: { isConverged: true, reason: 'the gradient is close to zero' },
    });
    expect(follow(bowl(1, 50), [1, 1], { iter: 2 }).end).toMatchObject({
      point: { iteration: 2 },
      isConverged: false,
      reason: 'it has not converged in 2 iterations (iter)',
    });
    const falling: Objective = (x, gradient) => {
      gradient[0] = 1;
      return x[0];
    };
    expect(follow(falling, [1]).end).toMatchObject({
      point: { iteration: 0 },
      isConverged: false,
      reason: 'the line search finds no maximum in this direction',
    });
  });
});

describe('a move', () => {
  const curved = (s: number[], y: number[]) =>
    isCurved({ s: Float64Array.from(s), y: Float64Array.from(y) });

  it('says something of the curvature where that is positive and not extreme', () => {
    expect(curved([1, 2], [1, 1])).toBe(true);
    expect(curved([1, 2], [-1, -1])).toBe(false);
    expect(curved([1, 0], [0, 1])).toBe(false);
    expect(curved([1e-13], [1])).toBe(false);
    expect(curved([1e-12], [1])).toBe(false);
    expect(curved([1e-11], [1])).toBe(true);
  });
});
