/** Solvers of differential equations: `name(tape, kinds, system, y0, t0, ts, …)`, see implementation.ts. */
import { ActiveVector } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError } from '../../errors.ts';
import { solveDop853, solveStiff } from '../../ode/dop853.ts';
import { dop853 } from '../../ode/dop853-method.ts';
import { dormandPrince } from '../../ode/dormand-prince.ts';
import type { OdeProblem, OdeSettings, OdeSystem, VisitState } from '../../ode/ode-problem.ts';
import { solveRk45 } from '../../ode/rk45.ts';
import { type ExplicitMethod, RecordFull, StepRecord } from '../../ode/step-record.ts';
import { type UserFunction, UserSystem } from '../../ode/user-system.ts';
import {
  flattenSlots,
  isActiveKind,
  type OptionsPlace,
  splitOptions,
  toData,
} from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

/** Stan's defaults. */
const rk45Defaults: OdeSettings = {
  relativeTolerance: 1e-6,
  absoluteTolerance: 1e-6,
  maxSteps: 1e6,
};
/** Also for ode_adams, which runs the non-stiff solver. */
const bdfDefaults: OdeSettings = {
  relativeTolerance: 1e-10,
  absoluteTolerance: 1e-10,
  maxSteps: 1e8,
};

export interface Argument {
  readonly kind: string;
  readonly value: unknown;
}

export function readSettings(name: string, values: readonly unknown[]): OdeSettings {
  const [relativeTolerance, absoluteTolerance, maxSteps] = values as number[];
  for (const [what, x] of [
    ['relative_tolerance', relativeTolerance],
    ['absolute_tolerance', absoluteTolerance],
    ['max_num_steps', maxSteps],
  ] as const) {
    if (!(x > 0 && x < Infinity))
      throw new DomainError(`${name}: ${what} is ${x}, but must be positive finite`);
  }
  return { relativeTolerance, absoluteTolerance, maxSteps };
}

export function asNumbers(tape: Tape | null, { kind, value }: Argument): Float64Array {
  const data = isActiveKind(kind) ? toData(tape as Tape, kind, value) : value;
  return typeof data === 'number' ? Float64Array.of(data) : Float64Array.from(data as Float64Array);
}

export function checkTimes(name: string, t0: number, times: Float64Array): void {
  for (let i = 0; i < times.length; i++) {
    const before = i === 0 ? t0 : times[i - 1];
    if (!(times[i] > before && times[i] < Infinity)) {
      const what = i === 0 ? 'initial time' : 'the previous time';
      throw new DomainError(
        `${name}: times[${i + 1}] is ${times[i]}, but must be greater than ${what}, ${before}`,
      );
    }
  }
}

interface Solver {
  readonly name: string;
  readonly solve: (problem: OdeProblem, visit: VisitState, record?: StepRecord) => void;
  /** Of its explicit steps. */
  readonly method: ExplicitMethod;
  readonly defaults: OdeSettings;
  readonly place: OptionsPlace;
}

function solverFunction(solver: Solver): LibraryFunction {
  const { name, solve, defaults, place } = solver;
  return (tape: Tape | null, kinds: string, user: UserFunction, ...values: unknown[]) => {
    const all = splitKinds(kinds).map((kind, k) => ({ kind, value: values[k] }));
    const [y0, t0, ts] = all;
    const { options, handed } = splitOptions(place, values.slice(3), user.handed.length);
    const settings = options ? readSettings(name, options) : defaults;
    const outer = all.some(({ kind }) => isActiveKind(kind)) ? tape : null;
    const start = asNumbers(tape, y0);
    const n = start.length;
    const system = new UserSystem(n, user, outer, handed);
    // an active initial time changes the solution as a change of the initial state would
    const movesStart = isActiveKind(y0.kind) || isActiveKind(t0.kind);
    const firstParameter = outer !== null && movesStart ? n : 0;
    const numColumns = outer === null ? 0 : firstParameter + system.numParameters;
    // ∂y0/∂y0 = I; nothing else affects the initial state
    const initial = new Float64Array(n * numColumns);
    for (let i = 0; i < firstParameter; i++) initial[i + i * n] = 1;
    const [initialTime] = asNumbers(tape, t0);
    const times = asNumbers(tape, ts);
    checkTimes(name, initialTime, times);
    const problem = {
      system,
      t0: initialTime,
      y0: start,
      times,
      numColumns,
      firstParameter,
      initial,
      settings,
    };
    const args = { y0, t0, ts };
    if (outer !== null && isCheaperBackwards(system, numColumns)) {
      const states = statesBackwards(solver, problem, system, outer, args);
      if (states !== null) return states;
    }
    const solved = { system, times, initialTime, start, firstParameter };
    return statesOf((visit) => solve(problem, visit), outer, solved, args);
  };
}

/**
 * Whether derivatives taken backwards through the steps cost less than this many columns of forward sensitivities. Measured
 * with 1 to 10 states and 3 to 40 columns: a second pass costs more where it records the system on the tape.
 */
function isCheaperBackwards({ numStates, isWrittenOut }: UserSystem, numColumns: number): boolean {
  return numStates * numColumns > (isWrittenOut ? 60 : 140);
}

/** The states on the tape, with derivatives through the recorded steps; null if there are too many of these. */
function statesBackwards(
  { method, solve }: Solver,
  problem: OdeProblem,
  system: UserSystem,
  tape: Tape,
  { y0, t0, ts }: TimeArguments,
): ActiveVector[] | null {
  const { times, t0: initialTime, y0: start } = problem;
  const n = system.numStates;
  const values = new Float64Array(n * times.length);
  const record = new StepRecord(method, n);
  const alone = {
    ...problem,
    system: withoutSensitivities(system),
    numColumns: 0,
    initial: new Float64Array(0),
  };
  const take = (state: Float64Array, k: number) => {
    for (let i = 0; i < n; i++) values[k * n + i] = state[i];
  };
  try {
    solve(alone, take, record);
  } catch (error) {
    if (error instanceof RecordFull) return null;
    throw error;
  }
  const startSlots = isActiveKind(y0.kind) ? flattenSlots(y0.kind, y0.value) : [];
  const timeSlots = isActiveKind(ts.kind) ? flattenSlots(ts.kind, ts.value) : [];
  const slope = new Float64Array(n);
  const along = (t: number, y: Float64Array, g: Float64Array) => {
    system.evaluate(t, y, slope);
    return slope.reduce((sum, f, i) => sum + f * g[i], 0);
  };
  const first = tape.block(values.length, ({ adjoint }) => {
    const given = adjoint.slice(first, first + values.length);
    const ofParameters = new Float64Array(system.numParameters);
    const ofStart = record.reverse(system, given, ofParameters);
    startSlots.forEach((slot, i) => {
      adjoint[slot] += ofStart[i];
    });
    system.slots.forEach((slot, k) => {
      adjoint[slot] += ofParameters[k];
    });
    timeSlots.forEach((slot, k) => {
      const [from, to] = [k * n, (k + 1) * n];
      adjoint[slot] += along(times[k], values.slice(from, to), given.subarray(from, to));
    });
    if (isActiveKind(t0.kind)) adjoint[t0.value as number] -= along(initialTime, start, ofStart);
  });
  tape.value.set(values, first);
  return Array.from(times, (_, k) => new ActiveVector(n, first + k * n));
}

/** Evaluated as for derivatives: what the compiler has written out needs no arrays of the user's function. */
function withoutSensitivities(system: UserSystem): OdeSystem {
  return {
    numStates: system.numStates,
    numParameters: system.numParameters,
    derivative: (t, y, dydt) => system.evaluate(t, y, dydt),
    linearise: (t, y, out) => system.linearise(t, y, out),
    pull: (t, y, g, gy, gp) => system.pull(t, y, g, gy, gp),
  };
}

interface Solved {
  /** The slope is read if times are active. */
  readonly system: Pick<UserSystem, 'slots'> & Partial<Pick<UserSystem, 'derivative'>>;
  readonly times: Float64Array;
  readonly initialTime: number;
  readonly start: Float64Array;
  readonly firstParameter: number;
}

interface TimeArguments {
  readonly y0: Argument;
  readonly t0: Argument;
  readonly ts: Argument;
}

/** The states that `solve` visits: copies, or rows on the tape if there is one. */
export function statesOf(
  solve: (visit: VisitState) => void,
  tape: Tape | null,
  solved: Solved,
  args: TimeArguments,
): (Float64Array | ActiveVector)[] {
  const states: (Float64Array | ActiveVector)[] = [];
  const taken =
    tape === null ? (state: Float64Array) => state.slice() : rowRecorder(tape, solved, args);
  solve((state, k) => states.push(taken(state, k)));
  return states;
}

/**
 * Records a state as rows: edges to the initial state, the handed parameters and, if active, the output time
 * (dy/dt = f) and the initial time (−∂y/∂y0 f(t0, y0)).
 */
function rowRecorder(
  tape: Tape,
  { system, times, initialTime, start, firstParameter }: Solved,
  { y0, t0, ts }: TimeArguments,
): (state: Float64Array, k: number) => ActiveVector {
  const n = start.length;
  // slot and column of everything that has a sensitivity
  const startSlots = isActiveKind(y0.kind) ? flattenSlots(y0.kind, y0.value) : [];
  const slots = [...startSlots, ...system.slots];
  // start values that are data have columns if the initial time is active
  const skipped = firstParameter - startSlots.length;
  const timeSlots = isActiveKind(ts.kind) ? flattenSlots(ts.kind, ts.value) : null;
  const startSlope = new Float64Array(n);
  if (isActiveKind(t0.kind)) system.derivative?.(initialTime, start, startSlope);
  const slope = new Float64Array(n);
  return (state, k) => {
    if (timeSlots !== null) system.derivative?.(times[k], state.subarray(0, n), slope);
    const first = tape.numSlots;
    for (let i = 0; i < n; i++) {
      tape.reserveEdges(slots.length + 2);
      let e = tape.numEdges;
      for (let s = 0; s < slots.length; s++) {
        const column = s < startSlots.length ? s : skipped + s;
        tape.edgeSlot[e] = slots[s];
        tape.edgePartial[e++] = state[n + i + column * n];
      }
      if (timeSlots !== null) {
        tape.edgeSlot[e] = timeSlots[k];
        tape.edgePartial[e++] = slope[i];
      }
      if (isActiveKind(t0.kind)) {
        let d = 0;
        for (let j = 0; j < n; j++) d -= state[n + i + j * n] * startSlope[j];
        tape.edgeSlot[e] = t0.value as number;
        tape.edgePartial[e++] = d;
      }
      tape.endRow(state[i], e - tape.numEdges);
    }
    return new ActiveVector(n, first);
  };
}

const rk45 = { solve: solveRk45, method: dormandPrince, defaults: rk45Defaults };
const adams = { solve: solveDop853, method: dop853, defaults: bdfDefaults };
const stiff = { solve: solveStiff, method: dop853, defaults: bdfDefaults };

/**
 * `ode_adjoint_tol_ctl`: the forward tolerances and the solver (1 Adams, 2 BDF) are used as given. The derivatives are those of
 * the solution as computed, forwards or backwards through its steps, so the options of a backward integration are checked but have no effect.
 */
function adjointFunction(tape: Tape | null, kinds: string, user: unknown, ...values: unknown[]) {
  const name = 'ode_adjoint_tol_ctl';
  // relative and absolute: forward, backward, and of the quadrature
  const tolerances = values.slice(3, 9) as (number | Float64Array)[];
  const [relative, absolute] = tolerances as [number, Float64Array];
  const [maxSteps, checkpointSteps, interpolation, forward, backward] = values.slice(
    9,
    14,
  ) as number[];
  const numbers = tolerances.flatMap((x) => (typeof x === 'number' ? x : [...x]));
  for (const x of [...numbers, maxSteps, checkpointSteps]) {
    if (!(x > 0 && x < Infinity))
      throw new DomainError(
        `${name}: tolerances and numbers of steps must be positive and finite, not ${x}`,
      );
  }
  for (const [what, x] of [
    ['interpolation_polynomial', interpolation],
    ['solver_forward', forward],
    ['solver_backward', backward],
  ] as const) {
    if (x !== 1 && x !== 2) throw new DomainError(`${name}: ${what} is ${x}, but must be 1 or 2`);
  }
  const all = splitKinds(kinds);
  const kept = [...all.slice(0, 3), 'r', 'r', 'i', ...all.slice(14)].join('');
  const settings = [relative, Math.min(...absolute), maxSteps];
  const solver = forward === 1 ? adams : stiff;
  const solve = solverFunction({ name, ...solver, place: 'first' });
  return solve(tape, kept, user, ...values.slice(0, 3), ...settings, ...values.slice(14));
}

const solvers: Readonly<Record<string, readonly [Omit<Solver, 'name' | 'place'>, OptionsPlace]>> = {
  ode_rk45: [rk45, 'none'],
  ode_rk45_tol: [rk45, 'first'],
  ode_ckrk: [rk45, 'none'],
  ode_ckrk_tol: [rk45, 'first'],
  ode_adams: [adams, 'none'],
  ode_adams_tol: [adams, 'first'],
  ode_bdf: [stiff, 'none'],
  ode_bdf_tol: [stiff, 'first'],
  integrate_ode: [rk45, 'last or none'],
  integrate_ode_rk45: [rk45, 'last or none'],
  integrate_ode_adams: [adams, 'last or none'],
  integrate_ode_bdf: [stiff, 'last or none'],
};

const part: Record<string, LibraryFunction> = { ode_adjoint_tol_ctl: adjointFunction };
for (const [name, [solver, place]] of Object.entries(solvers))
  part[name] = solverFunction({ name, ...solver, place });

export const solversPart: LibraryPart = part;
