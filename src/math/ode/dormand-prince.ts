/**
 * The arithmetic of a step by the explicit Runge–Kutta pair of orders 5 and 4 of Dormand & Prince (1980), on state and
 * forward sensitivities as one system. WebAssembly computes it (`kernels/assembly/dormand-prince.ts`), two elements at a
 * time; where that is refused, or for systems that do not fit into its memory, JavaScript computes the same.
 */
import { type Kernels, openKernels } from '../kernels/open-kernels.ts';
import { CoupledSystem } from './coupled-system.ts';
import type { Linearisation, OdeProblem, OdeSystem } from './ode-problem.ts';
import type { ExplicitMethod, Weights } from './step-record.ts';

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

const rowOf = (weights: readonly number[]): Weights => ({
  stages: weights.flatMap((weight, k) => (weight === 0 ? [] : [k])),
  weights: weights.filter((weight) => weight !== 0),
});

export const dormandPrince: ExplicitMethod = {
  nodes,
  rows: stages.map(rowOf),
  end: 6,
  dense: [rowOf(denseWeights)],
};

/** One problem's state, and a step from it. */
export interface Steps {
  /** Tries a step of length `h` from `t`; returns how far apart the two orders are, in units of the tolerance. */
  attempt(t: number, h: number): number;
  /** The state after the last attempt becomes the state. */
  accept(): void;
  /** The state before the last accepted step, and the slope of a stage, in arrays that change with the next step. */
  before(): Float64Array;
  slope(stage: number): Float64Array;
  /** State and sensitivities, in an array that changes with the next step. */
  current(): Float64Array;
  /** The same at the fraction `x` of the last accepted step, of length `h`. */
  between(x: number, h: number): Float64Array;
}

/** 1 MB: larger systems take the loops in JavaScript. */
const kernelBytes = 2 ** 20;
/** Memories that no solution uses at the moment: a system may itself ask for the solution of another. */
const idle: KernelMemory[] = [];
let isRefused = false;

/** Runs `solve` with the steps of `problem`. */
export function withSteps(problem: OdeProblem, solve: (steps: Steps) => void): void {
  const memory = sizeOf(problem) <= kernelBytes / 8 ? takeMemory() : null;
  if (memory === null) {
    solve(new PlainSteps(problem));
    return;
  }
  try {
    solve(new KernelSteps(problem, memory));
  } finally {
    idle.push(memory);
  }
}

interface KernelMemory {
  readonly numbers: Float64Array;
  readonly calls: Kernels;
  /** That of the last problem, since the next mostly has equal sizes. */
  arrangement: Arrangement | null;
}

function takeMemory(): KernelMemory | null {
  const waiting = idle.pop();
  if (waiting !== undefined || isRefused) return waiting ?? null;
  const open = openKernels(kernelBytes);
  isRefused = open === null;
  return open && { ...open, arrangement: null };
}

const even = (count: number): number => count + (count % 2);

/** Numbers that the kernels need, see `arrangeSystem`. */
function sizeOf({ system, numColumns }: OdeProblem): number {
  const { numStates: n, numParameters: m } = system;
  return even(n) + even(n * n) + even(n * m) + 11 * even(n * (1 + numColumns));
}

/** Arrays of the kernels, for systems of equal sizes. */
interface Arrangement {
  readonly system: Pick<OdeSystem, 'numStates' | 'numParameters'>;
  readonly numColumns: number;
  readonly linear: Linearisation;
  readonly trial: Float64Array;
  /** The states alone of `trial`, for the system. */
  readonly y: Float64Array;
  readonly state: Float64Array;
  readonly before: Float64Array;
  readonly between: Float64Array;
  readonly slopes: readonly Float64Array[];
}

function arrangementFor(problem: OdeProblem, memory: KernelMemory): Arrangement {
  const { system, numColumns } = problem;
  const { numStates: n, numParameters: m } = system;
  const last = memory.arrangement;
  const isSame = last?.numColumns === numColumns && last.system.numStates === n;
  if (isSame && last.system.numParameters === m) return last;
  const size = n * (1 + numColumns);
  let next = 0;
  const room = (count: number) => {
    const from = next;
    next += even(count);
    return memory.numbers.subarray(from, from + count);
  };
  const linear = { f: room(n), jy: room(n * n), jp: room(n * m) };
  const [trial, state, before, between] = [room(size), room(size), room(size), room(size)];
  const slopes = nodes.map(() => room(size));
  const y = trial.subarray(0, n);
  const sizes = { numStates: n, numParameters: m };
  const states = { trial, y, state, before, between, slopes };
  memory.arrangement = { system: sizes, numColumns, linear, ...states };
  return memory.arrangement;
}

class KernelSteps implements Steps {
  private readonly arrangement: Arrangement;
  private readonly calls: Kernels;
  private isBegun = false;

  constructor(
    private readonly problem: OdeProblem,
    memory: KernelMemory,
  ) {
    const { system, numColumns, firstParameter, y0, initial } = problem;
    this.calls = memory.calls;
    this.arrangement = arrangementFor(problem, memory);
    const { numStates, numParameters } = system;
    this.calls.arrangeSystem(numStates, numColumns, firstParameter, numParameters);
    this.arrangement.trial.set(y0);
    this.arrangement.trial.set(initial, numStates);
  }

  attempt(t: number, h: number): number {
    const { calls } = this;
    const { relativeTolerance, absoluteTolerance } = this.problem.settings;
    if (!this.isBegun) {
      this.evaluate(t);
      calls.beginSystem();
      this.isBegun = true;
    }
    calls.takeFirstTrial(h);
    for (let s = 1; s < 6; s++) {
      this.evaluate(t + nodes[s] * h);
      calls.takeStage(s, h);
    }
    this.evaluate(t + h);
    return calls.takeLastStage(h, relativeTolerance, absoluteTolerance);
  }

  /** The system and its derivatives at the trial state. */
  private evaluate(t: number): void {
    const { system, numColumns } = this.problem;
    const { y, linear } = this.arrangement;
    if (numColumns === 0) system.derivative(t, y, linear.f);
    else system.linearise(t, y, linear);
  }

  accept(): void {
    this.calls.acceptStep();
  }

  before(): Float64Array {
    return this.arrangement.before;
  }

  slope(stage: number): Float64Array {
    return this.arrangement.slopes[stage];
  }

  current(): Float64Array {
    const { state, trial } = this.arrangement;
    return this.isBegun ? state : trial;
  }

  between(x: number, h: number): Float64Array {
    this.calls.interpolateStep(x, h);
    return this.arrangement.between;
  }
}

class PlainSteps implements Steps {
  private state: Float64Array;
  private trial: Float64Array;
  /** The state before the last step. */
  private earlier: Float64Array;
  private readonly room: Float64Array;
  /**
   * Slopes of the seven stages, in one array. With weights read by name rather than by an iterator, and pairs
   * of terms in `CoupledSystem`, lotka_volterra took 134 µs per gradient instead of 149 (best of several rounds).
   */
  private readonly slopes: Float64Array;
  /** Where the first and last of them begin: the last of an accepted step is the first of the next. */
  private first = 0;
  private last: number;
  private readonly coupled: CoupledSystem;
  private isBegun = false;
  /** Whether `slopes` are those of the last step. */
  private isAccepted = false;

  constructor(private readonly problem: OdeProblem) {
    this.coupled = new CoupledSystem(problem);
    this.state = this.coupled.start();
    const size = this.state.length;
    this.trial = new Float64Array(size);
    this.earlier = new Float64Array(size);
    this.room = new Float64Array(size);
    this.slopes = new Float64Array(7 * size);
    this.last = 6 * size;
  }

  attempt(t: number, h: number): number {
    const { state, slopes, coupled } = this;
    this.takeFirstSlope(t);
    for (let s = 1; s < 7; s++) {
      this.combine(s, h);
      const to = s < 6 ? s * state.length : this.last;
      coupled.slope(t + nodes[s] * h, this.trial, slopes, to);
    }
    return this.error(h);
  }

  private takeFirstSlope(t: number): void {
    if (this.isAccepted) {
      const { first } = this;
      this.first = this.last;
      this.last = first;
      this.isAccepted = false;
    } else if (!this.isBegun) {
      this.coupled.slope(t, this.state, this.slopes, this.first);
      this.isBegun = true;
    }
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
      worst = Math.max(worst, ratio);
    }
    return worst;
  }

  accept(): void {
    const { state, earlier } = this;
    this.state = this.trial;
    this.trial = earlier;
    this.earlier = state;
    this.isAccepted = true;
  }

  before(): Float64Array {
    return this.earlier;
  }

  slope(stage: number): Float64Array {
    const n = this.state.length;
    const from = stage === 0 ? this.first : stage === 6 ? this.last : stage * n;
    return this.slopes.subarray(from, from + n);
  }

  current(): Float64Array {
    return this.state;
  }

  between(x: number, h: number): Float64Array {
    const { state, earlier: before, room: out } = this;
    const { slopes: k, first: k1, last: k7 } = this;
    const n = state.length;
    const k3 = 2 * n;
    const k4 = 3 * n;
    const k5 = 4 * n;
    const k6 = 5 * n;
    const { 0: d1, 2: d3, 3: d4, 4: d5, 5: d6, 6: d7 } = denseWeights;
    const rest = 1 - x;
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
