import { describe, expect, it } from 'vitest';
import { ActiveVector, slotAt } from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import { DomainError } from '../../../src/math/errors.ts';
import { solversPart } from '../../../src/math/library/families/solvers.ts';

/** y1' = θ1 y1 − θ2 y1 y2, y2' = −θ3 y2 + θ4 y1 y2 + shift t (Lotka–Volterra with a forcing that uses t). */
const predatorPrey = {
  handed: ['V', 'r'],
  data: (t: number, y: Float64Array, p: Float64Array, shift: number) =>
    Float64Array.of(
      p[0] * y[0] - p[1] * y[0] * y[1],
      -p[2] * y[1] + p[3] * y[0] * y[1] + shift * t,
    ),
  active(tape: Tape, t: number, y: ActiveVector, p: ActiveVector, shift: number) {
    const value = (x: ActiveVector, i: number) => tape.value[slotAt(x, i)];
    const [a, b] = [value(y, 0), value(y, 1)];
    const [p1, p2, p3, p4] = [0, 1, 2, 3].map((i) => value(p, i));
    const row = (x: number, edges: readonly (readonly [number, number])[]) => {
      tape.reserveEdges(edges.length);
      for (const [k, [slot, d]] of edges.entries()) {
        tape.edgeSlot[tape.numEdges + k] = slot;
        tape.edgePartial[tape.numEdges + k] = d;
      }
      return tape.endRow(x, edges.length);
    };
    const first = row(p1 * a - p2 * a * b, [
      [slotAt(y, 0), p1 - p2 * b],
      [slotAt(y, 1), -p2 * a],
      [slotAt(p, 0), a],
      [slotAt(p, 1), -a * b],
    ]);
    row(-p3 * b + p4 * a * b + shift * t, [
      [slotAt(y, 0), p4 * b],
      [slotAt(y, 1), p4 * a - p3],
      [slotAt(p, 2), -b],
      [slotAt(p, 3), a * b],
    ]);
    return new ActiveVector(2, first);
  },
};

const times = Float64Array.of(0.7, 2, 5.5);
/** y0, then θ, then t0. */
const theta0 = Float64Array.of(1.2, 0.8, 0.6, 0.9, 0.4, 0.3, 0.1);

/** A fixed combination of the solution at `theta` and its gradient; everything in theta is active. */
function solve(name: string, theta: Float64Array, tolerances: readonly number[]) {
  const tape = new Tape();
  tape.reset(theta);
  const y = solversPart[name](
    tape,
    'VvRrrrVr',
    predatorPrey,
    new ActiveVector(2, 1),
    7,
    times,
    ...tolerances,
    new ActiveVector(4, 3),
    0.05,
  ) as ActiveVector[];
  const slots = y.flatMap((state) => [slotAt(state, 0), slotAt(state, 1)]);
  tape.reserveEdges(slots.length);
  let total = 0;
  for (const [k, slot] of slots.entries()) {
    tape.edgeSlot[tape.numEdges + k] = slot;
    tape.edgePartial[tape.numEdges + k] = k + 1;
    total += (k + 1) * tape.value[slot];
  }
  const gradient = new Float64Array(theta.length);
  tape.sweep(tape.endRow(total, slots.length), gradient);
  return { total, gradient };
}

describe.each(['ode_rk45_tol', 'ode_bdf_tol', 'ode_adams_tol'])('%s', (name) => {
  const tight = [1e-10, 1e-10, 1e6];

  it('has the sensitivities of its solution', () => {
    const { gradient } = solve(name, theta0, tight);
    for (let i = 0; i < theta0.length; i++) {
      const h = 1e-4;
      const high = theta0.slice();
      const low = theta0.slice();
      high[i] += h;
      low[i] -= h;
      const difference = (solve(name, high, tight).total - solve(name, low, tight).total) / (2 * h);
      expect(Math.abs(gradient[i] - difference)).toBeLessThan(2e-6 * (1 + Math.abs(difference)));
    }
  });

  it('refuses tolerances that are not positive and times out of order', () => {
    expect(() => solve(name, theta0, [-1, 1e-6, 1e6])).toThrow(DomainError);
    const call = (ts: Float64Array) =>
      solversPart[name](
        null,
        'RrRrrrRr',
        predatorPrey,
        Float64Array.of(1, 1),
        0,
        ts,
        1e-6,
        1e-6,
        1e5,
        Float64Array.of(1, 1, 1, 1),
        0,
      );
    expect(() => call(Float64Array.of(1, 1))).toThrow(DomainError);
    expect(() => call(Float64Array.of(-1, 1))).toThrow(DomainError);
  });

  it('stops after max_num_steps', () => {
    expect(() => solve(name, theta0, [1e-10, 1e-10, 2])).toThrow(/max_num_steps/);
  });
});

describe('the two solvers', () => {
  it('agree with each other', () => {
    const a = solve('ode_rk45_tol', theta0, [1e-11, 1e-11, 1e6]);
    const b = solve('ode_bdf_tol', theta0, [1e-11, 1e-11, 1e6]);
    expect(a.total).toBeCloseTo(b.total, 7);
    for (const [i, g] of a.gradient.entries()) expect(g).toBeCloseTo(b.gradient[i], 5);
  });

  it('agree with the data form', () => {
    const plain = solversPart.ode_rk45_tol(
      null,
      'RrRrrrRr',
      predatorPrey,
      theta0.slice(0, 2),
      theta0[6],
      times,
      1e-10,
      1e-10,
      1e6,
      theta0.slice(2, 6),
      0.05,
    ) as Float64Array[];
    const total = plain.flatMap((y) => [y[0], y[1]]).reduce((s, x, k) => s + (k + 1) * x, 0);
    expect(total).toBeCloseTo(solve('ode_rk45_tol', theta0, [1e-10, 1e-10, 1e6]).total, 6);
  });
});

describe('known solutions', () => {
  const decay = {
    handed: ['r'],
    data: (_t: number, y: Float64Array, rate: number) => Float64Array.of(-rate * y[0]),
    active(tape: Tape, _t: number, y: ActiveVector, rate: number) {
      const slot = slotAt(y, 0);
      return new ActiveVector(1, tape.row1(-rate * tape.value[slot], slot, -rate));
    },
  };

  it.each(['ode_rk45', 'ode_bdf', 'integrate_ode_rk45', 'integrate_ode_bdf', 'integrate_ode'])(
    '%s decays exponentially within its default tolerance',
    (name) => {
      const [y] = solversPart[name](
        null,
        'RrRr',
        decay,
        Float64Array.of(2),
        0,
        Float64Array.of(3),
        0.7,
      ) as Float64Array[];
      expect(y[0]).toBeCloseTo(2 * Math.exp(-2.1), name.endsWith('bdf') ? 8 : 5);
    },
  );

  it('need no more steps for a thousand output times than for one, at the same accuracy', () => {
    let calls = 0;
    const counted = {
      ...decay,
      data: (t: number, y: Float64Array, rate: number) => {
        calls++;
        return decay.data(t, y, rate);
      },
    };
    const solved = (times: Float64Array) => {
      calls = 0;
      const args = [Float64Array.of(2), 0, times, 1e-9, 1e-9, 1e6, 0.7];
      const states = solversPart.ode_rk45_tol(null, 'RrRrrrr', counted, ...args);
      return { states: states as Float64Array[], calls };
    };
    const times = Float64Array.from({ length: 1000 }, (_, i) => (i + 1) / 250);
    const [last, all] = [solved(times.slice(-1)), solved(times)];
    expect(all.calls).toBe(last.calls);
    expect(all.states[999][0]).toBe(last.states[0][0]);
    for (const [i, t] of times.entries()) {
      expect(Math.abs(all.states[i][0] - 2 * Math.exp(-0.7 * t))).toBeLessThan(2e-8);
    }
  });

  it.each(['ode_adams_tol', 'ode_bdf_tol'])(
    '%s takes long steps for small tolerances, and is as exact between them',
    (name) => {
      let calls = 0;
      const counted = {
        ...decay,
        data: (t: number, y: Float64Array, rate: number) => {
          calls++;
          return decay.data(t, y, rate);
        },
      };
      const times = Float64Array.from({ length: 200 }, (_, i) => (i + 1) / 50);
      const args = [Float64Array.of(2), 0, times, 1e-11, 1e-11, 1e6, 0.7];
      const states = solversPart[name](null, 'RrRrrrr', counted, ...args) as Float64Array[];
      for (const [i, t] of times.entries()) {
        expect(Math.abs(states[i][0] - 2 * Math.exp(-0.7 * t))).toBeLessThan(5e-11);
      }
      // order 5 needs more than a thousand for the same accuracy
      expect(calls).toBeLessThan(300);
    },
  );

  describe('an oscillation that becomes stiff', () => {
    // Van der Pol: the slow branches of the limit cycle are stiff, the jumps between them are not
    let calls = 0;
    const oscillator = (kind: 'r' | 'v') => ({
      handed: [kind],
      data: (_t: number, y: Float64Array, mu: number) => {
        calls++;
        return Float64Array.of(y[1], mu * (1 - y[0] * y[0]) * y[1] - y[0]);
      },
      active(tape: Tape, t: number, y: ActiveVector, mu: number) {
        const [a, b] = [slotAt(y, 0), slotAt(y, 1)];
        const [u, v] = [tape.value[a], tape.value[b]];
        const m = kind === 'v' ? tape.value[mu] : mu;
        const f = this.data(t, Float64Array.of(u, v), m);
        const edges = [
          [a, -2 * m * u * v - 1],
          [b, m * (1 - u * u)],
        ];
        if (kind === 'v') edges.push([mu, (1 - u * u) * v]);
        const first = tape.row1(f[0], b, 1);
        tape.reserveEdges(3);
        for (const [k, [slot, d]] of edges.entries()) {
          tape.edgeSlot[tape.numEdges + k] = slot;
          tape.edgePartial[tape.numEdges + k] = d;
        }
        tape.endRow(f[1], edges.length);
        return new ActiveVector(2, first);
      },
    });
    const leading = [Float64Array.of(2, 0), 0, Float64Array.of(700), 1e-9, 1e-9, 1e5];
    const end = (mu: number) => {
      const states = solversPart.ode_bdf_tol(null, 'RrRrrrr', oscillator('r'), ...leading, mu);
      return (states as Float64Array[])[0][0];
    };

    it('is solved with implicit steps from then on', () => {
      calls = 0;
      // scipy 1.17, solve_ivp with Radau and tolerances of 1e-12
      expect(end(1000)).toBeCloseTo(1.3428917312897568, 7);
      expect(calls).toBeLessThan(10_000);
    });

    it('has the correct derivative', () => {
      const tape = new Tape();
      tape.reset(Float64Array.of(1000));
      const states = solversPart.ode_bdf_tol(tape, 'RrRrrrv', oscillator('v'), ...leading, 1);
      const gradient = new Float64Array(1);
      tape.sweep(slotAt((states as ActiveVector[])[0], 0), gradient);
      const difference = (end(1001) - end(999)) / 2;
      expect(Math.abs(gradient[0] / difference - 1)).toBeLessThan(1e-3);
    });
  });

  it('reads tolerances at the end in the old form', () => {
    const [y] = solversPart.integrate_ode_rk45(
      null,
      'RrRrrri',
      decay,
      Float64Array.of(2),
      0,
      Float64Array.of(3),
      0.7,
      1e-12,
      1e-12,
      1e6,
    ) as Float64Array[];
    expect(y[0]).toBeCloseTo(2 * Math.exp(-2.1), 11);
  });

  it('solves a stiff equation in few steps', () => {
    // y' = −λ (y − cos t): after the transient y ≈ cos t; λ = 10⁶ would need millions of explicit steps
    const stiff = {
      handed: ['r'],
      data: (t: number, y: Float64Array, l: number) => Float64Array.of(-l * (y[0] - Math.cos(t))),
      active(tape: Tape, t: number, y: ActiveVector, l: number) {
        const slot = slotAt(y, 0);
        return new ActiveVector(1, tape.row1(-l * (tape.value[slot] - Math.cos(t)), slot, -l));
      },
    };
    const [y] = solversPart.ode_bdf_tol(
      null,
      'RrRrrrr',
      stiff,
      Float64Array.of(0),
      0,
      Float64Array.of(2),
      1e-8,
      1e-8,
      500,
      1e6,
    ) as Float64Array[];
    // the exact slow solution is (λ² cos t + λ sin t)/(1 + λ²)
    expect(y[0]).toBeCloseTo((1e12 * Math.cos(2) + 1e6 * Math.sin(2)) / (1 + 1e12), 8);
  });

  it('solves Robertson’s chemical kinetics', () => {
    const robertson = {
      handed: [] as string[],
      data: (_t: number, y: Float64Array) => {
        const slow = 0.04 * y[0];
        const back = 1e4 * y[1] * y[2];
        const fast = 3e7 * y[1] * y[1];
        return Float64Array.of(-slow + back, slow - back - fast, fast);
      },
      active(tape: Tape, t: number, y: ActiveVector) {
        const v = [0, 1, 2].map((i) => tape.value[slotAt(y, i)]);
        const f = this.data(t, Float64Array.from(v));
        const jacobian = [
          [-0.04, 1e4 * v[2], 1e4 * v[1]],
          [0.04, -1e4 * v[2] - 6e7 * v[1], -1e4 * v[1]],
          [0, 6e7 * v[1], 0],
        ];
        const first = tape.numSlots;
        for (let i = 0; i < 3; i++) {
          tape.reserveEdges(3);
          for (let j = 0; j < 3; j++) {
            tape.edgeSlot[tape.numEdges + j] = slotAt(y, j);
            tape.edgePartial[tape.numEdges + j] = jacobian[i][j];
          }
          tape.endRow(f[i], 3);
        }
        return new ActiveVector(3, first);
      },
    };
    const [, y] = solversPart.ode_bdf_tol(
      null,
      'RrRrrr',
      robertson,
      Float64Array.of(1, 0, 0),
      0,
      Float64Array.of(0.4, 40),
      1e-9,
      1e-12,
      1e4,
    ) as Float64Array[];
    // at t = 40: Hindmarsh & Byrne's values as printed in CVODE's documentation (cvRoberts_dns)
    expect(y[0]).toBeCloseTo(7.158e-1, 4);
    expect(y[1] * 1e6).toBeCloseTo(9.185, 2);
    expect(y[2]).toBeCloseTo(2.842e-1, 4);
    expect(y[0] + y[1] + y[2]).toBeCloseTo(1, 10);
  });
});
