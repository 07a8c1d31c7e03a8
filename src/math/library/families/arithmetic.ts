/** Operators on numbers and slots: `+ - * / ^`, integer division and remainder. */
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

/** a ÷ b towards zero, as C++ and Stan do. */
function divideInts(a: number, b: number): number {
  if (b === 0) throw new DomainError(`integer division of ${a} by zero`);
  return Math.trunc(a / b) | 0;
}

/** The remainder of {@link divideInts}: it has the sign of `a`. */
function modulusInts(a: number, b: number): number {
  if (b === 0) throw new DomainError(`remainder of ${a} divided by zero`);
  return (a % b) | 0;
}

/** x^y; JavaScript differs from C only if x is ±1 and y is infinite or NaN. */
export function power(x: number, y: number): number {
  return x === 1 ? 1 : x ** y;
}

/** d/dx of x^y. */
export function powerByBase(x: number, y: number): number {
  return y === 0 ? 0 : y * power(x, y - 1);
}

/** d/dy of x^y = `value`; 0 where x is 0, since 0^y stays 0 around y > 0. */
export function powerByExponent(x: number, value: number): number {
  return x === 0 ? 0 : value * Math.log(x);
}

function addActive(tape: Tape, a: number, b: number): number {
  return tape.row2(tape.value[a] + tape.value[b], a, 1, b, 1);
}
function addData(tape: Tape, a: number, b: number): number {
  return tape.row1(tape.value[a] + b, a, 1);
}
function subtractActive(tape: Tape, a: number, b: number): number {
  return tape.row2(tape.value[a] - tape.value[b], a, 1, b, -1);
}
function multiplyActive(tape: Tape, a: number, b: number): number {
  const x = tape.value[a];
  const y = tape.value[b];
  return tape.row2(x * y, a, y, b, x);
}
function multiplyData(tape: Tape, a: number, b: number): number {
  return tape.row1(tape.value[a] * b, a, b);
}
function divideActive(tape: Tape, a: number, b: number): number {
  const y = tape.value[b];
  const value = tape.value[a] / y;
  return tape.row2(value, a, 1 / y, b, -value / y);
}
function divideDataByActive(tape: Tape, a: number, b: number): number {
  const y = tape.value[b];
  return tape.row1(a / y, b, -a / (y * y));
}
function powActive(tape: Tape, a: number, b: number): number {
  const x = tape.value[a];
  const y = tape.value[b];
  const value = power(x, y);
  return tape.row2(value, a, powerByBase(x, y), b, powerByExponent(x, value));
}
function powOfActive(tape: Tape, a: number, y: number): number {
  const x = tape.value[a];
  return tape.row1(power(x, y), a, powerByBase(x, y));
}
function powOfData(tape: Tape, x: number, b: number): number {
  const value = power(x, tape.value[b]);
  return tape.row1(value, b, powerByExponent(x, value));
}

const powers = {
  rr: power,
  rv: powOfData,
  vr: powOfActive,
  vv: powActive,
};

const products = {
  rr: (a: number, b: number) => a * b,
  rv: (tape: Tape, a: number, b: number) => multiplyData(tape, b, a),
  vr: multiplyData,
  vv: multiplyActive,
};

const quotients = {
  rr: (a: number, b: number) => a / b,
  rv: divideDataByActive,
  vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] / b, a, 1 / b),
  vv: divideActive,
};

export const arithmeticPart: LibraryPart = {
  add__ii: (a: number, b: number) => (a + b) | 0,
  add__rr: (a: number, b: number) => a + b,
  add__rv: (tape: Tape, a: number, b: number) => addData(tape, b, a),
  add__vr: addData,
  add__vv: addActive,
  subtract__ii: (a: number, b: number) => (a - b) | 0,
  subtract__rr: (a: number, b: number) => a - b,
  subtract__rv: (tape: Tape, a: number, b: number) => tape.row1(a - tape.value[b], b, -1),
  subtract__vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] - b, a, 1),
  subtract__vv: subtractActive,
  multiply__ii: Math.imul,
  multiply__rr: products.rr,
  multiply__rv: products.rv,
  multiply__vr: products.vr,
  multiply__vv: products.vv,
  elt_multiply__rr: products.rr,
  elt_multiply__rv: products.rv,
  elt_multiply__vr: products.vr,
  elt_multiply__vv: products.vv,
  divide__ii: divideInts,
  divide__rr: quotients.rr,
  divide__rv: quotients.rv,
  divide__vr: quotients.vr,
  divide__vv: quotients.vv,
  elt_divide__rr: quotients.rr,
  elt_divide__rv: quotients.rv,
  elt_divide__vr: quotients.vr,
  elt_divide__vv: quotients.vv,
  modulus__ii: modulusInts,
  pow__rr: powers.rr,
  pow__rv: powers.rv,
  pow__vr: powers.vr,
  pow__vv: powers.vv,
  elt_pow__rr: powers.rr,
  elt_pow__rv: powers.rv,
  elt_pow__vr: powers.vr,
  elt_pow__vv: powers.vv,
  minus__i: (a: number) => (0 - a) | 0,
  minus__r: (a: number) => -a,
  minus__v: (tape: Tape, a: number) => tape.row1(-tape.value[a], a, -1),
};
