/** Derivatives backwards through recorded steps: those of forward sensitivities, and of the density of whole programs. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { solveDop853, solveStiff } from '../../../src/math/ode/dop853.ts';
import { dop853 } from '../../../src/math/ode/dop853-method.ts';
import { dormandPrince } from '../../../src/math/ode/dormand-prince.ts';
import {
  newLinearisation,
  type OdeProblem,
  type OdeSystem,
} from '../../../src/math/ode/ode-problem.ts';
import { RadauRecord } from '../../../src/math/ode/radau-record.ts';
import { solveRk45 } from '../../../src/math/ode/rk45.ts';
import { RecordFull, StepRecord } from '../../../src/math/ode/step-record.ts';
import { modelOf } from '../../support/stan-program.ts';

/** By the derivatives as a whole. */
function pull(system: OdeSystem, ...[t, y, g, gy, gp]: Parameters<OdeSystem['pull']>): void {
  const { numStates: n, numParameters: m } = system;
  const linear = newLinearisation(system);
  system.linearise(t, y, linear);
  gy.fill(0);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) gy[j] += linear.jy[i + j * n] * g[i];
    for (let k = 0; k < m; k++) gp[k] += linear.jp[i + k * n] * g[i];
  }
}

/** y_i′ = θ_2i y_i (1 − y_i) − θ_2i+1 y_i y_i+1 cos t: n states and 2 n parameters. */
function competition(n: number): OdeSystem {
  const theta = (k: number) => 0.4 + 0.3 * Math.sin(1 + k);
  const next = (i: number) => (i + 1) % n;
  const system: OdeSystem = {
    numStates: n,
    numParameters: 2 * n,
    derivative(t, y, f) {
      for (let i = 0; i < n; i++) {
        const rest = theta(2 * i + 1) * y[next(i)] * Math.cos(t);
        f[i] = y[i] * (theta(2 * i) * (1 - y[i]) - rest);
      }
    },
    linearise(t, y, { f, jy, jp }) {
      system.derivative(t, y, f);
      jy.fill(0);
      jp.fill(0);
      for (let i = 0; i < n; i++) {
        const rest = theta(2 * i + 1) * y[next(i)] * Math.cos(t);
        jy[i + i * n] += theta(2 * i) * (1 - 2 * y[i]) - rest;
        jy[i + next(i) * n] -= theta(2 * i + 1) * y[i] * Math.cos(t);
        jp[i + 2 * i * n] = y[i] * (1 - y[i]);
        jp[i + (2 * i + 1) * n] = -y[i] * y[next(i)] * Math.cos(t);
      }
    },
    pull: (...args) => pull(system, ...args),
  };
  return system;
}

function problemOf(n: number, times: readonly number[], numColumns: number): OdeProblem {
  const initial = new Float64Array(n * numColumns);
  if (numColumns > 0) for (let i = 0; i < n; i++) initial[i + i * n] = 1;
  return {
    system: competition(n),
    t0: 0,
    y0: Float64Array.from({ length: n }, (_, i) => 0.2 + 0.1 * i),
    times: Float64Array.from(times),
    numColumns,
    firstParameter: n,
    initial,
    settings: { relativeTolerance: 1e-11, absoluteTolerance: 1e-11, maxSteps: 1e5 },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

const solvers = [
  ['rk45', dormandPrince, solveRk45],
  ['adams', dop853, solveDop853],
  ['bdf where nothing is stiff', dop853, solveStiff],
] as const;

describe.each(solvers)('steps of %s', (_name, method, solve) => {
  it.each([
    [1, [0.4]],
    [2, [0.1, 0.11, 0.12, 3, 9]],
    [5, [2, 2.001, 7]],
  ])('have the derivatives of forward sensitivities: %i states', (n, times) => {
    const forward: Float64Array[] = [];
    const numColumns = 3 * n;
    const plain = solve === solveRk45 ? solveRk45 : solveDop853;
    plain(problemOf(n, times, numColumns), (state) => forward.push(state.slice()));
    const record = new StepRecord(method, n);
    const states: Float64Array[] = [];
    solve(problemOf(n, times, 0), (state) => states.push(state.slice()), record);
    const outputs = Float64Array.from({ length: n * times.length }, (_, k) => Math.cos(3 * k));
    const parameters = new Float64Array(2 * n).fill(10);
    const start = record.reverse(competition(n), outputs, parameters);
    const expected = new Float64Array(numColumns);
    forward.forEach((state, k) => {
      for (let i = 0; i < n; i++) {
        expect(states[k][i]).toBeCloseTo(state[i], 8);
        for (let c = 0; c < numColumns; c++)
          expected[c] += outputs[k * n + i] * state[n + i + c * n];
      }
    });
    const found = [...start, ...parameters.map((x) => x - 10)];
    for (const [c, x] of found.entries()) expect(x).toBeCloseTo(expected[c], 7);
  });

  it('give nothing where nothing is asked for', () => {
    const record = new StepRecord(method, 2);
    solve(problemOf(2, [1, 2], 0), () => {}, record);
    const parameters = new Float64Array(4);
    expect(record.reverse(competition(2), new Float64Array(4), parameters)).toEqual(
      new Float64Array(2),
    );
    expect(parameters).toEqual(new Float64Array(4));
  });
});

describe('steps of the Radau method', () => {
  /** The same with a state that follows the first within a hundred-thousandth. */
  function stiff(n: number): OdeSystem {
    const base = competition(n);
    const rate = 1e5;
    const system: OdeSystem = {
      ...base,
      derivative(t, y, f) {
        base.derivative(t, y, f);
        f[n - 1] = rate * (y[0] * Math.cos(t) - y[n - 1]);
      },
      linearise(t, y, linear) {
        base.linearise(t, y, linear);
        system.derivative(t, y, linear.f);
        const { jy, jp } = linear;
        for (let j = 0; j < n; j++) jy[n - 1 + j * n] = 0;
        jy[n - 1] = rate * Math.cos(t);
        jy[n - 1 + (n - 1) * n] = -rate;
        for (let k = 0; k < 2 * n; k++) jp[n - 1 + k * n] = 0;
      },
      pull: (...args) => pull(system, ...args),
    };
    return system;
  }

  it.each([
    [2, [0.1, 1, 4]],
    [4, [0.5, 0.50001, 3]],
  ])('have the derivatives of forward sensitivities: %i states', (n, times) => {
    const numColumns = 3 * n;
    const settings = { relativeTolerance: 1e-9, absoluteTolerance: 1e-9, maxSteps: 1e5 };
    const problem = (columns: number) => ({
      ...problemOf(n, times, columns),
      system: stiff(n),
      settings,
    });
    const forward: Float64Array[] = [];
    solveStiff(problem(numColumns), (state) => forward.push(state.slice()));
    const record = new StepRecord(dop853, n);
    solveStiff(problem(0), () => {}, record);
    expect(record.rest).not.toBeNull();
    const outputs = Float64Array.from({ length: n * times.length }, (_, k) => Math.cos(3 * k));
    const parameters = new Float64Array(2 * n);
    const found = [...record.reverse(stiff(n), outputs, parameters), ...parameters];
    for (let c = 0; c < numColumns; c++) {
      let expected = 0;
      forward.forEach((state, k) => {
        for (let i = 0; i < n; i++) expected += outputs[k * n + i] * state[n + i + c * n];
      });
      expect(found[c]).toBeCloseTo(expected, 6);
    }
  });
});

it('a record is bounded', () => {
  const record = new StepRecord(dop853, 1000);
  const state = new Float64Array(1000);
  expect(() => {
    for (let k = 0; k < 1000; k++) record.addStep(k, 1, state);
  }).toThrow(RecordFull);
  const implicit = new RadauRecord(0);
  expect(() => {
    for (let k = 0; k < 3000; k++) implicit.addStep(k, 1, state, state);
  }).toThrow(RecordFull);
});

/** Gradients of programs whose systems are large enough to be taken backwards, by central differences. */
describe('programs with many sensitivities', () => {
  const indexes = [1, 2, 3, 4, 5, 6];
  const functions = {
    // written out by the compiler
    scalars: `vector f(real t, vector y, vector p, vector q, vector r) {
      vector[6] d;
      ${indexes.map((i) => `d[${i}] = p[${i}] * y[${i}] * (r[${i}] - y[${i}]) - q[${i}] * y[${i}] * y[${1 + (i % 6)}] * cos(t);`).join('\n')}
      return d;
    }`,
    // recorded on the tape
    vectors: `vector f(real t, vector y, vector p, vector q, vector r) {
      return p .* y .* (r - y) - q .* y .* reverse(y) * cos(t);
    }`,
    // falls to its slow solution within a hundredth
    stiff: `vector f(real t, vector y, vector p, vector q, vector r) {
      return -30000 * (y - p * cos(t)) - q .* y + r;
    }`,
  };
  const programOf = (form: keyof typeof functions, solver: string, more: string) => `
    functions { ${functions[form]} }
    data { array[4] real times; vector[6] start; }
    parameters { vector[6] p; vector[6] q; vector[6] r; ${more} }
    model {
      array[4] vector[6] z = ${solver};
      for (k in 1:4) target += -0.5 * dot_self(z[k] - k * 0.1) * k;
    }`;

  it.each([
    ['scalars', 'ode_rk45_tol(f, y0, 0, times, 1e-10, 1e-10, 100000, p, q, r)', 'vector[6] y0;'],
    [
      'scalars',
      'ode_rk45_tol(f, y0, t0, to_array_1d(ts), 1e-10, 1e-10, 100000, p, q, r)',
      'vector[6] y0; real<lower=-1, upper=0> t0; positive_ordered[4] ts;',
    ],
    ['scalars', 'ode_adams(f, y0, 0, times, p, q, r)', 'vector[6] y0;'],
    ['scalars', 'ode_bdf(f, start, 0, times, p, q, r)', ''],
    [
      'vectors',
      'ode_rk45_tol(f, y0, 0, times, 1e-10, 1e-10, 100000, p, q, r)',
      'vector[6] y0; vector[9] z0;',
    ],
    [
      'vectors',
      'ode_bdf(f, y0 + exp(mean(z0)), 0, times, append_row(p, z0)[1:6], q + z0[9], r)',
      'vector[6] y0; vector[9] z0;',
    ],
    ['stiff', 'ode_bdf(f, y0, 0, times, p, q, r)', 'vector[6] y0;'],
  ] as const)('%s by %s', (form, solver, more) => {
    const model = modelOf(programOf(form, solver, more), {
      times: [0.3, 0.8, 0.81, 2],
      start: [0.2, 0.3, 0.4, 0.5, 0.6, 0.7],
    });
    const theta = Float64Array.from(
      { length: model.numUnconstrained },
      (_, i) => 0.3 + 0.2 * Math.sin(i),
    );
    const gradient = new Float64Array(theta.length);
    const backwards = vi.spyOn(StepRecord.prototype, 'reverse');
    model.logDensityGradient(theta, gradient);
    expect(backwards).toHaveBeenCalledTimes(1);
    const scratch = new Float64Array(theta.length);
    for (let i = 0; i < theta.length; i++) {
      const h = 1e-4;
      const [high, low] = [h, -h].map((step) => {
        const at = theta.slice();
        at[i] += step;
        return model.logDensityGradient(at, scratch);
      });
      const difference = (high - low) / (2 * h);
      expect(Math.abs(gradient[i] - difference)).toBeLessThan(1e-5 * (1 + Math.abs(difference)));
    }
  });
});
