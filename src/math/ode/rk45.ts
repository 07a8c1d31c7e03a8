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

/** For the continuous extension (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.6). */
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

/** Steps are as long as the tolerance allows; output times within a step are read off its continuous extension. */
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
  /**
   * Slopes of the seven stages, in one array. With weights read by name rather than by an iterator, and pairs
   * of terms in `CoupledSystem`, lotka_volterra took 134 µs per gradient instead of 149 (best of several rounds).
   */
  private readonly slopes: Float64Array;
  /** Where the first and last of them begin: the last of an accepted step is the first of the next. */
  private first = 0;
  private last: number;
  private readonly coupled: CoupledSystem;
  /** Time of `state`. */
  private t: number;
  /** Length of the step that led to `state`: 0 before the first. */
  private lastStep = 0;
  /** Whether `slopes` are those of that step. */
  private isAccepted = false;
  private step = initialStep;

  constructor(private readonly problem: OdeProblem) {
    this.coupled = new CoupledSystem(problem);
    this.t = problem.t0;
    this.state = this.coupled.start();
    const size = this.state.length;
    this.trial = new Float64Array(size);
    this.before = new Float64Array(size);
    this.slopes = new Float64Array(7 * size);
    this.last = 6 * size;
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
    // a last step that would leave only a sliver is stretched or cut to end there
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
    const { state, slopes, coupled } = this;
    this.takeFirstSlope(t);
    for (let s = 1; s < 7; s++) {
      this.combine(s, h);
      const to = s < 6 ? s * state.length : this.last;
      coupled.slope(t + nodes[s] * h, this.trial, slopes, to);
    }
    return this.error(h);
  }

  /** The trial state y + h Σ_k a_sk slope_k: where the slope of stage `s` is taken. */
  private combine(s: number, h: number): void {
    const { state: y, trial: out, slopes: k, first: k1 } = this;
    const n = y.length;
    const a = stages[s];
    const a1 = h * a[0];
    // values left by a later stage may be NaN, so they are not read even for a weight of 0
    if (s === 1) {
      for (let i = 0; i < n; i++) out[i] = y[i] + a1 * k[k1 + i];
      return;
    }
    const k3 = 2 * n;
    const k4 = 3 * n;
    const k5 = 4 * n;
    const k6 = 5 * n;
    const a2 = h * a[1];
    if (s === 2) {
      for (let i = 0; i < n; i++) out[i] = y[i] + (a1 * k[k1 + i] + a2 * k[n + i]);
      return;
    }
    const a3 = h * a[2];
    if (s === 3) {
      for (let i = 0; i < n; i++) {
        out[i] = y[i] + (a1 * k[k1 + i] + a2 * k[n + i] + a3 * k[k3 + i]);
      }
      return;
    }
    const a4 = h * a[3];
    if (s === 4) {
      for (let i = 0; i < n; i++) {
        out[i] = y[i] + (a1 * k[k1 + i] + a2 * k[n + i] + a3 * k[k3 + i]) + a4 * k[k4 + i];
      }
      return;
    }
    const a5 = h * a[4];
    if (s === 5) {
      for (let i = 0; i < n; i++) {
        const sum = y[i] + (a1 * k[k1 + i] + a2 * k[n + i] + a3 * k[k3 + i]) + a4 * k[k4 + i];
        out[i] = sum + a5 * k[k5 + i];
      }
      return;
    }
    // the last stage does not use the second
    const a6 = h * a[5];
    for (let i = 0; i < n; i++) {
      const sum = y[i] + (a1 * k[k1 + i] + a3 * k[k3 + i]) + a4 * k[k4 + i];
      out[i] = sum + a5 * k[k5 + i] + a6 * k[k6 + i];
    }
  }

  /** How far apart the two orders are, in units of the tolerance. */
  private error(h: number): number {
    const { state, slopes: k, first: k1, last: k7 } = this;
    const { relativeTolerance, absoluteTolerance } = this.problem.settings;
    const n = state.length;
    const k3 = 2 * n;
    const k4 = 3 * n;
    const k5 = 4 * n;
    const k6 = 5 * n;
    const { 0: e1, 2: e3, 3: e4, 4: e5, 5: e6, 6: e7 } = errorWeights;
    let worst = 0;
    for (let i = 0; i < n; i++) {
      const slope = k[k1 + i];
      const upper = e1 * slope + e3 * k[k3 + i] + e4 * k[k4 + i];
      const e = upper + e5 * k[k5 + i] + e6 * k[k6 + i] + e7 * k[k7 + i];
      const scale =
        absoluteTolerance + relativeTolerance * (Math.abs(state[i]) + Math.abs(h * slope));
      const ratio = Math.abs(h * e) / scale;
      if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
  }

  private takeFirstSlope(t: number): void {
    if (this.isAccepted) {
      const { first } = this;
      this.first = this.last;
      this.last = first;
      this.isAccepted = false;
    } else if (this.lastStep === 0) {
      this.coupled.slope(t, this.state, this.slopes, this.first);
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
    const { slopes: k, first: k1, last: k7 } = this;
    const n = state.length;
    const k3 = 2 * n;
    const k4 = 3 * n;
    const k5 = 4 * n;
    const k6 = 5 * n;
    const { 0: d1, 2: d3, 3: d4, 4: d5, 5: d6, 6: d7 } = denseWeights;
    const x = 1 - (this.t - time) / h;
    const rest = 1 - x;
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      const change = state[i] - before[i];
      const bend = h * k[k1 + i] - change;
      const next = change - h * k[k7 + i] - bend;
      const upper = d1 * k[k1 + i] + d3 * k[k3 + i] + d4 * k[k4 + i];
      const last = h * (upper + d5 * k[k5 + i] + d6 * k[k6 + i] + d7 * k[k7 + i]);
      out[i] = before[i] + x * (change + rest * (bend + x * (next + rest * last)));
    }
    return out;
  }
}
