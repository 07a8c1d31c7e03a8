/** Calls of functions that have not ended, and how often to check them again. */
import type { FunctionRun } from '../../../contract/relations.ts';

/** Milliseconds between two checks. */
export const runsPollMs = 2000;

export function isGoingOn({ state }: FunctionRun): boolean {
  return state === 'waiting' || state === 'running';
}
