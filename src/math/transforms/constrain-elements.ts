/** Drives a scalar constraint over the elements of a free value, with data or active, scalar or container parameters. */
import { ActiveMatrix, ActiveVector, Matrix } from '../autodiff/containers.ts';
import { kindCode, messageNumber, Operand } from '../autodiff/operand.ts';
import type { Tape } from '../autodiff/tape.ts';
import { DomainError, ShapeError } from '../errors.ts';
import type { JacobianSink } from './jacobian-sink.ts';
import { type ScalarConstrain, type ScalarFree, ScalarStep } from './scalar-constraints.ts';

const step = new ScalarStep();
const free = new Operand();
const first = new Operand();
const second = new Operand();

/** `<kind>_constrain(tape | null, jacobian | null, kinds, x, ...params)`, see library/families/constraints.ts. */
export type Constrain = (
  tape: Tape | null,
  jacobian: JacobianSink | null,
  kinds: string,
  x: unknown,
  ...params: unknown[]
) => unknown;

/** Checks parameters element by element before the transform; throws DomainError. */
export type ParameterCheck = (a: number, b: number) => string | null;

export function constrainElements(
  name: string,
  transform: ScalarConstrain,
  check: ParameterCheck,
): Constrain {
  return (tape, jacobian, kinds, x, a, b) => {
    if (tape !== null && typeof a === 'number' && isScalarWithNumbers(kinds)) {
      const upper = typeof b === 'number' ? b : 0;
      const fault = check(a, upper);
      if (fault !== null) throw new DomainError(`${name}: ${fault}`);
      return recordScalar(tape, jacobian, transform, { x: x as number, a, b: upper });
    }
    const kind = kinds.charCodeAt(0);
    const isActive = kind === kindCode.v || kind === kindCode.V || kind === kindCode.W;
    // reserve slots for the results first: growing the tape would move the values that operands point to
    const n = sizeOf(kind, x);
    if (isActive && tape !== null) tape.reserveSlots(n + 1);
    free.open(tape, kind, x);
    first.open(tape, kinds.charCodeAt(1), a);
    if (kinds.length > 2) second.open(tape, kinds.charCodeAt(2), b);
    else second.open(tape, kindCode.r, 0);
    checkSizes(name, n);
    checkParameters(name, check, n);
    if (tape === null || !isActive) return dataResult(kind, x, transform, n);
    const base = tape.numSlots;
    const slot = recordElements(tape, transform, n, jacobian !== null);
    if (jacobian !== null) jacobian.add(slot);
    return activeResult(kind, x, base, n);
  };
}

/** A free number whose parameters are data numbers, as in most declarations. */
function isScalarWithNumbers(kinds: string): boolean {
  if (kinds === 'vi' || kinds === 'vr') return true;
  return kinds === 'vii' || kinds === 'vir' || kinds === 'vri' || kinds === 'vrr';
}

interface ScalarArguments {
  /** A slot. */
  readonly x: number;
  readonly a: number;
  readonly b: number;
}

/** Two rows of one edge each, without the overhead for containers. Returns the slot of the constrained value. */
function recordScalar(
  tape: Tape,
  jacobian: JacobianSink | null,
  transform: ScalarConstrain,
  { x, a, b }: ScalarArguments,
): number {
  transform(step, tape.value[x], a, b);
  const slot = tape.row1(step.x, x, step.du);
  if (jacobian !== null) jacobian.add(tape.row1(step.logJacobian, x, step.jacobianDu));
  return slot;
}

function sizeOf(kind: number, x: unknown): number {
  switch (kind) {
    case kindCode.V:
      return (x as ActiveVector).n;
    case kindCode.W:
      return (x as ActiveMatrix).rows * (x as ActiveMatrix).cols;
    case kindCode.R:
      return (x as Float64Array).length;
    case kindCode.M:
      return (x as Matrix).data.length;
    default:
      return 1;
  }
}

function checkSizes(name: string, n: number): void {
  for (const operand of [first, second]) {
    if (operand.stride === 1 && operand.size !== n) {
      throw new ShapeError(`${name}: ${operand.size} bounds for ${n} elements`);
    }
  }
}

function checkParameters(name: string, check: ParameterCheck, n: number): void {
  const count = first.stride === 0 && second.stride === 0 ? Math.min(n, 1) : n;
  for (let i = 0; i < count; i++) {
    const fault = check(first.at(i), second.at(i));
    if (fault !== null) throw new DomainError(`${name}: ${fault}`);
  }
}

function dataResult(kind: number, x: unknown, transform: ScalarConstrain, n: number): unknown {
  if (kind === kindCode.r || kind === kindCode.i) {
    transform(step, free.at(0), first.at(0), second.at(0));
    return step.x;
  }
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    transform(step, free.at(i), first.at(i), second.at(i));
    out[i] = step.x;
  }
  if (kind === kindCode.M) return new Matrix((x as Matrix).rows, (x as Matrix).cols, out);
  return out;
}

function activeResult(kind: number, x: unknown, base: number, n: number): unknown {
  if (kind === kindCode.v) return base;
  if (kind === kindCode.V) return new ActiveVector(n, base);
  return new ActiveMatrix((x as ActiveMatrix).rows, (x as ActiveMatrix).cols, base);
}

/**
 * One row per element, plus one with `hasJacobian`: the sum of log |dx/du| over the elements. Returns the last slot.
 */
function recordElements(
  tape: Tape,
  transform: ScalarConstrain,
  n: number,
  hasJacobian: boolean,
): number {
  const edges = 1 + (first.active ? 1 : 0) + (second.active ? 1 : 0);
  const jacobianEdges = n + (first.active ? first.size : 0) + (second.active ? second.size : 0);
  tape.reserveEdges(n * edges + (hasJacobian ? jacobianEdges : 0));
  const { edgeSlot, edgePartial } = tape;
  // after the edges of the elements, whose rows end one by one before this one does
  if (hasJacobian) placeJacobian(tape, tape.numEdges + n * edges);
  let sum = 0;
  let slot = 0;
  for (let i = 0; i < n; i++) {
    transform(step, free.at(i), first.at(i), second.at(i));
    let e = tape.numEdges;
    edgeSlot[e] = free.slot(i);
    edgePartial[e++] = step.du;
    if (first.active) {
      edgeSlot[e] = first.slot(i);
      edgePartial[e++] = step.da;
    }
    if (second.active) {
      edgeSlot[e] = second.slot(i);
      edgePartial[e++] = step.db;
    }
    if (hasJacobian) {
      sum += step.logJacobian;
      free.add(i, step.jacobianDu);
      if (first.active) first.add(i, step.jacobianDa);
      if (second.active) second.add(i, step.jacobianDb);
    }
    slot = tape.endRow(step.x, edges);
  }
  return hasJacobian ? tape.endRow(sum, jacobianEdges) : slot;
}

function placeJacobian(tape: Tape, from: number): void {
  let edge = from;
  for (const operand of [free, first, second]) {
    if (!operand.active) continue;
    operand.placeEdges(tape, edge);
    edge += operand.size;
  }
}

/** `<kind>_free(x, ...params)`: data in, data out, in the container of `x`. */
export function freeElements(
  name: string,
  inverse: ScalarFree,
  requirement: (a: number, b: number) => string,
): (x: number | Float64Array | Matrix, a: unknown, b?: unknown) => number | Float64Array | Matrix {
  return (x, a, b = 0) => {
    const at = (parameter: unknown, i: number): number => {
      if (typeof parameter === 'number') return parameter;
      return parameter instanceof Matrix ? parameter.data[i] : (parameter as Float64Array)[i];
    };
    const one = (value: number, i: number, label: string): number => {
      const u = inverse(value, at(a, i), at(b, i));
      if (!Number.isNaN(u)) return u;
      const must = requirement(at(a, i), at(b, i));
      throw new DomainError(`${name}: ${label} is ${messageNumber(value)}, but must be ${must}`);
    };
    if (typeof x === 'number') return one(x, 0, 'value');
    const values = x instanceof Matrix ? x.data : x;
    const out = values.map((value, i) => one(value, i, `value[${i + 1}]`));
    return x instanceof Matrix ? new Matrix(x.rows, x.cols, out) : out;
  };
}
