/**
 * Non-stiff solver for small tolerances: the explicit Runge–Kutta method of order 8 with its step control and test for
 * stiffness (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, sections II.4 to II.6, and
 * Hairer & Wanner, volume II, section IV.2). State and forward sensitivities share one error control.
 */
import { DomainError } from '../errors.ts';
import { CoupledSystem } from './coupled-system.ts';
import { denseWeights, errorOfOrder3, errorOfOrder5, nodes, stages } from './dop853-method.ts';
import type { OdeProblem, VisitState } from './ode-problem.ts';
import { solveRadau } from './radau.ts';
import { RadauRecord } from './radau-record.ts';
import type { StepRecord, Weights } from './step-record.ts';

/** The h |λ| where the stability region ends, and how many steps there make a problem stiff. */
const stabilityLimit = 6.1;
const stiffSteps = 15;

/** For problems that are not stiff. */
export function solveDop853(
  problem: OdeProblem,
  visit: VisitState,
  record: StepRecord | null = null,
): void {
  const integrator = new Integrator(problem, 'ode_adams', record);
  const last = problem.times[problem.times.length - 1];
  for (const [k, time] of problem.times.entries()) {
    const state = integrator.stateAt(time, last);
    if (state === null)
      throw new DomainError(`ode_adams: step size became too small at time ${integrator.time}`);
    visit(state, k);
  }
}

/** Explicit steps while the problem is not stiff, and implicit ones from the first time at which it is. */
export function solveStiff(
  problem: OdeProblem,
  visit: VisitState,
  record: StepRecord | null = null,
): void {
  const { times, system } = problem;
  const integrator = new Integrator(problem, 'ode_bdf', record);
  const last = times[times.length - 1];
  for (const [k, time] of times.entries()) {
    const state = integrator.stateAt(time, last);
    if (state !== null) {
      visit(state, k);
      continue;
    }
    const n = system.numStates;
    const rest = {
      ...problem,
      t0: integrator.time,
      y0: integrator.state.slice(0, n),
      initial: integrator.state.slice(n),
      times: times.slice(k),
    };
    const more = record && new RadauRecord(record.numOutputs);
    if (record) record.rest = more;
    solveRadau(rest, (later, i) => visit(later, k + i), more);
    return;
  }
}

class Integrator {
  /** State and sensitivities at {@link time}. */
  state: Float64Array;
  time: number;
  /** Whether stability rather than accuracy limits the steps. */
  isStiff = false;
  private trial: Float64Array;
  /** The state before the last step. */
  private before: Float64Array;
  /** Slopes at the stages, at the end of the step, and for the continuous extension. */
  private readonly slopes: Float64Array[];
  private readonly room: Float64Array;
  private readonly coupled: CoupledSystem;
  private readonly numStates: number;
  /** Length of the step that led to `state`: 0 before the first. */
  private lastStep = 0;
  private step = 0;
  private isAfterRejection = false;
  private hasExtension = false;
  /** Whether `slopes` are those of the last step, so that the one at its end is the first of the next. */
  private isAccepted = false;
  private numStiff = 0;
  private numNotStiff = 0;

  constructor(
    private readonly problem: OdeProblem,
    private readonly name: string,
    private readonly record: StepRecord | null = null,
  ) {
    this.coupled = new CoupledSystem(problem);
    this.numStates = problem.system.numStates;
    this.time = problem.t0;
    this.state = this.coupled.start();
    const size = this.state.length;
    this.trial = new Float64Array(size);
    this.before = new Float64Array(size);
    this.room = new Float64Array(size);
    this.slopes = nodes.map(() => new Float64Array(size));
  }

  /** State and sensitivities at `time`; no step goes beyond `last`. Null if it is stiff or steps become too small. */
  stateAt(time: number, last: number): Float64Array | null {
    const { maxSteps } = this.problem.settings;
    for (let count = 0; this.time < time; count++) {
      if (count >= maxSteps) {
        throw new DomainError(
          `${this.name}: Failed to integrate to next output time (${time}) in less than max_num_steps steps`,
        );
      }
      if (this.lastStep === 0 && this.step === 0) this.step = this.firstStep(last - this.time);
      if (this.isStiff || !this.tryStep(last)) return null;
    }
    const state = this.time === time ? this.state.slice() : this.interpolate(time);
    this.record?.addOutput(this.time === time ? 1 : 1 - (this.time - time) / this.lastStep);
    return state;
  }

  private tryStep(last: number): boolean {
    const { time: t } = this;
    // a last step that would leave only a sliver is stretched or cut to end there
    const isLast = t + 1.0000001 * this.step >= last;
    const h = isLast ? last - t : this.step;
    if (!(h > 1e-14 * Math.max(1e-10, Math.abs(t)))) return false;
    const error = this.attempt(t, h);
    if (!(error < 1)) {
      this.step = h * (Number.isNaN(error) ? 0.2 : Math.max(1 / 3, 0.9 * error ** -0.125));
      this.isAfterRejection = true;
      return true;
    }
    this.watchStiffness(h);
    this.accept(isLast ? last : t + h, h);
    const most = this.isAfterRejection ? 1 : 6;
    const grown = h * Math.min(most, Math.max(1 / 3, 0.9 * Math.max(error, 1e-12) ** -0.125));
    this.step = isLast ? Math.max(this.step, grown) : grown;
    this.isAfterRejection = false;
    return true;
  }

  /** Computes the trial state and its slope; returns the error in units of the tolerance. */
  private attempt(t: number, h: number): number {
    const { state, trial, slopes, room, coupled } = this;
    if (this.isAccepted) {
      const first = slopes[0];
      slopes[0] = slopes[12];
      slopes[12] = first;
      this.isAccepted = false;
    }
    for (let s = 1; s < 12; s++) {
      combine(room, state, h, stages[s], slopes);
      coupled.slope(t + nodes[s] * h, room, slopes[s]);
    }
    combine(trial, state, h, stages[12], slopes);
    const error = this.errorOf(h);
    // a rejected step needs no slope at its end
    if (error < 1) coupled.slope(t + h, trial, slopes[12]);
    return error;
  }

  /** The larger of the errors of the state and of each sensitivity, root mean squares. */
  private errorOf(h: number): number {
    const { state, trial, slopes, numStates: n } = this;
    const { relativeTolerance, absoluteTolerance } = this.problem.settings;
    let worst = 0;
    for (let from = 0; from < state.length; from += n) {
      let high = 0;
      let low = 0;
      for (let i = from; i < from + n; i++) {
        const size = Math.max(Math.abs(state[i]), Math.abs(trial[i]));
        const scale = absoluteTolerance + relativeTolerance * size;
        high += (weighted(slopes, errorOfOrder5, i) / scale) ** 2;
        low += (weighted(slopes, errorOfOrder3, i) / scale) ** 2;
      }
      const error = high === 0 ? 0 : (h * high) / Math.sqrt((high + 0.01 * low) * n);
      if (!(error <= worst)) worst = error;
    }
    return worst;
  }

  /** |f(y) − f(y₁₂)| / |y − y₁₂| of the two slopes at the end of the step is about |λ|. */
  private watchStiffness(h: number): void {
    const { slopes, trial, room, numStates } = this;
    let change = 0;
    let distance = 0;
    for (let i = 0; i < numStates; i++) {
      change += (slopes[12][i] - slopes[11][i]) ** 2;
      distance += (trial[i] - room[i]) ** 2;
    }
    if (distance > 0 && h * Math.sqrt(change / distance) > stabilityLimit) {
      this.numNotStiff = 0;
      this.numStiff++;
      if (this.numStiff === stiffSteps) this.isStiff = true;
    } else if (++this.numNotStiff === 6) {
      this.numStiff = 0;
    }
  }

  private accept(t: number, h: number): void {
    const { state, before } = this;
    this.state = this.trial;
    this.trial = before;
    this.before = state;
    this.time = t;
    this.lastStep = h;
    this.hasExtension = false;
    this.isAccepted = true;
    this.record?.addStep(t - h, h, state);
    for (let s = 0; s < 13; s++) this.record?.setSlope(s, this.slopes[s]);
  }

  /** The step size that the first two derivatives suggest (ibid., section II.4); also computes the first slope. */
  private firstStep(interval: number): number {
    const { state, slopes, room, coupled, numStates: n, time } = this;
    coupled.slope(time, state, slopes[0]);
    const size = this.norm(state, null);
    const change = this.norm(slopes[0], null);
    const h = size < 1e-5 || change < 1e-5 ? 1e-6 : (0.01 * size) / change;
    const guess = Math.min(h, interval);
    for (let i = 0; i < state.length; i++) room[i] = state[i] + guess * slopes[0][i];
    coupled.slope(time + guess, room, slopes[1]);
    const bend = this.norm(slopes[1], slopes[0]) / guess;
    const largest = Math.max(change, bend);
    const next = largest <= 1e-15 ? Math.max(1e-6, guess * 1e-3) : (0.01 / largest) ** 0.125;
    const step = Math.min(100 * guess, next, interval);
    // if a slope is not a number, the step control takes over
    return n > 0 && step > 0 ? step : guess;
  }

  /** Root mean square of the states in x, or x − y, in units of the tolerance. */
  private norm(x: Float64Array, y: Float64Array | null): number {
    const { numStates, state } = this;
    const { absoluteTolerance, relativeTolerance } = this.problem.settings;
    let s = 0;
    for (let i = 0; i < numStates; i++) {
      const d = y === null ? x[i] : x[i] - y[i];
      s += (d / (absoluteTolerance + relativeTolerance * Math.abs(state[i]))) ** 2;
    }
    return Math.sqrt(s / numStates);
  }

  /** The continuous extension of order 7, within the last step. */
  private interpolate(time: number): Float64Array {
    const { state, before, lastStep: h, slopes } = this;
    this.extend();
    const x = 1 - (this.time - time) / h;
    const rest = 1 - x;
    const out = new Float64Array(state.length);
    const [d3, d4, d5, d6] = denseWeights;
    for (let i = 0; i < out.length; i++) {
      const change = state[i] - before[i];
      const bend = h * slopes[0][i] - change;
      const next = 2 * change - h * (slopes[12][i] + slopes[0][i]);
      const high =
        weighted(slopes, d3, i) +
        x *
          (weighted(slopes, d4, i) +
            rest * (weighted(slopes, d5, i) + x * weighted(slopes, d6, i)));
      out[i] = before[i] + x * (change + rest * (bend + x * (next + rest * h * high)));
    }
    return out;
  }

  /** Stages of the continuous extension. */
  private extend(): void {
    if (this.hasExtension) return;
    const { before, room, slopes, coupled, lastStep: h } = this;
    for (let s = 13; s < 16; s++) {
      combine(room, before, h, stages[s], slopes);
      coupled.slope(this.time - h + nodes[s] * h, room, slopes[s]);
      this.record?.setSlope(s, slopes[s]);
    }
    this.hasExtension = true;
  }
}

function weighted(slopes: readonly Float64Array[], weights: Weights, i: number): number {
  const { stages: at, weights: factors } = weights;
  let sum = 0;
  for (let k = 0; k < at.length; k++) sum += factors[k] * slopes[at[k]][i];
  return sum;
}

/** `out` = y + h Σ weights × slopes. */
function combine(
  out: Float64Array,
  y: Float64Array,
  h: number,
  weights: Weights,
  slopes: readonly Float64Array[],
): void {
  const { stages: at, weights: factors } = weights;
  const n = out.length;
  for (let i = 0; i < n; i++) out[i] = y[i];
  for (let k = 0; k < at.length; k++) {
    const slope = slopes[at[k]];
    const factor = h * factors[k];
    for (let i = 0; i < n; i++) out[i] += factor * slope[i];
  }
}
