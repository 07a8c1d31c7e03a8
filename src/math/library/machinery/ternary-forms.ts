/** Turns a function of three reals and its derivatives into the eight mixes of data and active scalars. */
import type { Tape } from '../../autodiff/tape.ts';
import type { LibraryFunction } from './implementation.ts';

/** f(a, b, c) and its partial derivatives. */
export type Ternary = (
  a: number,
  b: number,
  c: number,
) => readonly [value: number, da: number, db: number, dc: number];

/** `name__rrr` to `name__vvv`. */
export function ternaryForms(name: string, f: Ternary): Record<string, LibraryFunction> {
  const out: Record<string, LibraryFunction> = {
    [`${name}__rrr`]: (a: number, b: number, c: number) => f(a, b, c)[0],
  };
  for (let mask = 1; mask < 8; mask++) {
    const active = [0, 1, 2].map((k) => ((mask >> k) & 1) === 1);
    out[`${name}__${active.map((on) => (on ? 'v' : 'r')).join('')}`] = (
      tape: Tape,
      ...args: number[]
    ) => {
      const [a, b, c] = args.map((arg, k) => (active[k] ? tape.value[arg] : arg));
      const [value, ...partials] = f(a, b, c);
      tape.reserveEdges(3);
      let e = tape.numEdges;
      for (let k = 0; k < 3; k++) {
        if (!active[k]) continue;
        tape.edgeSlot[e] = args[k];
        tape.edgePartial[e++] = partials[k];
      }
      return tape.endRow(value, e - tape.numEdges);
    };
  }
  return out;
}
