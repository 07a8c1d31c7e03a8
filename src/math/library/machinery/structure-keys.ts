/** Registers functions that only move values around: one implementation serves both numbers and slots. */
import type { LibraryFunction } from './implementation.ts';

/** Kinds of arrays of containers that the library knows by key, up to four array dimensions. */
export const nestedKinds = ['[', '[[', '[[['].flatMap((depth) =>
  ['I', 'R', 'V', 'M', 'W'].map((kind) => depth + kind),
);

/** Keys `name__kinds` for every entry of `kinds`; those with an active kind ignore the tape that is passed. */
export function forKinds(
  name: string,
  kinds: readonly string[],
  move: LibraryFunction,
): Record<string, LibraryFunction> {
  const withTape: LibraryFunction = (_tape, a, b, c, d, e) => move(a, b, c, d, e);
  return Object.fromEntries(kinds.map((k) => [`${name}__${k}`, /[vVW]/.test(k) ? withTape : move]));
}
