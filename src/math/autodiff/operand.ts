/**
 * One argument of a vectorised function, whatever its kind: a kernel sees values at (array, start, stride) and adds
 * partial derivatives at (array, start, stride), so one loop serves every mix of scalar and container, data and active.
 *
 * Operands are pooled and reused: do not keep a reference to one after the function returns.
 */
import { DomainError, ShapeError } from '../errors.ts';
import { type ActiveMatrix, type ActiveVector, type Matrix, slotAt } from './containers.ts';
import type { Tape } from './tape.ts';

const empty = new Float64Array(0);

export class Operand {
  /** What messages call it: "Scale parameter". */
  label = '';
  values: Float64Array = empty;
  start = 0;
  /** 0 for a scalar, which every element shares, 1 for a container. */
  stride: 0 | 1 = 0;
  /** Number of elements; 1 for a scalar. */
  size = 1;
  active = false;
  /** Where partial derivatives are added; only for active operands. */
  partials: Float64Array = empty;
  partialStart = 0;
  base = 0;
  slots: Int32Array | null = null;
  private gathered = new Float64Array(4);
  private readonly derived: Float64Array[] = [];

  /** Element `i` (0-based); a scalar gives the same value for every `i`. */
  at(i: number): number {
    return this.values[this.start + i * this.stride];
  }

  /** Adds `d` to the partial derivative of element `i`. */
  add(i: number, d: number): void {
    this.partials[this.partialStart + i * this.stride] += d;
  }

  /** The slot of element `i` of an active operand. */
  slot(i: number): number {
    return this.slots === null ? this.base + i * this.stride : this.slots[i];
  }

  /** Points this operand at `argument` of the kind with letter code `kind` (see containers.ts). */
  open(tape: Tape | null, kind: number, argument: unknown): void {
    this.slots = null;
    this.active = false;
    switch (kind) {
      case kindCode.i:
      case kindCode.r:
        this.gathered[0] = argument as number;
        this.place(this.gathered, 0, 0, 1);
        return;
      case kindCode.v:
        this.active = true;
        this.base = argument as number;
        this.place((tape as Tape).value, this.base, 0, 1);
        return;
      case kindCode.R:
        this.place(argument as Float64Array, 0, 1, (argument as Float64Array).length);
        return;
      case kindCode.M:
        this.place((argument as Matrix).data, 0, 1, (argument as Matrix).data.length);
        return;
      case kindCode.I:
        this.openInts(argument as Int32Array);
        return;
      case kindCode.V:
        this.openActive(tape as Tape, argument as ActiveVector, (argument as ActiveVector).n);
        return;
      case kindCode.W: {
        const w = argument as ActiveMatrix;
        this.openActive(tape as Tape, w, w.rows * w.cols);
        return;
      }
      default:
        throw new ShapeError(`no operand of kind '${String.fromCharCode(kind)}' here`);
    }
  }

  /** Opens an array (of arrays …) of vectors as one long container; `kind` is its full text, `[R`, `[V`, `[[I` …. */
  openNested(tape: Tape | null, kind: string, argument: unknown): void {
    if (!kind.startsWith('[')) {
      this.open(tape, kind.charCodeAt(0), argument);
      return;
    }
    const leaves = (argument as readonly unknown[]).flat(kind.lastIndexOf('[')) as (
      | Float64Array
      | Int32Array
      | ActiveVector
    )[];
    this.active = kind.endsWith('V');
    const n = leaves.reduce((sum, leaf) => sum + ('n' in leaf ? leaf.n : leaf.length), 0);
    this.makeRoom(n);
    this.slots = this.active ? new Int32Array(n) : null;
    let at = 0;
    for (const leaf of leaves) {
      if (!('n' in leaf)) {
        this.gathered.set(leaf, at);
        at += leaf.length;
        continue;
      }
      for (let i = 0; i < leaf.n; i++, at++) {
        const slot = slotAt(leaf, i);
        (this.slots as Int32Array)[at] = slot;
        this.gathered[at] = (tape as Tape).value[slot];
      }
    }
    this.place(this.gathered, 0, 1, n);
  }

  private place(values: Float64Array, start: number, stride: 0 | 1, size: number): void {
    this.values = values;
    this.start = start;
    this.stride = stride;
    this.size = size;
  }

  private openInts(x: Int32Array): void {
    const n = x.length;
    this.makeRoom(n);
    this.gathered.set(x);
    this.place(this.gathered, 0, 1, n);
  }

  private openActive(tape: Tape, x: ActiveVector | ActiveMatrix, n: number): void {
    this.active = true;
    this.base = x.base;
    this.slots = x.slots;
    if (x.slots === null) {
      this.place(tape.value, x.base, 1, n);
      return;
    }
    this.makeRoom(n);
    const { gathered } = this;
    const { value } = tape;
    for (let i = 0; i < n; i++) gathered[i] = value[x.slots[i]];
    this.place(gathered, 0, 1, n);
  }

  private makeRoom(n: number): void {
    if (this.gathered.length < n) this.gathered = new Float64Array(2 * n);
  }

  /**
   * f of every element, computed once for a scalar; read it at `i * stride`. `k` (0, 1, …) distinguishes several such
   * arrays of the same operand.
   */
  derive(k: number, f: (x: number) => number): Float64Array {
    const n = this.stride === 0 ? 1 : this.size;
    let out = this.derived[k];
    if (out === undefined || out.length < n) {
      out = new Float64Array(Math.max(4, 2 * n));
      this.derived[k] = out;
    }
    for (let i = 0; i < n; i++) out[i] = f(this.values[this.start + i]);
    return out;
  }

  /** Writes the operand slots of this operand's edges from `edge` on, so that partials can be added there. */
  placeEdges(tape: Tape, edge: number): void {
    const { edgeSlot, edgePartial } = tape;
    const { size, base, slots } = this;
    this.partials = edgePartial;
    this.partialStart = edge;
    if (this.stride === 0) {
      edgeSlot[edge] = base;
      edgePartial[edge] = 0;
      return;
    }
    if (slots === null) for (let i = 0; i < size; i++) edgeSlot[edge + i] = base + i;
    else for (let i = 0; i < size; i++) edgeSlot[edge + i] = slots[i];
    edgePartial.fill(0, edge, edge + size);
  }

  /** Throws the {@link DomainError} of `functionName` for element `i`: "… is -1, but must be positive". */
  fail(functionName: string, i: number, requirement: string): never {
    const index = this.stride === 0 ? '' : `[${i + 1}]`;
    throw new DomainError(
      `${functionName}: ${this.label}${index} is ${messageNumber(this.at(i))}, but must be ${requirement}`,
    );
  }
}

export const kindCode = {
  i: 105,
  r: 114,
  v: 118,
  I: 73,
  R: 82,
  V: 86,
  M: 77,
  W: 87,
  nested: 91,
} as const;

/** Formats numbers in messages as Stan prints them. */
export function messageNumber(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (x === Infinity) return 'inf';
  if (x === -Infinity) return '-inf';
  return String(Number.isInteger(x) ? x : Number(x.toPrecision(6)));
}
