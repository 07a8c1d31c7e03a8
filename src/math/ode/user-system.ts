/** A user's function as the right-hand side of a differential equation, linearised by a separate tape. */
import { ActiveVector, slotAt } from '../autodiff/containers.ts';
import { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import { HandedArguments } from '../user-functions/handed-arguments.ts';
import { type Linearisation, newLinearisation, type OdeSystem } from './ode-problem.ts';

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
  private readonly linear: Linearisation;
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
    this.linear = newLinearisation(this);
  }

  /** Whether the compiler has written out the derivatives. */
  get isWrittenOut(): boolean {
    return Boolean(this.user.linear);
  }

  derivative(t: number, y: Float64Array, dydt: Float64Array): void {
    // the user's function may retain its argument
    const f = this.user.data(t, y.slice(), ...this.handed.data);
    this.requireSize(f.length);
    dydt.set(f);
  }

  /** f(t, y) as in {@link linearise}. */
  evaluate(t: number, y: Float64Array, dydt: Float64Array): void {
    const { f, jy, jp } = this.linear;
    if (this.user.linear?.(f, jy, jp, t, y, ...this.handed.data)) dydt.set(f);
    else this.derivative(t, y, dydt);
  }

  linearise(t: number, y: Float64Array, { f, jy, jp }: Linearisation): void {
    if (this.user.linear?.(f, jy, jp, t, y, ...this.handed.data)) return;
    const { gradient, numStates: n, numParameters: m } = this;
    this.tape ??= new Tape();
    const { tape } = this;
    const out = this.record(tape, t, y);
    if (out instanceof Float64Array) {
      f.set(out);
      jy.fill(0);
      jp.fill(0);
      return;
    }
    for (let i = 0; i < n; i++) {
      const slot = slotAt(out, i);
      f[i] = tape.value[slot];
      tape.sweep(slot, gradient);
      for (let j = 0; j < n; j++) jy[i + j * n] = gradient[j];
      for (let k = 0; k < m; k++) jp[i + k * n] = gradient[n + k];
    }
  }

  pull(t: number, y: Float64Array, g: Float64Array, gy: Float64Array, gp: Float64Array): void {
    const { gradient, numStates: n, numParameters: m } = this;
    const { f, jy, jp } = this.linear;
    if (this.user.linear?.(f, jy, jp, t, y, ...this.handed.data)) {
      for (let j = 0; j < n; j++) gy[j] = product(jy, j * n, g);
      for (let k = 0; k < m; k++) gp[k] += product(jp, k * n, g);
      return;
    }
    this.tape ??= new Tape();
    const { tape } = this;
    const out = this.record(tape, t, y);
    if (out instanceof Float64Array) {
      gy.fill(0);
      return;
    }
    const slots = Array.from({ length: n }, (_, i) => slotAt(out, i));
    const total = tape.row(0, slots, (i) => g[i]);
    tape.sweep(total, gradient);
    for (let j = 0; j < n; j++) gy[j] = gradient[j];
    for (let k = 0; k < m; k++) gp[k] += gradient[n + k];
  }

  /** f(t, y) on the tape, whose inputs are the states and the parameters; numbers if it depends on neither. */
  private record(tape: Tape, t: number, y: Float64Array): ActiveVector | Float64Array {
    this.theta.set(y);
    tape.reset(this.theta);
    const state = new ActiveVector(this.numStates, 1);
    const out = this.user.active(tape, t, state, ...this.handed.active);
    this.requireSize(out instanceof Float64Array ? out.length : out.n);
    return out;
  }

  private requireSize(size: number): void {
    if (size !== this.numStates) {
      throw new ShapeError(`the user function gives ${size} values for ${this.numStates} states`);
    }
  }
}

/** A column of a matrix times g. */
function product(matrix: Float64Array, from: number, g: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < g.length; i++) sum += matrix[from + i] * g[i];
  return sum;
}
