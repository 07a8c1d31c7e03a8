/**
 * The steps of an explicit Runge–Kutta method, recorded so that the derivatives of what depends on a solution can be taken
 * backwards through them (the discrete adjoint: Sandu, "On the properties of Runge–Kutta discrete adjoints", ICCS 2006).
 * They are those of the solution as computed, with its steps as they are. Forward sensitivities cost states × parameters;
 * this costs a second pass, whatever the number of parameters.
 */
import type { OdeSystem } from './ode-problem.ts';
import type { RadauRecord } from './radau-record.ts';

/** Stages, counted from 0, and their weights. */
export interface Weights {
  readonly stages: readonly number[];
  readonly weights: readonly number[];
}

export interface ExplicitMethod {
  readonly nodes: readonly number[];
  /** Row s: where the slope of stage s is taken. */
  readonly rows: readonly Weights[];
  /** The stage at the end of a step, whose row is that of the solution. */
  readonly end: number;
  /** The highest terms of the continuous extension, times x² (1 − x)² and then in turn x and 1 − x. */
  readonly dense: readonly Weights[];
}

/** How many numbers a record holds at most: 32 MB. */
export const recordedNumbers = 2 ** 22;

/** The record has no room for the steps that the solution takes. */
export class RecordFull extends Error {
  override readonly name = 'RecordFull';
}

interface Output {
  readonly step: number;
  /** Where in the step: 1 is its end. */
  readonly x: number;
}

export class StepRecord {
  private readonly times: number[] = [];
  private readonly outputs: Output[] = [];
  /** For each step, the state before it and its slopes. */
  private kept: Float64Array;
  private numSteps = 0;
  /** Steps of an implicit method after these. */
  rest: RadauRecord | null = null;
  private readonly stride: number;

  constructor(
    private readonly method: ExplicitMethod,
    private readonly numStates: number,
  ) {
    this.stride = numStates * (1 + method.rows.length);
    this.kept = new Float64Array(32 * this.stride);
  }

  /** Throws {@link RecordFull}. */
  addStep(t: number, h: number, before: Float64Array): void {
    this.times.push(t, h);
    this.numSteps++;
    const { stride, numSteps } = this;
    if (numSteps * stride > this.kept.length) {
      if (2 * this.kept.length > recordedNumbers) throw new RecordFull();
      const longer = new Float64Array(2 * this.kept.length);
      longer.set(this.kept);
      this.kept = longer;
    }
    this.put((numSteps - 1) * stride, before);
  }

  /** The slope of a stage of the last step. */
  setSlope(stage: number, slope: Float64Array): void {
    this.put((this.numSteps - 1) * this.stride + (1 + stage) * this.numStates, slope);
  }

  private put(at: number, values: Float64Array): void {
    const { kept, numStates } = this;
    for (let i = 0; i < numStates; i++) kept[at + i] = values[i];
  }

  get numOutputs(): number {
    return this.outputs.length;
  }

  /** The next output time is within the last step. */
  addOutput(x: number): void {
    this.outputs.push({ step: this.numSteps - 1, x });
  }

  /**
   * From the adjoints of the outputs, `numStates` each, those of the initial state, which it returns, and of the system's
   * parameters, which it adds to `parameters`.
   */
  reverse(system: OdeSystem, outputs: Float64Array, parameters: Float64Array): Float64Array {
    const { numStates: n, method, times } = this;
    const numStages = method.rows.length;
    const state = this.rest?.reverse(system, outputs, parameters) ?? new Float64Array(n);
    const slopes = new Float64Array(numStages * n);
    const slopesOf = method.rows.map((_, s) => slopes.subarray(s * n, (s + 1) * n));
    const weights = new Float64Array(numStages);
    const place = new Float64Array(n);
    const pulled = new Float64Array(n);
    let next = this.outputs.length - 1;
    for (let step = this.numSteps - 1; step >= 0; step--) {
      const [t, h] = [times[2 * step], times[2 * step + 1]];
      slopes.fill(0);
      addWeights(weights.fill(0), method.rows[method.end], 1);
      spread(slopes, weights, state, 0, h);
      for (; next >= 0 && this.outputs[next].step === step; next--) {
        weightsAt(method, this.outputs[next].x, weights);
        spread(slopes, weights, outputs, next * n, h);
        for (let i = 0; i < n; i++) state[i] += outputs[next * n + i];
      }
      for (let s = numStages - 1; s >= 0; s--) {
        if (isZero(slopesOf[s])) continue;
        this.placeOf(step, s, place);
        system.pull(t + method.nodes[s] * h, place, slopesOf[s], pulled, parameters);
        for (let i = 0; i < n; i++) state[i] += pulled[i];
        const { stages, weights: factors } = method.rows[s];
        for (let k = 0; k < stages.length; k++) {
          const factor = h * factors[k];
          for (let i = 0; i < n; i++) slopes[stages[k] * n + i] += factor * pulled[i];
        }
      }
    }
    return state;
  }

  /** Where the slope of a stage was taken: y + h Σ weights × slopes. */
  private placeOf(step: number, stage: number, out: Float64Array): void {
    const { kept, times, numStates: n, method } = this;
    const before = step * this.stride;
    const { stages, weights } = method.rows[stage];
    for (let i = 0; i < n; i++) out[i] = kept[before + i];
    for (let k = 0; k < stages.length; k++) {
      const slope = before + (1 + stages[k]) * n;
      const factor = times[2 * step + 1] * weights[k];
      for (let i = 0; i < n; i++) out[i] += factor * kept[slope + i];
    }
  }
}

function isZero(x: Float64Array): boolean {
  for (let i = 0; i < x.length; i++) if (x[i] !== 0) return false;
  return true;
}

/** Adds the adjoint of y + h Σ weights × slopes to those of the slopes. */
function spread(
  slopes: Float64Array,
  weights: Float64Array,
  adjoint: Float64Array,
  from: number,
  h: number,
): void {
  const n = slopes.length / weights.length;
  for (let s = 0; s < weights.length; s++) {
    const factor = h * weights[s];
    if (factor === 0) continue;
    for (let i = 0; i < n; i++) slopes[s * n + i] += factor * adjoint[from + i];
  }
}

function addWeights(out: Float64Array, { stages, weights }: Weights, factor: number): void {
  for (let k = 0; k < stages.length; k++) out[stages[k]] += factor * weights[k];
}

/** The weights of the slopes in the state at the fraction x of a step, by Hermite interpolation and the terms above it. */
function weightsAt({ rows, end, dense }: ExplicitMethod, x: number, out: Float64Array): void {
  out.fill(0);
  const rest = 1 - x;
  const cubic = x * x * rest;
  addWeights(out, rows[end], x - x * rest + 2 * cubic);
  if (rest === 0) return;
  out[0] += x * rest - cubic;
  out[end] -= cubic;
  let factor = cubic * rest;
  dense.forEach((weights, k) => {
    addWeights(out, weights, factor);
    factor *= k % 2 === 0 ? x : rest;
  });
}
