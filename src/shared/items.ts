/** Reads what an index, a key or an unknown value alone cannot promise. */

/** The item at an index that is in range; an index out of range is our bug, never the user's fault. */
export function itemAt<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined)
    throw new Error(`Invariant broken: there is no item ${index} among ${items.length}`);
  return item;
}

/** The value under a key that may come from outside; undefined for `constructor` and others that a record inherits. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An object with named members, such as JSON has: not an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
