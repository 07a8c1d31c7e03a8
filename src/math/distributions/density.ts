/**
 * What all vectorised densities share: opening the operands, reconciling sizes, checking support and parameters,
 * reserving one edge per partial derivative, and closing the result slot.
 *
 * A density is `density(name, arguments, kernel)`: once the operands are checked, the kernel loops `call.n` times over
 * `operand.at(i)`, adds partials of active operands with `operand.add(i, d)` and returns the log density. A term that
 * depends only on inactive operands is included if `call.includes(…)` is true (Stan's `include_summand`).
 *
 * The call object and its operands are reused: a density may not call another density.
 */
import { Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import { ShapeError } from '../errors.ts';
import type { Argument } from './arguments.ts';

const maxOperands = 8;

export class DensityCall {
  /** Name of the function, for messages. */
  name = '';
  /** Number of terms: the common size of the containers, 1 when all operands are scalars. */
  n = 1;
  /** Drops the terms that no active operand enters. */
  propto = false;
  readonly operands: readonly Operand[] = Array.from({ length: maxOperands }, () => new Operand());
  private count = 0;

  start(name: string, propto: boolean): void {
    this.name = name;
    this.propto = propto;
    this.count = 0;
  }

  open(tape: Tape | null, kind: number, label: string, argument: unknown): Operand {
    const operand = this.operands[this.count++];
    operand.label = label;
    operand.open(tape, kind, argument);
    return operand;
  }

  /** Sets {@link n}; containers of different sizes are an error in the program. */
  agreeSizes(): void {
    let first: Operand | null = null;
    for (let k = 0; k < this.count; k++) {
      const operand = this.operands[k];
      if (operand.stride === 0) continue;
      if (first === null) first = operand;
      else if (operand.size !== first.size) {
        throw new ShapeError(
          `${this.name}: size of ${operand.label} (${operand.size}) and size of ${first.label} (${first.size}) must match`,
        );
      }
    }
    this.n = first === null ? 1 : first.size;
  }

  openNested(tape: Tape | null, kind: string, label: string, argument: unknown): Operand {
    const operand = this.operands[this.count++];
    operand.label = label;
    operand.openNested(tape, kind, argument);
    return operand;
  }

  get isActive(): boolean {
    for (let k = 0; k < this.count; k++) if (this.operands[k].active) return true;
    return false;
  }

  /** Reserves the edges of the active operands and returns how many there are. */
  placeEdges(tape: Tape): number {
    let edges = 0;
    for (let k = 0; k < this.count; k++) {
      if (this.operands[k].active) edges += this.operands[k].size;
    }
    if (edges === 0) return 0;
    tape.reserveEdges(edges);
    let edge = tape.numEdges;
    for (let k = 0; k < this.count; k++) {
      const operand = this.operands[k];
      if (!operand.active) continue;
      operand.placeEdges(tape, edge);
      edge += operand.size;
    }
    return edges;
  }

  /** The checks of `list`, operand by operand. */
  check(list: readonly Argument[]): void {
    for (let k = 0; k < list.length; k++) {
      const check = list[k][1];
      if (check !== null) check(this, this.operands[k]);
    }
  }

  /** Whether a term in these operands belongs to the result. */
  includes(a: Operand | null = null, b: Operand | null = null, c: Operand | null = null): boolean {
    if (!this.propto) return true;
    return (a?.active ?? false) || (b?.active ?? false) || (c?.active ?? false);
  }

  /** x is not NaN. */
  checkNotNan(x: Operand): void {
    for (let i = 0; i < x.size; i++) {
      const v = x.at(i);
      if (v !== v) x.fail(this.name, i, 'not nan');
    }
  }

  /** −∞ < x < ∞. */
  checkFinite(x: Operand): void {
    for (let i = 0; i < x.size; i++) {
      if (!(Math.abs(x.at(i)) < Infinity)) x.fail(this.name, i, 'finite');
    }
  }

  /** x > 0. */
  checkPositive(x: Operand): void {
    for (let i = 0; i < x.size; i++) if (!(x.at(i) > 0)) x.fail(this.name, i, 'positive');
  }

  /** 0 < x < ∞. */
  checkPositiveFinite(x: Operand): void {
    for (let i = 0; i < x.size; i++) {
      const v = x.at(i);
      if (!(v > 0 && v < Infinity)) x.fail(this.name, i, 'positive finite');
    }
  }

  /** x ≥ 0. */
  checkNonnegative(x: Operand): void {
    for (let i = 0; i < x.size; i++) if (!(x.at(i) >= 0)) x.fail(this.name, i, 'nonnegative');
  }

  /** low ≤ x ≤ high. */
  checkBounded(x: Operand, low: number, high: number): void {
    for (let i = 0; i < x.size; i++) {
      const v = x.at(i);
      if (!(v >= low && v <= high)) x.fail(this.name, i, `in the interval [${low}, ${high}]`);
    }
  }

  /** x > low, element by element. */
  checkGreater(x: Operand, low: Operand): void {
    for (let i = 0; i < this.n; i++) {
      if (!(x.at(i) > low.at(i))) x.fail(this.name, i, `greater than ${low.at(i)}`);
    }
  }
}

const call = new DensityCall();

function finish(tape: Tape, edges: number, logDensity: number): number {
  if (edges > 0) return tape.endRow(logDensity, edges);
  return call.propto ? 0 : logDensity;
}

/** The result for empty containers. */
function finishEmpty(tape: Tape): number {
  return call.isActive ? tape.constant(0) : 0;
}

/** The operand-wise calling convention of library/machinery/implementation.ts. */
export type Density = (tape: Tape, propto: boolean, kinds: string, ...args: unknown[]) => number;

type Kernel = (call: DensityCall, a: Operand, b: Operand, c: Operand, d: Operand) => number;

/** A density of one to four operands. */
export function density(name: string, list: readonly Argument[], kernel: Kernel): Density {
  const count = list.length;
  const [a, b, c, d] = call.operands;
  return (tape, propto, kinds, x, y, z, w) => {
    call.start(name, propto);
    call.open(tape, kinds.charCodeAt(0), list[0][0], x);
    if (count > 1) call.open(tape, kinds.charCodeAt(1), list[1][0], y);
    if (count > 2) call.open(tape, kinds.charCodeAt(2), list[2][0], z);
    if (count > 3) call.open(tape, kinds.charCodeAt(3), list[3][0], w);
    call.agreeSizes();
    if (call.n === 0) return finishEmpty(tape);
    const edges = call.placeEdges(tape);
    call.check(list);
    return finish(tape, edges, kernel(call, a, b, c, d));
  };
}

/** A density of any number of operands, as many as there are kinds. */
export function densityOf(
  name: string,
  labels: readonly string[],
  kernel: (call: DensityCall, operands: readonly Operand[]) => number,
): Density {
  return (tape, propto, kinds, ...args) => {
    call.start(name, propto);
    const operands = args.map((x, k) => call.open(tape, kinds.charCodeAt(k), labels[k], x));
    call.agreeSizes();
    if (call.n === 0) return finishEmpty(tape);
    const edges = call.placeEdges(tape);
    return finish(tape, edges, kernel(call, operands));
  };
}

/** What a density of vectors and matrices receives: its operands, and the arguments for their shapes. */
export interface PlainStep {
  readonly call: DensityCall;
  readonly operands: readonly Operand[];
  readonly args: readonly unknown[];
  /** One string per argument: `V`, `[R`, `M`. */
  readonly kinds: readonly string[];
}

const kindLists = new Map<string, readonly string[]>();

/** `'[Vvi'` → `['[V', 'v', 'i']`. */
export function splitKinds(kinds: string): readonly string[] {
  let list = kindLists.get(kinds);
  if (list === undefined) {
    list = kinds.match(/\[*[a-zA-Z]/g) ?? [];
    kindLists.set(kinds, list);
  }
  return list;
}

/** A density whose arguments keep their own sizes: vectors, matrices and arrays of vectors. */
export function plainDensity(
  name: string,
  labels: readonly string[],
  kernel: (step: PlainStep) => number,
): Density {
  return (tape, propto, kindText, ...args) => {
    const kinds = splitKinds(kindText);
    call.start(name, propto);
    const operands = kinds.map((kind, k) => call.openNested(tape, kind, labels[k], args[k]));
    const edges = call.placeEdges(tape);
    return finish(tape, edges, kernel({ call, operands, args, kinds }));
  };
}
