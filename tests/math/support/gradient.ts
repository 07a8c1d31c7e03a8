/** Calls a library function on numbers, records it on a tape and compares its gradient with central differences. */
import {
  ActiveMatrix,
  ActiveVector,
  Matrix,
  slotAt,
} from '../../../src/math/autodiff/containers.ts';
import { Tape } from '../../../src/math/autodiff/tape.ts';
import type { LibraryFunction } from '../../../src/math/library/machinery/implementation.ts';
import type { Rng } from '../../../src/math/random/rng.ts';
import type { Domain } from './domains.ts';

/** Vectors have this many elements, matrices as many rows and columns, arrays two, or as many as a matrix's rows next to one. */
const size = 3;
const arrayLength = 2;

/** An argument: its kind (`V`, `[R`, `M` …) and its numbers in order. */
export interface Argument {
  readonly kind: string;
  readonly numbers: Float64Array;
  readonly domain: Domain;
}

export const isActive = (kind: string): boolean => /[vVW]$/.test(kind);

export function splitKinds(kinds: string): string[] {
  return kinds.match(/\[*[a-zA-Z]/g) ?? [];
}

function depthOf(kind: string): number {
  return kind.lastIndexOf('[') + 1;
}

function leafSize(kind: string): number {
  const letter = kind.at(-1) as string;
  if ('irv'.includes(letter)) return 1;
  return 'MW'.includes(letter) ? size * size : size;
}

/** The elements of each array of a call: rows of ints next to a matrix have its shape. */
export function lengthOfArrays(kinds: readonly string[]): number {
  return kinds.some((kind) => /^[MW]$/.test(kind)) ? size : arrayLength;
}

export function drawArgument(
  rng: Rng,
  kind: string,
  domain: Domain,
  length = arrayLength,
): Argument {
  const letter = kind.at(-1) as string;
  const leaves = length ** depthOf(kind);
  const numbers: number[] = [];
  for (let k = 0; k < leaves; k++) {
    if ('MW'.includes(letter))
      numbers.push(...(domain.matrix?.(rng, size) ?? domain.numbers(rng, size * size)));
    else numbers.push(...domain.numbers(rng, leafSize(kind)));
  }
  return { kind, numbers: Float64Array.from(numbers), domain };
}

/** The argument as the library takes it; active ones start at slot `base`. */
export function build(kind: string, numbers: Float64Array, base: number): unknown {
  if (kind.startsWith('[')) {
    const inner = kind.slice(1);
    const leaves = numbers.length / leafSize(kind);
    const length = Math.round(leaves ** (1 / depthOf(kind)));
    const step = numbers.length / length;
    return Array.from({ length }, (_, k) =>
      build(inner, numbers.slice(k * step, (k + 1) * step), base + k * step),
    );
  }
  switch (kind) {
    case 'i':
    case 'r':
      return numbers[0];
    case 'v':
      return base;
    case 'I':
      return Int32Array.from(numbers);
    case 'R':
      return numbers.slice();
    case 'V':
      return new ActiveVector(numbers.length, base);
    case 'M':
      return new Matrix(size, size, numbers.slice());
    case 'W':
      return new ActiveMatrix(size, size, base);
    default:
      throw new Error(`no kind ${kind}`);
  }
}

/** A fixed linear combination of the results, so that every output matters. */
export function combineData(y: unknown): number {
  return numbersOf(y).reduce((s, x, i) => s + x * Math.sin(i + 1), 0);
}

export function numbersOf(y: unknown): number[] {
  if (typeof y === 'number') return [y];
  if (y instanceof Matrix) return [...y.data];
  if (Array.isArray(y)) return y.flatMap(numbersOf);
  return [...(y as Float64Array)];
}

function slotsOf(y: unknown): number[] {
  if (typeof y === 'number') return [y];
  if (Array.isArray(y)) return y.flatMap(slotsOf);
  const x = y as ActiveVector | ActiveMatrix;
  const n = x instanceof ActiveVector ? x.n : x.rows * x.cols;
  return Array.from({ length: n }, (_, i) => slotAt(x, i));
}

export function combineSlots(tape: Tape, y: unknown): number {
  const slots = slotsOf(y);
  tape.reserveEdges(slots.length);
  let value = 0;
  for (const [i, slot] of slots.entries()) {
    const weight = Math.sin(i + 1);
    tape.edgeSlot[tape.numEdges + i] = slot;
    tape.edgePartial[tape.numEdges + i] = weight;
    value += weight * tape.value[slot];
  }
  return tape.endRow(value, slots.length);
}

/** How to call: exact implementations take the tape first, operand-wise ones tape, propto and kinds. */
export type Call = (tape: Tape | null, args: readonly unknown[], kinds: string) => unknown;

export const exactCall =
  (fn: LibraryFunction): Call =>
  (tape, args) =>
    tape === null ? fn(...args) : fn(tape, ...args);

export const operandwiseCall =
  (fn: LibraryFunction, propto = false): Call =>
  (tape, args, kinds) =>
    fn(tape ?? new Tape(), propto, kinds, ...args);

/** The combined value at `theta` (the numbers of the active arguments in order), and its gradient on request. */
export function evaluate(
  call: Call,
  args: readonly Argument[],
  theta: Float64Array,
  gradient: Float64Array | null,
): number {
  const tape = new Tape();
  tape.reset(theta);
  let at = 0;
  const built = args.map(({ kind, numbers }) => {
    if (!isActive(kind)) return build(kind, numbers, 0);
    const own = theta.slice(at, at + numbers.length);
    const value = build(kind, own, at + 1);
    at += numbers.length;
    return value;
  });
  const target = combineSlots(tape, call(tape, built, args.map((a) => a.kind).join('')));
  if (gradient !== null) tape.sweep(target, gradient);
  return tape.value[target];
}

export function thetaOf(args: readonly Argument[]): Float64Array {
  return Float64Array.from(args.filter((a) => isActive(a.kind)).flatMap((a) => [...a.numbers]));
}

/** Directions in which the active numbers may be changed without leaving the domains. */
export function directions(args: readonly Argument[]): Float64Array[] {
  const total = thetaOf(args).length;
  const out: Float64Array[] = [];
  let from = 0;
  for (const { kind, numbers, domain } of args) {
    if (!isActive(kind)) continue;
    const leaf = leafSize(kind);
    for (let k = 0; k < numbers.length; k++) {
      const direction = new Float64Array(total);
      direction[from + k] = 1;
      const inLeaf = k % leaf;
      const row = inLeaf % size;
      const col = Math.floor(inLeaf / size);
      if (domain.symmetric && leaf === size * size && row !== col) {
        if (row < col) continue;
        direction[from + k - inLeaf + col + row * size] = 1;
      }
      if (domain === triangular(domain) && leaf === size * size && row < col) continue;
      if (domain.sumsToOne) {
        if (inLeaf === leaf - 1) continue;
        direction[from + k + 1] = -1;
      }
      out.push(direction);
    }
    from += numbers.length;
  }
  return out;
}

/** Domains whose entries above the diagonal stay zero. */
function triangular(domain: Domain): Domain | null {
  return domain.matrix !== undefined && !domain.symmetric && isLower(domain) ? domain : null;
}

const lowerDomains = new WeakMap<Domain, boolean>();
function isLower(domain: Domain): boolean {
  let lower = lowerDomains.get(domain);
  if (lower === undefined) {
    const fixed = {
      uniform: () => 0.3,
      normal: () => 0.3,
      exponential: () => 1,
      uint32: () => 7,
      state: () => [],
    };
    lower = domain.matrix?.(fixed, 2)[2] === 0;
    lowerDomains.set(domain, lower);
  }
  return lower;
}

/** The largest disagreement of gradient and differences, relative to 1 + |difference|. */
export function gradientError(call: Call, args: readonly Argument[]): number {
  const theta = thetaOf(args);
  const gradient = new Float64Array(theta.length);
  evaluate(call, args, theta, gradient);
  let worst = 0;
  for (const direction of directions(args)) {
    const along = (h: number): number =>
      evaluate(
        call,
        args,
        theta.map((x, i) => x + h * direction[i]),
        null,
      );
    const analytic = gradient.reduce((s, g, i) => s + g * direction[i], 0);
    // a wide step suffers from curvature, a narrow one from rounding: either may confirm the gradient
    const errors = [1e-3, 1e-4].map((h) => {
      // five-point stencil (Abramowitz & Stegun 25.3.6): error of order h⁴
      const difference = (8 * (along(h) - along(-h)) - (along(2 * h) - along(-2 * h))) / (12 * h);
      return Math.abs(analytic - difference) / (1 + Math.abs(difference));
    });
    const error = Math.min(...errors);
    if (!(error <= worst)) worst = error;
  }
  return worst;
}
