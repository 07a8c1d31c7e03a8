/**
 * exp and log1p by tables and short polynomials (Tang 1989, "Table-driven implementation of the exponential function in
 * IEEE floating-point arithmetic"), for loops over elements. The built-in ones branch on the size of their
 * argument; if arguments are practically random, mispredicted branches cost more than the arithmetic. Identical to the
 * last bit on every machine, since only additions and products are used; within an ulp of the exact value.
 */

const parts = 64;
const partsPerLog2 = parts / Math.LN2;
/** log 2 ÷ 64 as two numbers; products of the first with integers up to 2¹⁸ are exact. */
const high = 0.010830424667801708;
const low = 2.8447437476627285e-11;
/** 2^(i/64). */
const roots = Float64Array.from({ length: parts }, (_, i) => 2 ** (i / parts));
const middle = 1024;
/** 2^(i − 1024). */
const powers = Float64Array.from({ length: 2 * middle }, (_, i) => 2 ** (i - middle));
const mostExact = 700;

export function tableExp(x: number): number {
  if (!(x <= mostExact && x >= -mostExact)) return Math.exp(x);
  const k = Math.floor(x * partsPerLog2 + 0.5) | 0;
  const r = x - k * high - k * low;
  const tail = r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120))));
  const root = roots[k & (parts - 1)];
  return (root + root * (r + tail)) * powers[(k >> 6) + middle];
}

const inverses = Float64Array.from({ length: parts + 1 }, (_, i) => parts / (parts + i));
const logs = Float64Array.from({ length: parts + 1 }, (_, i) => Math.log1p(i / parts));

/** log1p(x) of a number from 0 to 1. */
export function tableLog1p(x: number): number {
  const i = (x * parts + 0.5) | 0;
  const r = (x - i / parts) * inverses[i];
  const tail = 1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7 - r * (1 / 8))));
  return logs[i] + (r - r * r * (0.5 - r * (1 / 3 - r * tail)));
}
