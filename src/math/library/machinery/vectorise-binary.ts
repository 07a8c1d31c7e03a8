/** Turns a function of two reals and its derivatives into all the mixes of scalars and containers, data and active. */
import { ActiveMatrix, ActiveVector, Matrix } from '../../autodiff/containers.ts';
import { Operand } from '../../autodiff/operand.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryFunction } from './implementation.ts';

/** f(a, b) and its partial derivatives given a, b and f(a, b). */
export interface Binary {
  readonly f: (a: number, b: number) => number;
  readonly da: (a: number, b: number, fx: number) => number;
  readonly db: (a: number, b: number, fx: number) => number;
}

/** Which kinds an argument of a binary function may have. */
export type ArgumentClass = 'real' | 'int';

const scalarKinds = { real: ['r', 'v'], int: ['i'] } as const;
const containerKinds = { real: ['R', 'V', 'M', 'W'], int: ['I'] } as const;

/** Arrays of containers are offered up to this many dimensions around a vector or matrix. */
const maxNesting = 2;

const left = new Operand();
const right = new Operand();

const isActive = (kind: string): boolean => /[vVW]$/.test(kind);
const isMatrix = (kind: string): boolean => kind === 'M' || kind === 'W';
const isScalar = (kind: string): boolean => kind === 'i' || kind === 'r' || kind === 'v';

/** All forms of one function under `name__kinds`. */
export function binaryForms(
  name: string,
  binary: Binary,
  classes: readonly [ArgumentClass, ArgumentClass] = ['real', 'real'],
): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {};
  const [first, second] = classes;
  for (const a of scalarKinds[first]) {
    for (const b of scalarKinds[second]) out[`${name}__${a}${b}`] = scalarForm(binary, a, b);
    for (const b of containerKinds[second]) addContainerForms(out, name, binary, a, b);
  }
  for (const kind of ['M', 'W']) {
    if (first === 'int') addIntegerForm(out, name, binary, { kind, intsFirst: true });
    if (second === 'int') addIntegerForm(out, name, binary, { kind, intsFirst: false });
  }
  for (const a of containerKinds[first]) {
    for (const b of scalarKinds[second]) addContainerForms(out, name, binary, a, b);
    for (const b of containerKinds[second]) {
      // vectors pair with vectors, matrices with matrices
      if (isMatrix(a) === isMatrix(b)) addContainerForms(out, name, binary, a, b);
    }
  }
  return out;
}

function scalarForm(binary: Binary, a: string, b: string): LibraryFunction {
  const { f, da, db } = binary;
  if (!isActive(a) && !isActive(b)) return f;
  if (isActive(a) && isActive(b)) {
    return (tape: Tape, x: number, y: number) => {
      const u = tape.value[x];
      const v = tape.value[y];
      const fx = f(u, v);
      return tape.row2(fx, x, da(u, v, fx), y, db(u, v, fx));
    };
  }
  if (isActive(a)) {
    return (tape: Tape, x: number, v: number) => {
      const u = tape.value[x];
      const fx = f(u, v);
      return tape.row1(fx, x, da(u, v, fx));
    };
  }
  return (tape: Tape, u: number, y: number) => {
    const v = tape.value[y];
    const fx = f(u, v);
    return tape.row1(fx, y, db(u, v, fx));
  };
}

function addContainerForms(
  out: Record<string, LibraryFunction>,
  name: string,
  binary: Binary,
  a: string,
  b: string,
): void {
  const active = isActive(a) || isActive(b);
  let inner: (tape: Tape | null, x: unknown, y: unknown) => unknown = (tape, x, y) =>
    combine(tape, name, binary, { a, b, x, y });
  const addForm = (key: string, form: typeof inner): void => {
    out[key] = active ? form : (x: unknown, y: unknown) => form(null, x, y);
  };
  addForm(`${name}__${a}${b}`, inner);
  for (let depth = 1; depth <= maxNesting; depth++) {
    const element = inner;
    inner = (tape, x, y) => {
      const xs = x as readonly unknown[];
      const ys = y as readonly unknown[];
      if (isScalar(a)) return ys.map((e) => element(tape, x, e));
      if (isScalar(b)) return xs.map((e) => element(tape, e, y));
      checkSameSize(name, xs.length, ys.length);
      return xs.map((e, i) => element(tape, e, ys[i]));
    };
    const prefix = '['.repeat(depth);
    addForm(`${name}__${isScalar(a) ? a : prefix + a}${isScalar(b) ? b : prefix + b}`, inner);
  }
}

/** A matrix with a rectangular array of ints of its size. */
function addIntegerForm(
  out: Record<string, LibraryFunction>,
  name: string,
  binary: Binary,
  { kind, intsFirst }: { readonly kind: string; readonly intsFirst: boolean },
): void {
  const form = (tape: Tape | null, first: unknown, second: unknown): unknown => {
    const [ints, matrix] = (intsFirst ? [first, second] : [second, first]) as [
      readonly Int32Array[],
      Matrix | ActiveMatrix,
    ];
    const x = integerMatrix(name, ints, matrix);
    const [a, b] = intsFirst ? ['M', kind] : [kind, 'M'];
    const pair = intsFirst ? { x, y: matrix } : { x: matrix, y: x };
    return combine(tape, name, binary, { a, b, ...pair });
  };
  const key = intsFirst ? `${name}__[I${kind}` : `${name}__${kind}[I`;
  out[key] = isActive(kind) ? form : (x: unknown, y: unknown) => form(null, x, y);
}

function integerMatrix(
  name: string,
  ints: readonly Int32Array[],
  { rows, cols }: Pick<Matrix, 'rows' | 'cols'>,
): Matrix {
  checkSameSize(name, ints.length, rows);
  const data = new Float64Array(rows * cols);
  ints.forEach((row, i) => {
    checkSameSize(name, row.length, cols);
    row.forEach((value, j) => {
      data[i + j * rows] = value;
    });
  });
  return new Matrix(rows, cols, data);
}

function checkSameSize(name: string, n: number, m: number): void {
  if (n !== m) throw new ShapeError(`${name}: sizes ${n} and ${m} must match`);
}

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly x: unknown;
  readonly y: unknown;
}

function combine(tape: Tape | null, name: string, binary: Binary, pair: Pair): unknown {
  const { a, b, x, y } = pair;
  const shapeOf = isScalar(a) || y instanceof ActiveMatrix ? y : x;
  const n = sizeOf(shapeOf);
  const active = tape !== null && (isActive(a) || isActive(b));
  if (active) {
    tape.reserveSlots(n);
    tape.reserveEdges(2 * n);
  }
  left.open(tape, a.charCodeAt(0), x);
  right.open(tape, b.charCodeAt(0), y);
  if (left.stride === 1 && right.stride === 1) {
    checkSameSize(name, left.size, right.size);
    if (isMatrix(a)) checkSameSize(name, (x as Matrix).rows, (y as Matrix).rows);
  }
  if (!active) {
    const values = new Float64Array(n);
    for (let i = 0; i < n; i++) values[i] = binary.f(left.at(i), right.at(i));
    return shapeOf instanceof Matrix ? new Matrix(shapeOf.rows, shapeOf.cols, values) : values;
  }
  const first = recordPairs(tape, binary, n);
  if (shapeOf instanceof Matrix || shapeOf instanceof ActiveMatrix) {
    return new ActiveMatrix(shapeOf.rows, shapeOf.cols, first);
  }
  return new ActiveVector(n, first);
}

function sizeOf(x: unknown): number {
  if (x instanceof ActiveVector) return x.n;
  if (x instanceof Matrix || x instanceof ActiveMatrix) return x.rows * x.cols;
  return (x as Float64Array).length;
}

/** One row per element; returns the first of n consecutive slots. */
function recordPairs(tape: Tape, binary: Binary, n: number): number {
  const { edgeSlot, edgePartial } = tape;
  const { f, da, db } = binary;
  const base = tape.numSlots;
  for (let i = 0; i < n; i++) {
    const u = left.at(i);
    const v = right.at(i);
    const fx = f(u, v);
    let e = tape.numEdges;
    if (left.active) {
      edgeSlot[e] = left.slot(i);
      edgePartial[e++] = da(u, v, fx);
    }
    if (right.active) {
      edgeSlot[e] = right.slot(i);
      edgePartial[e++] = db(u, v, fx);
    }
    tape.endRow(fx, e - tape.numEdges);
  }
  return base;
}
