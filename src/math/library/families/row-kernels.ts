/**
 * Kernels that record one row per vector element. Operands are lists of slots or numbers, with scalars repeated, so
 * no loop has branches. Each returns the first of the n new slots.
 */
import type { ActiveMatrix, ActiveVector } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { power, powerByBase, powerByExponent } from './arithmetic.ts';

// Lists used during one kernel call: one for each operand.
const slotScratch = [new Int32Array(64), new Int32Array(64)];
const realScratch = [new Float64Array(64), new Float64Array(64)];

/** The slots of the n elements of `x`; valid until the next list for the same `operand`. */
export function operandSlots(
  x: ActiveVector | ActiveMatrix,
  n: number,
  operand: 0 | 1,
): Int32Array {
  if (x.slots !== null) return x.slots;
  const list = slotList(n, operand);
  for (let i = 0, s = x.base; i < n; i++, s++) list[i] = s;
  return list;
}

export function repeatSlot(slot: number, n: number, operand: 0 | 1): Int32Array {
  return slotList(n, operand).fill(slot, 0, n);
}

export function repeatReal(x: number, n: number, operand: 0 | 1): Float64Array {
  if (realScratch[operand].length < n) realScratch[operand] = new Float64Array(2 * n);
  return realScratch[operand].fill(x, 0, n);
}

function slotList(n: number, operand: 0 | 1): Int32Array {
  if (slotScratch[operand].length < n) slotScratch[operand] = new Int32Array(2 * n);
  return slotScratch[operand];
}

/** Makes room for n rows of `edges` edges each and returns where they start. */
function startRows(tape: Tape, n: number, edges: number): number {
  tape.reserveSlots(n);
  tape.reserveEdges(n * edges);
  return tape.numSlots;
}

function endRows(tape: Tape, n: number, edges: number): number {
  const first = tape.numSlots;
  tape.numSlots += n;
  tape.numEdges += n * edges;
  return first;
}

/** Two signs or factors: `a` for the first operand, `b` for the second. */
interface Factors {
  readonly a: number;
  readonly b: number;
}

/** factors.a · x + factors.b · y. */
export function linearRows(tape: Tape, x: Int32Array, y: Int32Array, n: number, factors: Factors) {
  startRows(tape, n, 2);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  const { a, b } = factors;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    value[s] = a * value[x[i]] + b * value[y[i]];
    edgeSlot[e] = x[i];
    edgePartial[e++] = a;
    edgeSlot[e] = y[i];
    edgePartial[e++] = b;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 2);
}

/** factors.a · x + factors.b · data. */
export function linearRowsData(
  tape: Tape,
  x: Int32Array,
  data: Float64Array,
  n: number,
  factors: Factors,
) {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  const { a, b } = factors;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    value[s] = a * value[x[i]] + b * data[i];
    edgeSlot[e] = x[i];
    edgePartial[e++] = a;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** −x. */
export function minusRows(tape: Tape, x: Int32Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    value[s] = -value[x[i]];
    edgeSlot[e] = x[i];
    edgePartial[e++] = -1;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** x · y. */
export function multiplyRows(tape: Tape, x: Int32Array, y: Int32Array, n: number): number {
  startRows(tape, n, 2);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const a = value[x[i]];
    const b = value[y[i]];
    value[s] = a * b;
    edgeSlot[e] = x[i];
    edgePartial[e++] = b;
    edgeSlot[e] = y[i];
    edgePartial[e++] = a;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 2);
}

/** x · data. */
export function multiplyRowsData(tape: Tape, x: Int32Array, data: Float64Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    value[s] = value[x[i]] * data[i];
    edgeSlot[e] = x[i];
    edgePartial[e++] = data[i];
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** x ÷ y. */
export function divideRows(tape: Tape, x: Int32Array, y: Int32Array, n: number): number {
  startRows(tape, n, 2);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const b = value[y[i]];
    const ratio = value[x[i]] / b;
    value[s] = ratio;
    edgeSlot[e] = x[i];
    edgePartial[e++] = 1 / b;
    edgeSlot[e] = y[i];
    edgePartial[e++] = -ratio / b;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 2);
}

/** x ÷ data. */
export function divideRowsByData(tape: Tape, x: Int32Array, data: Float64Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    value[s] = value[x[i]] / data[i];
    edgeSlot[e] = x[i];
    edgePartial[e++] = 1 / data[i];
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** data ÷ y. */
export function divideDataByRows(tape: Tape, data: Float64Array, y: Int32Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const b = value[y[i]];
    const ratio = data[i] / b;
    value[s] = ratio;
    edgeSlot[e] = y[i];
    edgePartial[e++] = -ratio / b;
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** x ^ y. */
export function powRows(tape: Tape, x: Int32Array, y: Int32Array, n: number): number {
  startRows(tape, n, 2);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const a = value[x[i]];
    const b = value[y[i]];
    const result = power(a, b);
    value[s] = result;
    edgeSlot[e] = x[i];
    edgePartial[e++] = powerByBase(a, b);
    edgeSlot[e] = y[i];
    edgePartial[e++] = powerByExponent(a, result);
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 2);
}

/** x ^ data. */
export function powRowsByData(tape: Tape, x: Int32Array, data: Float64Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const a = value[x[i]];
    value[s] = power(a, data[i]);
    edgeSlot[e] = x[i];
    edgePartial[e++] = powerByBase(a, data[i]);
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}

/** data ^ y. */
export function powDataByRows(tape: Tape, data: Float64Array, y: Int32Array, n: number): number {
  startRows(tape, n, 1);
  const { value, edgeEnd, edgeSlot, edgePartial } = tape;
  for (let i = 0, s = tape.numSlots, e = tape.numEdges; i < n; i++, s++) {
    const result = power(data[i], value[y[i]]);
    value[s] = result;
    edgeSlot[e] = y[i];
    edgePartial[e++] = powerByExponent(data[i], result);
    edgeEnd[s] = e;
  }
  return endRows(tape, n, 1);
}
