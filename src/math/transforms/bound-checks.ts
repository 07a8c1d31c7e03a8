/** Checks of declared bounds on values: `check_lower(name, value, lower)`, with Stan's wording. */
import { Matrix } from '../autodiff/containers.ts';
import { messageNumber } from '../autodiff/operand.ts';
import { DomainError } from '../errors.ts';

/** A scalar, a container of reals or ints, or an array of them. */
type Value = number | Float64Array | Int32Array | Matrix | readonly Value[];

/** Calls `visit` with every number of `value`, the matching parameters and its index text, "[2,1]". */
function visitElements(
  value: Value,
  parameters: readonly Value[],
  indices: readonly number[],
  visit: (x: number, parameters: readonly number[], indices: readonly number[]) => void,
): void {
  if (typeof value === 'number') {
    visit(value, parameters as readonly number[], indices);
    return;
  }
  const items = value instanceof Matrix ? value.data : value;
  for (let i = 0; i < items.length; i++) {
    const own = parameters.map((p) => elementOf(p, i));
    const index =
      value instanceof Matrix ? [(i % value.rows) + 1, Math.floor(i / value.rows) + 1] : [i + 1];
    visitElements(items[i], own, [...indices, ...index], visit);
  }
}

function elementOf(p: Value, i: number): Value {
  if (typeof p === 'number') return p;
  return p instanceof Matrix ? p.data[i] : p[i];
}

function fail(name: string, indices: readonly number[], x: number, requirement: string): never {
  const index = indices.length === 0 ? '' : `[${indices.join(',')}]`;
  throw new DomainError(`${name}${index} is ${messageNumber(x)}, but must be ${requirement}`);
}

/** x ≥ lower, NaN refused. */
export function checkLower(name: string, value: Value, lower: Value): void {
  visitElements(value, [lower], [], (x, [low], indices) => {
    if (!(x >= low)) fail(name, indices, x, `greater than or equal to ${messageNumber(low)}`);
  });
}

/** x ≤ upper, NaN refused. */
export function checkUpper(name: string, value: Value, upper: Value): void {
  visitElements(value, [upper], [], (x, [high], indices) => {
    if (!(x <= high)) fail(name, indices, x, `less than or equal to ${messageNumber(high)}`);
  });
}

/** lower ≤ x ≤ upper, NaN refused. */
export function checkBounds(name: string, value: Value, lower: Value, upper: Value): void {
  visitElements(value, [lower, upper], [], (x, [low, high], indices) => {
    if (!(x >= low)) fail(name, indices, x, `greater than or equal to ${messageNumber(low)}`);
    if (!(x <= high)) fail(name, indices, x, `less than or equal to ${messageNumber(high)}`);
  });
}
