/** A user's function as the right-hand side of a differential equation, linearised by a separate tape. */
import { ActiveVector, slotAt } from '../autodiff/containers.ts';
import { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import { HandedArguments } from '../user-functions/handed-arguments.ts';
import type { Linearisation, OdeSystem } from './ode-problem.ts';

/** What emitted programs pass to a solver, see library/machinery/implementation.ts. */
export interface UserFunction {
  data(t: number, y: Float64Array, ...handed: unknown[]): Float64Array;
  active(tape: Tape, t: number, y: ActiveVector, ...handed: unknown[]): ActiveVector | Float64Array;
  /**
   * Fills f and its derivatives from arguments as in `data`, if the compiler could write them out; false if the
   * sizes differ from those in the source. If null or absent, the tape does it.
   */
  readonly linear?:
    | ((
        f: Float64Array,
        jy: Float64Array,
        jp: Float64Array,
        t: number,
        y: Float64Array,
        ...handed: unknown[]
      ) => boolean)
    | null;
  /** Kinds of the handed arguments in `active`. */
  readonly handed: readonly string[];
}

export class UserSystem implements OdeSystem {
  readonly numParameters: number;
  /** Slots of the parameters on the outer tape, in order. */
  readonly slots: readonly number[];
  private tape: Tape | null = null;
  private readonly theta: Float64Array;
  private readonly gradient: Float64Array;
  private readonly handed: HandedArguments;

  constructor(
    readonly numStates: number,
    private readonly user: UserFunction,
    outer: Tape | null,
    handed: readonly unknown[],
  ) {
    this.handed = new HandedArguments(user.handed, handed, outer, numStates + 1);
    this.slots = this.handed.slots;
    this.numParameters = this.slots.length;
    this.theta = new Float64Array(numStates + this.numParameters);
    this.gradient = new Float64Array(this.theta.length);
    this.theta.set(this.handed.values, numStates);
  }

  derivative(t: number, y: Float64Array, dydt: Float64Array): void {
    // the user's function may retain its argument
    const f = this.user.data(t, y.slice(), ...this.handed.data);
    this.requireSize(f.length);
    dydt.set(f);
  }

  linearise(t: number, y: Float64Array, { f, jy, jp }: Linearisation): void {
    if (this.user.linear?.(f, jy, jp, t, y, ...this.handed.data)) return;
    const { theta, gradient, numStates: n, numParameters: m } = this;
    this.tape ??= new Tape();
    const { tape } = this;
    theta.set(y);
    tape.reset(theta);
    const out = this.user.active(tape, t, new ActiveVector(n, 1), ...this.handed.active);
    if (out instanceof Float64Array) {
      this.requireSize(out.length);
      f.set(out);
      jy.fill(0);
      jp.fill(0);
      return;
    }
    this.requireSize(out.n);
    for (let i = 0; i < n; i++) {
      const slot = slotAt(out, i);
      f[i] = tape.value[slot];
      tape.sweep(slot, gradient);
      for (let j = 0; j < n; j++) jy[i + j * n] = gradient[j];
      for (let k = 0; k < m; k++) jp[i + k * n] = gradient[n + k];
    }
  }

  private requireSize(size: number): void {
    if (size !== this.numStates) {
      throw new ShapeError(`the user function gives ${size} values for ${this.numStates} states`);
    }
  }
}
