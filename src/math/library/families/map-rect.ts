/** `map_rect(tape, kinds, system, phi, thetas, x_r, x_i)`: a user's function for each θ, its vectors one after another. */
import { ActiveVector, slotAt } from '../../autodiff/containers.ts';
import type { Tape } from '../../autodiff/tape.ts';
import { ShapeError } from '../../errors.ts';
import type { LibraryPart } from '../machinery/implementation.ts';

interface RectFunction {
  data(phi: unknown, theta: unknown, xr: unknown, xi: unknown): Float64Array;
  active(
    tape: Tape,
    phi: unknown,
    theta: unknown,
    xr: unknown,
    xi: unknown,
  ): ActiveVector | Float64Array;
}

function mapRect(
  tape: Tape | null,
  _kinds: string,
  user: RectFunction,
  phi: unknown,
  ...columns: readonly (readonly unknown[])[]
): ActiveVector | Float64Array {
  const [thetas, xr, xi] = columns;
  for (const [k, column] of columns.entries())
    if (column.length !== thetas.length)
      throw new ShapeError(
        `map_rect: ${['job parameters', 'real data', 'integer data'][k]} has ${column.length} elements, but job parameters has ${thetas.length}`,
      );
  if (tape === null) {
    const parts = thetas.map((theta, k) => user.data(phi, theta, xr[k], xi[k]));
    return Float64Array.from(parts.flatMap((part) => [...part]));
  }
  const slots = thetas.flatMap((theta, k) => {
    const part = user.active(tape, phi, theta, xr[k], xi[k]);
    if (part instanceof Float64Array) return Array.from(part, (x) => tape.constant(x));
    return Array.from({ length: part.n }, (_, i) => slotAt(part, i));
  });
  return new ActiveVector(slots.length, 0, Int32Array.from(slots));
}

export const mapRectPart: LibraryPart = { map_rect: mapRect };
