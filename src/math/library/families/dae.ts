/** Differential-algebraic systems: `name(tape, kinds, system, y0, slope0, t0, ts, …)`, see implementation.ts. */
import type { Tape } from '../../autodiff/tape.ts';
import { type ResidualFunction, ResidualSystem } from '../../dae/residual-system.ts';
import { solveDae } from '../../dae/solve-dae.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError, ShapeError } from '../../errors.ts';
import type { OdeSettings } from '../../ode/ode-problem.ts';
import { isActiveKind } from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';
import { asNumbers, checkTimes, readSettings, statesOf } from './solvers.ts';

/** Stan's defaults. */
const defaults: OdeSettings = { relativeTolerance: 1e-10, absoluteTolerance: 1e-10, maxSteps: 1e8 };

function requireSizes(name: string, y0: Float64Array, slope0: Float64Array): void {
  const n = y0.length;
  if (n === 0) throw new DomainError(`${name}: initial state has size 0`);
  if (slope0.length !== n)
    throw new ShapeError(
      `${name}: initial state derivative has ${slope0.length} elements, but initial state has ${n}`,
    );
  if (!y0.every(Number.isFinite) || !slope0.every(Number.isFinite))
    throw new DomainError(`${name}: initial state and its derivative must be finite`);
}

/** The state determines the solution: with consistent initial values, the initial derivative has no effect. */
function daeFunction(name: string, hasTolerances: boolean): LibraryFunction {
  return (tape: Tape | null, kinds: string, user: ResidualFunction, ...values: unknown[]) => {
    const all = splitKinds(kinds).map((kind, k) => ({ kind, value: values[k] }));
    const [y0, slope0, t0, ts] = all;
    const settings = hasTolerances ? readSettings(name, values.slice(4, 7)) : defaults;
    const handed = values.slice(hasTolerances ? 7 : 4);
    const outer = all.some(({ kind }) => isActiveKind(kind)) ? tape : null;
    const start = asNumbers(tape, y0);
    const startSlope = asNumbers(tape, slope0);
    requireSizes(name, start, startSlope);
    const system = new ResidualSystem(start.length, user, outer, handed);
    const firstParameter = isActiveKind(y0.kind) ? start.length : 0;
    const numColumns = outer === null ? 0 : firstParameter + system.numParameters;
    const [initialTime] = asNumbers(tape, t0);
    const times = asNumbers(tape, ts);
    checkTimes(name, initialTime, times);
    const problem = {
      name,
      system,
      t0: initialTime,
      y0: start,
      slope0: startSlope,
      times,
      numColumns,
      firstParameter,
      settings,
    };
    const solved = { system, times, initialTime, start, firstParameter };
    return statesOf((visit) => solveDae(problem, visit), outer, solved, { y0, t0, ts });
  };
}

export const daePart: LibraryPart = {
  dae: daeFunction('dae', false),
  dae_tol: daeFunction('dae_tol', true),
};
