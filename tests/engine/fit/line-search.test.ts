import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Objective, searchLine } from '../../../src/engine/fit/line-search.ts';

/** A function of one variable with its derivative. */
type Curve = (x: number) => readonly [value: number, slope: number];

function search(curve: Curve, { from = 0, direction = 1, firstStep = 1 } = {}) {
  const tried: number[] = [];
  const objective: Objective = ([x], gradient) => {
    tried.push(x);
    const [value, slope] = curve(x);
    gradient[0] = slope;
    return value;
  };
  const start = {
    x: Float64Array.of(from),
    gradient: Float64Array.of(curve(from)[1]),
    value: curve(from)[0],
  };
  const found = searchLine(objective, start, Float64Array.of(direction), firstStep);
  return { found, tried };
}

const bowl =
  (at: number, curvature = 1): Curve =>
  (x) => [0.5 * curvature * (x - at) ** 2, curvature * (x - at)];

describe('a line search', () => {
  it('accepts the first step if it suffices', () => {
    const { found, tried } = search(bowl(1));
    expect(tried).toEqual([1]);
    expect(found).toMatchObject({ step: 1, value: 0 });
    expect([...(found?.x ?? [])]).toEqual([1]);
    expect([...(found?.gradient ?? [])]).toEqual([0]);
  });

  it('multiplies the step by ten while the function falls steeply', () => {
    const { found, tried } = search(bowl(100), { firstStep: 0.01 });
    // at 10 the slope is nine tenths of what it was
    expect(tried).toEqual([0.01, 0.1, 1, 10]);
    expect(found?.step).toBe(10);
  });

  it('finds nothing uphill, on a flat function, or on one that falls without bound', () => {
    expect(search(bowl(1), { direction: -1 })).toEqual({ found: null, tried: [] });
    expect(search(bowl(0))).toEqual({ found: null, tried: [] });
    expect(search((x) => [-x, -1]).found).toBeNull();
    expect(search((x) => [-x, -1]).tried).toHaveLength(40);
  });

  it('returns from outside the domain', () => {
    const walled: Curve = (x) =>
      x < 1 ? [-Math.log(1 - x) - 4 * x, 1 / (1 - x) - 4] : [Infinity, 0];
    const { found, tried } = search(walled, { firstStep: 64 });
    expect(tried.slice(0, 7)).toEqual([64, 32, 16, 8, 4, 2, 1]);
    expect(found?.x[0]).toBeLessThan(1);
    expect(Math.abs(found?.gradient[0] ?? 9)).toBeLessThanOrEqual(0.9 * 3);
  });

  it('ends near the edge of the domain when the function falls all the way to it', () => {
    const cut: Curve = (x) => (x < 1 ? [-x, -1] : [Infinity, 0]);
    const { found } = search(cut, { firstStep: 0.25 });
    expect(found?.x[0]).toBeLessThan(1);
    expect(found?.x[0]).toBeGreaterThan(0.99);
  });

  it('meets the strong Wolfe conditions on smooth curves', () => {
    const numbers = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    fc.assert(
      fc.property(
        numbers(0.01, 50),
        numbers(0.01, 20),
        numbers(-1, 1),
        numbers(1e-4, 1e3),
        (at, curvature, wave, firstStep) => {
          const curve: Curve = (x) => {
            const [value, slope] = bowl(at, curvature)(x);
            return [
              value + wave * curvature * Math.sin(x) * 0.5,
              slope + wave * curvature * Math.cos(x) * 0.5,
            ];
          };
          const [value, slope] = curve(0);
          fc.pre(slope < 0);
          const { found } = search(curve, { firstStep });
          if (found === null) throw new Error('no step');
          const [nextValue, nextSlope] = curve(found.step);
          expect(found.value).toBe(nextValue);
          const rounding = 1e-12 * Math.max(1, Math.abs(value));
          expect(nextValue).toBeLessThanOrEqual(value + 1e-4 * found.step * slope + rounding);
          expect(Math.abs(nextSlope)).toBeLessThanOrEqual(0.9 * Math.abs(slope) + rounding);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  it('interpolates between two points at the minimum of the cubic through them', () => {
    // for a parabola the cubic is exact: one trial between start and first step
    const { tried } = search(bowl(1), { firstStep: 2.5 });
    expect(tried).toHaveLength(2);
    expect(tried[1]).toBeCloseTo(1, 12);
  });

  it('halves the interval when that minimum is close to an end', () => {
    const { tried } = search(bowl(1), { firstStep: 20 });
    expect(tried[1]).toBe(10);
  });

  it('rejects a minimum exactly one tenth of the way along', () => {
    expect(search(bowl(1), { firstStep: 10 }).tried[1]).toBe(5);
  });

  it('accepts a step whose decrease is lost in rounding', () => {
    const high: Curve = (x) => {
      const [value, slope] = bowl(1e-6)(x);
      return [1e9 + value, slope];
    };
    const { found, tried } = search(high, { firstStep: 1.5e-6 });
    expect(tried).toEqual([1.5e-6]);
    expect(found?.step).toBe(1.5e-6);
  });
});

/** Value and derivative along the line at each successive trial, wherever it is. */
type Script = readonly (readonly [value: number, slope: number])[];

const outside = [Number.POSITIVE_INFINITY, 0] as const;

/** A search from 0 whose trials follow a script; later trials are outside the domain. */
function play(script: Script, { value = 0, slope = -1, firstStep = 1 } = {}) {
  const tried: number[] = [];
  const objective: Objective = ([x], gradient) => {
    const [at, along] = script[tried.length] ?? outside;
    tried.push(x);
    gradient[0] = along;
    return at;
  };
  const start = { x: Float64Array.of(0), gradient: Float64Array.of(slope), value };
  const found = searchLine(objective, start, Float64Array.of(1), firstStep);
  return { step: found?.step, tried };
}

describe('a step', () => {
  it('that hardly decreases the function is too long', () => {
    const better = [-0.5, 0] as const;
    expect(play([[-1e-4, -0.5]]).tried).toEqual([1]);
    expect(play([[-0.5e-4, -0.5], better]).tried).toHaveLength(2);
  });

  it('that rises above the previous one is too long, even if it decreases enough', () => {
    const steep = [-0.98, -0.95] as const;
    const last = [-1.5, 0] as const;
    for (const value of [-0.98, -0.9]) {
      const { step, tried } = play([steep, [value, -0.5], last]);
      expect(tried.slice(0, 2)).toEqual([1, 10]);
      expect(step).toBe(tried[2]);
      expect(step).toBeGreaterThan(1);
      expect(step).toBeLessThan(10);
    }
  });

  it('that is still steep is followed by one ten times as long, even if rounding hides the change', () => {
    const slope = -1e-6;
    const script: Script = [
      [1e9, 0.95 * slope],
      [1e9 - 1, 0],
    ];
    expect(play(script, { value: 1e9, slope })).toEqual({ step: 10, tried: [1, 10] });
  });

  it('with a lower value and a steep rise is past the minimum', () => {
    const { step, tried } = play([
      [-0.5, 2],
      [-0.8, 0],
    ]);
    expect(step).toBe(tried[1]);
    expect(step).toBeLessThan(1);
  });

  it('is searched for at most 40 times, and not below 1e-12', () => {
    expect(play([])).toMatchObject({ step: undefined, tried: { length: 40 } });
    expect(play([], { firstStep: 1e-6 })).toMatchObject({ step: undefined, tried: { length: 20 } });
    expect(play([], { firstStep: 1e-12 }).tried).toEqual([]);
    const steps = Array.from({ length: 50 }, (_, n) => [-1 - n, -0.95] as const);
    const upToTheEnd = play([steps[0], outside, ...steps.slice(1)]);
    expect(upToTheEnd.tried).toHaveLength(40);
    expect(upToTheEnd.step).toBe(upToTheEnd.tried[39]);
  });
});

describe('a step whose change is lost in rounding', () => {
  const value = 1024;
  const slope = -2;
  const lost = 4 * Number.EPSILON * value;
  /** Number of trials until a step is accepted; the second always is. */
  const trials = (first: Script[number]) =>
    play([first, [value - 1, 0]], { value, slope }).tried.length;

  it.each<[string, Script[number], number]>([
    ['is accepted', [value + lost, 1], 1],
    ['is rejected if the change is twice as much', [value + 2 * lost, 1], 2],
    ['is accepted if it is nine tenths as steep', [value + lost, 0.9 * slope], 1],
    ['is rejected if it is steeper', [value + lost, 0.95 * slope], 2],
    [
      'is accepted if it rises as steeply, less twice the least decrease',
      [value + lost, (2 * 1e-4 - 1) * slope],
      1,
    ],
    ['is rejected if it rises more steeply', [value + lost, -0.99995 * slope], 2],
    ['is rejected if it rises much', [value + 1, 1], 2],
  ])('%s', (_, first, count) => {
    expect(trials(first)).toBe(count);
  });

  it('is also accepted between two others', () => {
    const script: Script = [
      [value + 1, 5],
      [value + lost, 1],
    ];
    expect(play(script, { value, slope }).tried).toHaveLength(2);
  });
});

describe('between two points', () => {
  const high = [5, 1] as const;
  const steep = [-0.98, -0.95] as const;

  it('a step that rises above the better one becomes the farther end', () => {
    for (const value of [-0.98, -0.5]) {
      const { step, tried } = play([steep, high, [value, 0.1], [-1.5, 0]]);
      expect(step).toBe(tried[3]);
      expect(step).toBeGreaterThan(1);
      expect(step).toBeLessThan(tried[2]);
    }
  });

  it('a step that falls steeply becomes the better end', () => {
    const { step, tried } = play([steep, high, [-1.5, -0.95], [-2, 0]]);
    expect(step).toBe(tried[3]);
    expect(step).toBeGreaterThan(tried[2]);
    expect(step).toBeLessThan(10);
  });

  it('the minimum is before a step that rises steeply', () => {
    const { step, tried } = play([steep, high, [-1.5, 2], [-2, 0]]);
    expect(step).toBe(tried[3]);
    expect(step).toBeGreaterThan(1);
    expect(step).toBeLessThan(tried[2]);
  });

  it('the minimum is beyond a step that falls when the better end is the farther one', () => {
    const { step, tried } = play([
      [-0.5, 2],
      [-0.8, -0.95],
      [-1, 0],
    ]);
    expect(step).toBe(tried[2]);
    expect(step).toBeGreaterThan(tried[1]);
    expect(step).toBeLessThan(1);
  });

  it('the cubic is measured from the better one', () => {
    // ½ (x − a)² from 1 to 10
    const parabola = (a: number): Script => [1, 10].map((x) => [0.5 * (x - a) ** 2, x - a]);
    const inside = play(parabola(4), { value: 8, slope: -3.2 });
    expect(inside.tried[2]).toBeCloseTo(4, 12);
    const closeToTheEnd = play(parabola(1.5), { value: 8, slope: -0.55 });
    expect(closeToTheEnd.tried[2]).toBe(5.5);
  });

  it('the search stops after 40 trials', () => {
    expect(play([[1, 5]], { firstStep: 1e6 })).toMatchObject({
      step: undefined,
      tried: { length: 1 + 40 },
    });
  });

  it('the search stops when they are 1e-12 apart, relative to the better one if that exceeds 1', () => {
    const few = play(
      [
        [1, 5],
        [1, 5],
        [1, 5],
      ],
      { firstStep: 2e-12 },
    );
    expect(few).toEqual({ step: undefined, tried: [2e-12, 1e-12, 0.5e-12] });
    const small = play([[-0.98e-9, -0.95], high], { firstStep: 1e-9 });
    expect(small.step).toBe(1e-9);
    expect(small.tried).toHaveLength(2 + 14);
    // towards the end of the domain at 2e6, always half the remaining distance
    const falling = Array.from({ length: 20 }, (_, n) => [-2e6 - n, -0.95] as const);
    const large = play([outside, ...falling, [1e9, 5]], { firstStep: 2e6 });
    expect(large.step).toBe(large.tried[20]);
    expect(large.tried).toHaveLength(1 + 20 + 1 + 19);
  });
});
