import { describe, expect, it } from 'vitest';
import { fitSettings } from '../../../src/engine/chain-settings.ts';
import { createLogDensity } from '../../../src/engine/fit/fit.ts';
import { followPath } from '../../../src/engine/fit/pathfinder.ts';
import { pathfinderStart } from '../../../src/engine/fit/pathfinder-start.ts';
import { createPhasePoint, type PhasePoint } from '../../../src/engine/hmc/phase-point.ts';
import type { Model } from '../../../src/engine/model.ts';
import { openStream } from '../../../src/engine/random-streams.ts';
import { defaultSettings } from '../../../src/engine/settings.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { analyticModel, normalModel } from '../../support/analytic-models.ts';
import { counted } from '../../support/fit-steps.ts';
import { chainSettings } from '../../support/run-model.ts';

function pointAt(...q: number[]): PhasePoint {
  const point = createPhasePoint(q.length);
  point.q.set(q);
  return point;
}

/** A start with `startPaths` paths from the first of `points`, then the next; `asked`: how many more were requested. */
function startFrom(
  model: Model,
  points: readonly PhasePoint[],
  { startPaths = 1, chain = 1 } = {},
) {
  const next = points.values();
  let asked = -1;
  const nextStart = () => {
    asked += 1;
    return next.next().value ?? null;
  };
  const start = nextStart() ?? createPhasePoint(0);
  const settings = { ...chainSettings, startPaths };
  const found = pathfinderStart({ model, start, nextStart, settings, chain });
  return { q: found && [...found.q], found, asked };
}

/** Normal around 5 above 0, falling forever below 0: from there L-BFGS gets nowhere. */
const halfLost = analyticModel({
  names: ['x'],
  density([x], gradient) {
    gradient[0] = x > 0 ? 5 - x : -1;
    return x > 0 ? 5 * x - 0.5 * x * x : -x;
  },
});
const lost = pointAt(-1);
const good = pointAt(4);

const model = normalModel([1, -2], [1, 3]);
const origin = pointAt(0, 0);

/** The path that the start follows, and the random stream after it. */
function firstPath(of: Model) {
  const rng = openStream(chainSettings.seed, 1, 'fit');
  const fit = { ...fitSettings(defaultSettings), iter: 1000 };
  const path = followPath(createLogDensity(of, true), new Float64Array(2), { fit, rng });
  let step = path.next();
  while (!step.done) step = path.next();
  if (step.value === null) throw new Error('no approximation');
  return { normal: step.value.normal, rng };
}

/** The model until its first path has been followed; then `after` gives the density of evaluation 1, 2, … */
function thenOther(after: (n: number, gradient: Float64Array, theta: Float64Array) => number) {
  const plain = counted(model);
  firstPath(plain);
  const count = plain.calls();
  return (paths: number) => {
    let calls = 0;
    const other: Model = {
      ...model,
      logDensityGradient(theta, gradient) {
        calls += 1;
        const value = model.logDensityGradient(theta, gradient);
        return calls > paths * count ? after(calls - paths * count, gradient, theta) : value;
      },
    };
    return { other, calls: () => calls - paths * count };
  };
}

describe('a start from one path', () => {
  it('is the next draw of its approximation, with its density', () => {
    const { normal, rng } = firstPath(model);
    const q = new Float64Array(2);
    normal.draw(rng, q);
    const { found, asked } = startFrom(counted(model), [origin]);
    const gradient = new Float64Array(2);
    expect(found).toMatchObject({ q, logDensity: model.logDensityGradient(q, gradient), gradient });
    expect(asked).toBe(0);
  });

  it('is null when the path finds none', () => {
    expect(startFrom(halfLost, [lost, good]).found).toBeNull();
  });

  it('is the first draw with a finite density and gradient among at most twenty', () => {
    const odd = thenOther((n, gradient) => {
      if (n === 1) gradient[0] = Number.NaN;
      if (n === 2) throw new DomainError('no');
      return -1;
    })(1);
    expect(startFrom(odd.other, [origin]).found).not.toBeNull();
    expect(odd.calls()).toBe(3);
    const never = thenOther(() => Number.NEGATIVE_INFINITY)(1);
    expect(startFrom(never.other, [origin]).found).toBeNull();
    expect(never.calls()).toBe(20);
  });
});

describe('a start from several paths', () => {
  it('requests only as many points as it needs', () => {
    const points = [pointAt(0, 0), pointAt(1, 1), pointAt(2, 2), pointAt(3, 3)];
    const { found, asked } = startFrom(counted(model), points, { startPaths: 3 });
    expect(found).not.toBeNull();
    expect(asked).toBe(2);
  });

  it('tries five points per path and uses what it finds', () => {
    const { q, asked } = startFrom(halfLost, [lost, good, ...Array<PhasePoint>(20).fill(lost)], {
      startPaths: 2,
    });
    expect(Math.abs((q?.[0] ?? 0) - 5)).toBeLessThan(5);
    expect(asked).toBe(10);
  });

  it('uses fewer paths when there is no other point', () => {
    expect(startFrom(halfLost, [lost, good], { startPaths: 3 }).found).not.toBeNull();
  });

  it('is one of a hundred draws of each', () => {
    // only one of the two hundred draws has a density, and that one is taken
    for (const only of [1, 100, 101, 200]) {
      let kept: number[] = [];
      const one = thenOther((n, _gradient, theta) => {
        if (n === only) kept = [...theta];
        return n === only || n > 200 ? -1 : Number.NEGATIVE_INFINITY;
      })(2);
      const { q } = startFrom(one.other, [origin, origin], { startPaths: 2 });
      expect(q).toEqual(kept);
      expect(one.calls()).toBe(200 + 1);
    }
  });

  it('weighs its draws by how well they fit', () => {
    const chains = Array.from({ length: 60 }, (_, c) => c + 1);
    const points = [pointAt(0.5), pointAt(-0.5)];
    const squares = chains.map((chain) => {
      const { q } = startFrom(normalModel([0], [1]), points, { startPaths: 2, chain });
      return (q?.[0] ?? 0) ** 2;
    });
    const variance = squares.reduce((sum, square) => sum + square, 0) / chains.length;
    expect(Math.abs(variance - 1)).toBeLessThan(0.4);
  });
});
