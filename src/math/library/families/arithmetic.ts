/** Operators on numbers and slots: `+ - * / ^`, integer division and remainder. */
import type { Tape } from '../../autodiff/tape.ts';
import { DomainError } from '../../errors.ts';
import type { LibraryFunction, LibraryPart } from '../machinery/implementation.ts';

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

/** By the kinds of both operands: data (`r`) or active (`v`). */
type Pairs = Readonly<Record<'rr' | 'rv' | 'vr' | 'vv', LibraryFunction>>;

const sums: Pairs = {
  rr: (a: number, b: number) => a + b,
  rv: (tape: Tape, a: number, b: number) => tape.row1(tape.value[b] + a, b, 1),
  vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] + b, a, 1),
  vv: (tape: Tape, a: number, b: number) => tape.row2(tape.value[a] + tape.value[b], a, 1, b, 1),
};

const differences: Pairs = {
  rr: (a: number, b: number) => a - b,
  rv: (tape: Tape, a: number, b: number) => tape.row1(a - tape.value[b], b, -1),
  vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] - b, a, 1),
  vv: (tape: Tape, a: number, b: number) => tape.row2(tape.value[a] - tape.value[b], a, 1, b, -1),
};

const products: Pairs = {
  rr: (a: number, b: number) => a * b,
  rv: (tape: Tape, a: number, b: number) => tape.row1(tape.value[b] * a, b, a),
  vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] * b, a, b),
  vv: (tape: Tape, a: number, b: number) => {
    const x = tape.value[a];
    const y = tape.value[b];
    return tape.row2(x * y, a, y, b, x);
  },
};

const quotients: Pairs = {
  rr: (a: number, b: number) => a / b,
  rv: (tape: Tape, a: number, b: number) => {
    const y = tape.value[b];
    return tape.row1(a / y, b, -a / (y * y));
  },
  vr: (tape: Tape, a: number, b: number) => tape.row1(tape.value[a] / b, a, 1 / b),
  vv: (tape: Tape, a: number, b: number) => {
    const y = tape.value[b];
    const value = tape.value[a] / y;
    return tape.row2(value, a, 1 / y, b, -value / y);
  },
};

const powers: Pairs = {
  rr: power,
  rv: (tape: Tape, x: number, b: number) => {
    const value = power(x, tape.value[b]);
    return tape.row1(value, b, powerByExponent(x, value));
  },
  vr: (tape: Tape, a: number, y: number) => {
    const x = tape.value[a];
    return tape.row1(power(x, y), a, powerByBase(x, y));
  },
  vv: (tape: Tape, a: number, b: number) => {
    const x = tape.value[a];
    const y = tape.value[b];
    const value = power(x, y);
    return tape.row2(value, a, powerByBase(x, y), b, powerByExponent(x, value));
  },
};

/** One operator under each of its names. */
function operator(names: readonly string[], pairs: Pairs): LibraryPart {
  return Object.fromEntries(
    names.flatMap((name) => Object.entries(pairs).map(([kinds, f]) => [`${name}__${kinds}`, f])),
  );
}

export const arithmeticPart: LibraryPart = {
  ...operator(['add'], sums),
  ...operator(['subtract'], differences),
  ...operator(['multiply', 'elt_multiply'], products),
  ...operator(['divide', 'elt_divide'], quotients),
  ...operator(['pow', 'elt_pow'], powers),
  add__ii: (a: number, b: number) => (a + b) | 0,
  subtract__ii: (a: number, b: number) => (a - b) | 0,
  multiply__ii: Math.imul,
  divide__ii: divideInts,
  modulus__ii: modulusInts,
  minus__i: (a: number) => (0 - a) | 0,
  minus__r: (a: number) => -a,
  minus__v: (tape: Tape, a: number) => tape.row1(-tape.value[a], a, -1),
};
