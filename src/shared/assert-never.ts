/** Closes a `switch` over a union: does not compile when a case is missing, throws when one slips in at run time. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`Unexpected ${what}: ${JSON.stringify(value)}`);
}
