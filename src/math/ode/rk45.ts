/**
 * Non-stiff solver: the explicit Runge–Kutta pair of orders 5 and 4 of Dormand & Prince (1980), with the step control of
 * Boost's odeint, which Stan uses. State and forward sensitivities are one coupled system under one error control.
 */
import { DomainError } from '../errors.ts';
import { newLinearisation, type OdeProblem, type OdeSolution } from './ode-problem.ts';

/** Dormand & Prince (1980), table 2: nodes, stage weights (the last row is the fifth order solution), error weights. */
const nodes = [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1];
const stages = [
  [],
  [1 / 5],
  [3 / 40, 9 / 40],
  [44 / 45, -56 / 15, 32 / 9],
  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
  [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
];
const errorWeights = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40];

/** Stan's first step. */
const initialStep = 0.1;

export function solveRk45(problem: OdeProblem): OdeSolution {
  const { t0, times } = problem;
  const integrator = new Integrator(problem);
  let t = t0;
  return Array.from(times, (end) => {
    integrator.advance(t, end);
    t = end;
    return integrator.state.slice();
  });
}

class Integrator {
  state: Float64Array;
  private trial: Float64Array;
  private readonly slopes: Float64Array[];
  private readonly linear;
  private step = initialStep;
  private hasFirstSlope = false;

  constructor(private readonly problem: OdeProblem) {
    const { system, y0, initial, numColumns } = problem;
    const size = system.numStates * (1 + numColumns);
    this.state = new Float64Array(size);
    this.state.set(y0);
    this.state.set(initial, y0.length);
    this.trial = new Float64Array(size);
    this.slopes = Array.from({ length: 7 }, () => new Float64Array(size));
    this.linear = newLinearisation(system);
  }

  /** Steps from `t` to exactly `end`. */
  advance(t: number, end: number): void {
    const { maxSteps } = this.problem.settings;
    for (let count = 0; t < end; count++) {
      if (count >= maxSteps) {
        throw new DomainError(
          `ode_rk45: Failed to integrate to next output time (${end}) in less than max_num_steps steps`,
        );
      }
      // a last step that would leave a sliver behind is stretched or cut to end there
      const isLast = t + 1.0000001 * this.step >= end;
      const h = isLast ? end - t : this.step;
      if (!(h > 1e-14 * Math.max(1e-10, Math.abs(t)))) {
        throw new DomainError(`ode_rk45: step size became too small at time ${t}`);
      }
      const error = this.attempt(t, h);
      if (error > 1 || Number.isNaN(error)) {
        // odeint: the error estimate has order 4, so its third root; at most a fifth
        this.step = h * (Number.isNaN(error) ? 0.2 : Math.max(0.9 * error ** (-1 / 3), 0.2));
        continue;
      }
      t = isLast ? end : t + h;
      this.accept();
      const grown = error < 0.5 ? h * 0.9 * Math.max(error, 5 ** -5) ** (-1 / 5) : h;
      this.step = isLast ? Math.max(this.step, grown) : grown;
    }
  }

  /** Computes the trial state; returns the error in units of the tolerance. */
  private attempt(t: number, h: number): number {
    const { state, slopes } = this;
    const { relativeTolerance, absoluteTolerance } = this.problem.settings;
    if (!this.hasFirstSlope) {
      this.slope(t, state, slopes[0]);
      this.hasFirstSlope = true;
    }
    const size = state.length;
    for (let s = 1; s < 7; s++) {
      const weights = stages[s];
      this.trial.set(state);
      for (let k = 0; k < s; k++) {
        const w = h * weights[k];
        if (w === 0) continue;
        for (let i = 0; i < size; i++) this.trial[i] += w * slopes[k][i];
      }
      this.slope(t + nodes[s] * h, this.trial, slopes[s]);
    }
    let worst = 0;
    for (let i = 0; i < size; i++) {
      let e = 0;
      for (let k = 0; k < 7; k++) e += errorWeights[k] * slopes[k][i];
      const scale =
        absoluteTolerance + relativeTolerance * (Math.abs(state[i]) + Math.abs(h * slopes[0][i]));
      const ratio = Math.abs(h * e) / scale;
      if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
  }

  /** The last slope of an accepted step is the first of the next. */
  private accept(): void {
    const { state, slopes } = this;
    this.state = this.trial;
    this.trial = state;
    const first = slopes[0];
    slopes[0] = slopes[6];
    slopes[6] = first;
  }

  /** f, and J S + ∂f/∂θ for the sensitivities. */
  private slope(t: number, state: Float64Array, out: Float64Array): void {
    const { system, numColumns, firstParameter } = this.problem;
    const n = system.numStates;
    const y = state.subarray(0, n);
    if (numColumns === 0) {
      system.derivative(t, y, out);
      return;
    }
    const { f, jy, jp } = this.linear;
    system.linearise(t, y, this.linear);
    out.set(f);
    for (let k = 0; k < numColumns; k++) {
      const from = n * (1 + k);
      for (let i = 0; i < n; i++) {
        let s = k >= firstParameter ? jp[i + (k - firstParameter) * n] : 0;
        for (let j = 0; j < n; j++) s += jy[i + j * n] * state[from + j];
        out[from + i] = s;
      }
    }
  }
}
