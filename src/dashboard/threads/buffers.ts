/** Memory of arrays passed between threads: found in a message, or copied first if it is shared. */

/** Each distinct buffer of the typed arrays in `message`: these are transferred instead of copied. */
export function buffersIn(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown) => {
    if (value === null || typeof value !== 'object') return;
    if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
    else if (Array.isArray(value)) {
      // A long list of numbers or texts contains none.
      if (typeof value[0] === 'object') for (const member of value) visit(member);
    } else for (const member of Object.values(value)) visit(member);
  };
  visit(message);
  return [...found];
}

/** After this many milliseconds of copying, the page gets its turn. */
const longestTurnMs = 8;

/** The same message with copied arrays: sending a view would send its entire buffer. */
export async function copyArrays<T>(message: T): Promise<T> {
  let began = performance.now();
  const copy = async (value: unknown): Promise<unknown> => {
    if (value instanceof Float64Array) {
      if (performance.now() - began > longestTurnMs) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        began = performance.now();
      }
      return value.slice();
    }
    if (value === null || typeof value !== 'object' || value instanceof Set) return value;
    if (Array.isArray(value)) {
      const copies: unknown[] = [];
      for (const member of value) copies.push(await copy(member));
      return copies;
    }
    const copies: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value)) copies.push([key, await copy(member)]);
    return Object.fromEntries(copies);
  };
  return (await copy(message)) as T;
}
