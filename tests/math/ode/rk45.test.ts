/** Steps in WebAssembly and in JavaScript, and what no step may leave behind. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Linearisation, OdeProblem, OdeSystem } from '../../../src/math/ode/ode-problem.ts';
import { solveRk45 } from '../../../src/math/ode/rk45.ts';

const settings = { relativeTolerance: 1e-7, absoluteTolerance: 1e-8, maxSteps: 1e4 };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Steps alone take no derivatives backwards. */
const notPulled = () => {
  throw new Error('not recorded');
};

/** Coupled logistic growth with forcing: y_i′ = y_i (a_i − Σ_j b_ij y_j) + sin(t) θ_k, θ acting on the states in turn. */
function growth(numStates: number, numParameters: number): OdeSystem {
  const a = (i: number) => 0.5 + 0.2 * Math.sin(i);
  const b = (i: number, j: number) => (i === j ? 0.6 : 0.05 * Math.cos(i + 2 * j));
  const theta = (k: number) => 0.3 / (1 + k);
  const derivative = (t: number, y: Float64Array, f: Float64Array) => {
    for (let i = 0; i < numStates; i++) {
      let total = 0;
      for (let j = 0; j < numStates; j++) total += b(i, j) * y[j];
      f[i] = y[i] * (a(i) - total);
    }
    for (let k = 0; k < numParameters; k++) f[k % numStates] += Math.sin(t) * theta(k);
  };
  return {
    numStates,
    numParameters,
    derivative,
    linearise(t, y, { f, jy, jp }: Linearisation) {
      derivative(t, y, f);
      jp.fill(0);
      for (let i = 0; i < numStates; i++) {
        let total = 0;
        for (let j = 0; j < numStates; j++) {
          total += b(i, j) * y[j];
          jy[i + j * numStates] = -y[i] * b(i, j);
        }
        jy[i + i * numStates] += a(i) - total;
      }
      for (let k = 0; k < numParameters; k++) jp[(k % numStates) + k * numStates] = Math.sin(t);
    },
    pull: notPulled,
  };
}

function problemOf(
  system: OdeSystem,
  { hasStart = false, isData = false, times = [0.3, 1, 1.7, 6] } = {},
): OdeProblem {
  const { numStates: n, numParameters: m } = system;
  const firstParameter = hasStart ? n : 0;
  const numColumns = isData ? 0 : firstParameter + m;
  const initial = new Float64Array(n * numColumns);
  for (let i = 0; i < Math.min(n, numColumns) && hasStart; i++) initial[i + i * n] = 1;
  const y0 = Float64Array.from({ length: n }, (_, i) => 0.2 + 0.1 * i);
  return {
    system,
    t0: 0,
    y0,
    times: Float64Array.from(times),
    numColumns,
    firstParameter,
    initial,
    settings,
  };
}

function statesOf(solve: typeof solveRk45, problem: OdeProblem): number[][] {
  const states: number[][] = [];
  solve(problem, (state, k) => {
    states[k] = [...state];
  });
  return states;
}

async function withoutWebAssembly(): Promise<typeof solveRk45> {
  vi.stubGlobal('WebAssembly', undefined);
  vi.resetModules();
  const { solveRk45: plain } = await import('../../../src/math/ode/rk45.ts');
  expect(plain).not.toBe(solveRk45);
  return plain;
}

describe('steps in WebAssembly', () => {
  const sizes = [1, 2, 3, 4, 5].flatMap((n) => [0, 1, 2, 7].map((m) => [n, m] as const));

  it.each(sizes)(
    'are those in JavaScript to the last bit: %i states, %i parameters',
    async (n, m) => {
      const plain = await withoutWebAssembly();
      const system = growth(n, m);
      for (const options of [{}, { hasStart: true }, { isData: true }]) {
        const problem = problemOf(system, options);
        expect(statesOf(solveRk45, problem)).toEqual(statesOf(plain, problem));
      }
    },
  );

  it('continue after a step that failed, as in JavaScript', async () => {
    const plain = await withoutWebAssembly();
    const sharp: OdeSystem = {
      ...growth(2, 0),
      derivative(t, y, f) {
        f[0] = -40 * (y[0] - Math.cos(9 * t));
        f[1] = y[0] / (0.01 + (t - 1) ** 2);
      },
    };
    const problem = problemOf(sharp, { isData: true });
    expect(statesOf(solveRk45, problem)).toEqual(statesOf(plain, problem));
  });

  it('of a system that asks for the solution of another are separate', () => {
    const inner = problemOf(growth(2, 0), { isData: true, times: [0.5] });
    const [[, expected]] = statesOf(solveRk45, inner);
    const system: OdeSystem = {
      ...growth(2, 0),
      derivative(_t, y, f) {
        const [[, found]] = statesOf(solveRk45, inner);
        f[0] = found - y[0];
        f[1] = -y[1];
      },
    };
    const [[first, second]] = statesOf(solveRk45, problemOf(system, { isData: true, times: [2] }));
    expect(first).toBeCloseTo(expected + (0.2 - expected) * Math.exp(-2), 6);
    expect(second).toBeCloseTo(0.3 * Math.exp(-2), 6);
  });

  it('can be taken again after a system that threw', () => {
    const problem = problemOf(growth(2, 1));
    const before = statesOf(solveRk45, problem);
    const failing: OdeSystem = {
      ...growth(2, 1),
      linearise() {
        throw new Error('no slope');
      },
    };
    expect(() => statesOf(solveRk45, problemOf(failing))).toThrow('no slope');
    expect(statesOf(solveRk45, problem)).toEqual(before);
  });
});

it('solves systems that do not fit into the memory of the kernels', () => {
  const n = 112;
  const decay: OdeSystem = {
    numStates: n,
    numParameters: 0,
    derivative: (_t, y, f) => f.set(y.map((x) => -x)),
    linearise(_t, y, { f, jy }) {
      f.set(y.map((x) => -x));
      jy.fill(0);
      for (let i = 0; i < n; i++) jy[i + i * n] = -1;
    },
    pull: notPulled,
  };
  const [state] = statesOf(solveRk45, problemOf(decay, { hasStart: true, times: [1] }));
  expect(state).toHaveLength(n * (1 + n));
  expect(state[n - 1]).toBeCloseTo((0.1 + 0.1 * n) * Math.exp(-1), 5);
  expect(state[n]).toBeCloseTo(Math.exp(-1), 6);
  expect(state[n + 1]).toBe(0);
});

describe('a slope that does not exist beyond a point', () => {
  /** √y₁ falls to 0 at time 1, and no step may go beyond it; y₂ knows no such limit. */
  const root: OdeSystem = {
    ...growth(2, 0),
    derivative(_t, y, f) {
      f[0] = -2 * Math.sqrt(y[0]);
      f[1] = 1;
    },
  };
  const problem = {
    ...problemOf(root, { isData: true, times: [0.999] }),
    y0: Float64Array.of(1, 0),
  };

  it('shortens the step, whichever state it is of', async () => {
    for (const solve of [solveRk45, await withoutWebAssembly()]) {
      const [[falling, rising]] = statesOf(solve, problem);
      expect(falling).toBeCloseTo(1e-6, 6);
      expect(rising).toBeCloseTo(0.999, 9);
    }
  });

  it('is an error where no step avoids it', () => {
    const beyond = { ...problem, times: Float64Array.of(1.5) };
    expect(() => statesOf(solveRk45, beyond)).toThrow('step size became too small');
  });
});
