/** State and forward sensitivities as one system, for the explicit methods. */
import { type Linearisation, newLinearisation, type OdeProblem } from './ode-problem.ts';

export class CoupledSystem {
  private readonly linear: Linearisation;
  /** The states alone, for the system. */
  private readonly y: Float64Array;

  constructor(private readonly problem: OdeProblem) {
    this.linear = newLinearisation(problem.system);
    this.y = new Float64Array(problem.system.numStates);
  }

  /** The initial state and its sensitivities. */
  start(): Float64Array {
    const { y0, initial, system, numColumns } = this.problem;
    const state = new Float64Array(system.numStates * (1 + numColumns));
    state.set(y0);
    state.set(initial, y0.length);
    return state;
  }

  /** f, and J S + ∂f/∂θ for the sensitivities, into `out` from `at` on. */
  slope(t: number, state: Float64Array, out: Float64Array, at = 0): void {
    const { y } = this;
    const { system, numColumns, firstParameter } = this.problem;
    const n = system.numStates;
    for (let i = 0; i < n; i++) y[i] = state[i];
    const { f, jy, jp } = this.linear;
    if (numColumns === 0) {
      system.derivative(t, y, f);
      for (let i = 0; i < n; i++) out[at + i] = f[i];
      return;
    }
    system.linearise(t, y, this.linear);
    for (let i = 0; i < n; i++) out[at + i] = f[i];
    for (let k = 0; k < numColumns; k++) {
      const from = n * (1 + k);
      const of = k >= firstParameter ? (k - firstParameter) * n : -1;
      for (let i = 0; i < n; i++) {
        let s = of < 0 ? 0 : jp[i + of];
        let j = 0;
        for (; j + 1 < n; j += 2) {
          s += jy[i + j * n] * state[from + j];
          s += jy[i + (j + 1) * n] * state[from + j + 1];
        }
        if (j < n) s += jy[i + j * n] * state[from + j];
        out[at + from + i] = s;
      }
    }
  }
}
