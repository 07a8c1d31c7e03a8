import { describe, expect, it } from 'vitest';
import {
  followLbfgs,
  isCurved,
  type LbfgsSettings,
  type Move,
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

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, one, i) => sum + one * b[i], 0);

/** −H⁻¹g with the BFGS update of the inverse Hessian written out, from the identity scaled by the last move. */
function newtonStep(gradient: Float64Array, moves: readonly (Move | null)[]): number[] {
  const places = [...gradient.keys()];
  const all = moves.filter((move) => move !== null);
  const { s: lastS, y: lastY } = all[all.length - 1];
  const scale = dot(lastS, lastY) / dot(lastY, lastY);
  let inverse = places.map((i) => places.map((j) => (i === j ? scale : 0)));
  for (const { s, y } of all) {
    const rho = 1 / dot(s, y);
    const left = places.map((i) => places.map((j) => (i === j ? 1 : 0) - rho * s[i] * y[j]));
    const product = left.map((row) =>
      places.map((j) =>
        dot(
          row,
          inverse.map((own) => own[j]),
        ),
      ),
    );
    inverse = places.map((i) => places.map((j) => dot(product[i], left[j]) + rho * s[i] * s[j]));
  }
  return places.map((i) => -dot(inverse[i], gradient));
}

describe('the path of L-BFGS', () => {
  it('starts at the given point and reports the move from point to point', () => {
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

  it.each([0.1, 0.07])(
    'knows the curvature after a step of %d, so the next step is Newton’s',
    (initAlpha) => {
      const { points } = follow(bowl(7), [3], { initAlpha, iter: 2 });
      expect(points[2].x[0]).toBeCloseTo(0, 14);
    },
  );

  it.each([5, 2])('follows −H⁻¹g, with H⁻¹ updated by the last %d moves', (historySize) => {
    const { points } = follow(bowl(1, 5, 20, 100), [1, -1, 2, 0.5], { historySize, iter: 8 });
    const unit = (v: readonly number[]) => v.map((one) => one / Math.hypot(...v));
    points.slice(1, -1).forEach((point, n) => {
      const moves = points.slice(1, n + 2).map(({ move }) => move);
      const expected = unit(newtonStep(point.gradient, moves.slice(-historySize)));
      const taken = unit([...(points[n + 2].move?.s ?? [])]);
      taken.forEach((one, i) => expect(one).toBeCloseTo(expected[i], 8));
    });
  });

  it('follows the gradient once more when the curvature misleads', () => {
    const misled = { initAlpha: 0.1, iter: 2 };
    let calls = 0;
    // the start, the first step, and then only points outside the domain for an entire search
    const objective: Objective = (x, gradient) => {
      const value = bowl(1, 10)(x, gradient);
      return calls++ < 2 || calls > 42 ? value : Number.POSITIVE_INFINITY;
    };
    const { points } = follow(objective, [3, -1], misled);
    expect(points).toHaveLength(3);
    expect(points[1].x[1]).toBe(0);
    expect(points[2].x[0]).toBeCloseTo(0.9 * points[1].x[0], 12);
    calls = 0;
    const lost: Objective = (x, gradient) => {
      const value = bowl(1, 10)(x, gradient);
      return calls++ < 2 ? value : Number.POSITIVE_INFINITY;
    };
    expect(follow(lost, [3, -1], misled).end).toMatchObject({
      point: { iteration: 1 },
      isConverged: false,
      reason: 'the line search finds no maximum in this direction',
    });
    // the second search begins at 0.1, not at 1, and ends below 1e-12 as well
    expect(calls).toBe(2 + 40 + 37);
  });

  it('learns nothing from a step without curvature', () => {
    // falls linearly up to the end of its domain
    const cut: Objective = ([x], gradient) => {
      gradient[0] = -1;
      return x < 1 ? -x : Number.POSITIVE_INFINITY;
    };
    const { end } = follow(cut, [0], { initAlpha: 0.25, iter: 1, tolRelGrad: 1e17 });
    expect(end).toMatchObject({
      isConverged: true,
      reason: expect.stringContaining('tol_rel_grad'),
    });
  });

  it('discards moves that are older than its history', () => {
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
  ])('converges when %s', (reason, tolerance) => {
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
    // not before that
    const earlier = points.slice(1, -1);
    earlier.forEach((point, n) => {
      if (tolerance.tolObj) expect(points[n].value - point.value).toBeGreaterThanOrEqual(1e-3);
      if (tolerance.tolGrad) expect(Math.hypot(...point.gradient)).toBeGreaterThanOrEqual(1e-3);
    });
  });

  it('does not converge when the tested quantity equals the tolerance', () => {
    const lost = {
      isConverged: false,
      reason: 'the line search finds no maximum in this direction',
    };
    // one step to the minimum itself: a move of 1, with gradient 0 there
    for (const change of [{ tolGrad: 0 }, { tolRelGrad: 0 }, { tolParam: 1 }])
      expect(follow(bowl(1), [1], { initAlpha: 1, ...change }).end).toMatchObject(lost);
    // the change is lost in rounding: it is 0
    const high: Objective = (x, gradient) => 1e9 + bowl(1)(x, gradient);
    for (const change of [{ tolObj: 0 }, { tolRelObj: 0 }])
      expect(follow(high, [1e-6], { initAlpha: 1, ...change }).end).toMatchObject({
        point: { iteration: 1, value: 1e9 },
        ...lost,
      });
    const first = follow(bowl(1), [2], { tolGrad: 2, iter: 1 });
    expect(first.points).toHaveLength(2);
  });

  it('measures changes relative to the density when that is large', () => {
    const lifted: Objective = (x, gradient) => bowl(1, 10, 100)(x, gradient) + 1e9;
    const plain = follow(bowl(1, 10, 100), [3, -1, 2], { tolRelObj: 1e8 });
    const high = follow(lifted, [3, -1, 2], { tolRelObj: 1e8 });
    expect(high.points.length).toBeLessThan(plain.points.length);
    const byGradient = [bowl(1, 10, 100), lifted].map((one) =>
      follow(one, [3, -1, 2], { tolRelGrad: 1e8 }),
    );
    expect(byGradient[1].points.length).toBeLessThan(byGradient[0].points.length);
  });

  it('reports a start at the optimum, the iteration limit, or a failed line search', () => {
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

  it('provides curvature only if that is positive and not extreme', () => {
    expect(curved([1, 2], [1, 1])).toBe(true);
    expect(curved([1, 2], [-1, -1])).toBe(false);
    expect(curved([1, 0], [0, 1])).toBe(false);
    expect(curved([1e-13], [1])).toBe(false);
    expect(curved([1e-12], [1])).toBe(false);
    expect(curved([1e-11], [1])).toBe(true);
  });
});
