/** A reason not to start that the operator can fix: shown as it is, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
