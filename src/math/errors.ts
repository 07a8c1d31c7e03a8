/** Errors that numerical code may throw. Hot loops do not check; public entry points do. */

/**
 * A value outside a function's domain, or a Stan `reject()`. *Recoverable*: while sampling it makes the log density
 * −∞ at that point (the proposal is rejected), as Stan does; elsewhere it ends the run with its message.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
}

/** A wrong size or an index out of range: an error in the program or its data, not at the point. Ends the run. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError';
}
