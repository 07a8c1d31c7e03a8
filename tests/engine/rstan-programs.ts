/** The programs of `tests/fixtures/rstan`, and the points at which rstan was evaluated. */
import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../fixtures/rstan/', import.meta.url);

export interface ReferenceProgram {
  readonly name: string;
  readonly source: string;
}

/** One row per point: its number, the log density, the gradient. */
export interface Reference {
  readonly name: string;
  readonly free: number;
  readonly points: readonly (readonly number[])[];
}

/** Files of programs, each with programs after lines `// ==== name`. */
export const families: readonly string[] = readdirSync(new URL('programs/', folder)).map((file) =>
  file.replace(/\.txt$/, ''),
);

export function programsOf(family: string): ReferenceProgram[] {
  const text = readFileSync(new URL(`programs/${family}.txt`, folder), 'utf8');
  return text
    .split(/^\/\/ ==== /m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return { name: part.slice(0, end), source: part.slice(end + 1) };
    });
}

export function referencesOf(family: string): Reference[] {
  return JSON.parse(readFileSync(new URL(`${family}.json`, folder), 'utf8')) as Reference[];
}

const modulus = 2 ** 31;
const next = (state: number): number =>
  Number((BigInt(state) * 1_103_515_245n + 12_345n) % BigInt(modulus));

/** Point `k` of a program with `n` free values, as in `make-reference.cpp`. */
export function pointAt(k: number, n: number): Float64Array {
  let state = 7919 * (k + 1);
  for (let skipped = 0; skipped < 5; skipped++) state = next(state);
  return Float64Array.from({ length: n }, () => {
    state = next(state);
    return cRound((state / modulus) * 3000 - 1500) / 1000;
  });
}

/** Rounds halves away from zero, as C does. */
const cRound = (x: number): number => Math.sign(x) * Math.round(Math.abs(x));
