/** Calls of functions that are not over, and how often to look at them again. */
import type { FunctionRun } from '../../../contract/relations.ts';

/** Milliseconds between two looks. */
export const runsPollMs = 2000;

export function isGoingOn({ state }: FunctionRun): boolean {
  return state === 'waiting' || state === 'running';
}
