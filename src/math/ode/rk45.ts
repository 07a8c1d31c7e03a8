/**
 * Non-stiff solver: the explicit Runge–Kutta pair of orders 5 and 4 of Dormand & Prince (1980), with the step control of
 * Boost's odeint, which Stan uses. State and forward sensitivities are one coupled system under one error control.
 */
import { DomainError } from '../errors.ts';
import { CoupledSystem } from './coupled-system.ts';
import type { OdeProblem, OdeSolution } from './ode-problem.ts';

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

/** Of the continuous extension (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.6). */
const denseWeights = [
  -12715105075 / 11282082432,
  0,
  87487479700 / 32700410799,
  -10690763975 / 1880347072,
  701980252875 / 199316789632,
  -1453857185 / 822651844,
  69997945 / 29380423,
];

/** Stan's first step. */
const initialStep = 0.1;

/** Steps as long as the tolerance allows; output times within a step are read off its continuous extension. */
export function solveRk45(problem: OdeProblem): OdeSolution {
  const { times } = problem;
  const integrator = new Integrator(problem);
  const last = times[times.length - 1];
  return Array.from(times, (time) => integrator.stateAt(time, last));
}

class Integrator {
  private state: Float64Array;
  private trial: Float64Array;
  /** The state before the last step. */
  private before: Float64Array;
  private readonly slopes: Float64Array[];
  private readonly coupled: CoupledSystem;
  /** Time of `state`. */
  private t: number;
  /** Length of the step that led to `state`: 0 before the first. */
  private lastStep = 0;
  /** Whether `slopes` are those of that step, so that the last of them is the first of the next. */
  private isAccepted = false;
  private step = initialStep;

  constructor(private readonly problem: OdeProblem) {
    this.coupled = new CoupledSystem(problem);
    this.t = problem.t0;
    this.state = this.coupled.start();
    const size = this.state.length;
    this.trial = new Float64Array(size);
    this.before = new Float64Array(size);
    this.slopes = Array.from({ length: 7 }, () => new Float64Array(size));
  }

  /** State and sensitivities at `time`; no step goes beyond `last`. */
  stateAt(time: number, last: number): Float64Array {
    const { maxSteps } = this.problem.settings;
    for (let count = 0; this.t < time; count++) {
      if (count >= maxSteps) {
        throw new DomainError(
          `ode_rk45: Failed to integrate to next output time (${time}) in less than max_num_steps steps`,
        );
      }
      this.tryStep(last);
    }
    return this.t === time ? this.state.slice() : this.interpolate(time);
  }

  private tryStep(last: number): void {
    const { t } = this;
    // a last step that would leave a sliver behind is stretched or cut to end there
    const isLast = t + 1.0000001 * this.step >= last;
    const h = isLast ? last - t : this.step;
    if (!(h > 1e-14 * Math.max(1e-10, Math.abs(t)))) {
      throw new DomainError(`ode_rk45: step size became too small at time ${t}`);
    }
    const error = this.attempt(t, h);
    if (error > 1 || Number.isNaN(error)) {
      // odeint: the error estimate has order 4, so its third root; at most a fifth
      this.step = h * (Number.isNaN(error) ? 0.2 : Math.max(0.9 * error ** (-1 / 3), 0.2));
      return;
    }
    this.accept(isLast ? last : t + h, h);
    const grown = error < 0.5 ? h * 0.9 * Math.max(error, 5 ** -5) ** (-1 / 5) : h;
    this.step = isLast ? Math.max(this.step, grown) : grown;
  }

  /** Computes the trial state; returns the error in units of the tolerance. */
  private attempt(t: number, h: number): number {
    const { state, trial, slopes } = this;
    const { relativeTolerance, absoluteTolerance } = this.problem.settings;
    this.takeFirstSlope(t);
    for (let s = 1; s < 7; s++) {
      combine(trial, state, h, s, slopes);
      this.coupled.slope(t + nodes[s] * h, trial, slopes[s]);
    }
    const [k1, , k3, k4, k5, k6, k7] = slopes;
    const [e1, , e3, e4, e5, e6, e7] = errorWeights;
    let worst = 0;
    for (let i = 0; i < state.length; i++) {
      const e = e1 * k1[i] + e3 * k3[i] + e4 * k4[i] + e5 * k5[i] + e6 * k6[i] + e7 * k7[i];
      const scale =
        absoluteTolerance + relativeTolerance * (Math.abs(state[i]) + Math.abs(h * k1[i]));
      const ratio = Math.abs(h * e) / scale;
      if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
  }

  private takeFirstSlope(t: number): void {
    const { slopes } = this;
    if (this.isAccepted) {
      const first = slopes[0];
      slopes[0] = slopes[6];
      slopes[6] = first;
      this.isAccepted = false;
    } else if (this.lastStep === 0) {
      this.coupled.slope(t, this.state, slopes[0]);
    }
  }

  private accept(t: number, h: number): void {
    const { state, before } = this;
    this.state = this.trial;
    this.trial = before;
    this.before = state;
    this.t = t;
    this.lastStep = h;
    this.isAccepted = true;
  }

  /** The continuous extension of order 4, within the last step. */
  private interpolate(time: number): Float64Array {
    const { state, before, lastStep: h } = this;
    const [k1, , k3, k4, k5, k6, k7] = this.slopes;
    const [d1, , d3, d4, d5, d6, d7] = denseWeights;
    const x = 1 - (this.t - time) / h;
    const rest = 1 - x;
    const out = new Float64Array(state.length);
    for (let i = 0; i < out.length; i++) {
      const change = state[i] - before[i];
      const bend = h * k1[i] - change;
      const next = change - h * k7[i] - bend;
      const last =
        h * (d1 * k1[i] + d3 * k3[i] + d4 * k4[i] + d5 * k5[i] + d6 * k6[i] + d7 * k7[i]);
      out[i] = before[i] + x * (change + rest * (bend + x * (next + rest * last)));
    }
    return out;
  }
}

/** `out` = y + h Σ_k a_sk slope_k: where the slope of stage `s` is taken. */
function combine(
  out: Float64Array,
  y: Float64Array,
  h: number,
  s: number,
  slopes: readonly Float64Array[],
): void {
  const weights = stages[s];
  const [k1, k2, k3] = slopes;
  const n = y.length;
  const a1 = h * weights[0];
  // what a later stage left behind may not be a number, so that it is not read even for a weight of 0
  if (s === 1) {
    for (let i = 0; i < n; i++) out[i] = y[i] + a1 * k1[i];
    return;
  }
  const a2 = h * weights[1];
  if (s === 2) {
    for (let i = 0; i < n; i++) out[i] = y[i] + (a1 * k1[i] + a2 * k2[i]);
    return;
  }
  const a3 = h * weights[2];
  if (s === 3) {
    for (let i = 0; i < n; i++) out[i] = y[i] + (a1 * k1[i] + a2 * k2[i] + a3 * k3[i]);
    return;
  }
  // one pass a stage: for the short states of most systems, the loops cost more than the arithmetic
  const [, , , k4, k5, k6] = slopes;
  const a4 = h * weights[3];
  const a5 = s > 4 ? h * weights[4] : 0;
  const a6 = s > 5 ? h * weights[5] : 0;
  for (let i = 0; i < n; i++) {
    let sum = y[i] + (a1 * k1[i] + a2 * k2[i] + a3 * k3[i]) + a4 * k4[i];
    if (s > 4) sum += a5 * k5[i];
    if (s > 5) sum += a6 * k6[i];
    out[i] = sum;
  }
}
