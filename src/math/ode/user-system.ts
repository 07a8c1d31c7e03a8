/** A user's function as the right-hand side of a differential equation, linearised by a tape of its own. */
import { ActiveMatrix, ActiveVector, Matrix, slotAt } from '../autodiff/containers.ts';
import { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import type { Linearisation, OdeSystem } from './ode-problem.ts';

/** What emitted programs pass to a solver, see library/machinery/implementation.ts. */
export interface UserFunction {
  data(t: number, y: Float64Array, ...handed: unknown[]): Float64Array;
  active(tape: Tape, t: number, y: ActiveVector, ...handed: unknown[]): ActiveVector | Float64Array;
  /**
   * Fills f and its derivatives from arguments as in `data`, where the compiler could write them out; false where the
   * sizes are not those of the text. Null or absent: the tape does it.
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

const isActive = (kind: string): boolean => /[vVW]$/.test(kind);

/** Slots of everything active in `x`, in the order of {@link rebuild}. */
export function flattenSlots(kind: string, x: unknown): number[] {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).flatMap((e) => flattenSlots(kind.slice(1), e));
  if (kind === 'v') return [x as number];
  const container = x as ActiveVector | ActiveMatrix;
  const n = container instanceof ActiveVector ? container.n : container.rows * container.cols;
  return Array.from({ length: n }, (_, i) => slotAt(container, i));
}

/** The same shape on another tape, whose slots count from `next.slot` on. */
function rebuild(kind: string, x: unknown, next: { slot: number }): unknown {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).map((e) => rebuild(kind.slice(1), e, next));
  const base = next.slot;
  if (kind === 'v') {
    next.slot += 1;
    return base;
  }
  if (x instanceof ActiveMatrix) {
    next.slot += x.rows * x.cols;
    return new ActiveMatrix(x.rows, x.cols, base);
  }
  next.slot += (x as ActiveVector).n;
  return new ActiveVector((x as ActiveVector).n, base);
}

/** Values of an active argument as data. */
export function toData(tape: Tape, kind: string, x: unknown): unknown {
  if (kind.startsWith('['))
    return (x as readonly unknown[]).map((e) => toData(tape, kind.slice(1), e));
  const values = Float64Array.from(flattenSlots(kind, x), (slot) => tape.value[slot]);
  if (kind === 'v') return values[0];
  return x instanceof ActiveMatrix ? new Matrix(x.rows, x.cols, values) : values;
}

export class UserSystem implements OdeSystem {
  readonly numParameters: number;
  /** Slots on the outer tape of the parameters, in order. */
  readonly slots: readonly number[];
  private tape: Tape | null = null;
  private readonly theta: Float64Array;
  private readonly gradient: Float64Array;
  private readonly activeArgs: readonly unknown[];
  private readonly dataArgs: readonly unknown[];

  constructor(
    readonly numStates: number,
    private readonly user: UserFunction,
    outer: Tape | null,
    handed: readonly unknown[],
  ) {
    const kinds = user.handed;
    this.slots =
      outer === null
        ? []
        : handed.flatMap((x, k) => (isActive(kinds[k]) ? flattenSlots(kinds[k], x) : []));
    this.numParameters = this.slots.length;
    this.theta = new Float64Array(numStates + this.numParameters);
    this.gradient = new Float64Array(this.theta.length);
    for (const [k, slot] of this.slots.entries()) {
      this.theta[numStates + k] = (outer as Tape).value[slot];
    }
    const next = { slot: numStates + 1 };
    this.activeArgs = handed.map((x, k) => (isActive(kinds[k]) ? rebuild(kinds[k], x, next) : x));
    this.dataArgs = handed.map((x, k) =>
      isActive(kinds[k]) && outer !== null ? toData(outer, kinds[k], x) : x,
    );
  }

  derivative(t: number, y: Float64Array, dydt: Float64Array): void {
    // the user's function may keep what it is given
    const f = this.user.data(t, y.slice(), ...this.dataArgs);
    this.requireSize(f.length);
    dydt.set(f);
  }

  linearise(t: number, y: Float64Array, { f, jy, jp }: Linearisation): void {
    if (this.user.linear?.(f, jy, jp, t, y, ...this.dataArgs)) return;
    const { theta, gradient, numStates: n, numParameters: m } = this;
    this.tape ??= new Tape();
    const { tape } = this;
    theta.set(y);
    tape.reset(theta);
    const out = this.user.active(tape, t, new ActiveVector(n, 1), ...this.activeArgs);
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
      throw new ShapeError(
        `the differential equation gives ${size} derivatives for ${this.numStates} states`,
      );
    }
  }
}
