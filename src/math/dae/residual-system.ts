/** A user's residual function F(t, y, y′, θ) of a differential-algebraic system, linearised by a separate tape. */
import { ActiveVector, slotAt } from '../autodiff/containers.ts';
import { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import { HandedArguments } from '../user-functions/handed-arguments.ts';

/** What emitted programs pass, see library/machinery/implementation.ts. */
export interface ResidualFunction {
  data(t: number, y: Float64Array, slope: Float64Array, ...handed: unknown[]): Float64Array;
  active(
    tape: Tape,
    t: number,
    y: ActiveVector,
    slope: ActiveVector,
    ...handed: unknown[]
  ): ActiveVector | Float64Array;
  /** Kinds of the handed arguments in `active`. */
  readonly handed: readonly string[];
}

/** F and its derivatives, column-major: `fy` and `fs` n × n in y and y′, `fp` n × m in θ. */
export interface ResidualLinearisation {
  readonly f: Float64Array;
  readonly fy: Float64Array;
  readonly fs: Float64Array;
  readonly fp: Float64Array;
}

export class ResidualSystem {
  readonly numParameters: number;
  /** Slots of the parameters on the outer tape, in order. */
  readonly slots: readonly number[];
  private readonly tape = new Tape();
  private readonly inputs: Float64Array;
  private readonly gradient: Float64Array;
  private readonly handed: HandedArguments;

  constructor(
    readonly numStates: number,
    private readonly user: ResidualFunction,
    outer: Tape | null,
    handed: readonly unknown[],
  ) {
    this.handed = new HandedArguments(user.handed, handed, outer, 2 * numStates + 1);
    this.slots = this.handed.slots;
    this.numParameters = this.slots.length;
    this.inputs = new Float64Array(2 * numStates + this.numParameters);
    this.inputs.set(this.handed.values, 2 * numStates);
    this.gradient = new Float64Array(this.inputs.length);
  }

  newLinearisation(): ResidualLinearisation {
    const { numStates: n, numParameters: m } = this;
    const square = () => new Float64Array(n * n);
    return { f: new Float64Array(n), fy: square(), fs: square(), fp: new Float64Array(n * m) };
  }

  linearise(t: number, y: Float64Array, slope: Float64Array, out: ResidualLinearisation): void {
    const { inputs, gradient, tape, numStates: n, numParameters: m } = this;
    inputs.set(y);
    inputs.set(slope, n);
    tape.reset(inputs);
    const own = [new ActiveVector(n, 1), new ActiveVector(n, n + 1)] as const;
    const residual = this.user.active(tape, t, ...own, ...this.handed.active);
    const size = residual instanceof Float64Array ? residual.length : residual.n;
    if (size !== n)
      throw new ShapeError(`the residual function gives ${size} values for ${n} states`);
    for (let i = 0; i < n; i++) {
      if (residual instanceof Float64Array) {
        gradient.fill(0);
        out.f[i] = residual[i];
      } else {
        const slot = slotAt(residual, i);
        out.f[i] = tape.value[slot];
        tape.sweep(slot, gradient);
      }
      for (let j = 0; j < n; j++) {
        out.fy[i + j * n] = gradient[j];
        out.fs[i + j * n] = gradient[n + j];
      }
      for (let k = 0; k < m; k++) out.fp[i + k * n] = gradient[2 * n + k];
    }
  }
}
