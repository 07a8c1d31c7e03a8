/** Turns a scalar function and its derivative into all the forms the language offers: scalars, containers, arrays. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import type { LibraryFunction } from './implementation.ts';

/** f(x), and df(x, f(x)) its derivative. */
export interface Unary {
  readonly f: (x: number) => number;
  readonly df: (x: number, fx: number) => number;
}

/** Arrays of containers are offered up to this many dimensions around a vector or matrix. */
const maxNesting = 3;

/** f of `n` active elements, one row each; returns the first of n consecutive slots. */
function mapActive(tape: Tape, x: ActiveVector | ActiveMatrix, n: number, unary: Unary): number {
  tape.reserveSlots(n);
  tape.reserveEdges(n);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  const { f, df } = unary;
  const { base, slots } = x;
  const first = tape.numSlots;
  const edge = tape.numEdges;
  for (let i = 0; i < n; i++) {
    const slot = slots === null ? base + i : slots[i];
    const v = value[slot];
    const fx = f(v);
    value[first + i] = fx;
    edgeSlot[edge + i] = slot;
    edgePartial[edge + i] = df(v, fx);
    edgeEnd[first + i] = edge + i + 1;
  }
  tape.numSlots = first + n;
  tape.numEdges = edge + n;
  return first;
}

function mapData(x: Float64Array, f: (x: number) => number): Float64Array {
  const out = new Float64Array(x.length);
  for (let i = 0; i < x.length; i++) out[i] = f(x[i]);
  return out;
}

/** All forms of one function under their keys: `name__r`, `name__v`, `name__R` … and `name__[R`, `name__[[V` …. */
export function unaryForms(name: string, unary: Unary): Record<string, LibraryFunction> {
  const { f, df } = unary;
  const forms: Record<string, LibraryFunction> = {
    r: (x: number) => f(x),
    v: (tape: Tape, x: number) => {
      const v = tape.value[x];
      const fx = f(v);
      return tape.row1(fx, x, df(v, fx));
    },
    R: (x: Float64Array) => mapData(x, f),
    V: (tape: Tape, x: ActiveVector) => new ActiveVector(x.n, mapActive(tape, x, x.n, unary)),
    M: (x: Matrix) => new Matrix(x.rows, x.cols, mapData(x.data, f)),
    W: (tape: Tape, x: ActiveMatrix) =>
      new ActiveMatrix(x.rows, x.cols, mapActive(tape, x, x.rows * x.cols, unary)),
  };
  return withNesting(name, forms);
}

/** The same for functions that cannot be differentiated or whose derivative is 0 (step, round): active forms constant. */
export function stepForms(name: string, f: (x: number) => number): Record<string, LibraryFunction> {
  return unaryForms(name, { f, df: () => 0 });
}

/** Adds the forms for arrays, which map over their elements. */
function withNesting(
  name: string,
  forms: Record<string, LibraryFunction>,
): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  for (const [kind, form] of Object.entries(forms)) {
    out[`${name}__${kind}`] = form;
    if (kind === 'r' || kind === 'v') continue;
    const active = kind === 'V' || kind === 'W';
    let inner = form;
    for (let depth = 1; depth <= maxNesting; depth++) {
      const element = inner;
      inner = active
        ? (tape: Tape, x: readonly unknown[]) => x.map((e) => element(tape, e))
        : (x: readonly unknown[]) => x.map((e) => element(e));
      out[`${name}__${'['.repeat(depth)}${kind}`] = inner;
    }
  }
  return out;
}
