/** Asserts what must be true; a failure is our bug, never the user's fault. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`);
}
