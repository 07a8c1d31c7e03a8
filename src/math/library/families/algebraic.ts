/** Solvers of algebraic equations: `name(tape, kinds, system, guess, …)`, see implementation.ts. */

import { type AlgebraicSystem, findRoot, type RootSettings } from '../../algebraic/find-root.ts';
import { ActiveVector } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { splitKinds } from '../../distributions/density.ts';
import { DomainError } from '../../errors.ts';
import { factorLuInPlace, solveLuInto } from '../../linalg/solve.ts';
import { type UserFunction, UserSystem } from '../../ode/user-system.ts';
import {
  isActiveKind,
  type OptionsPlace,
  splitOptions,
  toData,
} from '../../user-functions/handed-arguments.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

/** What emitted programs pass: the same as for differential equations, but without a time. */
interface AlgebraicFunction {
  data(y: Float64Array, ...handed: unknown[]): Float64Array;
  active(tape: Tape, y: ActiveVector, ...handed: unknown[]): ActiveVector | Float64Array;
  readonly handed: readonly string[];
}

/** Stan's defaults. */
const powellDefaults: RootSettings = { functionTolerance: 1e-6, maxSteps: 1000 };
const newtonDefaults: RootSettings = { functionTolerance: 1e-6, maxSteps: 200 };

/** The step tolerances of Stan's algorithms stop a search early; ours continues until y no longer moves. */
function readSettings(name: string, values: readonly unknown[]): RootSettings {
  const [stepTolerance, functionTolerance, maxSteps] = values as number[];
  for (const [what, x, isRight] of [
    ['step tolerance', stepTolerance, stepTolerance >= 0],
    ['function_tolerance', functionTolerance, functionTolerance >= 0],
    ['max_num_steps', maxSteps, maxSteps > 0],
  ] as const) {
    if (!isRight) {
      const bound = what === 'max_num_steps' ? 'positive' : 'nonnegative';
      throw new DomainError(`${name}: ${what} is ${x}, but must be ${bound}`);
    }
  }
  return { functionTolerance, maxSteps };
}

function withoutTime(user: AlgebraicFunction): UserFunction {
  return {
    data: (_t, y, ...handed) => user.data(y, ...handed),
    active: (tape, _t, y, ...handed) => user.active(tape, y, ...handed),
    handed: user.handed,
  };
}

class System implements AlgebraicSystem {
  readonly numUnknowns: number;
  /** ∂f/∂θ at the last linearisation, n × m. */
  readonly jp: Float64Array;

  constructor(private readonly user: UserSystem) {
    this.numUnknowns = user.numStates;
    this.jp = new Float64Array(user.numStates * user.numParameters);
  }

  evaluate(y: Float64Array, f: Float64Array): void {
    this.user.derivative(0, y, f);
  }

  linearise(y: Float64Array, f: Float64Array, jy: Float64Array): void {
    this.user.linearise(0, y, { f, jy, jp: this.jp });
  }
}

function solverFunction(
  name: string,
  defaults: RootSettings,
  place: OptionsPlace,
): LibraryFunction {
  return (tape: Tape | null, kinds: string, user: AlgebraicFunction, ...values: unknown[]) => {
    const [guessKind] = splitKinds(kinds);
    const given = isActiveKind(guessKind) ? toData(tape as Tape, guessKind, values[0]) : values[0];
    const guess = Float64Array.from(given as Float64Array);
    if (guess.length === 0) throw new DomainError(`${name}: initial guess has size 0`);
    const { options, handed } = splitOptions(place, values.slice(1), user.handed.length);
    const settings = options ? readSettings(name, options) : defaults;
    const userSystem = new UserSystem(guess.length, withoutTime(user), tape, handed);
    const system = new System(userSystem);
    const root = findRoot(name, system, guess, settings);
    return tape === null ? root : record(tape, system, userSystem.slots, root);
  };
}

/** dy/dθ = −(∂f/∂y)⁻¹ ∂f/∂θ at the root (the implicit function theorem); the guess has no effect. */
function record(
  tape: Tape,
  system: System,
  slots: readonly number[],
  root: Float64Array,
): ActiveVector {
  const n = root.length;
  const jy = new Float64Array(n * n);
  system.linearise(root, new Float64Array(n), jy);
  const rowOf = new Int32Array(n);
  factorLuInPlace(jy, rowOf, n);
  const moved = new Float64Array(system.jp.length);
  if (slots.length > 0) solveLuInto(jy, rowOf, system.jp, slots.length, moved);
  if (!moved.every(Number.isFinite))
    throw new DomainError('the Jacobian of the algebraic function is singular at the root');
  const first = tape.numSlots;
  for (let i = 0; i < n; i++) {
    tape.row(root[i], slots, (k) => -moved[i + k * n]);
  }
  return new ActiveVector(n, first);
}

export const algebraicPart: LibraryPart = {
  algebra_solver: solverFunction('algebra_solver', powellDefaults, 'last or none'),
  algebra_solver_newton: solverFunction('algebra_solver_newton', newtonDefaults, 'last or none'),
  solve_powell: solverFunction('solve_powell', powellDefaults, 'none'),
  solve_powell_tol: solverFunction('solve_powell_tol', powellDefaults, 'first'),
  solve_newton: solverFunction('solve_newton', newtonDefaults, 'none'),
  solve_newton_tol: solverFunction('solve_newton_tol', newtonDefaults, 'first'),
};
